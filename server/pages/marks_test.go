package pages

import (
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	for _, c := range []struct{ text, query, want string }{
		{"The King's shippes sailed; the ship sails again.", "ship sailing", "The King's shippes [sailed]; the [ship sails] again."},
		{"She was in the mill and in the town.", "who was in the mill?", "She was in the [mill] and in the town."},
		{"Die Mühlen standen still, die Mühle brannte.", "Mühle", "Die [Mühlen] standen still, die [Mühle] brannte."},
		{"In the shape of shipment.", "ship", "In the shape of shipment."},
		{"To be, or not to be", "to be", "[To be], or not [to be]"},
		{"nothing here", "", "nothing here"},
	} {
		var out strings.Builder
		for _, p := range marksOf(c.text, c.query) {
			if p.Marked {
				out.WriteString("[" + p.Text + "]")
			} else {
				out.WriteString(p.Text)
			}
		}
		if out.String() != c.want {
			t.Errorf("%q of %q: %q, want %q", c.query, c.text, out.String(), c.want)
		}
	}
}
