package archive

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// NewestTree returns the tree that the next snapshot would sign.
func (a *Repository) NewestTree() (objects.Hash, error) {
	tree, _, err := a.StagedTree()
	return tree, err
}

// StagedTree returns the tree of the staged ref, or of main when nothing is
// staged, and the staged commit (zero when nothing is staged).
func (a *Repository) StagedTree() (tree, staged objects.Hash, err error) {
	if staged, err = a.Store().Ref(RefStaged); err != nil {
		return tree, staged, problem.Wrap(err, RefStaged)
	}
	tip := staged
	if tip.IsZero() {
		if tip, err = a.Store().Ref(RefMain); err != nil {
			return tree, staged, problem.Wrap(err, RefMain)
		}
	}
	if tip.IsZero() {
		return tree, staged, nil
	}
	tree, err = a.Store().TreeOf(tip)
	if errors.Is(err, objects.ErrNotFound) && !staged.IsZero() { // a snapshot may have signed it since, and its commit is gone
		if now, refErr := a.Store().Ref(RefStaged); refErr == nil && now != staged {
			return a.StagedTree()
		}
	}
	if err != nil || staged.IsZero() {
		return tree, staged, problem.Wrap(err, "newest tree")
	}
	signed, err := a.signedAlready(staged, tree)
	if err == nil && !signed.IsZero() {
		tree = signed
	}
	return tree, staged, problem.Wrap(err, "newest tree")
}

// putFiles puts files into a batch and returns their edits. A nil file removes.
func putFiles(b *objects.Batch, files map[string][]byte) ([]objects.Edit, error) {
	edits := make([]objects.Edit, 0, len(files))
	for path, data := range files {
		if data == nil {
			edits = append(edits, objects.Edit{Path: path})
			continue
		}
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			return nil, problem.Wrap(err, "stage "+path)
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	return edits, nil
}

// StageEdits applies edits, whose blobs are already in the batch, to the tree base
// and moves the staged ref from staged to an unsigned commit of the result, whose
// parent is main.
func StageEdits(b *objects.Batch, lock *objects.Lock, w World, base, staged, main objects.Hash, edits []objects.Edit) error {
	tree, err := b.Edit(base, edits)
	if err != nil {
		return problem.Wrap(err, "stage")
	}
	if tree == base {
		return nil
	}
	commit, err := PutStaged(b, w, tree, main)
	if err != nil {
		return err
	}
	return problem.Wrap(b.Publish(lock, objects.RefUpdate{Name: RefStaged, Old: staged, New: commit}), "stage")
}

// PutStaged puts the unsigned commit of a staged tree into a batch. Its parent is the newest snapshot, zero for none.
func PutStaged(b *objects.Batch, w World, tree, main objects.Hash) (objects.Hash, error) {
	content := fmt.Appendf(nil, "tree %s\n", tree)
	if !main.IsZero() {
		content = fmt.Appendf(content, "parent %s\n", main)
	}
	who := fmt.Sprintf("Muniment staging <staged@archive.invalid> %d +0000", w.orReal().Now().Unix())
	content = fmt.Appendf(content, "author %s\ncommitter %s%s", who, who, stagedEnd)
	commit, err := b.Put(objects.Commit, content)
	return commit, problem.Wrap(err, "stage")
}

// stagedEnd ends the commit of a staged tree.
const stagedEnd = "\n\nstaged for the next snapshot; unsigned\n"

// IsStaged reports whether a commit is one of a staged tree. Those of earlier staged trees
// stay in the store without a ref.
func IsStaged(commit []byte) bool { return bytes.HasSuffix(commit, []byte(stagedEnd)) }

// Edit stages files under the lock, on top of whatever is staged now.
func (a *Archive) Edit(files map[string][]byte) error {
	b, err := a.Store().NewBatch()
	if err != nil {
		return problem.Wrap(err, "stage")
	}
	defer b.Abort()
	return Stage(a, b, func(objects.Hash) ([]objects.Edit, error) { return putFiles(b, files) })
}

// Stage moves the staged ref, under the writer's lock, to what is staged now with edits, whose blobs are in the batch. edit returns them for
// that tree; where there are none nothing moves.
func Stage(a *Archive, b *objects.Batch, edit func(base objects.Hash) ([]objects.Edit, error)) error {
	lock, err := a.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	base, staged, err := a.StagedTree()
	if err != nil {
		return err
	}
	main, err := a.Store().Ref(RefMain)
	if err != nil {
		return problem.Wrap(err, RefMain)
	}
	edits, err := edit(base)
	if err != nil || len(edits) == 0 {
		return err
	}
	return StageEdits(b, lock, a.World(), base, staged, main, edits)
}

// signedAlready returns the tree of main if the staged commit was made before
// it and its newest snapshot holds all that is staged: the snapshot was cut
// short before it could delete the staged ref. What a snapshot adds by itself,
// citations and the founder's key, is not in the staged tree, and must not be
// taken for something to remove.
func (a *Repository) signedAlready(staged, tree objects.Hash) (objects.Hash, error) {
	main, err := a.Store().Ref(RefMain)
	if err != nil || main.IsZero() {
		return objects.Hash{}, err
	}
	_, content, err := a.Store().Get(staged)
	if err != nil || bytes.Contains(content, []byte("\nparent "+main.String()+"\n")) {
		return objects.Hash{}, err
	}
	signed, err := a.Store().TreeOf(main)
	if err != nil {
		return objects.Hash{}, err
	}
	changes, err := snapshot.Diff(a.Store(), tree, signed)
	if err != nil {
		return objects.Hash{}, err
	}
	for _, c := range changes {
		byItself := strings.HasPrefix(c.Path, "citations/") || c.Path == layout.PathAllowedSigners
		if _, there, err := a.Store().Lookup(tree, c.Path); err != nil || there || !byItself {
			return objects.Hash{}, err
		}
	}
	return signed, nil
}

// Unstage applies edits to the staged tree base, which must be the one that is staged,
// and moves the staged ref; where the result is the tree of the newest snapshot, the
// ref goes.
func (a *Archive) Unstage(base objects.Hash, edits []objects.Edit) error {
	lock, err := a.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	tree, staged, err := a.StagedTree()
	if err != nil {
		return err
	}
	if tree != base {
		return problem.New(problem.Busy, problem.Advise("run the same command again"), "another process staged something meanwhile")
	}
	main, err := a.Store().Ref(RefMain)
	if err != nil {
		return problem.Wrap(err, RefMain)
	}
	var signed objects.Hash
	if !main.IsZero() {
		if signed, err = a.Store().TreeOf(main); err != nil {
			return problem.Wrap(err, RefMain)
		}
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return problem.Wrap(err, "unstage")
	}
	defer b.Abort()
	if tree, err = b.Edit(base, edits); err != nil {
		return problem.Wrap(err, "unstage")
	}
	if tree == signed || main.IsZero() && tree.IsZero() {
		return problem.Wrap(b.Publish(lock, objects.RefUpdate{Name: RefStaged, Old: staged}), "unstage")
	}
	return StageEdits(b, lock, a.World(), base, staged, main, edits)
}
