package holdings

import (
	"slices"
	"strings"
	"sync"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// A Catalog answers what one tree holds. It is derived: IDs are looked up in the tree, everything else in the holdings
// index, which only proposes where to look in the tree. Only ReadAll reads all records. Its methods may be called from
// any goroutine; what they return is shared, and is left as it is.
type Catalog struct {
	Tree objects.Hash

	index  *Index
	lookup *Lookup
	whole  *Catalog // of all that the tree holds; nil for that itself
	sees   Sees     // nil for whole

	keysMu sync.Mutex
	keys   *keySet // opened at first use

	allMu sync.Mutex
	all   *Contents // read at first use

	unaccepted func() ([]*Artifact, error) // listed at first use, as each question asks
}

// Sees returns as much of an artifact as somebody may know of, with the records of the
// accessions that they may know of; nil for nothing. It changes no artifact that it is given.
type Sees func(*Artifact) (*Artifact, error)

// For returns the catalogue of the same tree as it is to somebody: what they may not know of
// is not in it, whatever is asked.
func (c *Catalog) For(sees Sees) *Catalog {
	if sees == nil {
		return c
	}
	return &Catalog{Tree: c.Tree, index: c.index, lookup: c.lookup, whole: c, sees: sees, unaccepted: c.unaccepted}
}

// See returns as much of an artifact of the tree as is in the catalogue, nil for nothing.
func (c *Catalog) See(art *Artifact) (*Artifact, error) {
	if art == nil || c.sees == nil {
		return art, nil
	}
	return c.sees(art)
}

// Contents are all that a tree holds.
type Contents struct {
	Artifacts   []*Artifact // by id digest
	LoneRecords []StoredRecord
}

// ReadAll reads every record of the tree.
func (c *Catalog) ReadAll() (*Contents, error) {
	c.allMu.Lock()
	defer c.allMu.Unlock()
	if c.all != nil {
		return c.all, nil
	}
	all := &Contents{}
	if c.whole != nil {
		of, err := c.whole.ReadAll()
		if err != nil {
			return nil, err
		}
		all.LoneRecords = of.LoneRecords
		for _, art := range of.Artifacts {
			if art, err = c.See(art); err != nil {
				return nil, err
			} else if art != nil {
				all.Artifacts = append(all.Artifacts, art)
			}
		}
		c.all = all
		return all, nil
	}
	var art *Artifact
	err := c.store().Walk(c.Tree, "", func(path string, h objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		if kind == layout.KindLoneRecord {
			stored, err := readRecord(c.store(), path, h)
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
	art, err := c.lookup.Artifact(id)
	if err != nil {
		return nil, err
	}
	return c.See(art)
}

// A Place is a record in a tree, with its artifact, nil for a record without a body.
type Place struct {
	Artifact *Artifact
	Record   StoredRecord
}

// MaxFound is how many artifacts, records and other things one reference is looked
// up in: a message names three of them and says how many there are.
const MaxFound = 100

// scan calls fn with the keys of the index from the first to the last that begins with it, until fn returns false.
func (c *Catalog) scan(from, to []byte, fn func(key []byte) (bool, error)) error {
	open := func() (*keyfile.Set, error) {
		x, err := c.openKeys()
		if err != nil {
			return nil, err
		}
		return x.set, nil
	}
	return problem.Wrap(keyfile.Scan(open, c.dropKeys, from, to, fn), "holdings index")
}

// openKeys returns keys that cover the tree.
func (c *Catalog) openKeys() (*keySet, error) {
	if c.whole != nil {
		return c.whole.openKeys()
	}
	c.keysMu.Lock()
	defer c.keysMu.Unlock()
	if c.keys == nil {
		newest, err := c.isNewest()
		if err == nil {
			c.keys, err = c.index.keysOf(c.Tree, newest)
		}
		if err != nil {
			return nil, err
		}
	}
	return c.keys, nil
}

// dropKeys forgets keys that were found damaged.
func (c *Catalog) dropKeys() {
	if c.whole != nil {
		c.whole.dropKeys()
		return
	}
	c.keysMu.Lock()
	defer c.keysMu.Unlock()
	c.keys = nil
	c.index.drop()
}

// store returns the repository, one that is not open for the zero Catalog.
func (c *Catalog) store() *objects.Store {
	if c.index == nil {
		return nil
	}
	return c.index.copy.Store
}

// Consent returns the consent in force for an artifact, as [Lookup.Consent] does.
func (c *Catalog) Consent(id cid.ID) (*access.Consent, error) {
	if c.lookup == nil {
		return nil, errNotOpen
	}
	return c.lookup.Consent(id)
}

// OwnConsent returns the consent of an artifact itself, as [Lookup.OwnConsent] does.
func (c *Catalog) OwnConsent(id cid.ID) (*access.Consent, error) {
	if c.lookup == nil {
		return nil, errNotOpen
	}
	return c.lookup.OwnConsent(id)
}

// SignedConsent returns the consent that was signed for an artifact, as [Lookup.SignedConsent] does.
func (c *Catalog) SignedConsent(id cid.ID) (*access.Consent, error) {
	if c.lookup == nil {
		return nil, errNotOpen
	}
	return c.lookup.SignedConsent(id)
}

// isNewest reports whether the tree is that of the newest snapshot or of what is staged.
func (c *Catalog) isNewest() (bool, error) {
	if c.index == nil || c.index.copy.IsNewest == nil {
		return false, errNotOpen
	}
	return c.index.copy.IsNewest(c.Tree)
}

// errNotOpen is the error of a Catalog that is of no index.
var errNotOpen = problem.New(problem.NoArchive, problem.Next(problem.DoFindArchive), "the archive is not open")

// Totals returns the sums over the artifacts of the tree.
func (c *Catalog) Totals() (Totals, error) {
	newest, err := c.isNewest()
	if err != nil {
		return Totals{}, err
	}
	if newest && c.sees == nil {
		x, err := c.openKeys()
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

// artifactsIn calls fn with the artifacts whose digests lie between two, until fn returns false.
func (c *Catalog) artifactsIn(low, high [32]byte, fn func(*Artifact) (bool, error)) (more bool, err error) {
	var art *Artifact
	more = true
	take := func(done *Artifact) error {
		seen, err := c.See(done)
		if err == nil && seen != nil {
			more, err = fn(seen)
		}
		return err
	}
	err = c.lookup.visit(dirArtifacts, low, high, func(path string, h objects.Hash) (bool, error) {
		var err error
		if art != nil && !strings.HasPrefix(path, layout.ArtifactPath(art.ID)) {
			done := art
			art = nil
			if err = take(done); err != nil || !more {
				return false, err
			}
		}
		art, err = c.lookup.addFile(art, path, h)
		return true, err
	})
	if err == nil && more && art != nil {
		err = take(art)
	}
	return more, err
}

// lonesIn calls fn with the records without a body whose digests lie between two.
func (c *Catalog) lonesIn(low, high [32]byte, fn func(StoredRecord) (bool, error)) (more bool, err error) {
	more = true
	err = c.lookup.visit(dirRecords, low, high, func(path string, h objects.Hash) (bool, error) {
		stored, err := readRecord(c.store(), path, h)
		if err == nil {
			more, err = fn(stored)
		}
		return more, err
	})
	return more, err
}

// MadeFrom returns the artifacts with a record of an original, which is not their payload.
func (c *Catalog) MadeFrom(original cid.ID) ([]*Artifact, error) {
	d := original.Digest()
	return c.list(keyfile.Key(keyOriginal, d[:digestPart], nil), func(art *Artifact) bool {
		return slices.ContainsFunc(recordsOf(art), func(h StoredRecord) bool { return h.Record.Original == original.String() })
	})
}

// Withdrawn returns the artifacts that are withdrawn, by ID.
func (c *Catalog) Withdrawn() ([]*Artifact, error) {
	return c.list([]byte{keyWithdrawn}, func(art *Artifact) bool { return art.Withdrawn })
}

// MayHaveHold returns the artifacts that have a hold or had one, by ID.
func (c *Catalog) MayHaveHold() ([]*Artifact, error) {
	return c.list([]byte{keyHold}, func(*Artifact) bool { return true })
}

// WithConsent returns the artifacts that have a consent of their own, by ID.
func (c *Catalog) WithConsent() ([]*Artifact, error) {
	return c.list([]byte{keyConsent}, func(art *Artifact) bool { return art.HasConsent })
}

// ListUnaccepted returns the artifacts of the whole tree that IsUnaccepted, by ID.
func (c *Catalog) ListUnaccepted() ([]*Artifact, error) {
	if c.unaccepted == nil {
		return nil, nil // the zero catalogue
	}
	return c.unaccepted()
}

// WithoutUnaccepted returns the catalogue without the artifacts that IsUnaccepted: what the archive itself says it has.
func (c *Catalog) WithoutUnaccepted() *Catalog {
	return c.For(func(art *Artifact) (*Artifact, error) {
		art, err := c.See(art)
		if err != nil || art == nil || art.IsUnaccepted() {
			return nil, err
		}
		return art, nil
	})
}

// list returns the artifacts of the keys with a prefix for which is reports true.
func (c *Catalog) list(prefix []byte, is func(*Artifact) bool) ([]*Artifact, error) {
	var out []*Artifact
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

// MinPrefix is the length in characters of the shortest prefix that may name an id. Every id
// begins with "baf", so shorter prefixes say nothing.
const MinPrefix = 4
