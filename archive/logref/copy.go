package logref

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/archive"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/sign"
	"muniment/text/legible"
)

// maxCosigned is the most witnesses of one epoch whose files are stored.
const maxCosigned = 1024

// A Copy is what a commit's tree holds of the log of one key, after every file was
// checked.
type Copy struct {
	// Files are the accepted blobs by path: of each epoch a checkpoint that the key
	// signed, the tiles and entries of its size, all of which lead to its root, and
	// checkpoints that witnesses cosigned.
	Files map[string]objects.Hash

	// Strange says which files of the tree are none of these; nil where there are none.
	Strange error

	a       *archive.Repository
	tree    objects.Hash
	key     sign.Key
	origin  func(epoch int64) string
	earlier map[earlierFile]bool // files of earlier versions that were accepted
}

// An earlierFile is a file of an earlier version of a copy, whose checkpoint has a size.
type earlierFile struct {
	path string
	blob objects.Hash
	size int64
}

// OpenCopy checks the files of a tree, by path, as those of a copy of the log of key k.
// A stranger can therefore store nothing in an archive by way of a log's ref. An epoch
// of which a tile is wrong is not accepted at all. origin returns what the checkpoints
// of an epoch begin with. The error is for a tree of which nothing is accepted.
func OpenCopy(a *archive.Repository, tree objects.Hash, files map[string]objects.Hash, k sign.Key, origin func(epoch int64) string) (*Copy, error) {
	c := &Copy{Files: map[string]objects.Hash{}, a: a, tree: tree, key: k, origin: origin, earlier: map[earlierFile]bool{}}
	epochs := map[string]bool{}
	for name := range files {
		epoch, _, _ := strings.Cut(name, "/")
		epochs[epoch] = true
	}
	for _, epoch := range slices.Sorted(maps.Keys(epochs)) {
		names, err := c.acceptEpoch(files, epoch)
		for _, name := range names {
			c.Files[name] = files[name]
		}
		if err != nil {
			c.Strange = cmp.Or(c.Strange, fmt.Errorf("%s: %w", legible.Printable(epoch), err))
		}
	}
	if n := len(files) - len(c.Files); n > 0 && c.Strange == nil {
		c.Strange = fmt.Errorf("%d files are no checkpoints, tiles or cosignatures", n)
	}
	if len(c.Files) == 0 {
		return nil, cmp.Or(c.Strange, errors.New("it holds no checkpoint"))
	}
	return c, nil
}

// acceptEpoch returns the names of the files of one epoch that belong to it. The error
// says what else is there.
func (c *Copy) acceptEpoch(files map[string]objects.Hash, epoch string) ([]string, error) {
	number, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || number < 1 || strconv.FormatInt(number, 10) != epoch {
		return nil, errors.New("it is not the number of an epoch")
	}
	point, err := c.open(number, files[epoch+"/checkpoint"])
	if err != nil {
		return nil, err
	}
	names, err := checkTiles(c.a, c.tree, epoch, 0, point)
	if err != nil {
		return nil, err
	}
	names = append(names, epoch+"/checkpoint")
	var strange error
	cosigned := 0
	for name, h := range files {
		if !strings.HasPrefix(name, epoch+"/cosigned/") {
			continue
		}
		if err := c.checkCosigned(number, name, h); err != nil {
			strange = err
		} else if cosigned++; cosigned > maxCosigned {
			return names, fmt.Errorf("more than %d witnesses", maxCosigned)
		} else {
			names = append(names, name)
		}
	}
	return names, strange
}

// open returns the checkpoint in a blob, which the key must have signed for an epoch.
func (c *Copy) open(epoch int64, blob objects.Hash) (sign.Checkpoint, error) {
	note, err := c.read(blob)
	if err != nil {
		return sign.Checkpoint{}, err
	}
	point, err := sign.OpenCheckpoint(note, c.key)
	if err == nil && point.Origin != c.origin(epoch) {
		err = fmt.Errorf("the checkpoint is of %s", legible.Printable(point.Origin))
	}
	return point, err
}

// read returns the content of a blob, of no more bytes than a tile or a note has.
func (c *Copy) read(blob objects.Hash) ([]byte, error) {
	if blob.IsZero() {
		return nil, errors.New("its checkpoint is missing")
	}
	k, data, err := c.a.Store().Get(blob)
	if err == nil && k != objects.Blob {
		err = fmt.Errorf("%s is a %s, want a blob", blob, k)
	}
	return data, err
}

