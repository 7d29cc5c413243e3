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

// ChunkCounts says what became of the chunks given to PutChunk.
type ChunkCounts struct {
	Written int // into this batch
	Resumed int // taken over from a batch that was interrupted
	Known   int // in the store, or in this batch, before
}

// A leftEntry is an entry of a pack that a dead process left.
type leftEntry struct {
	journalEntry
	offset int64
}

// A chunkPack is a pack below incoming/ with its journal.
type chunkPack struct {
	pack    *pack.Writer
	journal *os.File           // being written; nil for one that was found
	path    string             // of the journal
	lines   int                // of the journal
	end     int64              // of the last entry that the journal names
	entries map[Hash]leftEntry // what the journal names
	used    bool               // something of it is in this batch
}

// incoming is the part of a batch that holds chunks.
type incoming struct {
	one     sync.Mutex // PutChunk runs once at a time
	opened  bool
	slots   chan *job
	packs   []*chunkPack // guarded by Batch.files
	own     int          // the pack being written, as an index + 1
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
	print := b.print(Blob, data)
	b.life.RLock()
	defer b.life.RUnlock()
	if b.over {
		return Hash{}, errBatchOver
	}
	in := &b.incoming
	in.one.Lock()
	defer in.one.Unlock()
	if in.puts == nil {
		in.puts = map[Hash]int{}
	}
	in.puts[h]++
	if done, err := b.dedup(h, Blob, data, print); done || err != nil {
		in.counts.Known++
		return h, err
	}
	if err := b.openIncoming(); err != nil {
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
	b.known[h] = j.to
	b.waiting += len(data)
	b.mu.Unlock()
	b.queue.Lock()
	defer b.queue.Unlock()
	b.order <- j
	b.todo <- j
	return h, nil
}

// DropChunks takes back chunks that PutChunk was given, once for each time:
// what nobody wants is not published with the rest.
func (b *Batch) DropChunks(list []Hash) {
	b.incoming.one.Lock()
	defer b.incoming.one.Unlock()
	for _, h := range list {
		b.incoming.puts[h]--
	}
}

// ChunkCounts returns what became of the chunks so far.
func (b *Batch) ChunkCounts() ChunkCounts {
	b.incoming.one.Lock()
	defer b.incoming.one.Unlock()
	return b.incoming.counts
}

// Interrupt ends the batch as Abort does and leaves the chunks that are
// finished in incoming/.
func (b *Batch) Interrupt() error {
	b.life.Lock()
	b.incoming.keep = true
	b.life.Unlock()
	return b.Abort()
}

// openIncoming makes room for chunks and looks for what dead processes left.
// What is damaged there is removed.
func (b *Batch) openIncoming() error {
	in := &b.incoming
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
		c, held := b.store.openChunkPack(path)
		switch {
		case c != nil:
			in.packs = append(in.packs, c)
		case held:
			b.store.removeChunkPack(path)
		}
	}
	return nil
}

