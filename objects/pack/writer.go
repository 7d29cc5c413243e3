package pack

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"muniment/objects/disk"
	"muniment/objects/flate"
	"muniment/objects/object"
)

// Patterns of temporary files, for [disk.Disk.CreateTemp]. They begin as git's
// own do: git neither reads such files nor keeps them for ever.
const (
	TempPack  = "tmp_pack_muniment_*"
	TempIndex = "tmp_idx_muniment_*"
)

// writeBehind is how many bytes of a pack wait before the disk gets them: the
// sync at the end of a large add would otherwise wait for all of them.
const writeBehind = 8 << 20

// writeBuffer is how many bytes of entries are written at a time.
const writeBuffer = 1 << 20

// A Writer appends entries to a temporary pack file. The file carries an
// advisory lock for as long as it is open, so that a sweep by another process
// can tell it from one that a dead process left. Every Writer ends in Publish,
// Discard or Close. It is used by one goroutine at a time.
type Writer struct {
	Keep  bool            // Discard leaves the file, since another file names its entries
	Avoid map[string]bool // names of packs that Publish does not take

	// Rename is the name under which Publish puts the pack, without extension; ""
	// names the pack after its checksum.
	Rename string

	disk    disk.Disk
	dir     string // where the pack will be published
	file    *os.File
	buf     *bufio.Writer // nil: a pack of another process, to which nothing is added
	size    int64         // bytes appended, with those still in buf
	begun   int64         // up to where the system was asked to write
	entries []IndexEntry
	idx     string      // path of the temporary index, once sealed
	sum     object.Hash // checksum, once sealed
}

// Create begins a pack in a temporary file in folder temp. It is published in
// folder dir of the same file system.
func Create(d disk.Disk, temp, dir string) (*Writer, error) {
	f, err := d.CreateTemp(temp, TempPack)
	if err != nil {
		return nil, err
	}
	disk.TryLock(f)
	w := &Writer{disk: d, dir: dir, file: f, buf: bufio.NewWriterSize(d.Writer(f), writeBuffer)}
	// The number of objects is filled in when it is known.
	if _, err := w.buf.WriteString(magic + "\x00\x00\x00\x00"); err != nil {
		w.Discard()
		return nil, err
	}
	w.size = int64(HeadSize)
	return w, nil
}

// Resume returns a Writer of a pack that another process left in f, whose first
// size bytes hold entries. It has none of them before [Writer.Take], takes no
// further ones, and publishes in folder dir.
func Resume(d disk.Disk, f *os.File, size int64, dir string) *Writer {
	return &Writer{disk: d, dir: dir, file: f, size: size}
}

// Path returns the path of the temporary file.
func (w *Writer) Path() string { return w.file.Name() }

// Size returns the number of bytes so far, without the checksum.
func (w *Writer) Size() int64 { return w.size }

// Len returns the number of entries.
func (w *Writer) Len() int { return len(w.entries) }

// Entries returns the entries, in the order of Add until Seal sorts them by
// name. The caller leaves them as they are.
func (w *Writer) Entries() []IndexEntry { return w.entries }

// Name returns the name under which a sealed pack is published, without extension:
// that of its checksum or, where this is one to avoid, of a digest of it.
func (w *Writer) Name() string {
	if w.Rename != "" {
		return w.Rename
	}
	for sum := w.sum; ; sum = sha1.Sum(sum[:]) {
		if name := "pack-" + sum.String(); !w.Avoid[name] {
			return name
		}
	}
}

// AppendEntry adds an object to out as an entry of its own.
func AppendEntry(out *bytes.Buffer, e *flate.Encoder, k object.Kind, data []byte) error {
	out.Grow(MaxHeader + len(data)/2)
	out.Write(Header{Type: Type(k), Size: int64(len(data))}.Append(out.AvailableBuffer()))
	return e.Append(out, data)
}

// EntryHolds reports whether an entry is a blob of exactly these bytes.
func EntryHolds(entry, data []byte) bool {
	h, err := ParseHeader(entry)
	if err != nil || object.Kind(h.Type) != object.Blob || h.Size != int64(len(data)) {
		return false
	}
	r := flate.Borrow(bytes.NewReader(entry[h.Len:]))
	defer r.Return()
	if r.Next() != nil {
		return false
	}
	var part [32 << 10]byte
	for {
		n, err := r.Read(part[:])
		if n > len(data) || !bytes.Equal(part[:n], data[:n]) {
			return false
		}
		if data = data[n:]; err != nil {
			return errors.Is(err, io.EOF) && len(data) == 0
		}
	}
}

// Add appends an entry's bytes and returns the offset of the entry.
func (w *Writer) Add(h object.Hash, entry []byte, crc uint32) (int64, error) {
	off := w.size
	if _, err := w.buf.Write(entry); err != nil {
		return 0, err
	}
	w.size += int64(len(entry))
	if out := w.size - int64(w.buf.Buffered()); out-w.begun >= writeBehind {
		disk.BeginWriting(w.file, w.begun, out-w.begun)
		w.begun = out
	}
	w.Take(IndexEntry{Hash: h, Offset: off, CRC: crc})
	return off, nil
}

