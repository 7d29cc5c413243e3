package gate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestShorten states what is shown of a quote that no run of clauses can be cut from.
func TestShorten(t *testing.T) {
	n := 0
	for _, c := range []struct {
		text, need string
		limit      int
		want       string
	}{
		{"Up, and by water to the Tower, where I met my wife.", "wife", 20, "where I met my wife."},
		{"Up, and by water to the Tower, where I met my wife.", "", 24, "where I met my wife."},
		{"It is a lie, told in every tavern, that I burned the letters of my sister in the garden.", "burned letters", 40, "It is a lie, told in every tavern"},
		{"He said that Hans stole the silver spoons of the parish", "spoons", 20, "He said that Hans"},
		{strings.Repeat("x", 200), "", 140, strings.Repeat("x", 140)},
		{"A short sentence.", "", 140, "A short sentence."},
		{"A short sentence.", "", 0, ""},
		{"...; ... , and ...", "", 5, "...;"},
	} {
		n++
		if got := CutAtClause(c.text, []string{c.need}, c.limit); got.Shown() != c.want || got.Source() != c.text {
			t.Errorf("%q in %d: shows %q, want %q", c.text, c.limit, got.Shown(), c.want)
		}
	}
	if n != 8 {
		t.Errorf("%d cases", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		text, limit := rapid.StringMatching(`([A-Za-zäö]{1,9}(, |; |\. | )){1,30}`).Draw(t, "text"), rapid.IntRange(1, 80).Draw(t, "limit")
		got := CutAtClause(text, []string{"not"}, limit)
		if got.Empty() || got.Len() > limit || got.Source() != text {
			t.Fatalf("%q in %d shows %q", text, limit, got.Shown())
		}
		first, _ := utf8.DecodeRuneInString(got.Shown())
		if shown := got.Shown(); !strings.HasPrefix(text, shown) && !strings.Contains(text, " "+shown) || first == ' ' {
			t.Fatalf("%q in %d shows %q, which begins within a word", text, limit, shown)
		}
	})
}
