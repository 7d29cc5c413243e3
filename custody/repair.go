package custody

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/objects"
)

// damagedDir holds the files that repairs moved out of the repository, a folder for
// each repair, named after its time. Nothing in it is ever deleted.
const damagedDir = "damaged"

// A RepairResult describes what was damaged and what was repaired.
type RepairResult struct {
	Remote   string                 `json:"remote"`
	Settings []string               `json:"settings,omitempty"` // files that were written anew: config and HEAD of the repository, the journal, lists of this copy
	Refs     []RefRepair            `json:"refs,omitempty"`     // refs that led nowhere
	Rebuilt  int                    `json:"rebuilt"`            // packs that got a new index, made from the pack
	Healed   int                    `json:"healed"`             // objects restored from the remote
	Salvaged int                    `json:"salvaged"`           // objects of damaged packs that could still be read
	Aside    []string               `json:"set_aside"`
	Folder   string                 `json:"folder,omitempty"` // where the damaged files are now
	Missing  []archive.CheckProblem `json:"missing"`          // what the remote could not give either
}

// Repair restores damaged and absent objects from a remote by their names. Each is hashed before it is used, so that
// the remote needs no trust. The readable objects of damaged packs and the healed ones are written to new packs; then
// the damaged packs are moved to archive.local/damaged. Without damage nothing is written. When something stays missing
// the error is of kind Damaged and carries the result.
//
// dir is the archive's folder; an archive too damaged for archive.Open can be
// repaired. ref is the name or the address of the remote; "" mends what this copy alone
// can. Where refs lead nowhere confirm is called with where they will lead; nil agrees.
func Repair(ctx context.Context, dir, ref string, t Transfer, w archive.World, confirm func([]RefRepair) (bool, error)) (*RepairResult, error) {
	settings, err := objects.HealSettings(filepath.Join(dir, archive.StoreDir), w.Disk)
	if err != nil {
		return nil, problem.Wrap(err, "repair")
	}
	st, err := archive.OpenStore(dir, w.Disk)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	a := archive.NewRepository(dir, st, w)
	info, r := &RemoteInfo{}, (*remote.Remote)(nil)
	if ref != "" {
		if info, r, err = connect(a, ref, t); err != nil {
			return nil, err
		}
	}
	result := &RepairResult{Remote: info.label(), Settings: settings, Aside: []string{}, Missing: []archive.CheckProblem{}}
	bad, err := a.Store().DamagedPacks()
	if err != nil {
		return nil, problem.Wrap(err, "repair")
	}
	s := &repairSession{Repository: a, info: info, remote: r, transfer: t, result: result, damagedPacks: bad}
	defer s.close()
	if err := s.rebuildIndexes(); err != nil {
		return nil, err
	}
	if err := s.healRefs(ctx, confirm); err != nil {
		return nil, err
	}
	tips, err := refTips(a)
	if err != nil {
		return nil, err
	}
	s.tips = append(s.tips, tips...)
	if err := s.salvage(); err != nil {
		return nil, err
	}
	if err := s.heal(ctx); err != nil {
		return nil, err
	}
	if err := s.writeLateRefs(); err != nil {
		return nil, err
	}
	s.nameMissing()
	if err := s.healLastSeen(); err != nil {
		return nil, err
	}
	if err := s.mendLists(); err != nil {
		return nil, err
	}
	if err := s.nameLostSnapshot(); err != nil {
		return nil, err
	}
	if err := s.setAside(); err != nil {
		return nil, err
	}
	if len(result.Missing) > 0 {
		e := problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).With("try another remote"), "objects still missing: %d, first: %s: %s",
			len(result.Missing), result.Missing[0].Path, result.Missing[0].Reason)
		e.Partial = result
		return nil, e
	}
	return result, nil
}

