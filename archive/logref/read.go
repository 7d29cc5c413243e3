package logref

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/problem"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/layout"
)

// LogKeys returns the keys that may have answer logs, by ID: those of the
// archive's own trust root and allowed_signers.
func LogKeys(a *archive.Repository) (map[string]sign.Key, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	return LogKeysIn(a, tree)
}

// LogKeysIn is LogKeys by the trust in a tree.
func LogKeysIn(a *archive.Repository, tree objects.Hash) (map[string]sign.Key, error) {
	keys := map[string]sign.Key{}
	root, err := a.TrustRootIn(tree)
	if err != nil {
		return nil, err
	}
	if root != nil {
		for _, k := range root.Keys {
			if k.Role == trust.Log {
				keys[k.Key.ID()] = k.Key
			}
		}
		return keys, nil
	}
	data, err := a.File(tree, layout.PathAllowedSigners)
	if err != nil || data == nil {
		return keys, err
	}
	allowed, err := sign.ParseAllowedSigners(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAllowedSigners, err)
	}
	for _, e := range allowed.Entries() {
		keys[e.Key.ID()] = e.Key
	}
	return keys, nil
}

// PublishedEpochs returns the copies on its ref of the log of a key, by ID, oldest epoch
// first.
func PublishedEpochs(a *archive.Repository, id string) ([]answerlog.Published, error) {
	ref := archive.RefLog + id
	tip, err := a.Store().Ref(ref)
	if err != nil || tip.IsZero() {
		return nil, problem.Wrap(err, ref)
	}
	tree, err := a.Store().TreeOf(tip)
	if err != nil {
		return nil, problem.Wrap(err, ref)
	}
	epochs, err := a.Store().Tree(tree)
	if err != nil {
		return nil, problem.Wrap(err, ref)
	}
	var out []answerlog.Published
	for _, e := range epochs {
		if n, err := strconv.ParseInt(e.Name, 10, 64); err == nil && n > 0 {
			out = append(out, answerlog.Published{Epoch: n, Files: NewTreeFS(a, tree, e.Name)})
		}
	}
	slices.SortFunc(out, func(x, y answerlog.Published) int { return cmp.Compare(x.Epoch, y.Epoch) })
	return out, nil
}

// NewPast returns the past of a log of size entries, read from the tiles below dir
// in a tree.
func NewPast(a *archive.Repository, tree objects.Hash, dir string, size int64) answerlog.Past {
	files := NewTreeFS(a, tree, dir)
	return func(from, to int64) (merkle.Hash, []merkle.Hash, error) {
		root, err := sign.RootFromTiles(files, size, from)
		if err != nil || from == to {
			return root, nil, err
		}
		hashes, err := sign.ProveFromTiles(files, size, from, to)
		return root, hashes, err
	}
}

// TreeFS reads single files of a git tree.
type TreeFS struct {
	a    *archive.Repository
	tree objects.Hash
	dir  string
}

// NewTreeFS returns the files below dir in tree.
func NewTreeFS(a *archive.Repository, tree objects.Hash, dir string) TreeFS {
	return TreeFS{a, tree, dir}
}

// Open implements fs.FS.
func (t TreeFS) Open(name string) (fs.File, error) {
	data, err := t.a.File(t.tree, path.Join(t.dir, name))
	if err == nil && data == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return blobFile{bytes.NewReader(data)}, nil
}

// A blobFile is a blob that is read as a file. It has no name or mode of its
// own.
type blobFile struct{ *bytes.Reader }

// Close implements fs.File.
func (blobFile) Close() error { return nil }

// Stat implements fs.File; it has nothing to tell.
func (blobFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
