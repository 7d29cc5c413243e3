package muniment

import (
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
func (a *Archive) Cosign(ref string, signer sign.Signer) (*CosignResult, error) {
	lock, err := a.writeLock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	s, err := a.findSnapshot(ref)
	if err != nil {
		return nil, err
	}
	if s.Key.Point() == signer.Key().Point() {
		return nil, problem(TypeNothingToDo, ExitNo, "co-sign with another key: --key FILE", "snapshot %d is signed by this key already", s.Seq)
	}
	cosigs, err := a.cosigs()
	if err != nil {
		return nil, err
	}
	for _, k := range cosigs.Signers(s) {
		if k.Point() == signer.Key().Point() {
			return nil, problem(TypeNothingToDo, ExitNo, "muniment log shows who co-signed", "snapshot %d is co-signed by this key already", s.Seq)
		}
	}
	for _, one := range cosigs[s.Seq] {
		if one.Key.Point() == signer.Key().Point() {
			return nil, problem(TypeNotPermitted, ExitNotAllowed, "co-sign with another key: --key FILE", "this key co-signed another snapshot of the number %d", s.Seq)
		}
	}
	c, err := s.Cosign(signer)
	if err != nil {
		return nil, problem(TypeKey, ExitKey, "muniment key list shows the keys that can sign", "the key did not sign: %w", err)
	}
	path := snapshot.CosigPath(s.Seq, c.Key)
	if err := a.addCosigs(lock, map[string][]byte{path: c.Armored}); err != nil {
		return nil, err
	}
	a.noteRefs()
	return &CosignResult{Snapshot: s.ID.String(), Seq: s.Seq, Signer: c.Key.Fingerprint(), Path: path, Cosigned: len(cosigs.Of(s)) + 1}, nil
}

// witnesses adds to a snapshot's description who co-signed it and what it is
// tagged.
func (a *Archive) witnesses(r *SnapshotResult, s *snapshot.Snapshot) error {
	cosigs, err := a.cosigs()
	if err != nil {
		return err
	}
	for _, c := range cosigs.Of(s) {
		r.Cosigned = append(r.Cosigned, c.Key.Fingerprint())
	}
	tags, err := a.Tags()
	if err != nil {
		return err
	}
	for _, t := range tags {
		if t.Problem == "" && t.Snapshot == r.Snapshot {
			r.Tags = append(r.Tags, t.Name)
		}
	}
	return nil
}

// cosigs reads the co-signatures; malformed ones are left to verify.
func (a *Archive) cosigs() (snapshot.Cosigs, error) {
	tree, _, err := a.cosigTree()
	if err != nil {
		return nil, err
	}
	out, _ := snapshot.ReadCosigs(a.store, tree)
	return out, nil
}

// cosigTree returns the tree of the co-signatures and its commit.
func (a *Archive) cosigTree() (tree, tip objects.Hash, err error) {
	if tip, err = a.store.Ref(snapshot.RefCosigs); err != nil || tip.IsZero() {
		return tree, tip, environment(err, snapshot.RefCosigs)
	}
	tree, err = a.store.TreeOf(tip)
	return tree, tip, environment(err, snapshot.RefCosigs)
}

// addCosigs puts co-signatures by path beside those that are there. One that is
// there stays: a key co-signs a snapshot once.
func (a *Archive) addCosigs(lock *objects.Lock, files map[string][]byte) error {
	tree, tip, err := a.cosigTree()
	if err != nil {
		return err
	}
	b, err := a.store.NewBatch()
	if err != nil {
		return environment(err, "co-signature")
	}
	defer b.Abort()
	var edits []objects.Edit
	for path, data := range files {
		if !tree.IsZero() {
			if _, ok, err := a.store.Lookup(tree, path); err != nil {
				return environment(err, snapshot.RefCosigs)
			} else if ok {
				continue
			}
		}
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			return environment(err, "co-signature")
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	if len(edits) == 0 {
		return nil
	}
	return a.moveCosigs(b, lock, tree, edits, tip)
}

// moveCosigs commits edits on top of the co-signatures, whose commit is the
// first of the parents, or zero where there is none.
func (a *Archive) moveCosigs(b *objects.Batch, lock *objects.Lock, base objects.Hash, edits []objects.Edit, parents ...objects.Hash) error {
	const author, text = "Muniment cosignatures <cosigs@archive.invalid>", "co-signatures of snapshots; each stands for itself"
	return environment(a.commitFiles(b, lock, snapshot.RefCosigs, author, text, base, edits, parents), "co-signature")
}
