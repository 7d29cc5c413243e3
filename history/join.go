package history

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/text/legible"
)

// JoinOptions describe a join. Signer is required.
type JoinOptions struct {
	// Other is the newest commit of the other history: a full git name or ref
	// in this archive, or the folder of a copy of the archive, which is then
	// verified and taken over first.
	Other  string
	Text   string // why; 1 to 4096 bytes
	Signer sign.Signer
}

// SignUnion signs the snapshot that has two forked histories as its parents. Its
// tree is their union (snapshot.Union), so nobody's judgement enters it: what
// either history withdrew is withdrawn, and what both hold differently is the
// stricter or, of policy and trust, ours.
//
// Histories of which one holds the other are no fork and are not joined. Where one
// key signed two snapshots of one number, as the key of a laptop does that was restored
// from a backup, the signer needs the role withdraw or policy; both snapshots stay in
// the history as evidence. Every snapshot of the other history must be signed by a key
// that this archive trusts.
func SignUnion(a *archive.Archive, o JoinOptions) (*SignedSnapshot, error) {
	if err := needSigner(o.Signer); err != nil {
		return nil, err
	}
	other, tip, err := findOtherHistory(a, o.Other)
	if err != nil {
		return nil, err
	}
	defer other.close()
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	head, ours, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if staged, err := a.Store().Ref(archive.RefStaged); err != nil {
		return nil, problem.Wrap(err, archive.RefStaged)
	} else if !staged.IsZero() {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoSnapshot).Or(problem.DoStatus), "something is staged, and a join adds nothing of its own")
	}
	theirs, twice, err := verifyOther(a, head, other, tip)
	if err != nil {
		return nil, err
	}
	if other.store != a.Store() {
		if err := copyHistory(a, lock, other.store, theirs); err != nil {
			return nil, err
		}
	}
	return signJoin(a, lock, head, theirs[0], twice, ours, tip, o)
}

// An otherHistory is where the other history is read from.
type otherHistory struct {
	store *objects.Store
	close func()
}

// findOtherHistory returns the store of the other history and its newest commit. ref
// is a commit or a ref of this archive, or the folder of a copy.
func findOtherHistory(a *archive.Archive, ref string) (otherHistory, objects.Hash, error) {
	here := otherHistory{a.Store(), func() {}}
	if h, err := objects.ParseHash(ref); err == nil {
		return here, h, nil
	}
	for _, name := range []string{ref, "refs/" + ref} {
		if h, err := a.Store().Ref(name); err == nil && !h.IsZero() {
			return here, h, nil
		}
	}
	for _, dir := range []string{filepath.Join(ref, archive.StoreDir), ref} {
		st, err := objects.Open(dir)
		if errors.Is(err, objects.ErrNoStore) || errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return otherHistory{}, objects.Hash{}, problem.Wrap(err, "join "+legible.Printable(ref))
		}
		h, err := st.Ref(archive.RefMain)
		if err == nil && h.IsZero() {
			err = problem.New(problem.NoSnapshot, problem.Advise("there is nothing to join yet"), "%s has no snapshot", legible.Printable(ref))
		}
		if err != nil {
			st.Close()
			return otherHistory{}, objects.Hash{}, problem.Wrap(err, "join "+legible.Printable(ref))
		}
		return otherHistory{st, func() { st.Close() }}, h, nil
	}
	return otherHistory{}, objects.Hash{}, problem.New(problem.NotFound, problem.Advise("name a copy's folder, or the commit or ref that fetch left"),
		"%s is neither a commit, a ref nor an archive's folder", legible.Printable(ref))
}

