// Package events reads what happened in an archive, for programs that follow it: citations that were registered,
// judged, reviewed and sealed, papers that were withdrawn, snapshots that were signed, answers from which a budget
// withheld words. Nothing is written for it: the tables of the ledger and the history of snapshots are append-only,
// so an event is a row or a snapshot above a Place, and the Place that a reader has seen last is all that it keeps.
// Events of one type come in their order; those of one reading come verdicts first and snapshots last. A reader that
// goes on from a Place gets every event above it, those of the snapshot under way a second time.
// Who may see an event is decided by who asks: here is everything.
package events

import (
	"fmt"
	"slices"
	"time"

	"muniment/archive"
	"muniment/cid"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot"
)

// The types of events.
const (
	Registered = "citation_registered" // with its first verdict
	Judged     = "citation_judged"     // a later verdict
	Reviewed   = "citation_reviewed"   // a person judged it
	Sealed     = "citation_sealed"     // a signed snapshot holds it
	Withdrawn  = "artifact_withdrawn"  // by a signed snapshot
	Signed     = "snapshot_signed"
	Withheld   = "words_withheld" // from an answer, by the budget of its reader
)

// Types are the types of events, in the order of one reading.
var Types = []string{Registered, Judged, Reviewed, Withheld, Sealed, Withdrawn, Signed}

// A Place is how far somebody has read: the number of the newest snapshot, and the numbers of the newest rows.
type Place struct {
	Seq int64
	ledger.Marks
}

// String returns the place as ParsePlace reads it: four numbers with points between them.
func (p Place) String() string {
	return fmt.Sprintf("%d.%d.%d.%d", p.Seq, p.Verdicts, p.Reviews, p.Risks)
}

// ParsePlace reads a place that String wrote.
func ParsePlace(s string) (p Place, err error) {
	_, err = fmt.Sscanf(s, "%d.%d.%d.%d", &p.Seq, &p.Verdicts, &p.Reviews, &p.Risks)
	if err != nil || p.String() != s || min(p.Seq, p.Verdicts, p.Reviews, p.Risks) < 0 {
		return Place{}, fmt.Errorf("%q is no place in the events", s)
	}
	return p, nil
}

// Now returns the place of now: above it is only what is still to come.
func Now(a *archive.Archive) (p Place, err error) {
	l, err := ledger.Of(a)
	if err != nil {
		return p, err
	}
	head, _, err := a.Head()
	if err != nil {
		return p, err
	}
	if head != nil {
		p.Seq = head.Seq
	}
	p.Marks, err = l.Marks()
	return p, err
}

// An Event is something that happened. Of Citation, Artifact, Snapshot and Principal those are set that it is about.
type Event struct {
	Type      string `json:"type" enum:"citation_registered,citation_judged,citation_reviewed,words_withheld,citation_sealed,artifact_withdrawn,snapshot_signed" doc:"what happened"`
	Time      string `json:"time" format:"date-time" doc:"when, by the clock of who wrote it"`
	Citation  int64  `json:"citation_id,omitempty" doc:"number of the citation"`
	Status    string `json:"verification_status,omitempty" enum:"verified,failed,pending,unverified" doc:"of the citation by this verdict"`
	Artifact  string `json:"artifact,omitempty" doc:"id of the artifact that was withdrawn"`
	Snapshot  string `json:"snapshot,omitempty" doc:"id of the snapshot"`
	Seq       int64  `json:"seq,omitempty" doc:"number of the snapshot"`
	Principal string `json:"principal,omitempty" doc:"whose budget it was"`

	Place Place `json:"-"` // after the event
	row   int64 // its number in its table; 0 of a snapshot's
}

// Key returns a name of the event that no other one of the archive has, wherever it was read from.
func (e *Event) Key() string {
	return fmt.Sprintf("%s-%d-%d%s", e.Type, e.row+e.Seq, e.Citation, e.Artifact)
}

