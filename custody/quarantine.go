package custody

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"muniment/archive"
	"muniment/bundle"
	"muniment/cid"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// A quarantine is a repository beside the archive that holds what a remote
// sent, with the archive's own objects lent to it, until it is known to be
// well. Nothing reads it but the checks below.
type quarantine struct {
	dir   string
	store *objects.Store
	got   *objects.Received
	lock  *objects.Lock // of store, while this process works on it
}

// IncomingDir is where quarantines lie in archive.local.
const IncomingDir = "incoming"

// receive makes a quarantine and fetches into it. limits may be zero.
func receive(ctx context.Context, parent string, base *objects.Store, r *remote.Remote, wants, have []objects.Hash, t Transfer, w archive.World) (*quarantine, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, archive.Environment(err, "quarantine")
	}
	SweepQuarantines(parent, w)
	dir, err := w.Disk.MkdirTemp(parent, quarantinePrefix+"*")
	if err != nil {
		return nil, archive.Environment(err, "quarantine")
	}
	q := &quarantine{dir: dir}
	if q.store, err = objects.InitWith(filepath.Join(dir, archive.StoreDir), w.Disk); err == nil {
		q.lock, err = q.store.Lock(archive.Owner(w), archive.LockWait)
	}
	if err == nil && base != nil {
		err = q.store.Borrow(base)
	}
	if err != nil {
		q.drop()
		return nil, archive.Environment(err, "quarantine")
	}
	count := 0
	err = r.Fetch(ctx, wants, have, func(pack io.Reader) error {
		var err error
		q.got, err = q.store.Receive(&countingReader{pack, func(n int) { count += n; t.tell(count>>10, 0) }}, objects.ReceiveLimits{})
		return err
	})
	if err != nil {
		q.drop()
		return nil, err
	}
	return q, nil
}

// countingReader tells of the bytes that were read.
type countingReader struct {
	r    io.Reader
	tell func(n int)
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.tell(n)
	return n, err
}

// drop removes the quarantine.
func (q *quarantine) drop() {
	if q == nil {
		return
	}
	q.release()
	if q.store != nil {
		q.store.Close()
	}
	os.RemoveAll(q.dir)
}

// release gives up the lock by which a quarantine that is in use is told from
// one that a dead process left.
func (q *quarantine) release() error {
	if q.lock == nil {
		return nil
	}
	err := q.lock.Unlock()
	q.lock = nil
	return err
}

// quarantinePrefix begins the name of a quarantine.
const quarantinePrefix = "fetch-"

// quarantineAge is more than lies between the making of a quarantine and its
// lock.
const quarantineAge = 10 * time.Second

// SweepQuarantines removes the quarantines below a folder that no process
// holds: those whose lock can be had and, of those that never came to have
// one, the old ones.
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
		case err != nil && age < SweepAge, age < quarantineAge:
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

// setMain makes a commit the newest snapshot of the quarantine.
func (q *quarantine) setMain(tip objects.Hash) error {
	now, err := q.store.Ref(archive.RefMain)
	if err == nil && now != tip {
		err = q.store.Adopt(q.lock, q.store, &objects.Received{}, objects.RefUpdate{Name: archive.RefMain, Old: now, New: tip})
	}
	return archive.Environment(err, "quarantine")
}

// history reads the snapshots from a commit of the quarantine.
func (q *quarantine) history(tip objects.Hash) ([]*snapshot.Snapshot, error) {
	return snapshot.History(archive.CommitReader(q.store), tip)
}

// extra refuses a pack with objects that the wanted refs do not lead to: they
// would lie in the archive unverified.
func (q *quarantine) extra(tips []objects.Hash) error {
	left, err := q.store.Unreached(tips, q.got.Objects)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("the pack holds %d objects that no ref leads to, first %s", len(left), left[0])
	}
	return nil
}

// A vetting is what a history is verified with, beside itself.
type vetOptions struct {
	archive.Trust
	Transfer
	ours    *snapshot.Snapshot // the newest of this copy: verified before; nil in a clone
	summary *snapshot.Summary  // of ours, or nil
	cosigs  []objects.Hash     // commits with co-signatures
	await   bool               // withdrawals may wait for a co-signature
}

