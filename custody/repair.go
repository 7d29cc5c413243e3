package custody

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/custody/remote"
	"muniment/objects"
)

// damagedDir holds what repair took out of the repository, by the time of the
// repair. Nothing in it is ever deleted.
const damagedDir = "damaged"

// A RepairResult tells what was damaged and what was healed.
type RepairResult struct {
	Remote   string                 `json:"remote"`
	Healed   int                    `json:"healed"`   // objects that came from the remote
	Salvaged int                    `json:"salvaged"` // objects of damaged packs that could still be read
	Aside    []string               `json:"set_aside"`
	Folder   string                 `json:"folder,omitempty"` // where the damaged files are now
	Missing  []archive.CheckProblem `json:"missing"`          // what the remote could not give either
}

// Repair brings back damaged and absent objects from a remote, by their names:
// what it gives is hashed before it is used, so that the remote needs no trust.
// The readable objects of damaged packs and the healed ones are written to new
// packs; then the damaged packs are moved to archive.local/damaged. Without
// damage nothing is written. When something stays missing the error is of type
// Damaged and carries the result.
//
// dir is the archive's folder: one too damaged for Open can be repaired.
func Repair(ctx context.Context, dir, ref string, t Transfer, w archive.World) (*RepairResult, error) {
	st, err := archive.OpenStore(dir, w.Disk)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	a := archive.NewRepository(dir, st, w)
	info, r, err := connect(a, ref, t)
	if err != nil {
		return nil, err
	}
	result := &RepairResult{Remote: info.label(), Aside: []string{}, Missing: []archive.CheckProblem{}}
	bad, err := a.Store().DamagedPacks()
	if err != nil {
		return nil, archive.Environment(err, "repair")
	}
	tips, err := refTips(a)
	if err != nil {
		return nil, err
	}
	h := &repairSession{Repository: a, info: info, remote: r, transfer: t, result: result, bad: bad, tips: tips}
	defer h.close()
	if err := h.salvage(); err != nil {
		return nil, err
	}
	if err := h.heal(ctx); err != nil {
		return nil, err
	}
	if err := h.setAside(); err != nil {
		return nil, err
	}
	if len(result.Missing) > 0 {
		e := archive.Negative(archive.TypeDamaged, archive.Advise("try another remote: muniment repair --from NAME"), "%d objects are still missing, first: %s: %s",
			len(result.Missing), result.Missing[0].Path, result.Missing[0].Reason)
		e.Partial = result
		return nil, e
	}
	return result, nil
}

// refTips lists the objects that the refs name.
func refTips(a *archive.Repository) ([]objects.Hash, error) {
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, archive.Environment(err, "refs")
	}
	var out []objects.Hash
	for _, h := range refs {
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b objects.Hash) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out), nil
}

// A healing is one repair under way.
type repairSession struct {
	*archive.Repository
	info     *RemoteInfo
	remote   *remote.Remote
	transfer Transfer
	result   *RepairResult
	bad      map[string]error
	tips     []objects.Hash
	broken   []objects.Hash // objects that failed, whatever copy

	source     *objects.Store // of the remote
	quarantine *quarantine
}

func (h *repairSession) close() {
	h.quarantine.drop()
	if h.quarantine == nil && h.source != nil {
		h.source.Close()
	}
}

// write puts objects into new packs, passing over the damaged ones.
func (h *repairSession) write(put func(*objects.Batch) error) error {
	healthy, err := h.Store().Without(h.bad)
	if err != nil {
		return archive.Environment(err, "repair")
	}
	defer healthy.Close()
	lock, err := healthy.Lock(archive.Owner(h.World()), archive.LockWait)
	if err != nil {
		return archive.Environment(err, "repair")
	}
	defer lock.Unlock()
	b, err := healthy.NewBatch()
	if err != nil {
		return archive.Environment(err, "repair")
	}
	defer b.Abort()
	if err := put(b); err != nil {
		return archive.Environment(err, "repair")
	}
	return archive.Environment(b.Publish(lock), "repair")
}

