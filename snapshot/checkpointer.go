package snapshot

import (
	"errors"
	"fmt"
	"strings"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// A pointerFile is a pointer at its path, as it was read.
type pointerFile struct {
	at      place
	pointer *record.Pointer
	err     error // why it is none
	kept    bool  // an earlier snapshot brought it
}

// readPointer reads the pointer in a blob and checks that it is of the payload or
// original id.
func readPointer(get Getter, blob objects.Hash, id cid.ID) (*record.Pointer, []byte, error) {
	data, err := getBlob(get, blob)
	if err != nil {
		return nil, nil, err
	}
	p, err := record.ParsePointer(data)
	if err == nil && p.Payload != id.String() {
		p, err = nil, fmt.Errorf("it is the pointer to %s", p.Payload)
	}
	return p, data, err
}

// pointer reads a pointer of the job being collected and puts its line into the tree.
// Beside a pointer lies neither payload nor original.
func (v *visit) pointer(at place, blob objects.Hash) {
	p, data, err := readPointer(v.get, blob, v.job.id)
	if data == nil {
		v.incomplete = true
	} else {
		v.tree.set(Line{sum(data), at.path})
	}
	v.job.pointer = &pointerFile{at: at, pointer: p, err: err}
	v.placed, v.hasPointers = append(v.placed, at), true
}

// checkPlaces requires that a pointer replaces a payload or original and does not accompany one. It
// looks at every new payload, original and pointer.
func (v *visit) checkPlaces() {
	if !v.hasPointers && v.since == nil {
		return
	}
	for _, at := range v.placed {
		path := strings.TrimSuffix(at.path, layout.PointerPath(""))
		if _, points := v.tree.Line(layout.PointerPath(path)); !points {
			continue
		}
		_, whole := v.tree.Line(path)
		_, chunks := v.tree.Line(layout.ChunkPath(path, 0))
		if whole || chunks {
			v.count(at, errors.New("a payload or original, and a pointer to it, lie side by side"))
		}
	}
}

// countPointer counts the pointer of a job where it is new.
func (c *checker) countPointer(p *pointerFile) {
	if p == nil || p.kept {
		return
	}
	c.count(p.at, p.err)
	if p.err == nil {
		c.mu.Lock()
		c.report.Elsewhere++
		c.mu.Unlock()
	}
}

// elsewhere checks the records of a job whose bytes lie in a store: what they say
// about the payload as far as the pointer says it too.
func (c *checker) elsewhere(j job, r *blobReader) {
	p := j.pointer
	for _, f := range j.records {
		rec, err := c.record(f, j.id, r)
		if err == nil && p.err != nil {
			c.notChecked(f.at, "what the record says about its payload: "+p.err.Error())
			continue
		}
		if err == nil {
			err = comparePointer(rec, p.pointer)
		}
		c.count(f.at, err)
	}
}

// comparePointer checks a record against the pointer that replaces its payload. A text is never
// elsewhere.
func comparePointer(rec *record.Record, p *record.Pointer) error {
	root, err := p.ChunkRoot()
	switch {
	case err != nil:
		return err
	case rec.Textual():
		return errors.New("its payload is a text, and a pointer stands in its place")
	case rec.Size != p.Size:
		return fmt.Errorf("its pointer says %d bytes, and the record %d", p.Size, rec.Size)
	case rec.ChunkCount != int64(len(p.Chunks)):
		return fmt.Errorf("its pointer lists %d chunks, and the record says %d", len(p.Chunks), rec.ChunkCount)
	case rec.ChunkCount > 0:
		return rootHex("chunks", root, rec.ChunkRoot)
	}
	return nil
}

// keptPointer returns the pointer of an artifact that an earlier snapshot brought and
// this one still has, nil where it has none.
func (v *visit) keptPointer(id cid.ID) *pointerFile {
	path := layout.PointerPath(layout.ArtifactPath(id))
	at, err := lookup(v.get, v.snapshot.Tree, path)
	if err != nil || at.IsZero() {
		return nil
	}
	p, _, err := readPointer(v.get, at, id)
	return &pointerFile{at: place{v.snapshot.Seq, path}, pointer: p, err: err, kept: true}
}
