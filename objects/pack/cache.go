package pack

import (
	"container/list"
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

// A Cache keeps recently used delta bases of many packs, at most 16 MiB; the
// least recently used leaves first. Its methods may be called from any goroutine.
type Cache struct {
	mu    sync.Mutex
	byKey map[cacheKey]*list.Element
	order list.List // of cacheValue, most recent first
	bytes int
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

// drop forgets the bases of a pack that is closed.
func (c *Cache) drop(p *File) {
	c.mu.Lock()
	defer c.mu.Unlock()
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
