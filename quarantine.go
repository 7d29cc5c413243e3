package muniment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"muniment/custody/remote"
	"muniment/objects"
	"muniment/record"
	"muniment/sign"
	"muniment/snapshot"
)

// A quarantine is a repository beside the archive that holds what a remote
// sent, with the archive's own objects lent to it, until it is known to be
// well. Nothing reads it but the checks below.
type quarantine struct {
	dir   string
	store *objects.Store
	got   *objects.Received
}

// incomingDir is where quarantines lie in archive.local.
const incomingDir = "incoming"

// receive makes a quarantine and fetches into it. limits may be zero.
func receive(ctx context.Context, parent string, base *objects.Store, r *remote.Remote, wants, have []objects.Hash, t Transfer) (*quarantine, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, environment(err, "quarantine")
	}
	dir, err := os.MkdirTemp(parent, "fetch-*")
	if err != nil {
		return nil, environment(err, "quarantine")
	}
	q := &quarantine{dir: dir}
	if q.store, err = objects.Init(filepath.Join(dir, StoreDir)); err == nil && base != nil {
		err = q.store.Borrow(base)
	}
	if err != nil {
		q.drop()
		return nil, environment(err, "quarantine")
	}
	count := 0
	err = r.Fetch(ctx, wants, have, func(pack io.Reader) error {
		var err error
		q.got, err = q.store.Receive(&counting{pack, func(n int) { count += n; t.tell(count>>10, 0) }}, objects.ReceiveLimits{})
		return err
	})
	if err != nil {
		q.drop()
		return nil, err
	}
	return q, nil
}

// counting tells of the bytes that were read.
type counting struct {
	r    io.Reader
	tell func(n int)
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.tell(n)
	return n, err
}

// drop removes the quarantine.
func (q *quarantine) drop() {
	if q == nil {
		return
	}
	if q.store != nil {
		q.store.Close()
	}
	os.RemoveAll(q.dir)
}

// history reads the snapshots from a commit of the quarantine.
func (q *quarantine) history(tip objects.Hash) ([]*snapshot.Snapshot, error) {
	return snapshot.History(commitOf(q.store), tip)
}

func commitOf(st *objects.Store) func(objects.Hash) ([]byte, error) {
	return func(h objects.Hash) ([]byte, error) {
		k, data, err := st.Get(h)
		if err == nil && k != objects.Commit {
			err = fmt.Errorf("object %s is a %s, want a commit", h, k)
		}
		return data, err
	}
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

// vet verifies a whole history as it lies in a store: ids, roots, signatures,
// links, rules, and the right of every signer. Where nobody was named, the
// archive's own allowed signers count, from snapshot to snapshot.
func vet(st *objects.Store, tip objects.Hash, history []*snapshot.Snapshot, in Trust, t Transfer) error {
	if in.IsZero() {
		allowed, err := handedDown(st, history)
		if err != nil {
			return err
		}
		in.Allowed = allowed
	}
	report, err := snapshot.CheckWith(st, tip, snapshot.Checking{Allowed: in.Allowed, Root: in.Root,
		Progress: func(done, total int64) { t.tell(int(done), int(total)) }})
	switch {
	case err != nil:
		return err
	case !report.Sound():
		return fmt.Errorf("%d objects failed and %d are absent: %s", report.Failed, report.Absent, worst(report.Problems))
	case len(report.Untrusted) > 0:
		return fmt.Errorf("%s", report.Untrusted[0])
	}
	return nil
}

func worst(problems []snapshot.Problem) string {
	for _, p := range problems {
		if p.State != objects.NotChecked {
			return p.String()
		}
	}
	return "no reason is known"
}

// handedDown follows trust/allowed_signers from the first snapshot on: the key
// of each is allowed by the file in the one before it, that of the first by
// its own. It returns all lines that were ever in force, or nil for an archive
// that keeps no such file.
func handedDown(st *objects.Store, history []*snapshot.Snapshot) (*sign.AllowedSigners, error) {
	files := map[string]*sign.AllowedSigners{}
	var text []byte
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
		text = append(text, data...)
		return allowed, nil
	}
	byID := map[string]*snapshot.Snapshot{}
	for _, s := range history {
		byID[s.ID.String()] = s
	}
	for i := len(history) - 1; i >= 0; i-- {
		s := history[i]
		giver := byID[s.Prev.String()]
		if s.Prev.IsZero() {
			giver = s
		}
		if _, err := read(s); err != nil {
			return nil, err
		}
		if giver == nil {
			return nil, fmt.Errorf("snapshot %d: the one before it is absent", s.Seq)
		}
		allowed, err := read(giver)
		if err != nil {
			return nil, err
		}
		if allowed == nil {
			continue
		}
		if _, ok := allowed.Allows(s.Key, sign.NamespaceGit); !ok {
			return nil, fmt.Errorf("snapshot %d is signed by %s, which %s of snapshot %d does not allow", s.Seq, s.Key.Fingerprint(), record.PathAllowedSigners, giver.Seq)
		}
	}
	if len(text) == 0 {
		return nil, nil
	}
	return sign.ParseAllowedSigners(text)
}

// refused is the error of what came in and is not well.
func refused(info *RemoteInfo, err error) error {
	var told *Error
	if errors.As(err, &told) {
		return err
	}
	return problem(TypeVerification, ExitNo, "nothing was changed here; tell its custodian, and fetch from another remote",
		"what %s sent is refused: %w", info.label(), err)
}

// badPack tells a pack that is not one from a connection that failed.
func badPack(err error) bool {
	return errors.Is(err, objects.ErrCorrupt) || errors.Is(err, objects.ErrTooLarge) || errors.Is(err, objects.ErrCollision)
}
