package canon

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func checkMeter(t interface{ Fatalf(string, ...any) }, text string, step int) {
	d := NewDocument([]byte(text))
	var m Meter
	for rest := text; len(rest) > 0; {
		n := min(step, len(rest))
		m.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	whole := MeasureText([]byte(text))
	if got := m.Measure(); got != whole {
		t.Fatalf("%q by %d: %+v, and at once %+v", text, step, got, whole)
	}
	for _, kind := range []byte{Paragraphs, Lines} {
		if n, root := m.Count(kind); n != int64(len(d.Units(kind))) || root != d.Root(kind) {
			t.Fatalf("%q by %d: %c: %d units, root %x; the document has %d, %x", text, step, kind, n, root, len(d.Units(kind)), d.Root(kind))
		}
	}
}

func TestMeter(t *testing.T) {
	for _, text := range []string{"", "\n", "\n\n", "a", "a\n", "a\n\n", "a\nb\n\nc\n", "\n\na\n\n\nb", "a\n\n\n\n"} {
		checkMeter(t, text, 1)
		checkMeter(t, text, 100)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"\n", "\n\n", "a", "bc", "déjà", " "})).Draw(t, "text")
		checkMeter(t, strings.Join(parts, ""), rapid.IntRange(1, 9).Draw(t, "step"))
	})
}

func FuzzMeter(f *testing.F) {
	f.Add("a\nb\n\nc\n", uint8(3))
	f.Fuzz(func(t *testing.T, text string, step uint8) { checkMeter(t, text, int(step)+1) })
}

// BenchmarkMeasure is what an add and a verify do with each letter.
func BenchmarkMeasure(b *testing.B) {
	text := []byte(strings.Repeat(strings.Repeat("The miller of Rye was asked for his opinion and gave it at length.\n", 5)+"\n", 8))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		MeasureText(text)
	}
}