// checkCosigned requires a blob to be a checkpoint of the log that the witness in its
// name cosigned.
func (c *Copy) checkCosigned(epoch int64, name string, blob objects.Hash) error {
	if _, err := c.open(epoch, blob); err != nil {
		return err
	}
	note, err := c.read(blob)
	if err == nil && !isCosignedBy(note, path.Base(name)) || strings.Count(name, "/") != 2 {
		err = fmt.Errorf("%s holds no cosignature of the witness it is named after", legible.Printable(name))
	}
	return err
}

// CheckEarlier returns an error where the files of an earlier version, by path, are not
// all of this log: of each epoch a checkpoint whose root the newest version leads to,
// tiles of its size that begin those of the newest version, and cosigned checkpoints.
func (c *Copy) CheckEarlier(files map[string]objects.Hash) error {
	points := map[string]sign.Checkpoint{}
	for name, h := range files {
		epoch, rest, _ := strings.Cut(name, "/")
		number, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || strconv.FormatInt(number, 10) != epoch {
			return fmt.Errorf("%s: it is not the number of an epoch", legible.Printable(epoch))
		}
		if rest != "checkpoint" {
			continue
		}
		if points[epoch], err = c.openEarlier(number, h); err != nil {
			return fmt.Errorf("%s: %w", legible.Printable(name), err)
		}
	}
	for name, h := range files {
		epoch, rest, _ := strings.Cut(name, "/")
		point, ok := points[epoch]
		file := earlierFile{name, h, point.Size}
		if rest == "checkpoint" || c.earlier[file] {
			continue
		}
		var err error
		switch {
		case !ok:
			err = errors.New("its epoch has no checkpoint")
		case strings.HasPrefix(rest, "cosigned/"):
			number, _ := strconv.ParseInt(epoch, 10, 64)
			err = c.checkCosigned(number, name, h)
		default:
			err = c.checkEarlierTile(epoch, rest, h, point.Size)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", legible.Printable(name), err)
		}
		c.earlier[file] = true
	}
	return nil
}

// openEarlier returns the checkpoint of an earlier version, to whose root the newest one
// must lead.
func (c *Copy) openEarlier(epoch int64, blob objects.Hash) (sign.Checkpoint, error) {
	dir := strconv.FormatInt(epoch, 10)
	newest, err := c.open(epoch, c.Files[dir+"/checkpoint"])
	if err != nil {
		return newest, err
	}
	point, err := c.open(epoch, blob)
	if err != nil || point.Size == 0 {
		return point, err
	}
	if point.Size > newest.Size {
		return point, fmt.Errorf("it has %d entries, the newest version has %d", point.Size, newest.Size)
	}
	root, _, err := NewPast(c.a, c.tree, dir, newest.Size)(point.Size, point.Size)
	if err == nil && root != point.Root {
		err = errors.New("the newest version does not lead to its root")
	}
	return point, err
}

// checkEarlierTile requires a tile or entry bundle to be one of a log of a size, and the
// beginning of what the newest version holds in its place.
func (c *Copy) checkEarlierTile(epoch, name string, blob objects.Hash, size int64) error {
	bundle, entries := strings.CutPrefix(name, "tile/entries/")
	if entries {
		name = "tile/0/" + bundle
	}
	t, err := tlog.ParseTilePath("tile/" + strconv.Itoa(sign.TileHeight) + "/" + strings.TrimPrefix(name, "tile/"))
	if err != nil {
		return err
	}
	if t.L > 63/sign.TileHeight || t.N > size {
		return fmt.Errorf("it is not of a log of %d entries", size)
	}
	count := size >> (t.L * sign.TileHeight)
	if want := min(count-t.N<<sign.TileHeight, 1<<sign.TileHeight); int64(t.W) != want {
		return fmt.Errorf("it is not of a log of %d entries", size)
	}
	data, err := c.read(blob)
	if err != nil {
		return err
	}
	newest, err := c.open(epochNumber(epoch), c.Files[epoch+"/checkpoint"])
	if err != nil {
		return err
	}
	t.W = int(min(newest.Size>>(t.L*sign.TileHeight)-t.N<<sign.TileHeight, 1<<sign.TileHeight))
	now := path.Join(epoch, sign.TilePath(t))
	if entries {
		now = entriesPath(epoch, t)
	}
	whole, err := c.read(c.Files[now])
	if err == nil && !bytes.HasPrefix(whole, data) {
		err = errors.New("it is not the beginning of what the newest version has there")
	}
	return err
}

