package objects

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"muniment/objects/disk"
	"muniment/objects/flate"
	"muniment/objects/object"
	"muniment/objects/pack"
)

// Chunks of large payloads go into packs of their own below incoming/, each
// with a journal, so that a batch that was interrupted leaves them to the next
// one. See docs/spec/object.md, section Incoming.
const (
	incomingDir = "incoming"
	journalExt  = ".journal"
	journalHead = "muniment/incoming/v1\n"

	// maxJournal bounds the lines of a journal: a full pack has about a
	// thousand chunks of which most are above one megabyte.
	maxJournal = 1 << 14

	// chunkJobs is how many chunks are between PutChunk and the disk: one for
	// each core of a small machine and one more, with two buffers of 8 MiB.
	chunkJobs  = 3
	usualChunk = 8 << 20
)

// ChunkCounts counts the chunks given to PutChunk by where they were found.
type ChunkCounts struct {
	Written int // into this batch
	Resumed int // taken over from a batch that was interrupted
	Known   int // in the store, or in this batch, before
}

// A chunkEntry is an entry of a pack below incoming/.
type chunkEntry struct {
	journalEntry
	offset int64
}

// A chunkPack is a pack below incoming/ with its journal.
type chunkPack struct {
	pack    *pack.Writer
	journal *os.File            // being written; nil for one that was found
	path    string              // of the journal
	lines   int                 // of the journal
	end     int64               // of the last entry that the journal names
	entries map[Hash]chunkEntry // what the journal names
	used    bool                // something of it is in this batch
}

// A chunkPart is the part of a batch that writes chunks.
type chunkPart struct {
	mu      sync.Mutex // PutChunk runs once at a time
	opened  bool
	slots   chan *job
	packs   []*chunkPack // guarded by Batch.files
	current int          // the pack being written, as an index + 1; 0: none
	counts  ChunkCounts
	scratch []byte       // an entry of another batch's pack
	puts    map[Hash]int // how often each chunk was put, less how often it was dropped
	keep    bool         // leave finished chunks when the batch is aborted
}

// PutChunk is Put for the chunks of a large payload, as blobs. An interrupted
// batch leaves them in incoming/ (see Interrupt), where PutChunk of a later one
// finds and takes them. Memory is bounded by a few chunks.
func (b *Batch) PutChunk(data []byte) (Hash, error) {
	if len(data) > MaxObject {
		return Hash{}, fmt.Errorf("chunk of %d bytes, limit %d: %w", len(data), MaxObject, ErrTooLarge)
	}
	h, err := SumChecked(Blob, data)
	if err != nil {
		return Hash{}, err
	}
	b.life.RLock()
	defer b.life.RUnlock()
	if b.hasEnded() {
		return Hash{}, errBatchEnded
	}
	print := b.print(Blob, data)
	in := &b.chunks
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.puts == nil {
		in.puts = map[Hash]int{}
	}
	in.puts[h]++
	if done, err := b.dedup(h, Blob, data, print); done || err != nil {
		in.counts.Known++
		return h, err
	}
	if err := b.openChunks(); err != nil {
		return Hash{}, err
	}
	if b.resume(h, data, print) {
		in.counts.Resumed++
		return h, nil
	}
	in.counts.Written++
	j := <-in.slots
	if j.data == nil { // buffers that grow would leave as much again behind
		j.data = make([]byte, 0, usualChunk)
		j.entry.Grow(pack.MaxHeader + flate.StoredSize(usualChunk))
	}
	j.hash, j.kind, j.chunk = h, Blob, true
	j.data = append(j.data[:0], data...)
	j.entry.Reset()
	b.mu.Lock()
	if err := b.err; err != nil {
		b.mu.Unlock()
		in.slots <- j
		return Hash{}, err
	}
	j.to = &batchEntry{print: print}
	b.entries[h] = j.to
	b.pending += len(data)
	b.mu.Unlock()
	b.queue.Lock()
	defer b.queue.Unlock()
	b.order <- j
	b.todo <- j
	return h, nil
}

// DropChunks undoes one PutChunk for each hash of list. A chunk that is dropped
// as often as it was put is not published.
func (b *Batch) DropChunks(list []Hash) {
	b.chunks.mu.Lock()
	defer b.chunks.mu.Unlock()
	for _, h := range list {
		b.chunks.puts[h]--
	}
}

