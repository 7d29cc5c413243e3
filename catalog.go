package muniment

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
type catalog struct {
	tree      objects.Hash
	artifacts []*artifact // by id digest
	byID      map[cid.ID]*artifact
	lone      []held // records without a body
	citations []cid.ID
}

// An artifact is a payload with its accessions.
type artifact struct {
	id        cid.ID
	records   []held // in path order
	withdrawn bool
	consent   bool
}

// A held record and its id.
type held struct {
	id  cid.ID
	rec *record.Record
}

// load returns the catalogue of tree; that of the newest tree asked for is kept.
func (a *Archive) load(tree objects.Hash) (*catalog, error) {
	if a.catalog != nil && a.catalog.tree == tree {
		return a.catalog, nil
	}
	c, err := a.readCatalog(tree)
	if err == nil {
		a.catalog = c
	}
	return c, err
}

// readCatalog reads the catalogue of tree.
func (a *Archive) readCatalog(tree objects.Hash) (*catalog, error) {
	c := &catalog{tree: tree, byID: map[cid.ID]*artifact{}}
	get := func(id cid.ID) *artifact {
		art := c.byID[id]
		if art == nil {
			art = &artifact{id: id}
			c.byID[id] = art
			c.artifacts = append(c.artifacts, art)
		}
		return art
	}
	err := a.store.Walk(tree, "", func(path string, h objects.Hash) error {
		kind, ids := record.ClassifyPath(path)
		switch kind {
		case record.KindPayload, record.KindPayloadChunk:
			get(ids[0])
		case record.KindConsent:
			get(ids[0]).consent = true
		case record.KindWithdrawn:
			get(ids[0]).withdrawn = true
		case record.KindCitation:
			c.citations = append(c.citations, ids[0])
		case record.KindRecord, record.KindLoneRecord:
			_, data, err := a.store.Get(h)
			if err != nil {
				return err
			}
			rec, err := record.ParseRecord(data)
			if err != nil {
				return problem(TypeDamaged, ExitNo, "muniment verify lists every damaged object", "%s: %w", path, err)
			}
			one := held{id: cid.OfJSON(data), rec: rec}
			if kind == record.KindLoneRecord {
				c.lone = append(c.lone, one)
			} else {
				art := get(ids[0])
				art.records = append(art.records, one)
			}
		}
		return nil
	})
	if err != nil {
		return nil, environment(err, "catalogue")
	}
	return c, nil
}

// resolve finds the artifact that ref names: an artifact id, an unambiguous
// prefix of one (4 characters at least), or an unambiguous suffix of a name.
func (c *catalog) resolve(ref string) (*artifact, error) {
	if id, err := cid.Parse(ref); err == nil {
		if art := c.byID[id]; art != nil {
			return art, art.present()
		}
		return nil, problem(TypeSourceNotFound, ExitUsage, "muniment ls lists what is here; muniment add PATH takes it in",
			"no artifact %s in this archive", ref)
	}
	var found []*artifact
	for _, art := range c.artifacts {
		if art.named(ref) || (len(ref) >= minPrefix && strings.HasPrefix(art.id.String(), ref)) {
			found = append(found, art)
		}
	}
	switch len(found) {
	case 1:
		return found[0], found[0].present()
	case 0:
		return nil, problem(TypeSourceNotFound, ExitUsage, "muniment ls lists what is here; muniment add PATH takes it in",
			"no artifact is named %s", printable(ref))
	}
	var names []string
	for _, art := range found[:min(3, len(found))] {
		names = append(names, art.name()+" ("+art.id.String()[:12]+"…)")
	}
	return nil, problem(TypeAmbiguous, ExitUsage, "give more of the path, or the id: "+strings.Join(names, ", "),
		"%s names %d artifacts", printable(ref), len(found))
}

// matchesID reports whether ref is an id or a prefix of it.
func matchesID(id, ref string) bool {
	return id == ref || len(ref) >= minPrefix && strings.HasPrefix(id, ref)
}

// resolveAny finds what resolve does, and besides by id or an unambiguous prefix
// an original or a record: then other is the accession, and art its artifact or
// nil for a record alone.
func (c *catalog) resolveAny(ref string) (art *artifact, other *held, err error) {
	type place struct {
		art *artifact
		h   held
	}
	found := map[string]place{}
	for _, art := range c.artifacts {
		for _, h := range art.records {
			if matchesID(h.id.String(), ref) {
				found[h.id.String()] = place{art, h}
			}
			if h.rec.Original != art.id.String() && matchesID(h.rec.Original, ref) {
				found[h.rec.Original] = place{art, h}
			}
		}
	}
	for _, h := range c.lone {
		if matchesID(h.id.String(), ref) {
			found[h.id.String()] = place{nil, h}
		}
	}
	art, err = c.resolve(ref)
	switch {
	case len(found) == 0:
		return art, nil, err
	case len(found) == 1 && err != nil:
		for _, p := range found {
			return p.art, &p.h, nil
		}
	}
	if art != nil && (art.id.String() == ref || art.named(ref)) {
		return art, nil, nil
	}
	return nil, nil, problem(TypeAmbiguous, ExitUsage, "give more of the id", "%s is the beginning of several ids of artifacts, originals and records", printable(ref))
}

// present is the error of an artifact that the tree no longer holds.
func (art *artifact) present() error {
	if !art.withdrawn || len(art.records) > 0 {
		return nil
	}
	return problem(TypeSourceNotFound, ExitUsage, "muniment show "+art.id.String()+" says why; muniment cat --at SNAPSHOT prints what an older snapshot holds",
		"the artifact %s is withdrawn", art.id)
}