// refTips returns the objects that the refs name, sorted, each once.
func refTips(a *archive.Repository) ([]objects.Hash, error) {
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, problem.Wrap(err, "refs")
	}
	out := slices.SortedFunc(maps.Values(refs), func(a, b objects.Hash) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out), nil
}

// A repairSession is the state of one repair.
type repairSession struct {
	*archive.Repository
	info          *RemoteInfo
	remote        *remote.Remote // nil where this copy alone is used
	transfer      Transfer
	result        *RepairResult
	damagedPacks  map[string]error
	tips          []objects.Hash
	failedObjects []objects.Hash // objects that failed in any copy
	refsToCome    []RefRepair    // refs whose objects the remote has

	source     *objects.Store // of the remote
	quarantine *quarantine
}

// close removes the quarantine or closes the remote's repository.
func (s *repairSession) close() {
	s.quarantine.remove()
	if s.quarantine == nil && s.source != nil {
		s.source.Close()
	}
}

// writePack publishes the objects that put adds as new packs of the repository. The damaged packs are not read for it.
func (s *repairSession) writePack(put func(*objects.Batch) error) error {
	healthy, err := s.Store().Without(s.damagedPacks)
	if err != nil {
		return problem.Wrap(err, "repair")
	}
	defer healthy.Close()
	lock, err := healthy.Lock(archive.Owner(s.World()), archive.LockWait)
	if err != nil {
		return archive.LockError(err)
	}
	defer lock.Unlock()
	b, err := healthy.NewBatch()
	if err != nil {
		return problem.Wrap(err, "repair")
	}
	defer b.Abort()
	if err := put(b); err != nil {
		return problem.Wrap(err, "repair")
	}
	return problem.Wrap(b.Publish(lock), "repair")
}

// rebuildIndexes makes new indexes of the packs that are intact themselves. They are then no longer damaged.
func (s *repairSession) rebuildIndexes() error {
	if len(s.damagedPacks) == 0 {
		return nil
	}
	lock, err := s.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	rebuilt, err := s.Store().RebuildIndexes(lock, s.damagedPacks)
	for _, name := range rebuilt {
		delete(s.damagedPacks, name)
	}
	s.result.Rebuilt = len(rebuilt)
	return problem.Wrap(err, "repair")
}

// salvage copies the readable objects of the damaged packs into new packs.
func (s *repairSession) salvage() error {
	if len(s.damagedPacks) == 0 {
		return nil
	}
	return s.writePack(func(b *objects.Batch) error {
		for name := range s.damagedPacks {
			n, _, err := s.Store().Salvage(name, b)
			if err != nil {
				return err
			}
			s.result.Salvaged += n
		}
		return nil
	})
}

// heal restores what is damaged or absent, then what turns out to be missing below it, until nothing is missing or the
// remote has nothing more of it. No object is taken twice, so that heal ends.
func (s *repairSession) heal(ctx context.Context) error {
	healed := map[objects.Hash]bool{}
	for {
		healthy, err := s.Store().Without(s.damagedPacks)
		if err != nil {
			return problem.Wrap(err, "repair")
		}
		report, err := healthy.Check(s.tips, func(done int64) { s.transfer.report(int(done), 0) })
		healthy.Close()
		if err != nil {
			return problem.Wrap(err, "repair")
		}
		var need []objects.Hash
		s.result.Missing = s.result.Missing[:0]
		for _, p := range report.Problems {
			if name, err := objects.ParseHash(p.Object); err == nil && p.State != objects.NotChecked {
				need = append(need, name)
				s.result.Missing = append(s.result.Missing, archive.CheckProblem{Path: p.Object, State: string(p.State), Reason: p.Reason})
				if p.State == objects.Failed {
					s.failedObjects = append(s.failedObjects, name)
				}
			}
		}
		if len(need) == 0 || s.remote == nil {
			return nil
		}
		if err := s.openSource(ctx); err != nil {
			return err
		}
		got := 0
		err = s.writePack(func(b *objects.Batch) error {
			for _, name := range need {
				if healed[name] {
					continue
				}
				healed[name] = true
				k, data, err := s.source.Get(name)
				if errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrCorrupt) {
					continue
				} else if err != nil {
					return err
				}
				if _, err := b.Put(k, data); err != nil {
					return err
				}
				got++
			}
			return nil
		})
		if err != nil {
			return err
		}
		if s.result.Healed += got; got == 0 {
			return nil
		}
	}
}

