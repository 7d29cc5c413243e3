package muniment

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

// fixityNote is the note of an event. What writes it is read back with it.
const fixityNote = "%d checked, %d ok, %d failed, %d absent, %d not checked"

// LastFixity returns the newest check of the log, or nil when there was none.
func (a *Archive) LastFixity() (*LastFixity, error) {
	log, err := a.FixityEvents()
	if err != nil || len(log) == 0 {
		return nil, err
	}
	e := log[len(log)-1]
	l := &LastFixity{Time: e.DateTime, Outcome: e.Outcome, Snapshot: e.Snapshot, Whole: e.Whole}
	var ok int
	if _, err := fmt.Sscanf(e.Note, fixityNote, &l.Checked, &ok, &l.Failed, &l.Absent, &l.NotChecked); err != nil {
		return nil, problem(TypeDamaged, ExitEnvironment, "look at it, keep a copy, and move it away: the next check begins a new one", "the last note in the fixity log is %q", e.Note)
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

// fixityCheck is the line of Doctor on fixity.
func (a *Archive) fixityCheck() Check {
	c := Check{Name: "fixity", State: "ok"}
	last, err := a.LastFixity()
	switch {
	case err != nil:
		c.State, c.Detail, c.Fix = "failed", err.Error(), "move "+LocalDir+"/"+fixityFile+" away and keep it: the next check begins a new one"
	case last == nil:
		c.State, c.Detail, c.Fix = "absent", "no check was made here yet", "muniment fixity"
	default:
		c.Detail = last.String()
		at, err := time.Parse(time.RFC3339, last.Time)
		switch age := a.world.Now().Sub(at); {
		case last.Outcome != "pass":
			c.State, c.Fix = "failed", "muniment verify says which snapshots are touched; muniment repair --from REMOTE, then muniment fixity"
		case err != nil || age > FixityAge:
			c.State, c.Fix = "warning", fmt.Sprintf("muniment fixity: the last check is more than %d days old", int(FixityAge.Hours()/24))
		}
	}
	return c
}
