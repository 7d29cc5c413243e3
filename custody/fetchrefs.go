package custody

import (
	"cmp"
	"io"
	"slices"

	"muniment/archive"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// otherRefs lists the tags, logs and co-signatures that are taken: new ones,
// and those that go on where ours end. A tag is never moved.
func (f *fetchSession) otherRefs(refs map[string]objects.Hash, main objects.Hash) ([]objects.RefUpdate, error) {
	have, err := f.Store().Refs()
	if err != nil {
		return nil, archive.Environment(err, "refs")
	}
	held, err := f.from().Ancestors(main)
	if err != nil {
		return nil, archive.Environment(err, "refs")
	}
	var out []objects.RefUpdate
	for _, name := range slices.Sorted(archive.KeysOf(refs)) {
		if name == archive.RefMain || have[name] == refs[name] {
			continue
		}
		change := RefChange{Name: name, To: refs[name].String()}
		if !have[name].IsZero() {
			change.From = have[name].String()
		}
		if archive.IsMergeable(name) && !have[name].IsZero() {
			line, err := f.from().Ancestors(have[name])
			if err != nil {
				return nil, archive.Environment(err, name)
			}
			if line[refs[name]] {
				continue // push brings it ours
			}
		}
		change.Reason = f.unfit(name, have[name], refs[name], held)
		if change.Reason == "" && archive.IsTagRef(name) {
			if err := f.tagSigner(refs[name], main); err != nil {
				change.Reason = archive.OneLine(err)
			}
		}
		if change.Reason == "" && archive.IsLogRef(name) {
			if err := f.compareLog(name, have[name], refs[name], main); err != nil {
				change.Reason = archive.OneLine(err)
				f.apart = cmp.Or(f.apart, err)
			}
		}
		switch {
		case change.Reason != "":
		case archive.IsMergeable(name) && !have[name].IsZero():
			f.copies = append(f.copies, logCopy{len(f.result.Refs), refs[name]})
		default:
			change.Done = true
			out = append(out, objects.RefUpdate{Name: name, Old: have[name], New: refs[name]})
		}
		f.result.Refs = append(f.result.Refs, change)
	}
	return out, nil
}

// unfit says why a ref is not taken over.
func (f *fetchSession) unfit(name string, ours, theirs objects.Hash, held map[objects.Hash]bool) string {
	if archive.IsTagRef(name) {
		if !ours.IsZero() {
			return "the tag names something else here"
		}
		return archive.TagDefect(f.from(), name, theirs, held)
	}
	report, err := f.from().Check([]objects.Hash{theirs}, nil)
	switch {
	case err != nil:
		return err.Error()
	case report.Failed+report.Absent > 0:
		return report.Problems[0].String()
	}
	tree, err := f.from().TreeOf(theirs)
	if err == nil && name == snapshot.RefCosigs {
		_, err = snapshot.ReadCosigs(f.from(), tree)
	}
	if err != nil {
		return archive.OneLine(err)
	}
	return ""
}

// tagSigner says why the key of a tag may not sign snapshots of this history:
// by the trust that was brought along or else by what the newest snapshot says.
// A stranger's tag would make verify fail here.
func (f *fetchSession) tagSigner(h, main objects.Hash) error {
	there := archive.NewRepository(f.Dir(), f.from(), f.World())
	_, data, err := there.Store().Get(h)
	if err != nil {
		return err
	}
	tag, err := snapshot.ParseTag(data)
	if err != nil {
		return err
	}
	named, err := archive.SnapshotAt(there.Store(), tag.Commit)
	if err != nil {
		return err
	}
	permit := snapshot.PermitSigners(f.options.Allowed)
	if root := f.options.Root; root != nil {
		snapshots, err := there.History(main)
		if err != nil {
			return err
		}
		permit = snapshot.PermitRoot(root, snapshots)
	}
	if permit == nil {
		head, err := archive.SnapshotAt(there.Store(), main)
		if err == nil {
			permit, err = history.OwnPermit(there, head)
		}
		if err != nil || permit == nil {
			return err
		}
	}
	return permit(trust.Snapshot, named, []sign.Key{tag.Key})
}

// compareLog compares the remote's copy of a log with ours before anything of
// it becomes part of the archive.
func (f *fetchSession) compareLog(name string, ours, theirs, main objects.Hash) error {
	if f.quarantine == nil || ours.IsZero() {
		return nil // takeRef compares what is here
	}
	if err := f.quarantine.setMain(main); err != nil {
		return err
	}
	base, err := f.from().TreeOf(ours)
	if err != nil {
		return archive.Environment(err, name)
	}
	other, err := f.from().TreeOf(theirs)
	if err != nil {
		return archive.Environment(err, name)
	}
	there := archive.NewRepository(f.Dir(), f.from(), f.World())
	return compareCopies(there, name, base, other)
}

// accepted returns the pack that becomes part of the archive. Where a ref is
// not taken that is a new one, without the objects that only it leads to.
func (f *fetchSession) accepted(updates []objects.RefUpdate) (*objects.Received, error) {
	if f.quarantine == nil {
		return &objects.Received{}, nil
	}
	var tips []objects.Hash
	for _, u := range updates {
		tips = append(tips, u.New)
	}
	for _, c := range f.copies {
		tips = append(tips, c.theirs)
	}
	st, got := f.quarantine.store, f.quarantine.got
	left, err := st.Unreached(tips, got.Objects)
	if err != nil || len(left) == 0 {
		return got, archive.Environment(err, "fetch")
	}
	have, err := refTips(f.Repository)
	if err != nil {
		return nil, err
	}
	sel, err := st.Select(tips, have)
	if err != nil {
		return nil, archive.Environment(err, "fetch")
	}
	defer sel.Close()
	if sel.Objects() == 0 {
		return &objects.Received{}, nil
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(sel.WritePack(w, nil)) }()
	got, err = st.Receive(r, objects.ReceiveLimits{})
	r.CloseWithError(err)
	return got, archive.Environment(err, "fetch")
}

// takeCopies puts the remote's logs and co-signatures together with ours. One
// that cannot be taken does not keep the others; the first error is returned.
func (f *fetchSession) takeCopies(lock *objects.Lock) error {
	first := f.apart
	for _, c := range f.copies {
		change := &f.result.Refs[c.at]
		done, err := takeRef(f.Repository, lock, change.Name, c.theirs)
		if change.Done = done; err != nil {
			change.Reason = archive.OneLine(err)
			if first == nil {
				first = err
			}
		}
	}
	return first
}
