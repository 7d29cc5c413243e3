package holdings

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// The directories of a tree whose files are named by digests.
const (
	dirArtifacts = "artifacts"
	dirRecords   = "records"
	dirCitations = "citations"
)

// A Lookup finds what a tree holds of one artifact by its path alone. A path leads through three directories, of which
// the upper two are cached. Its methods may be called from any goroutine.
type Lookup struct {
	store   snapshot.Getter
	tree    objects.Hash
	changed map[string][]byte // files of consent and policy in the place of those of the tree

	mu   sync.Mutex
	dirs map[string][]objects.TreeEntry // "", "artifacts" and "artifacts/ab"
}

// NewLookup returns a lookup into tree, which may be zero.
func NewLookup(store snapshot.Getter, tree objects.Hash) *Lookup {
	return &Lookup{store: store, tree: tree, dirs: map[string][]objects.TreeEntry{}}
}

// With returns a lookup into the same tree with some files of consent and policy changed, by
// path. Its Consent is what would then be in force.
func (s *Lookup) With(files map[string][]byte) *Lookup {
	return &Lookup{store: s.store, tree: s.tree, changed: files, dirs: map[string][]objects.TreeEntry{}}
}

// Artifact returns the artifact with an id, its consent, records and withdrawal; nil when the tree has no file of it.
func (s *Lookup) Artifact(id cid.ID) (*Artifact, error) {
	d := id.Digest()
	var art *Artifact
	err := s.visit(dirArtifacts, d, d, func(path string, h objects.Hash) (bool, error) {
		var err error
		art, err = s.addFile(art, path, h)
		return true, err
	})
	return art, err
}

// addFile adds to art, which it makes where it is nil, what the file or directory of chunks at path says of it.
func (s *Lookup) addFile(art *Artifact, path string, h objects.Hash) (*Artifact, error) {
	kind, ids := layout.ClassifyPath(path)
	if kind == layout.KindNone { // a directory of chunks
		kind, ids = layout.ClassifyPath(layout.ChunkPath(path, 0))
	}
	switch kind {
	case layout.KindPayload, layout.KindPayloadChunk, layout.KindPointer, layout.KindConsent, layout.KindWithdrawn, layout.KindRecord:
	default:
		return art, nil
	}
	if art == nil {
		art = &Artifact{ID: ids[0]}
	}
	switch kind {
	case layout.KindConsent:
		art.HasConsent = true
	case layout.KindWithdrawn:
		art.Withdrawn = true
	case layout.KindRecord:
		stored, err := readRecord(s.store, path, h)
		if err != nil {
			return nil, err
		}
		art.Records = append(art.Records, stored)
	}
	return art, nil
}

// readRecord returns the record at path.
func readRecord(get snapshot.Getter, path string, h objects.Hash) (StoredRecord, error) {
	_, data, err := get.Get(h)
	if err != nil {
		return StoredRecord{}, problem.Wrap(err, path)
	}
	rec, err := record.ParseRecord(data)
	if err != nil {
		return StoredRecord{}, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", path, err)
	}
	return StoredRecord{ID: cid.OfJSON(data), Record: rec}, nil
}

// visit calls fn, in path order, with the files and directories of chunks below top whose digest is neither below low
// nor above high. It ends when fn returns false.
func (s *Lookup) visit(top string, low, high [32]byte, fn func(path string, h objects.Hash) (bool, error)) error {
	if s.tree.IsZero() {
		return nil
	}
	first, last := hex.EncodeToString(low[:]), hex.EncodeToString(high[:])
	between := func(start string) bool { // reports whether digests in the range begin so
		return first[:len(start)] <= start && start <= last[:len(start)]
	}
	upper, err := s.list(top)
	if err != nil {
		return err
	}
	for _, ab := range upper {
		if len(ab.Name) != 2 || !between(ab.Name) {
			continue
		}
		middle, err := s.list(top + "/" + ab.Name)
		if err != nil {
			return err
		}
		for _, cd := range middle {
			if len(cd.Name) != 2 || !between(ab.Name+cd.Name) {
				continue
			}
			leaf, err := readTree(s.store, cd.Hash) // too many to keep, and asked for once
			if err != nil {
				return problem.Wrap(err, top)
			}
			for _, e := range leaf {
				digest := ab.Name + cd.Name + e.Name
				if len(digest) < len(first) || !between(digest[:len(first)]) {
					continue
				}
				if more, err := fn(top+"/"+ab.Name+"/"+cd.Name+"/"+e.Name, e.Hash); err != nil || !more {
					return err
				}
			}
		}
	}
	return nil
}

// list returns the entries of one of the upper directories, none where the tree has no such directory.
func (s *Lookup) list(path string) ([]objects.TreeEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listLocked(path)
}

func (s *Lookup) listLocked(path string) ([]objects.TreeEntry, error) {
	if at, ok := s.dirs[path]; ok {
		return at, nil
	}
	h := s.tree
	if path != "" {
		parent, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			parent, name = path[:i], path[i+1:]
		}
		above, err := s.listLocked(parent)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(above, func(e objects.TreeEntry) bool { return e.Name == name && e.Mode == objects.ModeTree })
		if i < 0 {
			s.dirs[path] = nil
			return nil, nil
		}
		h = above[i].Hash
	}
	at, err := readTree(s.store, h)
	if err != nil {
		return nil, problem.Wrap(err, "look up "+path)
	}
	s.dirs[path] = at
	return at, nil
}

// readTree returns the entries of a directory; the zero hash has none.
func readTree(get snapshot.Getter, h objects.Hash) ([]objects.TreeEntry, error) {
	if h.IsZero() {
		return nil, nil
	}
	kind, data, err := get.Get(h)
	if err == nil && kind != objects.Tree {
		err = fmt.Errorf("object %s is a %s, want a tree", h, kind)
	}
	if err != nil {
		return nil, err
	}
	return objects.ParseTree(data)
}
