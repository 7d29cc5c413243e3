package answerlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/objects/disk"
	"muniment/sign"
)

// Stored is one epoch of a log as it lies on disk, up to its last checkpoint.
// It is read without the key and without the lock: what a checkpoint covers
// never changes.
type Stored struct {
	KeyID      string // of the answering key, 64 hexadecimal digits
	Epoch      int64
	Note       []byte // the signed checkpoint
	Checkpoint sign.Checkpoint
	Damage     error // why the stored hashes do not lead to the checkpoint, or nil; Heal mends it
	dir        string
}

// List returns the last epoch of every log of an archive under dir, by key ID.
// Epochs without a checkpoint are left out. Signatures are not verified.
func List(dir string, archive cid.ID) ([]*Stored, error) {
	keys, err := os.ReadDir(filepath.Join(dir, archive.Hex()))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	var out []*Stored
	for _, k := range keys {
		l := &Log{dir: filepath.Join(dir, archive.Hex(), k.Name())}
		last, err := l.lastEpoch()
		if err != nil {
			return nil, fmt.Errorf("answer log: %w", err)
		}
		s := &Stored{KeyID: k.Name(), Epoch: last, dir: filepath.Join(l.dir, strconv.FormatInt(last, 10))}
		s.Note, err = disk.ReadOwnPlain(filepath.Join(s.dir, "checkpoint"), sign.MaxNote)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			s.Checkpoint, err = sign.ReadCheckpoint(s.Note)
		}
		if err != nil {
			return nil, fmt.Errorf("answer log of %s: %w", k.Name(), err)
		}
		if root, err := s.root(); err != nil || root != s.Checkpoint.Root {
			s.Damage = errors.New("its hashes do not lead to its checkpoint")
		}
		out = append(out, s)
	}
	return out, nil
}

// root returns the root that the stored hashes lead to at the checkpoint's size.
func (s *Stored) root() (merkle.Hash, error) {
	if s.Checkpoint.Size == 0 {
		return merkle.Root(nil), nil
	}
	h, err := tlog.TreeHash(s.Checkpoint.Size, s.hashes())
	return merkle.Hash(h), err
}