// ChunkCounts returns how many chunks were written, resumed and known so far.
func (b *Batch) ChunkCounts() ChunkCounts {
	b.chunks.mu.Lock()
	defer b.chunks.mu.Unlock()
	return b.chunks.counts
}

// Interrupt ends the batch as Abort does and leaves the chunks that are
// finished in incoming/.
func (b *Batch) Interrupt() error {
	b.life.Lock()
	b.chunks.keep = true
	b.life.Unlock()
	return b.Abort()
}

// openChunks prepares the batch for chunks and opens the packs that dead
// processes left in incoming/. Damaged ones are removed.
func (b *Batch) openChunks() error {
	in := &b.chunks
	if in.opened {
		return nil
	}
	dir := b.store.path(incomingDir)
	if err := b.store.disk.MkdirAll(b.store.dir, dir); err != nil {
		return err
	}
	in.slots = make(chan *job, chunkJobs)
	for range chunkJobs {
		in.slots <- &job{ready: make(chan struct{}, 1)}
	}
	in.opened = true
	journals, err := filepath.Glob(filepath.Join(dir, "*"+journalExt))
	if err != nil {
		return err
	}
	b.files.Lock()
	defer b.files.Unlock()
	for _, path := range journals {
		c, damaged := openChunkPack(b.store, path)
		switch {
		case c != nil:
			in.packs = append(in.packs, c)
		case damaged:
			removeChunkPack(b.store.disk, path)
		}
	}
	return nil
}

// openChunkPack opens a pack that a dead process left, and its journal. Without
// a pack, damaged reports whether the files are nobody's and of no use.
func openChunkPack(s *Store, path string) (c *chunkPack, damaged bool) {
	name := strings.TrimSuffix(path, journalExt)
	if st, err := os.Lstat(name); err == nil && st.Mode().IsRegular() {
		os.Chmod(name, 0o644) // a publish that was interrupted took the right to write away
	}
	f, err := disk.OpenPlain(name, os.O_RDWR, 0)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	if locked, supported := disk.TryLock(f); !locked || !supported {
		f.Close()
		return nil, false
	}
	c = &chunkPack{path: path, end: int64(pack.HeadSize), entries: map[Hash]chunkEntry{}}
	data, err := readBounded(path, maxJournal*80)
	var entries []journalEntry
	if err == nil {
		entries, err = parseJournal(data)
	}
	for _, e := range entries {
		c.entries[e.hash] = chunkEntry{e, c.end}
		c.end += e.size
	}
	c.lines = len(entries)
	if st, e := f.Stat(); err == nil && (e != nil || st.Size() < c.end || len(c.entries) != len(entries)) {
		err = object.Corruptf("journal of more than its pack holds")
	}
	if err != nil {
		f.Close()
		return nil, true
	}
	c.pack = pack.Resume(s.disk, f, c.end, s.packDir())
	c.pack.Keep, c.pack.Avoid = true, s.skip
	return c, true
}

// removeChunkPack removes a pack and its journal.
func removeChunkPack(d disk.Disk, journal string) {
	d.Remove(strings.TrimSuffix(journal, journalExt))
	d.Remove(journal)
}

// resume takes a chunk over from a batch that was interrupted, if one has it.
func (b *Batch) resume(h Hash, data []byte, print uint64) bool {
	b.files.Lock()
	defer b.files.Unlock()
	for i, c := range b.chunks.packs {
		e, ok := c.entries[h]
		if !ok {
			continue
		}
		if err := c.read(e, &b.chunks.scratch); err != nil || !pack.EntryHolds(b.chunks.scratch, data) {
			continue // damaged: its pack is then written anew without it
		}
		c.used = true
		c.pack.Take(pack.IndexEntry{Hash: h, Offset: e.offset, CRC: e.crc})
		b.mu.Lock()
		b.entries[h] = &batchEntry{print: print, offset: e.offset, place: chunkPlace(i)}
		b.mu.Unlock()
		return true
	}
	return false
}

// read puts the bytes of an entry into buf. The error is ErrCorrupt when they do
// not match the checksum of the journal.
func (c *chunkPack) read(e chunkEntry, buf *[]byte) error {
	*buf = slices.Grow((*buf)[:0], int(e.size))[:e.size]
	if _, err := c.pack.ReadAt(*buf, e.offset); err != nil {
		return err
	}
	if crc32.ChecksumIEEE(*buf) != e.crc {
		return object.Corruptf("entry of object %s", e.hash)
	}
	return nil
}

