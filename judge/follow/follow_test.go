package follow_test

import (
	"fmt"
	"testing"

	"muniment/cite"
	"muniment/judge"
	"muniment/judge/follow"
)

// vetoCases hold for each test a claim that it stops over the words, and one that it lets through.
var vetoCases = []struct {
	test          follow.Test
	words         string
	stopped, free string
}{
	{follow.Number, "I sold nineteen hens at the fair.", "She sold nine hens at the fair.", "She sold 19 hens at the fair."},
	{follow.Number, "Twelve men and nine boys went down.", "Nine men went down.", "Twelve men went down."},
	{follow.Number, "Only three of the twelve men survived.", "Twelve men survived.", "Three of the twelve men survived."},
	{follow.Unit, "The judge sentenced the miller to six months.", "The judge sentenced the miller to six years.", "The miller was sentenced to six months."},
	{follow.Unit, "The mill cost £40.", "The mill cost $40.", "The mill cost forty pounds."},
	{follow.Date, "The bridge fell on 3 May.", "The bridge fell on 3 June.", "On 3 May the bridge fell."},
	{follow.Name, "Karl Weber bought the inn.", "Karl Huber bought the inn.", "Weber bought the inn."},
	{follow.Quantity, "The men were hanged at Lincoln.", "All the men were hanged at Lincoln.", "The men were hanged at Lincoln."},
	{follow.Quantity, "About forty houses burned.", "Forty houses burned.", "Nearly 40 houses burned."},
	{follow.Quantity, "The former president of the club died.", "The president of the club died.", "The former president of the club has died."},
	{follow.Negation, "The hens did not sell.", "The hens sell.", "The hens failed to sell."},
	{follow.Negation, "She did not sell the hens, but kept the mill.", "She sold the hens.", "She kept the mill."},
	{follow.Negation, "The clerk denied that he took the money.", "The clerk took the money.", "The clerk denied taking the money."},
	{follow.Modality, "The mill was to be sold in April.", "The mill was sold in April.", "The mill was to be sold in April."},
	{follow.Modality, "Perhaps the wire caused the fire.", "The wire caused the fire.", "The wire may have caused the fire."},
	{follow.Opposite, "Carl's boots are too small.", "Carl's boots were too large.", "Carl's boots are small."},
	{follow.Opposite, "Prices rose by twelve percent in October.", "Prices fell by twelve percent in October.", "In October prices rose by 12 per cent."},
	{follow.Number, "Output rose 2.9 percent in the fourth quarter of 2025.", "Output rose 3.9 percent in the fourth quarter of 2025.", "In the fourth quarter of 2025, output rose 2.9 percent."},
	{follow.Number, "Of the jurors, 9 of 12, or 75 percent, agreed.", "Of the jurors, 80 percent agreed.", "75 percent of the jurors agreed."},
	{follow.Hearsay, "The clerk maintained the sluice had been opened at night.", "The sluice had been opened at night.", "The clerk maintained that the sluice had been opened at night."},
	{follow.Unit, "The board decided to maintain the toll at 5 pence.", "The board kept the toll at 5 pounds.", "The board kept the toll at 5 pence."},
	{follow.Order, "Anna Reiss sold the inn to her brother Karl.", "Karl Reiss sold the inn to Anna.", "Anna Reiss sold the inn to Karl."},
	{follow.Order, "Karl hit Max with a stick.", "Max hit Karl with a stick.", "Max was hit by Karl with a stick."},
	{follow.Order, "He walked from Lyon to Vienne.", "He walked from Vienne to Lyon.", "He walked to Vienne from Lyon."},
	{follow.Order, "The treaty was signed by Austria in March and by Italy in April.", "Italy signed the treaty in March.", "Austria signed the treaty in March."},
	{follow.Hearsay, "It is said that the bridge fell.", "The bridge fell.", "The bridge is said to have fallen."},
	{follow.Condition, "The school closes unless the council pays.", "The school closes.", "The school closes unless the council pays."},
	{follow.Question, "Did the bridge fall on Monday?", "The bridge fell on Monday.", "Did the bridge fall on Monday?"},
}

