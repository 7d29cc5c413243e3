package sign

import (
	"fmt"
	"io/fs"

	"muniment/cid/merkle"
)

// A Pathfinder finds the hashes between two sizes of a log: in proofs that
// somebody sent, or in tiles. Its zero value finds nothing. What it finds is
// to be checked with CheckConsistent.
type Pathfinder struct {
	Proofs []*Consistency
	Tiles  fs.FS // folder of one log in C2SP tlog-tiles layout, or nil
}

// Find returns the hashes between two sizes of the log named by origin, the
// smaller first.
func (p Pathfinder) Find(origin string, from, to int64) ([]merkle.Hash, error) {
	for _, c := range p.Proofs {
		if c.Origin == origin && c.From == from && c.To == to {
			return c.Hashes, nil
		}
	}
	if p.Tiles == nil {
		return nil, fmt.Errorf("log %s: no proof from size %d to %d is at hand", origin, from, to)
	}
	// The tiles are of the checkpoint that lies beside them, or else of a log
	// of the larger size.
	size := to
	if note, err := fs.ReadFile(p.Tiles, "checkpoint"); err == nil && len(note) <= MaxNote {
		if n, err := parseNote(note); err == nil && n.checkpoint.Origin == origin {
			size = max(size, n.checkpoint.Size)
		}
	}
	return ProveFromTiles(p.Tiles, size, from, to)
}
