package handover

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/policy"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// The folder of a package (a bag, an OCFL object, a crate) with what an archive
// says of the originals in it, and the files of that folder. Each of the .jsonl
// files has one canonical JSON object a line.
const (
	handoverFolder    = "muniment/"
	handoverRecords   = handoverFolder + "records.jsonl"
	handoverConsents  = handoverFolder + "consent.jsonl"
	handoverHolds     = handoverFolder + "holds.jsonl"
	handoverCitations = handoverFolder + "citations.jsonl"
	handoverArtifacts = handoverFolder + "artifacts/" // <64 hex digits of the sha256>: texts made of originals
	handoverOriginals = handoverFolder + "originals/" // the same: originals that only superseded records name
	handoverTable     = "metadata/metadata.csv"       // the same metadata for other programs
)

// maxHandover is the most bytes of one of the files of objects: a million records
// of a kilobyte each.
const maxHandover = 1 << 30

// Options choose what is handed on. The zero value is for nobody: it hands on nothing but
// records without a body.
type Options struct {
	// View says for whom: [policy.HolderView] hands on everything that the newest snapshot
	// holds. To others go the descriptions of papers of which they may know, and the originals
	// of those that they may read whole, without consent, holds, and records that name
	// what they may not know of. It is a view of the newest snapshot.
	View      *policy.View
	Refs      []string // IDs or names of artifacts; none for all
	Citations []byte   // the citations as package engine writes them, a JSON object a line

	list bool // descriptions alone
}

// errUnknown is the error for a paper that went while it was described.
var errUnknown = errors.New("the catalogue has a paper of which the view does not know")

// A handover is what goes into a package.
type handover struct {
	head      *snapshot.Snapshot
	view      *policy.View
	artifacts []*holdings.Artifact
	originals []bagOriginal
	empty     []string // names of empty files of bags that were taken in
	extra     []handoverFile
	warnings  []string
}

// A handoverFile is a file of a package that is no original.
type handoverFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// gatherHandover collects what the options choose from the newest snapshot.
func gatherHandover(a *archive.Archive, o Options) (*handover, error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	h := &handover{head: head, view: o.View}
	c := a.CatalogFor(head.Tree, o.View)
	var records [][]byte
	if len(o.Refs) == 0 {
		all, err := c.ReadAll()
		if err != nil {
			return nil, err
		}
		h.artifacts = all.Artifacts
		for _, lone := range all.LoneRecords {
			if err := h.addRecord(&records, lone.Record); err != nil {
				return nil, err
			}
		}
	}
	for _, ref := range o.Refs {
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(h.artifacts, func(b *holdings.Artifact) bool { return b.ID == art.ID }) {
			h.artifacts = append(h.artifacts, art)
		}
	}
	for _, art := range h.artifacts {
		for _, r := range art.CurrentRecords() {
			said, err := h.view.DescribeKnown(r.Record)
			if err != nil || said == nil {
				return nil, cmp.Or(err, errUnknown)
			}
			r.Record = said
			h.originals = append(h.originals, bagOriginal{r.Label(), art, r})
			h.empty = append(h.empty, emptyFilesOf(said)...)
		}
	}
	if !o.list {
		if err := h.keepWhole(a); err != nil {
			return nil, err
		}
	}
	h.warnings = nameOriginals(h.originals)
	if o.list {
		return h, nil
	}
	if err := h.addObjects(a, records); err != nil {
		return nil, err
	}
	table, err := h.table()
	if err != nil {
		return nil, err
	}
	h.addFile(handoverTable, table)
	if len(o.Citations) > 0 {
		h.addFile(handoverCitations, o.Citations)
	}
	return h, nil
}

// keepWhole keeps the papers that whoever gets the package may read whole: of these their
// bytes are handed on.
func (h *handover) keepWhole(a *archive.Archive) error {
	if h.view.SeesAll() {
		return nil
	}
	whole := map[cid.ID]bool{}
	for _, art := range h.artifacts {
		rec, ok := art.FirstRecord()
		var text func() ([]byte, error)
		if ok && rec.Record.Textual() {
			text = func() ([]byte, error) { return a.Payload(h.head.Tree, art.ID) }
		}
		is, err := h.view.ShowsWhole(art.ID, rec.Record.Size, text)
		if err != nil {
			return problem.Wrap(err, "policy")
		}
		whole[art.ID] = is && ok
	}
	h.artifacts = slices.DeleteFunc(slices.Clone(h.artifacts), func(art *holdings.Artifact) bool { return !whole[art.ID] })
	h.originals = slices.DeleteFunc(h.originals, func(b bagOriginal) bool { return !whole[b.artifact.ID] })
	return nil
}

// addRecord adds the bytes of a record, unless they say what whoever gets the package may not
// know: nothing can be taken out of them.
func (h *handover) addRecord(to *[][]byte, rec *record.Record) error {
	data, err := rec.Encode()
	if err != nil {
		return problem.Wrap(err, "record")
	}
	said, err := h.view.DescribeKnown(rec)
	if err != nil || said == nil {
		return problem.Wrap(err, "policy")
	}
	if shown, err := said.Encode(); err == nil && bytes.Equal(shown, data) {
		*to = append(*to, data)
	}
	return nil
}

// addFile adds a file that is in memory.
func (h *handover) addFile(name string, data []byte) {
	h.extra = append(h.extra, handoverFile{name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }})
}