// chunkPlace returns the place of a batchEntry in a pack of chunks.
func chunkPlace(i int) int32 { return int32(-1 - i) }

// packOf returns the pack that a batchEntry names.
func (b *Batch) packOf(place int32) *pack.Writer {
	if place < 0 {
		return b.chunks.packs[-1-place].pack
	}
	return b.packs[place]
}

// appendChunk adds an entry to the pack of chunks, and then its line to the
// journal.
func (b *Batch) appendChunk(j *job) (place int32, off int64, err error) {
	in := &b.chunks
	e := journalEntry{j.hash, int64(j.entry.Len()), j.crc}
	if in.current == 0 || in.packs[in.current-1].lines == maxJournal || in.packs[in.current-1].end+e.size+int64(pack.TailSize) > b.limit {
		if err := b.newChunkPack(); err != nil {
			return 0, 0, err
		}
	}
	c := in.packs[in.current-1]
	if off, err = c.pack.Add(j.hash, j.entry.Bytes(), j.crc); err != nil {
		return 0, 0, err
	}
	if err := c.pack.Flush(); err != nil {
		return 0, 0, err
	}
	if _, err := b.store.disk.Write(c.journal, e.append(nil)); err != nil {
		return 0, 0, err
	}
	c.entries[e.hash] = chunkEntry{e, c.end}
	c.lines++
	c.end += e.size
	return chunkPlace(in.current - 1), off, nil
}

// newChunkPack begins a pack of chunks and its journal.
func (b *Batch) newChunkPack() error {
	w, err := pack.Create(b.store.disk, b.store.path(incomingDir), b.store.packDir())
	if err != nil {
		return err
	}
	w.Keep, w.Avoid = true, b.store.skip
	c := &chunkPack{pack: w, path: w.Path() + journalExt, end: int64(pack.HeadSize), used: true, entries: map[Hash]chunkEntry{}}
	b.chunks.packs = append(b.chunks.packs, c)
	b.chunks.current = len(b.chunks.packs)
	if err := w.Flush(); err != nil {
		return err
	}
	if c.journal, err = b.store.disk.Create(c.path, 0o644); err != nil {
		return err
	}
	_, err = b.store.disk.Write(c.journal, []byte(journalHead))
	return err
}

// chunkPacks adds the packs of chunks that this batch uses to those to be
// published. A pack with chunks that the batch does not use is copied without
// them, so that nothing unasked for enters the store. The result is the paths of
// the journals, to be removed when the packs have their names.
func (b *Batch) chunkPacks() (journals []string, err error) {
	for _, c := range b.chunks.packs {
		if !c.used {
			continue
		}
		journals = append(journals, c.path)
		c.pack.Drop(func(e pack.IndexEntry) bool { return b.chunks.puts[e.Hash] <= 0 })
		if c.pack.Len() == 0 {
			continue
		}
		w := c.pack
		if w.Len() != c.lines {
			if w, err = b.copyChunks(c); err != nil {
				return nil, err
			}
		} else if err := w.Truncate(); err != nil {
			return nil, err
		}
		b.packs = append(b.packs, w)
	}
	return journals, nil
}

// copyChunks copies the entries in use into a pack of their own.
func (b *Batch) copyChunks(c *chunkPack) (*pack.Writer, error) {
	w, err := b.store.createPack()
	if err != nil {
		return nil, err
	}
	for _, x := range c.pack.Entries() {
		err := c.read(c.entries[x.Hash], &b.chunks.scratch)
		if err == nil {
			_, err = w.Add(x.Hash, b.chunks.scratch, x.CRC)
		}
		if err != nil {
			w.Discard()
			return nil, err
		}
	}
	return w, nil
}

// closeChunks closes the packs of chunks. Those that another batch may take over
// stay, unless this batch wrote them and was aborted.
func (b *Batch) closeChunks(aborted bool) {
	for _, c := range b.chunks.packs {
		c.pack.Close()
		if c.journal != nil {
			c.journal.Close()
			if aborted && !b.chunks.keep || c.lines == 0 {
				removeChunkPack(b.store.disk, c.path)
			}
		}
	}
	b.chunks.packs = nil
}
