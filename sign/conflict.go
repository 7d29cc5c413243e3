package sign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"muniment/merkle"
)

// A Conflict is evidence against a log: two checkpoints of one origin, both
// signed by its key, that no one log can have. Whoever holds the log's key can
// check it with nothing else at hand.
//
//	muniment/log-conflict/v1
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
// root and there are no hashes.
type Conflict struct {
	Prefix        merkle.Hash
	Hashes        []merkle.Hash
	First, Second []byte // signed checkpoints
}

const conflictHead = "muniment/log-conflict/v1\n"

// MaxConflict is the most bytes of a conflict.
const MaxConflict = 2*MaxNote + MaxConsistency

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
	rest, ok := bytes.CutPrefix(data, []byte(conflictHead))
	if !ok {
		return nil, fmt.Errorf("begins with %q, want %q", clip(firstLine(data)), conflictHead)
	}
	// Head, first text, first signatures and second text each end in an empty
	// line; the second's signatures end the file.
	parts := bytes.SplitN(rest, []byte("\n\n"), 4)
	if len(parts) != 4 {
		return nil, errors.New("want a prefix, hashes and two signed checkpoints with empty lines between")
	}
	c := &Conflict{}
	lines := strings.Split(string(parts[0]), "\n")
	prefix, ok := strings.CutPrefix(lines[0], "prefix ")
	var err error
	if c.Prefix, err = parseHash(prefix); !ok || err != nil {
		return nil, fmt.Errorf("second line is %q, want prefix and a root", clip(lines[0]))
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

// Encode returns the text of the evidence.
func (c *Conflict) Encode() []byte {
	b := fmt.Appendf([]byte(conflictHead), "prefix %s\n", base64.StdEncoding.EncodeToString(c.Prefix[:]))
	for _, h := range c.Hashes {
		b = base64.StdEncoding.AppendEncode(b, h[:])
		b = append(b, '\n')
	}
	b = append(b, '\n')
	b = append(b, c.First...)
	b = append(b, '\n')
	return append(b, c.Second...)
}

// Verify returns nil when the two checkpoints, both signed by k, cannot be of
// one log. It returns an error when the evidence shows nothing.
func (c *Conflict) Verify(k Key) error {
	first, err := OpenCheckpoint(c.First, k)
	if err != nil {
		return fmt.Errorf("log conflict: first %w", err)
	}
	second, err := OpenCheckpoint(c.Second, k)
	if err != nil {
		return fmt.Errorf("log conflict: second %w", err)
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