// vet verifies a whole history as it lies in a store: ids, roots, signatures,
// links, rules, and the right of every signer. Where nobody was named, the
// archive's own trust counts, as it was handed down to the newest snapshot. Of
// what this copy holds already, and judged by the same trust, only the signers
// are asked again.
func vet(st *objects.Store, tip objects.Hash, history []*snapshot.Snapshot, v vetOptions) error {
	in, same, err := inherited(st, history, v)
	if err != nil {
		return err
	}
	o := in
	o.Cosigs, o.Progress = v.cosigs, func(done, total int64) { v.tell(int(done), int(total)) }
	if same {
		o.Since, o.Summary = v.ours, v.summary
	}
	report, err := snapshot.CheckWith(st, tip, o)
	switch {
	case err != nil:
		return err
	case !report.Sound():
		return fmt.Errorf("%d objects failed and %d are absent: %s", report.Failed, report.Absent, worst(report.Problems))
	case len(report.Untrusted) > 0:
		return fmt.Errorf("%s", report.Untrusted[0])
	case len(report.Unauthorized) > 0 && !v.await:
		return archive.Problem(archive.TypeNotPermitted, archive.Advise("with the key that may withdraw: fetch with --await-cosign, then muniment snapshot --cosign; else wait until its custodian has"),
			"what came in is not taken: %s", report.Unauthorized[0])
	}
	return nil
}

// inherited returns the trust to judge a history by: a trust root is followed
// from the version that the verifier brought, or else from the one of this copy,
// or in a clone from the first; an archive without one hands down its
// allowed_signers. same reports that this copy has judged its own snapshots by
// that trust.
func inherited(st *objects.Store, history []*snapshot.Snapshot, v vetOptions) (in snapshot.Checking, same bool, err error) {
	if v.Allowed != nil {
		return snapshot.Checking{Allowed: v.Allowed}, false, nil
	}
	a := archive.NewRepository("", st, archive.World{})
	given := v.Root
	if given == nil && v.ours != nil {
		if given, err = a.TrustRootIn(v.ours.Tree); err != nil {
			return in, false, err
		}
	}
	head := history[0]
	root, axis := a.JudgeRoots(history, given)
	switch {
	case axis == nil && given == nil:
		in.Permit, err = handedDown(st, history)
		return in, err == nil && v.ours != nil, err
	case axis == nil && v.Root == nil:
		return in, false, fmt.Errorf("snapshot %d: %s: the archive has a trust root here, and none there", head.Seq, archive.PathTrustRoot)
	case axis != nil && axis.Result != bundle.Pass:
		return in, false, fmt.Errorf("snapshot %d: trust root: %s", head.Seq, axis.Reason)
	}
	if root == nil {
		if root, err = a.TrustRootIn(head.Tree); err != nil {
			return in, false, err
		}
	}
	if root.Archive != head.Archive {
		return in, false, fmt.Errorf("snapshot %d: its trust root is of the archive %s", head.Seq, root.Archive)
	}
	if given == nil {
		in.Permit, err = introduced(st, history, root)
		return in, false, err
	}
	return snapshot.Checking{Root: root}, v.Root == nil && given != nil && given.Digest() == root.Digest(), nil
}

func worst(problems []snapshot.Problem) string {
	for _, p := range problems {
		if p.State != objects.NotChecked {
			return p.String()
		}
	}
	return "no reason is known"
}

// introduced returns who may act in a history that brings version 1 of a trust
// root which nobody gave the verifier: up to and including the snapshot that
// introduces the root, what was handed down to each snapshot decides, and from
// then on the root. A stranger's root is therefore worth nothing.
func introduced(st *objects.Store, history []*snapshot.Snapshot, root *trust.Root) (snapshot.Permit, error) {
	before := map[cid.ID]bool{} // snapshots that no root was handed down to
	without := map[cid.ID]bool{}
	var old []*snapshot.Snapshot
	for _, s := range slices.Backward(history) {
		before[s.ID] = s.Prev.IsZero() || without[s.Prev]
		if _, there, err := st.Lookup(s.Tree, archive.PathTrustRoot); err != nil {
			return nil, err
		} else if !there {
			without[s.ID] = true
		}
		if before[s.ID] {
			old = append(old, s)
		}
	}
	slices.Reverse(old)
	handed, err := handedDown(st, old)
	if err != nil {
		return nil, err
	}
	later := snapshot.PermitRoot(root, history)
	return func(role trust.Role, s *snapshot.Snapshot, keys []sign.Key) error {
		if before[s.ID] {
			return handed(role, s, keys)
		}
		return later(role, s, keys)
	}, nil
}

