package judge_test

import (
	"testing"

	"muniment/cite"
)

// What limits a statement to a case, a time or some of its things is left out by a claim that repeats the rest, whatever mark divides them. A clause of its
// own after the same mark leaves the statement as it is.
func TestLimitAfterMark(t *testing.T) {
	claims := []string{"The ferry crossed the sound.", "Members enter the reading room free of charge.", "Die Fähre überquerte den Sund.", "The pumps failed."}
	limits := [][]string{
		{"only in March", "but only at slack water", "except in winter", "if the wind allowed it", "never in winter", "not on Sundays", "unless it froze", "at least in summer"},
		{"only on Mondays", "students excepted", "not on Sundays", "provided they sign the book", "save on feast days", "unless a concert is given", "and only before noon"},
		{"nur im März", "aber nur bei Flut", "außer im Winter", "jedoch nicht sonntags", "sofern der Wind es erlaubte", "ausgenommen im Winter"},
		{"but only on the east side", "at least according to the foreman", "not all of them", "only two of them, though"},
	}
	follow := [][]string{
		{"the harbour master watched it from the quay", "nobody was aboard", "in March the bar silted up"},
		{"the library opens at nine", "the keys are kept by the porter"},
		{"der Lotse blieb an Land", "nur der Lotse blieb an Land"},
		{"the engineer was asleep", "only the engineer was awake"},
	}
	n, verified, lost := 0, 0, 0
	for i, claim := range claims {
		said := claim[:len(claim)-1]
		for _, mark := range []string{"; ", " – ", " — ", ", ", " - ", " "} {
			for _, limit := range limits[i] {
				text := said + mark + limit + ". The log was kept by hand."
				n++
				if j := judgeIn(t, text, said, claim); j.Verdict == cite.ClaimFollows {
					verified++
					t.Errorf("%s follows from %q", claim, text)
				}
			}
		}
		for _, own := range follow[i] {
			text := said + "; " + own + "."
			if j := judgeIn(t, text, said, claim); j.Verdict != cite.ClaimFollows {
				lost++
				t.Errorf("%s does not follow from %q: %s", claim, text, j.Reason)
			}
		}
	}
	t.Logf("limited: %d of %d verified; beside a clause of its own: %d lost", verified, n, lost)
}
