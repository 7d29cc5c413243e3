package archive

import (
	"container/list"
	"sync"

	"muniment/archive/holdings"
	"muniment/archive/problem"
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

// Document returns an artifact's canonical text with its units. For an artifact
// that is kept as bytes the error is of the kind InvalidLocator. Texts that were read
// last are cached.
func (a *Archive) Document(tree objects.Hash, art *holdings.Artifact) (*canon.Document, error) {
	h, ok := art.FirstRecord()
	if !ok || !h.Record.Textual() {
		return nil, problem.New(problem.InvalidLocator, problem.Next(problem.DoCat).With("add a text of it, such as a transcript, and cite that"),
			"%s has no canonical text: it is kept as bytes", art.Name())
	}
	cache, key := &a.documents, documentKey{tree, art.ID}
	if doc := cache.find(key); doc != nil {
		return doc, nil
	}
	data, err := a.Payload(tree, art.ID)
	if err != nil {
		return nil, err
	}
	doc := canon.NewDocument(data)
	cache.add(key, doc)
	return doc, nil
}
