package server

import (
	"testing"

	"muniment/policy"
	"muniment/snapshot/access"
)

// TestPseudonymPlaces holds that a mark of a citation covers the same words after names are
// replaced, and that a query with a hidden name is told nothing.
func TestPseudonymPlaces(t *testing.T) {
	files, err := policy.DefaultFiles(policy.Defaults{Persons: []access.Person{{Name: "Ivy Brigg", State: access.PersonAnonymized}}})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	words := "On Sünday Ivy Brigg came, and Ivy sold the boat."
	shown, hidden := veil(rules, words, nil)
	if want := "On Sünday [Person A] came, and [Person A] sold the boat."; shown != want || len(hidden) != 2 {
		t.Fatalf("%q with %d names, want %q", shown, len(hidden), want)
	}
	own, runes := []rune(words), []rune(shown)
	for _, phrase := range []string{"On", "came", "sold the boat."} {
		at := indexOf(own, phrase)
		from, to := Shift(hidden, at), Shift(hidden, at+len([]rune(phrase)))
		if got := string(runes[from:to]); got != phrase {
			t.Errorf("%q is at %q", phrase, got)
		}
	}
	for query, want := range map[string]bool{"brigg": true, "Who is Ivy?": true, "the boat": false, "Bri": true, "": false} {
		if got := asksFor(query, hidden); got != want {
			t.Errorf("%q asks for a hidden name: %v", query, got)
		}
	}
	for words, want := range map[string]string{"a line": "1 line withheld: a protected person", "two\nlines\n": "2 lines withheld: a protected person"} {
		if got := withheldLines(words); got != want {
			t.Errorf("%q: %q", words, got)
		}
	}
}

func indexOf(text []rune, phrase string) int {
	for i := range text {
		if n := len([]rune(phrase)); i+n <= len(text) && string(text[i:i+n]) == phrase {
			return i
		}
	}
	return -1
}
