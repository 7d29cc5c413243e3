package judge_test

import (
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// TestSecondKinds counts the pairs of a second set, which was written after the rules by somebody who had not seen them. Bounds are of the
// half "held2". Some claims of the kind "scopekept" reword the passage; only those that repeat it can follow.
func TestSecondKinds(t *testing.T) {
	countKinds(t, "dev2")
	held := countKinds(t, "held2")
	for kind, want := range map[string]struct{ all, leastFollow, mostFollow, mostContradicted, mostLikely int }{
		"verbatim": {12, 12, 12, 0, 0}, "scopekept": {14, 7, 14, 0, 14}, "scopeends": {14, 14, 14, 0, 0}, "scope": {20, 0, 0, 0, 20}, "restriction": {16, 0, 0, 0, 16},
		"changed": {14, 0, 0, 14, 0}, "roleswap": {12, 0, 0, 0, 2}, "pronoun": {12, 0, 0, 0, 12}, "paraphrase_true": {14, 0, 14, 0, 14},
	} {
		k := held[kind]
		if k == nil || k.all != want.all || k.follow < want.leastFollow || k.follow > want.mostFollow || k.contradicted > want.mostContradicted || k.likely > want.mostLikely {
			t.Errorf("%s: %+v, want %+v", kind, k, want)
		}
	}
}

// A month that ends a sentence is no date together with the number that begins the next one, and a reason names words that are there.
func TestMonthEndsSentence(t *testing.T) {
	text := "All cars were inspected in June. Three cars failed. The rails at Mill Brae are worn."
	doc := canon.NewDocument(canon.Text([]byte(text)))
	words := "All cars were inspected in June."
	span, err := cite.SpanAt(doc, 0, len(words))
	if err != nil {
		t.Fatal(err)
	}
	p, err := judge.At(doc, span, judge.Paper{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if j := judge.Judge("All cars were inspected in July.", p); j.Reason != "the words say “june”, the claim says “July”" {
		t.Errorf("another month: %q", j.Reason)
	}
	if j := judge.Judge("Some cars were inspected in June.", p); len(j.Missing) > 0 {
		t.Errorf("the month is there, and %q is missing", j.Missing)
	}
}

// TestThirdKinds counts the pairs of a third set, half of them German, likewise written by somebody who had not seen the rules. Bounds are of the half "held3".
func TestThirdKinds(t *testing.T) {
	countKinds(t, "dev3")
	held := countKinds(t, "held3")
	for kind, want := range map[string]struct{ all, leastFollow, mostFollow, mostContradicted, mostLikely int }{
		"verbatim": {32, 30, 32, 0, 0}, "scopekept": {16, 16, 16, 0, 0}, "scopeends": {16, 13, 16, 0, 0}, "scope": {40, 0, 3, 0, 2}, "restriction": {40, 0, 2, 0, 2},
		"changed": {32, 0, 0, 32, 0}, "roleswap": {8, 0, 0, 0, 1}, "computed": {20, 7, 20, 0, 20}, "paraphrase_true": {32, 0, 32, 0, 32}, "paraphrase_false": {8, 0, 0, 0, 3},
	} {
		k := held[kind]
		if k == nil || k.all != want.all || k.follow < want.leastFollow || k.follow > want.mostFollow || k.contradicted > want.mostContradicted || k.likely > want.mostLikely {
			t.Errorf("%s: %+v, want %+v", kind, k, want)
		}
	}
}
