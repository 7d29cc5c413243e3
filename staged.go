package muniment

import (
	"bytes"
	"strings"

	"muniment/objects"
	"muniment/record"
	"muniment/snapshot"
)

// signedAlready returns the tree of main if the staged commit was made before
// it and its newest snapshot holds all that is staged: the snapshot was cut
// short before it could delete the staged ref. What a snapshot adds by itself,
// citations and the founder's key, is not in the staged tree, and must not be
// taken for something to remove.
func (a *Archive) signedAlready(staged, tree objects.Hash) (objects.Hash, error) {
	main, err := a.store.Ref(refMain)
	if err != nil || main.IsZero() {
		return objects.Hash{}, err
	}
	_, content, err := a.store.Get(staged)
	if err != nil || bytes.Contains(content, []byte("\nparent "+main.String()+"\n")) {
		return objects.Hash{}, err
	}
	signed, err := a.store.TreeOf(main)
	if err != nil {
		return objects.Hash{}, err
	}
	changes, err := snapshot.Diff(a.store, tree, signed)
	if err != nil {
		return objects.Hash{}, err
	}
	for _, c := range changes {
		byItself := strings.HasPrefix(c.Path, "citations/") || c.Path == record.PathAllowedSigners
		if _, there, err := a.store.Lookup(tree, c.Path); err != nil || there || !byItself {
			return objects.Hash{}, err
		}
	}
	return signed, nil
}
