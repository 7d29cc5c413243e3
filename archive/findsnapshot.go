package archive

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/text/legible"
)

// FindCommit returns the commit of a snapshot that FindSnapshot finds; "" is main,
// whatever it holds.
func (a *Archive) FindCommit(ref string) (objects.Hash, error) {
	tip, err := a.Store().Ref(RefMain)
	if err != nil {
		return tip, problem.Wrap(err, RefMain)
	}
	if tip.IsZero() {
		_, tip, err = a.RequireHead()
		return tip, err
	}
	if ref == "" {
		return tip, nil
	}
	s, err := a.FindSnapshot(ref)
	if err != nil {
		return tip, err
	}
	return objects.Sum(objects.Commit, s.Content), nil
}

// FindSnapshot finds a snapshot of the history by its number, its id, an
// unambiguous prefix of it, or a tag; "" is the newest. Where two of one number
// were joined, the number alone is ambiguous.
func (a *Archive) FindSnapshot(ref string) (*snapshot.Snapshot, error) {
	head, _, err := a.RequireHead()
	if err != nil || ref == "" {
		return head, err
	}
	found, err := a.FindRows(ref)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 1:
		s, err := SnapshotAt(a.Store(), found[0].Commit)
		return s, problem.Wrap(err, "snapshot "+ref)
	case len(found) > 1:
		return nil, problem.New(problem.Ambiguous, problem.Next(problem.DoLog).With("give more of the id"), "%s names %s snapshots", legible.Printable(ref), holdings.CountFound(len(found)))
	}
	if snapshot.CheckTagName(ref) == nil {
		h, err := a.Store().Ref(RefTags + ref)
		if err != nil {
			return nil, problem.Wrap(err, RefTags+ref)
		}
		if !h.IsZero() {
			_, s, err := a.OpenTag(ref, h)
			if err != nil {
				return nil, problem.New(problem.Verification, problem.Next(problem.DoTags), "tag %s: %w", ref, err)
			}
			return s, nil
		}
	}
	return nil, problem.New(problem.NotFound, problem.Next(problem.DoLog).Or(problem.DoTags), "no snapshot is named %s", legible.Printable(ref))
}

// snapshotTrees returns the tree of the snapshot that FindSnapshot finds and that of the
// snapshot before it, zero for none.
func (a *Archive) snapshotTrees(ref string) (tree, before objects.Hash, err error) {
	s, err := a.FindSnapshot(ref)
	if err != nil {
		return tree, before, err
	}
	for row, err := range a.SnapshotRows() {
		if err != nil || row.Seq < s.Seq {
			return s.Tree, row.Tree, err
		}
	}
	return s.Tree, before, nil
}
