package objects

import (
	"container/list"
	"sync"
)

// Sizes of the cache of delta bases. A repacked archive has chains of some 50
// deltas; without a cache each object of a chain inflates all before it.
const (
	baseCacheBytes = 16 << 20
	baseCacheEntry = 2 << 20 // larger bases are rare and would evict the rest
)

type baseKey struct {
	pack   *pack
	offset int64
}

type baseValue struct {
	key  baseKey
	kind Kind
	data []byte // never modified
}

// A baseCache keeps recently used delta bases, the least recent leaving first.
type baseCache struct {
	mu    sync.Mutex
	byKey map[baseKey]*list.Element
	order list.List // of baseValue, most recent first
	bytes int
}

func newBaseCache() *baseCache { return &baseCache{byKey: map[baseKey]*list.Element{}} }

func (c *baseCache) get(p *pack, off int64) (Kind, []byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[baseKey{p, off}]
	if !ok {
		return 0, nil, false
	}
	c.order.MoveToFront(e)
	v := e.Value.(baseValue)
	return v.kind, v.data, true
}

func (c *baseCache) put(p *pack, off int64, k Kind, data []byte) {
	if len(data) > baseCacheEntry {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := baseKey{p, off}
	if _, ok := c.byKey[key]; ok {
		return
	}
	c.byKey[key] = c.order.PushFront(baseValue{key, k, data})
	c.bytes += len(data)
	for c.bytes > baseCacheBytes {
		c.evict(c.order.Back())
	}
}

// drop forgets the bases of a pack that is closed.
func (c *baseCache) drop(p *pack) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(baseValue).key.pack == p {
			c.evict(e)
		}
		e = next
	}
}

func (c *baseCache) evict(e *list.Element) {
	v := c.order.Remove(e).(baseValue)
	delete(c.byKey, v.key)
	c.bytes -= len(v.data)
}
