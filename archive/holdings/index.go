package holdings

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
)

// The holdings index finds artifacts and records by what no path of a tree says:
// names, dates, addresses, originals, the IDs of records, and which artifacts have
// a consent, a hold or a withdrawal. It is derived, lies in archive.local/holdings
// and can be deleted.
//
// It proposes and the tree decides: a key leads to an artifact, which is then read
// from the tree and compared. Keys are therefore never removed, an index is right
// for every tree that it once covered, and a wrong key finds nothing.
//
// A key is a letter, what is looked for, and where it is: a placeSize of letter
// and beginning of the digest. Texts of any length stand as their hash, except
// names, which are reversed so that a suffix is a prefix.
const (
	keyName       = 'n' // name reversed, NUL, place
	keyRecord     = 'r' // beginning of the record's digest, place
	keyOriginal   = 'o' // beginning of the original's digest, place
	keySource     = 's' // beginning of the hash of a source's address or title, place
	keyDate       = 'd' // last day of a date with every byte inverted, so that the newest is first, place
	keyLoneDate   = 'e' // the same of a record without a body
	keyConsent    = 'c' // place
	keySupersedes = 'p' // beginning of the digest of the record that is superseded, place
	keyDerived    = 'f' // beginning of the digest of the artifact that a text was made from or a part lay in, place
	keyKind       = 'k' // beginning of the hash of a kind, last day inverted or noDay, place; of artifacts
	keyWord       = 'm' // beginning of the hash of a stem that describes the record, place
	keyHold       = 'h' // place
	keyWithdrawn  = 'w' // place
	keyRegistered = 'g' // place; of artifacts that a program brought in

	placeArtifact = 'a'
	placeLone     = 'l' // a record without a body

	// digestPart is how many bytes of a digest a key has: two of 2^64 meet once in
	// archives of billions, and then the tree is asked about both.
	digestPart = 8
	placeSize  = 1 + digestPart

	// maxUnwritten is how many changed artifacts a command reads again before they
	// are written into the index: about 3 ms of reading.
	maxUnwritten = 64
	// keysVersion stands in the label: an index of another version has other keys and
	// is made anew. It changes with the keys, and with what makes stems and kinds.
	keysVersion = 5
	// maxCovered is how many trees a label names: the newest snapshot, what is staged, and those before.
	maxCovered = 4
	// indexSteps is after how many artifacts progress is told.
	indexSteps = 1000
)

// Totals are sums over the artifacts of a tree that have a record: their number,
// and the bytes of those that are texts with paragraphs.
type Totals struct {
	Artifacts int64
	TextBytes int64
}

// add adds an artifact, or takes it away where sign is -1.
func (t *Totals) add(art *Artifact, sign int64) {
	if art == nil {
		return
	}
	h, ok := art.FirstRecord()
	if !ok {
		return
	}
	t.Artifacts += sign
	if h.Record.PCount > 0 {
		t.TextBytes += sign * h.Record.Size
	}
}

// A coveredTree is a tree of which an index has every key.
type coveredTree struct {
	tree   objects.Hash
	totals Totals
}

// A keySet is the keys of some trees.
type keySet struct {
	set     *keyfile.Set
	covered []coveredTree // the newest first
}

// covers returns the totals of a tree, and whether the index covers it.
func (x *keySet) covers(tree objects.Hash) (Totals, bool) {
	for _, c := range x.covered {
		if c.tree == tree {
			return c.totals, true
		}
	}
	return Totals{}, false
}

// newest returns the tree that the index was last brought to, zero for none.
func (x *keySet) newest() coveredTree {
	if len(x.covered) == 0 {
		return coveredTree{}
	}
	return x.covered[0]
}

// encodeCovered returns the label of an index of an archive.
func encodeCovered(id cid.ID, covered []coveredTree) string {
	out := fmt.Sprintf("archive %s keys %d", id, keysVersion)
	for _, c := range covered {
		out += fmt.Sprintf(" tree %s %d %d", c.tree, c.totals.Artifacts, c.totals.TextBytes)
	}
	return out
}

// parseCovered parses a label that encodeCovered wrote for the archive, and no other.
func parseCovered(id cid.ID, label string) ([]coveredTree, bool) {
	var out []coveredTree
	parts := strings.Split(label, " tree ")
	for _, part := range parts[1:] {
		var hex string
		var c coveredTree
		if _, err := fmt.Sscanf(part, "%s %d %d", &hex, &c.totals.Artifacts, &c.totals.TextBytes); err != nil {
			return nil, false
		}
		var err error
		if c.tree, err = objects.ParseHash(hex); err != nil {
			return nil, false
		}
		out = append(out, c)
	}
	return out, len(out) > 0 && encodeCovered(id, out) == label
}

// A Copy is what an index knows of the copy of an archive that it is of.
type Copy struct {
	ID    cid.ID // of the archive
	Store *objects.Store
	Dir   string        // the folder of the index, which is made when the index is written
	Disk  objects.Hooks // with which it is written
	// Progress, if set, gets how many artifacts of a large index are done.
	Progress func(done, total int)
	// IsNewest reports whether a tree is that of the newest snapshot or of what is staged.
	IsNewest func(tree objects.Hash) (bool, error)
	// Entries returns the number of entries of the newest snapshot, 0 where that is not known.
	Entries func() int64
	// SnapshotTrees returns the tree of the snapshot that a number, an ID or a tag names and
	// that of the snapshot before it; zero where there is none.
	SnapshotTrees func(ref string) (tree, before objects.Hash, err error)
}

