package snapshot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cite"
	"muniment/cite/review"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

type jobKind int

const (
	artifactJob jobKind = iota + 1 // a payload, its records, or both
	originalJob
)

// A job is what one worker reads at a time.
type job struct {
	what    jobKind
	id      cid.ID       // of the artifact or original
	blobs   []file       // new: one file, or its chunks in order
	pointer *pointerFile // in the place of the payload; new, or kept where records are new
	records []file       // new records of the artifact
	payload []objects.Hash

	stream *stream // of blobs that are chunks: they are read by the goroutine that walks
	read   body    // what the stream found
	failed error
}

// A file is a blob at its path with the ID that the path carries.
type file struct {
	at   place
	blob objects.Hash
	id   cid.ID
}

// run checks the files of a job, reading with r.
func (c *checker) run(j job, r *blobReader) {
	var read body
	var failed error
	c.countPointer(j.pointer)
	switch {
	case len(j.blobs) > 0:
		if failed = j.inPlace(); failed == nil && j.stream != nil {
			if read, failed = j.read, j.failed; failed == nil {
				failed = read.is(j.id)
			}
		} else if failed == nil {
			read, failed = c.body(j, j.payload, r)
		}
		c.count(j.blobs[0].at, failed)
	case len(j.payload) > 0:
		read, failed = c.body(j, j.payload, r)
	case j.pointer != nil:
		c.elsewhere(j, r)
		return
	default:
		failed = errors.New("its artifact is in no snapshot")
	}
	for _, f := range j.records {
		rec, err := c.record(f, j.id, r)
		if err == nil && failed != nil {
			c.notChecked(f.at, "what the record says about its payload: "+failed.Error())
			continue
		}
		if err == nil {
			err = c.compare(rec, read, j.id, f)
		}
		c.count(f.at, err)
	}
}

// inPlace checks that a payload or original is one file, or all of its chunks
// and in order.
func (j job) inPlace() error {
	dir := layout.ArtifactPath(j.id)
	if j.what == originalJob {
		dir = layout.OriginalPath(j.id)
	}
	for i, f := range j.blobs {
		want := dir
		if len(j.blobs) > 1 {
			want = layout.ChunkPath(dir, i)
		}
		if f.at.path != want {
			return fmt.Errorf("it lies at %s, want %s", f.at.path, want)
		}
	}
	return nil
}

// body reads a payload or original, one blob at a time, and checks its ID.
func (c *checker) body(j job, blobs []objects.Hash, r *blobReader) (body, error) {
	b := newBody(len(blobs) > 1 && c.textual(j, r))
	for _, blob := range blobs {
		data, err := r.readPayload(blob)
		if err != nil {
			return body{}, err
		}
		if len(blobs) == 1 {
			b.sum.Write(data)
			b.data, b.size, b.count = data, int64(len(data)), 1
			break
		}
		b.add(hashedChunk{data, sum(data)})
	}
	return b, b.is(j.id)
}

// is checks the ID of a payload or original, that it is not empty, and that it is
// in chunks only where it is large.
func (b *body) is(id cid.ID) error {
	switch got := b.sum.Sum(nil); {
	case [32]byte(got) != id.Digest():
		return fmt.Errorf("its bytes have the sha256 %x", got)
	case b.size == 0:
		return errors.New("it is empty")
	case b.count == 1 && b.size > layout.MaxBlob:
		return fmt.Errorf("it is one blob of %d bytes, more than %d", b.size, layout.MaxBlob)
	case b.count > 1 && b.size <= layout.MaxBlob:
		return fmt.Errorf("it is %d chunks of %d bytes together, want one blob", b.count, b.size)
	}
	return nil
}

