package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/objects"
	"muniment/sign"
)

const sigHeader = "gpgsig "

// Parse reads a snapshot from the content of its commit: the form must be
// exactly the one Payload and Attach write, and the signature must verify. It
// does not say whether the key is trusted.
func Parse(content []byte) (*Snapshot, error) {
	// 1. The size.
	if len(content) > MaxContent {
		return nil, fmt.Errorf("commit has %d bytes, more than %d", len(content), MaxContent)
	}
	// 2. The signature, taken out.
	payload, armored, err := detach(content)
	if err != nil {
		return nil, err
	}
	// 3. The payload, read and written again.
	known, newer := cutNewer(payload)
	d, err := parsePayload(known)
	if err != nil {
		return nil, err
	}
	// 4. Both together give the same commit.
	if !bytes.Equal(attach(payload, armored), content) {
		return nil, errors.New("commit is not in the form of a snapshot: gpgsig is not where git puts it")
	}
	// 5. The signature over the payload.
	sig, err := sign.ParseSignature(armored)
	if err != nil {
		return nil, err
	}
	if err := sig.Verify(sign.NamespaceGit, payload); err != nil {
		return nil, err
	}
	// 6. The ID.
	return &Snapshot{Draft: d, ID: cid.Of(content), Payload: payload, Content: bytes.Clone(content), Key: sig.Key(), Armored: armored, Newer: newer}, nil
}

// TypeForm is the type of the form of a snapshot. The commit says another version in its
// trailers, and the first one by saying none.
const TypeForm = "muniment/snapshot-form/v1"

// laterTrailers match the trailers of a newer program, which follow those that every version
// has: the version, then trailers of its own.
var laterTrailers = regexp.MustCompile(`^Muniment-Version: ([1-9][0-9]{0,5})\n(?:Muniment-[A-Z][A-Za-z-]*: [^\x00-\x1f\x7f-\x{9f}]+\n)*$`)

// cutNewer returns a payload without the trailers of a newer program, and
// the version that reads that; nil where there is none.
func cutNewer(payload []byte) ([]byte, *jcs.NewerError) {
	at := bytes.Index(payload, []byte("\nMuniment-Version: ")) + 1
	if at == 0 || !utf8.Valid(payload[at:]) {
		return payload, nil
	}
	m := laterTrailers.FindSubmatch(payload[at:])
	if m == nil {
		return payload, nil
	}
	if newer := jcs.Newer(strings.TrimSuffix(TypeForm, "1")+string(m[1]), TypeForm); newer != nil {
		return payload[:at:at], newer
	}
	return payload, nil
}

// detach splits a commit into payload and signature.
func detach(content []byte) (payload, armored []byte, err error) {
	header, message, ok := bytes.Cut(content, []byte("\n\n"))
	if !ok {
		return nil, nil, errors.New("commit has no message")
	}
	at := bytes.Index(header, []byte("\n"+sigHeader))
	if at < 0 {
		return nil, nil, errors.New("commit has no gpgsig header: it is not signed")
	}
	for i, line := range strings.Split(string(header[at+1+len(sigHeader):]), "\n") {
		if i > 0 {
			if line, ok = strings.CutPrefix(line, " "); !ok {
				return nil, nil, fmt.Errorf("commit has the header %q after gpgsig", line)
			}
		}
		armored = append(append(armored, line...), '\n')
	}
	payload = append(append(payload, header[:at]...), "\n\n"...)
	return append(payload, message...), armored, nil
}

// parsePayload reads a payload and requires that its draft writes it again.
func parsePayload(payload []byte) (Draft, error) {
	d, err := readPayload(string(payload))
	if err != nil {
		return Draft{}, err
	}
	again, err := d.Payload()
	if err != nil {
		return Draft{}, err
	}
	if !bytes.Equal(again, payload) {
		i := 0
		for i < len(again) && i < len(payload) && again[i] == payload[i] {
			i++
		}
		return Draft{}, fmt.Errorf("commit is not in the form of a snapshot: saw %q, want %q", clip(payload[i:]), clip(again[i:]))
	}
	return d, nil
}

func clip(b []byte) []byte { return b[:min(len(b), 40)] }

