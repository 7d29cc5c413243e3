package answer_test

import (
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/history"
)

// Beside a nearest passage stands what its paper says of it: an item of a list of untruths is not shown without that.
func TestNearestGoverned(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{
		"rumours.txt": "Lower Eaves, 3 May 1899\n\nThe following statements about the mill are false:\n\nThe miller Amos Birk drowned in the weir pond.\n\nThe miller's widow sold the wheel.\n",
		"plain.txt":   "Lower Eaves, 9 June 1899\n\nThe baker Enoch Pale limped home from the weir pond.\n",
		"other.txt":   "The herring boats came in at noon.\n"})
	archivetest.Seal(t, a, s, history.ConsentOptions{Reading: "excerpts"}) // for all but the archivist
	for i, want := range []string{"what is around these words says in what sense they hold", "“The following statements about the mill are false:”"} {
		r, err := answer.Ask(t.Context(), a, "Was it Amos Birk who drowned in the weir pond near the bridge?", answer.AskOptions{Signer: s, NoModel: true, Archivist: i == 1})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, c := range r.Claims {
			untrue := strings.Contains(c.Text, "Amos Birk")
			if untrue {
				seen++
			}
			if strings.Contains(strings.Join(c.Notes, "\n"), want) != untrue {
				t.Errorf("%s %q has the notes %q", c.Role, c.Text, c.Notes)
			}
		}
		if seen == 0 {
			t.Errorf("shown are %+v, refused %+v", r.Claims, r.Refusal)
		}
	}
}
