package certificate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/display"
	"muniment/custody"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// The sources of events, from the strongest to the weakest.
const (
	fromSnapshot = "signed snapshot %d"
	fromNotes    = "note of this copy, unsigned"
	fromNow      = "this certificate"
)

// events returns the events of an artifact, oldest first.
func (f *folder) events(art *holdings.Artifact) ([]Event, error) {
	var out []Event
	first := f.c.head
	for _, h := range art.Records {
		s, err := f.firstWith(layout.RecordPath(art.ID, h.ID))
		if err != nil {
			return nil, err
		}
		if s.Seq < first.Seq {
			first = s
		}
		e := Event{Time: h.Record.Time, What: "deposited as " + display.SafeLine(h.Label()), Who: display.SafeLine(h.Record.Agent), Source: fmt.Sprintf("record in "+fromSnapshot, s.Seq)}
		if src := h.Record.Source; src != nil && src.URL != "" {
			e.What += ", from " + display.SafeLine(src.URL)
		}
		if old := h.Record.Supersedes; old != "" {
			e.What = "its original was read again, in another form"
			if i := slices.IndexFunc(art.Records, func(o holdings.StoredRecord) bool { return o.ID.String() == old }); i >= 0 {
				e.What = "description corrected: " + correctedFields(art.Records[i], h)
			}
		}
		out = append(out, e)
	}
	changes, err := f.changes(art, first)
	if err != nil {
		return nil, err
	}
	out = append(out, changes...)
	notes, err := f.copyEvents(first)
	if err != nil {
		return nil, err
	}
	out = append(out, notes...)
	slices.SortStableFunc(out, func(x, y Event) int { return strings.Compare(x.Time, y.Time) })
	return append(out, Event{Time: f.c.Made, What: "read again from the disk: every byte has the hash above", Source: fromNow}), nil
}

// correctedFields names the fields that a record corrects, without their values.
func correctedFields(old, young holdings.StoredRecord) string {
	var names []string
	for _, c := range holdings.Corrections(old.Record, young.Record) {
		names = append(names, c.Field)
	}
	return cmp.Or(strings.Join(names, ", "), "no field that may be shown")
}

// firstWith returns the first snapshot that holds a file.
func (f *folder) firstWith(at string) (*snapshot.Snapshot, error) {
	for _, s := range f.c.history {
		_, held, err := f.a.Store().Lookup(s.Tree, at)
		if err != nil {
			return nil, problem.Wrap(err, at)
		}
		if held {
			return s, nil
		}
	}
	return nil, problem.New(problem.NotFound, problem.Next(problem.DoSnapshot), "no snapshot holds %s", at)
}

// changes returns the snapshots that changed how an artifact is held: that it was signed first, its
// consent, its withdrawal, and to a holder of the archive its hold.
func (f *folder) changes(art *holdings.Artifact, first *snapshot.Snapshot) ([]Event, error) {
	kinds := []struct{ at, came, went string }{
		{layout.ConsentPath(art.ID), "consent changed; its terms are restricted", "consent changed; its terms are restricted"},
		{layout.WithdrawnPath(art.ID), "withdrawn", "taken in again after a withdrawal"},
	}
	if f.o.View.SeesAll() {
		kinds = append(kinds, struct{ at, came, went string }{layout.HoldPath(art.ID), "held: it may not be withdrawn", "hold released"})
	}
	before := make([]objects.Hash, len(kinds))
	var out []Event
	for _, s := range f.c.history {
		if s.Seq < first.Seq {
			continue
		}
		at := s.Time.UTC().Format(time.RFC3339)
		source := fmt.Sprintf(fromSnapshot, s.Seq)
		if s.ID == first.ID {
			out = append(out, Event{Time: at, What: "signed for the first time, by " + s.Key.Fingerprint(), Who: display.SafeLine(s.Author.Name), Source: source})
		}
		for i, k := range kinds {
			h, held, err := f.a.Store().Lookup(s.Tree, k.at)
			if err != nil {
				return nil, problem.Wrap(err, k.at)
			}
			if h == before[i] {
				continue
			}
			before[i] = h
			what := k.came
			if !held {
				what = k.went
			}
			out = append(out, Event{Time: at, What: what, Source: source})
		}
	}
	if n := f.c.head.Seq - first.Seq; n > 0 {
		out = append(out, Event{Time: f.c.Snapshot.Time, What: fmt.Sprintf("in the newest snapshot, signed by %s", f.c.Snapshot.Signer), Source: fmt.Sprintf(fromSnapshot, f.c.head.Seq)})
	}
	return out, nil
}

