package archive

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/keyfile"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A Catalog answers what one tree holds. It is derived: IDs are looked up in the
// tree, everything else in the holdings index, which only proposes where to look
// in the tree. Only ReadAll reads all records.
type Catalog struct {
	Tree objects.Hash

	archive *Archive
	lookup  *Lookup
	index   *holdings // opened at first use
	all     *Contents // read at first use
}

// Contents are all that a tree holds.
type Contents struct {
	Artifacts   []*Artifact // by id digest
	LoneRecords []StoredRecord
}

// Catalog returns the catalogue of tree and caches it in place of the last one.
func (a *Archive) Catalog(tree objects.Hash) *Catalog {
	if a.cached == nil || a.cached.Tree != tree {
		a.cached = a.PeekCatalog(tree)
	}
	return a.cached
}

// PeekCatalog returns the catalogue of a tree and leaves the cached one as it is.
func (a *Archive) PeekCatalog(tree objects.Hash) *Catalog {
	if a.cached != nil && a.cached.Tree == tree {
		return a.cached
	}
	return &Catalog{Tree: tree, archive: a, lookup: NewLookup(a.Store(), tree)}
}

// ReadAll reads every record of the tree.
func (c *Catalog) ReadAll() (*Contents, error) {
	if c.all != nil {
		return c.all, nil
	}
	all := &Contents{}
	var art *Artifact
	err := c.openArchive().Store().Walk(c.Tree, "", func(path string, h objects.Hash) error {
		kind, ids := record.ClassifyPath(path)
		if kind == record.KindLoneRecord {
			stored, err := readRecord(c.openArchive().Store(), path, h)
			all.LoneRecords = append(all.LoneRecords, stored)
			return err
		}
		if art != nil && (len(ids) == 0 || ids[0] != art.ID) {
			art = nil
		}
		was := art
		var err error
		if art, err = c.lookup.addFile(art, path, h); was == nil && art != nil {
			all.Artifacts = append(all.Artifacts, art)
		}
		return err
	})
	if err != nil {
		return nil, Environment(err, "catalogue")
	}
	c.all = all
	return all, nil
}

// Artifact returns the artifact with an ID, nil where the tree has none.
func (c *Catalog) Artifact(id cid.ID) (*Artifact, error) {
	if id.Codec() != cid.Raw {
		return nil, nil
	}
	return c.lookup.Artifact(id)
}

// A Place is a record in a tree, with its artifact, nil for a record without a
// body.
type Place struct {
	Artifact *Artifact
	Record   StoredRecord
}

// maxFound is how many artifacts, records and other things one reference is looked
// up in: a message names three of them and says how many there are.
const maxFound = 100

// scan calls fn with the keys of the index from the first to the last that begins
// with it, until fn returns false.
func (c *Catalog) scan(from, to []byte, fn func(key []byte) (bool, error)) error {
	return scanSet(c.openIndex, func() {
		c.index = nil
		c.openArchive().dropHoldings()
	}, "holdings index", from, to, fn)
}

// scanSet calls fn with keys of a set. A set that turns out to be damaged is
// dropped and opened anew, and the scan goes on behind the last key.
func scanSet(open func() (*keyfile.Set, error), drop func(), what string, from, to []byte, fn func(key []byte) (bool, error)) error {
	for try := 1; ; try++ {
		set, err := open()
		if err == nil {
			for key, err2 := range set.Scan(from, to) {
				if err = err2; err != nil {
					break
				}
				from = append(bytes.Clone(key), 0)
				if more, err := fn(key); err != nil || !more {
					return err
				}
			}
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, keyfile.ErrDamaged) || try == indexTries {
			return Environment(err, what)
		}
		drop()
	}
}