// TestVetoes demands that each test fires on its case and is silent on the other.
func TestVetoes(t *testing.T) {
	for _, c := range vetoCases {
		if got := follow.Vetoes(c.stopped, follow.Passage{Words: c.words}); len(got) == 0 {
			t.Errorf("%q over %q: no veto, want %s", c.stopped, c.words, c.test)
		} else if !has(got, c.test) {
			t.Errorf("%q over %q: %v, want %s", c.stopped, c.words, got, c.test)
		}
		if got := follow.Vetoes(c.free, follow.Passage{Words: c.words}); len(got) > 0 {
			t.Errorf("%q over %q: %v, want none", c.free, c.words, got)
		}
	}
}

func has(findings []follow.Finding, test follow.Test) bool {
	for _, f := range findings {
		if f.Test == test {
			return true
		}
	}
	return false
}

// TestSurroundings demands that what stands around a quotation counts.
func TestSurroundings(t *testing.T) {
	for _, c := range []struct {
		claim string
		p     follow.Passage
		want  cite.ClaimVerdict
	}{
		{"The hens did sell.", follow.Passage{Before: "The hens did ", Words: "not sell", After: " at the fair."}, cite.ClaimContradicted},
		{"The mill burned.", follow.Passage{Before: "It is said that ", Words: "the mill burned", After: " in May."}, cite.ClaimNotShown},
		{"The mill burned.", follow.Passage{Before: "If ", Words: "the mill burned", After: ", we were ruined."}, cite.ClaimNotShown},
		{"The mill burned.", follow.Passage{Words: "The mill burned in May.", After: " We rebuilt it."}, cite.ClaimFollows},
		{"The moon is made of cheese.", follow.Passage{Words: "The mill burned in May."}, cite.ClaimNotShown},
		{"99% of all papers agree.", follow.Passage{Words: "42 of 60 papers agree."}, cite.ClaimContradicted},
		{"The mill burned.", follow.Passage{Words: "he mill burned", Before: "T"}, cite.ClaimNotShown},
		{"The mill burned.", follow.Passage{Before: "⟦struck: ", Words: "The mill burned.", After: "⟧ The mill stands."}, cite.ClaimNotShown},
		{"The mill stands.", follow.Passage{Before: "⟦struck: The mill burned.⟧ ", Words: "The mill stands."}, cite.ClaimFollows},
		{"The hens did sell.", follow.Passage{Words: "The hens did ⟦struck: not⟧ sell."}, cite.ClaimNotShown},
		{"The hens did sell at the fair.", follow.Passage{Before: "The hens did ⟦struck: not⟧ ", Words: "sell at the fair."}, cite.ClaimNotShown},
		{"dlos did snehs", follow.Passage{Before: "⟦reversed: ", Words: "dlos did snehs", After: "⟧"}, cite.ClaimNotShown},
	} {
		if got := judge.Judge(c.claim, c.p); got.Verdict != c.want {
			t.Errorf("%q over %+v: %+v, want %s", c.claim, c.p, got, c.want)
		}
	}
}

func Example() {
	j := judge.Judge("The miller sold nine hens.", follow.Passage{Words: "The miller sold nineteen hens at the fair."})
	fmt.Println(j.Verdict, j.Findings[0].Test, j.Findings[0].Claim, j.Findings[0].Words)
	fmt.Println(judge.Judge("The miller sold 19 hens.", follow.Passage{Words: "The miller sold nineteen hens at the fair."}).Verdict)
	// Output:
	// contradicted number nine nineteen
	// follows
}

// FuzzJudge demands that no text makes Judge panic, and that a sentence never contradicts itself by a number.
func FuzzJudge(f *testing.F) {
	for _, c := range vetoCases {
		f.Add(c.stopped, "", c.words, "")
		f.Add(c.free, "He wrote: ", c.words, " So it was.")
	}
	f.Fuzz(func(t *testing.T, claim, before, words, after string) {
		judge.Judge(claim, follow.Passage{Before: before, Words: words, After: after})
	})
}
