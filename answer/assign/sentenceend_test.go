package assign

import (
	"testing"

	"muniment/answer/retrieve"
)

// What ends a sentence can be about all of it: then none of its clauses may be
// said alone.
func TestTailGovernsAll(t *testing.T) {
	cases := [][2]string{
		{"Emma married Tom and Clara married Fred in the play.", "Emma married Tom."},
		{"The judge freed Ernst and the jury hanged Georg, had the law been followed.", "The judge freed Ernst."},
		{"Jonas hid the gold and Simon hid the silver (this is slander).", "Jonas hid the gold."},
		{"Gerd hid the gold and Hanna hid the silver [satire].", "Gerd hid the gold."},
		{"Gustav robbed the bank and Hedwig stole the ring in the novel.", "Gustav robbed the bank."},
		{"Mia burned the church and Noah burned the school on stage.", "Mia burned the church."},
		{"Kuno poisoned the well and Lina drowned the child, invented the priest.", "Kuno poisoned the well."},
		{"Der Onkel starb 1890 und die Tante starb 1901, log der Sohn.", "Der Onkel starb 1890."},
		{"Udo verließ das Dorf und Vera verließ die Stadt, so hieß es.", "Udo verließ das Dorf."},
		{"Nele took the ring and Otmar took the chain, were the charge.", "Nele took the ring."},
		{"Edgar owned the inn and Flora owned the shop; the opposite is the case.", "Edgar owned the inn."},
	}
	for _, c := range cases {
		p := retrieve.Passage{Artifact: "a", Lang: "en", Text: c[0]}
		if s := newComparedSentence(c[1], c[0], &p, nil); s != nil && (s.repeats() || s.restates()) {
			t.Errorf("%q aligned with %q", c[1], c[0])
		}
	}
	if len(cases) != 11 {
		t.Fatalf("%d cases", len(cases))
	}
}
