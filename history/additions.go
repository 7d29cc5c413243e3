package history

import (
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// additionsText is the message of a snapshot that a program asked for: who asked is for the archive's owner alone.
const additionsText = "additions of a program, as it asked"

// SignAdditions signs, as the next snapshot, the staged papers that one caller added, with the objects that it wants
// sealed; all else stays staged, on the new snapshot. mine reports whether the caller added a record. An error of kind
// NotPermitted says why a person has to sign: while a consent, a policy, a withdrawal or trust is staged, where the key
// may not sign alone, and where the snapshot would do more than add. What another has staged too is left out.
func SignAdditions(a *archive.Archive, signer sign.Signer, mine func(record cid.ID) bool, sealed []SealedObject) (*SignedSnapshot, error) {
	if err := needSigner(signer); err != nil {
		return nil, err
	}
	w, err := beginSigning(a, signer)
	if err != nil {
		return nil, err
	}
	defer w.end()
	if err := w.checkAdding(); err != nil {
		return nil, err
	}
	edits, err := w.findAdditions(mine)
	if err != nil {
		return nil, err
	}
	objectEdits, err := putObjects(w.batch, sealed)
	if err != nil {
		return nil, err
	}
	tree, err := w.batch.Edit(w.prev.Tree, append(edits, objectEdits...))
	if err != nil {
		return nil, problem.Wrap(err, "snapshot")
	}
	if tree == w.prev.Tree {
		return nil, w.nothingError()
	}
	step, wider, err := compareTrees(a, w.batch, w.prev.Tree, tree, false)
	switch {
	case err != nil:
		return nil, problem.Wrap(err, "snapshot")
	case len(step.Acts)+len(step.Broken)+len(wider) > 0:
		return nil, errPersonSigns("others would see more of a paper by what was added")
	}
	rest, err := w.batch.Edit(w.base, objectEdits)
	if err != nil || rest == tree {
		return w.signAdditions(tree, objects.Hash{}, err)
	}
	// Until main has moved the rest is staged on the snapshot before, with all that is being signed: a process that ends
	// between the two refs loses nothing.
	commit, err := archive.PutStaged(w.batch, a.World(), rest, w.tip)
	if err != nil {
		return nil, err
	}
	return w.signAdditions(tree, rest, nil, objects.RefUpdate{Name: archive.RefStaged, Old: w.staged, New: commit})
}

// signAdditions signs a tree and leaves rest staged, nothing where that is zero.
func (w *signSession) signAdditions(tree, rest objects.Hash, err error, before ...objects.RefUpdate) (*SignedSnapshot, error) {
	if err != nil {
		return nil, problem.Wrap(err, "snapshot")
	}
	s, err := w.publish(tree, additionsText, before...)
	if err != nil {
		return nil, err
	}
	if rest.IsZero() {
		_ = unstage(w.archive, w.lock, w.staged) // as of SignStaged
	} else if b, err := w.archive.Store().NewBatch(); err == nil {
		defer b.Abort()
		if on, err := archive.PutStaged(b, w.archive.World(), rest, w.commit); err == nil { // else it is on the snapshot before
			_ = b.Publish(w.lock, objects.RefUpdate{Name: archive.RefStaged, Old: before[0].New, New: on})
		}
	}
	return w.describe(s), nil
}

// errPersonSigns returns the error of additions that wait for a person.
func errPersonSigns(why string) error {
	return problem.New(problem.NotPermitted, problem.Next(problem.DoStatus), "%s", why)
}

// checkAdding returns an error unless the key may sign the next snapshot alone, by the trust that is in force.
func (w *signSession) checkAdding() error {
	if w.prev == nil {
		return errPersonSigns("a person signs the first snapshot")
	}
	may, err := OwnPermit(w.archive.Repository, w.prev)
	if err != nil {
		return err
	}
	next := *w.prev
	next.Seq, next.Key = w.seq(), w.signer.Key()
	if may == nil && w.prev.Key.Point() != next.Key.Point() || may != nil && may(trust.Snapshot, &next, []sign.Key{next.Key}) != nil {
		return errPersonSigns("the key of the server may not sign a snapshot alone")
	}
	return nil
}

// A stagedPaper is what is staged of an artifact.
type stagedPaper struct {
	edits  []objects.Edit
	mine   []cid.ID // records that the caller added
	others bool     // something that the caller did not add
	needs  []cid.ID // artifacts that the caller's records name
}

// findAdditions returns the edits that add the papers of which all that is staged was added by the caller and names
// nothing that is neither signed nor among them.
func (w *signSession) findAdditions(mine func(cid.ID) bool) ([]objects.Edit, error) {
	papers := map[cid.ID]*stagedPaper{}
	originals := map[cid.ID][]objects.Edit{}
	err := snapshot.EachChange(w.archive.Store(), w.prev.Tree, w.base, func(path string, old, blob objects.Hash) error {
		kind, ids := layout.ClassifyPath(path)
		edit := objects.Edit{Path: path, Blob: blob}
		switch kind {
		case layout.KindPolicy, layout.KindTrust, layout.KindConsent, layout.KindWithdrawn:
			return errPersonSigns("a consent, a policy, a withdrawal or trust is staged")
		case layout.KindOriginal, layout.KindOriginalChunk, layout.KindOriginalPointer:
			originals[ids[0]] = append(originals[ids[0]], edit)
		case layout.KindPayload, layout.KindPayloadChunk, layout.KindPointer, layout.KindHold, layout.KindRecord:
			p := papers[ids[0]]
			if p == nil {
				p = &stagedPaper{}
				papers[ids[0]] = p
			}
			p.edits = append(p.edits, edit)
			switch {
			case kind == layout.KindHold, !old.IsZero():
				p.others = true
			case kind == layout.KindRecord && mine(ids[1]):
				p.mine = append(p.mine, ids[1])
			case kind == layout.KindRecord:
				p.others = true
			}
		}
		if blob.IsZero() {
			return errPersonSigns("what is staged takes something away")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	signed := holdings.NewLookup(w.archive.Store(), w.prev.Tree)
	for id, p := range papers {
		if err := w.readNeeds(id, p, originals); err != nil {
			return nil, err
		}
		if p.others || len(p.mine) == 0 {
			delete(papers, id)
		}
	}
	for again := true; again; { // what names a paper that is left out is left out
		again = false
		for id, p := range papers {
			lacks, err := lacksPaper(signed, papers, p.needs)
			if err != nil {
				return nil, err
			}
			if lacks {
				delete(papers, id)
				again = true
			}
		}
	}
	var out []objects.Edit
	for _, p := range papers {
		out = append(out, p.edits...)
	}
	return out, nil
}

// lacksPaper reports whether one of some artifacts is neither in a tree nor among papers.
func lacksPaper(signed *holdings.Lookup, papers map[cid.ID]*stagedPaper, ids []cid.ID) (bool, error) {
	for _, id := range ids {
		if papers[id] != nil {
			continue
		}
		art, err := signed.Artifact(id)
		if err != nil || art == nil {
			return true, problem.Wrap(err, "snapshot")
		}
	}
	return false, nil
}

// readNeeds reads the records of a paper that the caller added: the originals that they name are signed with them, and
// a record that corrects another one is no addition.
func (w *signSession) readNeeds(id cid.ID, p *stagedPaper, originals map[cid.ID][]objects.Edit) error {
	for _, one := range p.mine {
		at := slices.IndexFunc(p.edits, func(e objects.Edit) bool { return e.Path == layout.RecordPath(id, one) })
		_, data, err := w.archive.Store().Get(p.edits[at].Blob)
		if err != nil {
			return problem.Wrap(err, "snapshot")
		}
		rec, err := record.ParseRecord(data)
		if err != nil {
			return problem.Wrap(err, "snapshot")
		}
		p.others = p.others || rec.Supersedes != ""
		named := []string{}
		for _, part := range rec.Parts {
			named = append(named, part.Artifact)
		}
		for _, fact := range rec.Facts {
			named = append(named, strings.Fields(fact)...)
		}
		for _, ref := range named {
			if of, err := cid.ParseAs(cid.Raw, ref); err == nil && of != id {
				p.needs = append(p.needs, of)
			}
		}
		if original, err := cid.ParseAs(cid.Raw, rec.Original); err == nil {
			p.edits = append(p.edits, originals[original]...)
		}
	}
	return nil
}
