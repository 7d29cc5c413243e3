package muniment

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// newestTree returns the tree that the next snapshot would sign.
func (a *Archive) newestTree() (objects.Hash, error) {
	tree, _, err := a.stagedTree()
	return tree, err
}

// stagedTree returns the tree of the staged ref, or of main when nothing is
// staged, and the staged commit (zero when nothing is staged).
func (a *Archive) stagedTree() (tree, staged objects.Hash, err error) {
	if staged, err = a.store.Ref(refStaged); err != nil {
		return tree, staged, environment(err, refStaged)
	}
	tip := staged
	if tip.IsZero() {
		if tip, err = a.store.Ref(refMain); err != nil {
			return tree, staged, environment(err, refMain)
		}
	}
	if tip.IsZero() {
		return tree, staged, nil
	}
	if tree, err = a.store.TreeOf(tip); err != nil || staged.IsZero() {
		return tree, staged, environment(err, "newest tree")
	}
	signed, err := a.signedAlready(staged, tree)
	if err == nil && !signed.IsZero() {
		tree = signed
	}
	return tree, staged, environment(err, "newest tree")
}

// stage puts files into the tree base and moves the staged ref from staged to
// an unsigned commit of the result, whose parent is main. A nil file removes.
func stage(b *objects.Batch, lock *objects.Lock, w World, base, staged, main objects.Hash, files map[string][]byte) error {
	edits := make([]objects.Edit, 0, len(files))
	for path, data := range files {
		if data == nil {
			edits = append(edits, objects.Edit{Path: path})
			continue
		}
		h, err := b.Put(objects.Blob, data)
		if err != nil {
			return environment(err, "stage "+path)
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	return stageEdits(b, lock, w, base, staged, main, edits)
}

// stageEdits is stage for blobs that are already in the batch.
func stageEdits(b *objects.Batch, lock *objects.Lock, w World, base, staged, main objects.Hash, edits []objects.Edit) error {
	tree, err := b.Edit(base, edits)
	if err != nil {
		return environment(err, "stage")
	}
	if tree == base {
		return nil
	}
	content := fmt.Appendf(nil, "tree %s\n", tree)
	if !main.IsZero() {
		content = fmt.Appendf(content, "parent %s\n", main)
	}
	who := fmt.Sprintf("Muniment staging <staged@archive.invalid> %d +0000", w.Now().Unix())
	content = fmt.Appendf(content, "author %s\ncommitter %s\n\nstaged for the next snapshot; unsigned\n", who, who)
	commit, err := b.Put(objects.Commit, content)
	if err != nil {
		return environment(err, "stage")
	}
	return environment(b.Publish(lock, objects.RefUpdate{Name: refStaged, Old: staged, New: commit}), "stage")
}

// writeLock takes the writer's lock.
func (a *Archive) writeLock() (*objects.Lock, error) {
	lock, err := a.store.Lock(owner(a.world), lockWait)
	var busy *objects.BusyError
	if errors.As(err, &busy) {
		return nil, problem(TypeBusy, ExitBusy, "wait for it to end, or stop it; the lock of a dead process is broken by itself",
			"another process writes this archive: pid %d on %s since %s", busy.Owner.PID, busy.Owner.Host, busy.Owner.Start.UTC().Format(time.RFC3339))
	}
	return lock, environment(err, "lock")
}

// edit stages files under the lock, on top of whatever is staged now.
func (a *Archive) edit(files map[string][]byte) error {
	lock, err := a.writeLock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	base, staged, err := a.stagedTree()
	if err != nil {
		return err
	}
	main, err := a.store.Ref(refMain)
	if err != nil {
		return environment(err, refMain)
	}
	b, err := a.store.NewBatch()
	if err != nil {
		return environment(err, "stage")
	}
	defer b.Abort()
	return stage(b, lock, a.world, base, staged, main, files)
}

func owner(w World) objects.Owner {
	return objects.Owner{PID: w.PID, Host: w.Host, Start: w.Now()}
}

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