// salvage saves what can be read of the damaged packs.
func (h *repairSession) salvage() error {
	if len(h.bad) == 0 {
		return nil
	}
	return h.write(func(b *objects.Batch) error {
		for name := range h.bad {
			n, _, err := h.Store().Salvage(name, b)
			if err != nil {
				return err
			}
			h.result.Salvaged += n
		}
		return nil
	})
}

// heal asks for what is damaged or absent, and again for what shows below it,
// until nothing is missing or the remote has no more to give.
func (h *repairSession) heal(ctx context.Context) error {
	for {
		healthy, err := h.Store().Without(h.bad)
		if err != nil {
			return archive.Environment(err, "repair")
		}
		report, err := healthy.Check(h.tips, func(done int64) { h.transfer.tell(int(done), 0) })
		healthy.Close()
		if err != nil {
			return archive.Environment(err, "repair")
		}
		var need []objects.Hash
		h.result.Missing = h.result.Missing[:0]
		for _, p := range report.Problems {
			if name, err := objects.ParseHash(p.Object); err == nil && p.State != objects.NotChecked {
				need = append(need, name)
				h.result.Missing = append(h.result.Missing, archive.CheckProblem{Path: p.Object, State: string(p.State), Reason: p.Reason})
				if p.State == objects.Failed {
					h.broken = append(h.broken, name)
				}
			}
		}
		if len(need) == 0 {
			return nil
		}
		if err := h.reach(ctx); err != nil {
			return err
		}
		got := 0
		err = h.write(func(b *objects.Batch) error {
			for _, name := range need {
				k, data, err := h.source.Get(name)
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
		if h.result.Healed += got; got == 0 {
			return nil
		}
	}
}

// reach opens the remote's repository: directly where it is on this machine,
// else by fetching all of it into quarantine.
func (h *repairSession) reach(ctx context.Context) error {
	if h.source != nil {
		return nil
	}
	if path := h.remote.Path(); path != "" {
		st, err := objects.Open(path)
		if err == nil {
			h.source = st
			return nil
		}
		if !errors.Is(err, objects.ErrNoStore) {
			return archive.Environment(err, "repair")
		}
	}
	refs, err := h.remote.Refs(ctx)
	if err != nil {
		return unreachable(h.info, err)
	}
	var wants []objects.Hash
	for _, c := range refs {
		if !slices.Contains(wants, c) {
			wants = append(wants, c)
		}
	}
	if len(wants) == 0 {
		return archive.Problem(archive.TypeNotFound, archive.Advise("name a remote that the archive was pushed to"), "%s is empty", h.info.label())
	}
	parent, err := h.LocalPath(IncomingDir, "x")
	if err != nil {
		return err
	}
	h.quarantine, err = receive(ctx, filepath.Dir(parent), nil, h.remote, wants, nil, h.transfer, h.World())
	switch {
	case badPack(err):
		return refused(h.info, err)
	case err != nil:
		return unreachable(h.info, err)
	}
	h.source = h.quarantine.store
	return nil
}

// setAside moves the damaged files out of the repository.
func (h *repairSession) setAside() error {
	if len(h.bad) == 0 && len(h.broken) == 0 {
		return nil
	}
	stamp := strings.NewReplacer(":", "", "-", "").Replace(now(h.Repository))
	folder, err := h.LocalPath(damagedDir, stamp)
	if err != nil {
		return err
	}
	lock, err := h.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	moved, err := h.Store().SetAside(lock, h.bad, h.broken, folder)
	if err != nil {
		return archive.Environment(err, fmt.Sprintf("repair: %d files were moved", len(moved)))
	}
	if len(moved) > 0 {
		h.result.Aside, h.result.Folder = moved, folder
	}
	return nil
}
