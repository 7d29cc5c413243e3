package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/archive/problem"
)

// A FixityEvent is one line of archive.local/fixity.jsonl: what was checked,
// when and by whom, under the names of PREMIS 3, and where on the ring of items
// it began and ended.
type FixityEvent struct {
	Identifier string `json:"eventIdentifier"` // 32 hexadecimal digits
	Type       string `json:"eventType"`       // "fixity check"
	DateTime   string `json:"eventDateTime"`   // RFC 3339, UTC: when the check began
	Outcome    string `json:"eventOutcome"`    // "pass" or "fail"
	Note       string `json:"eventOutcomeDetailNote"`
	Agent      string `json:"linkingAgentIdentifier"`
	Snapshot   string `json:"linkingObjectIdentifier"`

	Salt  string      `json:"salt"`  // 32 hexadecimal digits, the same in every event
	After string      `json:"after"` // the check began behind this place; "" at the first
	Upto  string      `json:"upto"`  // and ended at this one
	Whole bool        `json:"whole"` // every item was read
	Arcs  []FixityArc `json:"arcs"`  // where those that were read lie
}

// A FixityArc is a part of the ring: the places behind After, up to Upto.
type FixityArc struct {
	After string `json:"after"`
	Upto  string `json:"upto"`
}

const (
	FixityType = "fixity check"
	FixityFile = "fixity.jsonl"
	FixityPass = "pass"
)

// FixityEvents returns the events of the log of checks, oldest first. With an error of kind Damaged it returns
// those of the sound lines; a last line that a crash cut short is left out.
func (a *Repository) FixityEvents() ([]FixityEvent, error) {
	events, err := journal.ReadList(a.local(FixityFile), IsFixityLine)
	return events, DamagedList(err, "fixity log")
}

// AppendFixity adds an event to the log of checks and returns when it is on the disk.
func (a *Repository) AppendFixity(e FixityEvent) error {
	path, err := a.LocalPath(FixityFile)
	if err != nil {
		return err
	}
	return problem.Wrap(errors.Join(journal.AppendList(path, a.World().Disk, e), mark.Take(a.local())), "fixity log")
}

// DamagedList returns the error of reading a list of this copy; it is of kind Damaged where lines of the list
// are not as they were written.
func DamagedList(err error, name string) error {
	var damage *journal.DamagedError
	if errors.As(err, &damage) {
		return problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%w", err)
	}
	return problem.Wrap(err, name)
}

// IsFixityLine reports whether a line without a checksum, of a version that wrote none, is what that version wrote for
// an event.
func IsFixityLine(e FixityEvent, line []byte) bool {
	var again bytes.Buffer
	enc := json.NewEncoder(&again)
	enc.SetEscapeHTML(false)
	return enc.Encode(e) == nil && bytes.Equal(again.Bytes(), line) && e.Type == FixityType
}

// Covers reports whether the check read the item at a place of the ring.
func (e FixityEvent) Covers(place string) bool {
	for _, arc := range e.Arcs {
		switch {
		case arc.After < arc.Upto && arc.After < place && place <= arc.Upto,
			arc.After > arc.Upto && (place > arc.After || place <= arc.Upto):
			return true
		}
	}
	return e.Whole
}

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

// FixityNote is the format of an event's note, for writing and for reading it.
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
		return nil, problem.New(problem.Damaged, problem.Next(problem.DoRepair), "the last note in the fixity log is %q", e.Note)
	}
	return l, nil
}

// FixityCounts returns the counts of one check. Those of a note that is not of this
// program's form are 0.
func FixityCounts(e FixityEvent) LastFixity {
	l := LastFixity{Time: e.DateTime, Outcome: e.Outcome, Snapshot: e.Snapshot, Whole: e.Whole}
	var ok int
	if _, err := fmt.Sscanf(e.Note, FixityNote, &l.Checked, &ok, &l.Failed, &l.Absent, &l.NotChecked); err != nil {
		return LastFixity{}
	}
	return l
}

// String returns the check in one line.
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

// A CheckProblem is a finding of a verification: a path that does not verify.
type CheckProblem struct {
	Seq    int64  `json:"seq"`
	Path   string `json:"path"`
	State  string `json:"state"` // failed, absent or not checked
	Reason string `json:"reason"`
}
