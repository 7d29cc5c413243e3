package history

import (
	"muniment/archive"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// CosignResult names a co-signature.
type CosignResult struct {
	Snapshot string `json:"snapshot"`
	Seq      int64  `json:"seq"`
	Signer   string `json:"signer"`
	Path     string `json:"path"` // in the tree of refs/muniment/cosigs
	Cosigned int    `json:"cosigned"`
}

// Cosign adds the signer's co-signature to a snapshot: its number, id, prefix
// or tag, "" for the newest. The snapshot itself does not change.
func Cosign(a *archive.Archive, ref string, signer sign.Signer) (*CosignResult, error) {
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
		return nil, archive.Problem(archive.TypeNothingToDo, archive.Next(DoCosignWithOther), "snapshot %d is signed by this key already", s.Seq)
	}
	cosigs, err := a.Cosigs()
	if err != nil {
		return nil, err
	}
	for _, k := range cosigs.Signers(s) {
		if k.Point() == signer.Key().Point() {
			return nil, archive.Problem(archive.TypeNothingToDo, archive.Next(DoListCosigners), "snapshot %d is co-signed by this key already", s.Seq)
		}
	}
	for _, one := range cosigs[s.Seq] {
		if one.Key.Point() == signer.Key().Point() {
			return nil, archive.Problem(archive.TypeNotPermitted, archive.Next(DoCosignWithOther), "this key co-signed another snapshot of the number %d", s.Seq)
		}
	}
	c, err := s.Cosign(signer)
	if err != nil {
		return nil, archive.Problem(archive.TypeKey, archive.Next(archive.DoListKeys), "the key did not sign: %w", err)
	}
	path := snapshot.CosigPath(s.Seq, c.Key)
	if err := addCosigs(a, lock, map[string][]byte{path: c.Armored}); err != nil {
		return nil, err
	}
	a.RememberRefs()
	return &CosignResult{Snapshot: s.ID.String(), Seq: s.Seq, Signer: c.Key.Fingerprint(), Path: path, Cosigned: len(cosigs.Of(s)) + 1}, nil
}

// addCosigs commits co-signatures, by path, to the ref of co-signatures. An existing
// co-signature is never replaced: a key co-signs a snapshot once.
func addCosigs(a *archive.Archive, lock *objects.Lock, files map[string][]byte) error {
	tree, tip, err := a.CosigTree()
	if err != nil {
		return err
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return archive.Environment(err, "co-signature")
	}
	defer b.Abort()
	var edits []objects.Edit
	for path, data := range files {
		if !tree.IsZero() {
			if _, ok, err := a.Store().Lookup(tree, path); err != nil {
				return archive.Environment(err, snapshot.RefCosigs)
			} else if ok {
				continue
			}
		}
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			return archive.Environment(err, "co-signature")
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	if len(edits) == 0 {
		return nil
	}
	return CommitCosigs(a.Repository, b, lock, tree, edits, tip)
}

// CommitCosigs commits edits on top of the co-signatures, whose commit is the
// first of the parents, or zero where there is none.
func CommitCosigs(a *archive.Repository, b *objects.Batch, lock *objects.Lock, base objects.Hash, edits []objects.Edit, parents ...objects.Hash) error {
	const author, text = "Muniment cosignatures <cosigs@archive.invalid>", "co-signatures of snapshots; each stands for itself"
	return archive.Environment(a.CommitFiles(b, lock, snapshot.RefCosigs, author, text, base, edits, parents), "co-signature")
}
