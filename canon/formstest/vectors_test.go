package formstest

import (
	"muniment/canon/read"
	"testing"
)

// A vector describes what becomes of its input, and a case that expects another
// outcome is an error.
func TestCase(t *testing.T) {
	v, err := NewCase("a.txt", "", "one\n\ntwo\n", Text).vector("one", read.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"name": "a.txt", "expect": Text, "p_count": "2", "payload": `"one\n\ntwo\n"`} {
		if got := v.Get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if v.Name != "one" || string(v.Body) != "one\n\ntwo\n" {
		t.Errorf("%s has the body %q", v.Name, v.Body)
	}
	if _, err := NewCase("a.txt", "", "x", Bytes).vector("two", read.NewRegistry()); err == nil {
		t.Error("bytes are expected of a text, and a vector is made")
	}
}
