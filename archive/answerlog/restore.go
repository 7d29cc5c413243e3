package answerlog

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid/merkle"
	"muniment/objects/disk"
	"muniment/sign"
)

// A Published is a copy of an epoch in C2SP layout: checkpoint, tile/, tile/entries/.
type Published struct {
	Epoch int64
	Files fs.FS
}

// Restore brings back from published copies, oldest epoch first, what the folder of the
// log has lost of them, and returns in words what it did, "" where nothing was missing.
//
// Damaged entries of the last epoch are taken from its copy; the epoch goes on where they
// then lead to its own checkpoint. An epoch whose checkpoint is gone, or is older than the
// published one, is written from the copy and goes on no more: answers may have been given
// after the copy was made, and an index is never given twice. The files that were there
// are kept in a folder whose name ends in ".lost". The next answer begins the next epoch.
func (l *Log) Restore(copies []Published) (string, error) {
	if len(copies) == 0 {
		return "", nil
	}
	l.commit.Lock()
	defer l.commit.Unlock()
	unlock, err := lock(filepath.Join(l.dir, "lock"), lockWait)
	if err != nil {
		return "", fmt.Errorf("answer log: %w", err)
	}
	defer unlock()
	notice := ""
	for _, p := range copies {
		what, err := l.restore(p)
		if err != nil {
			return "", fmt.Errorf("answer log: epoch %d: %w", p.Epoch, err)
		}
		if what != "" {
			notice = what
		}
	}
	return notice, nil
}

// restore is Restore for one epoch.
func (l *Log) restore(p Published) (string, error) {
	var there sign.Checkpoint
	note, err := fs.ReadFile(p.Files, "checkpoint")
	if err == nil {
		there, err = sign.OpenCheckpoint(note, l.signer.Key())
	}
	if err == nil && there.Origin != l.origin(p.Epoch) {
		err = fmt.Errorf("its copy is of %s", there.Origin)
	}
	own, lost := l.ownCheckpoint(p.Epoch)
	if err != nil {
		if lost == nil {
			err = nil // the log is here; whoever publishes or verifies it names the copy
		}
		return "", err
	}
	last, err := l.lastEpoch()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(l.dir, strconv.FormatInt(p.Epoch, 10))
	if lost != nil || own.Size < there.Size {
		if err := restoreEpoch(dir, note, there, p.Files); err != nil {
			return "", err
		}
		next := filepath.Join(l.dir, strconv.FormatInt(max(last, p.Epoch)+1, 10))
		if last > p.Epoch {
			next = filepath.Join(l.dir, strconv.FormatInt(last, 10)) // it was begun already
		}
		if err := os.MkdirAll(next, 0o700); err != nil {
			return "", err
		}
		return fmt.Sprintf("the answer log of epoch %d was lost here: its %d entries are back from the archive, and epoch %s begins", p.Epoch, there.Size, filepath.Base(next)), syncDir(l.dir)
	}
	if p.Epoch != last {
		return "", nil
	}
	e, err := l.openEpoch(p.Epoch)
	if err == nil {
		return "", e.close()
	}
	if !errors.Is(err, errLost) {
		return "", err
	}
	if heal(dir, own, &p) != nil {
		return "", nil // Lost says that the next epoch begins
	}
	return fmt.Sprintf("damaged entries of the answer log of epoch %d are back from the archive", p.Epoch), nil
}

// ownCheckpoint returns the signed checkpoint of an epoch in the folder.
func (l *Log) ownCheckpoint(epoch int64) (sign.Checkpoint, error) {
	note, err := disk.ReadOwnPlain(filepath.Join(l.dir, strconv.FormatInt(epoch, 10), "checkpoint"), sign.MaxNote)
	if err != nil {
		return sign.Checkpoint{}, err
	}
	c, err := sign.OpenCheckpoint(note, l.signer.Key())
	if err == nil && c.Origin != l.origin(epoch) {
		err = errors.New("it is of another log")
	}
	return c, err
}

// restoreEpoch writes the folder of an epoch from a published copy. A folder that is there
// is renamed.
func restoreEpoch(dir string, note []byte, c sign.Checkpoint, files fs.FS) error {
	temp, err := os.MkdirTemp(filepath.Dir(dir), "restore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	entries, err := openEntries(temp)
	if err != nil {
		return err
	}
	err = copyEntries(entries, files, c.Size)
	if err == nil {
		err = requireRoot(entries, c)
	}
	if err = errors.Join(err, entries.Sync(), entries.Close()); err != nil {
		return err
	}
	if err := disk.WritePlain(filepath.Join(temp, "checkpoint"), note, 0o600); err != nil {
		return err
	}
	for n := 1; ; n++ {
		err := os.Rename(dir, fmt.Sprintf("%s.%d.lost", dir, n))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			break
		}
		if n == maxLost {
			return err
		}
	}
	return os.Rename(temp, dir)
}

// maxLost is the most folders of one epoch that are kept after a restoration.
const maxLost = 100

// openEntries opens the file of entries in the folder of an epoch.
func openEntries(dir string) (*os.File, error) {
	return disk.OpenPlain(filepath.Join(dir, "entries"), os.O_RDWR|os.O_CREATE, 0o600)
}

