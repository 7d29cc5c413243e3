package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
)

// MaxTagName is the most bytes of a tag's name: it is typed by people.
const MaxTagName = 64

// A Tag is a signed name for a snapshot: an annotated git tag of one exact
// form, at refs/tags/<name>, that git verify-tag accepts.
//
//	object <commit>
//	type commit
//	tag <name>
//	tagger <name> <<address>> <seconds> +0000
//
//	<text>
//
//	Muniment-Archive: <archive id>
//	Muniment-Seq: <decimal>
//	Muniment-Snapshot: <snapshot id>
//	-----BEGIN SSH SIGNATURE-----
//	…
//
// What is signed, in the namespace git, is everything before the signature.
type Tag struct {
	Name     string // matches [0-9a-z][0-9a-z._-]*, see CheckTagName
	Commit   objects.Hash
	Tagger   Author
	Time     time.Time // whole seconds
	Text     string    // as that of a snapshot
	Archive  cid.ID
	Seq      int64
	Snapshot cid.ID

	Key     sign.Key // who signed; set by ParseTag
	Armored []byte   // the signature; set by ParseTag
}

// CheckTagName refuses names that are not short, plain and the same to every
// file system, or that git refuses.
func CheckTagName(name string) error {
	plain := name != "" && !strings.ContainsAny(name[:1], "._-") && strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyz._-") == ""
	switch {
	case !plain || len(name) > MaxTagName:
		return fmt.Errorf("tag name %q: want 1 to %d of 0-9 a-z . _ -, a letter or digit first", clip([]byte(name)), MaxTagName)
	case strings.Contains(name, "..") || strings.HasSuffix(name, ".") || strings.HasSuffix(name, ".lock"):
		return fmt.Errorf("tag name %q: git refuses .. and names that end in . or .lock", name)
	}
	return nil
}

// Payload returns the bytes that are signed. It refuses a tag that ParseTag
// would not read back.
func (t Tag) Payload() ([]byte, error) {
	if err := CheckTagName(t.Name); err != nil {
		return nil, err
	}
	if err := t.Tagger.check(); err != nil {
		return nil, err
	}
	if err := checkText(t.Text); err != nil {
		return nil, err
	}
	switch unix := t.Time.Unix(); {
	case t.Commit.IsZero():
		return nil, errors.New("tag names no commit")
	case t.Archive.Codec() != cid.JSON || t.Snapshot.Codec() != cid.Raw:
		return nil, errors.New("tag lacks the id of its archive or snapshot")
	case t.Seq < 1:
		return nil, fmt.Errorf("seq is %d, want 1 or more", t.Seq)
	case unix < 0 || unix > maxUnix || t.Time.Nanosecond() != 0:
		return nil, fmt.Errorf("time %d is outside the years 1970 to 9999, or has parts of a second", unix)
	}
	return fmt.Appendf(nil, "object %s\ntype commit\ntag %s\ntagger %s <%s> %d +0000\n\n%s\n\nMuniment-Archive: %s\nMuniment-Seq: %d\nMuniment-Snapshot: %s\n",
		t.Commit, t.Name, t.Tagger.Name, t.Tagger.Email, t.Time.Unix(), t.Text, t.Archive, t.Seq, t.Snapshot), nil
}

// Sign returns the content of the git tag object.
func (t Tag) Sign(s sign.Signer) ([]byte, error) {
	payload, err := t.Payload()
	if err != nil {
		return nil, err
	}
	armored, err := sign.Sign(s, sign.NamespaceGit, payload)
	if err != nil {
		return nil, err
	}
	return append(payload, armored...), nil
}

// ParseTag reads a tag from the content of its object: 1. the size, 2. the
// payload, read and written again, 3. the signature over it. Whether it names
// the snapshot that its commit is, Names says; whether the key is trusted is
// the caller's question.
func ParseTag(content []byte) (*Tag, error) {
	if len(content) > MaxContent {
		return nil, fmt.Errorf("tag has %d bytes, more than %d", len(content), MaxContent)
	}
	at := bytes.LastIndex(content, []byte("\n-----BEGIN SSH SIGNATURE-----\n"))
	if at < 0 {
		return nil, errors.New("tag is not signed")
	}
	payload, armored := content[:at+1], content[at+1:]
	t, err := readTag(string(payload))
	if err != nil {
		return nil, err
	}
	again, err := t.Payload()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, payload) {
		return nil, errors.New("tag is not in the form of a snapshot's tag")
	}
	sig, err := sign.ParseSignature(armored)
	if err != nil {
		return nil, err
	}
	if err := sig.Verify(sign.NamespaceGit, payload); err != nil {
		return nil, err
	}
	t.Key, t.Armored = sig.Key(), bytes.Clone(armored)
	return t, nil
}

// readTag reads the fields; what it leaves unchecked, writing them again does.
func readTag(payload string) (*Tag, error) {
	form := errors.New("tag is not in the form of a snapshot's tag: want object, type commit, tag, tagger, text and three trailers")
	header, message, ok := strings.Cut(payload, "\n\n")
	lines := strings.Split(header, "\n")
	at := strings.LastIndex(message, "\n\n")
	if !ok || len(lines) != 4 || at < 0 {
		return nil, form
	}
	trailers := strings.Split(message[at+2:], "\n")
	if len(trailers) != 4 || trailers[3] != "" {
		return nil, form
	}
	t := &Tag{Text: message[:at]}
	fields := []string{lines[0], lines[1], lines[2], lines[3], trailers[0], trailers[1], trailers[2]}
	for i, name := range []string{"object ", "type ", "tag ", "tagger ", "Muniment-Archive: ", "Muniment-Seq: ", "Muniment-Snapshot: "} {
		if fields[i], ok = strings.CutPrefix(fields[i], name); !ok {
			return nil, form
		}
	}
	t.Name = fields[2]
	var err error
	if t.Commit, err = objects.ParseHash(fields[0]); err != nil {
		return nil, fmt.Errorf("tag's object: %w", err)
	}
	if t.Tagger, t.Time, err = readAuthor(fields[3]); err != nil {
		return nil, err
	}
	if t.Archive, err = cid.ParseAs(cid.JSON, fields[4]); err != nil {
		return nil, fmt.Errorf("tag's archive: %w", err)
	}
	if t.Seq, err = strconv.ParseInt(fields[5], 10, 64); err != nil {
		return nil, fmt.Errorf("tag's seq is %q, want a number", fields[5])
	}
	if t.Snapshot, err = cid.ParseAs(cid.Raw, fields[6]); err != nil {
		return nil, fmt.Errorf("tag's snapshot: %w", err)
	}
	return t, nil
}

// Names checks that s is the snapshot that t says it names.
func (t *Tag) Names(s *Snapshot) error {
	switch {
	case t.Commit != objects.Sum(objects.Commit, s.Content):
		return fmt.Errorf("tag %s names the commit %s", t.Name, t.Commit)
	case t.Snapshot != s.ID || t.Seq != s.Seq || t.Archive != s.Archive:
		return fmt.Errorf("tag %s says snapshot %d, %s, and its commit is snapshot %d, %s", t.Name, t.Seq, t.Snapshot, s.Seq, s.ID)
	}
	return nil
}
