package accession

import (
	"slices"
	"strings"
	"sync"

	"muniment/archive"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// An artifactLookup finds what a tree holds of one artifact by its path alone. A
// path leads through three directories, of which the upper two are cached. It
// is for an add, which asks for a few artifacts of many; archive.Catalog reads
// them all.
type artifactLookup struct {
	store *objects.Store
	tree  objects.Hash

	mu   sync.Mutex
	dirs map[string][]objects.TreeEntry // "artifacts" and "artifacts/ab"
}

// newArtifactLookup returns a lookup into tree, which may be zero.
func newArtifactLookup(a *archive.Archive, tree objects.Hash) *artifactLookup {
	return &artifactLookup{store: a.Store(), tree: tree, dirs: map[string][]objects.TreeEntry{}}
}

// A holding is what a tree already holds of an addition.
type holding struct {
	withdrawn bool // the artifact was withdrawn
	recorded  bool // the artifact has a record of the same original and name
}

// needsNothing reports whether an add with the options o writes nothing of an
// addition that the tree holds so.
func (h holding) needsNothing(o AddOptions) bool {
	return h.recorded && !h.withdrawn || h.withdrawn && !o.Reinstate
}

// find returns what the tree holds of an addition.
func (s *artifactLookup) find(add *addition) (holding, error) {
	art, err := s.artifact(add.artifact)
	if art == nil || err != nil {
		return holding{}, err
	}
	h := holding{withdrawn: art.Withdrawn}
	for _, r := range art.Records {
		h.recorded = h.recorded || r.Record.Original == add.result.Original && slices.Contains(r.Record.Names, add.name)
	}
	return h, nil
}

// artifact returns the artifact with an id, its consent, records and withdrawal;
// nil when the tree has no file of it.
func (s *artifactLookup) artifact(id cid.ID) (*archive.Artifact, error) {
	if s.tree.IsZero() {
		return nil, nil
	}
	dir, name, err := s.leaf(record.ArtifactPath(id))
	if err != nil {
		return nil, archive.Environment(err, "look up "+id.String())
	}
	art := &archive.Artifact{ID: id}
	found := false
	for _, e := range dir {
		if !strings.HasPrefix(e.Name, name) {
			continue
		}
		found = true
		path := record.ArtifactPath(id) + e.Name[len(name):]
		kind, ids := record.ClassifyPath(path)
		switch kind {
		case record.KindConsent:
			art.HasConsent = true
		case record.KindWithdrawn:
			art.Withdrawn = true
		case record.KindRecord:
			_, data, err := s.store.Get(e.Hash)
			if err != nil {
				return nil, archive.Environment(err, path)
			}
			rec, err := record.ParseRecord(data)
			if err != nil {
				return nil, archive.Negative(archive.TypeDamaged, archive.Next(archive.DoListDamage), "%s: %w", path, err)
			}
			art.Records = append(art.Records, archive.StoredRecord{ID: ids[1], Record: rec})
		}
	}
	if !found {
		return nil, nil
	}
	return art, nil
}

// leaf returns the entries of the directory that a path lies in, and the
// path's last name.
func (s *artifactLookup) leaf(path string) ([]objects.TreeEntry, string, error) {
	parts := strings.Split(path, "/")
	at, err := s.dir("", s.tree)
	if err != nil {
		return nil, "", err
	}
	for i, name := range parts[:len(parts)-1] {
		next := objects.Hash{}
		for _, e := range at {
			if e.Name == name && e.Mode == objects.ModeTree {
				next = e.Hash
			}
		}
		if next.IsZero() {
			return nil, "", nil
		}
		if i == len(parts)-2 { // too many to keep, and asked for once
			at, err = s.store.Tree(next)
		} else {
			at, err = s.dir(strings.Join(parts[:i+1], "/"), next)
		}
		if err != nil {
			return nil, "", err
		}
	}
	return at, parts[len(parts)-1], nil
}

// dir returns the entries of one of the upper directories.
func (s *artifactLookup) dir(path string, h objects.Hash) ([]objects.TreeEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.dirs[path]; ok {
		return at, nil
	}
	at, err := s.store.Tree(h)
	if err == nil {
		s.dirs[path] = at
	}
	return at, err
}
