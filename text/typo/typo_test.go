package typo

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"verify", "very", "Müller", "add", "Mühle"}
	for _, c := range []struct {
		typed   string
		letters int
		want    string
	}{
		{"verfiy", 2, "verify"}, {"VERIFY", 0, "verify"}, {"verfy", 2, "verify"}, {"Muller", 1, "Müller"}, {"mühel", 1, "Mühle"},
		{"ad", 1, "add"}, {"ad", 0, ""}, {"zzzz", 2, ""}, {"", 1, ""},
	} {
		if got := Nearest(c.typed, words, c.letters); got != c.want {
			t.Errorf("%q within %d: %q, want %q", c.typed, c.letters, got, c.want)
		}
	}
	if got := Nearest(string(make([]byte, 1<<16)), words, 2); got != "" {
		t.Errorf("a long word: %q", got)
	}
}
