package ledger

import (
	"testing"

	"muniment/cid"
)

// testEvents reads what happened above marks: first verdicts and later ones, reviews, what was withheld, what was sealed.
func testEvents(t *testing.T, address string) {
	l := open(t, address)
	if m, err := l.Marks(); err != nil || m != (Marks{}) {
		t.Errorf("marks of an empty ledger are %+v, %v", m, err)
	}
	one, two := add(t, l, entry("It burned.")), add(t, l, entry("It stood."))
	before, err := l.Marks()
	if err != nil || before != (Marks{Verdicts: 2}) {
		t.Errorf("marks are %+v, %v", before, err)
	}
	if err := l.Attest(one, Attestation{Time: noon, Agent: "tester", Status: Failed}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.AddReview(reviewOf(two, "one")); err != nil {
		t.Fatal(err)
	}
	if err := l.AddShown(nil, []Risk{{Time: noon, Requestor: "token bob", Rule: "daily", Artifact: "a", CodePoints: 3}}, Cap{}); err != nil {
		t.Fatal(err)
	}
	rows := func(read func(int64, int) ([]Row, error), after int64, want ...Row) {
		t.Helper()
		all, err := read(after, 10)
		if err != nil || len(all) != len(want) {
			t.Fatalf("after %d come %+v, %v, want %+v", after, all, err, want)
		}
		for i, r := range all {
			if r.Time.IsZero() {
				t.Errorf("row %d has no time", r.ID)
			}
			r.Time = want[i].Time
			if r != want[i] {
				t.Errorf("after %d comes %+v, want %+v", after, r, want[i])
			}
		}
	}
	rows(l.VerdictsAfter, 1, Row{ID: 2, Citation: two, First: true, Word: "verified"}, Row{ID: 3, Citation: one, Word: "failed"})
	rows(l.VerdictsAfter, 3)
	rows(l.ReviewsAfter, before.Reviews, Row{ID: 1, Citation: two})
	rows(l.RisksAfter, before.Risks, Row{ID: 1, Word: "token bob"})
	if all, err := l.VerdictsAfter(0, 2); err != nil || len(all) != 2 {
		t.Errorf("a page of two is %+v, %v", all, err)
	}
	if m, err := l.Marks(); err != nil || m != (Marks{3, 1, 1}) {
		t.Errorf("marks are %+v, %v", m, err)
	}
	if sealed, err := l.SealedIn(cid.Of([]byte("none"))); err != nil || len(sealed) != 0 {
		t.Errorf("a snapshot that sealed nothing sealed %v, %v", sealed, err)
	}
}
