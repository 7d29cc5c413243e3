package history

import (
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// CountersignResult names a countersignature.
type CountersignResult struct {
	Snapshot string `json:"snapshot"`
	Seq      int64  `json:"seq"`
	Signer   string `json:"signer"`
	Path     string `json:"path"` // in the tree of refs/muniment/cosigs
	Cosigned int    `json:"cosigned"`
}

// Countersign adds the signer's countersignature to a snapshot: its number, id, prefix
// or tag, "" for the newest. The snapshot itself does not change.
func Countersign(a *archive.Archive, ref string, signer sign.Signer) (*CountersignResult, error) {
	if err := needSigner(signer); err != nil {
		return nil, err
	}
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	s, err := a.FindSnapshot(ref)
	if err != nil {
		return nil, err
	}
	if s.Key.Point() == signer.Key().Point() {
		return nil, problem.New(problem.NothingToDo, problem.Next(problem.DoGive, "key", "FILE").With("countersign with another key"), "snapshot %d is signed by this key already", s.Seq)
	}
	countersignatures, err := a.Countersignatures()
	if err != nil {
		return nil, err
	}
	for _, k := range countersignatures.Signers(s) {
		if k.Point() == signer.Key().Point() {
			return nil, problem.New(problem.NothingToDo, problem.Next(problem.DoLog), "snapshot %d is countersigned by this key already", s.Seq)
		}
	}
	for _, one := range countersignatures[s.Seq] {
		if one.Key.Point() == signer.Key().Point() {
			return nil, problem.New(problem.NotPermitted, problem.Next(problem.DoGive, "key", "FILE").With("countersign with another key"), "this key countersigned another snapshot of the number %d", s.Seq)
		}
	}
	c, err := s.Countersign(signer)
	if err != nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys), "the key did not sign: %w", err)
	}
	path := snapshot.CountersignaturePath(s.Seq, c.Key)
	if err := addCountersignatures(a, lock, map[string][]byte{path: c.Armored}); err != nil {
		return nil, err
	}
	a.RememberRefs()
	return &CountersignResult{Snapshot: s.ID.String(), Seq: s.Seq, Signer: c.Key.Fingerprint(), Path: path, Cosigned: len(countersignatures.Of(s)) + 1}, nil
}

// addCountersignatures commits countersignatures, by path, to the ref of countersignatures. An existing
// countersignature is never replaced: a key countersigns a snapshot once.
func addCountersignatures(a *archive.Archive, lock *objects.Lock, files map[string][]byte) error {
	tree, tip, err := a.CountersignatureTree()
	if err != nil {
		return err
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return problem.Wrap(err, "countersignature")
	}
	defer b.Abort()
	var edits []objects.Edit
	for path, data := range files {
		if !tree.IsZero() {
			if _, ok, err := a.Store().Lookup(tree, path); err != nil {
				return problem.Wrap(err, snapshot.RefCountersignatures)
			} else if ok {
				continue
			}
		}
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			return problem.Wrap(err, "countersignature")
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	if len(edits) == 0 {
		return nil
	}
	return a.CommitFiles(b, lock, snapshot.RefCountersignatures, tree, edits, tip)
}
