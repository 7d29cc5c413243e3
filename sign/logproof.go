package sign

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"muniment/cid/merkle"
)

// Limits of a log proof.
const (
	// MaxLogHashes is the height of the tallest tree of less than 2^63 leaves.
	MaxLogHashes = 63

	// MaxLogProof is the most bytes of a log proof: a checkpoint, 63 lines of
	// hashes and two short lines.
	MaxLogProof = MaxNote + 4096
)

// EntrySize is the size in bytes of an entry of an answer log: the sha256 of a
// statement.
const EntrySize = 32

// A LogProof shows that an entry is in a log: the file log.proof of a bundle,
// in the form of a C2SP transparency log proof (c2sp.org/tlog-proof):
//
//	c2sp.org/tlog-proof@v1
//	index 4
//	base64 of a hash, for each level from the leaf's sibling to the root's child
//
//	the signed checkpoint, see Checkpoint
//
// The optional line "extra" is refused: nothing authenticates it. The leaf
// hash is that of RFC 6962 over the entry. Verification:
//
//  1. The text has the form above, and encodes to the same bytes.
//  2. The checkpoint's signature by the log's key holds.
//  3. The index is below the checkpoint's size, there are exactly as many
//     hashes as the path from that leaf has levels, and they lead to the root.
type LogProof struct {
	Index  int64         // of the entry, from 0
	Hashes []merkle.Hash // from leaf to root
	Note   []byte        // signed checkpoint
}

const (
	proofHead  = "c2sp.org/tlog-proof@v1\n"
	proofIndex = "index "
)

// ParseLogProof reads the form of a log proof: step 1.
func ParseLogProof(data []byte) (*LogProof, error) {
	p, err := parseLogProof(data)
	if err != nil {
		return nil, fmt.Errorf("log proof: %w", err)
	}
	return p, nil
}

func parseLogProof(data []byte) (*LogProof, error) {
	if len(data) > MaxLogProof {
		return nil, fmt.Errorf("%d bytes, at most %d", len(data), MaxLogProof)
	}
	rest, ok := strings.CutPrefix(string(data), proofHead)
	if !ok {
		return nil, fmt.Errorf("begins with %q, want %q", clip(firstLine(data)), proofHead)
	}
	line, rest, _ := strings.Cut(rest, "\n")
	if strings.HasPrefix(line, "extra ") {
		return nil, errors.New("has a line extra, which nothing authenticates")
	}
	number, ok := strings.CutPrefix(line, proofIndex)
	if !ok {
		return nil, fmt.Errorf("second line is %q, want index and a number", clip(line))
	}
	p := &LogProof{}
	var err error
	if p.Index, err = parseDecimal(number); err != nil {
		return nil, fmt.Errorf("index %w", err)
	}
	for {
		if line, rest, ok = strings.Cut(rest, "\n"); !ok {
			return nil, errors.New("ends before the checkpoint")
		}
		if line == "" {
			break
		}
		h, err := parseHash(line)
		if err != nil {
			return nil, fmt.Errorf("hash %d: %w", len(p.Hashes)+1, err)
		}
		if p.Hashes = append(p.Hashes, h); len(p.Hashes) > MaxLogHashes {
			return nil, fmt.Errorf("more than %d hashes", MaxLogHashes)
		}
	}
	p.Note = []byte(rest)
	if _, err := parseNote(p.Note); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return p, nil
}

// Encode returns the text of the proof.
func (p *LogProof) Encode() []byte {
	b := fmt.Appendf([]byte(proofHead), "%s%d\n", proofIndex, p.Index)
	for _, h := range p.Hashes {
		b = base64.StdEncoding.AppendEncode(b, h[:])
		b = append(b, '\n')
	}
	b = append(b, '\n')
	return append(b, p.Note...)
}

// Verify checks that entry is in the log whose key is k, and returns the
// checkpoint that says so: steps 2 and 3. It is for the caller to compare the
// checkpoint's origin.
func (p *LogProof) Verify(entry []byte, k Key) (Checkpoint, error) {
	if len(entry) != EntrySize {
		return Checkpoint{}, fmt.Errorf("log proof: entry of %d bytes, want %d", len(entry), EntrySize)
	}
	c, err := OpenCheckpoint(p.Note, k)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("log proof: %w", err)
	}
	if err := merkle.Verify(merkle.LeafHash(entry), p.Index, c.Size, p.Hashes, c.Root); err != nil {
		return Checkpoint{}, fmt.Errorf("log proof: %w", err)
	}
	return c, nil
}
