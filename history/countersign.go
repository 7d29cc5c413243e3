package history

import (
	"muniment/archive"
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
		return nil, archive.Problem(archive.TypeNothingToDo, archive.Next(DoCountersignWithOther), "snapshot %d is signed by this key already", s.Seq)
	}
	countersignatures, err := a.Countersignatures()
	if err != nil {
		return nil, err
	}
	for _, k := range countersignatures.Signers(s) {
		if k.Point() == signer.Key().Point() {
			return nil, archive.Problem(archive.TypeNothingToDo, archive.Next(DoListCountersigners), "snapshot %d is countersigned by this key already", s.Seq)
		}
	}
	for _, one := range countersignatures[s.Seq] {
		if one.Key.Point() == signer.Key().Point() {
			return nil, archive.Problem(archive.TypeNotPermitted, archive.Next(DoCountersignWithOther), "this key countersigned another snapshot of the number %d", s.Seq)
		}
	}
	c, err := s.Countersign(signer)
	if err != nil {
		return nil, archive.Problem(archive.TypeKey, archive.Next(archive.DoListKeys), "the key did not sign: %w", err)
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
		return archive.Environment(err, "countersignature")
	}
	defer b.Abort()
	var edits []objects.Edit
	for path, data := range files {
		if !tree.IsZero() {
			if _, ok, err := a.Store().Lookup(tree, path); err != nil {
				return archive.Environment(err, snapshot.RefCountersignatures)
			} else if ok {
				continue
			}
		}
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			return archive.Environment(err, "countersignature")
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	if len(edits) == 0 {
		return nil
	}
	return CommitCountersignatures(a.Repository, b, lock, tree, edits, tip)
}

// CommitCountersignatures commits edits on top of the countersignatures, whose commit is the
// first of the parents, or zero where there is none.
func CommitCountersignatures(a *archive.Repository, b *objects.Batch, lock *objects.Lock, base objects.Hash, edits []objects.Edit, parents ...objects.Hash) error {
	const author, text = "Muniment cosignatures <cosigs@archive.invalid>", "countersignatures of snapshots; each stands for itself"
	return archive.Environment(a.CommitFiles(b, lock, snapshot.RefCountersignatures, author, text, base, edits, parents), "countersignature")
}