// record reads a record of an artifact.
func (c *checker) record(f file, artifact cid.ID, r *blobReader) (*record.Record, error) {
	data, err := r.readRecord(f.blob)
	if err != nil {
		return nil, err
	}
	if err := checkJSON(data, f.id); err != nil {
		return nil, err
	}
	rec, err := record.ParseRecord(data)
	if err != nil {
		return nil, err
	}
	if rec.Artifact != artifact.String() {
		return nil, fmt.Errorf("it is a record of %q", rec.Artifact)
	}
	return rec, nil
}

// compare checks a record against its payload, and asks for its original.
func (c *checker) compare(rec *record.Record, b body, artifact cid.ID, f file) error {
	if rec.Original != rec.Artifact {
		original, err := cid.ParseAs(cid.Raw, rec.Original)
		if err != nil {
			return err
		}
		c.want(original, artifact, f)
	}
	switch {
	case rec.Size != b.size:
		return fmt.Errorf("its payload has %d bytes, and the record says %d", b.size, rec.Size)
	case rec.ChunkCount != b.chunks.Size():
		return fmt.Errorf("its payload has %d chunks, and the record says %d", b.chunks.Size(), rec.ChunkCount)
	}
	if rec.ChunkCount > 0 {
		if err := rootHex("chunks", b.chunks.Root(), rec.ChunkRoot); err != nil {
			return err
		}
	}
	if !rec.Textual() {
		return nil
	}
	return b.checkText(rec)
}

// small reads, checks and enters a file that is neither a payload, an original
// nor a record of an artifact.
func (v *visit) small(kind layout.Kind, ids []cid.ID, at place, blob objects.Hash) {
	data, err := getBlob(v.get, blob)
	digest, stated := digestInPath(at.path)
	if !stated {
		digest = sum(data)
	}
	if err != nil && !stated || !layout.CleanPath(at.path) {
		v.incomplete = true // the file has no line
	} else {
		v.tree.set(Line{digest, at.path})
	}
	switch {
	case err != nil:
	case kind == layout.KindNone:
		if err = errors.New("no archive has a file there"); layout.ReservedType(at.path) != nil {
			err = layout.ReservedType(at.path)
		}
	case kind == layout.KindCitation:
		v.citation(at, ids[0], data)
		return
	default:
		err = v.checkSmall(kind, ids, at.path, data)
	}
	v.count(at, err)
}

func (v *visit) checkSmall(kind layout.Kind, ids []cid.ID, path string, data []byte) error {
	switch kind {
	case layout.KindConsent:
		got, err := access.ParseConsent(data)
		if err == nil && got.Artifact != ids[0].String() {
			err = fmt.Errorf("it is the consent of %s", got.Artifact)
		}
		return err
	case layout.KindHold:
		got, err := record.ParseHold(data)
		if err == nil && got.Artifact != ids[0].String() {
			err = fmt.Errorf("it is the hold on %s", got.Artifact)
		}
		return err
	case layout.KindWithdrawn:
		got, err := record.ParseWithdrawal(data)
		if err == nil && got.Artifact != ids[0].String() {
			err = fmt.Errorf("it is the withdrawal of %s", got.Artifact)
		}
		return err
	case layout.KindLoneRecord:
		got, err := record.ParseRecord(data)
		if err == nil && got.Artifact != "" {
			err = fmt.Errorf("it is a record of %s, whose place is beside it", got.Artifact)
		}
		if err != nil {
			return err
		}
		return checkJSON(data, ids[0])
	case layout.KindReview:
		got, err := review.Parse(data)
		if err == nil && got.Subject != ids[0].Hex() {
			err = fmt.Errorf("it is a review of the subject %s", got.Subject)
		}
		if err != nil {
			return err
		}
		return checkJSON(data, ids[1])
	case layout.KindArchive:
		_, err := record.ParseArchive(data)
		return err
	case layout.KindAttributes:
		if string(data) != layout.Attributes {
			return errors.New("it has other attributes than an archive's, and a checkout may change bytes")
		}
		return nil
	}
	return checkSettings(path, data)
}

