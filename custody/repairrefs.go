package custody

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/bundle"
	"muniment/objects"
	"muniment/snapshot"
)

// A RefRepair says of a ref that leads nowhere where it will lead.
type RefRepair struct {
	Ref      string `json:"ref"`
	Was      string `json:"was"`                // why it leads nowhere
	To       string `json:"to,omitempty"`       // the object that it will name; "" leaves it out
	Snapshot string `json:"snapshot,omitempty"` // of main: the id
	Seq      int64  `json:"seq,omitempty"`
	From     string `json:"from"` // how the object was found

	target objects.Hash
}

// healRefs finds the refs that lead nowhere and, when confirm agrees, sets their files
// aside and moves them: main to the newest valid snapshot in this store or at the
// remote, others to what this copy remembers or the remote shows. A ref of which
// nobody knows anything is left out.
func (s *repairSession) healRefs(ctx context.Context, confirm func([]RefRepair) (bool, error)) error {
	bad, err := s.Store().BadRefs()
	if err != nil {
		return archive.Environment(err, "refs")
	}
	known, err := s.checkNotes(ctx)
	if err != nil {
		return err
	}
	for name := range known {
		if h, err := s.Store().Ref(name); bad[name] == nil && (err != nil || h.IsZero()) {
			bad[name] = errors.New("it is gone")
		}
	}
	if bad[packedRefs] == nil {
		if err := s.addStrayRefs(ctx, bad); err != nil {
			return err
		}
	}
	if _, damaged := bad[archive.RefMain]; !damaged {
		if h, err := s.Store().Ref(archive.RefMain); err != nil || h.IsZero() {
			bad[archive.RefMain] = errors.New("it is absent")
		}
	}
	plan, err := s.planRefs(ctx, bad, known)
	if err != nil || len(plan) == 0 {
		return err
	}
	s.result.Refs = plan
	if confirm != nil {
		if agreed, err := confirm(plan); err != nil || !agreed {
			if err == nil {
				err = archive.Problem(archive.TypeNothingToDo, archive.Advise("nothing was changed; run it again to agree"), "%s", bundle.CountOf(len(plan), "ref leads nowhere and was left as it is", "refs lead nowhere and were left as they are"))
			}
			return err
		}
	}
	return s.moveRefs(bad, plan)
}

// packedRefs is the file in which git keeps many refs.
const packedRefs = "packed-refs"

// checkNotes returns the refs that this copy has noted, whose objects are here or at the
// remote and are what the names say. A note with any other line is damaged: it is set
// aside, and made again from the refs.
func (s *repairSession) checkNotes(ctx context.Context) (map[string]objects.Hash, error) {
	known, err := s.KnownRefs()
	damaged := err != nil
	for name, h := range known {
		from := s.Store()
		if !from.Has(h) {
			if err := s.openSource(ctx); err != nil {
				return nil, err
			}
			from = s.source
		}
		_, content, err := from.Get(h)
		tag, isTag := strings.CutPrefix(name, archive.RefTags)
		if err != nil || isTag && !bytes.Contains(content, []byte("\ntag "+tag+"\n")) {
			delete(known, name)
			damaged = true
		}
	}
	if !damaged {
		return known, nil
	}
	folder, err := s.damagedFolder()
	if err != nil {
		return nil, err
	}
	s.result.Settings = append(s.result.Settings, archive.LastRefsFile)
	return known, s.SetNoteAside(archive.LastRefsFile, folder)
}

// addStrayRefs adds the refs that name an object which neither this store nor the
// remote has.
func (s *repairSession) addStrayRefs(ctx context.Context, bad map[string]error) error {
	refs, err := s.Store().Refs()
	if errors.Is(err, objects.ErrCorrupt) {
		return nil // the damaged ones come first; another repair finds these
	} else if err != nil {
		return archive.Environment(err, "refs")
	}
	for name, h := range refs {
		if bad[name] != nil || s.Store().Has(h) {
			continue
		}
		if err := s.openSource(ctx); err != nil {
			return err
		}
		if !s.source.Has(h) {
			bad[name] = fmt.Errorf("it names %s, which is neither here nor there", h)
		}
	}
	return nil
}