// Copy adds the objects at places of another pack as [Stream.Copy] writes them.
func (w *Writer) Copy(p *File, places []Place, get GetFunc) error {
	return p.copyEntries(places, get, func(h object.Hash, entry ...[]byte) error {
		whole := slices.Concat(entry...)
		_, err := w.Add(h, whole, crc32.ChecksumIEEE(whole))
		return err
	})
}

// Take notes an entry whose bytes are already in the file.
func (w *Writer) Take(e IndexEntry) { w.entries = append(w.entries, e) }

// Drop forgets the entries for which drop reports true. Their bytes stay: a
// pack with fewer entries than the file holds cannot be sealed.
func (w *Writer) Drop(drop func(IndexEntry) bool) { w.entries = slices.DeleteFunc(w.entries, drop) }

// Flush writes buffered bytes to the file.
func (w *Writer) Flush() error {
	if w.buf == nil {
		return nil
	}
	return w.buf.Flush()
}

// ReadAt reads bytes that are in the file; those still buffered are not.
func (w *Writer) ReadAt(p []byte, off int64) (int, error) { return w.file.ReadAt(p, off) }

// Get returns the object of an entry that was added at an offset.
func (w *Writer) Get(off int64) (object.Kind, []byte, error) {
	if err := w.Flush(); err != nil {
		return 0, nil, err
	}
	h, err := w.header(off, w.size)
	if err != nil {
		return 0, nil, err
	}
	data, err := flate.ContentAt(w.file, off+int64(h.Len), w.size, h.Size)
	return object.Kind(h.Type), data, err
}

// header reads the header at an offset of the file, whose entries end at end.
func (w *Writer) header(off, end int64) (Header, error) {
	if off < int64(HeadSize) || off >= end {
		return Header{}, object.Corruptf("no entry at %d: it ends at %d", off, end)
	}
	var buf [MaxHeader]byte
	n, err := w.file.ReadAt(buf[:min(int64(len(buf)), end-off)], off)
	if err != nil && !(errors.Is(err, io.EOF) && n > 0) {
		return Header{}, err
	}
	return ParseHeader(buf[:n])
}

// restart makes the next entry begin at an offset of the file.
func (w *Writer) restart(off int64) error {
	if _, err := w.file.Seek(off, io.SeekStart); err != nil {
		return err
	}
	w.buf.Reset(w.disk.Writer(w.file))
	w.size = off
	return nil
}

// Truncate removes the bytes of the file after the entries.
func (w *Writer) Truncate() error { return w.disk.Truncate(w.file, w.size) }

// Seal finishes the pack and writes its index, both synced, both temporary.
func (w *Writer) Seal() error {
	if err := w.Flush(); err != nil {
		return err
	}
	count := binary.BigEndian.AppendUint32(nil, uint32(len(w.entries)))
	if err := w.disk.WriteAt(w.file, count, int64(len(magic))); err != nil {
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
	w.sum = object.Hash(d.Sum(nil))
	if err := w.disk.WriteAt(w.file, w.sum[:], w.size); err != nil {
		return err
	}
	if err := w.disk.Chmod(w.file, 0o444); err != nil {
		return err
	}
	if err := w.disk.Sync(w.file); err != nil {
		return err
	}
	return w.writeIndex()
}

// writeIndex writes the index, temporary and synced.
func (w *Writer) writeIndex() error {
	f, err := w.disk.CreateTemp(w.dir, TempIndex)
	if err != nil {
		return err
	}
	w.idx = f.Name()
	disk.TryLock(f)
	if _, err = w.disk.Write(f, EncodeIndex(w.entries, w.sum)); err == nil {
		err = w.disk.Chmod(f, 0o444)
	}
	if err == nil {
		err = w.disk.Sync(f)
	}
	return errors.Join(err, f.Close())
}

// Publish renames the index of a sealed pack, then the pack: git ignores an
// index without its pack, and other readers fail on the reverse. The caller
// syncs the directory.
func (w *Writer) Publish() error {
	base := filepath.Join(w.dir, w.Name())
	if err := w.disk.Rename(w.idx, base+".idx"); err != nil {
		return err
	}
	w.idx = ""
	if err := w.disk.Rename(w.file.Name(), base+".pack"); err != nil {
		if _, e := os.Stat(base + ".pack"); e != nil {
			w.disk.Remove(base + ".idx")
		}
		return err
	}
	return w.file.Close()
}

// Discard closes the pack and removes what is still temporary; with Keep the
// pack itself stays.
func (w *Writer) Discard() error {
	w.file.Close()
	var err error
	if !w.Keep {
		err = w.disk.Remove(w.file.Name())
	}
	if w.idx != "" {
		if e := w.disk.Remove(w.idx); err == nil {
			err = e
		}
	}
	return err
}

// Close closes the file and leaves it as it is.
func (w *Writer) Close() error { return w.file.Close() }
