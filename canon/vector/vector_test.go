package vector_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/vector"
)

// A file that differs from what its input gives is found, in every part of it.
func TestCheckFinds(t *testing.T) {
	set := vector.Set{Dir: t.TempDir(), Registry: canon.NewRegistry(), Table: map[string]vector.Vector{
		"one": vector.New("a.txt", "", "one\n\ntwo\n", vector.Text),
	}}
	if wrong := set.Check(); len(wrong) != 1 {
		t.Errorf("an empty folder: %v", wrong)
	}
	if err := set.Write(); err != nil {
		t.Fatal(err)
	}
	if wrong := set.Check(); len(wrong) != 0 {
		t.Errorf("what was just written: %v", wrong)
	}
	path := filepath.Join(set.Dir, "one")
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"p_count: 2", "p_count: 3", "line 8 is"},
		{"name: a.txt", "name: b.txt", "not what the table makes"},
		{"expect: text", "expect: words", `expect: "words"`},
		{"\n\ntwo\n", "\n\ntoo\n", "not what the table makes"},
		{"unicode: ", "unicode ", "not a key and a value"},
		{"charset: utf-8 valid\n", "", "line 6 is"},
		{"\n\n", "\n", "line"},
	} {
		if err := os.WriteFile(path, []byte(strings.Replace(string(sound), c.old, c.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		wrong := set.Check()
		if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, wrong, c.want)
		}
	}
	set.Table["two"] = vector.New("a.txt", "", "x", vector.Bytes)
	if err := set.Write(); err == nil {
		t.Error("a table that expects bytes of a text is written")
	}
}
