package snapshot

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/snapshot/layout"
)

// TypeRange is the type member of a Range.
const TypeRange = "muniment/range/v1"

// A Range proves, against a root alone, the complete list of an artifact's files in a snapshot: its
// payload, records, consent and hold, or its withdrawal. Its lines stand side by side in their
// shard, with one neighbour on either side unless the shard ends there. Like absence it rests on
// the signer having sorted the lines.
type Range struct {
	Type     string      `json:"type"`            // TypeRange; set by Encode when empty
	Artifact string      `json:"artifact"`        // raw ID
	Index    int64       `json:"index"`           // of the first line in the shard, from 0
	Lines    []RangeLine `json:"lines,omitempty"` // in path order; none when the shard is empty
	Inner    []string    `json:"inner,omitempty"` // base64 hashes, see merkle.ProveRange
	Count    int64       `json:"count"`           // lines in the shard
	Outer    []string    `json:"outer"`           // base64 hashes from the shard line to the root
}

// A RangeLine is one line of a Range.
type RangeLine struct {
	Digest string `json:"digest"` // hex
	Path   string `json:"path"`
}

// Beside lists the files of a snapshot about an artifact.
type Beside struct {
	Payload    bool     // in one file, in chunks, or elsewhere
	Pointer    *Line    // nil: the payload is not elsewhere
	Records    []cid.ID // in path order
	Consent    *Line    // nil: the archive's default holds
	Hold       *Line    // nil: not held
	Withdrawal *Line    // nil: not withdrawn
}

// ProveRange returns the proof of an artifact's files, of which there may be none.
func (t *Tree) ProveRange(artifact cid.ID) (*Range, error) {
	if artifact.Codec() != cid.Raw {
		return nil, fmt.Errorf("%s is no artifact's id", artifact)
	}
	path := layout.ArtifactPath(artifact)
	s, from, to := t.span(path)
	if t.lost != nil {
		return nil, t.lost
	}
	from, to = max(0, from-1), min(len(s.lines), to+1)
	r := &Range{Type: TypeRange, Artifact: artifact.String(), Index: int64(from), Count: int64(len(s.lines)),
		Outer: encodeHashes(merkle.Prove(t.outer(), shardOf(path)))}
	for _, l := range s.lines[from:to] {
		r.Lines = append(r.Lines, RangeLine{hex.EncodeToString(l.Digest[:]), l.Path})
	}
	if len(r.Lines) > 0 {
		r.Inner = encodeHashes(proveLines(s, from, to))
	}
	return r, nil
}

// proveLines returns the hashes that lead from lines of a shard to its root.
func proveLines(s *shard, from, to int) []merkle.Hash { return merkle.ProveRange(s.hashes, from, to) }

// Encode returns the canonical JSON of r.
func (r Range) Encode() ([]byte, error) {
	if r.Type == "" {
		r.Type = TypeRange
	}
	return jcs.Marshal(r)
}

// ParseRange reads the bytes that Encode writes and no others. What they prove
// is what Verify says.
func ParseRange(data []byte) (*Range, error) {
	r := &Range{}
	if err := jcs.Unmarshal(data, TypeRange, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Verify checks the proof against a Muniment-Root and returns what the snapshot
// holds of the artifact.
func (r *Range) Verify(root merkle.Hash) (*Beside, error) {
	artifact, err := cid.ParseAs(cid.Raw, r.Artifact)
	if err != nil {
		return nil, fmt.Errorf("range: artifact: %w", err)
	}
	if r.Type != TypeRange {
		return nil, fmt.Errorf("range: type is %q, want %q", r.Type, TypeRange)
	}
	prefix := layout.ArtifactPath(artifact)
	lines, hashes, err := r.read(shardOf(prefix))
	if err != nil {
		return nil, fmt.Errorf("range: %w", err)
	}
	// 2. Side by side they lead to the shard's root, and its line to the root.
	if err := r.lead(shardOf(prefix), hashes, root); err != nil {
		return nil, fmt.Errorf("range: %w", err)
	}
	// 3. Between the neighbours there are the artifact's lines and no others.
	own := lines
	switch {
	case len(own) > 0 && own[0].Path < prefix:
		own = own[1:]
	case r.Index > 0:
		return nil, errors.New("range: the line before the artifact's is missing")
	}
	switch n := len(own); {
	case n > 0 && own[n-1].Path > prefix && !strings.HasPrefix(own[n-1].Path, prefix):
		own = own[:n-1]
	case r.Index+int64(len(lines)) < r.Count:
		return nil, errors.New("range: the line after the artifact's is missing")
	}
	return beside(prefix, own)
}

// read is step 1: every line is in its form, belongs to the shard and is in path order.
func (r *Range) read(shard int) (lines []Line, hashes []merkle.Hash, err error) {
	for i, l := range r.Lines {
		digest, err := parseHex(l.Digest)
		if err != nil {
			return nil, nil, err
		}
		if !layout.CleanPath(l.Path) || shardOf(l.Path) != shard {
			return nil, nil, fmt.Errorf("line of path %q does not belong to shard %s", l.Path, shardName(shard))
		}
		if i > 0 && l.Path <= lines[i-1].Path {
			return nil, nil, fmt.Errorf("line of path %q is out of order", l.Path)
		}
		line := Line{digest, l.Path}
		lines, hashes = append(lines, line), append(hashes, merkle.LeafHash([]byte(line.String())))
	}
	return lines, hashes, nil
}

// lead is step 2.
func (r *Range) lead(shard int, hashes []merkle.Hash, root merkle.Hash) error {
	inner, err := decodeHashes(r.Inner)
	if err != nil {
		return err
	}
	outer, err := decodeHashes(r.Outer)
	if err != nil {
		return err
	}
	shardRoot := merkle.Root(nil)
	switch {
	case r.Count == 0 && r.Index == 0 && len(hashes) == 0 && len(inner) == 0:
	default:
		if shardRoot, err = merkle.RangeRoot(hashes, r.Index, r.Count, inner); err != nil {
			return err
		}
	}
	return merkle.Verify(merkle.LeafHash([]byte(shardLine(shard, r.Count, shardRoot))), int64(shard), shards, outer, root)
}

// beside classifies an artifact's lines.
func beside(prefix string, lines []Line) (*Beside, error) {
	b := &Beside{}
	for _, l := range lines {
		kind, ids := layout.ClassifyPath(l.Path)
		if !strings.HasPrefix(l.Path, prefix) {
			return nil, fmt.Errorf("range: the path %s is not one of the artifact's", l.Path)
		}
		switch kind {
		default:
			return nil, fmt.Errorf("range: no archive has a file at %s", l.Path)
		case layout.KindPayload, layout.KindPayloadChunk:
			b.Payload = true
		case layout.KindPointer:
			b.Payload, b.Pointer = true, &l
		case layout.KindRecord:
			b.Records = append(b.Records, ids[1])
		case layout.KindConsent:
			b.Consent = &l
		case layout.KindHold:
			b.Hold = &l
		case layout.KindWithdrawn:
			b.Withdrawal = &l
		}
	}
	return b, nil
}

// span returns the shard and the places of the lines that begin with prefix,
// the path of an artifact.
func (t *Tree) span(prefix string) (s *shard, from, to int) {
	s = t.at(prefix)
	from, _ = s.find(prefix)
	for to = from; to < len(s.lines) && strings.HasPrefix(s.lines[to].Path, prefix); to++ {
	}
	return s, from, to
}

// under returns the lines that begin with prefix.
func (t *Tree) under(prefix string) []Line {
	s, from, to := t.span(prefix)
	return s.lines[from:to]
}
