package objects

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"os"
	"runtime"
	"sync"

	"muniment/objects/flate"
	"muniment/objects/object"
	"muniment/objects/pack"
)

const (
	// batchBytes bounds the content that waits in a batch to be deflated
	// and appended. One object of MaxObject fits; Put waits for room.
	batchBytes = MaxObject

	// batchQueue bounds how many objects wait, for very small ones.
	batchQueue = 1024

	// maxWorkers bounds the deflating goroutines: beyond it the one that
	// appends is the limit.
	maxWorkers = 8
)

var errBatchEnded = errors.New("batch is published or aborted")

// A Batch collects objects into one pack (and another for each MaxPack bytes)
// that no reader sees before Publish. Put, Get and Edit may be called from any
// goroutine; memory does not grow with the content, only by some 100 bytes per
// object. Every batch ends in Publish or Abort.
type Batch struct {
	store *Store
	seed  maphash.Seed
	limit int64     // bytes of a pack: MaxPack, less in tests
	loose [256]bool // first bytes for which the store had a directory of loose objects

	life  sync.RWMutex // locked for reading by Put and Get, for writing by the end
	ended bool

	order chan *job // as Put was called; the sequencer appends in this order
	todo  chan *job // the same jobs, for the workers
	wg    sync.WaitGroup

	queue sync.Mutex // makes the two sends of a job one

	mu      sync.Mutex
	changed sync.Cond // room, an entry appended, or err
	pending int       // bytes of jobs not yet appended
	err     error     // first failure; the batch can then only be aborted
	entries map[Hash]*batchEntry
	assumed []Hash // objects not stored again because the store has them

	files sync.Mutex // guards packs and their buffers
	packs []*pack.Writer

	chunks chunkPart // chunks of large payloads
}

// A batchEntry is where an object of the batch lies.
type batchEntry struct {
	print  uint64 // keyed hash of kind and content, to tell a collision
	offset int64  // 0 until appended
	place  int32  // of its pack in packs, or see chunkPlace
}

// A job is one object on its way into the pack.
type job struct {
	hash  Hash
	kind  Kind
	data  []byte
	entry bytes.Buffer // header and zlib stream, once ready
	crc   uint32
	err   error
	ready chan struct{} // receives once, when a worker is done
	to    *batchEntry
	chunk bool // of a large payload: see chunkPart
}

// keepJob is the largest content in bytes whose buffers are used again.
const keepJob = 256 << 10

var jobs = sync.Pool{New: func() any { return &job{ready: make(chan struct{}, 1)} }}

// newJob returns a job with buffers that were used before.
func newJob(h Hash, k Kind, data []byte, to *batchEntry) *job {
	j := jobs.Get().(*job)
	j.hash, j.kind, j.to = h, k, to
	j.data = append(j.data[:0], data...)
	j.entry.Reset()
	return j
}

// recycle makes the buffers of a job available to others.
func (b *Batch) recycle(j *job) {
	if j.chunk {
		j.err, j.to = nil, nil
		b.chunks.slots <- j
		return
	}
	if cap(j.data) <= keepJob && j.entry.Cap() <= keepJob {
		j.err, j.to = nil, nil
		jobs.Put(j)
	}
}

// NewBatch begins a batch. It takes no lock and, until the first object, no
// file.
func (s *Store) NewBatch() (*Batch, error) {
	if !s.isOpen() {
		return nil, errClosed
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	b := &Batch{
		store:   s,
		seed:    maphash.MakeSeed(),
		limit:   MaxPack,
		order:   make(chan *job, batchQueue),
		todo:    make(chan *job, batchQueue),
		entries: map[Hash]*batchEntry{},
	}
	b.changed.L = &b.mu
	for i := range b.loose {
		_, err := os.Lstat(s.path("objects", fmt.Sprintf("%02x", i)))
		b.loose[i] = err == nil
	}
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		b.wg.Go(b.work)
	}
	b.wg.Go(b.sequence)
	return b, nil
}

// Put adds an object and returns its name. What the store or the batch already
// holds is not stored again, after comparing the bytes: other bytes under the
// same name are an ErrCollision, and a damaged copy in the store is replaced.
// The data is copied. Content above MaxObject is an ErrTooLarge.
func (b *Batch) Put(k Kind, data []byte) (Hash, error) {
	if !k.Valid() {
		return Hash{}, fmt.Errorf("%s is not a kind of object", k)
	}
	if len(data) > MaxObject {
		return Hash{}, fmt.Errorf("%s of %d bytes, limit %d: %w", k, len(data), MaxObject, ErrTooLarge)
	}
	h, err := SumChecked(k, data)
	if err != nil {
		return Hash{}, err
	}
	b.life.RLock()
	defer b.life.RUnlock()
	if b.hasEnded() {
		return Hash{}, errBatchEnded
	}
	print := b.print(k, data)
	if done, err := b.dedup(h, k, data, print); done || err != nil {
		return h, err
	}
	return h, b.enqueue(h, k, data, print)
}

// hasEnded reports whether the batch takes nothing more: it was published or given up,
// or NewBatch did not make it. The caller holds life.
func (b *Batch) hasEnded() bool { return b.ended || b.order == nil }

// print is a keyed hash: no content can be built to match another under it.
func (b *Batch) print(k Kind, data []byte) uint64 {
	return maphash.Bytes(b.seed, data) ^ uint64(k)
}