// planRefs says for each damaged ref, in their order, where it will lead.
func (s *repairSession) planRefs(ctx context.Context, bad map[string]error, known map[string]objects.Hash) ([]RefRepair, error) {
	var there map[string]objects.Hash
	if len(bad) > 0 {
		var err error
		if there, err = s.remote.Refs(ctx); err != nil {
			there = nil // what is here may do
		}
	}
	var plan []RefRepair
	names := make([]string, 0, len(bad))
	for name := range bad {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		one := RefRepair{Ref: name, Was: bad[name].Error(), From: "nothing says where it led"}
		switch h := known[name]; {
		case name == packedRefs:
			one.From = "its refs are found one by one"
		case name == archive.RefMain:
			newest, at, err := s.newestSnapshot()
			if err != nil {
				return nil, err
			}
			switch {
			case (newest == nil || newest.ID.String() != s.LastSeen()) && s.showsLastSeen(ctx, there[name]):
				one.target, one.From = there[name], "the remote "+s.info.label()+", whose newest snapshot was seen here"
			case newest != nil && newest.ID.String() != s.LastSeen() && s.showsLater(ctx, there[name], newest.Seq, at):
				one.target, one.From = there[name], "the remote "+s.info.label()+", whose history goes on from the newest valid snapshot in this copy"
			case newest != nil:
				one.target, one.Snapshot, one.Seq, one.From = at, newest.ID.String(), newest.Seq, "the newest valid snapshot in this copy"
			case !there[name].IsZero():
				one.target, one.From = there[name], "the remote "+s.info.label()
			case bad[packedRefs] == nil && strings.Contains(one.Was, "absent"):
				continue // an archive before its first snapshot
			}
		case !h.IsZero() && s.Store().Has(h):
			one.target, one.From = h, "what this copy has noted"
		case !there[name].IsZero():
			one.target, one.From = there[name], "the remote "+s.info.label()
		}
		if !one.target.IsZero() {
			one.To = one.target.String()
		}
		plan = append(plan, one)
	}
	return plan, nil
}

// showsLastSeen reports whether the commit of the remote's main is the newest snapshot
// that was seen here: its own commit may be what is damaged.
func (s *repairSession) showsLastSeen(ctx context.Context, main objects.Hash) bool {
	if main.IsZero() || s.openSource(ctx) != nil {
		return false
	}
	there, err := archive.SnapshotAt(s.source, main)
	return err == nil && there.ID.String() == s.LastSeen()
}

// showsLater reports whether the remote's main is a snapshot with a larger number than
// seq in whose history the commit at stands: the newest that this copy can still read.
func (s *repairSession) showsLater(ctx context.Context, main objects.Hash, seq int64, at objects.Hash) bool {
	if main.IsZero() || s.openSource(ctx) != nil {
		return false
	}
	there, err := archive.SnapshotAt(s.source, main)
	if err != nil || there.Seq <= seq {
		return false
	}
	line, err := s.source.Ancestors(main)
	if err != nil {
		return false
	}
	_, ok := line[at]
	return ok
}

// healLastSeen writes a damaged note of the newest snapshot anew, from main.
func (s *repairSession) healLastSeen() error {
	if !s.IsLastSeenDamaged() {
		return nil
	}
	folder, err := s.damagedFolder()
	if err != nil {
		return err
	}
	if err := s.SetNoteAside(archive.LastSeenFile, folder); err != nil {
		return err
	}
	s.result.Settings, s.result.Folder = append(s.result.Settings, archive.LastSeenFile), folder
	if head, err := s.Store().Ref(archive.RefMain); err == nil && !head.IsZero() {
		if newest, err := archive.SnapshotAt(s.Store(), head); err == nil {
			s.RememberSnapshot(newest)
		}
	}
	return nil
}

// nameLostSnapshot adds the newest snapshot that was seen here to what is missing, where
// main does not lead to it: neither this copy nor the remote has it.
func (s *repairSession) nameLostSnapshot() error {
	id := s.LastSeen()
	head, err := s.Store().Ref(archive.RefMain)
	if err != nil || id == "" || head.IsZero() {
		return archive.Environment(err, "refs")
	}
	line, err := s.Store().Ancestors(head)
	if err != nil {
		return nil // heal has listed the commits that are missing
	}
	for commit := range line {
		if one, err := archive.SnapshotAt(s.Store(), commit); err == nil && one.ID.String() == id {
			return nil
		}
	}
	s.result.Missing = append(s.result.Missing, archive.CheckProblem{Path: id, State: string(objects.Absent), Reason: "this snapshot was the newest here, and neither this copy nor " + s.info.label() + " has it"})
	return nil
}

