package judge

import "testing"

func TestWritersIn(t *testing.T) {
	for _, c := range []struct{ first, end, want string }{
		{"Recollections of Josef Uhl, set down in 1931", "It was long ago.\n", "Josef Uhl"},
		{"Diary of Magda Brenner", "It rained.\n", "Magda Brenner"},
		{"Dear Magda,", "I am well.\n\nYours ever,\nEdmund Fyfe\n\nP.S. It was his ankle.\n", ""},
		{"Dear Edmund,", "I am well.\n\nYours ever,\nMagda Brenner\n", "Magda Brenner"},
		{"2 May. Rain.", "Yours truly slept. Lisbon was far.\n", "Magda Brenner"},
		{"Dear Edmund,", "I am well.\n\nYour loving mother\n", "Magda Brenner"},
	} {
		got := ""
		if names := writersIn(c.first, c.end, []string{"Magda Brenner"}); len(names) > 0 {
			got = names[0]
		}
		if got != c.want {
			t.Errorf("%q … %q is of %q, want %q", c.first, c.end, got, c.want)
		}
	}
}
