// Package snapshot reads, writes and checks the signed versions of an archive.
//
// A snapshot is a git commit of exactly one form, signed by an SSH key, whose
// message states the archive, a sequence number, the Merkle root over every
// file and the snapshot before it. Stock git verifies its signature; Parse
// verifies it with fewer freedoms. The calls most people need are
//
//	payload, err := draft.Payload()                   // what is signed
//	content, err := snapshot.Attach(payload, armored) // the commit
//	s, err := snapshot.Parse(content)                 // form and signature
//	history, err := snapshot.History(get, tip)        // and its links
//	report, err := snapshot.CheckWith(store, tip, snapshot.Checking{Allowed: allowed})
//
// A Tree computes the root and proves that a path is in a snapshot, or is not;
// a Proof is checked against the root alone, with no repository.
//
// The numbers in the comments of Parse, Proof.Verify, History and CheckWith are
// those of the steps in docs/spec/snapshot.md; the vectors are in
// testvectors/snapshot.
package snapshot

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/sign"
)

// Limits of a snapshot.
const (
	MaxText    = 4096     // bytes of Text: a letter, not a book, in every clone and bundle
	MaxAuthor  = 256      // bytes of a name or an address
	MaxContent = 16 << 10 // bytes of the commit: text, author, signature and room
)

// maxUnix is the last second of the year 9999, the last that RFC 3339 writes.
const maxUnix = 253402300799

// committerName and committerHost make a committer that stock git never
// writes by itself, so that an ordinary commit signed with the same key cannot
// pose as a snapshot.
const (
	committerName = "Muniment"
	committerHost = "archive.invalid"
)

// An Author is the archivist who made a snapshot.
type Author struct{ Name, Email string }

// A Draft is everything a snapshot says, before it is signed.
type Draft struct {
	Tree    objects.Hash   // the archive's files
	Parents []objects.Hash // none in the first, two in a join, else one
	Author  Author
	Time    time.Time // whole seconds
	Text    string    // 1 to MaxText bytes for people
	Archive cid.ID    // json ID of archive.json
	Seq     int64     // from 1
	Root    merkle.Hash
	Entries int64  // files in Tree
	Prev    cid.ID // the snapshot before; zero in the first
	Join    cid.ID // the snapshot of the second parent; zero unless two histories are joined
}

// A Snapshot is a signed Draft that was read back and verified.
type Snapshot struct {
	Draft
	ID      cid.ID   // raw ID of Content
	Payload []byte   // Content without its signature: two snapshots with one payload are one, signed twice
	Content []byte   // the commit as git stores it
	Key     sign.Key // who signed; whether that key is trusted is the caller's question
	Armored []byte   // the signature

	// Newer is not nil where the trailers say that a newer program made the snapshot: it is
	// signed and linked as any other, and says more than is read here.
	Newer *jcs.NewerError
}

// Payload returns the exact bytes that are signed: the commit without its
// gpgsig header. It refuses a draft that Parse would not read back.
func (d Draft) Payload() ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", d.Tree)
	for _, p := range d.Parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	when := strconv.FormatInt(d.Time.Unix(), 10) + " +0000"
	fmt.Fprintf(&b, "author %s <%s> %s\n", d.Author.Name, d.Author.Email, when)
	fmt.Fprintf(&b, "committer %s <%s@%s> %s\n", committerName, d.Archive.Hex(), committerHost, when)
	fmt.Fprintf(&b, "\n%s\n\n", d.Text)
	fmt.Fprintf(&b, "Muniment-Archive: %s\n", d.Archive)
	fmt.Fprintf(&b, "Muniment-Seq: %d\n", d.Seq)
	fmt.Fprintf(&b, "Muniment-Root: sha256:%s\n", hex.EncodeToString(d.Root[:]))
	fmt.Fprintf(&b, "Muniment-Entries: %d\n", d.Entries)
	prev := "none"
	if !d.Prev.IsZero() {
		prev = d.Prev.String()
	}
	fmt.Fprintf(&b, "Muniment-Prev: %s\n", prev)
	if !d.Join.IsZero() {
		fmt.Fprintf(&b, "Muniment-Join: %s\n", d.Join)
	}
	return b.Bytes(), nil
}

// Attach returns the commit: payload with the armored signature in a gpgsig
// header as git writes it. The signature must be one over payload.
func Attach(payload, armored []byte) ([]byte, error) {
	if _, err := parsePayload(payload); err != nil {
		return nil, err
	}
	sig, err := sign.ParseSignature(armored)
	if err != nil {
		return nil, err
	}
	if err := sig.Verify(sign.NamespaceGit, payload); err != nil {
		return nil, err
	}
	return attach(payload, armored), nil
}