// readPayload reads the fields; what it leaves unchecked, writing them again
// does.
func readPayload(payload string) (Draft, error) {
	header, message, ok := strings.Cut(payload, "\n\n")
	if !ok {
		return Draft{}, errors.New("commit has no message")
	}
	var d Draft
	lines := strings.Split(header, "\n")
	next := func(name string) (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		value, ok := strings.CutPrefix(lines[0], name+" ")
		if ok {
			lines = lines[1:]
		}
		return value, ok
	}
	tree, ok := next("tree")
	if !ok {
		return Draft{}, fmt.Errorf("commit begins with %q, want its tree", clip([]byte(header)))
	}
	var err error
	if d.Tree, err = objects.ParseHash(tree); err != nil {
		return Draft{}, fmt.Errorf("tree: %w", err)
	}
	for value, ok := next("parent"); ok && len(d.Parents) < 2; value, ok = next("parent") {
		p, err := objects.ParseHash(value)
		if err != nil {
			return Draft{}, fmt.Errorf("parent: %w", err)
		}
		d.Parents = append(d.Parents, p)
	}
	author, hasAuthor := next("author")
	committer, hasCommitter := next("committer")
	switch {
	case !hasAuthor || !hasCommitter:
		return Draft{}, errors.New("commit has other headers than tree, up to two parents, author, committer and gpgsig, in this order")
	case len(lines) > 0:
		return Draft{}, fmt.Errorf("commit has the header %q, want none after committer but gpgsig", clip([]byte(lines[0])))
	case !strings.HasPrefix(committer, committerName+" <"):
		return Draft{}, fmt.Errorf("committer is %q, want the line that only muniment writes: this is an ordinary commit", clip([]byte(committer)))
	}
	if d.Author, d.Time, err = readAuthor(author); err != nil {
		return Draft{}, err
	}
	if err := d.readMessage(message); err != nil {
		return Draft{}, err
	}
	return d, nil
}

// readAuthor reads "Name <email> unix +0000".
func readAuthor(s string) (Author, time.Time, error) {
	name, rest, okName := strings.Cut(s, " <")
	email, rest, okEmail := strings.Cut(rest, "> ")
	unix, okZone := strings.CutSuffix(rest, " +0000")
	if !okName || !okEmail || !okZone {
		return Author{}, time.Time{}, fmt.Errorf("author is %q, want a name, <address>, seconds and +0000", s)
	}
	seconds, err := strconv.ParseInt(unix, 10, 64)
	if err != nil {
		return Author{}, time.Time{}, fmt.Errorf("author's time is %q, want seconds", unix)
	}
	return Author{name, email}, time.Unix(seconds, 0).UTC(), nil
}

// readMessage reads the text and the trailers.
func (d *Draft) readMessage(message string) error {
	const firstTrailer = "\n\nMuniment-Archive: "
	at := strings.Index(message, firstTrailer)
	if at < 0 {
		return errors.New("message has no Muniment-Archive trailer after a blank line")
	}
	d.Text = message[:at]
	lines := strings.Split(message[at+2:], "\n")
	last := len(lines) - 1
	if lines[last] != "" {
		return errors.New("message does not end with a line feed")
	}
	values := make([]string, 6)
	for i, line := range lines[:last] {
		if i == len(trailers) {
			return fmt.Errorf("message has the line %q after its last trailer", clip([]byte(line)))
		}
		value, ok := strings.CutPrefix(line, trailers[i]+": ")
		if !ok {
			return fmt.Errorf("message has the line %q, want the trailer %s", clip([]byte(line)), trailers[i])
		}
		values[i] = value
	}
	if last < len(trailers)-1 {
		return fmt.Errorf("message ends without the trailer %s", trailers[last])
	}
	return d.readTrailers(values, last == len(trailers))
}

// trailers are the trailers in their order; the last is in a join only.
var trailers = [...]string{"Muniment-Archive", "Muniment-Seq", "Muniment-Root", "Muniment-Entries", "Muniment-Prev", "Muniment-Join"}

func (d *Draft) readTrailers(values []string, join bool) (err error) {
	if d.Archive, err = cid.ParseAs(cid.JSON, values[0]); err != nil {
		return fmt.Errorf("%s: %w", trailers[0], err)
	}
	if d.Seq, err = strconv.ParseInt(values[1], 10, 64); err != nil {
		return fmt.Errorf("%s is %q, want a number", trailers[1], values[1])
	}
	digits, ok := strings.CutPrefix(values[2], "sha256:")
	if d.Root, err = parseHex(digits); err != nil || !ok {
		return fmt.Errorf("%s is %q, want sha256: and 64 lower case hexadecimal digits", trailers[2], values[2])
	}
	if d.Entries, err = strconv.ParseInt(values[3], 10, 64); err != nil {
		return fmt.Errorf("%s is %q, want a number", trailers[3], values[3])
	}
	if values[4] != "none" {
		if d.Prev, err = cid.ParseAs(cid.Raw, values[4]); err != nil {
			return fmt.Errorf("%s: %w", trailers[4], err)
		}
	}
	if join {
		if d.Join, err = cid.ParseAs(cid.Raw, values[5]); err != nil {
			return fmt.Errorf("%s: %w", trailers[5], err)
		}
	}
	return nil
}
