package snapshot

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// A visit is the walk over the files that are new in one snapshot.
type visit struct {
	*checker
	snapshot *Snapshot
	jobs     chan<- job
	job      job // being collected: one artifact with its records

	placed    []place  // payloads, originals and pointers that are new
	withdrawn []cid.ID // artifacts that have, or had, a withdrawal and of which something is new
}

// file takes in one file that was added, replaced or removed.
func (v *visit) file(path string, old, blob objects.Hash) error {
	kind, ids := layout.ClassifyPath(path)
	v.artifacts += artifactChange(path, old, blob)
	if blob.IsZero() {
		v.tree.remove(path)
		return nil
	}
	at := place{v.snapshot.Seq, path}
	if kind == layout.KindWithdrawn {
		v.withdrawals = true
	}
	if v.withdrawals && len(ids) > 0 {
		if _, known := v.tree.Line(layout.WithdrawnPath(ids[0])); known || kind == layout.KindWithdrawn {
			v.withdrawn = append(v.withdrawn, ids[0])
		}
	}
	switch kind {
	default:
		v.flush()
		v.small(kind, ids, at, blob)
		return nil
	case layout.KindPayload, layout.KindPayloadChunk, layout.KindRecord:
		v.collect(artifactJob, ids[0])
	case layout.KindOriginal, layout.KindOriginalChunk:
		v.collect(originalJob, ids[0])
		v.originals[ids[0].Digest()] = true
	case layout.KindPointer:
		v.collect(artifactJob, ids[0])
		v.pointer(at, blob)
		return nil
	case layout.KindOriginalPointer:
		v.collect(originalJob, ids[0])
		v.originals[ids[0].Digest()] = true
		v.pointer(at, blob)
		return nil
	}
	switch kind {
	case layout.KindRecord:
		v.job.records = append(v.job.records, file{at, blob, ids[1]})
	default:
		v.job.blobs = append(v.job.blobs, file{at, blob, ids[0]})
		if len(v.job.blobs) == 1 {
			v.placed = append(v.placed, place{at.seq, strings.TrimSuffix(path, layout.ChunkPath("", 0))})
		}
	}
	if kind == layout.KindPayloadChunk || kind == layout.KindOriginalChunk {
		v.chunk(path, blob)
	} else { // the path carries the digest
		v.tree.set(Line{ids[len(ids)-1].Digest(), path})
	}
	return nil
}

// collect begins a job for id unless it is the one being collected.
func (v *visit) collect(what jobKind, id cid.ID) {
	if v.job.what == what && v.job.id == id {
		return
	}
	v.flush()
	v.job = job{what: what, id: id}
}

// flush sends the collected job.
func (v *visit) flush() {
	if v.job.what == 0 {
		return
	}
	hashes := make([]objects.Hash, len(v.job.blobs))
	for i, f := range v.job.blobs {
		hashes[i] = f.blob
	}
	digest := v.job.id.Digest()
	switch {
	case v.job.what == originalJob:
		v.job.payload = hashes
	case len(hashes) > 0:
		v.payloads[digest] = hashes
		v.job.payload = hashes
	default:
		v.job.payload = v.payloads[digest]
		if v.job.payload == nil && v.since != nil {
			v.job.payload = v.keptPayload(v.job.id)
		}
		if v.job.payload == nil && v.job.pointer == nil {
			v.job.pointer = v.keptPointer(v.job.id)
		}
	}
	if v.job.stream != nil {
		v.job.read, v.job.failed = v.job.stream.end()
	}
	v.jobs <- v.job
	v.job = job{}
}

// finish applies the rules that need the whole snapshot: archive.json is the one that names the
// archive, .gitattributes is there, and a withdrawn artifact has neither payload nor record.
func (v *visit) finish() {
	if digest, _ := v.digestOf(layout.PathArchive); digest != v.snapshot.Archive.Digest() && !v.incomplete {
		v.count(place{v.snapshot.Seq, layout.PathArchive}, fmt.Errorf("it is not the file that the archive id %s names", v.snapshot.Archive))
	}
	if _, there := v.digestOf(layout.PathAttributes); !there && !v.incomplete {
		v.count(place{v.snapshot.Seq, layout.PathAttributes}, errors.New("it is missing, and a checkout may change bytes"))
	}
	v.checkPlaces()
	for _, id := range slices.Compact(v.withdrawn) {
		path := layout.ArtifactPath(id)
		if _, there := v.tree.Line(layout.WithdrawnPath(id)); !there {
			continue
		}
		for _, l := range v.tree.under(path) {
			switch kind, _ := layout.ClassifyPath(l.Path); kind {
			case layout.KindPayload, layout.KindPayloadChunk, layout.KindPointer, layout.KindRecord:
				v.count(place{v.snapshot.Seq, l.Path}, errors.New("it lies beside a withdrawal"))
			}
		}
	}
}

// digestOf returns the sha256 of a file of the snapshot, and whether the file is there.
// Of a shard that is away the file is read: the lines of the last shard lie in all
// directories.
func (v *visit) digestOf(path string) (digest [32]byte, there bool) {
	if !v.tree.shard[shardOf(path)].away {
		l, there := v.tree.Line(path)
		return l.Digest, there
	}
	h, err := lookup(v.get, v.snapshot.Tree, path)
	if err != nil || h.IsZero() {
		return digest, false
	}
	data, err := getBlob(v.get, h)
	if err != nil {
		return digest, false
	}
	return sum(data), true
}

// want notes that a record names an original of its own.
func (c *checker) want(original, artifact cid.ID, f file) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.named = append(c.named, namedOriginal{original.Digest(), artifact, f.id})
	if _, known := c.wanted[original.Digest()]; !known {
		c.wanted[original.Digest()] = f.at
	}
}

// rootHex compares a root with the one that a record states.
func rootHex(what string, root merkle.Hash, stated string) error {
	if got := hex.EncodeToString(root[:]); got != stated {
		return fmt.Errorf("its %s give the root %s, and the record says %s", what, got, stated)
	}
	return nil
}