// holds reports whether the tree has the payload or the record of an id.
func (c *catalog) holds(id cid.ID) bool {
	if id.Codec() == cid.Raw {
		return c.byID[id] != nil && len(c.byID[id].records) > 0
	}
	_, ok := c.record(id)
	return ok
}

// record finds a record by its id.
func (c *catalog) record(id cid.ID) (held, bool) {
	for _, h := range c.lone {
		if h.id == id {
			return h, true
		}
	}
	for _, art := range c.artifacts {
		for _, h := range art.records {
			if h.id == id {
				return h, true
			}
		}
	}
	return held{}, false
}

// resolveRecord finds the record that ref names: its id or a prefix of it, the
// address of its source, or whatever names its artifact.
func (c *catalog) resolveRecord(ref string) (held, string, error) {
	var found []held
	match := func(h held) bool {
		return h.id.String() == ref || (len(ref) >= minPrefix && strings.HasPrefix(h.id.String(), ref)) ||
			(h.rec.Source != nil && h.rec.Source.URL == ref)
	}
	for _, h := range c.lone {
		if match(h) {
			found = append(found, h)
		}
	}
	for _, art := range c.artifacts {
		for _, h := range art.records {
			if match(h) {
				found = append(found, h)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], found[0].label(), nil
	case 0:
		art, err := c.resolve(ref)
		if err != nil {
			return held{}, "", err
		}
		h, ok := art.first()
		if !ok {
			return held{}, "", problem(TypeSourceNotFound, ExitUsage, "muniment ls lists what is here", "%s has no record in this snapshot", printable(ref))
		}
		return h, art.name(), nil
	}
	return held{}, "", problem(TypeAmbiguous, ExitUsage, "give the record's id: muniment show lists them", "%s names %d records", printable(ref), len(found))
}

// label is a name for people.
func (h held) label() string {
	switch {
	case len(h.rec.Names) > 0:
		return h.rec.Names[0]
	case h.rec.Source != nil && h.rec.Source.URL != "":
		return h.rec.Source.URL
	}
	return h.id.String()
}

// minPrefix is the fewest characters of an id that stand for it. Every id
// begins with "baf", so shorter prefixes say nothing.
const minPrefix = 4

// named reports whether one of the artifact's names is ref or ends in /ref.
func (art *artifact) named(ref string) bool {
	for _, h := range art.records {
		for _, n := range h.rec.Names {
			if n == ref || strings.HasSuffix(n, "/"+ref) {
				return true
			}
		}
	}
	return false
}

// current returns the records that no other one supersedes.
func (art *artifact) current() []held {
	old := map[string]bool{}
	for _, h := range art.records {
		old[h.rec.Supersedes] = true
	}
	var out []held
	for _, h := range art.records {
		if !old[h.id.String()] {
			out = append(out, h)
		}
	}
	return out
}

// first returns the record that describes the artifact in lists: the earliest
// current one.
func (art *artifact) first() (held, bool) {
	records := art.current()
	if len(records) == 0 {
		return held{}, false
	}
	sort.Slice(records, func(i, j int) bool {
		if records[i].rec.Time != records[j].rec.Time {
			return records[i].rec.Time < records[j].rec.Time
		}
		return records[i].id.String() < records[j].id.String()
	})
	return records[0], true
}

// accession returns the record whose original ref means: the one of that name
// where ref is a name, the only one where all originals are the same bytes. An
// id that stands for several originals is ambiguous.
func (art *artifact) accession(ref string) (held, bool, error) {
	records := art.current()
	var named []held
	for _, h := range records {
		one := artifact{records: []held{h}}
		if one.named(ref) {
			named = append(named, h)
		}
	}
	if len(named) == 0 {
		named = records
	}
	if len(named) == 0 {
		return held{}, false, nil
	}
	for _, h := range named[1:] {
		if h.rec.Original != named[0].rec.Original {
			return held{}, false, problem(TypeAmbiguous, ExitUsage, "name the file: muniment show lists the names of "+art.id.String(), "%s has several originals", printable(ref))
		}
	}
	return named[0], true, nil
}

// name returns a name for people.
func (art *artifact) name() string {
	if h, ok := art.first(); ok && len(h.rec.Names) > 0 {
		return h.rec.Names[0]
	}
	return art.id.String()
}

// info describes the artifact.
func (art *artifact) info() ArtifactInfo {
	out := ArtifactInfo{ID: art.id.String(), Names: []string{}, Records: []string{}}
	for _, h := range art.records {
		out.Records = append(out.Records, h.id.String())
		out.Names = append(out.Names, h.rec.Names...)
	}
	h, ok := art.first()
	if !ok {
		return out
	}
	out.MediaType, out.Canonicalizer, out.Size = h.rec.MediaType, h.rec.Canonicalizer, h.rec.Size
	out.Paragraphs, out.Lines, out.Original = int(h.rec.PCount), int(h.rec.LCount), h.rec.Original
	out.Date = h.rec.Date()
	if h.rec.Source != nil {
		out.Title = h.rec.Source.Title
	}
	return out
}

// document returns the index of an artifact's canonical text; an artifact kept
// as bytes has none.
func (a *Archive) document(tree objects.Hash, art *artifact) (*canon.Document, error) {
	h, ok := art.first()
	if !ok || !h.rec.Textual() {
		return nil, problem(TypeInvalidLocator, ExitUsage, "add a text of it, such as a transcript, and cite that; muniment cat writes the bytes",
			"%s has no canonical text: it is kept as bytes", art.name())
	}
	data, err := a.payload(tree, art.id)
	if err != nil {
		return nil, err
	}
	return canon.NewDocument(data), nil
}
