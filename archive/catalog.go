package archive

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A Catalog answers what one tree holds. It is derived: IDs are looked up in the
// tree, everything else in the holdings index, which only proposes where to look
// in the tree. Only ReadAll reads all records. Its methods may be called from any
// goroutine; what they return is shared, and is left as it is.
type Catalog struct {
	Tree objects.Hash

	archive *Archive
	lookup  *Lookup

	indexMu sync.Mutex
	index   *holdings // opened at first use

	allMu sync.Mutex
	all   *Contents // read at first use
}

// Contents are all that a tree holds.
type Contents struct {
	Artifacts   []*Artifact // by id digest
	LoneRecords []StoredRecord
}

// maxCatalogs is how many catalogues an archive caches: that of the newest snapshot and
// that of what is staged.
const maxCatalogs = 2

// Catalog returns the catalogue of tree and caches it with that of the tree that was
// asked for before.
func (a *Archive) Catalog(tree objects.Hash) *Catalog {
	a = a.shared()
	a.catalogMu.Lock()
	defer a.catalogMu.Unlock()
	for i, c := range a.catalogs {
		if c.Tree == tree {
			if i > 0 { // the last one asked for stays longest
				a.catalogs[0], a.catalogs[i] = c, a.catalogs[0]
			}
			return c
		}
	}
	c := a.newCatalog(tree)
	a.catalogs = append([]*Catalog{c}, a.catalogs[:min(len(a.catalogs), maxCatalogs-1)]...)
	return c
}

// PeekCatalog returns the catalogue of a tree and leaves the cached ones as they are.
func (a *Archive) PeekCatalog(tree objects.Hash) *Catalog {
	a = a.shared()
	a.catalogMu.Lock()
	defer a.catalogMu.Unlock()
	for _, c := range a.catalogs {
		if c.Tree == tree {
			return c
		}
	}
	return a.newCatalog(tree)
}

// newCatalog returns a catalogue of a tree.
func (a *Archive) newCatalog(tree objects.Hash) *Catalog {
	return &Catalog{Tree: tree, archive: a, lookup: NewLookup(a.Store(), tree)}
}

// ReadAll reads every record of the tree.
func (c *Catalog) ReadAll() (*Contents, error) {
	c.allMu.Lock()
	defer c.allMu.Unlock()
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
		return nil, problem.Wrap(err, "catalogue")
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
	open := func() (*keyfile.Set, error) {
		x, err := c.openIndex()
		if err != nil {
			return nil, err
		}
		return x.set, nil
	}
	return scanSet(open, c.dropIndex, "holdings index", from, to, fn)
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
			return problem.Wrap(err, what)
		}
		drop()
	}
}

// openIndex returns an index that covers the tree.
func (c *Catalog) openIndex() (*holdings, error) {
	c.indexMu.Lock()
	defer c.indexMu.Unlock()
	if c.index == nil {
		newest, err := c.isNewest()
		if err == nil {
			c.index, err = c.openArchive().holdingsOf(c.Tree, newest)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.index, nil
}

// dropIndex forgets an index that was found damaged.
func (c *Catalog) dropIndex() {
	c.indexMu.Lock()
	defer c.indexMu.Unlock()
	c.index = nil
	c.openArchive().dropHoldings()
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
		x, err := c.openIndex()
		if err != nil {
			return Totals{}, err
		}
		totals, _ := x.covers(c.Tree)
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

// MinPrefix is the fewest characters of an id that stand for it. Every id
// begins with "baf", so shorter prefixes say nothing.
const MinPrefix = 4
