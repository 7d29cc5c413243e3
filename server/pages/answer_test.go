package pages

import (
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/server"
)

// An answer's page says of the question what the answer is to it, opens the context of the words in
// place, and speaks of the budget only where little is left.
func TestAnswerPage(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	for _, c := range []struct {
		question   string
		want, lack []string
	}{
		{"Who repaired the mill wheel?", []string{`s-verified">Answers it<`, "<summary>In its context</summary>", "<mark>Tobias Lunt repaired the mill wheel.</mark> He would take no money", "copycite"}, []string{"Nearest", "Removed topics", "Not answered", `class="budget"`}},
		{"Who was afraid of the lantern in the chapel?", []string{`s-warning">Nearest; nobody has checked that it answers<`}, []string{"Answers it", "Removed topics", `class="budget"`}},
		{"What does the xylophone quartet charge for zeppelins?", []string{`s-failed">Nothing here says it<`}, []string{"Answers it", `class="budget"`}},
	} {
		path := h.ask(t, c.question)
		_, page := h.get(t, path)
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", c.question, want, page)
			}
		}
		for _, lack := range c.lack {
			if strings.Contains(page, lack) {
				t.Errorf("%s: has %q", c.question, lack)
			}
		}
		if _, twin := h.get(t, path+".json"); !strings.Contains(twin, `"says":"`) {
			t.Errorf("%s: the twin does not say what the answer is: %s", c.question, twin)
		}
	}
}
