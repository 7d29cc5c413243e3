package examination_test

import (
	"testing"

	"muniment/answer"
	"muniment/audit/examination"
	"muniment/ledger"
)

// TestCharge charges words of papers that the text does not quote, once, and withholds words above the budget.
func TestCharge(t *testing.T) {
	a := newArchive(t)
	const text = "In her letter of 2 April 1931 Ada wrote: “Tobias Lunt repaired the mill dam.” She wrote in the same letter: “The rent is £40 a year.”"
	who := answer.BudgetOptions{Requestor: "ann"}
	ask := func(id string, all []answer.Excerpt) ([]bool, error) { return answer.ShowExcerpts(a, who, id, all) }
	spent := func() int {
		t.Helper()
		b, err := answer.Budget(a, who)
		if err != nil {
			t.Fatal(err)
		}
		return b.Spent
	}
	for k, id := range []string{"one", "two"} {
		r := examineText(t, a, text)
		if err := r.Charge(ask, id); err != nil {
			t.Fatal(err)
		}
		if want := len("Tobias Lunt repaired the mill wheel."); spent() != want {
			t.Errorf("call %d: %d code points are charged, want %d", k, spent(), want)
		}
		if len(r.Items) != 2 || r.Items[0].Found.Text == "" || r.Items[1].Found.Sentence != "" {
			t.Errorf("shown: %+v", r.Items)
		}
	}
	before := spent()
	r := examineText(t, a, "In her letter of 2 April 1931 Ada wrote: “The […] is £40 a year.”")
	if err := r.Charge(ask, "elided"); err != nil || r.Items[0].Verdict != examination.Scholarly || spent() == before {
		t.Errorf("words that an ellipsis replaces: %v, %s, %d code points are charged", err, r.Items[0].Verdict, spent()-before)
	}
	l, err := ledger.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	if last, err := l.LastShown(who.Requestor, false); err != nil || last.Answer != "elided" || last.Handle != "item" {
		t.Errorf("in the log: %+v, %v", last, err)
	}
	r = examineText(t, a, text)
	if err := r.Charge(func(_ string, all []answer.Excerpt) ([]bool, error) { return make([]bool, len(all)), nil }, "three"); err != nil {
		t.Fatal(err)
	}
	i := r.Items[0]
	if i.Verdict != examination.Altered || i.Found.Text+i.Found.Sentence+i.Suggestion != "" || len(i.Difference) > 0 || i.Claim != nil {
		t.Errorf("withheld: %+v, %+v", i, i.Found)
	}
}