// checkSettings parses the files of policy/ and trust/ whose form is known.
func checkSettings(path string, data []byte) (err error) {
	switch path {
	case layout.PathSubject:
		_, err = access.ParseSubject(data)
	case layout.PathPersons:
		_, err = access.ParsePersons(data)
	case layout.PathConsent:
		_, err = access.ParseConsentDefault(data)
	case layout.PathTiers:
		_, err = access.ParseTiers(data)
	case layout.PathAuditors:
		_, err = access.ParseAuditors(data)
	case layout.PathFreeform:
		_, err = access.ParseFreeform(data)
	case layout.PathAllowedSigners:
		_, err = sign.ParseAllowedSigners(data)
	default:
		if strings.HasPrefix(path, layout.PathProfiles) {
			// Those who go by it read the rest.
			for _, of := range access.ProfileTypes {
				if err = jcs.Check(data, of, access.MaxProfile); err == nil {
					break
				}
			}
		}
	}
	return err
}

// citation checks a citation that is new: its form, its ID, and that an earlier
// snapshot of the history is the one it names and holds what it cites.
func (v *visit) citation(at place, id cid.ID, data []byte) {
	if err := checkJSON(data, id); err != nil {
		v.count(at, err)
		return
	}
	c, err := cite.ParseCitation(data)
	if err != nil {
		v.count(at, err)
		return
	}
	named, err := cid.ParseAs(cid.Raw, c.Snapshot)
	if err != nil {
		v.count(at, err)
		return
	}
	s := v.byID[named]
	if s == nil && v.earlier != nil {
		s = v.earlier(named)
	}
	switch {
	case s == nil && v.broken:
		v.notChecked(at, fmt.Sprintf("whether snapshot %s has its artifact: it cannot be read", named))
	case s == nil:
		v.count(at, fmt.Errorf("it names the snapshot %s, which is not in the history", named))
	case s.Seq != c.Seq:
		v.count(at, fmt.Errorf("it says that snapshot %s is number %d, and it is number %d", named, c.Seq, s.Seq))
	case s.Seq >= v.snapshot.Seq:
		v.count(at, errors.New("it names a snapshot that is not before its own"))
	default:
		v.holdsCited(at, s, c)
	}
}

// holdsCited checks that a snapshot holds the artifact that a citation names, and
// its record where one is named. Where a record is on file does not follow from
// its ID: a citation of a record is checked with what it says.
func (v *visit) holdsCited(at place, s *Snapshot, c *cite.Citation) {
	if c.Relation == cite.MetadataFact {
		v.count(at, nil)
		return
	}
	artifact, err := cid.ParseAs(cid.Raw, c.Artifact)
	if err != nil {
		v.count(at, err)
		return
	}
	payload := layout.ArtifactPath(artifact)
	if h, err := lookup(v.get, s.Tree, layout.PointerPath(payload)); err == nil && !h.IsZero() {
		payload = layout.PointerPath(payload)
	}
	paths := []string{payload}
	if c.Record != "" {
		rec, err := cid.ParseAs(cid.JSON, c.Record)
		if err != nil {
			v.count(at, err)
			return
		}
		paths = append(paths, layout.RecordPath(artifact, rec))
	}
	for _, path := range paths {
		h, err := lookup(v.get, s.Tree, path)
		switch {
		case err != nil:
			v.notChecked(at, fmt.Sprintf("whether snapshot %d holds what it cites: %v", s.Seq, err))
			return
		case h.IsZero():
			v.count(at, fmt.Errorf("snapshot %d, which it names, has no %s", s.Seq, path))
			return
		}
	}
	v.count(at, nil)
}

// checkJSON checks the content ID of one of our objects.
func checkJSON(data []byte, id cid.ID) error {
	if saw := cid.OfJSON(data); saw != id {
		return fmt.Errorf("its bytes have the id %s, want %s", saw, id)
	}
	return nil
}

func sum(data []byte) [32]byte { return sha256.Sum256(data) }