// openIndex returns an index that covers the tree.
func (c *Catalog) openIndex() (*keyfile.Set, error) {
	if c.index == nil {
		newest, err := c.isNewest()
		if err == nil {
			c.index, err = c.openArchive().holdingsOf(c.Tree, newest)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.index.set, nil
}

// openArchive returns the archive of the catalog, one that is not open for the zero Catalog.
func (c *Catalog) openArchive() *Archive {
	if c.archive == nil {
		return &Archive{}
	}
	return c.archive
}

// isNewest reports whether the tree is that of the newest snapshot or of what is
// staged.
func (c *Catalog) isNewest() (bool, error) {
	tree, staged, err := c.openArchive().StagedTree()
	if err != nil || tree == c.Tree || staged.IsZero() {
		return err == nil && tree == c.Tree, err
	}
	head, _, err := c.openArchive().Head()
	return err == nil && head != nil && head.Tree == c.Tree, nil
}

// Totals returns the sums over the artifacts of the tree.
func (c *Catalog) Totals() (Totals, error) {
	newest, err := c.isNewest()
	if err != nil {
		return Totals{}, err
	}
	if newest {
		if _, err := c.openIndex(); err != nil {
			return Totals{}, err
		}
		totals, _ := c.index.covers(c.Tree)
		return totals, nil
	}
	all, err := c.ReadAll()
	if err != nil {
		return Totals{}, err
	}
	var totals Totals
	for _, art := range all.Artifacts {
		totals.add(art, 1)
	}
	return totals, nil
}

// at calls fn with what lies at the place that ends a key: an artifact, or a record
// without a body; with nothing where the tree has neither.
func (c *Catalog) at(key []byte, fn func(art *Artifact, lone *StoredRecord) (bool, error)) (bool, error) {
	place := key[len(key)-placeSize:]
	var low, high [32]byte
	copy(low[:], place[1:])
	copy(high[:], place[1:])
	for i := digestPart; i < len(high); i++ {
		high[i] = 0xff
	}
	if place[0] == placeLone {
		return c.lonesIn(low, high, func(h StoredRecord) (bool, error) { return fn(nil, &h) })
	}
	return c.artifactsIn(low, high, func(art *Artifact) (bool, error) { return fn(art, nil) })
}

// artifactsIn calls fn with the artifacts whose digests lie between two, until fn
// returns false.
func (c *Catalog) artifactsIn(low, high [32]byte, fn func(*Artifact) (bool, error)) (more bool, err error) {
	var art *Artifact
	more = true
	err = c.lookup.visit(dirArtifacts, low, high, func(path string, h objects.Hash) (bool, error) {
		var err error
		if art != nil && !strings.HasPrefix(path, record.ArtifactPath(art.ID)) {
			done := art
			art = nil
			if more, err = fn(done); err != nil || !more {
				return false, err
			}
		}
		art, err = c.lookup.addFile(art, path, h)
		return true, err
	})
	if err == nil && more && art != nil {
		more, err = fn(art)
	}
	return more, err
}

// lonesIn calls fn with the records without a body whose digests lie between two.
func (c *Catalog) lonesIn(low, high [32]byte, fn func(StoredRecord) (bool, error)) (more bool, err error) {
	more = true
	err = c.lookup.visit(dirRecords, low, high, func(path string, h objects.Hash) (bool, error) {
		stored, err := readRecord(c.openArchive().Store(), path, h)
		if err == nil {
			more, err = fn(stored)
		}
		return more, err
	})
	return more, err
}

// findNamed returns artifacts that ref names, by ID: maxFound and one at most.
func (c *Catalog) findNamed(ref string) ([]*Artifact, error) {
	found := map[cid.ID]*Artifact{}
	take := func(art *Artifact) (bool, error) {
		found[art.ID] = art
		return len(found) <= maxFound, nil
	}
	if len(ref) >= MinPrefix {
		if low, high, ok := cid.DigestRange(cid.Raw, ref); ok {
			if _, err := c.artifactsIn(low, high, take); err != nil {
				return nil, err
			}
		}
	}
	for _, end := range []byte{0, '/'} { // the name itself, and one in a folder
		if len(ref) > record.MaxName || len(found) > maxFound {
			break
		}
		prefix := key(keyName, append(reverse(ref), end), nil)
		err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
			return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
				if art == nil || !art.HasName(ref) {
					return true, nil
				}
				return take(art)
			})
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]*Artifact, 0, len(found))
	for _, art := range found {
		out = append(out, art)
	}
	slices.SortFunc(out, func(a, b *Artifact) int { return cmp.Compare(a.ID.Hex(), b.ID.Hex()) })
	return out, nil
}

