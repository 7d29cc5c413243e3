package muniment

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	fixityType = "fixity check"
	fixityFile = "fixity.jsonl"
	fixityPass = "pass"

	// maxFixityLog bounds the log in bytes: a check every hour for a century.
	maxFixityLog = 512 << 20
)

// FixityEvents reads the log of checks, oldest first. Each line must be what
// this program writes for its event; a last line without its line feed was cut
// short by a crash and is left out.
func (a *Archive) FixityEvents() ([]FixityEvent, error) {
	path := filepath.Join(a.dir, LocalDir, fixityFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, environment(err, "fixity log")
	}
	events, err := parseFixityLog(data)
	if err != nil {
		return nil, problem(TypeDamaged, ExitEnvironment, "look at it, keep a copy, and move it away: the next check begins a new one", "%s: %w", path, err)
	}
	return events, nil
}

func parseFixityLog(data []byte) ([]FixityEvent, error) {
	if len(data) > maxFixityLog {
		return nil, fmt.Errorf("%d bytes, more than %d", len(data), maxFixityLog)
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
		again, err := e.encode()
		if err != nil || !bytes.Equal(again, line) || e.Type != fixityType {
			return nil, fmt.Errorf("line %d is not a fixity check as it is written here", n+1)
		}
		if _, err := time.Parse(time.RFC3339, e.DateTime); err != nil {
			return nil, fmt.Errorf("line %d: eventDateTime: %w", n+1, err)
		}
		events = append(events, e)
	}
	return events, nil
}

func (e FixityEvent) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return b.Bytes(), err
}

// noteFixity appends an event to the log and returns when it is on the disk.
func (a *Archive) noteFixity(e *FixityEvent, r *FixityResult, start time.Time) error {
	id, err := a.randomHex(16)
	if err != nil {
		return err
	}
	e.Identifier, e.DateTime, e.Agent = id, start.UTC().Format(time.RFC3339), a.world.Author
	if e.Agent == "" {
		e.Agent = "muniment"
	}
	e.Outcome = fixityPass
	if r.Failed+r.Absent > 0 {
		e.Outcome = "fail"
	}
	e.Note = fmt.Sprintf(fixityNote, r.Checked, r.OK, r.Failed, r.Absent, r.NotChecked)
	line, err := e.encode()
	if err != nil {
		return environment(err, "fixity log")
	}
	path, err := a.local(fixityFile)
	if err != nil {
		return err
	}
	if data, err := os.ReadFile(path); err == nil {
		if whole := bytes.LastIndexByte(data, '\n') + 1; whole < len(data) {
			if err := os.Truncate(path, int64(whole)); err != nil {
				return environment(err, "fixity log")
			}
		}
	}
	return environment(a.world.disk.Append(path, line, 0o600), "fixity log")
}

func (a *Archive) randomHex(n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(a.world.Rand, b); err != nil {
		return "", environment(err, "fixity")
	}
	return hex.EncodeToString(b), nil
}

// covers reports whether a place lies on the arc that was checked.
func (e FixityEvent) covers(place string) bool {
	for _, arc := range e.Arcs {
		switch {
		case arc.After < arc.Upto && arc.After < place && place <= arc.Upto,
			arc.After > arc.Upto && (place > arc.After || place <= arc.Upto):
			return true
		}
	}
	return e.Whole
}

// PREMIS writes events as a PREMIS 3 document.
func PREMIS(w io.Writer, events []FixityEvent) error {
	type identifier struct {
		Type  string `xml:"eventIdentifierType"`
		Value string `xml:"eventIdentifierValue"`
	}
	type agent struct {
		Type  string `xml:"linkingAgentIdentifierType"`
		Value string `xml:"linkingAgentIdentifierValue"`
	}
	type object struct {
		Type  string `xml:"linkingObjectIdentifierType"`
		Value string `xml:"linkingObjectIdentifierValue"`
	}
	type event struct {
		Identifier identifier `xml:"eventIdentifier"`
		Type       string     `xml:"eventType"`
		DateTime   string     `xml:"eventDateTime"`
		Outcome    string     `xml:"eventOutcomeInformation>eventOutcome"`
		Note       string     `xml:"eventOutcomeInformation>eventOutcomeDetail>eventOutcomeDetailNote"`
		Agent      agent      `xml:"linkingAgentIdentifier"`
		Object     object     `xml:"linkingObjectIdentifier"`
	}
	doc := struct {
		XMLName xml.Name `xml:"premis"`
		NS      string   `xml:"xmlns,attr"`
		Version string   `xml:"version,attr"`
		Events  []event  `xml:"event"`
	}{NS: "http://www.loc.gov/premis/v3", Version: "3.0"}
	for _, e := range events {
		doc.Events = append(doc.Events, event{identifier{"local", e.Identifier}, e.Type, e.DateTime, e.Outcome, e.Note,
			agent{"name", e.Agent}, object{"CID", e.Snapshot}})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
