package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"muniment/objects/disk"
	"muniment/objects/object"
)

// An Owner is the process that holds the writer lock.
type Owner struct {
	PID   int
	Host  string
	Start time.Time // when the process began or took the lock; shown to people
	Token string    // random, so that no two locks have one content; no white space
}

// An OwnerState says what is known of the process that a lock names.
type OwnerState string

// The states of an owner.
const (
	OwnerAlive   OwnerState = "alive"   // it runs on this machine
	OwnerGone    OwnerState = "gone"    // it has ended
	OwnerUnknown OwnerState = "unknown" // it ran on another machine or in another container
)

// A BusyError reports that another process has the writer lock.
type BusyError struct {
	Owner Owner // zero when the lock file cannot be read
	State OwnerState
}

// Error names the process that writes, or says that another one does.
func (e *BusyError) Error() string {
	if e.Owner.PID == 0 {
		return "repository is being written by another process"
	}
	return fmt.Sprintf("repository is being written by process %d on %s since %s",
		e.Owner.PID, e.Owner.Host, e.Owner.Start.Format(time.RFC3339))
}

const (
	lockFile  = "muniment.lock"
	lockPause = 50 * time.Millisecond // between two looks at a lock that is held
	maxLock   = 64 << 10              // bytes of a lock file

	// The directory is guarded only while a lock file is looked at and made.
	guardTries = 50
	guardPause = 2 * time.Millisecond
)

// A Lock is the right to publish, held by one process at a time.
type Lock struct {
	store    *Store
	content  string
	released bool
}

// Lock takes the writer lock, waiting up to wait for another writer. The error
// is then a *BusyError. The lock of an owner that is gone from the same machine,
// whatever that is called by now, is broken: ref locks it left are removed, its
// half-written packs are left to Sweep. An owner on another machine or in another
// container is never presumed dead: see [Store.Holder].
func (s *Store) Lock(o Owner, wait time.Duration) (*Lock, error) {
	if o.PID <= 0 || o.Host == "" || strings.ContainsAny(o.Host, "\n\r") || strings.ContainsAny(o.Token, " \t\n\r") {
		return nil, fmt.Errorf("lock owner %d on %q is not a process and a host", o.PID, object.Clip(o.Host))
	}
	for {
		l, err := s.tryLock(o)
		var busy *BusyError
		if err == nil || !errors.As(err, &busy) || wait <= 0 {
			return l, err
		}
		pause := min(wait, lockPause)
		wait -= pause
		time.Sleep(pause)
	}
}

