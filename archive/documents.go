package archive

import (
	"container/list"
	"sync"

	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
)

// maxDocumentBytes bounds the texts that an archive caches: some hundred letters or a
// long book, which agents cite many times in a row.
const maxDocumentBytes = 16 << 20

// A documentKey names a text of a tree: a tree that does not have it must not find it.
type documentKey struct {
	tree objects.Hash
	id   cid.ID
}

// A documentCache holds the texts that were read last, each verified against its ID.
type documentCache struct {
	mu    sync.Mutex
	order list.List // of cachedDocument, the last used first
	at    map[documentKey]*list.Element
	bytes int
}

type cachedDocument struct {
	key documentKey
	doc *canon.Document
}

// find returns a text, nil where it is not cached.
func (c *documentCache) find(key documentKey) *canon.Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.at[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(cachedDocument).doc
}

// add caches a text, and forgets those that were not used for longest.
func (c *documentCache) add(key documentKey, doc *canon.Document) {
	size := len(doc.Payload())
	if size > maxDocumentBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[key] != nil {
		return // another goroutine was faster
	}
	if c.at == nil {
		c.at = map[documentKey]*list.Element{}
	}
	c.at[key] = c.order.PushFront(cachedDocument{key, doc})
	for c.bytes += size; c.bytes > maxDocumentBytes; {
		last := c.order.Remove(c.order.Back()).(cachedDocument)
		delete(c.at, last.key)
		c.bytes -= len(last.doc.Payload())
	}
}