// addObjects adds the records, those without a body first, consent, holds, and the
// payloads and originals that no file of the package has.
func (h *handover) addObjects(a *archive.Archive, records [][]byte) error {
	var consents, holds [][]byte
	stands := map[string]bool{}
	for _, b := range h.originals {
		stands[b.record.Record.Original] = true
	}
	for _, art := range h.artifacts {
		for _, r := range art.Records {
			if err := h.addRecord(&records, r.Record); err != nil {
				return err
			}
			if original := r.Record.Original; original != art.ID.String() && !stands[original] {
				stands[original] = true
				id, err := cid.ParseAs(cid.Raw, original)
				if err != nil {
					return problem.Wrap(err, "record")
				}
				h.extra = append(h.extra, handoverFile{handoverOriginals + id.Hex(), func() (io.ReadCloser, error) { return a.OriginalContent(h.head.Tree, art, r) }})
			}
		}
		if len(art.Records) > 0 && !stands[art.ID.String()] {
			stands[art.ID.String()] = true
			h.extra = append(h.extra, handoverFile{handoverArtifacts + art.ID.Hex(), func() (io.ReadCloser, error) { return a.PayloadContent(h.head.Tree, art.ID) }})
		}
		for _, rule := range []struct {
			path string
			into *[][]byte
		}{{layout.ConsentPath(art.ID), &consents}, {layout.HoldPath(art.ID), &holds}} {
			if !h.view.SeesAll() {
				break // they say why, and of whom
			}
			at, there, err := a.Store().Lookup(h.head.Tree, rule.path)
			if err == nil && there {
				var data []byte
				_, data, err = a.Store().Get(at)
				*rule.into = append(*rule.into, data)
			}
			if err != nil {
				return problem.Wrap(err, rule.path)
			}
		}
	}
	for _, file := range []struct {
		name  string
		lines [][]byte
	}{{handoverRecords, records}, {handoverConsents, consents}, {handoverHolds, holds}} {
		if len(file.lines) > 0 {
			h.addFile(file.name, append(bytes.Join(file.lines, []byte("\n")), '\n'))
		}
	}
	return nil
}

// A packedFile is a file of a package that is taken in.
type packedFile struct {
	path string // from the package's folder, slash separated
	size int64
	open func() (io.ReadCloser, error)
}

// A takenHandover is the content of a package's folder, and the result of staging it.
type takenHandover struct {
	added     *accession.AddResult
	citations []byte
	rest      []packedFile // payload files that no record describes
}

// isHandover reports whether a package has the records of an archive.
func isHandover(files []packedFile) bool {
	return slices.ContainsFunc(files, func(f packedFile) bool { return f.path == handoverRecords })
}

// takeHandover stages the artifacts of a package with the records that come with
// them. payload says which files are originals; of these the ones that no record
// describes are left for the caller.
func takeHandover(ctx context.Context, a *archive.Archive, files []packedFile, payload func(path string) bool, o accession.AddOptions) (*takenHandover, error) {
	t := &takenHandover{}
	var d accession.Deposit
	for _, f := range files {
		var into *[][]byte
		switch f.path {
		case handoverRecords:
			into = &d.Records
		case handoverConsents:
			into = &d.Consents
		case handoverHolds:
			into = &d.Holds
		case handoverCitations:
		default:
			continue
		}
		data, err := readPacked(f)
		if err != nil {
			return nil, problem.Wrap(err, f.path)
		}
		if into == nil {
			t.citations = data
			continue
		}
		*into = bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	}
	byDigest := map[string]packedFile{}
	digests := map[string]string{}
	for _, f := range files {
		if !payload(f.path) && !strings.HasPrefix(f.path, handoverArtifacts) && !strings.HasPrefix(f.path, handoverOriginals) {
			continue
		}
		digest, err := hashPacked(ctx, f)
		switch {
		case ctx.Err() != nil:
			return nil, problem.InterruptedError()
		case err != nil:
			return nil, problem.Wrap(err, f.path)
		}
		byDigest[digest], digests[f.path] = f, digest
	}
	d.Open = func(id cid.ID) (io.ReadCloser, error) {
		f, ok := byDigest[id.Hex()]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return f.open()
	}
	var err error
	if t.added, err = accession.AddDeposit(ctx, a, d, o); t.added == nil {
		return nil, err
	}
	described := map[string]bool{}
	for _, one := range t.added.Artifacts {
		for _, ref := range []string{one.ID, one.Original} {
			if id, err := cid.Parse(ref); err == nil {
				described[id.Hex()] = true
			}
		}
	}
	for _, f := range files {
		if payload(f.path) && f.size > 0 && !described[digests[f.path]] {
			t.rest = append(t.rest, f)
		}
	}
	return t, err
}

// readPacked returns the bytes of a small file of a package.
func readPacked(f packedFile) ([]byte, error) {
	if f.size > maxHandover {
		return nil, fmt.Errorf("%d bytes, at most %d are read", f.size, maxHandover)
	}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxHandover))
}

// hashPacked returns the sha256 of a file of a package in hex.
func hashPacked(ctx context.Context, f packedFile) (string, error) {
	r, err := f.open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	sum := sha256.New()
	buf := make([]byte, 1<<16)
	for {
		n, err := r.Read(buf)
		sum.Write(buf[:n])
		switch {
		case errors.Is(err, io.EOF):
			return hex.EncodeToString(sum.Sum(nil)), nil
		case err != nil:
			return "", err
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
	}
}
