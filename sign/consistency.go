package sign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid/merkle"
)

// MaxConsistency is the most bytes of a consistency proof: four short lines
// and the hashes of one path down and one up.
const MaxConsistency = 16 << 10

// maxConsistencyHashes is more than any two sizes below 2^63 need.
const maxConsistencyHashes = 2 * MaxLogHashes

// A Consistency shows that a log only grew between two of its sizes (RFC 6962,
// 2.1.2):
//
//	muniment/log-consistency/v1
//	origin muniment/bafk…/answers/3f…/1
//	from 5
//	to 9
//	base64 of a hash, for each step
//
// It names the log for the reader's convenience and proves nothing by itself:
// the roots come from checkpoints.
type Consistency struct {
	Origin   string
	From, To int64 // From < To
	Hashes   []merkle.Hash
}

const consistencyHead = "muniment/log-consistency/v1\n"

// IsConsistency reports whether data begins like a consistency proof.
func IsConsistency(data []byte) bool { return bytes.HasPrefix(data, []byte(consistencyHead)) }

// ParseConsistency reads the output of Encode and nothing else.
func ParseConsistency(data []byte) (*Consistency, error) {
	c, err := parseConsistency(data)
	if err != nil {
		return nil, fmt.Errorf("consistency proof: %w", err)
	}
	return c, nil
}

func parseConsistency(data []byte) (*Consistency, error) {
	if len(data) > MaxConsistency {
		return nil, fmt.Errorf("%d bytes, at most %d", len(data), MaxConsistency)
	}
	rest, ok := strings.CutPrefix(string(data), consistencyHead)
	if !ok {
		return nil, fmt.Errorf("begins with %q, want %q", clip(firstLine(data)), consistencyHead)
	}
	rest, ok = strings.CutSuffix(rest, "\n")
	lines := strings.Split(rest, "\n")
	if !ok || len(lines) < 3 || len(lines)-3 > maxConsistencyHashes {
		return nil, fmt.Errorf("%d lines after the first, want origin, from, to and at most %d hashes", len(lines), maxConsistencyHashes)
	}
	c := &Consistency{}
	var err error
	if c.Origin, ok = strings.CutPrefix(lines[0], "origin "); !ok || (Checkpoint{Origin: c.Origin, Size: 1}).check() != nil {
		return nil, fmt.Errorf("second line is %q, want origin and the name of a log", clip(lines[0]))
	}
	for i, p := range []*int64{&c.From, &c.To} {
		key := []string{"from ", "to "}[i]
		number, ok := strings.CutPrefix(lines[1+i], key)
		if *p, err = parseDecimal(number); !ok || err != nil {
			return nil, fmt.Errorf("line %d is %q, want %sand a size", 3+i, clip(lines[1+i]), key)
		}
	}
	if c.From < 1 || c.From >= c.To {
		return nil, fmt.Errorf("from %d to %d, want a size from 1 and a larger one", c.From, c.To)
	}
	for i, line := range lines[3:] {
		h, err := parseHash(line)
		if err != nil {
			return nil, fmt.Errorf("hash %d: %w", i+1, err)
		}
		c.Hashes = append(c.Hashes, h)
	}
	if !bytes.Equal(c.Encode(), data) {
		return nil, errors.New("does not encode to the same bytes")
	}
	return c, nil
}

// Encode returns the text of the proof.
func (c *Consistency) Encode() []byte {
	b := fmt.Appendf([]byte(consistencyHead), "origin %s\nfrom %d\nto %d\n", c.Origin, c.From, c.To)
	for _, h := range c.Hashes {
		b = base64.StdEncoding.AppendEncode(b, h[:])
		b = append(b, '\n')
	}
	return b
}

