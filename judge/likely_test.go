package judge_test

import (
	"slices"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestLikely measures the hint on the sets: a claim that follows or is likely against one that is neither. macro-F1 is the mean of the F1 of both.
func TestLikely(t *testing.T) {
	for set, least := range map[string]float64{"held": .77, "held2": .84, "held3": .80} {
		var n [2][2]float64 // truth, hint
		swaps := 0
		for _, p := range readSet(t, set) {
			j := judge.Judge(p.claim, p.words)
			truth, hint := 0, 0
			if p.truth == "follows" {
				truth = 1
			}
			if j.Verdict == cite.ClaimFollows || j.IsLikely() {
				hint = 1
			}
			if n[truth][hint]++; p.kind == "roleswap" && hint == 1 {
				swaps++
			}
		}
		wrong := n[0][1] + n[1][0]
		f1 := (2*n[1][1]/(2*n[1][1]+wrong) + 2*n[0][0]/(2*n[0][0]+wrong)) / 2
		t.Logf("%s: macro-F1 %.3f, false ones likely %.0f of %.0f, true ones not %.0f of %.0f, swaps likely %d", set, f1, n[0][1], n[0][0]+n[0][1], n[1][0], n[1][0]+n[1][1], swaps)
		if f1 < least {
			t.Errorf("%s: macro-F1 %.3f, want %.2f", set, f1, least)
		}
	}
}

// TestReadsAlike judges claims that say the opposite, or the same, by a word, a number or a date that is written in another way. No opposite is likely.
func TestReadsAlike(t *testing.T) {
	for _, x := range []struct {
		words, claim string
		verdict      cite.ClaimVerdict
		missing      string
		opposite     bool
	}{
		{"The old mill on the river was opened to visitors.", "Visitors found the old mill on the river closed.", cite.ClaimNotShown, "found closed", true},
		{"The gate was locked at night by the porter.", "At night the porter unlocked the gate.", cite.ClaimNotShown, "unlocked", true},
		{"Die Brücke wurde im Mai vom Bürgermeister geöffnet.", "Im Mai wurde die Brücke vom Bürgermeister geschlossen.", cite.ClaimNotShown, "geschlossen", true},
		{"The town had 12 000 people in 1871.", "The town had 12,000 people in 1871.", cite.ClaimFollows, "", false},
		{"The town had 12 000 people in 1871.", "The town had 12 people in 1871.", cite.ClaimContradicted, "", false},
		{"The mill had 12\t345 sacks.", "The mill had 12345 sacks.", cite.ClaimNotShown, "12345", false},
		{"Of the 45 200 were lost.", "45200 were lost.", cite.ClaimNotShown, "45200", false},
		{"Im Jahr 12 300 Männer kamen.", "12300 Männer kamen.", cite.ClaimContradicted, "", false},
		{"Die Stadt hatte 1 200 000 Einwohner.", "Die Stadt hatte 1200000 Einwohner.", cite.ClaimFollows, "", false},
		{"In 1871 300 men came.", "In 1871 300 men came.", cite.ClaimFollows, "", false},
		{"Die Schule hat drei Klassen.", "Die Schule hat 3 Klassen.", cite.ClaimFollows, "", false},
		{"The school opened in October 1871.", "The school opened in october 1871.", cite.ClaimFollows, "", false},
		{"The school opened on 3 october 1871.", "The school opened on 3 November 1871.", cite.ClaimContradicted, "", false},
		{"das Tor wird geschlossen, wenn der Fluss steigt.", "Das Tor wird geschlossen.", cite.ClaimNotShown, "", false},
		{"The mill burned in May.", "As letter_04.pdf says, the mill burned in May.", cite.ClaimNotShown, "says", false},
	} {
		j := judge.Judge(x.claim, judge.Passage{Words: x.words})
		if opposite := slices.ContainsFunc(j.Findings, func(f judge.Finding) bool { return f.Test == judge.Opposite }); opposite != x.opposite || j.Verdict != x.verdict || strings.Join(j.Missing, " ") != x.missing || opposite && j.IsLikely() {
			t.Errorf("%q of %q: %s, missing %q, likely %v (%s)", x.claim, x.words, j.Verdict, j.Missing, j.IsLikely(), j.Reason)
		}
	}
}
