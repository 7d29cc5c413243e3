package custody

import (
	"muniment/cid"
	"muniment/history"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// review returns the acts of a remote's snapshot, compared with a parent, that need the role withdraw beyond those of
// snapshot.Step; see [snapshot.Checking]. What this copy has is not judged: it was valid when it was taken.
func (f *fetchSession) review(parent, s *snapshot.Snapshot) ([]snapshot.Act, bool, error) {
	if f.ourHead == nil || f.findOurs(s.ID.String()) != nil {
		return nil, false, nil
	}
	found, err := history.WideningActs(f.source(), parent.Tree, s.Tree, f.locateRecords(parent.Tree))
	return found, true, err
}

// locateRecords returns a function that finds the artifact of a record in a tree: the index
// of our newest snapshot knows most, and the others came since.
func (f *fetchSession) locateRecords(tree objects.Hash) history.Locator {
	ours := history.LocateRecords(f.ours, f.ourHead.Tree)
	var came map[cid.ID]cid.ID
	return func(id cid.ID) (cid.ID, bool, error) {
		if artifact, known, err := ours(id); known || err != nil {
			return artifact, known, err
		}
		if came == nil {
			came = map[cid.ID]cid.ID{}
			err := snapshot.EachChange(f.source(), f.ourHead.Tree, tree, func(path string, _, _ objects.Hash) error {
				if kind, ids := layout.ClassifyPath(path); kind == layout.KindRecord {
					came[ids[1]] = ids[0]
				}
				return nil
			})
			if err != nil {
				return cid.ID{}, false, err
			}
		}
		artifact, known := came[id]
		return artifact, known, nil
	}
}
