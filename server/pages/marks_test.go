package pages

import (
	"strings"
	"testing"

	"muniment/server"
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

// A title is not printed again where the text begins with it.
func TestIsTitle(t *testing.T) {
	for text, want := range map[string]bool{"# The Mill\n": true, "The Mill\n": true, "The Mill\nby A. Lunt\n": false, "The Mill stopped.\n": false} {
		b := blocksOf(&server.Paper{Passages: []server.Paragraph{{Number: 1, Line: 1, Text: text}}}, "")[0]
		if b.isTitle("The Mill") != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
