package canon

import (
	"bytes"
	"strings"
	"testing"
)

// textDefects are texts with one defect each, and what CheckText says of it.
var textDefects = []struct{ name, text, says string }{
	{"no-final-lf", "a", "does not end in a line feed"},
	{"empty", "", "does not end in a line feed"},
	{"two-final-lf", "a\n\n", "ends in an empty line"},
	{"only-lf", "\n", "first line is empty"},
	{"first-line-empty", "\na\n", "first line is empty"},
	{"bom", "\uFEFFa\n", "byte order mark"},
	{"crlf", "a\r\nb\n", "line break other than LF"},
	{"cr", "a\rb\n", "line break other than LF"},
	{"nel", "a\u0085b\n", "line break other than LF"},
	{"line-separator", "a\u2028b\n", "line break other than LF"},
	{"nfd", "Zoe\u0308\n", "Normalization Form C"},
	{"marks-order", "a\u0301\u0323\n", "Normalization Form C"},
	{"latin-1", "caf\xe9\n", "not UTF-8"},
	{"surrogate", "a\xed\xa0\x80\n", "not UTF-8"},
	{"space-at-end", "a \nb\n", "ends in a space or a tab"},
	{"tab-at-end", "a\nb\t\n", "ends in a space or a tab"},
	{"invisible", "\u200b\u00ad\n", "nothing visible"},
	{"controls", "\x01\x02\x7f\n", "nothing visible"},
}

func TestCheckText(t *testing.T) {
	for _, one := range textDefects {
		if err := CheckText([]byte(one.text)); err == nil || !strings.Contains(err.Error(), one.says) {
			t.Errorf("%s: %v, want %q", one.name, err, one.says)
		}
	}
	for _, good := range []string{"a\n", "Zoë\n", "a\n\n\nb\n", "\u00e1\u0308b\n", "\x01a\n", "\u0301a\n", "a\n\u0301b\n", "\u1100\n\u1161\n"} {
		if err := CheckText([]byte(good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// A text in pieces is judged as the whole is.
func TestCheckTextInPieces(t *testing.T) {
	texts := []string{"Zoë\n\nhe\u0301\nx\n", strings.Repeat("ä\n", 50)}
	for _, one := range textDefects {
		texts = append(texts, one.text, "first\n"+one.text, one.text+"last\n")
	}
	for _, text := range texts {
		for size := 1; size <= 4; size++ {
			var c TextCheck
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				c.Write(rest[:n])
				rest = rest[n:]
			}
			if whole, pieces := CheckText([]byte(text)), c.Err(); (whole == nil) != (pieces == nil) {
				t.Errorf("%q: whole %v, in pieces of %d %v", text, whole, size, pieces)
			}
		}
	}
}

func TestCheckTextLongLine(t *testing.T) {
	var c TextCheck
	piece := bytes.Repeat([]byte("a"), 1<<20)
	for range MaxCheckedLine>>20 + 1 {
		c.Write(piece)
	}
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "a line has more than") {
		t.Errorf("%v", err)
	}
}

// What the text step makes is in canonical form, and what it changes is not.
func FuzzCheckText(f *testing.F) {
	for _, one := range textDefects {
		f.Add([]byte(one.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		made := Text(data)
		same := bytes.Equal(made, data) && len(data) > 0
		valid := bytes.Equal(bytes.ToValidUTF8(data, nil), data)
		if err := CheckText(data); (err == nil) != (same && valid) {
			t.Fatalf("%q: %v, and the text step gives %q", data, err, made)
		}
	})
}