// epochNumber returns the number that a folder is named after, 0 where it is none.
func epochNumber(dir string) int64 {
	n, _ := strconv.ParseInt(dir, 10, 64)
	return n
}

// entriesPath returns the path of the entry bundle of a tile of level 0.
func entriesPath(epoch string, t tlog.Tile) string {
	return path.Join(epoch, "tile/entries", strings.TrimPrefix(sign.TilePath(t), "tile/0/"))
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

// CheckSent returns an error where the tiles that a copy at tree has and one at remote,
// zero where there is none, lacks do not all lead to the checkpoint of their epoch, which
// the key must have signed, unless it is zero. Tiles that both have are not read.
func CheckSent(a *archive.Repository, tree, remote objects.Hash, k sign.Key) error {
	epochs, err := a.Store().Tree(tree)
	if err != nil {
		return err
	}
	for _, e := range epochs {
		if err := checkSentEpoch(a, tree, remote, e.Name, k); err != nil {
			return fmt.Errorf("epoch %s: %w", legible.Printable(e.Name), err)
		}
	}
	return nil
}

// checkSentEpoch is CheckSent for one epoch.
func checkSentEpoch(a *archive.Repository, tree, remote objects.Hash, epoch string, k sign.Key) error {
	note, err := a.File(tree, epoch+"/checkpoint")
	if err != nil {
		return err
	}
	c, err := sign.ReadCheckpoint(note)
	if err == nil && !k.IsZero() {
		c, err = sign.OpenCheckpoint(note, k)
	}
	if err != nil {
		return err
	}
	have := int64(0)
	if !remote.IsZero() {
		if note, err := a.File(remote, epoch+"/checkpoint"); err == nil && note != nil {
			if last, err := sign.ReadCheckpoint(note); err == nil && last.Size <= c.Size {
				have = last.Size
			}
		}
	}
	_, err = checkTiles(a, tree, epoch, have, c)
	return err
}

// checkTiles requires the tiles and entries that a log of size have lacks to lead to the
// root of its checkpoint, every one of them, and returns their names. It reads them, and
// the tiles between them and the root.
func checkTiles(a *archive.Repository, tree objects.Hash, epoch string, have int64, c sign.Checkpoint) ([]string, error) {
	if c.Size == 0 {
		return nil, nil
	}
	reader := tlog.TileHashReader(tlog.Tree{N: c.Size, Hash: tlog.Hash(c.Root)}, tileReader{a, tree, epoch})
	var names []string
	for _, t := range tlog.NewTiles(sign.TileHeight, have, c.Size) {
		indexes := make([]int64, t.W)
		for i := range indexes {
			indexes[i] = tlog.StoredHashIndex(t.L*sign.TileHeight, t.N<<sign.TileHeight+int64(i))
		}
		hashes, err := reader.ReadHashes(indexes)
		if err != nil {
			return nil, err
		}
		names = append(names, path.Join(epoch, sign.TilePath(t)))
		if t.L > 0 {
			continue
		}
		name := entriesPath(epoch, t)
		if err := checkEntries(a, tree, name, hashes); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// checkEntries requires a bundle of entries to be those whose hashes a tile has.
func checkEntries(a *archive.Repository, tree objects.Hash, name string, hashes []tlog.Hash) error {
	data, err := a.File(tree, name)
	if err != nil {
		return err
	}
	if len(data) != len(hashes)*(2+sign.EntrySize) {
		return fmt.Errorf("%s has %d bytes, want %d", legible.Printable(name), len(data), len(hashes)*(2+sign.EntrySize))
	}
	for i, h := range hashes {
		one := data[i*(2+sign.EntrySize):][:2+sign.EntrySize]
		if binary.BigEndian.Uint16(one) != sign.EntrySize || merkle.LeafHash(one[2:]) != merkle.Hash(h) {
			return fmt.Errorf("%s does not hold the entries of the log", legible.Printable(name))
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