// Pass moves a place that counts only some events past one of them, and leaves what it says of the other tables.
func (p *Place) Pass(e *Event) {
	switch e.Type {
	case Registered, Judged:
		p.Verdicts = e.Place.Verdicts
	case Reviewed:
		p.Reviews = e.Place.Reviews
	case Withheld:
		p.Risks = e.Place.Risks
	default:
		p.Seq = e.Place.Seq
	}
}

// After returns the events above a place, and the place after them: at most limit of each table, and those of
// snapshots up to the one that passes limit.
func After(a *archive.Archive, p Place, limit int) ([]Event, Place, error) {
	l, err := ledger.Of(a)
	if err != nil {
		return nil, p, err
	}
	var all []Event
	for _, table := range []struct {
		read func(after int64, limit int) ([]ledger.Row, error)
		mark *int64
	}{{l.VerdictsAfter, &p.Verdicts}, {l.ReviewsAfter, &p.Reviews}, {l.RisksAfter, &p.Risks}} {
		rows, err := table.read(*table.mark, limit)
		if err != nil {
			return nil, p, err
		}
		for _, r := range rows {
			*table.mark = r.ID
			e := Event{Time: r.Time.UTC().Format(time.RFC3339), Citation: r.Citation, row: r.ID}
			switch {
			case table.mark == &p.Risks:
				e.Type, e.Principal = Withheld, r.Word
			case table.mark == &p.Reviews:
				e.Type = Reviewed
			case r.First:
				e.Type, e.Status = Registered, r.Word
			default:
				e.Type, e.Status = Judged, r.Word
			}
			e.Place = p
			all = append(all, e)
		}
	}
	signed, err := snapshotsAfter(a, l, &p, limit)
	return append(all, signed...), p, err
}

// snapshotsAfter returns the events of the snapshots above a place until there are limit of them, and moves the place past them.
func snapshotsAfter(a *archive.Archive, l *ledger.Ledger, p *Place, limit int) ([]Event, error) {
	head, tip, err := a.Head()
	if err != nil || head == nil || head.Seq <= p.Seq {
		return nil, err
	}
	history, err := a.History(tip)
	if err != nil {
		return nil, err
	}
	slices.Reverse(history)
	var all []Event
	var before objects.Hash // the tree of the snapshot before
	for _, s := range history {
		if len(all) >= limit {
			break
		}
		if s.Seq > p.Seq {
			of, err := ofSnapshot(a, l, s, before)
			if err != nil {
				return nil, err
			}
			for i := range of {
				if of[i].Type == Signed {
					p.Seq = s.Seq
				}
				of[i].Place = *p
			}
			all = append(all, of...)
		}
		before = s.Tree
	}
	return all, nil
}

// ofSnapshot returns the events of one snapshot, whose own comes last.
func ofSnapshot(a *archive.Archive, l *ledger.Ledger, s *snapshot.Snapshot, before objects.Hash) ([]Event, error) {
	event := Event{Time: s.Time.UTC().Format(time.RFC3339), Snapshot: s.ID.String(), Seq: s.Seq}
	var all []Event
	sealed, err := l.SealedIn(s.ID)
	if err != nil {
		return nil, err
	}
	for _, n := range sealed {
		e := event
		e.Type, e.Citation = Sealed, n
		all = append(all, e)
	}
	withdrawn, err := a.Catalog(s.Tree).Withdrawn()
	if err != nil {
		return nil, err
	}
	known := map[cid.ID]bool{}
	if len(withdrawn) > 0 && !before.IsZero() {
		old, err := a.Catalog(before).Withdrawn()
		if err != nil {
			return nil, err
		}
		for _, art := range old {
			known[art.ID] = true
		}
	}
	for _, art := range withdrawn {
		if known[art.ID] {
			continue
		}
		e := event
		e.Type, e.Artifact = Withdrawn, art.ID.String()
		all = append(all, e)
	}
	event.Type = Signed
	return append(all, event), nil
}
