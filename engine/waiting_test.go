package engine_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/ledger"
)

// waiting is how many citations the measurement below lets a snapshot bind, and the
// next one seal; internal/bench/ledger.sh sets it. The few of a usual run check the numbers.
var waiting = flag.Int("waiting", 1200, "measure snapshots of so many waiting citations")

// TestWaiting measures the snapshots that bind and seal many citations.
func TestWaiting(t *testing.T) {
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			a, s := archivetest.New(t, archivetest.Papers)
			if database == "postgres" {
				a = reopen(t, a.Dir(), startServer(t))
			}
			archivetest.Seal(t, a, s)
			first := cite(t, a, "Tobias Lunt repaired the mill wheel.")
			l, err := ledger.Of(a)
			if err != nil {
				t.Fatal(err)
			}
			pattern, err := l.Get(first.CitationID)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			entries := make([]ledger.Entry, *waiting)
			for i := range entries {
				entries[i] = pattern.Entry
				entries[i].Claim = fmt.Sprintf("Tobias Lunt repaired mill wheel %d.", i)
			}
			if _, err := l.AddCitation(entries...); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d citations registered in %s", database, *waiting, time.Since(start).Round(time.Millisecond))
			start = time.Now()
			r, err := engine.Snapshot(a, history.SnapshotOptions{Text: "binds", Signer: s})
			if err != nil || r.Bound+r.Sealed != *waiting+1 {
				t.Fatalf("%+v, %v", r, err)
			}
			t.Logf("%s: %d bound in %s", database, r.Bound, time.Since(start).Round(time.Millisecond))
			start = time.Now()
			if r, err = engine.Snapshot(a, history.SnapshotOptions{Text: "seals", Signer: s}); err != nil || r.Sealed != *waiting {
				t.Fatalf("%+v, %v", r, err)
			}
			t.Logf("%s: %d sealed in %s", database, r.Sealed, time.Since(start).Round(time.Millisecond))
		})
	}
}
