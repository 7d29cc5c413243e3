// Package dispute keeps two signed snapshots that disagree in one file that
// anybody can check, with this program or without it.
//
//	data, err := dispute.Encode(dispute.Evidence{Kind: "equivocation", …})
//	e, err := dispute.Parse(data)
//
// The file is a zip of stored members, in this order:
//
//	SHA256SUMS         of the others, as sha256sum writes it
//	evidence.json      canonical JSON: what was seen, where and when
//	ours.commit        the content of our snapshot's commit, as git stores it
//	ours.payload       the part of it that is signed
//	ours.sshsig        its signature, armored
//	theirs.commit      and the same of the other one
//	theirs.payload
//	theirs.sshsig
//
// Stock tools check it:
//
//	unzip -d evidence FILE; cd evidence
//	sha256sum -c SHA256SUMS
//	ssh-keygen -Y check-novalidate -n git -s ours.sshsig < ours.payload
//	ssh-keygen -Y check-novalidate -n git -s theirs.sshsig < theirs.payload
//
// What it proves follows from the two snapshots alone, and Parse computes it
// again: an equivocation is two payloads of one archive and one Seq by one key.
// A fork, an unrelated history and a rollback show two genuine heads. That a
// remote showed the second one, and at which time, is only claimed by whoever
// wrote the file. The file does not say whose keys have signed.
//
// Parse is strict: whatever it accepts Encode writes again byte for byte.
package dispute

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"muniment/jcs"
	"muniment/snapshot"
)

// Type is the type member of evidence.json.
const Type = "muniment/evidence/v1"

// MaxFile bounds a file: two commits with their parts, and room.
const MaxFile = 8 * snapshot.MaxContent

// Rollback is the kind of evidence that snapshot.Relation does not have: a remote
// showed a head older than ours.
const Rollback = "rollback"

// Evidence is two snapshots that disagree, and where and when the second was seen.
type Evidence struct {
	Kind   string    // fork, equivocation, unrelated or rollback
	Remote string    // the address at which the second was seen, without secrets
	Seen   time.Time // whole seconds, UTC
	Ours   *snapshot.Snapshot
	Theirs *snapshot.Snapshot
}

// note is the content of evidence.json.
type note struct {
	Type   string `json:"type"`
	Kind   string `json:"kind"`
	Remote string `json:"remote"`
	Seen   string `json:"seen"`
	Ours   head   `json:"ours"`
	Theirs head   `json:"theirs"`
}

// head identifies one of the snapshots in evidence.json.
type head struct {
	Archive  string `json:"archive"`
	Snapshot string `json:"snapshot"`
	Seq      int64  `json:"seq"`
	Key      string `json:"key"`
}

// headOf returns the description of a snapshot.
func headOf(s *snapshot.Snapshot) head {
	return head{s.Archive.String(), s.ID.String(), s.Seq, s.Key.Authorized()}
}

// check requires the two snapshots to show what the kind says.
func (e Evidence) check() error {
	if e.Ours == nil || e.Theirs == nil {
		return errors.New("evidence needs two snapshots")
	}
	one := e.Ours.Archive == e.Theirs.Archive
	same := bytes.Equal(e.Ours.Payload, e.Theirs.Payload)
	good := false
	switch e.Kind {
	case string(snapshot.Equivocation):
		good = one && !same && e.Ours.Seq == e.Theirs.Seq && e.Ours.Key.Point() == e.Theirs.Key.Point()
	case string(snapshot.Fork):
		good = one && !same
	case string(snapshot.Unrelated):
		good = !one
	case Rollback:
		good = one && !same && e.Theirs.Seq < e.Ours.Seq
	}
	if !good {
		return fmt.Errorf("snapshots %d and %d do not show %q", e.Ours.Seq, e.Theirs.Seq, e.Kind)
	}
	return nil
}

// A member is one file of the zip.
type member struct {
	name string
	data []byte
}

// Encode returns the file of e.
func Encode(e Evidence) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	text, err := jcs.Marshal(note{Type, e.Kind, e.Remote, e.Seen.UTC().Format(time.RFC3339), headOf(e.Ours), headOf(e.Theirs)})
	if err != nil {
		return nil, err
	}
	members := []member{
		{"evidence.json", text},
		{"ours.commit", e.Ours.Content}, {"ours.payload", e.Ours.Payload}, {"ours.sshsig", e.Ours.Armored},
		{"theirs.commit", e.Theirs.Content}, {"theirs.payload", e.Theirs.Payload}, {"theirs.sshsig", e.Theirs.Armored},
	}
	var sums []byte
	for _, m := range members {
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(m.data), m.name)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range append([]member{{"SHA256SUMS", sums}}, members...) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(m.data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Parse returns the evidence in a file. It verifies both signatures, and that the
// snapshots show the kind.
func Parse(data []byte) (Evidence, error) {
	if len(data) > MaxFile {
		return Evidence{}, fmt.Errorf("evidence of %d bytes, limit %d", len(data), MaxFile)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		if files[f.Name], err = readMember(f); err != nil {
			return Evidence{}, fmt.Errorf("evidence: %s: %w", f.Name, err)
		}
	}
	var n note
	if err := jcs.Unmarshal(files["evidence.json"], Type, &n); err != nil {
		return Evidence{}, fmt.Errorf("evidence.json: %w", err)
	}
	e := Evidence{Kind: n.Kind, Remote: n.Remote}
	if e.Seen, err = time.Parse(time.RFC3339, n.Seen); err != nil {
		return Evidence{}, fmt.Errorf("evidence.json: %w", err)
	}
	if e.Ours, err = snapshot.Parse(files["ours.commit"]); err != nil {
		return Evidence{}, fmt.Errorf("ours.commit: %w", err)
	}
	if e.Theirs, err = snapshot.Parse(files["theirs.commit"]); err != nil {
		return Evidence{}, fmt.Errorf("theirs.commit: %w", err)
	}
	again, err := Encode(e)
	if err != nil {
		return Evidence{}, err
	}
	if !bytes.Equal(again, data) {
		return Evidence{}, errors.New("evidence: it is not what its two commits and its note encode to")
	}
	return e, nil
}

// readMember returns the bytes of one file of the zip.
func readMember(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		err = errors.New("too large")
	}
	return data, err
}