// An Index is the holdings index of a copy, opened at first use. Close it. Its methods
// may be called from any goroutine.
type Index struct {
	copy Copy

	catalogMu sync.Mutex
	catalogs  []*Catalog // of the trees that were asked for last

	mu   sync.Mutex
	keys *keySet        // as they lie in the folder
	sets []*keyfile.Set // closed with the index
}

// New returns the index of a copy.
func New(c Copy) *Index { return &Index{copy: c} }

// maxCatalogs is how many catalogues an index caches: that of the newest snapshot and that of what is staged.
const maxCatalogs = 2

// Catalog returns the catalogue of tree and caches it with that of the tree that was asked for before.
func (x *Index) Catalog(tree objects.Hash) *Catalog {
	x.catalogMu.Lock()
	defer x.catalogMu.Unlock()
	for i, c := range x.catalogs {
		if c.Tree == tree {
			if i > 0 { // the last one asked for stays longest
				x.catalogs[0], x.catalogs[i] = c, x.catalogs[0]
			}
			return c
		}
	}
	c := x.newCatalog(tree)
	x.catalogs = append([]*Catalog{c}, x.catalogs[:min(len(x.catalogs), maxCatalogs-1)]...)
	return c
}

// Peek returns the catalogue of a tree and leaves the cached ones as they are.
func (x *Index) Peek(tree objects.Hash) *Catalog {
	x.catalogMu.Lock()
	defer x.catalogMu.Unlock()
	for _, c := range x.catalogs {
		if c.Tree == tree {
			return c
		}
	}
	return x.newCatalog(tree)
}

// newCatalog returns a catalogue of a tree.
func (x *Index) newCatalog(tree objects.Hash) *Catalog {
	c := &Catalog{Tree: tree, index: x, lookup: NewLookup(x.copy.Store, tree)}
	c.unaccepted = sync.OnceValues(func() ([]*Artifact, error) { return c.list([]byte{keyRegistered}, (*Artifact).IsUnaccepted) })
	return c
}

// Close releases the files of the index.
func (x *Index) Close() error {
	for _, set := range x.sets {
		if err := set.Close(); err != nil {
			return problem.Wrap(err, "holdings index")
		}
	}
	x.sets, x.keys, x.catalogs = nil, nil, nil
	return nil
}

// Forget removes the index, which has names in it. The next use makes it again.
func (x *Index) Forget() error {
	x.drop()
	x.catalogMu.Lock()
	x.catalogs = nil
	x.catalogMu.Unlock()
	return os.RemoveAll(x.copy.Dir)
}

// open returns the keys that lie in the folder; those that are not there, are damaged or
// are of another archive are empty. The caller has locked mu.
func (x *Index) open() *keySet {
	if x.keys != nil {
		return x.keys
	}
	x.keys = &keySet{set: &keyfile.Set{}}
	set, err := keyfile.Open(x.copy.Dir)
	if err != nil {
		return x.keys
	}
	covered, ok := parseCovered(x.copy.ID, set.Label)
	if !ok {
		_ = set.Close()
		return x.keys
	}
	x.sets = append(x.sets, set)
	x.keys = &keySet{set: set, covered: covered}
	return x.keys
}

// keysOf returns keys that cover tree: those in the folder, with what the tree has beyond them. Where that is much, and
// the tree is one of the newest, it is written into the folder.
func (x *Index) keysOf(tree objects.Hash, newest bool) (*keySet, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for try := 1; ; try++ {
		have := x.open()
		if _, ok := have.covers(tree); ok {
			return have, nil
		}
		g := &gatherer{index: x, from: have.newest(), tree: tree, totals: have.newest().totals, newest: newest, write: newest && try < keyfile.MaxTries}
		err := g.run()
		switch {
		case errors.Is(err, errMoved):
			x.keys = nil
			continue
		case errors.Is(err, errTreeGone):
			x.keys = &keySet{set: &keyfile.Set{}}
			continue
		case err != nil:
			return nil, err
		}
		covered := append([]coveredTree{{tree, g.totals}}, have.covered...)
		covered = covered[:min(len(covered), maxCovered)]
		if g.writer == nil {
			set, err := have.set.With(g.keys)
			return &keySet{set: set, covered: covered}, problem.Wrap(err, "holdings index")
		}
		// Where the disk takes it badly, the keys are gathered again, in memory.
		if err := g.writer.Commit(encodeCovered(x.copy.ID, covered)); err != nil {
			try = keyfile.MaxTries
		}
		x.keys = nil
	}
}

// drop forgets keys that were found damaged while they were read, so that the next ones are made from the tree alone.
func (x *Index) drop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.keys = &keySet{set: &keyfile.Set{}}
}

// NamesGoneTree reports whether the index in a folder names a tree that the store does not
// have: trees leave the store with their packs alone. It reports false for no index.
func NamesGoneTree(dir string, st *objects.Store) (bool, error) {
	set, err := keyfile.Open(dir)
	if err != nil {
		return false, nil
	}
	_, trees, _ := strings.Cut(set.Label, " tree ")
	for part := range strings.SplitSeq(trees, " tree ") {
		hex, _, _ := strings.Cut(part, " ")
		if h, err := objects.ParseHash(hex); err == nil && !st.Has(h) {
			return true, problem.Wrap(set.Close(), "holdings index")
		}
	}
	return false, problem.Wrap(set.Close(), "holdings index")
}

var (
	// errMoved means that another process wrote the index, or that it cannot be written.
	errMoved = errors.New("the holdings index moved")
	// errTreeGone means that the tree of an index is not in the repository.
	errTreeGone = errors.New("the tree of the holdings index is gone")
)
