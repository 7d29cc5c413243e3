package custody

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/snapshot"
)

// A quarantine is a separate repository for the objects of a remote until they are verified. It
// reads the archive's own objects too; nothing but the verification reads the quarantine.
type quarantine struct {
	dir      string
	store    *objects.Store
	received *objects.Received
	lock     *objects.Lock // of store, while this process works on it

	reachedFrom []objects.Hash // tips that lead to every object of received
}

// QuarantineDir is the folder of quarantines in archive.local.
const QuarantineDir = "incoming"

// quarantinePrefix begins the name of a quarantine.
const quarantinePrefix = "fetch-"

// fetchQuarantine makes a quarantine below parent, fetches into it what the commits and tags of wants lead to, and
// returns it locked. base lends its objects and may be nil; have are the commits that the remote need not send.
func fetchQuarantine(ctx context.Context, parent string, base *objects.Store, r *remote.Remote, wants, have []objects.Hash, t Transfer, w archive.World) (*quarantine, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, problem.Wrap(err, "quarantine")
	}
	SweepQuarantines(parent, w)
	dir, err := w.Disk.MkdirTemp(parent, quarantinePrefix+"*")
	if err != nil {
		return nil, problem.Wrap(err, "quarantine")
	}
	q := &quarantine{dir: dir}
	if q.store, err = objects.InitWith(filepath.Join(dir, archive.StoreDir), w.Disk); err == nil {
		q.lock, err = q.store.Lock(archive.Owner(w), archive.LockWait)
	}
	if err == nil && base != nil {
		err = q.store.Borrow(base)
	}
	if err != nil {
		q.remove()
		return nil, problem.Wrap(err, "quarantine")
	}
	count := 0
	err = r.Fetch(ctx, wants, have, func(pack io.Reader) error {
		var err error
		q.received, err = q.store.Receive(&countingReader{pack, func(n int) { count += n; t.report(count>>10, 0) }}, objects.ReceiveLimits{})
		return err
	})
	if err != nil {
		q.remove()
		return nil, err
	}
	return q, nil
}

// A countingReader calls count with the number of bytes of each read.
type countingReader struct {
	r     io.Reader
	count func(n int)
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.count(n)
	return n, err
}

// remove deletes the quarantine, locked or not; a nil quarantine is nothing to do.
func (q *quarantine) remove() {
	if q == nil {
		return
	}
	q.unlock()
	if q.store != nil {
		q.store.Close()
	}
	os.RemoveAll(q.dir)
}

// unlock releases the lock that marks a quarantine as in use: one without a lock was left by a process that ended.
func (q *quarantine) unlock() error {
	if q.lock == nil {
		return nil
	}
	err := q.lock.Unlock()
	q.lock = nil
	return err
}

// setMain makes a commit the newest snapshot of the quarantine.
func (q *quarantine) setMain(tip objects.Hash) error {
	now, err := q.store.Ref(archive.RefMain)
	if err == nil && now != tip {
		err = q.store.Adopt(q.lock, q.store, &objects.Received{}, objects.RefUpdate{Name: archive.RefMain, Old: now, New: tip})
	}
	return problem.Wrap(err, "quarantine")
}

// readHistory returns the snapshots from a commit of the quarantine back to the first, newest first.
func (q *quarantine) readHistory(tip objects.Hash) ([]*snapshot.Snapshot, error) {
	return snapshot.History(archive.CommitReader(q.store), tip)
}

// checkReachable returns an error where the pack has objects that no tip leads to:
// such objects would enter the archive unverified.
func (q *quarantine) checkReachable(tips []objects.Hash) error {
	left, err := q.store.Unreached(tips, q.received.Objects)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("no ref leads to objects of the pack: %d, first %s", len(left), left[0])
	}
	q.reachedFrom = tips
	return nil
}

// quarantineAge is longer than a process takes between making a quarantine and locking it.
const quarantineAge = 10 * time.Second

// LeftoverAge is the least age of a leftover file or folder that may be deleted: no
// running process takes an hour to build an index or a copy.
const LeftoverAge = time.Hour

// SweepQuarantines deletes the quarantines below a folder that no process uses and returns their paths: those whose
// lock is free and, of those without a lock, the old ones.
func SweepQuarantines(parent string, w archive.World) []string {
	left, err := filepath.Glob(filepath.Join(parent, quarantinePrefix+"*"))
	if err != nil {
		return nil
	}
	var swept []string
	for _, dir := range left {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		age := w.Now().Sub(info.ModTime())
		st, err := objects.Open(filepath.Join(dir, archive.StoreDir))
		switch {
		case err != nil && age < LeftoverAge, age < quarantineAge:
			continue
		case err == nil:
			lock, err := st.Lock(archive.Owner(w), 0)
			st.Close()
			if err != nil {
				continue
			}
			_ = lock.Unlock()
		}
		if os.RemoveAll(dir) == nil {
			swept = append(swept, dir)
		}
	}
	return swept
}
