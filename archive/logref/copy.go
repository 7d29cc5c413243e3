package logref

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/archive"
	"muniment/merkle"
	"muniment/objects"
	"muniment/sign"
)

// maxCosigned is the most witnesses of one epoch whose files are stored.
const maxCosigned = 1024

// CheckCopy returns an error where a tree holds anything but a copy of the log of
// key k: for each epoch a checkpoint that k signed, the tiles and entries of its
// size, all of which lead to its root, and checkpoints that witnesses cosigned. A
// stranger can therefore store nothing in an archive by way of a log's ref.
// origin returns what the checkpoints of an epoch begin with.
func CheckCopy(a *archive.Repository, tree objects.Hash, k sign.Key, origin func(epoch int64) string) error {
	files := map[string]objects.Hash{}
	if err := a.Store().Walk(tree, "", func(name string, h objects.Hash) error {
		files[name] = h
		return nil
	}); err != nil {
		return err
	}
	epochs := map[string]int{} // files of each that were accounted for
	for name := range files {
		epoch, _, _ := strings.Cut(name, "/")
		epochs[epoch] = 0
	}
	if len(epochs) == 0 {
		return errors.New("it holds no checkpoint")
	}
	seen := 0
	for epoch := range epochs {
		n, err := checkEpochCopy(a, tree, files, epoch, k, origin)
		if err != nil {
			return fmt.Errorf("%s: %w", archive.Printable(epoch), err)
		}
		seen += n
	}
	if seen != len(files) {
		return fmt.Errorf("it holds %d files beside its checkpoints, tiles and cosignatures", len(files)-seen)
	}
	return nil
}

// checkEpochCopy checks one epoch of a copy and returns how many files of it belong
// there.
func checkEpochCopy(a *archive.Repository, tree objects.Hash, files map[string]objects.Hash, epoch string, k sign.Key, origin func(int64) string) (int, error) {
	number, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || number < 1 || strconv.FormatInt(number, 10) != epoch {
		return 0, errors.New("it is not the number of an epoch")
	}
	open := func(name string) (sign.Checkpoint, []byte, error) {
		note, err := a.File(tree, name)
		if err != nil {
			return sign.Checkpoint{}, nil, err
		}
		c, err := sign.OpenCheckpoint(note, k)
		if err == nil && c.Origin != origin(number) {
			err = fmt.Errorf("the checkpoint is of %s", archive.Printable(c.Origin))
		}
		return c, note, err
	}
	c, _, err := open(epoch + "/checkpoint")
	if err != nil {
		return 0, err
	}
	n, err := checkTiles(a, tree, epoch, c)
	if err != nil {
		return 0, err
	}
	n++
	cosigned := 0
	for name := range files {
		witness, ok := strings.CutPrefix(name, epoch+"/cosigned/")
		if !ok {
			continue
		}
		_, note, err := open(name)
		if err != nil {
			return 0, err
		}
		if cosigned++; cosigned > maxCosigned {
			return 0, fmt.Errorf("more than %d witnesses", maxCosigned)
		}
		if !isCosignedBy(note, witness) {
			return 0, fmt.Errorf("%s holds no cosignature of the witness it is named after", archive.Printable(name))
		}
	}
	return n + cosigned, nil
}

// isCosignedBy reports whether a note has a cosignature line of the witness with
// the given point, in hex.
func isCosignedBy(note []byte, witness string) bool {
	signed, err := sign.Cosignatures(note)
	if err != nil {
		return false
	}
	for _, c := range signed {
		if point := c.Key.Point(); hex.EncodeToString(point[:]) == witness {
			return true
		}
	}
	return false
}

// checkTiles requires the tiles and entries of a copy to lead to the root of its
// checkpoint, every one of them, and returns their number.
func checkTiles(a *archive.Repository, tree objects.Hash, epoch string, c sign.Checkpoint) (int, error) {
	if c.Size == 0 {
		return 0, nil
	}
	reader := tlog.TileHashReader(tlog.Tree{N: c.Size, Hash: tlog.Hash(c.Root)}, tileReader{a, tree, epoch})
	n := 0
	for _, t := range tlog.NewTiles(sign.TileHeight, 0, c.Size) {
		indexes := make([]int64, t.W)
		for i := range indexes {
			indexes[i] = tlog.StoredHashIndex(t.L*sign.TileHeight, t.N<<sign.TileHeight+int64(i))
		}
		hashes, err := reader.ReadHashes(indexes)
		if err != nil {
			return 0, err
		}
		if n++; t.L > 0 {
			continue
		}
		name := path.Join(epoch, "tile/entries", strings.TrimPrefix(sign.TilePath(t), "tile/0/"))
		if err := checkEntries(a, tree, name, hashes); err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// checkEntries requires a bundle of entries to be those whose hashes a tile has.
func checkEntries(a *archive.Repository, tree objects.Hash, name string, hashes []tlog.Hash) error {
	data, err := a.File(tree, name)
	if err != nil {
		return err
	}
	if len(data) != len(hashes)*(2+sign.EntrySize) {
		return fmt.Errorf("%s has %d bytes, want %d", archive.Printable(name), len(data), len(hashes)*(2+sign.EntrySize))
	}
	for i, h := range hashes {
		one := data[i*(2+sign.EntrySize):][:2+sign.EntrySize]
		if binary.BigEndian.Uint16(one) != sign.EntrySize || merkle.LeafHash(one[2:]) != merkle.Hash(h) {
			return fmt.Errorf("%s does not hold the entries of the log", archive.Printable(name))
		}
	}
	return nil
}

// A tileReader reads tiles from a git tree.
type tileReader struct {
	a     *archive.Repository
	tree  objects.Hash
	epoch string
}

// Height implements tlog.TileReader.
func (tileReader) Height() int { return sign.TileHeight }

// ReadTiles implements tlog.TileReader.
func (r tileReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	for i, t := range tiles {
		data, err := r.a.File(r.tree, path.Join(r.epoch, sign.TilePath(t)))
		if err != nil {
			return nil, err
		}
		if len(data) != t.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes, want %d", sign.TilePath(t), len(data), t.W*tlog.HashSize)
		}
		out[i] = bytes.Clone(data)
	}
	return out, nil
}

// SaveTiles implements tlog.TileReader.
func (tileReader) SaveTiles([]tlog.Tile, [][]byte) {}