// handedDown follows trust/allowed_signers from the first snapshot on: who may
// sign a snapshot, and who may withdraw in it, is what the file in the one
// before it says, for the first its own. While an archive keeps no such file
// anybody may sign, and only the key of its first snapshot may withdraw or change
// trust; an archive that kept the file and drops it is refused.
func handedDown(st *objects.Store, history []*snapshot.Snapshot) (snapshot.Permit, error) {
	files := map[string]*sign.AllowedSigners{}
	read := func(s *snapshot.Snapshot) (*sign.AllowedSigners, error) {
		h, ok, err := st.Lookup(s.Tree, record.PathAllowedSigners)
		if err != nil || !ok {
			return nil, err
		}
		_, data, err := st.Get(h)
		if err != nil {
			return nil, err
		}
		if known, ok := files[string(data)]; ok {
			return known, nil
		}
		allowed, err := sign.ParseAllowedSigners(data)
		if err != nil {
			return nil, fmt.Errorf("snapshot %d: %s: %w", s.Seq, record.PathAllowedSigners, err)
		}
		files[string(data)] = allowed
		return allowed, nil
	}
	held := map[cid.ID]*sign.AllowedSigners{}  // by a snapshot
	given := map[cid.ID]*sign.AllowedSigners{} // to it
	for _, s := range slices.Backward(history) {
		own, err := read(s)
		if err != nil {
			return nil, err
		}
		allowed, before := held[s.Prev]
		switch {
		case s.Prev.IsZero():
			allowed = own
		case !before:
			return nil, fmt.Errorf("snapshot %d: the one before it is absent", s.Seq)
		case allowed != nil && own == nil:
			return nil, fmt.Errorf("snapshot %d drops %s", s.Seq, record.PathAllowedSigners)
		}
		held[s.ID], given[s.ID] = own, allowed
		if allowed == nil {
			continue
		}
		if _, ok := allowed.Allows(s.Key, sign.NamespaceGit); !ok {
			return nil, fmt.Errorf("snapshot %d is signed by %s, which %s of the one before it does not allow", s.Seq, s.Key.Fingerprint(), record.PathAllowedSigners)
		}
	}
	first := history[len(history)-1]
	return func(role trust.Role, s *snapshot.Snapshot, keys []sign.Key) error {
		if given[s.ID] == nil { // before there was such a file
			if role == trust.Snapshot || slices.ContainsFunc(keys, func(k sign.Key) bool { return k.Point() == first.Key.Point() }) {
				return nil
			}
			return fmt.Errorf("nothing was handed down that says who may %s, and no key of it is that of snapshot %d", role, first.Seq)
		}
		return snapshot.PermitSigners(given[s.ID])(role, s, keys)
	}, nil
}

// refused is the error of what came in and is not well.
func refused(info *RemoteInfo, err error) error {
	var told *archive.Error
	if errors.As(err, &told) {
		return err
	}
	return archive.Problem(archive.TypeVerification, archive.Advise("nothing was changed here; tell its custodian, and fetch from another remote"),
		"what %s sent is refused: %w", info.label(), err)
}

// badPack tells a pack that is not one from a connection that failed.
func badPack(err error) bool {
	return errors.Is(err, objects.ErrCorrupt) || errors.Is(err, objects.ErrTooLarge) || errors.Is(err, objects.ErrCollision)
}

// SweepAge is how old a leftover in the folders of the archive must be: no
// running process builds an index or an archive for an hour.
const SweepAge = time.Hour
