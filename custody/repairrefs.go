package custody

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"muniment/bundle/display"
	"path/filepath"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/objects"
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
// aside and moves them: main as findMain says, others to what this copy remembers or
// the remote shows. A ref of which nobody knows anything is left out.
func (s *repairSession) healRefs(ctx context.Context, confirm func([]RefRepair) (bool, error)) error {
	bad, err := s.Store().BadRefs()
	if err != nil {
		return problem.Wrap(err, "refs")
	}
	known, err := s.checkNotes(ctx)
	if err != nil {
		return err
	}
	s.addSetBack(bad, known)
	if bad[packedRefs] == nil {
		if err := s.addStrayRefs(ctx, bad, known); err != nil {
			return err
		}
	}
	if bad[archive.RefMain] == nil {
		if why := s.findMainFault(); why != nil {
			bad[archive.RefMain] = why
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
				err = problem.New(problem.NothingToDo, problem.Advise("nothing was changed; run it again to agree"), "%s", display.CountOf(len(plan), "ref leads nowhere and was left as it is", "refs lead nowhere and were left as they are"))
			}
			return err
		}
	}
	return s.moveRefs(bad, plan)
}

// addSetBack adds the refs that are gone, and those that were set back: a tag that was moved,
// and a ref whose newer commit is known, or lies in the packs. Such a commit becomes known.
func (s *repairSession) addSetBack(bad map[string]error, known map[string]objects.Hash) {
	if stray, err := logref.FindStray(s.Repository); err == nil { // else main comes first; another repair finds these
		for name, h := range stray {
			known[name] = h
		}
	}
	for name, h := range known {
		now, err := s.Store().Ref(name)
		switch {
		case bad[name] != nil || now == h:
		case err != nil || now.IsZero():
			bad[name] = errors.New("it is gone")
		case archive.IsTagRef(name):
			bad[name] = fmt.Errorf("it was moved to %s", now)
		default:
			if line, err := s.Store().Ancestors(h); err == nil && line[now] {
				bad[name] = fmt.Errorf("it was set back to %s", now)
			}
		}
	}
}

// packedRefs is the file in which git keeps many refs.
const packedRefs = "packed-refs"

// checkNotes returns the refs that this copy has noted, whose objects are here or at the remote and are what the names
// say. Any other line of the journal is damaged: the file is set aside, and its sound lines are kept.
func (s *repairSession) checkNotes(ctx context.Context) (map[string]objects.Hash, error) {
	known, err := s.KnownRefs()
	damaged := err != nil
	var drop []string
	for name, h := range known {
		from := s.Store()
		if !from.Has(h) {
			if s.remote == nil {
				continue
			}
			if err := s.openSource(ctx); err != nil {
				return nil, err
			}
			from = s.source
		}
		_, content, err := from.Get(h)
		tag, isTag := strings.CutPrefix(name, archive.RefTags)
		if err != nil || isTag && !bytes.Contains(content, []byte("\ntag "+tag+"\n")) {
			delete(known, name)
			damaged, drop = true, append(drop, name)
		}
	}
	if !damaged {
		return known, nil
	}
	folder, err := s.damagedFolder()
	if err != nil {
		return nil, err
	}
	s.result.Settings = append(s.result.Settings, archive.JournalFile)
	return known, s.MendJournal(folder, drop...)
}

// addStrayRefs adds the refs that name an object which neither this store nor the remote has: where a ref cannot be
// read, main and those that this copy has noted.
func (s *repairSession) addStrayRefs(ctx context.Context, bad map[string]error, known map[string]objects.Hash) error {
	refs, err := s.Store().Refs()
	if errors.Is(err, objects.ErrCorrupt) {
		refs = map[string]objects.Hash{}
		for _, name := range append(slices.Collect(maps.Keys(known)), archive.RefMain) {
			if h, err := s.Store().Ref(name); err == nil && !h.IsZero() {
				refs[name] = h
			}
		}
	} else if err != nil {
		return problem.Wrap(err, "refs")
	}
	for name, h := range refs {
		if bad[name] != nil || s.Store().Has(h) || s.remote == nil {
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
	if len(bad) > 0 && s.remote != nil {
		var err error
		if there, err = s.remote.Refs(ctx); err != nil {
			there = nil // what is here may do
		}
	}
	var plan []RefRepair
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		one := RefRepair{Ref: name, Was: bad[name].Error(), From: "nothing says where it led"}
		switch h := known[name]; {
		case name == packedRefs:
			one.From = "its refs are found one by one"
		case name == archive.RefMain:
			found, err := s.findMain(ctx, there[name])
			if err != nil {
				return nil, err
			}
			if now, err := s.Store().Ref(name); err == nil && now == found.at && !now.IsZero() {
				delete(bad, name) // nothing better is known
				continue
			}
			one.target, one.From = found.at, found.from
			if found.snapshot != nil {
				one.Snapshot, one.Seq = found.snapshot.ID.String(), found.snapshot.Seq
			}
		case !h.IsZero() && s.Store().Has(h):
			one.target, one.From = h, "what this copy has noted"
		case archive.IsTagRef(name) && !h.IsZero() && s.source != nil && s.source.Has(h): // never what a remote moved it to
			one.target, one.From = h, "what this copy has noted, from the remote "+s.info.label()
		case archive.IsTagRef(name) && !h.IsZero():
			one.From = "the object that this copy has noted is gone"
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

// healLastSeen notes the newest snapshot again, from main, where the journal was damaged.
func (s *repairSession) healLastSeen() error {
	if s.IsLastSeenDamaged() {
		folder, err := s.damagedFolder()
		if err != nil {
			return err
		}
		if err := s.MendJournal(folder); err != nil {
			return err
		}
		s.result.Settings, s.result.Folder = append(s.result.Settings, archive.JournalFile), folder
	}
	if !slices.Contains(s.result.Settings, archive.JournalFile) {
		return nil
	}
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
	head, err := s.Store().Ref(archive.RefMain)
	if err != nil {
		return problem.Wrap(err, "refs")
	}
	lost := ""
	for _, id := range s.NotedSnapshots() {
		if lost = id; !head.IsZero() && !s.holds(head, id) {
			break
		}
	}
	if head.IsZero() {
		staged, e := s.Store().Ref(archive.RefStaged)
		if _, _, err := s.Head(); err == nil && e == nil && !staged.IsZero() || len(s.refsToCome) > 0 {
			return nil // an archive before its first snapshot, or heal has listed what is missing
		}
		lost = cmp.Or(lost, archive.RefMain)
	} else if lost == "" || s.holds(head, lost) {
		return nil
	}
	where := ""
	if s.remote != nil {
		where = " and " + s.info.label() + " does not show"
	}
	s.result.Missing = append(s.result.Missing, archive.CheckProblem{Path: lost, State: string(objects.Absent),
		Reason: "this copy has lost its newest snapshot" + where + "; another remote may have it, or a clone under a trust that you name"})
	return nil
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
			return problem.Wrap(err, "refs")
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
		return problem.Wrap(err, "refs")
	}
	defer b.Abort()
	old, err := s.Store().Ref(one.Ref)
	if err != nil || old == one.target {
		return problem.Wrap(err, "refs")
	}
	return problem.Wrap(b.Publish(lock, objects.RefUpdate{Name: one.Ref, Old: old, New: one.target}), "refs")
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