// tryLock tries to take the lock once.
func (s *Store) tryLock(o Owner) (*Lock, error) {
	guarded, unguard, err := guardLock(s.path())
	if err != nil {
		return nil, err
	}
	defer unguard()
	path := s.path(lockFile)
	data, err := readBounded(path, maxLock)
	if err == nil {
		c, whole := parseLock(string(data))
		// Without a guard a damaged file may be one that is just being written.
		if !whole && !guarded {
			return nil, &BusyError{State: OwnerUnknown}
		}
		if state := c.state(o.Host); whole && state != OwnerGone {
			return nil, &BusyError{c.owner, state}
		}
		err = c.breakLock(s)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	content := fmt.Sprintf("pid %d\nhost %s\nstart %s\nprocess %s\n",
		o.PID, o.Host, o.Start.UTC().Format(time.RFC3339Nano), markOf(o.PID))
	if o.Token != "" {
		content += "token " + o.Token + "\n"
	}
	f, err := s.disk.Create(path, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, &BusyError{State: OwnerUnknown}
	} else if err != nil {
		return nil, err
	}
	// Not synced: after a power loss there is no writer, and none is needed.
	_, err = s.disk.Write(f, []byte(content))
	if err = errors.Join(err, f.Close()); err != nil {
		s.disk.Remove(path)
		return nil, err
	}
	return &Lock{store: s, content: content}, nil
}

// guardLock takes an advisory lock on a directory, under which only one process at
// a time creates or breaks the lock file: none can remove the fresh lock of another
// in the belief that it is stale. guarded is false where the system has no such locks.
func guardLock(folder string) (guarded bool, unguard func() error, err error) {
	dir, err := os.Open(folder)
	if err != nil {
		return false, nil, err
	}
	locked, guarded := disk.TryLock(dir)
	for range guardTries {
		if locked || !guarded {
			break
		}
		time.Sleep(guardPause)
		locked, guarded = disk.TryLock(dir)
	}
	if guarded && !locked {
		dir.Close()
		return guarded, nil, &BusyError{State: OwnerUnknown}
	}
	return guarded, dir.Close, nil
}

// breakLock removes the lock file of a store, and the ref locks that its owner noted in it.
func (c lockContent) breakLock(s *Store) error {
	for _, r := range c.refs {
		if err := r.removeLock(s); err != nil {
			return err
		}
	}
	if err := s.disk.Remove(s.path(lockFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// A Holder is a writer lock that lies in a store.
type Holder struct {
	Owner   Owner // zero when the lock file cannot be read
	State   OwnerState
	content string
}

// Holder returns the writer lock as it lies in the store, nil where there is none;
// host is the name of this machine.
func (s *Store) Holder(host string) (*Holder, error) {
	data, err := readBounded(s.path(lockFile), maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	h := &Holder{State: OwnerUnknown, content: string(data)}
	if c, whole := parseLock(h.content); whole {
		h.Owner, h.State = c.owner, c.state(host)
	}
	return h, nil
}

// Break removes the writer lock of an owner that a person knows to be dead. The
// error is a *BusyError when the lock is another one by now, or when its owner is
// alive.
func (s *Store) Break(h *Holder, host string) error {
	_, unguard, err := guardLock(s.path())
	if err != nil {
		return err
	}
	defer unguard()
	now, err := s.Holder(host)
	if err != nil || now == nil {
		return err
	}
	if now.content != h.content || now.State == OwnerAlive {
		return &BusyError{now.Owner, now.State}
	}
	c, _ := parseLock(now.content)
	return c.breakLock(s)
}

// lockContent is a parsed lock file.
type lockContent struct {
	owner Owner
	mark  processMark
	refs  []lockedRef
}

// A lockedRef is a ref lock that the owner was about to make.
type lockedRef struct{ name, content string }

// parseLock reads a lock file, and reports whether it is whole.
func parseLock(text string) (lockContent, bool) {
	var c lockContent
	var head [4]string
	lines := strings.SplitAfter(text, "\n")
	if len(lines) < 5 {
		return c, false
	}
	for i, key := range []string{"pid ", "host ", "start ", "process "} {
		v, ok := strings.CutPrefix(lines[i], key)
		if !ok {
			return c, false
		}
		head[i] = strings.TrimSuffix(v, "\n")
	}
	pid, err := strconv.Atoi(head[0])
	if err != nil || pid <= 0 {
		return c, false
	}
	start, err := time.Parse(time.RFC3339Nano, head[2])
	if err != nil {
		return c, false
	}
	c.owner = Owner{PID: pid, Host: head[1], Start: start}
	c.mark = parseMark(head[3])
	for _, line := range lines[4:] {
		f := strings.Fields(line)
		if len(f) == 2 && f[0] == "token" && strings.HasSuffix(line, "\n") {
			c.owner.Token = f[1]
			continue
		}
		if len(f) < 2 || f[0] != "ref" || checkRefName(f[1]) != nil || !strings.HasSuffix(line, "\n") {
			continue
		}
		r := lockedRef{name: f[1]}
		if len(f) == 3 {
			r.content = f[2] + "\n"
		}
		c.refs = append(c.refs, r)
	}
	return c, true
}

// addRefs adds to the lock file the refs that are about to be locked, so that a
// process that breaks this lock can tell the ref locks of its dead owner from
// those of git.
func (l *Lock) addRefs(updates []RefUpdate) error {
	if len(updates) == 0 {
		return nil
	}
	var b strings.Builder
	for _, u := range updates {
		b.WriteString("ref " + u.Name)
		if !u.New.IsZero() {
			b.WriteString(" " + u.New.String())
		}
		b.WriteByte('\n')
	}
	path := l.store.path(lockFile)
	f, err := disk.OpenPlain(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = l.store.disk.Write(f, []byte(b.String()))
	l.content += b.String()
	return errors.Join(err, f.Close())
}

// check refuses a lock that was given back, is of another store, or whose file
// another process has broken.
func (l *Lock) check(s *Store) error {
	if l == nil || l.released || l.store != s {
		return errors.New("publishing needs the writer lock of this store")
	}
	data, err := readBounded(s.path(lockFile), maxLock)
	if err != nil || string(data) != l.content {
		return fmt.Errorf("%s is no longer the lock that was taken: another process broke it", s.path(lockFile))
	}
	return nil
}

// Unlock releases the writer lock. After an error it may be called again;
// once it has succeeded another call does nothing.
func (l *Lock) Unlock() error {
	if l.released {
		return nil
	}
	path := l.store.path(lockFile)
	data, err := readBounded(path, maxLock)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !strings.HasPrefix(l.content, string(data)):
		// Broken, and taken by another. A note that was cut short is ours.
	default:
		if err := l.store.disk.Remove(path); err != nil {
			return err
		}
	}
	l.released = true
	return nil
}