// openSource opens the remote's repository once: directly where it is on this
// machine, else by fetching all of it into a quarantine.
func (s *repairSession) openSource(ctx context.Context) error {
	if s.source != nil {
		return nil
	}
	if path := s.remote.Path(); path != "" {
		st, err := objects.Open(path)
		if err == nil {
			s.source = st
			return nil
		}
		if !errors.Is(err, objects.ErrNoStore) {
			return problem.Wrap(err, "repair")
		}
	}
	refs, err := s.remote.Refs(ctx)
	if err != nil {
		return unreachableError(s.info, err)
	}
	var wants []objects.Hash
	for _, c := range refs {
		if !slices.Contains(wants, c) {
			wants = append(wants, c)
		}
	}
	if len(wants) == 0 {
		return problem.New(problem.NotFound, problem.Advise("name a remote that the archive was pushed to"), "%s is empty", s.info.label())
	}
	parent, err := s.LocalPath(QuarantineDir, "x")
	if err != nil {
		return err
	}
	s.quarantine, err = fetchQuarantine(ctx, filepath.Dir(parent), nil, s.remote, wants, nil, s.transfer, s.World())
	switch {
	case isMalformedPack(err):
		return refusedError(s.info, err)
	case err != nil:
		return unreachableError(s.info, err)
	}
	s.source = s.quarantine.store
	return nil
}

// setAside moves the damaged files from the repository to damagedDir.
func (s *repairSession) setAside() error {
	if len(s.damagedPacks) == 0 && len(s.failedObjects) == 0 {
		return nil
	}
	folder, err := s.damagedFolder()
	if err != nil {
		return err
	}
	lock, err := s.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	moved, err := s.Store().SetAside(lock, s.damagedPacks, s.failedObjects, folder)
	if err != nil {
		return problem.Wrap(err, fmt.Sprintf("repair: files that were moved: %d", len(moved)))
	}
	if len(moved) > 0 {
		s.result.Aside, s.result.Folder = moved, folder
	}
	return nil
}

// nameMissing puts the path of each missing object, as far as a tree of the history
// that can be read has one, into the list of what is missing.
func (s *repairSession) nameMissing() {
	if len(s.result.Missing) == 0 {
		return
	}
	missing := map[objects.Hash]*archive.CheckProblem{}
	for i := range s.result.Missing {
		if h, err := objects.ParseHash(s.result.Missing[i].Path); err == nil {
			missing[h] = &s.result.Missing[i]
		}
	}
	line, err := s.Store().Ancestors(s.tips...)
	if err != nil {
		return
	}
	seen := map[objects.Hash]bool{}
	var visit func(tree objects.Hash, prefix string)
	visit = func(tree objects.Hash, prefix string) {
		if p := missing[tree]; p != nil {
			p.Path, p.Reason = prefix, p.Path+": "+p.Reason
			delete(missing, tree)
		}
		if seen[tree] {
			return
		}
		seen[tree] = true
		entries, err := s.Store().Tree(tree)
		if err != nil {
			return // it is one of those that are missing
		}
		for _, e := range entries {
			if e.Mode == objects.ModeTree {
				visit(e.Hash, prefix+e.Name+"/")
			} else if p := missing[e.Hash]; p != nil {
				p.Path, p.Reason = prefix+e.Name, p.Path+": "+p.Reason
				delete(missing, e.Hash)
			}
		}
	}
	for commit := range line {
		if tree, err := s.Store().TreeOf(commit); err == nil {
			visit(tree, "")
		}
	}
}
