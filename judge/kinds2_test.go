package judge_test

import "testing"

// TestSecondKinds counts the pairs of a second set, which was written after the rules by somebody who had not seen them. Bounds are of the
// half "held2"; "scopekept" has claims that reword the whole, of which only those that repeat it can follow.
func TestSecondKinds(t *testing.T) {
	countKinds(t, "dev2")
	held := countKinds(t, "held2")
	for kind, want := range map[string]struct{ all, leastFollow, mostFollow, mostContradicted, mostLikely int }{
		"verbatim": {12, 12, 12, 0, 0}, "scopekept": {14, 7, 14, 0, 14}, "scopeends": {14, 14, 14, 0, 0}, "scope": {20, 0, 0, 0, 20}, "restriction": {16, 0, 0, 0, 16},
		"changed": {14, 0, 0, 14, 3}, "roleswap": {12, 0, 0, 0, 3}, "pronoun": {12, 0, 0, 0, 12}, "paraphrase_true": {14, 0, 14, 0, 14},
	} {
		k := held[kind]
		if k == nil || k.all != want.all || k.follow < want.leastFollow || k.follow > want.mostFollow || k.contradicted > want.mostContradicted || k.likely > want.mostLikely {
			t.Errorf("%s: %+v, want %+v", kind, k, want)
		}
	}
}
