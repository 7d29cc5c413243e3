package segment

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

type failer interface{ Fatalf(string, ...any) }

// checkSentences requires ranges in order, in bounds, without outer white space, covering every other byte.
func checkSentences(t failer, text, lang string) {
	end := 0
	for _, r := range Sentences(text, lang) {
		if r.Start < end || r.End <= r.Start || r.End > len(text) {
			t.Fatalf("%q: range %v after %d", text, r, end)
		}
		if blank(text[end:r.Start]) != r.Start-end || spaceLen(text[r.Start:]) > 0 || spaceBefore(text[:r.End]) > 0 {
			t.Fatalf("%q: range %v leaves text out or takes white space in", text, r)
		}
		end = r.End
	}
	if blank(text[end:]) != len(text)-end {
		t.Fatalf("%q: %q is in no sentence", text, text[end:])
	}
}

func blank(s string) int {
	n := 0
	for n < len(s) && spaceLen(s[n:]) > 0 {
		n += spaceLen(s[n:])
	}
	return n
}

func checkClaims(t failer, text string) {
	end := 0
	for _, c := range Claims(text, "en") {
		if c.Start < end || c.End <= c.Start || c.End > len(text) || c.Text == "" {
			t.Fatalf("%q: claim %+v after %d", text, c, end)
		}
		end = c.End
		for _, q := range c.Quotes {
			if c.Text[q.Start:q.End] != q.Text {
				t.Fatalf("%q: quotation %+v", text, q)
			}
		}
		for _, m := range c.Markers {
			if _, n := mark(text[m.Start:]); n != m.End-m.Start {
				t.Fatalf("%q: marker %+v", text, m)
			}
		}
	}
}

func checkParts(t failer, text string) {
	end := 0
	for _, p := range QuestionParts(text) {
		if p.Start < end || p.End <= p.Start || p.End > len(text) || text[p.Start:p.End] != p.Text {
			t.Fatalf("%q: part %+v after %d", text, p, end)
		}
		end = p.End
	}
}

var pieces = rapid.SampledFrom([]string{"The mill", "Dr.", "3.", "12. 3. 1931", " ", "\n", "\n\n", ".", "!", "?", "…", "[1]", "[cite:g3]", "[1, 2]", "[^n]", "[1-3]", " and ", "Anna bought", "sold it", "1) ", "• ", " . . . ", "\u00a0", "؟", "।", "“", "”",
	"\"", "(", ")", "; ", ", and she left", "who", "did she", "and", "In 1931, ", "# ", "- ", "```", "| a |", "*", "_", "`", "[x](y)", "!",
	"é", "\xff", "。", "z. B.", "e.g.", "I.", "'s", "’"})

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(pieces).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		checkSentences(t, text, rapid.SampledFrom([]string{"en", "de", ""}).Draw(t, "lang"))
		checkClaims(t, text)
		checkParts(t, text)
	})
}

var seeds = []string{"Dr. Who came. He left.", "# A\n\n- b [1]; c\n```\nx", "In 1931, what did she plant and who left?", "“a. b”", "| a |", "\xff. \xe2\x80",
	"She planted, and he sold.", "[cite:g3][1] x", "a\n\n[1]"}

func FuzzSentences(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "en")
	}
	f.Fuzz(func(t *testing.T, text, lang string) { checkSentences(t, text, lang) })
}

func FuzzClaims(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkClaims(t, text) })
}

func FuzzQuestionParts(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkParts(t, text) })
}

// Texts made to be slow must take time in proportion to their length.
func TestLinear(t *testing.T) {
	for _, piece := range []string{". ", ".\"", ".[1]", "[", "(", "“", "\"a", "[a](", "`", ".)", "…", "; ", "Dr. ", "\n", "a, and b ", "who and ", ".[cite:a]"} {
		run := func(n int) time.Duration {
			text := strings.Repeat(piece, n/len(piece))
			begin := time.Now()
			Sentences(text, "en")
			Claims(text, "en")
			return time.Since(begin)
		}
		run(1 << 14)
		if d := run(1 << 18); d > time.Minute {
			t.Errorf("%q: %v for 256 KiB", piece, d)
		}
	}
}

func BenchmarkSentences(b *testing.B) {
	text := strings.Repeat("2nd (Lord’s day). Some of our maids sat up late, Jane called us at 3 a.m. to tell us of a great fire. "+
		"So I rose, and slipped on my gown; Mr. J. Robinson’s son went with me. “Lord!” said he, what a sight. ", 5000)
	if !utf8.ValidString(text) {
		b.Fatal("not UTF-8")
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Sentences(text, "en")
	}
}

// A text without a line feed, one without an end of a sentence, and one of
// abbreviations and brackets alone: a megabyte each.
func BenchmarkLine(b *testing.B) {
	for _, bench := range []struct{ name, piece string }{
		{"prose", "The wheel stood still at 3 p.m. because Dr. Brandt had closed the sluice. "},
		{"no-end", "the wheel and the race and the stones, "},
		{"no-space", "wheel"},
		{"abbreviations", "Dr. e.g. U.S. (see p. 3) … “z. B.” "},
	} {
		text := strings.Repeat(bench.piece, 1_000_000/len(bench.piece))
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Sentences(text, "en")
			}
		})
	}
}
