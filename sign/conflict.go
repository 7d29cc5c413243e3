package sign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
)

// A Conflict is evidence against a log: two checkpoints of one origin, both
// signed by its key, that no one log can have. Anybody can check it with nothing
// else at hand.
//
//	muniment/log-conflict/v2
//	key ssh-ed25519 base64 of the key
//	prefix base64 of a root
//	base64 of a hash, for each step
//
//	the signed checkpoint of the smaller size
//
//	the signed checkpoint of the larger size
//
// The hashes show that the log of the second checkpoint had the root in prefix
// when it had the size of the first. The evidence holds when that is not the
// first one's root. For two checkpoints of one size, prefix is the second's
// root and there are no hashes. Version 1 of the form has no line with the key,
// which a verifier must bring.
type Conflict struct {
	Key           Key // of the log; the zero Key in version 1
	Prefix        merkle.Hash
	Hashes        []merkle.Hash
	First, Second []byte // signed checkpoints

	// Newer is not nil where a newer program wrote the file: it may say more than is read
	// here, and what is read is encoded as the newest version that is known.
	Newer *jcs.NewerError
}

// The first lines of the two versions, and how both begin.
const (
	conflictBegin = "muniment/log-conflict/"
	conflictHead1 = "muniment/log-conflict/v1\n"
	conflictHead  = "muniment/log-conflict/v2\n"
	conflictKey   = "key "
)

// MaxConflict is the most bytes of a conflict.
const MaxConflict = 2*MaxNote + MaxConsistency

// IsConflict reports whether data begins as a conflict does.
func IsConflict(data []byte) bool { return bytes.HasPrefix(data, []byte(conflictBegin)) }

// ParseConflict reads the form of a conflict: what Encode wrote and nothing
// else.
func ParseConflict(data []byte) (*Conflict, error) {
	c, err := parseConflict(data)
	if err != nil {
		return nil, fmt.Errorf("log conflict: %w", err)
	}
	return c, nil
}

func parseConflict(data []byte) (*Conflict, error) {
	if len(data) > MaxConflict {
		return nil, fmt.Errorf("%d bytes, at most %d", len(data), MaxConflict)
	}
	c := &Conflict{}
	if c.Newer = jcs.Newer(string(firstLine(data)), strings.TrimSuffix(conflictHead, "\n")); c.Newer != nil {
		data = c.knownLines(data)
	}
	rest, first := bytes.CutPrefix(data, []byte(conflictHead1))
	ok := first
	if !first {
		rest, ok = bytes.CutPrefix(data, []byte(conflictHead))
	}
	if !ok {
		return nil, fmt.Errorf("begins with %q, want %q", clip(firstLine(data)), conflictHead)
	}
	// Head, first text, first signatures and second text each end in an empty
	// line; the second's signatures end the file.
	parts := bytes.SplitN(rest, []byte("\n\n"), 4)
	if len(parts) != 4 {
		return nil, errors.New("want a prefix, hashes and two signed checkpoints with empty lines between")
	}
	head := string(parts[0])
	var err error
	if !first {
		var line string
		line, head, _ = strings.Cut(head, "\n")
		if c.Key, err = parseConflictKey(line); err != nil {
			return nil, err
		}
	}
	lines := strings.Split(head, "\n")
	prefix, ok := strings.CutPrefix(lines[0], "prefix ")
	if c.Prefix, err = parseHash(prefix); !ok || err != nil {
		return nil, fmt.Errorf("line before the hashes is %q, want prefix and a root", clip(lines[0]))
	}
	if len(lines)-1 > maxConsistencyHashes {
		return nil, fmt.Errorf("%d hashes, at most %d", len(lines)-1, maxConsistencyHashes)
	}
	for i, line := range lines[1:] {
		h, err := parseHash(line)
		if err != nil {
			return nil, fmt.Errorf("hash %d: %w", i+1, err)
		}
		c.Hashes = append(c.Hashes, h)
	}
	c.First = fmt.Appendf(nil, "%s\n\n%s\n", parts[1], parts[2])
	c.Second = bytes.Clone(parts[3])
	// parts[3] is the second text, an empty line and its signatures.
	for i, signed := range [][]byte{c.First, c.Second} {
		if _, err := parseNote(signed); err != nil {
			return nil, fmt.Errorf("checkpoint %d: %w", i+1, err)
		}
	}
	if !bytes.Equal(c.Encode(), data) {
		return nil, errors.New("does not encode to the same bytes")
	}
	return c, nil
}

