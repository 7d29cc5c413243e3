package archive

import (
	"fmt"
	"time"
)

// A LastFixity is the newest fixity check that was made of this copy. Checked,
// Absent and NotChecked add up to the items of the snapshot it looked at.
type LastFixity struct {
	Time       string `json:"time"`    // when it began
	Outcome    string `json:"outcome"` // pass or fail
	Snapshot   string `json:"snapshot"`
	Checked    int    `json:"checked"`
	Failed     int    `json:"failed"`
	Absent     int    `json:"absent"`
	NotChecked int    `json:"not_checked"`
	Whole      bool   `json:"whole"` // every item was read
}

// FixityAge is how long a fixity check counts as recent: a quarter, the
// interval that keepers of digital records commonly choose.
const FixityAge = 90 * 24 * time.Hour

// FixityNote is the note of an event. What writes it is read back with it.
const FixityNote = "%d checked, %d ok, %d failed, %d absent, %d not checked"

// LastFixity returns the newest check of the log, or nil when there was none.
func (a *Repository) LastFixity() (*LastFixity, error) {
	log, err := a.FixityEvents()
	if err != nil || len(log) == 0 {
		return nil, err
	}
	e := log[len(log)-1]
	l := &LastFixity{Time: e.DateTime, Outcome: e.Outcome, Snapshot: e.Snapshot, Whole: e.Whole}
	var ok int
	if _, err := fmt.Sscanf(e.Note, FixityNote, &l.Checked, &ok, &l.Failed, &l.Absent, &l.NotChecked); err != nil {
		return nil, Problem(TypeDamaged, Advise("look at it, keep a copy, and move it away: the next check begins a new one"), "the last note in the fixity log is %q", e.Note)
	}
	return l, nil
}

// String says it in a line.
func (l *LastFixity) String() string {
	total := l.Checked + l.Absent + l.NotChecked
	share := 100.0
	if total > 0 {
		share = 100 * float64(l.Checked) / float64(total)
	}
	s := fmt.Sprintf("%s at %s, %d of %d items checked (%.3g %%)", l.Outcome, l.Time, l.Checked, total, share)
	if l.Failed+l.Absent > 0 {
		s += fmt.Sprintf(", %d failed, %d absent", l.Failed, l.Absent)
	}
	return s
}
