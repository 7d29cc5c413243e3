package objects

import (
	"bufio"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Names of temporary files begin as git's own do: git neither
// reads them nor keeps them for ever.
const (
	tempPack = "tmp_pack_muniment_*"
	tempIdx  = "tmp_idx_muniment_*"
)

// writeBehind is how many bytes of a pack wait before the disk gets them: the
// sync at the end of a large add would otherwise wait for all of them.
const writeBehind = 8 << 20

// A packWriter appends entries to a temporary pack file. The file carries an
// advisory lock for as long as it is open, so that a sweep by another process
// can tell it from one that a dead process left.
type packWriter struct {
	disk  disk
	dir   string // where it will be published
	file  *os.File
	buf   *bufio.Writer
	size  int64 // bytes appended, with those still in buf
	begun int64 // up to where the system was asked to write
	index []indexEntry
	idx   string // temporary index file, once sealed
	sum   Hash   // checksum, once sealed
	keep  bool   // discard leaves the file: a journal tells what is in it
}

// diskWriter sends a buffer's writes through the seam.
type diskWriter struct {
	disk disk
	file *os.File
}

func (w diskWriter) Write(p []byte) (int, error) { return w.disk.write(w.file, p) }

func newPackWriter(d disk, dir string) (*packWriter, error) { return newPackWriterIn(d, dir, dir) }

// newPackWriterIn makes the file in another directory of the same file system
// than the one where the pack is to be published.
func newPackWriterIn(d disk, in, dir string) (*packWriter, error) {
	f, err := d.createTemp(in, tempPack)
	if err != nil {
		return nil, err
	}
	tryFlock(f)
	w := &packWriter{disk: d, dir: dir, file: f, buf: bufio.NewWriterSize(diskWriter{d, f}, 1<<20)}
	// The count is filled in when it is known.
	if _, err := w.buf.WriteString(packMagic + "\x00\x00\x00\x00"); err != nil {
		w.discard()
		return nil, err
	}
	w.size = int64(packHead)
	return w, nil
}

// add appends an entry's bytes and returns its offset.
func (w *packWriter) add(h Hash, entry []byte, crc uint32) (int64, error) {
	off := w.size
	if _, err := w.buf.Write(entry); err != nil {
		return 0, err
	}
	w.size += int64(len(entry))
	if out := w.size - int64(w.buf.Buffered()); out-w.begun >= writeBehind {
		beginWriting(w.file, w.begun, out-w.begun)
		w.begun = out
	}
	w.index = append(w.index, indexEntry{hash: h, offset: off, crc: crc})
	return off, nil
}

// read returns an object that was added.
func (w *packWriter) read(off int64) (Kind, []byte, error) {
	if w.buf != nil { // nil: nothing more is written
		if err := w.buf.Flush(); err != nil {
			return 0, nil, err
		}
	}
	return readEntry(w.file, off, w.size)
}

// seal finishes the pack and writes its index, both synced, both temporary.
func (w *packWriter) seal() error {
	if w.buf != nil {
		if err := w.buf.Flush(); err != nil {
			return err
		}
	}
	count := binary.BigEndian.AppendUint32(nil, uint32(len(w.index)))
	if err := w.disk.writeAt(w.file, count, int64(len(packMagic))); err != nil {
		return err
	}
	// The checksum covers the count, so it starts over from the first byte;
	// this doubles as a look at what the file really holds.
	// It names no content, so nobody gains by two packs with one checksum.
	d := sha1.New()
	if n, err := io.Copy(d, io.NewSectionReader(w.file, 0, w.size)); err != nil {
		return err
	} else if n != w.size {
		return fmt.Errorf("pack %s has %d bytes, wrote %d", w.file.Name(), n, w.size)
	}
	w.sum = Hash(d.Sum(nil))
	if err := w.disk.writeAt(w.file, w.sum[:], w.size); err != nil {
		return err
	}
	if err := w.disk.chmod(w.file, 0o444); err != nil {
		return err
	}
	if err := w.disk.sync(w.file); err != nil {
		return err
	}
	return w.sealIndex()
}

func (w *packWriter) sealIndex() error {
	f, err := w.disk.createTemp(w.dir, tempIdx)
	if err != nil {
		return err
	}
	w.idx = f.Name()
	tryFlock(f)
	if _, err = w.disk.write(f, encodeIndex(w.index, w.sum)); err == nil {
		err = w.disk.chmod(f, 0o444)
	}
	if err == nil {
		err = w.disk.sync(f)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// publish renames the index, then the pack: git ignores an index without its
// pack, and other readers fail on the reverse. The directory is synced by the
// caller.
func (w *packWriter) publish() error {
	base := filepath.Join(w.dir, "pack-"+w.sum.String())
	if err := w.disk.rename(w.idx, base+".idx"); err != nil {
		return err
	}
	w.idx = ""
	if err := w.disk.rename(w.file.Name(), base+".pack"); err != nil {
		if _, e := os.Stat(base + ".pack"); e != nil {
			w.disk.remove(base + ".idx")
		}
		return err
	}
	return w.file.Close()
}

// discard removes what is still temporary.
func (w *packWriter) discard() error {
	w.file.Close()
	var err error
	if !w.keep {
		err = w.disk.remove(w.file.Name())
	}
	if w.idx != "" {
		if e := w.disk.remove(w.idx); err == nil {
			err = e
		}
	}
	return err
}
