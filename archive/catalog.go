package archive

import (
	"strings"

	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A Catalog lists the artifacts and records of one tree. It is derived and never
// written.
type Catalog struct {
	Tree        objects.Hash
	Artifacts   []*Artifact // by id digest
	ByID        map[cid.ID]*Artifact
	LoneRecords []StoredRecord // of sources without a body
	Citations   []cid.ID
}

// Catalog returns the catalogue of tree and caches it in place of the last one.
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

// MatchesID reports whether ref is id, or a prefix of it of at least MinPrefix
// characters.
func MatchesID(id, ref string) bool {
	return id == ref || len(ref) >= MinPrefix && strings.HasPrefix(id, ref)
}

// ResolveAny returns the artifact that Resolve finds. For the id, or an unambiguous
// prefix, of an original or of a record, other is the record that names it, and
// art its artifact, or nil for a record without a body.
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

// Holds reports whether the tree has the artifact or the record of an id.
func (c *Catalog) Holds(id cid.ID) bool {
	if id.Codec() == cid.Raw {
		return c.ByID[id] != nil && len(c.ByID[id].Records) > 0
	}
	_, ok := c.FindRecord(id)
	return ok
}

// FindRecord returns the record with an id, and whether the tree has it.
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

// ResolveRecord returns the record that ref names, and a name of it for people.
// ref is the id of the record or a prefix, the address of its source, or what
// names its artifact.
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

// MinPrefix is the fewest characters of an id that stand for it. Every id
// begins with "baf", so shorter prefixes say nothing.
const MinPrefix = 4

// PeekCatalog returns the catalogue of a tree and leaves the cached one as it is.
func (a *Archive) PeekCatalog(tree objects.Hash) (*Catalog, error) {
	if a.cached != nil && a.cached.Tree == tree {
		return a.cached, nil
	}
	return a.readCatalog(tree)
}
