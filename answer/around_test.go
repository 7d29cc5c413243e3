package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// A paragraph that holds no word of the question is shown as nearest where the one before it does and it has a word for the same.
func TestNearestAround(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{
		"1840.txt": "The mill wheel stopped on Monday and no flour was to be had.\n\nTobias Lunt mended it for two guineas.\n",
		"1841.txt": "It rained all day in the valley.\n\nTobias Lunt mended it for a shilling.\n",
	})
	archivetest.Seal(t, a, s)
	r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, "Who repaired the mill wheel?")
	var shown []string
	for _, c := range r.Claims {
		shown = append(shown, c.Text)
	}
	all := strings.Join(shown, "\n")
	if !strings.Contains(all, "two guineas") || strings.Contains(all, "a shilling") {
		t.Errorf("%s: %q", r.Outcome, shown)
	}
}

// Up to six passages are shown where they are near the best one, three where they are not.
func TestNearestEquals(t *testing.T) {
	papers, clear := map[string]string{}, map[string]string{}
	for i, what := range []string{"stopped at noon", "creaked all night", "froze in January", "leaked after the flood", "sank a foot deeper", "burnt with the barn", "lost three paddles"} {
		papers[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("Aldham, %d May 1840\n\nDear Ann,\n\nThe mill wheel %s.\n\nYour brother,\nSamuel\n", i+1, what)
		clear[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("The wheel %s.\n", what)
	}
	for i := range 30 {
		papers[fmt.Sprintf("rain-%d.txt", i)] = fmt.Sprintf("It rained for %d days in the valley.\n", i+2)
	}
	clear["best.txt"] = "The mill wheel at Aldham was hung by masons.\n"
	for _, tt := range []struct {
		papers      map[string]string
		question    string
		least, most int
	}{{papers, "Who repaired the mill wheel?", 4, 6}, {clear, "Who repaired the mill wheel at Aldham?", 1, 3}} {
		a, s := archivetest.New(t, tt.papers)
		archivetest.Seal(t, a, s)
		r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, tt.question)
		if len(r.Claims) < tt.least || len(r.Claims) > tt.most {
			t.Errorf("%d claims, want %d to %d: %+v %+v", len(r.Claims), tt.least, tt.most, r.Claims, r.Refusal)
		}
	}
}
