package canon

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"one line", "a", "a\n"},
		{"as it is", "a\n\nb\n", "a\n\nb\n"},
		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"CR", "a\rb\r\rc", "a\nb\n\nc\n"},
		{"CR before CRLF", "a\r\r\nb", "a\n\nb\n"},
		{"NEL LS PS", "a\u0085b\u2028c\u2029d", "a\nb\nc\nd\n"},
		{"NEL behind CR", "a\r\u0085b", "a\n\nb\n"},
		{"NFC", "e\u0301\n", "é\n"},
		{"trailing blanks", "a \t\nb\t\n \t \nc  ", "a\nb\n\nc\n"},
		{"inner blanks", "  a  b\n\tc\n", "  a  b\n\tc\n"},
		{"edges", "\n \n\t\na\n\n\n", "a\n"},
		{"no-break space stays", "a\u00A0\n", "a\u00A0\n"},
		{"form feed stays", "a\n\f\nb\n", "a\n\f\nb\n"},
		{"soft hyphen stays", "a\u00ADb\n", "a\u00ADb\n"},
		{"three breaks stay", "a\n\n\nb\n", "a\n\n\nb\n"},
		{"mark", "\uFEFFa\n", "a\n"},
		{"marks and empty lines", "\uFEFF \n\uFEFF\n\n\uFEFFa\n", "a\n"},
		{"mark inside", "a\uFEFFb\n\uFEFF\n", "a\uFEFFb\n\uFEFF\n"},
		{"nothing", " \n\t\r\n\uFEFF\u200B\u00A0\u00AD\u2060 ", ""},
		{"combining alone", "\u0301", "\u0301\n"},
		{"trailing blank behind wide", "é \r\nß\t", "é\nß\n"},
	}
	for _, c := range cases {
		in := []byte(c.in)
		if got := string(Text(in)); got != c.want {
			t.Errorf("%s: got %+q, want %+q", c.name, got, c.want)
		}
		if string(in) != c.in {
			t.Errorf("%s: the input was changed", c.name)
		}
	}
}

// Text must not write the final LF into what lies behind its input.
func TestTextLeavesNeighbours(t *testing.T) {
	all := []byte("abc")
	if got := string(Text(all[:2])); got != "ab\n" || string(all) != "abc" {
		t.Errorf("got %q, and %q around the input", got, all)
	}
}

// checkForm states what holds for every result of Text.
func checkForm(t interface{ Fatalf(string, ...any) }, in, out []byte) {
	if out == nil {
		return
	}
	switch {
	case len(out) == 0:
		t.Fatalf("Text(%+q) is empty but not nil", in)
	case out[len(out)-1] != '\n' || bytes.HasSuffix(out, []byte("\n\n")) || out[0] == '\n':
		t.Fatalf("Text(%+q) = %+q has wrong edges", in, out)
	case bytes.Contains(out, []byte(" \n")) || bytes.Contains(out, []byte("\t\n")) || bytes.ContainsRune(out, '\r'):
		t.Fatalf("Text(%+q) = %+q has blanks at a line's end or a CR", in, out)
	case !bytes.Equal(Text(out), out):
		t.Fatalf("Text(%+q) = %+q, and again %+q", in, out, Text(out))
	case utf8.Valid(in) && !utf8.Valid(out):
		t.Fatalf("Text(%+q) = %+q is not UTF-8", in, out)
	}
}

func TestTextProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := letters(t)
		checkForm(t, in, Text(in))
	})
}

// Two texts that differ in anything visible differ in their form.
func TestVisibleDifferences(t *testing.T) {
	texts := []string{
		"He paid 100 pounds.", "He paid 1O0 pounds.", "He paid 100 pounds!", "he paid 100 pounds.",
		"He  paid 100 pounds.", "He paid\n100 pounds.", "He paid\n\n100 pounds.", " He paid 100 pounds.",
		"He paid 100\u00A0pounds.", "He paid 10² pounds.", "He paid 102 pounds.", "He paid １00 pounds.",
		"fi", "ﬁ", "Å", "A", "é", "e", "“a”", "\"a\"", "a-b", "a–b", "a\u00ADb", "ab", "Straße", "Strasse",
	}
	seen := map[string]string{}
	for _, s := range texts {
		form := string(Text([]byte(s)))
		if other, ok := seen[form]; ok {
			t.Errorf("%q and %q have the same form", s, other)
		}
		seen[form] = s
	}
}

// letterFile is a letter of about 3 kB with some words beyond ASCII.
var letterFile = strings.Repeat("My dear Zoë,\r\n\r\nthe naïve café was shut when I came, and I walked  \r\nhome along the river.\r\n\r\n", 30)

func BenchmarkTextToParagraphs(b *testing.B) {
	ascii := bytes.Repeat([]byte("So to dinner, and thence to the office, where we sat\nall the morning and did much business.\n\n"), 1<<14)
	wide := bytes.Repeat([]byte(letterFile), 1<<9)
	for name, data := range map[string][]byte{"ascii": ascii, "wide crlf": wide} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if !utf8.Valid(data) {
					b.Fatal("the text is not UTF-8")
				}
				NewDocument(Text(data)).Units('p')
			}
		})
		b.Run(name+" with roots", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				d := NewDocument(Text(data))
				d.Root('p')
				d.Root('l')
			}
		})
	}
}