// knownLines returns a newer conflict as the version that this program reads: without the
// lines of the first block that have a key which it does not know.
func (c *Conflict) knownLines(data []byte) []byte {
	head, rest, _ := strings.Cut(string(data), "\n\n")
	lines := strings.Split(head, "\n")
	lines[0] = strings.TrimSuffix(conflictHead, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return laterLine.MatchString(line) && !strings.HasPrefix(line, conflictKey) && !strings.HasPrefix(line, "prefix ")
	})
	return []byte(strings.Join(lines, "\n") + "\n\n" + rest)
}

// laterLine matches a line of a newer conflict with a key of its own.
var laterLine = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30} [ -~]+$`)

// parseConflictKey reads the line with the log's key, which is a plain one.
func parseConflictKey(line string) (Key, error) {
	text, ok := strings.CutPrefix(line, conflictKey)
	if !ok {
		return Key{}, fmt.Errorf("second line is %q, want key and the log's key", clip(line))
	}
	k, err := ParseKey(text)
	if err != nil {
		return Key{}, err
	}
	if k.Type() != TypeEd25519 {
		return Key{}, fmt.Errorf("key of type %s: a log's key is plain", k.Type())
	}
	return k, nil
}

// Encode returns the text of the evidence, of version 1 where there is no key.
func (c *Conflict) Encode() []byte {
	b := []byte(conflictHead1)
	if !c.Key.IsZero() {
		b = fmt.Appendf([]byte(conflictHead), "%s%s\n", conflictKey, c.Key.Authorized())
	}
	b = fmt.Appendf(b, "prefix %s\n", base64.StdEncoding.EncodeToString(c.Prefix[:]))
	for _, h := range c.Hashes {
		b = base64.StdEncoding.AppendEncode(b, h[:])
		b = append(b, '\n')
	}
	b = append(b, '\n')
	b = append(b, c.First...)
	b = append(b, '\n')
	return append(b, c.Second...)
}

// Log returns the archive and the ID of the key that the name of the log states,
// which is muniment/<archive>/answers/<key id>/<epoch>. Both are claims until Open
// has shown that the key signed.
func (c *Conflict) Log() (archive cid.ID, keyID string, err error) {
	origin := string(firstLine(c.First))
	parts := strings.Split(origin, "/")
	if len(parts) != 5 || parts[0] != "muniment" || parts[2] != "answers" {
		return cid.ID{}, "", fmt.Errorf("log conflict: %q is no answer log", clip(origin))
	}
	if archive, err = cid.ParseAs(cid.JSON, parts[1]); err != nil {
		return cid.ID{}, "", fmt.Errorf("log conflict: %w", err)
	}
	if !c.Key.IsZero() && c.Key.ID() != parts[3] {
		return cid.ID{}, "", fmt.Errorf("log conflict: the log is that of the key %s, the key here is %s", clip(parts[3]), c.Key.ID())
	}
	return archive, parts[3], nil
}

// Open returns the two checkpoints. Both must be signed by k.
func (c *Conflict) Open(k Key) (first, second Checkpoint, err error) {
	if !c.Key.IsZero() && c.Key != k {
		return first, second, errors.New("log conflict: the key in it is another")
	}
	one, err := OpenCheckpoint(c.First, k)
	if err != nil {
		return first, second, fmt.Errorf("log conflict: first %w", err)
	}
	two, err := OpenCheckpoint(c.Second, k)
	if err != nil {
		return first, second, fmt.Errorf("log conflict: second %w", err)
	}
	return one, two, nil
}

// Verify returns nil when the two checkpoints, both signed by k, cannot be of
// one log. It returns an error when the evidence shows nothing.
func (c *Conflict) Verify(k Key) error {
	first, second, err := c.Open(k)
	if err != nil {
		return err
	}
	switch {
	case first.Origin != second.Origin:
		return fmt.Errorf("log conflict: checkpoints of %s and of %s: two logs may differ", clip(first.Origin), clip(second.Origin))
	case first.Size > second.Size || first.Size == 0:
		return fmt.Errorf("log conflict: sizes %d and %d, want the smaller first and none empty", first.Size, second.Size)
	}
	prefix := Checkpoint{Origin: first.Origin, Size: first.Size, Root: c.Prefix}
	if first.Size == second.Size && len(c.Hashes) > 0 {
		return fmt.Errorf("log conflict: %d hashes between two checkpoints of one size, want none", len(c.Hashes))
	}
	if err := CheckConsistent(prefix, second, c.Hashes); err != nil {
		return fmt.Errorf("log conflict: the hashes do not show the prefix: %w", err)
	}
	if c.Prefix == first.Root {
		return errors.New("log conflict: the two checkpoints agree")
	}
	return nil
}
