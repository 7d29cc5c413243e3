package judge_test

import (
	"testing"

	"muniment/cite"
)

// What follows a claim restricts it where the claim tells what somebody wants, or how something was then.
func TestTrailOfContentsAndStates(t *testing.T) {
	for _, c := range []struct {
		text, claim string
		follows     bool
	}{
		{"I recommend that the bridge be closed to lorries until the hangers are replaced.", "I recommend that the bridge be closed to lorries.", false},
		{"We demand that the gates stay shut while trains are passing.", "We demand that the gates stay shut.", false},
		{"Wir verlangen, dass die Tore geschlossen bleiben, bis der Zug fort ist.", "Wir verlangen, dass die Tore geschlossen bleiben.", false},
		{"The station was lit in winter.", "The station was lit.", false},
		{"The station was lit in winter.", "The station was lit in winter.", true},
		{"We demand that the gates stay shut while trains are passing.", "We demand that the gates stay shut while trains are passing.", true},
		{"The mill burnt down in the winter of 1911.", "The mill burnt down.", true},
	} {
		j := judgeIn(t, c.text, c.text, c.claim)
		if got := j.Verdict == cite.ClaimFollows; got != c.follows {
			t.Errorf("%s => %s: %s (%s)", c.text, c.claim, j.Verdict, j.Reason)
		}
	}
}
