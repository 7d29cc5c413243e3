package chunk

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"muniment/internal/casecount"
)

// Smaller rules of the same proportions, so that many payloads can be tried.
var (
	tiny  = scaled(12)
	small = scaled(7) // 64 bytes are still few beside a chunk
)

func scaled(bits int) rule {
	return rule{Min >> bits, Normal >> bits, Max >> bits, MaskSmall << bits, MaskLarge << bits}
}

func random(seed uint64, n int) []byte {
	src := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	b := make([]byte, n)
	src.Read(b)
	return b
}

// pieces cuts everything that r gives.
func pieces(t interface{ Fatal(...any) }, r io.Reader, rule *rule) [][]byte {
	s := newSplitter(r, rule)
	var out [][]byte
	for {
		c, err := s.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, bytes.Clone(c))
	}
}

// checkPieces requires that the chunks are the payload and keep to the sizes.
func checkPieces(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, data []byte, out [][]byte, rule *rule) {
	if !bytes.Equal(bytes.Join(out, nil), data) {
		t.Fatal("the chunks together are not the payload")
	}
	for i, c := range out {
		if len(c) > rule.max || len(c) == 0 || len(c) < rule.min && i < len(out)-1 {
			t.Fatalf("chunk %d of %d has %d bytes, want %d to %d", i, len(out), len(c), rule.min, rule.max)
		}
	}
}

func TestSplitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := random(uint64(rapid.Uint32().Draw(t, "seed")), rapid.IntRange(0, 40*tiny.max).Draw(t, "length"))
		if rapid.Bool().Draw(t, "runs") { // long runs of one byte have no place of their own
			for i := range data {
				data[i] = data[i/4096]
			}
		}
		want := pieces(t, bytes.NewReader(data), &tiny)
		checkPieces(t, data, want, &tiny)
		for _, r := range []io.Reader{iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data)),
			&uneven{data, rapid.SliceOfN(rapid.IntRange(1, 3000), 1, 20).Draw(t, "reads")}} {
			if got := pieces(t, r, &tiny); !slices.EqualFunc(got, want, bytes.Equal) {
				t.Fatal("the size of the reads changed the chunks")
			}
		}
	})
}

// uneven gives data in reads of the sizes listed, over and over.
type uneven struct {
	data  []byte
	sizes []int
}

func (u *uneven) Read(p []byte) (int, error) {
	if len(u.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, u.data[:min(len(u.data), u.sizes[0])])
	u.data = u.data[n:]
	u.sizes = append(u.sizes[1:], u.sizes[0])
	return n, nil
}

// A byte that is inserted, removed or changed costs one or two chunks, and more
// in less than one of a hundred payloads.
func TestEditCost(t *testing.T) {
	trials := casecount.Of(300, 1500)
	costly, worst := 0, 0
	for i := range trials {
		data := random(uint64(i), 12*small.normal)
		have := map[string]bool{}
		for _, c := range pieces(t, bytes.NewReader(data), &small) {
			have[string(c)] = true
		}
		at := rand.New(rand.NewPCG(uint64(i), 1)).IntN(len(data))
		var edited []byte
		switch i % 3 {
		case 0:
			edited = slices.Insert(bytes.Clone(data), at, byte(i))
		case 1:
			edited = slices.Delete(bytes.Clone(data), at, at+1)
		case 2:
			edited = bytes.Clone(data)
			edited[at]++
		}
		fresh := 0
		for _, c := range pieces(t, bytes.NewReader(edited), &small) {
			if !have[string(c)] {
				fresh++
			}
		}
		worst = max(worst, fresh)
		if fresh > 2 {
			costly++
		}
	}
	t.Logf("%d of %d edits cost more than two chunks, the worst %d", costly, trials, worst)
	if costly*100 > trials {
		t.Errorf("%d of %d edits cost more than two chunks, want at most one of a hundred", costly, trials)
	}
}

// The sizes of the standard rule, on what the smaller one stands for.
func TestStandard(t *testing.T) {
	data := random(1, 64<<20)
	out := pieces(t, bytes.NewReader(data), &standard)
	checkPieces(t, data, out, &standard)
	if n := len(data) / len(out); n < 7<<19 || n > 6<<20 {
		t.Errorf("%d chunks of %d bytes on average, want 3.5 to 6 MiB", len(out), n)
	}
	edited := slices.Insert(data, 33<<20, 'x')
	fresh := 0
	for _, c := range pieces(t, bytes.NewReader(edited), &standard) {
		if !slices.ContainsFunc(out, func(old []byte) bool { return bytes.Equal(old, c) }) {
			fresh++
		}
	}
	if fresh < 1 || fresh > 2 {
		t.Errorf("one byte inserted costs %d chunks, want 1 or 2", fresh)
	}
}

// No run of one byte is a place to cut: silence has chunks of Max.
func TestRuns(t *testing.T) {
	for b := range 256 {
		f := uint64(0)
		for range window {
			f = f<<1 + Gear[b]
		}
		if f&MaskLarge == 0 {
			t.Errorf("a run of %#02x is a place to cut", b)
		}
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(bytes.NewReader(random(3, 3*tiny.max)), iotest.ErrReader(broken))
	s := newSplitter(r, &tiny)
	for {
		c, err := s.Next()
		if err != nil {
			if !errors.Is(err, broken) || c != nil {
				t.Fatalf("%d bytes and %v, want %v alone", len(c), err, broken)
			}
			break
		}
	}
	if _, err := s.Next(); !errors.Is(err, broken) {
		t.Errorf("the error was forgotten: %v", err)
	}
}

func FuzzSplitter(f *testing.F) {
	f.Add([]byte("x"), uint16(1))
	f.Add(random(1, 9000), uint16(700))
	f.Add(make([]byte, 5000), uint16(64))
	f.Fuzz(func(t *testing.T, data []byte, read uint16) {
		want := pieces(t, bytes.NewReader(data), &tiny)
		checkPieces(t, data, want, &tiny)
		got := pieces(t, &uneven{data, []int{int(read) + 1, 1}}, &tiny)
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatal("the size of the reads changed the chunks")
		}
	})
}

func BenchmarkSplitter(b *testing.B) {
	data := random(1, 64<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		s := NewSplitter(bytes.NewReader(data))
		for {
			if _, err := s.Next(); err != nil {
				break
			}
		}
	}
}