// verifyOther verifies the other history and returns its snapshots, newest first,
// when a join may take them. twice is our snapshot of which one key signed another one
// there, or nil.
func verifyOther(a *archive.Archive, head *snapshot.Snapshot, other otherHistory, tip objects.Hash) (theirs []*snapshot.Snapshot, twice *snapshot.Snapshot, err error) {
	report, err := snapshot.CheckWith(other.store, tip, snapshot.Checking{})
	if err == nil && (!report.Sound() || report.NotChecked > 0) {
		err = errors.New(report.Problems[0].String())
	}
	if err != nil {
		return nil, nil, problem.New(problem.Verification, problem.Next(problem.DoVerify).With("verify that copy; nothing was taken from it"), "the other history does not verify: %w", err)
	}
	ours, err := a.History(objects.Sum(objects.Commit, head.Content))
	if err != nil {
		return nil, nil, err
	}
	theirs, err = snapshot.History(func(h objects.Hash) ([]byte, error) {
		_, data, err := other.store.Get(h)
		return data, err
	}, tip)
	if err != nil {
		return nil, nil, problem.New(problem.Verification, problem.Advise("nothing was taken from it"), "the other history: %w", err)
	}
	switch c := snapshot.Compare(ours, theirs); c.Relation {
	default:
		return nil, nil, problem.New(problem.NothingToDo, problem.Next(problem.DoLog), "this archive holds the snapshot %d, %s, already", theirs[0].Seq, theirs[0].ID)
	case snapshot.Ahead:
		return nil, nil, problem.New(problem.NothingToDo, problem.Next(problem.DoFetch).With("the other history goes on from ours"), "the other history is ahead of ours and no fork")
	case snapshot.Unrelated:
		return nil, nil, problem.New(problem.Usage, problem.Advise("only copies of one archive are joined"), "the other archive is %s, this one %s", theirs[0].Archive, a.ID())
	case snapshot.Fork:
	case snapshot.Equivocation:
		twice = c.Ours
	}
	may, err := OwnPermit(a.Repository, head)
	if err != nil || may == nil {
		return theirs, twice, err
	}
	held := map[string]bool{}
	for _, s := range ours {
		held[string(s.Payload)] = true
	}
	countersignatures, err := readCountersignatures(other.store)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range theirs {
		err := may(trust.Snapshot, s, countersignatures.Signers(s))
		if err == nil || held[string(s.Payload)] {
			continue
		}
		next := problem.Next(problem.DoTrustKey)
		if snapshot.IsUndersigned(err) {
			next = problem.Advise("let another key countersign it there first; nothing was taken from it")
		}
		return nil, nil, problem.New(problem.NotPermitted, next, "snapshot %d of the other history: %w", s.Seq, err)
	}
	return theirs, twice, nil
}

// readCountersignatures returns the countersignatures that the store of another copy has.
func readCountersignatures(from *objects.Store) (snapshot.Countersignatures, error) {
	tip, err := from.Ref(snapshot.RefCountersignatures)
	if err != nil || tip.IsZero() {
		return nil, problem.Wrap(err, "countersignatures")
	}
	tree, err := from.TreeOf(tip)
	if err != nil {
		return nil, problem.Wrap(err, "countersignatures")
	}
	list, err := snapshot.ReadCountersignatures(from, tree)
	if err != nil {
		return nil, problem.New(problem.Verification, problem.Next(problem.DoVerify).With("verify that copy"), "the other copy's countersignatures: %w", err)
	}
	return list, nil
}

// copyHistory copies the objects of the other history into this archive's store.
func copyHistory(a *archive.Archive, lock *objects.Lock, from *objects.Store, history []*snapshot.Snapshot) error {
	b, err := a.Store().NewBatch()
	if err != nil {
		return problem.Wrap(err, "join")
	}
	defer b.Abort()
	seen := map[objects.Hash]bool{}
	var take func(h objects.Hash, depth int) error
	take = func(h objects.Hash, depth int) error {
		if seen[h] || a.Store().Has(h) {
			return nil
		}
		seen[h] = true
		kind, data, err := from.Get(h)
		if err != nil {
			return err
		}
		if kind == objects.Tree && depth < objects.MaxDepth {
			entries, err := objects.ParseTree(data)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if err := take(e.Hash, depth+1); err != nil {
					return err
				}
			}
		}
		_, err = b.Put(kind, data)
		return err
	}
	for i := len(history) - 1; i >= 0; i-- {
		if err := take(history[i].Tree, 0); err != nil {
			return problem.Wrap(err, "join")
		}
		if err := take(objects.Sum(objects.Commit, history[i].Content), 0); err != nil {
			return problem.Wrap(err, "join")
		}
	}
	if err := b.Publish(lock); err != nil {
		return problem.Wrap(err, "join")
	}
	return copyCountersignatures(a, lock, from)
}

