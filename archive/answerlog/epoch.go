package answerlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid/merkle"
	"muniment/objects/disk"
	"muniment/sign"
)

// errLost reports an epoch that cannot be continued.
var errLost = errors.New("the last checkpoint of the answer log is lost or does not fit its entries")

// An epoch is one log on disk, open for writing under the lock.
type epoch struct {
	number  int64
	dir     string
	size    int64 // entries
	entries *os.File
	hashes  *os.File
	pending []tlog.Hash // stored hashes not yet in the file
	stored  int64       // stored hashes in the file
	added   []byte      // entries not yet in the file
	closed  bool
}

// openEpoch opens an epoch, making it when it does not exist, and brings it to
// the state it would have had without a crash. The error is errLost when its
// checkpoint is missing, unreadable, of another log, or ahead of the entries.
func (l *Log) openEpoch(number int64) (*epoch, error) {
	e := &epoch{number: number, dir: filepath.Join(l.dir, strconv.FormatInt(number, 10))}
	if err := os.MkdirAll(e.dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if e.entries, err = disk.OpenPlain(filepath.Join(e.dir, "entries"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if e.hashes, err = disk.OpenPlain(filepath.Join(e.dir, "hashes"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		e.entries.Close()
		return nil, err
	}
	if err := e.recover(l); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

// recover drops a torn entry, and makes the hashes those of the entries. It
// replays the entries that stand behind the checkpoint.
func (e *epoch) recover(l *Log) error {
	info, err := e.entries.Stat()
	if err != nil {
		return err
	}
	// A torn entry was never fsynced, so nobody holds a proof of it.
	whole := info.Size() / sign.EntrySize
	if info.Size() != whole*sign.EntrySize {
		if err := e.entries.Truncate(whole * sign.EntrySize); err != nil {
			return err
		}
	}
	note, err := disk.ReadOwnPlain(filepath.Join(e.dir, "checkpoint"), sign.MaxNote)
	switch {
	case errors.Is(err, os.ErrNotExist) && whole == 0:
		return e.rebuild(0)
	case errors.Is(err, os.ErrNotExist):
		return errLost
	case err != nil:
		return err
	}
	last, err := sign.OpenCheckpoint(note, l.signer.Key())
	if err != nil || last.Origin != l.origin(e.number) || last.Size > whole {
		return errLost
	}
	// The hashes up to the checkpoint are good if they lead to its root, and those of
	// the last tile follow from its entries: a later entry rests on no other;
	// otherwise they are made again from the entries.
	info, err = e.hashes.Stat()
	if err != nil {
		return err
	}
	e.size, e.stored = last.Size, tlog.StoredHashCount(last.Size)
	if info.Size() >= e.stored*tlog.HashSize {
		if root, err := e.root(last.Size); err == nil && root == last.Root && e.holdsEdge(last.Size) {
			if err := e.hashes.Truncate(e.stored * tlog.HashSize); err != nil {
				return err
			}
			return e.replay(whole)
		}
	}
	if err := e.rebuild(last.Size); err != nil {
		return err
	}
	root, err := e.root(last.Size)
	if err != nil {
		return err
	}
	if root != last.Root {
		return errLost
	}
	return e.replay(whole)
}

// rebuild makes the hashes of the first n entries again.
func (e *epoch) rebuild(n int64) error {
	e.size, e.stored, e.pending = 0, 0, nil
	if err := e.hashes.Truncate(0); err != nil {
		return err
	}
	return e.replay(n)
}

// replay computes the hashes of the entries in the file up to the n-th.
func (e *epoch) replay(n int64) error {
	r := bufio.NewReader(io.NewSectionReader(e.entries, e.size*sign.EntrySize, (n-e.size)*sign.EntrySize))
	for e.size < n {
		var entry [sign.EntrySize]byte
		if _, err := io.ReadFull(r, entry[:]); err != nil {
			return err
		}
		if err := e.hash(entry); err != nil {
			return err
		}
		if len(e.pending) >= replayHashes {
			if err := e.flushHashes(); err != nil {
				return err
			}
		}
	}
	return e.flushHashes()
}

// replayHashes is the number of hashes that wait in memory while entries are replayed:
// 2 MiB of them, whatever a log's size.
const replayHashes = 1 << 16

// add appends an entry in memory; flush writes it.
func (e *epoch) add(entry [sign.EntrySize]byte) error {
	e.added = append(e.added, entry[:]...)
	return e.hash(entry)
}

// hash computes the stored hashes that one more entry adds.
func (e *epoch) hash(entry [sign.EntrySize]byte) error {
	hashes, err := tlog.StoredHashes(e.size, entry[:], e.reader())
	if err != nil {
		return err
	}
	e.pending = append(e.pending, hashes...)
	e.size++
	return nil
}

// flush makes the added entries durable, then writes their hashes.
func (e *epoch) flush() error {
	at := e.size*sign.EntrySize - int64(len(e.added))
	if _, err := e.entries.WriteAt(e.added, at); err != nil {
		return err
	}
	if err := e.entries.Sync(); err != nil {
		return err
	}
	if at == 0 { // the file is new, and so is its name
		for _, dir := range []string{e.dir, filepath.Dir(e.dir)} {
			if err := syncDir(dir); err != nil {
				return err
			}
		}
	}
	e.added = nil
	return e.flushHashes()
}

// flushHashes writes the stored hashes that are not yet in the file.
func (e *epoch) flushHashes() error {
	data := make([]byte, 0, len(e.pending)*tlog.HashSize)
	for _, h := range e.pending {
		data = append(data, h[:]...)
	}
	if _, err := e.hashes.WriteAt(data, e.stored*tlog.HashSize); err != nil {
		return err
	}
	e.stored += int64(len(e.pending))
	e.pending = nil
	return nil
}

// setCheckpoint replaces the signed checkpoint.
func (e *epoch) setCheckpoint(note []byte) error {
	tmp := filepath.Join(e.dir, "checkpoint.new")
	if err := disk.WritePlain(tmp, note, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(e.dir, "checkpoint"))
}

// root returns the root over the first n entries.
func (e *epoch) root(n int64) (merkle.Hash, error) {
	if n == 0 {
		return merkle.Root(nil), nil
	}
	h, err := tlog.TreeHash(n, e.reader())
	return merkle.Hash(h), err
}

// reader returns a reader of the stored hashes, in the file and in memory.
func (e *epoch) reader() tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, n := range indexes {
			switch {
			case n >= e.stored+int64(len(e.pending)):
				return nil, fmt.Errorf("stored hash %d of %d", n, e.stored+int64(len(e.pending)))
			case n >= e.stored:
				out[i] = e.pending[n-e.stored]
			default:
				if _, err := e.hashes.ReadAt(out[i][:], n*tlog.HashSize); err != nil {
					return nil, err
				}
			}
		}
		return out, nil
	})
}

// close closes the files of the epoch; a second call does nothing.
func (e *epoch) close() error {
	if e.closed {
		return nil
	}
	e.closed = true
	return errors.Join(e.entries.Close(), e.hashes.Close())
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
