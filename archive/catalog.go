package archive

import (
	"sort"
	"strings"

	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A catalog is what one tree of the archive holds: its artifacts and their
// records. It is derived and never written.
type Catalog struct {
	Tree        objects.Hash
	Artifacts   []*Artifact // by id digest
	ByID        map[cid.ID]*Artifact
	LoneRecords []StoredRecord // records without a body
	Citations   []cid.ID
}

// An artifact is a payload with its accessions.
type Artifact struct {
	ID         cid.ID
	Records    []StoredRecord // in path order
	Withdrawn  bool
	HasConsent bool
}

// A held record and its id.
type StoredRecord struct {
	ID     cid.ID
	Record *record.Record
}

// Catalog returns the catalogue of tree; that of the newest tree asked for is kept.
func (a *Archive) Catalog(tree objects.Hash) (*Catalog, error) {
	if a.cached != nil && a.cached.Tree == tree {
		return a.cached, nil
	}
	c, err := a.readCatalog(tree)
	if err == nil {
		a.cached = c
	}
	return c, err
}

// readCatalog reads the catalogue of tree.
func (a *Archive) readCatalog(tree objects.Hash) (*Catalog, error) {
	c := &Catalog{Tree: tree, ByID: map[cid.ID]*Artifact{}}
	get := func(id cid.ID) *Artifact {
		art := c.ByID[id]
		if art == nil {
			art = &Artifact{ID: id}
			c.ByID[id] = art
			c.Artifacts = append(c.Artifacts, art)
		}
		return art
	}
	err := a.store.Walk(tree, "", func(path string, h objects.Hash) error {
		kind, ids := record.ClassifyPath(path)
		switch kind {
		case record.KindPayload, record.KindPayloadChunk:
			get(ids[0])
		case record.KindConsent:
			get(ids[0]).HasConsent = true
		case record.KindWithdrawn:
			get(ids[0]).Withdrawn = true
		case record.KindCitation:
			c.Citations = append(c.Citations, ids[0])
		case record.KindRecord, record.KindLoneRecord:
			_, data, err := a.store.Get(h)
			if err != nil {
				return err
			}
			rec, err := record.ParseRecord(data)
			if err != nil {
				return Negative(TypeDamaged, Next(DoListDamage), "%s: %w", path, err)
			}
			one := StoredRecord{ID: cid.OfJSON(data), Record: rec}
			if kind == record.KindLoneRecord {
				c.LoneRecords = append(c.LoneRecords, one)
			} else {
				art := get(ids[0])
				art.Records = append(art.Records, one)
			}
		}
		return nil
	})
	if err != nil {
		return nil, Environment(err, "catalogue")
	}
	return c, nil
}

// Resolve finds the artifact that ref names: an artifact id, an unambiguous
// prefix of one (4 characters at least), or an unambiguous suffix of a name.
func (c *Catalog) Resolve(ref string) (*Artifact, error) {
	if id, err := cid.Parse(ref); err == nil {
		if art := c.ByID[id]; art != nil {
			return art, art.checkPresent()
		}
		return nil, Problem(TypeSourceNotFound, Next(DoList).Or(DoAdd),
			"no artifact %s in this archive", ref)
	}
	var found []*Artifact
	for _, art := range c.Artifacts {
		if art.HasName(ref) || (len(ref) >= MinPrefix && strings.HasPrefix(art.ID.String(), ref)) {
			found = append(found, art)
		}
	}
	switch len(found) {
	case 1:
		return found[0], found[0].checkPresent()
	case 0:
		return nil, Problem(TypeSourceNotFound, Next(DoList).Or(DoAdd),
			"no artifact is named %s", Printable(ref))
	}
	var names []string
	for _, art := range found[:min(3, len(found))] {
		names = append(names, art.Name()+" ("+art.ID.String()[:12]+"…)")
	}
	return nil, Problem(TypeAmbiguous, Advise("give more of the path, or the id: "+strings.Join(names, ", ")),
		"%s names %d artifacts", Printable(ref), len(found))
}

// MatchesID reports whether ref is an id or a prefix of it.
func MatchesID(id, ref string) bool {
	return id == ref || len(ref) >= MinPrefix && strings.HasPrefix(id, ref)
}

// ResolveAny finds what resolve does, and besides by id or an unambiguous prefix
// an original or a record: then other is the accession, and art its artifact or
// nil for a record alone.
func (c *Catalog) ResolveAny(ref string) (art *Artifact, other *StoredRecord, err error) {
	type place struct {
		art *Artifact
		h   StoredRecord
	}
	found := map[string]place{}
	for _, art := range c.Artifacts {
		for _, h := range art.Records {
			if MatchesID(h.ID.String(), ref) {
				found[h.ID.String()] = place{art, h}
			}
			if h.Record.Original != art.ID.String() && MatchesID(h.Record.Original, ref) {
				found[h.Record.Original] = place{art, h}
			}
		}
	}
	for _, h := range c.LoneRecords {
		if MatchesID(h.ID.String(), ref) {
			found[h.ID.String()] = place{nil, h}
		}
	}
	art, err = c.Resolve(ref)
	switch {
	case len(found) == 0:
		return art, nil, err
	case len(found) == 1 && err != nil:
		for _, p := range found {
			return p.art, &p.h, nil
		}
	}
	if art != nil && (art.ID.String() == ref || art.HasName(ref)) {
		return art, nil, nil
	}
	return nil, nil, Problem(TypeAmbiguous, Advise("give more of the id"), "%s is the beginning of several ids of artifacts, originals and records", Printable(ref))
}

// checkPresent is the error of an artifact that the tree no longer holds.
func (art *Artifact) checkPresent() error {
	if !art.Withdrawn || len(art.Records) > 0 {
		return nil
	}
	return Problem(TypeSourceNotFound, Next(DoShowReason, art.ID.String()).Or(DoCatOlder),
		"the artifact %s is withdrawn", art.ID)
}

// Holds reports whether the tree has the payload or the record of an id.
func (c *Catalog) Holds(id cid.ID) bool {
	if id.Codec() == cid.Raw {
		return c.ByID[id] != nil && len(c.ByID[id].Records) > 0
	}
	_, ok := c.FindRecord(id)
	return ok
}

// FindRecord finds a record by its id.
func (c *Catalog) FindRecord(id cid.ID) (StoredRecord, bool) {
	for _, h := range c.LoneRecords {
		if h.ID == id {
			return h, true
		}
	}
	for _, art := range c.Artifacts {
		for _, h := range art.Records {
			if h.ID == id {
				return h, true
			}
		}
	}
	return StoredRecord{}, false
}

// ResolveRecord finds the record that ref names: its id or a prefix of it, the
// address of its source, or whatever names its artifact.
func (c *Catalog) ResolveRecord(ref string) (StoredRecord, string, error) {
	var found []StoredRecord
	match := func(h StoredRecord) bool {
		return h.ID.String() == ref || (len(ref) >= MinPrefix && strings.HasPrefix(h.ID.String(), ref)) ||
			(h.Record.Source != nil && h.Record.Source.URL == ref)
	}
	for _, h := range c.LoneRecords {
		if match(h) {
			found = append(found, h)
		}
	}
	for _, art := range c.Artifacts {
		for _, h := range art.Records {
			if match(h) {
				found = append(found, h)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], found[0].Label(), nil
	case 0:
		art, err := c.Resolve(ref)
		if err != nil {
			return StoredRecord{}, "", err
		}
		h, ok := art.FirstRecord()
		if !ok {
			return StoredRecord{}, "", Problem(TypeSourceNotFound, Next(DoList), "%s has no record in this snapshot", Printable(ref))
		}
		return h, art.Name(), nil
	}
	return StoredRecord{}, "", Problem(TypeAmbiguous, Next(DoChooseRecord), "%s names %d records", Printable(ref), len(found))
}

// Label is a name for people.
func (h StoredRecord) Label() string {
	switch {
	case len(h.Record.Names) > 0:
		return h.Record.Names[0]
	case h.Record.Source != nil && h.Record.Source.URL != "":
		return h.Record.Source.URL
	}
	return h.ID.String()
}

// MinPrefix is the fewest characters of an id that stand for it. Every id
// begins with "baf", so shorter prefixes say nothing.
const MinPrefix = 4

// HasName reports whether one of the artifact's names is ref or ends in /ref.
func (art *Artifact) HasName(ref string) bool {
	for _, h := range art.Records {
		for _, n := range h.Record.Names {
			if n == ref || strings.HasSuffix(n, "/"+ref) {
				return true
			}
		}
	}
	return false
}

// CurrentRecords returns the records that no other one supersedes.
func (art *Artifact) CurrentRecords() []StoredRecord {
	old := map[string]bool{}
	for _, h := range art.Records {
		old[h.Record.Supersedes] = true
	}
	var out []StoredRecord
	for _, h := range art.Records {
		if !old[h.ID.String()] {
			out = append(out, h)
		}
	}
	return out
}

// FirstRecord returns the record that describes the artifact in lists: the earliest
// current one.
func (art *Artifact) FirstRecord() (StoredRecord, bool) {
	records := art.CurrentRecords()
	if len(records) == 0 {
		return StoredRecord{}, false
	}
	sort.Slice(records, func(i, j int) bool {
		if records[i].Record.Time != records[j].Record.Time {
			return records[i].Record.Time < records[j].Record.Time
		}
		return records[i].ID.String() < records[j].ID.String()
	})
	return records[0], true
}

// OriginalRecord returns the record whose original ref means: the one of that name
// where ref is a name, the only one where all originals are the same bytes. An
// id that stands for several originals is ambiguous.
func (art *Artifact) OriginalRecord(ref string) (StoredRecord, bool, error) {
	records := art.CurrentRecords()
	var named []StoredRecord
	for _, h := range records {
		one := Artifact{Records: []StoredRecord{h}}
		if one.HasName(ref) {
			named = append(named, h)
		}
	}
	if len(named) == 0 {
		named = records
	}
	if len(named) == 0 {
		return StoredRecord{}, false, nil
	}
	for _, h := range named[1:] {
		if h.Record.Original != named[0].Record.Original {
			return StoredRecord{}, false, Problem(TypeAmbiguous, Next(DoChooseName, art.ID.String()), "%s has several originals", Printable(ref))
		}
	}
	return named[0], true, nil
}

// Name returns a name for people.
func (art *Artifact) Name() string {
	if h, ok := art.FirstRecord(); ok && len(h.Record.Names) > 0 {
		return h.Record.Names[0]
	}
	return art.ID.String()
}

// Info describes the artifact.
func (art *Artifact) Info() ArtifactInfo {
	out := ArtifactInfo{ID: art.ID.String(), Names: []string{}, Records: []string{}}
	for _, h := range art.Records {
		out.Records = append(out.Records, h.ID.String())
		out.Names = append(out.Names, h.Record.Names...)
	}
	h, ok := art.FirstRecord()
	if !ok {
		return out
	}
	out.MediaType, out.Canonicalizer, out.Size = h.Record.MediaType, h.Record.Canonicalizer, h.Record.Size
	out.Paragraphs, out.Lines, out.Original = int(h.Record.PCount), int(h.Record.LCount), h.Record.Original
	out.Date = h.Record.Date()
	if h.Record.Source != nil {
		out.Title = h.Record.Source.Title
	}
	return out
}

// Document returns the index of an artifact's canonical text; an artifact kept
// as bytes has none.
func (a *Archive) Document(tree objects.Hash, art *Artifact) (*canon.Document, error) {
	h, ok := art.FirstRecord()
	if !ok || !h.Record.Textual() {
		return nil, Problem(TypeInvalidLocator, Next(DoCatBytes).With("add a text of it, such as a transcript, and cite that"),
			"%s has no canonical text: it is kept as bytes", art.Name())
	}
	data, err := a.Payload(tree, art.ID)
	if err != nil {
		return nil, err
	}
	return canon.NewDocument(data), nil
}

// PeekCatalog reads the catalogue of a tree and keeps the one at hand.
func (a *Archive) PeekCatalog(tree objects.Hash) (*Catalog, error) {
	if a.cached != nil && a.cached.Tree == tree {
		return a.cached, nil
	}
	return a.readCatalog(tree)
}