// meant returns the artifacts that ref means: those it names or, where it names none,
// those of NAME@WHEN. An artifact that was read anew is not meant by the name that it
// shares with the newer one.
func (c *Catalog) meant(ref string) ([]*Artifact, error) {
	found, err := c.findNamed(ref)
	if err == nil && len(found) == 0 {
		found, err = c.namedAt(ref)
	}
	if err != nil || len(found) < 2 || len(found) > maxFound {
		return found, err
	}
	current := slices.DeleteFunc(slices.Clone(found), func(art *Artifact) bool {
		old, err2 := c.isReread(art)
		err = cmp.Or(err, err2)
		return old
	})
	if err != nil || len(current) == 0 {
		return found, err
	}
	return current, nil
}

// Resolve finds the artifact that ref names: an artifact id, an unambiguous
// prefix of one (4 characters at least), or an unambiguous suffix of a name.
func (c *Catalog) Resolve(ref string) (*Artifact, error) {
	if id, err := cid.Parse(ref); err == nil {
		art, err := c.Artifact(id)
		if err != nil {
			return nil, err
		}
		if art != nil {
			return art, art.checkPresent()
		}
		return nil, Problem(TypeSourceNotFound, Next(DoList).Or(DoAdd),
			"no artifact %s in this archive", ref)
	}
	found, err := c.meant(ref)
	if err != nil {
		return nil, err
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
		names = append(names, art.Name()+" ("+art.ID.String()[:12]+"…"+art.dates()+")")
	}
	return nil, Problem(TypeAmbiguous, Advise("give more of the path, the id, or NAME@DATE or NAME@SNAPSHOT: "+strings.Join(names, ", ")),
		"%s names %s artifacts", Printable(ref), CountFound(len(found)))
}

// CountFound returns a number of things found as a message says it: a look-up ends
// behind maxFound.
func CountFound(n int) string {
	if n > maxFound {
		return "more than " + strconv.Itoa(maxFound)
	}
	return strconv.Itoa(n)
}

// MatchesID reports whether ref is id, or a prefix of it of at least MinPrefix
// characters.
func MatchesID(id, ref string) bool {
	return id == ref || len(ref) >= MinPrefix && strings.HasPrefix(id, ref)
}

// The kinds of a Match.
const (
	MatchOriginal = "original"
	MatchRecord   = "record"
	MatchCitation = "citation"
)

// A Match is something of a tree whose ID begins with a reference.
type Match struct {
	Kind string
	ID   cid.ID
	Place
}

