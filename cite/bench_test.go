package cite

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"muniment/canon"
)

// The text of the two budgets: prose of repeated and of rare words.
func largeText(size int) []byte {
	var b strings.Builder
	state := uint64(1)
	for b.Len() < size {
		state = state*6364136223846793005 + 1442695040888963407
		switch state >> 60 {
		default:
			b.WriteString(textPieces[state>>40%12])
		case 0, 1, 2, 3, 4:
			fmt.Fprintf(&b, "w%x", state>>44%40000)
		case 5:
			b.WriteString("of\nthe")
		case 6:
			b.WriteString("which was. And")
		}
		b.WriteByte(' ')
	}
	return []byte(strings.ToValidUTF8(b.String()[:size], ""))
}

// mutate changes every so-manyth code point that is no white space.
func mutate(quote []byte, every int) string {
	out := []rune(string(quote))
	for i := every / 2; i < len(out); i += every {
		if out[i] != ' ' && out[i] != '\n' {
			out[i] = 'q'
		}
	}
	return string(out)
}

// cyrillic writes the letters of text in another alphabet, two bytes each.
func cyrillic(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return 'а' + r - 'a'
		}
		return r
	}, text)
}

func BenchmarkFind(b *testing.B) {
	text := largeText(10_000_000)
	d, half := canon.NewDocument(text), canon.NewDocument(text[:5_000_000])
	word := func(at int) int {
		for text[at-1] != ' ' {
			at++
		}
		return at
	}
	from, to, end := word(9_900_000), word(9_900_200), word(4_999_800)
	words := strings.TrimSpace(string(text[from:to]))
	russian := canon.NewDocument(cyrillic(text))
	for _, bench := range []struct {
		name  string
		d     *canon.Document
		quote string
	}{
		{"exact-end-of-5M", half, string(text[end:5_000_000])},
		{"normalized-10M", d, strings.ReplaceAll(words, " ", "  ")},
		{"fuzzy-5pc-10M", d, mutate([]byte(words), 20)},
		{"fuzzy-20pc-10M", d, mutate([]byte(words), 5)},
		{"fuzzy-5pc-10M-cyrillic", russian, mutate(cyrillic([]byte(words)), 20)},
		{"absent-10M", d, strings.Repeat("xylophone quartz was vexing ", 7)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Find(bench.d, bench.quote, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
