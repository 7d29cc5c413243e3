package custody

import (
	"context"

	"muniment/archive"
	"muniment/objects"
)

// PushInBatches sends all snapshots of an archive to an empty remote, at most
// limit new objects at a time unless one snapshot has more.
func PushInBatches(ctx context.Context, a *archive.Archive, ref string, limit int64) (*PushResult, error) {
	info, r, err := connect(a.Repository, ref, Transfer{})
	if err != nil {
		return nil, err
	}
	_, tip, err := a.Head()
	if err != nil {
		return nil, err
	}
	history, err := a.History(tip)
	if err != nil {
		return nil, err
	}
	p := &pushSession{Archive: a, info: info, remote: r, result: &PushResult{}, limit: limit}
	return p.result, p.sendSnapshots(ctx, history, objects.Hash{})
}

// MaxUnnamed is for tests.
const MaxUnnamed = maxUnnamed

// RewriteJunk is DropJunk up to where the objects are taken out.
func RewriteJunk(a *archive.Archive) error {
	found, err := FindJunk(a, true)
	if err != nil {
		return err
	}
	return rewriteRefs(a, found)
}
