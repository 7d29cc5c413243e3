package audit

import (
	"cmp"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
)

// appendEvent completes an event with its identifier, time, agent and outcome and
// appends it to the fixity log. The line is durable when it returns.
func appendEvent(a *archive.Archive, e *archive.FixityEvent, r *FixityResult, start time.Time) error {
	id, err := randomHex(a, 16)
	if err != nil {
		return err
	}
	e.Identifier, e.DateTime, e.Agent = id, start.UTC().Format(time.RFC3339), a.World().Author
	e.Agent = cmp.Or(e.Agent, "muniment")
	e.Outcome = archive.FixityPass
	if r.Failed+r.Absent+r.Unreadable > 0 {
		e.Outcome = "fail"
	}
	e.Note = fmt.Sprintf(archive.FixityNote, r.Checked, r.OK, r.Failed, r.Absent, r.NotChecked)
	return a.AppendFixity(*e)
}

// randomHex returns n random bytes in hexadecimal digits.
func randomHex(a *archive.Archive, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(a.World().Rand, b); err != nil {
		return "", problem.Wrap(err, "fixity")
	}
	return hex.EncodeToString(b), nil
}

// WritePREMIS writes acts and checks as the events of a PREMIS 3 document.
func WritePREMIS(w io.Writer, acts []Act, checks []archive.FixityEvent) error {
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
	for _, e := range acts {
		doc.Events = append(doc.Events, event{identifier{"CID", e.Identifier}, e.Type, e.DateTime, e.Outcome, e.Note,
			agent{"name", e.Agent}, object{"CID", e.Artifact}})
	}
	for _, e := range checks {
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
