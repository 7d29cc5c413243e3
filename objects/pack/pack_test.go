package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pjbgf/sha1cd"

	"muniment/objects/flate"
	"muniment/objects/object"
)

// seeds returns the bytes of the test vectors of one kind.
func seeds(t testing.TB, kind string) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../../testvectors/objects/" + kind + "-*")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d vectors of kind %s, want at least 5: %v", len(files), kind, err)
	}
	var out [][]byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := bytes.Cut(data, []byte("\n\n"))
		out = append(out, body)
	}
	return out
}

func FuzzIndex(f *testing.F) {
	for _, v := range seeds(f, "index") {
		f.Add(v, false)
		f.Add(v, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, sign bool) {
		if sign && len(data) > sha1cd.Size { // past the checksum, which fuzzing cannot guess
			data = bytes.Clone(data)
			own, _ := sha1cd.Sum(data[:len(data)-sha1cd.Size])
			copy(data[len(data)-sha1cd.Size:], own[:])
		}
		x, err := ParseIndex(data)
		if err != nil {
			if x != nil {
				t.Fatalf("an index with %v", err)
			}
			return
		}
		for pos := range x.Len() {
			x.Find(x.Name(pos))
			if off, err := x.Offset(pos); err == nil && off < 0 {
				t.Fatalf("offset %d", off)
			}
		}
		x.Find(object.Hash{})
		x.Find(object.Hash(bytes.Repeat([]byte{0xff}, sha1cd.Size)))
		if x.Verify() != nil {
			return
		}
		var entries []IndexEntry
		for pos := range x.Len() {
			off, err := x.Offset(pos)
			if err != nil {
				t.Fatal(err)
			}
			wide := binary.BigEndian.Uint32(x.small[4*pos:])&offsetIsBig != 0
			entries = append(entries, IndexEntry{Hash: x.Name(pos), Offset: off, CRC: x.crc(pos), Wide: wide})
			if got, ok := x.Find(x.Name(pos)); !ok || got != pos {
				t.Fatalf("%s is at %d, found %d %v", x.Name(pos), pos, got, ok)
			}
		}
		if again := EncodeIndex(entries, x.PackSum()); !bytes.Equal(again, x.data) || !x.noCRC && !bytes.Equal(again, data) {
			t.Fatal("a verified index encodes to other bytes")
		}
	})
}

func FuzzHeader(f *testing.F) {
	for _, v := range seeds(f, "entry") {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := ParseHeader(data)
		if err != nil {
			if h != (Header{}) {
				t.Fatalf("%+v with %v", h, err)
			}
			return
		}
		if again := h.Append(nil); h.Len > len(data) || h.Len > MaxHeader || !bytes.Equal(again, data[:h.Len]) {
			t.Fatalf("%x encodes to %x", data, again)
		}
	})
}

func FuzzDelta(f *testing.F) {
	const base = len("the quick brown fox") // in every vector
	for _, v := range seeds(f, "delta") {
		f.Add(v[:base], v[base:])
	}
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		out, err := ApplyDelta(base, delta)
		if err != nil {
			if out != nil {
				t.Fatalf("%d bytes with %v", len(out), err)
			}
			return
		}
		_, n, _ := deltaSize(delta)
		if size, _, _ := deltaSize(delta[n:]); int64(len(out)) != size || len(out) > object.MaxSize {
			t.Fatalf("%d bytes, announced %d", len(out), size)
		}
	})
}

// FuzzPack reads every entry of a pack of which some bytes are damaged.
func FuzzPack(f *testing.F) {
	body, offsets := fuzzPack(f)
	f.Add(20, []byte{1})
	f.Add(len(body)/2, []byte("\x7fdamage"))
	f.Fuzz(func(t *testing.T, at int, with []byte) {
		damaged := bytes.Clone(body)
		if at >= 0 && at < len(damaged) {
			copy(damaged[at:], with)
		}
		p := memoryPack(t, damaged, offsets)
		for _, off := range offsets {
			k, data, err := p.At(off, nil)
			if err != nil && (data != nil || k != 0) {
				t.Fatalf("%d bytes with %v", len(data), err)
			}
		}
	})
}

// fuzzPack returns the bytes of a pack with whole objects and both kinds of
// deltas, and the offsets of its entries.
func fuzzPack(t testing.TB) ([]byte, []int64) {
	t.Helper()
	base := []byte("the quick brown fox jumps over the lazy dog")
	n := byte(len(base))
	delta := []byte{n, n + 3, 0x90, n, 3, 'a', 'b', 'c'}
	delta2 := []byte{n + 3, n + 4, 0x90, n + 3, 1, '!'}
	var b bytes.Buffer
	b.WriteString(magic + "\x00\x00\x00\x03")
	var offsets []int64
	var e flate.Encoder
	entry := func(h Header, body []byte) {
		offsets = append(offsets, int64(b.Len()))
		h.Size = int64(len(body))
		b.Write(h.Append(nil))
		if err := e.Append(&b, body); err != nil {
			t.Fatal(err)
		}
	}
	entry(Header{Type: Type(object.Blob)}, base)
	entry(Header{Type: OffsetDelta, Back: int64(b.Len()) - offsets[0]}, delta)
	entry(Header{Type: NameDelta, Base: object.Hash{1}}, delta2)
	sum, _ := sha1cd.Sum(b.Bytes())
	b.Write(sum[:])
	return b.Bytes(), offsets
}

// memoryPack writes a pack to a file and indexes its entries as object.Hash{0},
// object.Hash{1} and so on, without hashing them.
func memoryPack(t testing.TB, body []byte, offsets []int64) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.pack")
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
	var entries []IndexEntry
	for i, off := range offsets {
		entries = append(entries, IndexEntry{Hash: object.Hash{byte(i)}, Offset: off})
	}
	x, err := ParseIndex(EncodeIndex(entries, object.Hash{}))
	if err != nil {
		t.Fatal(err)
	}
	p := NewFile("x", path, x, NewCache())
	t.Cleanup(p.Close)
	if err := p.Stat(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPackDeltas(t *testing.T) {
	body, offsets := fuzzPack(t)
	p := memoryPack(t, body, offsets)
	for range 2 { // the second time from the cache
		for i, want := range []string{
			"the quick brown fox jumps over the lazy dog", "the quick brown fox jumps over the lazy dogabc", "the quick brown fox jumps over the lazy dogabc!",
		} {
			if k, data, err := p.At(offsets[i], nil); err != nil || k != object.Blob || string(data) != want {
				t.Errorf("entry %d: %s %q, %v", i, k, data, err)
			}
		}
	}
	// a delta of a delta of itself
	loop := memoryPack(t, body, []int64{offsets[0], offsets[2]})
	if _, data, err := loop.At(offsets[2], nil); !errors.Is(err, object.ErrCorrupt) || data != nil {
		t.Errorf("a loop of deltas: %v", err)
	}
}
