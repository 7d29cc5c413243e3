package snapshot

import (
	"crypto/sha256"
	"fmt"
	"hash"

	"muniment/canon"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/snapshot/record"
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

// newStream begins a payload; text says whether it is one.
func newStream(text bool) *stream {
	s := &stream{chunks: make(chan hashedChunk), result: make(chan body)}
	go func() {
		b := newBody(text)
		for c := range s.chunks {
			b.add(c)
		}
		s.result <- b
	}()
	return s
}

// end returns the result of the reading.
func (s *stream) end() (body, error) {
	close(s.chunks)
	return <-s.result, s.err
}

// body is the result of reading a payload: its size and, when it is one blob, the bytes.
type body struct {
	data   []byte
	size   int64
	count  int
	chunks merkle.Frontier // over the chunks' digests
	text   *textReading    // of a text in chunks, where a record asks for it
	sum    hash.Hash
}

// A textReading is what a text in chunks is read for: its units, and whether it is
// in canonical form.
type textReading struct {
	units canon.Meter
	form  canon.TextCheck
}

func newBody(text bool) body {
	b := body{sum: sha256.New()}
	if text {
		b.text = &textReading{}
	}
	return b
}

// checkText requires a text in canonical form, and the units that a record states.
func (b *body) checkText(rec *record.Record) error {
	var m canon.Measure
	var form error
	if b.text != nil {
		m, form = b.text.units.Measure(), b.text.form.Err()
	} else {
		m, form = canon.MeasureText(b.data), canon.CheckText(b.data)
	}
	switch {
	case form != nil:
		return fmt.Errorf("its payload is no text in canonical form: %w", form)
	case m.Paragraphs != rec.PCount:
		return fmt.Errorf("its payload has %d paragraphs, and the record says %d", m.Paragraphs, rec.PCount)
	case m.Lines != rec.LCount:
		return fmt.Errorf("its payload has %d lines, and the record says %d", m.Lines, rec.LCount)
	}
	if err := rootHex("paragraphs", m.PRoot, rec.PRoot); err != nil {
		return err
	}
	return rootHex("lines", m.LRoot, rec.LRoot)
}

// add takes in the next chunk.
func (b *body) add(c hashedChunk) {
	b.sum.Write(c.data)
	b.size += int64(len(c.data))
	b.count++
	b.chunks.Add(merkle.LeafHash(c.digest[:]))
	if b.text != nil {
		b.text.units.Write(c.data)
		b.text.form.Write(c.data)
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
