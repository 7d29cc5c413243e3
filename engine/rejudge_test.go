package engine_test

import (
	"testing"

	"muniment/archive/archivetest"
	cites "muniment/cite"
	"muniment/engine"
	"muniment/ledger"
)

// A citation whose claim earlier rules judged otherwise is listed, and no other.
func TestChangedVerdicts(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	first := cite(t, a, "Tobias Lunt repaired the mill wheel.").CitationID
	l, err := ledger.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	today, err := l.Get(first)
	if err != nil {
		t.Fatal(err)
	}
	if today.Verdict != cites.ClaimFollows {
		t.Fatalf("the claim is %s, want follows", today.Verdict)
	}
	older := today.Entry
	older.Verdict, older.Claim = cites.ClaimNotShown, "Tobias Lunt repaired the mill wheel."
	n, err := l.AddCitation(older)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	changed, err := e.Citations().ChangedVerdicts()
	if err != nil || len(changed) != 1 || changed[0].Ordinal != n || changed[0].Before != cites.ClaimNotShown || changed[0].Now != cites.ClaimFollows {
		t.Errorf("%+v, %v; want citation %d alone, not shown before and following now", changed, err, n)
	}
}
