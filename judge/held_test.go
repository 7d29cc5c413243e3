package judge_test

import (
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// TestFourthKinds counts the pairs of a fourth set, written from the description of the rules before its writer read them. Of four claims on one
// passage all are in one half. Bounds are of the half "held4".
func TestFourthKinds(t *testing.T) {
	countKinds(t, "dev4")
	held := countKinds(t, "held4")
	for kind, want := range map[string]struct{ all, leastFollow, mostFollow, leastContradicted, mostLikely int }{
		"verbatim": {27, 25, 27, 0, 0}, "scopekept": {8, 5, 8, 0, 0}, "scopeends": {6, 4, 6, 0, 0}, "scope": {17, 0, 0, 0, 0}, "restriction": {11, 0, 0, 0, 0},
		"changed": {20, 0, 0, 16, 0}, "negation": {11, 0, 0, 7, 1}, "roleswap": {11, 0, 0, 0, 3}, "converse": {2, 0, 0, 0, 0}, "added": {5, 0, 0, 0, 1}, "pronoun": {2, 0, 0, 0, 1},
		"computed": {7, 0, 4, 0, 2}, "paraphrase_true": {16, 0, 16, 0, 16}, "paraphrase_false": {5, 0, 0, 0, 1},
	} {
		k := held[kind]
		if k == nil || k.all != want.all || k.follow < want.leastFollow || k.follow > want.mostFollow || k.contradicted < want.leastContradicted || k.likely > want.mostLikely {
			t.Errorf("%s: %+v, want %+v", kind, k, want)
		}
	}
}

// firm are the kinds of false claims that no model's yes may verify: numbers, dates, names, negations, scope words, restrictions.
var firm = map[string]bool{"changed": true, "negation": true, "scope": true, "restriction": true}

// TestModels counts over all sets what the rules verify and contradict, and what a model could verify: one that says what the set says, and one that
// always says yes.
func TestModels(t *testing.T) {
	var sum struct{ truths, truthful, stopped, follow, falses, yes, contradicted, right int }
	for _, set := range []string{"dev", "held", "dev2", "held2", "dev3", "held3", "dev4", "held4"} {
		before, open := sum, map[string]int{}
		for _, p := range readSet(t, set) {
			j := judge.Judge(p.claim, p.words)
			yes := j.With(judge.Opinion{By: "model", Says: cite.ClaimFollows}).Verdict != cite.ClaimNotShown && j.Verdict != cite.ClaimContradicted
			if j.Verdict == cite.ClaimContradicted {
				if sum.contradicted++; p.truth == "contradicted" {
					sum.right++
				} else {
					t.Logf("%s is contradicted: %q (%s)", p.truth, p.claim, j.Reason)
				}
			}
			switch {
			case p.truth == "follows":
				if sum.truths++; yes {
					sum.truthful++
				}
				if j.Verdict == cite.ClaimContradicted {
					sum.stopped++
				}
			default:
				if sum.falses++; j.Verdict == cite.ClaimFollows {
					sum.follow++
				}
				if yes {
					open[p.kind]++
				}
				if yes && firm[p.kind] {
					sum.yes++
				}
			}
		}
		t.Logf("%-5s with a truthful model %d of %d true claims; of %d false ones %d follow; a yes verifies %v", set,
			sum.truthful-before.truthful, sum.truths-before.truths, sum.falses-before.falses, sum.follow-before.follow, open)
	}
	t.Logf("%+v", sum)
	if sum.truths != 700 || sum.falses != 850 || sum.truthful < 626 || sum.follow > 11 || sum.stopped > 0 || sum.yes > 67 || 100*sum.right < 95*sum.contradicted {
		t.Errorf("%+v", sum)
	}
}
