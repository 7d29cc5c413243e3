package snapshot

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"muniment/cid/merkle"
	"muniment/snapshot/layout"
)

// A Proof shows that a path is in a snapshot, with the sha256 of its bytes, or
// that it is not. It is checked against the root alone. In canonical JSON a
// proof of presence has at most 1.5 kB and one of absence at most 2.5 kB, up
// to a million artifacts.
//
// Presence: Absent is empty, Lines holds the one line. Absence: Absent is the
// path, Lines holds the lines between which it would stand; one, when it
// would be the first or the last of its shard; none, when the shard is empty.
// Absence rests on the signer having sorted the lines: Check tests that, a
// Proof cannot.
type Proof struct {
	Absent    string       `json:"absent,omitempty"` // the path that is not there
	Lines     []ProvenLine `json:"lines,omitempty"`
	Shard     string       `json:"shard"`      // two characters
	Count     int64        `json:"count"`      // lines in the shard: the size of the inner tree
	ShardRoot string       `json:"shard_root"` // hex
	Outer     []string     `json:"outer"`      // base64 hashes from the shard line to the root
}

// A ProvenLine is a line of the shard with its way to the shard's root.
type ProvenLine struct {
	Digest string   `json:"digest"` // hex
	Path   string   `json:"path"`
	Index  int64    `json:"index"`           // in the shard, from 0
	Inner  []string `json:"inner,omitempty"` // base64 hashes from the line to the shard's root
}

// Prove returns the proof that path is in the tree or, when it is not, that
// it is absent.
func (t *Tree) Prove(path string) (*Proof, error) {
	if !layout.CleanPath(path) {
		return nil, fmt.Errorf("path %q may not be in a snapshot", path)
	}
	n := shardOf(path)
	s := t.at(path)
	if t.lost != nil {
		return nil, t.lost
	}
	root := s.sum()
	p := &Proof{
		Shard:     shardName(n),
		Count:     int64(len(s.lines)),
		ShardRoot: hex.EncodeToString(root[:]),
		Outer:     encodeHashes(merkle.Prove(t.outer(), n)),
	}
	i, found := s.find(path)
	if found {
		p.Lines = []ProvenLine{s.prove(i)}
		return p, nil
	}
	p.Absent = path
	for _, j := range []int{i - 1, i} {
		if j >= 0 && j < len(s.lines) {
			p.Lines = append(p.Lines, s.prove(j))
		}
	}
	return p, nil
}

func (s *shard) prove(i int) ProvenLine {
	l := s.lines[i]
	return ProvenLine{hex.EncodeToString(l.Digest[:]), l.Path, int64(i), encodeHashes(merkle.Prove(s.hashes, i))}
}

// Verify checks the proof against a Muniment-Root. present says which of the
// two things it proves; line is the proven line, or has only the absent path.
func (p *Proof) Verify(root merkle.Hash) (present bool, line Line, err error) {
	// 1. The shard line leads to the root.
	n, err := p.verifyShard(root)
	if err != nil {
		return false, Line{}, err
	}
	// 2. Every line leads to the shard's root and belongs to the shard.
	lines := make([]Line, len(p.Lines))
	for i, l := range p.Lines {
		if lines[i], err = p.verifyLine(l, n); err != nil {
			return false, Line{}, err
		}
	}
	// 3. One line is presence.
	if p.Absent == "" {
		if len(lines) != 1 {
			return false, Line{}, fmt.Errorf("proof of presence has %d lines, want 1", len(lines))
		}
		return true, lines[0], nil
	}
	// 4. The neighbours of a gap are absence.
	if err := p.verifyGap(lines, n); err != nil {
		return false, Line{}, fmt.Errorf("proof of absence of %s: %w", p.Absent, err)
	}
	return false, Line{Path: p.Absent}, nil
}

// verifyShard returns the number of the shard that the proof is about.
func (p *Proof) verifyShard(root merkle.Hash) (int, error) {
	n := shards - 1
	if p.Shard != shardName(n) {
		if len(p.Shard) != 2 || nibble(p.Shard[0]) < 0 || nibble(p.Shard[1]) < 0 {
			return 0, fmt.Errorf("shard is %q, want two hexadecimal digits or --", p.Shard)
		}
		n = nibble(p.Shard[0])<<4 | nibble(p.Shard[1])
	}
	if p.Count < 0 {
		return 0, fmt.Errorf("shard %s has the count %d", p.Shard, p.Count)
	}
	shardRoot, err := parseHex(p.ShardRoot)
	if err != nil {
		return 0, fmt.Errorf("shard root: %w", err)
	}
	outer, err := decodeHashes(p.Outer)
	if err != nil {
		return 0, err
	}
	leaf := merkle.LeafHash([]byte(shardLine(n, p.Count, shardRoot)))
	if err := merkle.Verify(leaf, int64(n), shards, outer, root); err != nil {
		return 0, fmt.Errorf("shard %s: %w", p.Shard, err)
	}
	return n, nil
}

func (p *Proof) verifyLine(l ProvenLine, n int) (Line, error) {
	if !layout.CleanPath(l.Path) || shardOf(l.Path) != n {
		return Line{}, fmt.Errorf("line of path %q does not belong to shard %s", l.Path, p.Shard)
	}
	digest, err := parseHex(l.Digest)
	if err != nil {
		return Line{}, fmt.Errorf("line of path %s: %w", l.Path, err)
	}
	inner, err := decodeHashes(l.Inner)
	if err != nil {
		return Line{}, err
	}
	shardRoot, err := parseHex(p.ShardRoot)
	if err != nil {
		return Line{}, fmt.Errorf("shard root: %w", err)
	}
	line := Line{digest, l.Path}
	if err := merkle.Verify(merkle.LeafHash([]byte(line.String())), l.Index, p.Count, inner, shardRoot); err != nil {
		return Line{}, fmt.Errorf("line of path %s: %w", l.Path, err)
	}
	return line, nil
}

// verifyGap checks that the absent path belongs into the gap that the lines leave in shard n.
func (p *Proof) verifyGap(lines []Line, n int) error {
	switch {
	case !layout.CleanPath(p.Absent) || shardOf(p.Absent) != n:
		return fmt.Errorf("the path does not belong to shard %s", p.Shard)
	case len(lines) == 0 && p.Count == 0:
		return nil
	case len(lines) == 1 && p.Lines[0].Index == 0 && p.Absent < lines[0].Path:
		return nil
	case len(lines) == 1 && p.Lines[0].Index == p.Count-1 && p.Absent > lines[0].Path:
		return nil
	case len(lines) == 2 && p.Lines[0].Index+1 == p.Lines[1].Index && lines[0].Path < p.Absent && p.Absent < lines[1].Path:
		return nil
	}
	return errors.New("the lines given are not the neighbours of the path")
}

// maxHashes bounds a path of hashes: a tree of 2^53 lines has no longer one.
const maxHashes = 53

func encodeHashes(hashes []merkle.Hash) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = base64.StdEncoding.EncodeToString(h[:])
	}
	return out
}

func decodeHashes(list []string) ([]merkle.Hash, error) {
	if len(list) > maxHashes {
		return nil, fmt.Errorf("%d hashes, more than %d", len(list), maxHashes)
	}
	out := make([]merkle.Hash, len(list))
	for i, s := range list {
		b, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil || len(b) != len(out[i]) || base64.StdEncoding.EncodeToString(b) != s {
			return nil, fmt.Errorf("hash %q is not 32 bytes in base64", s)
		}
		copy(out[i][:], b)
	}
	return out, nil
}
