package snapshot

import (
	"crypto/sha256"
	"hash"

	"muniment/canon"
	"muniment/merkle"
	"muniment/objects"
)

// A stream reads a payload or original in chunks, one after the other: while
// one is hashed the next is read, and no more are in memory.
type stream struct {
	chunks chan hashedChunk
	result chan body
	err    error // the first chunk that could not be read
}

// A hashedChunk is a chunk and its SHA-256.
type hashedChunk struct {
	data   []byte
	digest [32]byte
}

// newStream begins a payload; units says whether it is a text.
func newStream(units bool) *stream {
	s := &stream{chunks: make(chan hashedChunk), result: make(chan body)}
	go func() {
		b := newBody(units)
		for c := range s.chunks {
			b.add(c)
		}
		s.result <- b
	}()
	return s
}

// end returns what was read.
func (s *stream) end() (body, error) {
	close(s.chunks)
	return <-s.result, s.err
}

// body is what was learned by reading a payload: its size and, when it is one
// blob, the bytes.
type body struct {
	data   []byte
	size   int64
	count  int
	chunks merkle.Frontier // over the chunks' digests
	units  *canon.Meter    // of a text in chunks, where a record asks for it
	sum    hash.Hash
}

func newBody(units bool) body {
	b := body{sum: sha256.New()}
	if units {
		b.units = &canon.Meter{}
	}
	return b
}

// add takes in the next chunk.
func (b *body) add(c hashedChunk) {
	b.sum.Write(c.data)
	b.size += int64(len(c.data))
	b.count++
	b.chunks.Add(merkle.LeafHash(c.digest[:]))
	if b.units != nil {
		b.units.Write(c.data)
	}
}

// chunk reads one chunk of the job being collected, puts its line into the
// tree, and hands it on to be hashed with the others.
func (v *visit) chunk(path string, blob objects.Hash) {
	if v.job.stream == nil {
		v.job.stream = newStream(v.textual(v.job, v.get))
	}
	data, err := getBlob(v.get, blob)
	if err != nil {
		v.incomplete = true
		if v.job.stream.err == nil {
			v.job.stream.err = err
		}
		return
	}
	digest := sum(data)
	v.tree.set(Line{digest, path})
	v.job.stream.chunks <- hashedChunk{data, digest}
}

// textual reports whether a record of the job says that the payload is a text.
// Records lie before chunks in the order of paths.
func (c *checker) textual(j job, r *blobReader) bool {
	for _, f := range j.records {
		if rec, err := c.record(f, j.id, r); err == nil && rec.Textual() {
			return true
		}
	}
	return false
}