// dedup reports whether the batch or the store has the object.
func (b *Batch) dedup(h Hash, k Kind, data []byte, print uint64) (bool, error) {
	b.mu.Lock()
	e, err := b.entries[h], b.err
	b.mu.Unlock()
	if err != nil {
		return false, err
	}
	if e != nil {
		return true, e.same(h, print)
	}
	if !b.inStore(h) {
		return false, nil
	}
	have, old, err := b.store.Get(h)
	if err != nil {
		return false, nil // gone or damaged: store it again
	}
	if have != k || !bytes.Equal(old, data) {
		return false, fmt.Errorf("object %s is in the store with other content: %w", h, ErrCollision)
	}
	b.mu.Lock()
	b.assumed = append(b.assumed, h)
	b.mu.Unlock()
	return true, nil
}

// inStore reports whether the store has an object. It looks for loose objects
// only where there were any: a miss stores an object twice, which does no harm,
// and a look at the disk for each would be felt.
func (b *Batch) inStore(h Hash) bool {
	if b.loose[h[0]] {
		return b.store.hasOnce(h)
	}
	return b.store.isPacked(h)
}

// same refuses an object whose name the batch has for other content.
func (e *batchEntry) same(h Hash, print uint64) error {
	if e.print != print {
		return fmt.Errorf("object %s is in the batch with other content: %w", h, ErrCollision)
	}
	return nil
}

// enqueue claims the name and hands the object to the workers, waiting for
// room.
func (b *Batch) enqueue(h Hash, k Kind, data []byte, print uint64) error {
	b.mu.Lock()
	for b.err == nil && b.pending > 0 && b.pending+len(data) > batchBytes {
		b.changed.Wait()
	}
	if b.err != nil {
		defer b.mu.Unlock()
		return b.err
	}
	if e := b.entries[h]; e != nil { // another goroutine was first
		defer b.mu.Unlock()
		return e.same(h, print)
	}
	e := &batchEntry{print: print}
	b.entries[h] = e
	b.pending += len(data)
	b.mu.Unlock()
	j := newJob(h, k, data, e)
	b.queue.Lock()
	defer b.queue.Unlock()
	b.order <- j
	b.todo <- j
	return nil
}

// work deflates jobs.
func (b *Batch) work() {
	var e flate.Encoder
	for j := range b.todo {
		j.err = pack.AppendEntry(&j.entry, &e, j.kind, j.data)
		j.crc = crc32.ChecksumIEEE(j.entry.Bytes())
		j.ready <- struct{}{}
	}
}

// sequence appends entries in the order of Put. After a failure it only
// drains, so that nobody waits for ever.
func (b *Batch) sequence() {
	for j := range b.order {
		<-j.ready
		b.mu.Lock()
		stopped := b.err != nil
		b.mu.Unlock()
		err := j.err
		var place int32
		var off int64
		if err == nil && !stopped {
			place, off, err = b.append(j)
		}
		b.mu.Lock()
		switch {
		case err == nil && !stopped:
			j.to.place, j.to.offset = place, off
		case b.err == nil:
			b.err = fmt.Errorf("object %s: %w", j.hash, err)
		}
		b.pending -= len(j.data)
		b.changed.Broadcast()
		b.mu.Unlock()
		b.recycle(j)
	}
}

// append adds an entry to the last pack, or to a new one, and returns where the
// entry lies.
func (b *Batch) append(j *job) (place int32, off int64, err error) {
	b.files.Lock()
	defer b.files.Unlock()
	if j.chunk {
		return b.appendChunk(j)
	}
	entry := j.entry.Bytes()
	n := len(b.packs)
	if n == 0 || b.packs[n-1].Size()+int64(len(entry)+pack.TailSize) > b.limit {
		w, err := b.store.createPack()
		if err != nil {
			return 0, 0, err
		}
		b.packs = append(b.packs, w)
		n++
	}
	off, err = b.packs[n-1].Add(j.hash, entry, j.crc)
	return int32(n - 1), off, err
}

// Get returns an object of the batch or of the store. The caller owns the
// bytes.
func (b *Batch) Get(h Hash) (Kind, []byte, error) {
	b.life.RLock()
	defer b.life.RUnlock()
	if b.hasEnded() {
		return b.store.Get(h)
	}
	return b.get(h)
}

// get is Get for callers that have locked life.
func (b *Batch) get(h Hash) (Kind, []byte, error) {
	b.mu.Lock()
	e := b.entries[h]
	for e != nil && e.offset == 0 && b.err == nil {
		b.changed.Wait()
	}
	err := b.err
	b.mu.Unlock()
	switch {
	case err != nil:
		return 0, nil, err
	case e == nil:
		return b.store.Get(h)
	}
	b.files.Lock()
	k, data, err := b.packOf(e.place).Get(e.offset)
	b.files.Unlock()
	if err == nil {
		err = object.Check(h, k, data)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("object %s of the batch: %w", h, err)
	}
	return k, data, nil
}

// has reports whether the batch or the store holds an object.
func (b *Batch) has(h Hash) bool {
	b.mu.Lock()
	_, ok := b.entries[h]
	b.mu.Unlock()
	return ok || b.store.Has(h)
}

// Abort ends the batch and removes what it wrote. After Publish it does
// nothing, so that it can be deferred.
func (b *Batch) Abort() error {
	b.life.Lock()
	defer b.life.Unlock()
	if b.hasEnded() {
		return nil
	}
	b.fail(errBatchEnded)
	b.drain()
	return b.discard(true)
}

// fail makes err the first failure of the batch, unless it has one.
func (b *Batch) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.changed.Broadcast()
}

// drain ends the goroutines. The caller has locked life for writing.
func (b *Batch) drain() {
	b.ended = true
	close(b.order)
	close(b.todo)
	b.wg.Wait()
}

// discard removes the packs that are not published.
func (b *Batch) discard(aborted bool) error {
	var first error
	b.closeChunks(aborted)
	for _, w := range b.packs {
		if err := w.Discard(); first == nil {
			first = err
		}
	}
	b.packs = nil
	return first
}