// matches returns the originals and records whose IDs ref begins, each once:
// maxFound and one at most of each.
func (c *Catalog) matches(ref string) ([]Match, error) {
	if len(ref) < MinPrefix {
		return nil, nil
	}
	var out []Match
	seen := map[string]bool{}
	take := func(m Match) bool {
		if id := m.ID.String(); MatchesID(id, ref) && !seen[m.Kind+id] {
			seen[m.Kind+id] = true
			out = append(out, m)
		}
		return len(out) <= maxFound
	}
	if low, high, ok := cid.DigestRange(cid.JSON, ref); ok {
		_, err := c.lonesIn(low, high, func(h StoredRecord) (bool, error) {
			return take(Match{MatchRecord, h.ID, Place{Record: h}}), nil
		})
		if err != nil {
			return nil, err
		}
		err = c.scan(key(keyRecord, low[:digestPart], nil), key(keyRecord, high[:digestPart], nil), func(key []byte) (bool, error) {
			return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
				for _, h := range recordsOf(art) {
					if !take(Match{MatchRecord, h.ID, Place{art, h}}) {
						return false, nil
					}
				}
				return true, nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	if low, high, ok := cid.DigestRange(cid.Raw, ref); ok && len(out) <= maxFound {
		err := c.scan(key(keyOriginal, low[:digestPart], nil), key(keyOriginal, high[:digestPart], nil), func(key []byte) (bool, error) {
			return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
				for _, h := range recordsOf(art) {
					if id, err := cid.ParseAs(cid.Raw, h.Record.Original); err == nil && id != art.ID && !take(Match{MatchOriginal, id, Place{art, h}}) {
						return false, nil
					}
				}
				return true, nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// recordsOf returns the records of an artifact, none for nil.
func recordsOf(art *Artifact) []StoredRecord {
	if art == nil {
		return nil
	}
	return art.Records
}

// Match returns the artifacts that ref names, and the originals, records and
// citations of the tree whose IDs it begins.
func (c *Catalog) Match(ref string) (artifacts []*Artifact, others []Match, err error) {
	if artifacts, err = c.meant(ref); err != nil {
		return nil, nil, err
	}
	if others, err = c.matches(ref); err != nil {
		return nil, nil, err
	}
	if low, high, ok := cid.DigestRange(cid.JSON, ref); ok && len(ref) >= MinPrefix {
		err = c.lookup.visit(dirCitations, low, high, func(path string, _ objects.Hash) (bool, error) {
			if kind, ids := record.ClassifyPath(path); kind == record.KindCitation {
				others = append(others, Match{Kind: MatchCitation, ID: ids[0]})
			}
			return len(others) <= 2*maxFound, nil
		})
	}
	return artifacts, others, err
}

// ResolveAny returns the artifact that Resolve finds. For the id, or an unambiguous
// prefix, of an original or of a record, other is the record that names it, and
// art its artifact, or nil for a record without a body.
func (c *Catalog) ResolveAny(ref string) (art *Artifact, other *StoredRecord, err error) {
	art, err = c.Resolve(ref)
	var none *Error
	if err != nil && (!errors.As(err, &none) || none.Kind != TypeSourceNotFound && none.Kind != TypeAmbiguous) {
		return nil, nil, err
	}
	found, matchErr := c.matches(ref)
	switch {
	case matchErr != nil:
		return nil, nil, matchErr
	case len(found) == 0:
		return art, nil, err
	case len(found) == 1 && err != nil:
		return found[0].Artifact, &found[0].Record, nil
	}
	if art != nil && (art.ID.String() == ref || art.HasName(ref)) {
		return art, nil, nil
	}
	return nil, nil, Problem(TypeAmbiguous, Advise("give more of the id"), "%s is the beginning of several ids of artifacts, originals and records", Printable(ref))
}

// Holds reports whether the tree has the artifact or the record of an id.
func (c *Catalog) Holds(id cid.ID) (bool, error) {
	if id.Codec() == cid.Raw {
		art, err := c.Artifact(id)
		return art != nil && len(art.Records) > 0, err
	}
	_, ok, err := c.FindRecord(id)
	return ok, err
}

// FindRecord returns the record with an id, and whether the tree has it.
func (c *Catalog) FindRecord(id cid.ID) (StoredRecord, bool, error) {
	p, ok, err := c.FindPlace(id)
	return p.Record, ok, err
}

// FindPlace returns the place of the record with an id, and whether the tree has it.
func (c *Catalog) FindPlace(id cid.ID) (Place, bool, error) {
	if id.Codec() != cid.JSON {
		return Place{}, false, nil
	}
	found, err := c.matches(id.String())
	if err != nil || len(found) == 0 {
		return Place{}, false, err
	}
	return found[0].Place, true, nil
}

// FromSource returns the current records whose source has text as its address or title,
// those without a body first.
func (c *Catalog) FromSource(text string) ([]Place, error) {
	var out []Place
	if text == "" {
		return nil, nil
	}
	is := func(h StoredRecord) bool {
		return h.Record.Source != nil && (h.Record.Source.URL == text || h.Record.Source.Title == text)
	}
	prefix := key(keySource, textHash(text), nil)
	err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
		return c.at(key, func(art *Artifact, lone *StoredRecord) (bool, error) {
			if lone != nil && is(*lone) {
				out = append(out, Place{nil, *lone})
			}
			if art == nil {
				return true, nil
			}
			for _, h := range art.CurrentRecords() {
				if is(h) {
					out = append(out, Place{art, h})
				}
			}
			return true, nil
		})
	})
	if err == nil {
		out, err = c.withoutSuperseded(out)
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		switch {
		case a.Artifact == nil && b.Artifact != nil:
			return -1
		case a.Artifact != nil && b.Artifact == nil:
			return 1
		}
		return 0
	})
	return out, err
}

// withoutSuperseded returns the places whose records no other one supersedes.
func (c *Catalog) withoutSuperseded(places []Place) ([]Place, error) {
	var out []Place
	for _, p := range places {
		is, err := c.IsCurrent(p)
		if err != nil {
			return nil, err
		}
		if is {
			out = append(out, p)
		}
	}
	return out, nil
}

// ResolveRecord returns the record that ref names, and a name of it for people.
// ref is the id of the record or a prefix, the address of its source, or what
// names its artifact.
func (c *Catalog) ResolveRecord(ref string) (StoredRecord, string, error) {
	found := map[cid.ID]StoredRecord{}
	same, err := c.matches(ref)
	if err != nil {
		return StoredRecord{}, "", err
	}
	for _, m := range same {
		if m.Kind == MatchRecord {
			found[m.ID] = m.Record
		}
	}
	from, err := c.FromSource(ref)
	if err != nil {
		return StoredRecord{}, "", err
	}
	for _, p := range from {
		if p.Record.Record.Source.URL == ref {
			found[p.Record.ID] = p.Record
		}
	}
	switch len(found) {
	case 1:
		for _, h := range found {
			return h, h.Label(), nil
		}
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
	return StoredRecord{}, "", Problem(TypeAmbiguous, Next(DoChooseRecord), "%s names %s records", Printable(ref), CountFound(len(found)))
}

// MadeFrom returns the artifacts with a record of an original, which is not their
// payload.
func (c *Catalog) MadeFrom(original cid.ID) ([]*Artifact, error) {
	var out []*Artifact
	d := original.Digest()
	prefix := key(keyOriginal, d[:digestPart], nil)
	err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
		return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
			if slices.ContainsFunc(recordsOf(art), func(h StoredRecord) bool { return h.Record.Original == original.String() }) {
				out = append(out, art)
			}
			return true, nil
		})
	})
	return out, err
}

// WithConsent returns the artifacts that have a consent of their own, by ID.
func (c *Catalog) WithConsent() ([]*Artifact, error) {
	return c.listMarked(keyConsent, func(art *Artifact) bool { return art.HasConsent })
}

// listMarked returns the artifacts of keys of a kind for which is reports true.
func (c *Catalog) listMarked(kind byte, is func(*Artifact) bool) ([]*Artifact, error) {
	var out []*Artifact
	prefix := []byte{kind}
	err := c.scan(prefix, prefix, func(key []byte) (bool, error) {
		return c.at(key, func(art *Artifact, _ *StoredRecord) (bool, error) {
			if art != nil && is(art) {
				out = append(out, art)
			}
			return true, nil
		})
	})
	return out, err
}

// Dated yields the current records of artifacts whose last day lies between two, both
// of which count and may be "", the newest first. A record without a date counts by
// the date at the head of its text. An error ends it.
func (c *Catalog) Dated(from, to string) iter.Seq2[Place, error] {
	return c.listDated(keyDate, from, to)
}

// DatedLone is Dated for the records without a body.
func (c *Catalog) DatedLone(from, to string) iter.Seq2[Place, error] {
	return c.listDated(keyLoneDate, from, to)
}

func (c *Catalog) listDated(kind byte, from, to string) iter.Seq2[Place, error] {
	first, last := []byte{kind}, []byte{kind}
	if to != "" {
		first = append(first, invert(to)...)
	}
	if from != "" {
		last = append(last, invert(from)...)
	}
	return func(yield func(Place, error) bool) {
		err := c.scan(first, last, func(found []byte) (bool, error) {
			day := string(invert(string(found[1 : len(found)-placeSize])))
			return c.at(found, func(art *Artifact, lone *StoredRecord) (bool, error) {
				var places []Place
				if lone != nil {
					places = []Place{{nil, *lone}}
				} else if art != nil {
					for _, h := range art.CurrentRecords() {
						places = append(places, Place{art, h})
					}
				}
				for _, p := range places {
					if !slices.Contains(lastDays(p.Record.Record), day) {
						continue
					}
					if is, err := c.IsCurrent(p); err != nil {
						return false, err
					} else if is && !yield(p, nil) {
						return false, nil
					}
				}
				return true, nil
			})
		})
		if err != nil {
			yield(Place{}, err)
		}
	}
}

// MinPrefix is the fewest characters of an id that stand for it. Every id
// begins with "baf", so shorter prefixes say nothing.
const MinPrefix = 4