// copyEvents returns the events that this copy noted since a snapshot: of each custodian the newest
// receipt, and the fixity checks.
func (f *folder) copyEvents(first *snapshot.Snapshot) ([]Event, error) {
	known := map[string]bool{}
	for _, s := range f.c.history {
		known[s.ID.String()] = s.Seq >= first.Seq
	}
	receipts, err := custody.Receipts(f.a, "")
	if err != nil {
		return nil, err
	}
	type seen struct {
		n    int
		last custody.Receipt
	}
	byRemote := map[string]seen{}
	for _, r := range receipts {
		if known[r.Snapshot] {
			byRemote[r.Remote] = seen{byRemote[r.Remote].n + 1, r}
		}
	}
	var out []Event
	for name, s := range byRemote {
		out = append(out, Event{Time: s.last.Time, What: fmt.Sprintf("the custodian's copy %s showed snapshot %d; the newest of %s", display.SafeLine(name), s.last.Seq, display.Count(s.n, "receipt")), Source: fromNotes})
	}
	slices.SortFunc(out, func(x, y Event) int { return strings.Compare(x.Time+x.What, y.Time+y.What) })
	events, err := f.a.FixityEvents()
	if err != nil {
		return nil, err
	}
	checks, last := 0, archive.FixityEvent{}
	for _, e := range events {
		if !known[e.Snapshot] {
			continue
		}
		checks, last = checks+1, e
		if e.Outcome != archive.FixityPass {
			out = append(out, Event{Time: e.DateTime, What: "a fixity check of the archive found damage, of this or another paper", Who: display.SafeLine(e.Agent), Source: fromNotes})
		}
	}
	if checks > 0 && last.Outcome == archive.FixityPass {
		extent := "a part of the archive"
		if last.Whole {
			extent = "the whole archive"
		}
		out = append(out, Event{Time: last.DateTime, What: fmt.Sprintf("a fixity check read %s and found no damage; the newest of %s", extent, display.Count(checks, "check")), Who: display.SafeLine(last.Agent), Source: fromNotes})
	}
	return out, nil
}

// limits returns sentences about everything that a certificate does not show.
func (f *folder) limits() []string {
	out := []string{
		"That what the papers say is true, that their writers are who they say, and that nothing like them was kept from the archive.",
		"The times above: each is what an archivist's computer said, unless a witness or a time-stamping authority is named for it.",
		"The countersignatures: they are named with their keys, and whose keys these are was not asked.",
		"The custodians: a receipt is this archive's own note of what another copy showed, without that custodian's signature.",
		"That the archive has shown one history to everybody: no log of its snapshots is kept by others.",
		"The law of any place: this page makes no legal claim, and a qualified person answers for what is declared below.",
	}
	if f.o.Trust.IsZero() {
		out = append(out, "Whose key signed: no trust file was given, so that keys are named and not judged.")
	} else if f.c.Verdict != bundle.Valid {
		out = append(out, "Whether the trust that was given settles whose key signed: the verdict is "+f.c.Verdict+".")
	}
	if len(f.c.Answers) > 0 {
		out = append(out, "For whom the answers were made: they are here as they were sealed, whoever this certificate is for.")
	}
	if f.c.Whole == nil {
		out = append(out, "The rest of the archive: the papers named here were read, not every other one; the keys of older snapshots are checked and not judged.")
	}
	for _, p := range f.c.Papers {
		if p.Withheld != "" {
			out = append(out, fmt.Sprintf("The words of paper %d: %s.", p.Number, p.Withheld))
		}
	}
	for _, a := range f.c.Answers {
		for _, x := range a.Axes {
			if x.Result == bundle.NotChecked {
				out = append(out, fmt.Sprintf("Of %s, %s: %s.", a.File, x.Name, x.Reason))
			}
		}
	}
	return out
}
