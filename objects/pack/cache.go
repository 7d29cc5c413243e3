package pack

import (
	"container/list"
	"io/fs"
	"os"
	"slices"
	"sync"

	"muniment/objects/object"
)

// Sizes of the cache of delta bases. A repacked archive has chains of some 50
// deltas; without a cache each object of a chain inflates all before it.
const (
	cacheBytes = 16 << 20
	cacheEntry = 2 << 20 // larger bases are rare and would evict the rest
)

type cacheKey struct {
	pack   *File
	offset int64
}

type cacheValue struct {
	key  cacheKey
	kind object.Kind
	data []byte // never modified
}

// maxOpenFiles is how many pack files stay open although nobody reads them: the
// small packs of a consolidated store, at a sixteenth of the smallest usual limit
// of open files, 256.
const maxOpenFiles = 16

// An openFile is the descriptor of a pack.
type openFile struct {
	file  *os.File
	users int // readings under way
}

// A Cache keeps what the readings of many packs share: recently used delta bases,
// at most 16 MiB, and 16 open files. The least recently used leaves first; a file
// that is being read stays open. Its methods may be called from any goroutine.
type Cache struct {
	mu    sync.Mutex
	byKey map[cacheKey]*list.Element
	order list.List // of cacheValue, most recent first
	bytes int
	files []*File // open, the most recently acquired last
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{byKey: map[cacheKey]*list.Element{}} }

func (c *Cache) get(p *File, off int64) (object.Kind, []byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[cacheKey{p, off}]
	if !ok {
		return 0, nil, false
	}
	c.order.MoveToFront(e)
	v := e.Value.(cacheValue)
	return v.kind, v.data, true
}

func (c *Cache) put(p *File, off int64, k object.Kind, data []byte) {
	if len(data) > cacheEntry {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{p, off}
	if _, ok := c.byKey[key]; ok {
		return
	}
	c.byKey[key] = c.order.PushFront(cacheValue{key, k, data})
	c.bytes += len(data)
	for c.bytes > cacheBytes {
		c.evict(c.order.Back())
	}
}

// acquire returns the descriptor of a pack until release, and opens the file unless
// it is open.
func (p *File) acquire() (*os.File, error) {
	c := p.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.closed {
		return nil, fs.ErrClosed
	}
	if p.open == nil {
		f, err := os.Open(p.path)
		if err != nil {
			return nil, err
		}
		st, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		p.size.Store(st.Size())
		p.open = &openFile{file: f}
		c.files = append(c.files, p)
		p.open.users++
		c.closeIdle()
		return f, nil
	}
	if last := len(c.files) - 1; c.files[last] != p {
		i := slices.Index(c.files, p)
		copy(c.files[i:], c.files[i+1:])
		c.files[last] = p
	}
	p.open.users++
	return p.open.file, nil
}

// release ends what acquire began.
func (p *File) release() {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	p.open.users--
	if p.closed && p.open.users == 0 {
		p.open.file.Close()
		p.open = nil
		return
	}
	p.cache.closeIdle()
}

// closeIdle closes the files above the limit that nobody reads. The caller holds
// c.mu.
func (c *Cache) closeIdle() {
	for i := 0; len(c.files) > maxOpenFiles && i < len(c.files); {
		p := c.files[i]
		if p.open.users > 0 {
			i++
			continue
		}
		p.open.file.Close()
		p.open = nil
		c.files = slices.Delete(c.files, i, i+1)
	}
}

// drop closes a pack, after the readings that are under way, and forgets its bases.
func (c *Cache) drop(p *File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.closed = true
	if i := slices.Index(c.files, p); i >= 0 {
		c.files = slices.Delete(c.files, i, i+1)
		if p.open.users == 0 {
			p.open.file.Close()
			p.open = nil
		}
	}
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(cacheValue).key.pack == p {
			c.evict(e)
		}
		e = next
	}
}

func (c *Cache) evict(e *list.Element) {
	v := c.order.Remove(e).(cacheValue)
	delete(c.byKey, v.key)
	c.bytes -= len(v.data)
}
