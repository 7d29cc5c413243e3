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
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"muniment/cid/jcs"
	"muniment/snapshot"
)

// Type is the type member of evidence.json.
const Type = "muniment/evidence/v1"

// MaxFile bounds a file: two commits with their parts, and room.
const MaxFile = 8 * snapshot.MaxContent

// The kinds of evidence.
const (
	Equivocation = string(snapshot.Equivocation) // one key signed two snapshots of one number
	Fork         = string(snapshot.Fork)         // two snapshots of one archive, neither an ancestor as far as was seen
	Unrelated    = string(snapshot.Unrelated)    // snapshots of two archives
	Rollback     = "rollback"                    // a remote showed a head older than ours
)

// Evidence is two snapshots that disagree, and where and when the second was seen.
type Evidence struct {
	Kind   string    // fork, equivocation, unrelated or rollback
	Remote string    // the address at which the second was seen, without secrets
	Seen   time.Time // whole seconds, UTC
	Ours   *snapshot.Snapshot
	Theirs *snapshot.Snapshot

	// Newer is not nil where a newer program wrote the file or made one of the snapshots:
	// what the two show is then not known here.
	Newer *jcs.NewerError
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

// ErrShowsNothing is the error of evidence in the right form whose two snapshots
// do not disagree in the way that its kind says.
var ErrShowsNothing = errors.New("the evidence shows nothing")

// check requires the two snapshots to show what the kind says.
func (e Evidence) check() error {
	if e.Ours == nil || e.Theirs == nil {
		return errors.New("evidence needs two snapshots")
	}
	nothing := func(format string, args ...any) error {
		return fmt.Errorf("%w: as %q, %s", ErrShowsNothing, e.Kind, fmt.Sprintf(format, args...))
	}
	one := e.Ours.Archive == e.Theirs.Archive
	switch {
	case e.Kind != Unrelated && !one:
		return nothing("the snapshots are of two archives")
	case e.Kind != Unrelated && bytes.Equal(e.Ours.Payload, e.Theirs.Payload):
		return nothing("both payloads are the same: one snapshot, perhaps signed twice")
	}
	switch e.Kind {
	default:
		return nothing("which is no kind of evidence")
	case Equivocation:
		if e.Ours.Seq != e.Theirs.Seq {
			return nothing("the snapshots are those of numbers %d and %d", e.Ours.Seq, e.Theirs.Seq)
		}
		if e.Ours.Key.Point() != e.Theirs.Key.Point() {
			return nothing("two keys have signed, %s and %s", e.Ours.Key.Fingerprint(), e.Theirs.Key.Fingerprint())
		}
	case Fork:
	case Unrelated:
		if one {
			return nothing("both snapshots are of one archive")
		}
	case Rollback:
		if e.Theirs.Seq >= e.Ours.Seq {
			return nothing("snapshot %d is not older than snapshot %d", e.Theirs.Seq, e.Ours.Seq)
		}
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
	return e.encode()
}

// encode returns the file of two snapshots, whatever they show.
func (e Evidence) encode() ([]byte, error) {
	text, err := jcs.Marshal(e.note())
	if err != nil {
		return nil, err
	}
	return e.encodeWith(text)
}

// note returns the content of evidence.json for two snapshots.
func (e Evidence) note() note {
	return note{Type, e.Kind, e.Remote, e.Seen.UTC().Format(time.RFC3339), headOf(e.Ours), headOf(e.Theirs)}
}

// encodeWith returns the file of two snapshots with the given evidence.json.
func (e Evidence) encodeWith(text []byte) ([]byte, error) {
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

// begin is the first bytes of every evidence file, and of no bundle: the local header of SHA256SUMS
// as archive/zip writes it, with sizes after the content.
const begin = "PK\x03\x04\x14\x00\x08\x00" + "\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" + "\x0a\x00\x00\x00SHA256SUMS"

// Is reports whether data begins as evidence does.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(begin)) }

// Parse returns the evidence in a file. It verifies both signatures, and that the
// snapshots show the kind; where they do not, the error is ErrShowsNothing.
func Parse(data []byte) (Evidence, error) {
	if len(data) > MaxFile {
		return Evidence{}, fmt.Errorf("evidence of %d bytes, limit %d", len(data), MaxFile)
	}
	files, err := readMembers(data)
	if err != nil {
		return Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	var n note
	var newer *jcs.NewerError
	if err = jcs.Unmarshal(files["evidence.json"], Type, &n); errors.As(err, &newer) {
		if err = jcs.Check(files["evidence.json"], newer.Type, jcs.MaxObject); err == nil {
			err = json.Unmarshal(files["evidence.json"], &n) // every version has these members
		}
	}
	if err != nil {
		return Evidence{}, fmt.Errorf("evidence.json: %w", err)
	}
	e := Evidence{Kind: n.Kind, Remote: n.Remote, Newer: newer}
	if e.Seen, err = time.Parse(time.RFC3339, n.Seen); err != nil {
		return Evidence{}, fmt.Errorf("evidence.json: %w", err)
	}
	if e.Ours, err = snapshot.Parse(files["ours.commit"]); err != nil {
		return Evidence{}, fmt.Errorf("ours.commit: %w", err)
	}
	if e.Theirs, err = snapshot.Parse(files["theirs.commit"]); err != nil {
		return Evidence{}, fmt.Errorf("theirs.commit: %w", err)
	}
	if n.Type = Type; n != e.note() {
		return Evidence{}, errors.New("evidence.json: it is not of the two commits")
	}
	again, err := e.encodeWith(files["evidence.json"])
	if err != nil {
		return Evidence{}, err
	}
	if !bytes.Equal(again, data) {
		return Evidence{}, errors.New("evidence: it is not what its two commits and its note encode to")
	}
	if e.Newer = cmp.Or(e.Newer, e.Ours.Newer, e.Theirs.Newer); e.Newer != nil {
		return e, nil
	}
	if err := e.check(); err != nil {
		return Evidence{}, err
	}
	return e, nil
}

// members is the number of files in the zip.
const members = 8

// readMembers returns the files of the zip. They are stored, so that together they
// are not larger than data.
func readMembers(data []byte) (map[string][]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(z.File) != members {
		return nil, fmt.Errorf("%d files, want %d", len(z.File), members)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		if f.Method != zip.Store {
			return nil, fmt.Errorf("%q is compressed", f.Name)
		}
		if files[f.Name], err = readMember(f); err != nil {
			return nil, fmt.Errorf("%q: %w", f.Name, err)
		}
	}
	return files, nil
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