// CheckConsistent checks that the log at the smaller checkpoint is the
// beginning of the log at the larger one, whichever comes first. Two of one
// size must be equal, and need no hashes; the empty log begins every log.
func CheckConsistent(a, b Checkpoint, hashes []merkle.Hash) error {
	if a.Size > b.Size {
		a, b = b, a
	}
	switch {
	case a.Origin != b.Origin:
		return fmt.Errorf("log: checkpoints of %s and of %s are not of one log", clip(a.Origin), clip(b.Origin))
	case a.Size == b.Size && a.Root != b.Root:
		return fmt.Errorf("log %s: two roots at size %d: %x and %x", a.Origin, a.Size, a.Root, b.Root)
	case a.Size == b.Size || a.Size == 0:
		return nil
	}
	proof := make(tlog.TreeProof, len(hashes))
	for i, h := range hashes {
		proof[i] = tlog.Hash(h)
	}
	if err := tlog.CheckTree(proof, b.Size, tlog.Hash(b.Root), a.Size, tlog.Hash(a.Root)); err != nil {
		return fmt.Errorf("log %s: the log of size %d is not the beginning of that of size %d, or the hashes do not show it", a.Origin, a.Size, b.Size)
	}
	return nil
}

// TileHeight is the height of a tile, as in C2SP tlog-tiles: 256 hashes wide.
const TileHeight = 8

// TilePath returns the path of a tile as C2SP tlog-tiles lays it out, which
// leaves out the height.
func TilePath(t tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/", t.H))
}

// ProveFromTiles returns the hashes that show that a log of size from is the
// beginning of the one of size to, from its tiles in C2SP layout: files
// tile/<level>/<number>, and tile/<level>/<number>.p/<width> for the last ones
// of the log of size tiles. Nothing is believed: what the tiles lead to is for
// CheckConsistent to compare with signed roots.
func ProveFromTiles(dir fs.FS, tiles, from, to int64) ([]merkle.Hash, error) {
	if from < 1 || from > to || to > tiles {
		return nil, fmt.Errorf("log tiles: consistency from %d to %d in a log of %d", from, to, tiles)
	}
	proof, err := tlog.ProveTree(to, from, TileReader(dir, tiles))
	if err != nil {
		return nil, fmt.Errorf("log tiles: %w", err)
	}
	out := make([]merkle.Hash, len(proof))
	for i, h := range proof {
		out[i] = merkle.Hash(h)
	}
	return out, nil
}

// RootFromTiles returns the root that the log had at a size, from the tiles of
// a larger one.
func RootFromTiles(dir fs.FS, tiles, size int64) (merkle.Hash, error) {
	if size < 1 || size > tiles {
		return merkle.Hash{}, fmt.Errorf("log tiles: size %d in a log of %d", size, tiles)
	}
	h, err := tlog.TreeHash(size, TileReader(dir, tiles))
	return merkle.Hash(h), err
}

// TileReader reads the stored hashes of package tlog out of the tiles of a log
// of the given size.
func TileReader(dir fs.FS, size int64) tlog.HashReader {
	cache := make(map[string][]byte)
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			t := tlog.TileForIndex(TileHeight, index)
			// The file may be wider than the part that is needed: full, or as
			// wide as the log is.
			full := int64(1) << TileHeight
			if widest := (size>>(t.L*TileHeight) - t.N<<TileHeight); widest < full {
				t.W = int(max(widest, 0))
			} else {
				t.W = int(full)
			}
			name := TilePath(t)
			data, ok := cache[name]
			if !ok {
				f, err := dir.Open(name)
				if err != nil {
					return nil, err
				}
				data = make([]byte, t.W*tlog.HashSize+1)
				n, err := readUpTo(f, data)
				f.Close()
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				if n != t.W*tlog.HashSize {
					return nil, fmt.Errorf("%s: %d bytes, want %d", name, n, t.W*tlog.HashSize)
				}
				data = data[:n]
				cache[name] = data
			}
			h, err := tlog.HashFromTile(t, data, index)
			if err != nil {
				return nil, err
			}
			out[i] = h
		}
		return out, nil
	})
}

// readUpTo fills b as far as f goes.
func readUpTo(f fs.File, b []byte) (int, error) {
	n := 0
	for n < len(b) {
		m, err := f.Read(b[n:])
		n += m
		if err != nil {
			if n > 0 || errors.Is(err, fs.ErrNotExist) {
				break
			}
			return n, err
		}
	}
	return n, nil
}
