package events_test

import (
	"slices"
	"testing"

	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/engine/events"
	"muniment/history"
)

// A place that is read writes itself in the same way.
func FuzzPlace(f *testing.F) {
	for _, s := range []string{"0.0.0.0", "7.120.3.1", "1.2.3", "+1.0.0.0", "1.2.3.4 ", "9223372036854775807.0.0.0", "9223372036854775808.0.0.0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := events.ParsePlace(s); err == nil && p.String() != s {
			t.Errorf("%q is written %q", s, p)
		}
	})
}

// Reading on from the place of any event gives the events that came after it when all were read from the beginning.
func TestAfter(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	seal := func() {
		t.Helper()
		if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
			t.Fatal(err)
		}
	}
	seal()
	for _, quote := range []string{"The mill wheel has stopped", "There is flour for nine days", "Nothing of the kind"} {
		if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "1931-03-14.txt", Quote: quote, Claim: quote}); err != nil {
			t.Fatal(err)
		}
	}
	seal()
	if _, err := history.Withdraw(a, history.WithdrawOptions{Artifacts: []string{"1931-03-14.txt"}, Reason: "test", Authority: "test"}); err != nil {
		t.Fatal(err)
	}
	seal()
	all, end, err := events.After(a, events.Place{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, e := range all {
		types = append(types, e.Type)
	}
	want := []string{events.Registered, events.Registered, events.Registered, events.Signed, events.Sealed, events.Sealed, events.Signed, events.Withdrawn, events.Signed}
	if !slices.Equal(types, want) {
		t.Errorf("what happened is %v, want %v", types, want)
	}
	if now, err := events.Now(a); err != nil || now != end {
		t.Errorf("the place of now is %v, want %v, %v", now, end, err)
	}
	var paged []events.Event
	for at, more := (events.Place{}), true; more; {
		page, next, err := events.After(a, at, 1)
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, page...)
		more, at = next != at, next
	}
	if len(paged) != len(all) {
		t.Errorf("one at a time come %d events, want %d", len(paged), len(all))
	}
	for i, e := range all {
		rest, _, err := events.After(a, e.Place, 100)
		if err != nil {
			t.Fatal(err)
		}
		if above := all[i+1:]; len(rest) < len(above) || !slices.Equal(rest[len(rest)-len(above):], above) {
			t.Errorf("after %s (%s) come %v, which do not end with %v", e.Place, e.Type, rest, above)
		}
		if e.Type == events.Signed && len(rest) != len(all)-i-1 {
			t.Errorf("after the snapshot %d come %d events, want %d", e.Seq, len(rest), len(all)-i-1)
		}
	}
}