// attach inserts the signature after the last header. Every line of it except the first begins with
// one space.
func attach(payload, armored []byte) []byte {
	header, message, _ := bytes.Cut(payload, []byte("\n\n"))
	var b bytes.Buffer
	b.Write(header)
	b.WriteString("\n" + sigHeader)
	b.Write(bytes.ReplaceAll(bytes.TrimSuffix(armored, []byte("\n")), []byte("\n"), []byte("\n ")))
	b.WriteString("\n\n")
	b.Write(message)
	return b.Bytes()
}

// check refuses what a snapshot cannot say.
func (d Draft) check() error {
	if err := d.checkLinks(); err != nil {
		return err
	}
	if err := d.Author.check(); err != nil {
		return err
	}
	if err := checkText(d.Text); err != nil {
		return err
	}
	switch unix := d.Time.Unix(); {
	case unix < 0 || unix > maxUnix:
		return fmt.Errorf("time %d is outside the years 1970 to 9999", unix)
	case d.Time.Nanosecond() != 0:
		return errors.New("time has parts of a second")
	case d.Entries < 1:
		return fmt.Errorf("entries is %d, want at least 1", d.Entries)
	}
	return nil
}

// checkLinks checks the references of the snapshot to its archive and to its parents.
func (d Draft) checkLinks() error {
	parents := 1
	switch {
	case d.Seq == 1:
		parents = 0
	case !d.Join.IsZero():
		parents = 2
	}
	switch {
	case d.Tree.IsZero():
		return errors.New("tree is missing")
	case d.Archive.Codec() != cid.JSON:
		return fmt.Errorf("archive id %q is no json id", d.Archive)
	case d.Seq < 1:
		return fmt.Errorf("seq is %d, want 1 or more", d.Seq)
	case len(d.Parents) != parents:
		return fmt.Errorf("%d parents of snapshot %d, want %d", len(d.Parents), d.Seq, parents)
	case (d.Seq == 1) != d.Prev.IsZero():
		return fmt.Errorf("prev is %q in snapshot %d, want none in the first and in no other", d.Prev, d.Seq)
	case !d.Prev.IsZero() && d.Prev.Codec() != cid.Raw:
		return fmt.Errorf("prev %s is no snapshot id", d.Prev)
	case d.Join.IsZero():
	case d.Seq == 1:
		return errors.New("the first snapshot joins nothing")
	case d.Join.Codec() != cid.Raw || d.Join == d.Prev:
		return fmt.Errorf("join %s is no other snapshot", d.Join)
	}
	for i, p := range d.Parents {
		if p.IsZero() || i > 0 && p == d.Parents[0] {
			return fmt.Errorf("parent %s is no other commit", p)
		}
	}
	return nil
}

func (a Author) check() error {
	for _, f := range []struct{ what, s, not string }{
		{"name", a.Name, "<>"},
		{"address", a.Email, "<> "},
	} {
		switch {
		case f.s == "" || len(f.s) > MaxAuthor:
			return fmt.Errorf("author's %s has %d bytes, want 1 to %d", f.what, len(f.s), MaxAuthor)
		case !utf8.ValidString(f.s) || strings.ContainsAny(f.s, f.not) || strings.ContainsFunc(f.s, unicode.IsControl):
			return fmt.Errorf("author's %s %q has characters that no commit may have there", f.what, f.s)
		case strings.TrimSpace(f.s) != f.s:
			return fmt.Errorf("author's %s %q begins or ends with white space", f.what, f.s)
		}
	}
	return nil
}

// checkText keeps the text apart from the trailers and from signatures.
func checkText(text string) error {
	switch {
	case text == "" || len(text) > MaxText:
		return fmt.Errorf("text has %d bytes, want 1 to %d", len(text), MaxText)
	case !utf8.ValidString(text):
		return errors.New("text is not UTF-8")
	case strings.TrimSpace(text) != text:
		return errors.New("text begins or ends with white space")
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.ContainsFunc(line, unicode.IsControl):
			return fmt.Errorf("text has a control character in the line %q", line)
		case strings.HasPrefix(line, "Muniment-"), strings.HasPrefix(line, "-----BEGIN"):
			return fmt.Errorf("text has the line %q, which is reserved", line)
		}
	}
	return nil
}