// hashes returns a reader of the file of stored hashes.
func (s *Stored) hashes() tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		f, err := disk.OpenPlain(filepath.Join(s.dir, "hashes"), os.O_RDONLY, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		out := make([]tlog.Hash, len(indexes))
		for i, n := range indexes {
			if _, err := f.ReadAt(out[i][:], n*tlog.HashSize); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
}

// Prove returns the proof that entry index is in the log as a checkpoint of it
// says, which may be smaller than the newest and carry cosignatures.
func (s *Stored) Prove(index int64, note []byte) (*sign.LogProof, error) {
	c, err := sign.ReadCheckpoint(note)
	if err != nil {
		return nil, err
	}
	if c.Origin != s.Checkpoint.Origin || c.Size > s.Checkpoint.Size || index < 0 || index >= c.Size {
		return nil, fmt.Errorf("answer log: no entry %d in %s of size %d", index, c.Origin, c.Size)
	}
	path, err := tlog.ProveRecord(c.Size, index, s.hashes())
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	p := &sign.LogProof{Index: index, Note: note}
	for _, h := range path {
		p.Hashes = append(p.Hashes, merkle.Hash(h))
	}
	return p, nil
}

// Consistency returns the hashes between two sizes of the log.
func (s *Stored) Consistency(from, to int64) ([]merkle.Hash, error) {
	if from < 1 || from > to || to > s.Checkpoint.Size {
		return nil, fmt.Errorf("answer log: consistency from %d to %d in a log of %d", from, to, s.Checkpoint.Size)
	}
	proof, err := tlog.ProveTree(to, from, s.hashes())
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	out := make([]merkle.Hash, len(proof))
	for i, h := range proof {
		out[i] = merkle.Hash(h)
	}
	return out, nil
}

// Past returns the root of the log at the smaller size and the hashes that lead
// to the larger one; see the type Past.
func (s *Stored) Past(from, to int64) (merkle.Hash, []merkle.Hash, error) {
	hashes, err := s.Consistency(from, to)
	if err != nil {
		return merkle.Hash{}, nil, err
	}
	root, err := tlog.TreeHash(from, s.hashes())
	return merkle.Hash(root), hashes, err
}

// Tiles calls write for every file of the C2SP tlog-tiles layout that a copy
// made at size have lacks, and remove for those that the copy has no more use for:
// tile/<level>/<number>, tile/entries/<number>, and last the checkpoint. An
// entry bundle holds for each entry its length in two bytes, big endian, and
// its 32 bytes. Each file must lead to the root of the checkpoint before it is written.
func (s *Stored) Tiles(have int64, write func(path string, data []byte) error, remove func(path string) error) error {
	if have < 0 || have > s.Checkpoint.Size {
		return fmt.Errorf("answer log: a copy of size %d of a log of %d", have, s.Checkpoint.Size)
	}
	verified := tlog.TileHashReader(tlog.Tree{N: s.Checkpoint.Size, Hash: tlog.Hash(s.Checkpoint.Root)}, storedTiles{s})
	entries, err := disk.OpenPlain(filepath.Join(s.dir, "entries"), os.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	defer entries.Close()
	tiles := tlog.NewTiles(sign.TileHeight, have, s.Checkpoint.Size)
	for _, t := range tiles {
		hashes, err := readTile(verified, t)
		if err != nil {
			return fmt.Errorf("answer log: %w", err)
		}
		var data []byte
		for _, h := range hashes {
			data = append(data, h[:]...)
		}
		if err := write(sign.TilePath(t), data); err != nil {
			return err
		}
		if t.L > 0 {
			continue
		}
		t.L = -1
		if data, err = entryBundle(entries, t, hashes); err != nil {
			return fmt.Errorf("answer log: %w", err)
		}
		if err := write(entriesPath(t), data); err != nil {
			return err
		}
	}
	kept := partialTiles(s.Checkpoint.Size)
	for _, t := range partialTiles(have) {
		if slices.Contains(kept, t) {
			continue
		}
		if err := remove(sign.TilePath(t)); err != nil {
			return err
		}
		if t.L == 0 {
			t.L = -1
			if err := remove(entriesPath(t)); err != nil {
				return err
			}
		}
	}
	return write("checkpoint", s.Note)
}

// partialTiles returns the tiles that are not full in a log of a size.
func partialTiles(size int64) []tlog.Tile {
	var out []tlog.Tile
	for level := 0; size>>(level*sign.TileHeight) > 0; level++ {
		n := size >> (level * sign.TileHeight)
		if w := n & (1<<sign.TileHeight - 1); w > 0 {
			out = append(out, tlog.Tile{H: sign.TileHeight, L: level, N: n >> sign.TileHeight, W: int(w)})
		}
	}
	return out
}

// entriesPath returns the path of the entry bundle of a tile.
func entriesPath(t tlog.Tile) string {
	return "tile/entries/" + sign.TilePath(t)[len("tile/data/"):]
}

// readTile returns the hashes of a tile.
func readTile(from tlog.HashReader, t tlog.Tile) ([]tlog.Hash, error) {
	indexes := make([]int64, t.W)
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(t.L*sign.TileHeight, t.N<<sign.TileHeight+int64(i))
	}
	return from.ReadHashes(indexes)
}

// storedTiles reads tiles from the file of stored hashes.
type storedTiles struct{ s *Stored }

// Height implements tlog.TileReader.
func (storedTiles) Height() int { return sign.TileHeight }

// ReadTiles implements tlog.TileReader.
func (r storedTiles) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	for i, t := range tiles {
		var err error
		if out[i], err = tlog.ReadTileData(t, r.s.hashes()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SaveTiles implements tlog.TileReader.
func (storedTiles) SaveTiles([]tlog.Tile, [][]byte) {}

// entryBundle returns the entry bundle of the entries under a tile, which must have the
// hashes of the tile.
func entryBundle(entries io.ReaderAt, t tlog.Tile, hashes []tlog.Hash) ([]byte, error) {
	out := make([]byte, 0, t.W*(2+sign.EntrySize))
	for i := range int64(t.W) {
		var entry [sign.EntrySize]byte
		if _, err := entries.ReadAt(entry[:], (t.N<<sign.TileHeight+i)*sign.EntrySize); err != nil {
			return nil, err
		}
		if merkle.LeafHash(entry[:]) != merkle.Hash(hashes[i]) {
			return nil, fmt.Errorf("%s: entry %d is not the one that the checkpoint covers", entriesPath(t), t.N<<sign.TileHeight+i)
		}
		out = binary.BigEndian.AppendUint16(out, sign.EntrySize)
		out = append(out, entry[:]...)
	}
	return out, nil
}

// Check reads every epoch of every log of an archive under dir again, and returns in
// words what is damaged: an epoch that is not there, a checkpoint that is missing or
// cannot be read, entries that do not lead to their checkpoint, and fewer entries than the journal has noted. key returns the
// answering key of an ID, or the zero key where it is not known: then signatures are
// not verified.
func Check(dir string, archive cid.ID, key func(id string) sign.Key) ([]string, error) {
	short, err := findShort(dir, archive)
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	var found []string
	for _, s := range short {
		found = append(found, s.String())
	}
	keys, err := os.ReadDir(filepath.Join(dir, archive.Hex()))
	if errors.Is(err, os.ErrNotExist) {
		return found, nil
	} else if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	for _, k := range keys {
		l := &Log{dir: filepath.Join(dir, archive.Hex(), k.Name())}
		last, err := l.lastEpoch()
		if err != nil {
			return nil, fmt.Errorf("answer log: %w", err)
		}
		for n := int64(1); n <= last; n++ {
			if err := checkEpoch(filepath.Join(l.dir, strconv.FormatInt(n, 10)), key(k.Name())); err != nil {
				found = append(found, fmt.Sprintf("log %.16s epoch %d: %v", k.Name(), n, err))
			}
		}
	}
	return found, nil
}

// CheckEntries returns an error where the entries of the epoch do not lead to its checkpoint.
// It reads all of them.
func (s *Stored) CheckEntries() error { return checkEpoch(s.dir, sign.Key{}) }

// checkEpoch computes the root of an epoch's entries and compares it with the
// checkpoint.
func checkEpoch(dir string, key sign.Key) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return errors.New("it is not there")
	}
	entries, err := disk.OpenPlain(filepath.Join(dir, "entries"), os.O_RDONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		if _, none := os.Lstat(filepath.Join(dir, "checkpoint")); errors.Is(none, os.ErrNotExist) {
			return nil // it was begun, and no answer was logged yet; entries that were lost are noted in the journal
		}
	}
	if err != nil {
		return err
	}
	defer entries.Close()
	info, err := entries.Stat()
	if err != nil {
		return err
	}
	note, err := disk.ReadOwnPlain(filepath.Join(dir, "checkpoint"), sign.MaxNote)
	if errors.Is(err, os.ErrNotExist) && info.Size() < sign.EntrySize {
		return nil // no answer was logged yet
	} else if err != nil {
		return err
	}
	c, err := sign.ReadCheckpoint(note)
	if err == nil && !key.IsZero() {
		c, err = sign.OpenCheckpoint(note, key)
	}
	if err != nil {
		return err
	}
	if have := info.Size() / sign.EntrySize; have < c.Size {
		return fmt.Errorf("it has %d entries, its checkpoint says %d", have, c.Size)
	}
	return requireRoot(entries, c)
}

// Lost returns in words why the last epoch cannot be continued, so that the next
// answer begins another one; "" where it can.
func (l *Log) Lost() (string, error) {
	l.commit.Lock()
	defer l.commit.Unlock()
	unlock, err := lock(filepath.Join(l.dir, "lock"), lockWait)
	if err != nil {
		return "", fmt.Errorf("answer log: %w", err)
	}
	defer unlock()
	e, last, err := l.openLast()
	switch {
	case isLost(err):
		return fmt.Sprintf("%v: epoch %d is left as it is, and epoch %d begins", err, last, last+1), nil
	case err != nil:
		return "", fmt.Errorf("answer log: %w", err)
	case last == 0:
		return "", nil
	}
	return "", e.close()
}