// copyCountersignatures copies the countersignatures that the other copy has.
func copyCountersignatures(a *archive.Archive, lock *objects.Lock, from *objects.Store) error {
	countersignatures, err := readCountersignatures(from)
	if err != nil || len(countersignatures) == 0 {
		return err
	}
	files := map[string][]byte{}
	for seq, list := range countersignatures {
		for _, c := range list {
			files[snapshot.CountersignaturePath(seq, c.Key)] = c.Armored
		}
	}
	return addCountersignatures(a, lock, files)
}

// mayJoinWithoutTrust returns an error where a key may not go on from two snapshots of
// one number in an archive that says of nobody who may withdraw: there the key of the
// first snapshot may.
func mayJoinWithoutTrust(a *archive.Archive, tip objects.Hash, twice *snapshot.Snapshot, key sign.Key) error {
	all, err := a.History(tip)
	if err != nil {
		return err
	}
	if first := all[len(all)-1]; first.Key.Point() != key.Point() {
		return problem.New(problem.NotPermitted, problem.Advise("sign with the key of snapshot 1"),
			"the join is not signed: one key signed two snapshots %d, and only the key of snapshot 1, %s, may go on from both", twice.Seq, first.Key.Fingerprint())
	}
	return nil
}

// signJoin signs and publishes the join.
func signJoin(a *archive.Archive, lock *objects.Lock, head, theirs, twice *snapshot.Snapshot, ours, tip objects.Hash, o JoinOptions) (*SignedSnapshot, error) {
	may, err := OwnPermit(a.Repository, head)
	if err != nil {
		return nil, err
	}
	if may != nil {
		next := *head
		next.Seq = max(head.Seq, theirs.Seq) + 1
		if err := snapshot.MayJoin(a.Store(), may, head, theirs, &next, twice, []sign.Key{o.Signer.Key()}); err != nil {
			return nil, problem.New(problem.NotPermitted, problem.Advise("sign with a key that may withdraw, or change policy, in both histories"), "the join is not signed: %w", err)
		}
	} else if twice != nil {
		if err := mayJoinWithoutTrust(a, ours, twice, o.Signer.Key()); err != nil {
			return nil, err
		}
	}
	merges, err := snapshot.Union(a.Store(), head.Tree, theirs.Tree)
	if err != nil {
		return nil, problem.Wrap(err, "join")
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, problem.Wrap(err, "join")
	}
	defer b.Abort()
	edits := make([]objects.Edit, 0, len(merges))
	for _, m := range merges {
		if m.Data != nil {
			if _, err := b.Put(objects.Blob, m.Data); err != nil {
				return nil, problem.Wrap(err, "join")
			}
		}
		edits = append(edits, objects.Edit{Path: m.Path, Blob: m.Blob})
	}
	tree, err := b.Edit(head.Tree, edits)
	if err != nil {
		return nil, problem.Wrap(err, "join")
	}
	lines, err := snapshot.Lines(a.Store(), tree, b)
	if err != nil {
		return nil, problem.Wrap(err, "join")
	}
	root, err := snapshot.NewTree(lines)
	if err != nil {
		return nil, problem.Wrap(err, "join")
	}
	s, commit, err := publishDraft(a, b, lock, ours, snapshot.Draft{Tree: tree, Parents: []objects.Hash{ours, tip},
		Time: a.World().Now().UTC().Truncate(time.Second), Text: o.Text, Archive: a.ID(), Seq: max(head.Seq, theirs.Seq) + 1,
		Root: root.Root(), Entries: root.Entries(), Prev: head.ID, Join: theirs.ID}, o.Signer)
	if err != nil {
		return nil, err
	}
	artifacts, err := a.CountArtifacts(s)
	r := a.DescribeCounted(s, commit, artifacts, err)
	r.Enrolled = isEnrolled(a, tree, s.Key)
	return &SignedSnapshot{s, r}, nil
}