// copyEntries writes the first size entries of a published copy to the start of a file.
func copyEntries(to *os.File, files fs.FS, size int64) error {
	w := bufio.NewWriter(io.NewOffsetWriter(to, 0))
	for n := int64(0); n<<sign.TileHeight < size; n++ {
		t := tlog.Tile{H: sign.TileHeight, L: -1, N: n, W: int(min(size-n<<sign.TileHeight, 1<<sign.TileHeight))}
		data, err := fs.ReadFile(files, path.Clean(entriesPath(t)))
		if err == nil && len(data) != t.W*(2+sign.EntrySize) {
			err = fmt.Errorf("%s has %d bytes, want %d", entriesPath(t), len(data), t.W*(2+sign.EntrySize))
		}
		if err != nil {
			return err
		}
		for ; len(data) > 0; data = data[2+sign.EntrySize:] {
			if binary.BigEndian.Uint16(data) != sign.EntrySize {
				return fmt.Errorf("%s does not hold entries of %d bytes", entriesPath(t), sign.EntrySize)
			}
			if _, err := w.Write(data[2 : 2+sign.EntrySize]); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// requireRoot returns an error where entries do not lead to the root of a checkpoint.
func requireRoot(entries io.ReaderAt, c sign.Checkpoint) error {
	var root merkle.Frontier
	r := bufio.NewReader(io.NewSectionReader(entries, 0, c.Size*sign.EntrySize))
	for range c.Size {
		var entry [sign.EntrySize]byte
		if _, err := io.ReadFull(r, entry[:]); err != nil {
			return err
		}
		root.Add(merkle.LeafHash(entry[:]))
	}
	if root.Root() != c.Root {
		return errors.New("its entries do not lead to the root of its checkpoint")
	}
	return nil
}

// heal makes the files of an epoch lead to its own checkpoint again: the hashes from the
// entries and, where those are damaged too, the entries from a published copy, which may
// be nil. Entries that do not lead there afterwards are left as they were. The caller has
// the lock.
func heal(dir string, c sign.Checkpoint, p *Published) error {
	entries, err := openEntries(dir)
	if err != nil {
		return err
	}
	defer entries.Close()
	if err := requireRoot(entries, c); err != nil {
		if p == nil {
			return err
		}
		if err := patchEntries(dir, entries, c, *p); err != nil {
			return err
		}
	}
	// The next opening makes the hashes again.
	if err := os.Remove(filepath.Join(dir, "hashes")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	e := &epoch{dir: dir, entries: entries}
	if e.hashes, err = disk.OpenPlain(filepath.Join(dir, "hashes"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	defer e.hashes.Close()
	return e.rebuild(c.Size)
}

// patchEntries puts the entries of a published copy over those of an epoch.
func patchEntries(dir string, entries *os.File, c sign.Checkpoint, p Published) error {
	note, err := fs.ReadFile(p.Files, "checkpoint")
	if err != nil {
		return err
	}
	there, err := sign.ReadCheckpoint(note)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "entries-")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	info, err := entries.Stat()
	if err == nil {
		_, err = io.Copy(temp, io.NewSectionReader(entries, 0, info.Size()))
	}
	if err == nil {
		err = copyEntries(temp, p.Files, min(there.Size, c.Size))
	}
	if err == nil {
		err = requireRoot(temp, c)
	}
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.NewOffsetWriter(entries, 0), io.NewSectionReader(temp, 0, c.Size*sign.EntrySize)); err != nil {
		return err
	}
	return entries.Sync()
}

// Heal makes the files of the epoch lead to its checkpoint again, from its entries or from
// a published copy of the epoch, which may be nil. The error says why they do not.
func (s *Stored) Heal(p *Published) error {
	unlock, err := lock(filepath.Join(filepath.Dir(s.dir), "lock"), lockWait)
	if err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	defer unlock()
	if err := heal(s.dir, s.Checkpoint, p); err != nil {
		return fmt.Errorf("answer log: %w", err)
	}
	return nil
}

// holdsEdge reports whether the stored hashes of the last, partial tile of a log of size n
// follow from its entries: 255 at most are read. None of these hashes rests on an earlier tile.
func (e *epoch) holdsEdge(n int64) bool {
	first := n &^ (1<<sign.TileHeight - 1)
	begin := tlog.StoredHashCount(first)
	entries, have := make([]byte, (n-first)*sign.EntrySize), make([]byte, (tlog.StoredHashCount(n)-begin)*tlog.HashSize)
	_, errEntries := e.entries.ReadAt(entries, first*sign.EntrySize)
	_, errHashes := e.hashes.ReadAt(have, begin*tlog.HashSize)
	var made []byte
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, at := range indexes {
			copy(out[i][:], made[(at-begin)*tlog.HashSize:])
		}
		return out, nil
	})
	for i := first; i < n; i++ {
		hashes, err := tlog.StoredHashes(i, entries[(i-first)*sign.EntrySize:][:sign.EntrySize], reader)
		if err != nil {
			return false
		}
		for _, h := range hashes {
			made = append(made, h[:]...)
		}
	}
	return errEntries == nil && errHashes == nil && bytes.Equal(made, have)
}
