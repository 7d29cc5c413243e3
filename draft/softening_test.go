package draft_test

import (
	"context"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/cite"
	"muniment/draft"
	"muniment/engine"
)

// A sentence that differs from the words cited in a small word is delivered by no shipped
// profile, softened or hedged, whatever repair does.
func TestSmallWordsAreNotSoftened(t *testing.T) {
	const wages, wheel, rad = "Halberd paid the wages in April.", "The mill wheel weighs 400 pounds.", "Der Müller reparierte das Rad im April."
	a, s := archivetest.New(t, map[string]string{"letter.txt": wheel + " " + wages + " Ruth Fenwick bought the house.\n", "brief.txt": rad + "\n"})
	archivetest.Seal(t, a, s)
	for _, c := range [][2]string{{"letter.txt", wheel}, {"letter.txt", wages}, {"letter.txt", "Ruth Fenwick bought the house."}, {"brief.txt", rad}} {
		if r, err := engine.Cite(a, engine.CiteOptions{Artifact: c[0], Quote: c[1], Claim: c[1]}); err != nil || r.ClaimVerdict != string(cite.ClaimFollows) {
			t.Fatalf("%q: %v", c[1], err)
		}
	}
	n := 0
	for _, c := range []struct{ mark, wrong string }{
		{"1", "The mill wheel weighs under 400 pounds."}, {"1", "The mill wheel weighs over 400 pounds."}, {"1", "The mill wheel weighs below 400 pounds."},
		{"2", "Halberd paid the wages until April."}, {"2", "Halberd paid the wages outside April."}, {"2", "Halberd paid for the wages in April."},
		{"2", "Halberd should have paid the wages in April."}, {"2", "Halberd will pay the wages in April."}, {"2", "Halberd had to pay the wages in April."},
		{"3", "Ruth Fenwick bought him the house."}, {"3", "Ruth Fenwick bought them out of the house."}, {"3", "Ruth Fenwick herself was the house."},
		{"4", "Der Müller reparierte das Rad vor April."}, {"4", "Der Müller reparierte das Rad bis April."}, {"4", "Den Müller reparierte das Rad im April."},
	} {
		lower := strings.ToLower(c.wrong[:1]) + c.wrong[1:]
		for _, sentence := range []string{c.wrong, "According to limited available reports, " + lower, "Perhaps " + lower, "Some sources suggest that " + lower} {
			for _, profile := range []string{"engine", "analyst-note", "educator", "persona-archive"} {
				r, err := draft.Check(context.Background(), engineOf(t, a), "# N\n\n"+sentence+" ["+c.mark+"]\n", draft.CheckOptions{Profile: profile})
				if err != nil {
					t.Fatal(err)
				}
				n++
				if r.Decision == "deliver" && strings.Contains(r.Text, c.wrong[3:]) {
					t.Errorf("%s delivers %q", profile, r.Text)
				}
			}
		}
	}
	t.Logf("%d drafts", n)
}
