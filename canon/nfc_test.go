package canon

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// conformance opens NormalizationTest.txt where the Debian package
// unicode-data keeps it, or as unpacked by hand.
func conformance(t *testing.T) string {
	const path = "/usr/share/unicode/NormalizationTest.txt"
	if data, err := os.ReadFile(path); err == nil {
		return string(data)
	}
	f, err := os.Open(path + ".bz2")
	if err != nil {
		t.Skip("skipped: NormalizationTest.txt is missing: install the Debian package unicode-data")
	}
	defer f.Close()
	data, err := io.ReadAll(bzip2.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every line of the conformance test, by the invariants that its head gives
// for NFC, and every code point that part 1 does not list, which must be its
// own normal form.
func TestConformance(t *testing.T) {
	data := conformance(t)
	if want := "# NormalizationTest-" + UnicodeVersion + ".txt\n"; !strings.HasPrefix(data, want) {
		t.Skipf("skipped: the installed NormalizationTest.txt is not version %s: install the Debian package unicode-data of that version", UnicodeVersion)
	}
	lines, part := 0, ""
	listed := map[string]bool{}
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		if line[0] == '@' {
			part = strings.TrimSpace(line)
			continue
		}
		c := strings.Split(line, ";")
		var col [5]string
		for i := range col {
			for h := range strings.FieldsSeq(c[i]) {
				n, err := strconv.ParseUint(h, 16, 32)
				if err != nil {
					t.Fatal(err)
				}
				col[i] += string(rune(n))
			}
		}
		for i, in := range col {
			want := col[1]
			if i >= 3 {
				want = col[3]
			}
			if got := string(NFC([]byte(in))); got != want {
				t.Errorf("column %d of %q: got %+q, want %+q", i+1, line, got, want)
			}
		}
		if part == "@Part1" {
			listed[col[0]] = true
		}
		lines++
	}
	for r := rune(0); r <= 0x10FFFF; r++ {
		s := string(r)
		if r >= 0xD800 && r < 0xE000 || listed[s] {
			continue
		}
		if got := string(NFC([]byte(s))); got != s {
			t.Errorf("%U: got %+q, want it unchanged", r, got)
		}
	}
	if want := 19_000; lines < want {
		t.Errorf("the conformance test had %d lines, want at least %d", lines, want)
	}
	t.Logf("%d lines", lines)
}

func TestNFC(t *testing.T) {
	long := strings.Repeat("\u0301", 40)
	cases := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ascii", "plain", "plain"},
		{"compose", "e\u0301", "é"},
		{"singleton", "\u212B", "Å"},
		{"excluded", "\u0958", "\u0915\u093C"},
		{"reorder", "q\u0307\u0323", "q\u0323\u0307"},
		{"blocked", "a\u0315\u0300", "\u00E0\u0315"},
		{"same class blocks", "o\u0308\u0301", "\u00F6\u0301"},
		{"hangul", "\u1112\u1161\u11AB", "한"},
		{"hangul LV T", "하\u11AB", "한"},
		{"hangul no T", "한\u11AB", "한\u11AB"},
		{"no U+034F after 30 marks", "a" + long, "á" + long[2:]},
		{"invalid stays", "e\xFF\u0301", "e\xFF\u0301"},
		{"invalid then marks", "\xFF\u0307\u0323", "\xFF\u0323\u0307"},
		{"truncated", "e\u0301\xE2\x80", "é\xE2\x80"},
	}
	for _, c := range cases {
		if got := string(NFC([]byte(c.in))); got != c.want {
			t.Errorf("%s: got %+q, want %+q", c.name, got, c.want)
		}
	}
}

// letters draws from what normal forms are about, with some of everything.
func letters(t *rapid.T) []byte {
	pool := []rune("aeo qAZ.\n\t\u00E9\u0301\u0300\u0323\u0307\u0315\u0327\u0345\u1100\u1161\u11A8\uAC00\uD7A3\u0958\u212B\u0344\u0F73\u1EAD\U0001D15E\U00011099\U000110BA\u0B47\u0B3E\uFEFF\u2028")
	n := rapid.IntRange(0, 60).Draw(t, "n")
	var b []byte
	for range n {
		r := rapid.SampledFrom(pool).Draw(t, "r")
		if rapid.IntRange(0, 9).Draw(t, "any") == 0 {
			r = rapid.Rune().Draw(t, "rune")
		}
		b = append(b, string(r)...)
	}
	return b
}

func TestNFCIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := NFC(letters(t))
		if twice := NFC(once); !bytes.Equal(once, twice) {
			t.Fatalf("NFC(NFC(x)) is %+q, NFC(x) is %+q", twice, once)
		}
	})
}

// The peer is golang.org/x/text, as long as it has the same version of Unicode
// and a run of marks is too short for it to insert U+034F.
func TestNFCAgreesWithPeer(t *testing.T) {
	if norm.Version != UnicodeVersion {
		t.Skipf("skipped: golang.org/x/text has Unicode %s with this toolchain, want %s", norm.Version, UnicodeVersion)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := letters(t)
		want := norm.NFC.Bytes(in)
		inserted := bytes.Contains(want, []byte("\u034F")) && !bytes.Contains(in, []byte("\u034F")) // the run is long
		if got := NFC(in); !inserted && !bytes.Equal(got, want) {
			t.Fatalf("NFC(%+q) is %+q, x/text gives %+q", in, got, want)
		}
	})
}

// A run of a million marks in the worst order takes linear time: quadratic
// work would take hours.
func TestNFCLongRun(t *testing.T) {
	in := []byte("a" + strings.Repeat("\u0307\u0323", 500_000))
	begin := time.Now()
	out := NFC(in)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %v", took)
	}
	if want := "ạ" + strings.Repeat("\u0323", 499_999) + strings.Repeat("\u0307", 500_000); string(out) != want {
		t.Error("the run is not in order")
	}
}

func TestCountUnassigned(t *testing.T) {
	cases := []struct {
		in   string
		want int
	}{
		{"", 0}, {"abc é 한 \u4E00 \U0001F600 \uE000", 0},
		{"\u0378", 1}, {"x\u0378y\uFFFF\U0010FFFF", 3}, {"\U0001FAE8", 0 /* new in 15.0 */}, {"\U0001C8FF", 1}, {"\u1C89", 1 /* new in 16.0 */},
	}
	for _, c := range cases {
		if got := CountUnassigned([]byte(c.in)); got != c.want {
			t.Errorf("CountUnassigned(%+q) = %d, want %d", c.in, got, c.want)
		}
	}
}

func BenchmarkNFC(b *testing.B) {
	for name, unit := range map[string]string{
		"ascii":   "The quick brown fox jumps over the lazy dog. ",
		"french":  "Dès Noël, où un zéphyr haï me vêt de glaçons würmiens. ",
		"chinese": "天地玄黄宇宙洪荒日月盈昃辰宿列张",
		"nfd":     "De\u0300s Noe\u0308l, ou\u0300 un ze\u0301phyr hai\u0308 me ve\u0302t. ",
	} {
		data := bytes.Repeat([]byte(unit), 1<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				NFC(data)
			}
		})
	}
}

func ExampleNFC() {
	fmt.Printf("%+q\n", NFC([]byte("e\u0301")))
	// Output: "\u00e9"
}
