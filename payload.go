package muniment

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A content reads a payload or an original, in one file or in chunks, one of
// them at a time. In the place of io.EOF it gives an error when what was read
// is not what the id names.
type content struct {
	store *objects.Store
	id    cid.ID
	what  string // for messages: "payload of"
	blobs []objects.Hash
	next  int
	rest  []byte // of the blob being read
	size  int64  // read so far
	sum   hash.Hash
	err   error
}

// payloadContent opens an artifact's payload in tree.
func (a *Archive) payloadContent(tree objects.Hash, id cid.ID) (*content, error) {
	c, err := a.content(tree, record.ArtifactPath(id), id, "payload of")
	if err == nil && c == nil {
		err = problem(TypeNotFound, ExitNo, "muniment log shows older snapshots that may still hold it", "the payload of %s is not in this snapshot", id)
	}
	return c, err
}

// originalContent opens an accession's original in tree.
func (a *Archive) originalContent(tree objects.Hash, art *artifact, h held) (*content, error) {
	if h.rec.Original == art.id.String() {
		return a.payloadContent(tree, art.id)
	}
	id, err := cid.ParseAs(cid.Raw, h.rec.Original)
	if err != nil {
		return nil, environment(err, "original")
	}
	c, err := a.content(tree, record.OriginalPath(id), id, "original")
	if err == nil && c == nil {
		err = problem(TypeDamaged, ExitNo, restoreHint, "the original %s is absent", id)
	}
	return c, err
}

const restoreHint = "muniment repair --from REMOTE brings it back; muniment verify lists what else is damaged"

// content opens what lies at path, a file or a directory of chunks; nil means
// nothing does.
func (a *Archive) content(tree objects.Hash, path string, id cid.ID, what string) (*content, error) {
	var blobs []objects.Hash
	err := a.store.Walk(tree, path, func(at string, h objects.Hash) error {
		if at != path && at != record.ChunkPath(path, len(blobs)) {
			return problem(TypeDamaged, ExitNo, restoreHint, "the %s %s has no chunk %d: the next one lies at %s", what, id, len(blobs), at)
		}
		blobs = append(blobs, h)
		return nil
	})
	if err != nil {
		return nil, environment(err, path)
	}
	if len(blobs) == 0 {
		return nil, nil
	}
	return newContent(a.store, id, what, blobs), nil
}

// newContent returns a reader of the blobs that make up the payload or original
// id; what names it in messages, as "payload of".
func newContent(store *objects.Store, id cid.ID, what string, blobs []objects.Hash) *content {
	return &content{store: store, id: id, what: what, blobs: blobs, sum: sha256.New()}
}

// chunks returns in how many files the bytes lie.
func (c *content) chunks() int { return len(c.blobs) }

// Read implements io.Reader.
func (c *content) Read(p []byte) (int, error) {
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

// load reads the next blob, and behind the last one says how it ends.
func (c *content) load() error {
	if c.next == len(c.blobs) {
		return c.end()
	}
	kind, data, err := c.store.Get(c.blobs[c.next])
	if err != nil {
		return environment(err, fmt.Sprintf("the %s %s", c.what, c.id))
	}
	if kind != objects.Blob {
		return problem(TypeDamaged, ExitNo, restoreHint, "the %s %s is a %v, want a blob", c.what, c.id, kind)
	}
	c.next++
	c.sum.Write(data)
	c.rest = data
	c.size += int64(len(data))
	return nil
}

func (c *content) end() error {
	switch chunked := len(c.blobs) > 1; {
	case [32]byte(c.sum.Sum(nil)) != c.id.Digest():
		return problem(TypeDamaged, ExitNo, restoreHint, "the %s %s does not hash to its id", c.what, c.id)
	case chunked != (c.size > record.MaxBlob):
		return problem(TypeDamaged, ExitNo, restoreHint, "the %s %s has %d bytes in %d files: one file up to %d bytes, chunks above", c.what, c.id, c.size, len(c.blobs), record.MaxBlob)
	}
	return io.EOF
}

// Close implements io.Closer.
func (c *content) Close() error { return nil }

// whole reads all of a content that is read into memory, checked.
func (c *content) whole() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(c, canon.MaxText+1))
	if err == nil && len(data) > canon.MaxText {
		err = problem(TypeUsage, ExitUsage, "muniment cat writes it", "the %s %s has more than %d bytes, too many to be read as a text", c.what, c.id, canon.MaxText)
	}
	return data, err
}

// payload returns an artifact's payload in tree, checked against its id.
func (a *Archive) payload(tree objects.Hash, id cid.ID) ([]byte, error) {
	c, err := a.payloadContent(tree, id)
	if err != nil {
		return nil, err
	}
	return c.whole()
}
