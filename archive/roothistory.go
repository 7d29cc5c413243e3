package archive

import (
	"errors"
	"fmt"

	"muniment/objects"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// rootSteps follows the trust root through a history, the newest snapshot first.
// Each snapshot holds the chain of versions from the first to the one in force;
// the next one holds the same chain or goes on with it. A snapshot that drops
// the root, goes back to an older version, or puts another in its place is an
// error that names it. The result is the newest version, or nil where no
// snapshot has one.
func rootSteps(st *objects.Store, history []*snapshot.Snapshot) (*trust.Root, error) {
	var root *trust.Root
	var folder objects.Hash
	for i := len(history) - 1; i >= 0; i-- {
		s := history[i]
		now, err := folderOf(st, s.Tree, DirTrust)
		if err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", s.Seq, err)
		}
		if now == folder {
			continue
		}
		folder = now
		if root, err = rootStep(st, s.Tree, root); err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", s.Seq, err)
		}
	}
	return root, nil
}

// rootStep reads the root of a tree that comes after one with the root last.
func rootStep(st *objects.Store, tree objects.Hash, last *trust.Root) (*trust.Root, error) {
	root, versions, err := rootChain(st, tree)
	switch {
	case err != nil || last == nil:
		return root, err
	case root == nil:
		return nil, fmt.Errorf("drops version %d of the trust root", last.Version)
	case root.Version < last.Version:
		return nil, fmt.Errorf("goes back from version %d of the trust root to version %d", last.Version, root.Version)
	}
	return trust.Advance(last, versions)
}

// rootChain reads the trust root of a tree: each version is signed by enough of
// its own policy keys and of those before it, and the newest is the one in
// force. It is nil where the tree has none.
func rootChain(st *objects.Store, tree objects.Hash) (*trust.Root, []trust.Signed, error) {
	versions, err := rootVersions(st, tree)
	if err != nil {
		return nil, nil, err
	}
	inForce, err := readRoot(st, tree)
	switch {
	case err != nil:
		return nil, nil, err
	case inForce == nil && len(versions) == 0:
		return nil, nil, nil
	case inForce == nil:
		return nil, nil, errors.New(PathTrustRoot + " is gone, and its versions are there")
	case len(versions) == 0:
		return nil, nil, errors.New(PathTrustRoot + " is there, and no signed version beside it")
	}
	first, err := versions[0].Verify(nil)
	if err != nil {
		return nil, nil, err
	}
	newest, err := trust.Advance(first, versions)
	switch {
	case err != nil:
		return nil, nil, err
	case newest.Digest() != inForce.Digest():
		return nil, nil, fmt.Errorf("%s is version %d, the newest that is signed is %d", PathTrustRoot, inForce.Version, newest.Version)
	}
	return newest, versions, nil
}

// folderOf returns the hash of a folder at the top of a tree, zero where it is
// not there.
func folderOf(st *objects.Store, tree objects.Hash, name string) (objects.Hash, error) {
	entries, err := st.Tree(tree)
	if err != nil {
		return objects.Hash{}, err
	}
	for _, e := range entries {
		if e.Name == name {
			return e.Hash, nil
		}
	}
	return objects.Hash{}, nil
}
