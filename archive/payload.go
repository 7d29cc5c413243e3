package archive

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// A Content is a reader of a payload or an original, which lies in one file or in
// chunks, in the repository or in a payload store. A Content holds one chunk in memory
// at a time. Reading ends with an error in place of io.EOF where the hash of the bytes
// is not the id.
type Content struct {
	store *objects.Store
	ID    cid.ID
	what  string                      // for messages: "payload of"
	parts int                         // files, or objects of a payload store
	part  func(i int) ([]byte, error) // reads one of them
	next  int
	rest  []byte // of the blob being read
	size  int64  // read so far
	sum   hash.Hash
	err   error
}

// PayloadContent returns a reader of an artifact's payload in tree.
func (a *Repository) PayloadContent(tree objects.Hash, id cid.ID) (*Content, error) {
	c, err := a.openContent(tree, layout.ArtifactPath(id), id, "payload of")
	if err == nil && c == nil {
		err = problem.Negative(problem.NotFound, problem.Next(problem.DoLog).With("an older snapshot may still hold it"), "the payload of %s is not in this snapshot", id)
	}
	return c, err
}

// OriginalContent returns a reader of the original that the record h names.
func (a *Repository) OriginalContent(tree objects.Hash, art *holdings.Artifact, h holdings.StoredRecord) (*Content, error) {
	if h.Record == nil {
		return nil, problem.New(problem.NotFound, problem.Next(problem.DoList), "no record names an original")
	}
	if h.Record.Original == art.ID.String() {
		return a.PayloadContent(tree, art.ID)
	}
	id, err := cid.ParseAs(cid.Raw, h.Record.Original)
	if err != nil {
		return nil, problem.Wrap(err, "original")
	}
	c, err := a.openContent(tree, layout.OriginalPath(id), id, "original")
	if err == nil && c == nil {
		err = problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoListDamage), "the original %s is absent", id)
	}
	return c, err
}

// openContent returns a reader of the file or the directory of chunks at path, or
// nil when there is neither.
func (a *Repository) openContent(tree objects.Hash, path string, id cid.ID, what string) (*Content, error) {
	var blobs []objects.Hash
	err := a.Store().Walk(tree, path, func(at string, h objects.Hash) error {
		if at != path && at != layout.ChunkPath(path, len(blobs)) {
			return problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoListDamage), "the %s %s has no chunk %d: the next one lies at %s", what, id, len(blobs), at)
		}
		blobs = append(blobs, h)
		return nil
	})
	if err != nil {
		return nil, problem.Wrap(err, path)
	}
	if len(blobs) == 0 {
		p, err := a.Pointer(tree, path)
		if err != nil || p == nil {
			return nil, err
		}
		return a.PointerContent(p, id, what)
	}
	return NewContent(a.Store(), id, what, blobs), nil
}

// NewContent returns a reader of the blobs that make up the payload or original
// id; what names it in messages, as "payload of".
func NewContent(store *objects.Store, id cid.ID, what string, blobs []objects.Hash) *Content {
	c := &Content{store: store, ID: id, what: what, parts: len(blobs), sum: sha256.New()}
	c.part = func(i int) ([]byte, error) { return c.blob(blobs[i]) }
	return c
}

// FileCount returns the number of files that the bytes lie in.
func (c *Content) FileCount() int { return c.parts }

// Read implements io.Reader.
func (c *Content) Read(p []byte) (int, error) {
	for len(c.rest) == 0 && c.err == nil {
		c.err = c.load()
	}
	if len(c.rest) == 0 {
		return 0, c.err
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// load reads the next blob; behind the last one it returns the error of finish.
func (c *Content) load() error {
	if c.sum == nil {
		return io.EOF // of the zero Content, which has no bytes
	}
	if c.next == c.parts {
		return c.finish()
	}
	data, err := c.part(c.next)
	if err != nil {
		return err
	}
	c.next++
	c.sum.Write(data)
	c.rest = data
	c.size += int64(len(data))
	return nil
}

// blob returns a blob of the archive.
func (c *Content) blob(h objects.Hash) ([]byte, error) {
	kind, data, err := c.store.Get(h)
	if err != nil {
		return nil, problem.Wrap(err, fmt.Sprintf("the %s %s", c.what, c.ID))
	}
	if kind != objects.Blob {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoListDamage), "the %s %s is a %v, want a blob", c.what, c.ID, kind)
	}
	return data, nil
}

// finish returns io.EOF, or an error when the bytes read are not those of the id.
func (c *Content) finish() error {
	switch chunked := c.parts > 1; {
	case [32]byte(c.sum.Sum(nil)) != c.ID.Digest():
		return problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoListDamage), "the %s %s does not hash to its id", c.what, c.ID)
	case chunked != (c.size > layout.MaxBlob):
		return problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoListDamage), "the %s %s has %d bytes in %d files: one file up to %d bytes, chunks above", c.what, c.ID, c.size, c.parts, layout.MaxBlob)
	}
	return io.EOF
}

// Close implements io.Closer.
func (c *Content) Close() error { return nil }

// ReadAll returns the rest of the bytes, checked against the id; more than
// read.MaxText of them are an error.
func (c *Content) ReadAll() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(c, read.MaxText+1))
	if err == nil && len(data) > read.MaxText {
		err = problem.New(problem.Usage, problem.Next(problem.DoCat), "the %s %s has more than %d bytes, too many to be read as a text", c.what, c.ID, read.MaxText)
	}
	return data, err
}

// Payload returns an artifact's payload in tree, checked against its id.
func (a *Repository) Payload(tree objects.Hash, id cid.ID) ([]byte, error) {
	c, err := a.PayloadContent(tree, id)
	if err != nil {
		return nil, err
	}
	return c.ReadAll()
}
