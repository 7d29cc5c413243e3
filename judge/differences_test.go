package judge_test

import (
	"strings"
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestDifferences demands the reason that names what differs, and of an item of a list none that names its number.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		words, after, claim string
		verdict             cite.ClaimVerdict
		reason              string
	}{
		{"3. Carts must not stand in the lane.", "", "Carts must stand in the lane.", cite.ClaimContradicted, "“not”"},
		{"(b) The clerk has not paid the carter.", "", "The clerk has paid the carter.", cite.ClaimContradicted, "“not”"},
		{"2. The vestry resolved to shut the gate to cattle.", "", "The vestry resolved to shut the gate.", cite.ClaimNotShown, "the words add “to cattle”"},
		{"2. Bataillon zog über die Elbe und nach Prag.", "", "Bataillon zog nach Prag.", cite.ClaimNotShown, "the words add “2”"},
		{"Two thirds of the hay was lost.", "", "One third of the hay was lost.", cite.ClaimContradicted, "the words say “Two thirds”, the claim says “One third”"},
		{"Mr. Josiah Penn mended the clock.", "", "Mr. Edwin Hale mended the clock.", cite.ClaimNotShown, "the words say “Josiah Penn”, the claim says “Edwin Hale”"},
		{"Mr. Penn voted against the motion.", "", "Mr. Penn voted for the motion.", cite.ClaimNotShown, "the words say “against”, the claim says “for”"},
		{"It was agreed to spend no more than 60 pounds.", "", "It was agreed to spend 60 pounds.", cite.ClaimNotShown, "the words add “no more than”"},
		{"The wall was pulled down within a week of a false report.", "", "The wall was pulled down.", cite.ClaimNotShown, "the words add “within a week of a false report”"},
		{"Last night I dreamed that the tower had fallen.", " Correction: we wrote that Amos Reed had been fined.", "The tower had fallen.", cite.ClaimNotShown, "dreamed"},
	} {
		j := judge.Judge(c.claim, judge.Passage{Words: c.words, After: c.after})
		if j.Verdict != c.verdict || !strings.Contains(j.Reason, c.reason) {
			t.Errorf("%q of %q: %s, %s; want %s, %s", c.claim, c.words, j.Verdict, j.Reason, c.verdict, c.reason)
		}
	}
}