// openChunkPack opens what a dead process left. Without a result, held says
// whether the files are nobody's and damaged.
func (s *Store) openChunkPack(path string) (c *chunkPack, held bool) {
	name := strings.TrimSuffix(path, journalExt)
	os.Chmod(name, 0o644) // a publish that was interrupted took the right to write away
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	if held, supported := disk.TryLock(f); !held || !supported {
		f.Close()
		return nil, false
	}
	c = &chunkPack{path: path, end: int64(pack.HeadSize), entries: map[Hash]leftEntry{}}
	data, err := readBounded(path, maxJournal*80)
	var entries []journalEntry
	if err == nil {
		entries, err = parseJournal(data)
	}
	for _, e := range entries {
		c.entries[e.hash] = leftEntry{e, c.end}
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
	c.pack.Keep = true
	return c, true
}

func (s *Store) removeChunkPack(journal string) {
	s.disk.Remove(strings.TrimSuffix(journal, journalExt))
	s.disk.Remove(journal)
}

// resume takes a chunk over from a batch that was interrupted, if one has it.
func (b *Batch) resume(h Hash, data []byte, print uint64) bool {
	b.files.Lock()
	defer b.files.Unlock()
	for i, c := range b.incoming.packs {
		e, ok := c.entries[h]
		if !ok {
			continue
		}
		if err := c.read(e, &b.incoming.scratch); err != nil || !pack.EntryHolds(b.incoming.scratch, data) {
			continue // damaged: its pack is then written anew without it
		}
		c.used = true
		c.pack.Take(pack.IndexEntry{Hash: h, Offset: e.offset, CRC: e.crc})
		b.mu.Lock()
		b.known[h] = &batchEntry{print: print, offset: e.offset, place: chunkPlace(i)}
		b.mu.Unlock()
		return true
	}
	return false
}

// read puts the bytes of an entry into buf, if they are those that were written.
func (c *chunkPack) read(e leftEntry, buf *[]byte) error {
	*buf = slices.Grow((*buf)[:0], int(e.size))[:e.size]
	if _, err := c.pack.ReadAt(*buf, e.offset); err != nil {
		return err
	}
	if crc32.ChecksumIEEE(*buf) != e.crc {
		return object.Corruptf("entry of object %s", e.hash)
	}
	return nil
}

// chunkPlace is the pack of a batchEntry that lies in incoming.
func chunkPlace(i int) int32 { return int32(-1 - i) }

// packOf returns the pack that a batchEntry names.
func (b *Batch) packOf(place int32) *pack.Writer {
	if place < 0 {
		return b.incoming.packs[-1-place].pack
	}
	return b.packs[place]
}

// appendChunk adds an entry to the pack of chunks, and then its line to the
// journal.
func (b *Batch) appendChunk(j *job) (place int32, off int64, err error) {
	in := &b.incoming
	e := journalEntry{j.hash, int64(j.entry.Len()), j.crc}
	if in.own == 0 || in.packs[in.own-1].lines == maxJournal || in.packs[in.own-1].end+e.size+int64(pack.TailSize) > b.limit {
		if err := b.newChunkPack(); err != nil {
			return 0, 0, err
		}
	}
	c := in.packs[in.own-1]
	if off, err = c.pack.Add(j.hash, j.entry.Bytes(), j.crc); err != nil {
		return 0, 0, err
	}
	if err := c.pack.Flush(); err != nil {
		return 0, 0, err
	}
	if _, err := b.store.disk.Write(c.journal, e.append(nil)); err != nil {
		return 0, 0, err
	}
	c.entries[e.hash] = leftEntry{e, c.end}
	c.lines++
	c.end += e.size
	return chunkPlace(in.own - 1), off, nil
}

func (b *Batch) newChunkPack() error {
	w, err := pack.Create(b.store.disk, b.store.path(incomingDir), b.store.packDir())
	if err != nil {
		return err
	}
	w.Keep = true
	c := &chunkPack{pack: w, path: w.Path() + journalExt, end: int64(pack.HeadSize), used: true, entries: map[Hash]leftEntry{}}
	b.incoming.packs = append(b.incoming.packs, c)
	b.incoming.own = len(b.incoming.packs)
	if err := w.Flush(); err != nil {
		return err
	}
	if c.journal, err = b.store.disk.Create(c.path, 0o644); err != nil {
		return err
	}
	_, err = b.store.disk.Write(c.journal, []byte(journalHead))
	return err
}

// takeChunks makes the packs of chunks that this batch uses into packs to be
// published. One of which not all is used is copied without the rest: what
// nobody asked for does not enter the store. It returns the journals to be
// removed when the packs have their names.
func (b *Batch) takeChunks() (journals []string, err error) {
	for _, c := range b.incoming.packs {
		if !c.used {
			continue
		}
		journals = append(journals, c.path)
		c.pack.Drop(func(e pack.IndexEntry) bool { return b.incoming.puts[e.Hash] <= 0 })
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
	w, err := pack.Create(b.store.disk, b.store.packDir(), b.store.packDir())
	if err != nil {
		return nil, err
	}
	for _, x := range c.pack.Entries() {
		err := c.read(c.entries[x.Hash], &b.incoming.scratch)
		if err == nil {
			_, err = w.Add(x.Hash, b.incoming.scratch, x.CRC)
		}
		if err != nil {
			w.Discard()
			return nil, err
		}
	}
	return w, nil
}

// closeIncoming ends the part of the batch in incoming/. What another batch may
// take over stays, unless this one wrote it and was aborted.
func (b *Batch) closeIncoming(aborted bool) {
	for _, c := range b.incoming.packs {
		c.pack.Close()
		if c.journal != nil {
			c.journal.Close()
			if aborted && !b.incoming.keep || c.lines == 0 {
				b.store.removeChunkPack(c.path)
			}
		}
	}
	b.incoming.packs = nil
}
