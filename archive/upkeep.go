package archive

import (
	"encoding/hex"
	"errors"
	"io"
	"time"

	"muniment/archive/problem"
	"muniment/objects"
)

// tokenSize is the length of a lock's token: two locks never have the same.
const tokenSize = 16

// Owner returns the owner that a lock names: this process. A world whose randomness
// fails gives an owner without a token.
func Owner(w World) objects.Owner {
	w = w.orReal()
	o := objects.Owner{PID: w.PID, Host: w.Host, Start: w.Now()}
	token := make([]byte, tokenSize)
	if _, err := io.ReadFull(w.Rand, token); err == nil {
		o.Token = hex.EncodeToString(token)
	}
	return o
}

// Lock takes the writer's lock, waiting up to LockWait; the caller unlocks it.
func (a *Repository) Lock() (*objects.Lock, error) {
	lock, err := a.Store().Lock(Owner(a.World()), LockWait)
	return lock, LockError(err)
}

// Lock takes the writer's lock of an archive that has lost nothing which this copy
// knows of: see CheckIntact. Who mends a copy takes that of its Repository.
func (a *Archive) Lock() (*objects.Lock, error) {
	lock, err := a.Repository.Lock()
	if err != nil {
		return nil, err
	}
	if err := a.CheckIntact(); err != nil {
		_ = lock.Unlock() // the damage is what has to be said; a lock that stays names its owner
		return nil, err
	}
	if head, _, err := a.Head(); err == nil && head != nil {
		a.RememberSnapshot(head) // the next writer then need not look for a newer one
	}
	return lock, nil
}

// LockError returns the *Error of taking a writer's lock: whose it is, and what may be
// done about it. Other errors are as Environment has them.
func LockError(err error) error {
	var busy *objects.BusyError
	if !errors.As(err, &busy) {
		return problem.Wrap(err, "lock")
	}
	o := busy.Owner
	switch {
	case o.PID == 0:
		return problem.New(problem.Busy, problem.Advise("run the same command again"), "another process is just taking or leaving this archive's lock")
	case busy.State == objects.OwnerAlive:
		return problem.New(problem.Busy, problem.Advise("wait for it to end, or stop it"), "another process writes this archive: pid %d on %s since %s", o.PID, o.Host, o.Start.UTC().Format(time.RFC3339))
	}
	return problem.New(problem.Busy, problem.Next(problem.DoMend).With("wait for it to end; if it has died, nobody can see that from here"),
		"another process writes this archive: pid %d on %s, another machine or container, since %s", o.PID, o.Host, o.Start.UTC().Format(time.RFC3339))
}

// A LockResult describes the writer's lock of an archive.
type LockResult struct {
	Locked  bool   `json:"locked"`            // a lock is there
	PID     int    `json:"pid,omitempty"`     // 0 where the lock file cannot be read
	Host    string `json:"host,omitempty"`    //
	Since   string `json:"since,omitempty"`   //
	State   string `json:"state,omitempty"`   // alive, gone or unknown
	Removed bool   `json:"removed,omitempty"` //

	holder *objects.Holder
}

// FindLock returns the writer's lock as it lies in the repository.
func (a *Repository) FindLock() (*LockResult, error) {
	h, err := a.Store().Holder(a.World().Host)
	if err != nil || h == nil {
		return &LockResult{}, problem.Wrap(err, "lock")
	}
	r := &LockResult{Locked: true, State: string(h.State), holder: h}
	if o := h.Owner; o.PID != 0 {
		r.PID, r.Host, r.Since = o.PID, o.Host, o.Start.UTC().Format(time.RFC3339)
	}
	return r, nil
}

// BreakLock removes a lock that FindLock found. That of a living process of this
// machine stays, and so does one that another process has taken meanwhile.
func (a *Repository) BreakLock(r *LockResult) error {
	if r.holder == nil {
		return nil
	}
	if err := a.Store().Break(r.holder, a.World().Host); err != nil {
		return LockError(err)
	}
	r.Locked, r.Removed = false, true
	return nil
}

// Consolidate merges the packs of the repository until they are few.
func (a *Archive) Consolidate() (objects.Consolidation, error) {
	lock, err := a.Lock()
	if err != nil {
		return objects.Consolidation{}, err
	}
	defer lock.Unlock()
	c, err := a.Store().Consolidate(lock)
	return c, problem.Wrap(err, "gc")
}