// newestSnapshot returns the valid snapshot with the largest number in this store that
// is of the archive this copy has seen, and its commit. Where the newest snapshot that
// was seen here is among them, only it and those that follow from it count.
func (s *repairSession) newestSnapshot() (*snapshot.Snapshot, objects.Hash, error) {
	type found struct {
		s  *snapshot.Snapshot
		at objects.Hash
	}
	var all []found
	byID := map[string]*snapshot.Snapshot{}
	err := s.Store().Commits(func(h objects.Hash, content []byte) {
		if one, err := snapshot.Parse(content); err == nil {
			all = append(all, found{one, h})
			byID[one.ID.String()] = one
		}
	})
	if err != nil {
		return nil, objects.Hash{}, archive.Environment(err, "repair")
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmpNewest(a.s, b.s)
	})
	seen := byID[s.LastSeen()]
	for _, one := range all {
		if seen == nil || descends(one.s, seen, byID) {
			return one.s, one.at, nil
		}
	}
	return nil, objects.Hash{}, nil
}

// cmpNewest orders snapshots by number, the largest first, then by time and id.
func cmpNewest(a, b *snapshot.Snapshot) int {
	switch {
	case a.Seq != b.Seq:
		return int(min(max(b.Seq-a.Seq, -1), 1))
	case !a.Time.Equal(b.Time):
		return b.Time.Compare(a.Time)
	}
	return strings.Compare(a.ID.String(), b.ID.String())
}

// descends reports whether a snapshot is another one or follows from it.
func descends(s, from *snapshot.Snapshot, byID map[string]*snapshot.Snapshot) bool {
	for stack := []*snapshot.Snapshot{s}; len(stack) > 0; {
		one := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if one == nil || one.Seq < from.Seq {
			continue
		}
		if one.ID == from.ID {
			return true
		}
		stack = append(stack, byID[one.Prev.String()])
		if !one.Join.IsZero() {
			stack = append(stack, byID[one.Join.String()])
		}
	}
	return false
}

// moveRefs sets the files of damaged refs aside and writes the refs. An object that is
// still to come from the remote is taken by heal, which is then asked for it.
func (s *repairSession) moveRefs(bad map[string]error, plan []RefRepair) error {
	folder, err := s.damagedFolder()
	if err != nil {
		return err
	}
	lock, err := s.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	for name := range bad {
		if err := s.Store().SetRefAside(lock, name, folder); err != nil {
			return archive.Environment(err, "refs")
		}
	}
	s.result.Folder = folder
	for _, one := range plan {
		if one.target.IsZero() {
			continue
		}
		if !s.Store().Has(one.target) {
			s.refsToCome = append(s.refsToCome, one)
			s.tips = append(s.tips, one.target)
			continue
		}
		if err := s.writeRef(lock, one); err != nil {
			return err
		}
	}
	return nil
}

// writeRef makes a ref, which is absent by now.
func (s *repairSession) writeRef(lock *objects.Lock, one RefRepair) error {
	b, err := s.Store().NewBatch()
	if err != nil {
		return archive.Environment(err, "refs")
	}
	defer b.Abort()
	old, err := s.Store().Ref(one.Ref)
	if err != nil || old == one.target {
		return archive.Environment(err, "refs")
	}
	return archive.Environment(b.Publish(lock, objects.RefUpdate{Name: one.Ref, Old: old, New: one.target}), "refs")
}

// writeLateRefs makes the refs whose objects came from the remote.
func (s *repairSession) writeLateRefs() error {
	if len(s.refsToCome) == 0 {
		return nil
	}
	lock, err := s.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	for _, one := range s.refsToCome {
		if s.Store().Has(one.target) {
			if err := s.writeRef(lock, one); err != nil {
				return err
			}
		}
	}
	return nil
}

// damagedFolder returns the folder of this repair below damagedDir.
func (s *repairSession) damagedFolder() (string, error) {
	stamp := strings.NewReplacer(":", "", "-", "").Replace(now(s.Repository))
	path, err := s.LocalPath(damagedDir, stamp, "x")
	return filepath.Dir(path), err
}
