package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"muniment/archive/problem"
	"muniment/objects/disk"
	"time"
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

	// MaxFixityLog bounds the log in bytes: a check every day for a century.
	MaxFixityLog = 32 << 20
)

// FixityEvents reads the log of checks, oldest first. Each line must be what
// this program writes for its event; a last line without its line feed was cut
// short by a crash and is left out.
func (a *Repository) FixityEvents() ([]FixityEvent, error) {
	path := a.local(FixityFile)
	data, err := disk.ReadOwnPlain(path, MaxFixityLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, problem.Wrap(err, "fixity log")
	}
	events, err := ParseFixityLog(data)
	if err != nil {
		return nil, problem.New(problem.Damaged, problem.Advise("look at it, keep a copy, and move it away: the next check begins a new one"), "%s: %w", path, err)
	}
	return events, nil
}

// ParseFixityLog returns the events of a log, oldest first. Each line must be what
// Encode writes for its event; an unfinished last line is left out.
func ParseFixityLog(data []byte) ([]FixityEvent, error) {
	if len(data) > MaxFixityLog {
		return nil, fmt.Errorf("%d bytes, more than %d", len(data), MaxFixityLog)
	}
	var events []FixityEvent
	for n, line := range bytes.SplitAfter(data, []byte("\n")) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // the end, or a line that was cut short
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		var e FixityEvent
		if err := dec.Decode(&e); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		again, err := e.Encode()
		if err != nil || !bytes.Equal(again, line) || e.Type != FixityType {
			return nil, fmt.Errorf("line %d is not a fixity check as it is written here", n+1)
		}
		if _, err := time.Parse(time.RFC3339, e.DateTime); err != nil {
			return nil, fmt.Errorf("line %d: eventDateTime: %w", n+1, err)
		}
		events = append(events, e)
	}
	return events, nil
}

// Encode returns the event as a line of the log.
func (e FixityEvent) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return b.Bytes(), err
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
		return nil, problem.New(problem.Damaged, problem.Advise("look at it, keep a copy, and move it away: the next check begins a new one"), "the last note in the fixity log is %q", e.Note)
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
