package custody

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/text/legible"
)

// CloneOptions say whom to trust. The zero value trusts the key of the first
// snapshot because it came first, and the result says so.
type CloneOptions struct {
	Transfer
	archive.Trust        // whose signatures count
	Expect        string // the archive's id
	Name          string // of the remote in the clone; empty means "origin"

	AwaitCountersign bool // as in FetchOptions
}

// A CloneResult describes a new copy of an archive.
type CloneResult struct {
	Dir       string      `json:"dir"`
	Archive   string      `json:"archive"`
	Name      string      `json:"name"`
	Snapshot  string      `json:"snapshot"`
	Seq       int64       `json:"seq"`
	Signers   []string    `json:"signers"` // fingerprints of all who signed a snapshot, newest first
	Pinned    bool        `json:"pinned"`  // by Trust or Expect; else trusted on first use
	Snapshots int         `json:"snapshots"`
	Objects   int         `json:"objects"`
	Bytes     int64       `json:"bytes"`
	Refs      []RefChange `json:"refs"`
}

// Clone copies the archive at url into dir, which must not exist or be empty. Every id, root, signature and link is
// verified before dir appears under its name; after an error there is no dir. The copy has no keys and no ledger.
func Clone(ctx context.Context, url, dir string, o CloneOptions, w archive.World) (*CloneResult, error) {
	o.Name = cmp.Or(o.Name, "origin")
	if err := checkClone(dir, o); err != nil {
		return nil, err
	}
	r, err := openRemote(url, o.Transfer)
	if err != nil {
		return nil, err
	}
	info := &RemoteInfo{Name: o.Name, URL: url}
	if path := r.Path(); path != "" {
		info.URL = path
	}
	refs, err := r.Refs(ctx)
	if err != nil {
		return nil, unreachableError(info, err)
	}
	if refs[archive.RefMain].IsZero() {
		return nil, problem.New(problem.NotFound, problem.Advise("name a repository that an archive was pushed to"), "%s holds no archive: it has no branch main", legible.Printable(url))
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, problem.Wrap(err, "clone")
	}
	wants := slices.Collect(maps.Values(refs))
	sweepClones(parent, w)
	temp, err := os.MkdirTemp(parent, clonePrefix)
	if err != nil {
		return nil, problem.Wrap(err, "clone")
	}
	defer os.RemoveAll(temp)
	q, err := fetchQuarantine(ctx, temp, nil, r, wants, nil, o.Transfer, w)
	switch {
	case isMalformedPack(err):
		return nil, refusedError(info, err)
	case err != nil:
		return nil, unreachableError(info, err)
	}
	defer q.remove()
	result, err := installClone(q, refs, info, o, w)
	if err != nil {
		return nil, err
	}
	if err := placeClone(q.dir, dir); err != nil {
		return nil, err
	}
	result.Dir = dir
	return result, nil
}

// checkClone returns an error where dir or the options do not allow a clone.
func checkClone(dir string, o CloneOptions) error {
	if names, err := os.ReadDir(dir); err == nil && len(names) > 0 {
		return problem.New(problem.ArchiveExists, problem.Next(problem.DoFetch).With("or choose another folder"), "%s exists and is not empty", legible.Printable(dir))
	}
	if !remoteName.MatchString(o.Name) {
		return problem.New(problem.Usage, problem.Advise("a name is of lower case letters, digits, dots and dashes"), "remote name %q", legible.Printable(o.Name))
	}
	if o.Expect != "" {
		if _, err := cid.ParseAs(cid.JSON, o.Expect); err != nil {
			return problem.New(problem.Usage, problem.Next(problem.DoStatus).With("it has the archive's id"), "the expected archive id: %w", err)
		}
	}
	return nil
}

// placeClone moves a verified copy to its place, which may be an empty folder.
func placeClone(from, dir string) error {
	if err := os.Chmod(from, 0o755); err != nil {
		return problem.Wrap(err, "clone")
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return problem.Wrap(err, "clone")
	}
	return problem.Wrap(os.Rename(from, dir), "clone")
}

// installClone verifies a quarantine that holds a whole archive, sets its refs, writes its local folder with the
// remote's name, and returns the description of the copy.
func installClone(q *quarantine, refs map[string]objects.Hash, info *RemoteInfo, o CloneOptions, w archive.World) (*CloneResult, error) {
	tip := refs[archive.RefMain]
	if err := q.checkReachable(slices.Collect(maps.Values(refs))); err != nil {
		return nil, refusedError(info, err)
	}
	history, err := q.readHistory(tip)
	if err != nil {
		return nil, refusedError(info, err)
	}
	head := history[0]
	if o.Expect != "" && o.Expect != head.Archive.String() {
		return nil, problem.New(problem.Verification, problem.Advise("nothing was kept; compare the address and the id with whoever gave them"), "%s holds the archive %s, want %s", info.label(), head.Archive, o.Expect)
	}
	f := &fetchSession{Repository: archive.NewRepository(q.dir, q.store, w), info: info, options: FetchOptions{Transfer: o.Transfer, Trust: o.Trust, AwaitCountersign: o.AwaitCountersign}, result: &FetchResult{}, quarantine: q, theirTip: tip}
	options, err := f.historyOptions(refs)
	if err != nil {
		return nil, err
	}
	verified, err := verifyHistory(q.store, tip, history, options)
	if err != nil {
		return nil, refusedError(info, err)
	}
	updates, err := f.planRefUpdates(refs, tip, q.lock)
	if err == nil {
		updates = append([]objects.RefUpdate{{Name: archive.RefMain, New: tip}}, updates...)
		err = f.installRefs(updates, filepath.Join(filepath.Dir(q.dir), "refused"))
	}
	if err != nil {
		return nil, err
	}
	if err := q.unlock(); err != nil {
		return nil, problem.Wrap(err, "clone")
	}
	copied, err := archive.Open(q.dir, w)
	if err != nil {
		return nil, err
	}
	defer copied.Close()
	if copied.ID() != head.Archive {
		return nil, refusedError(info, errors.New("archive.json is not the one that the snapshots name"))
	}
	if err := copied.KeepGivenTrust(o.Trust); err != nil {
		return nil, err
	}
	if err := noteTrustBefore(copied.Repository, head); err != nil {
		return nil, err
	}
	copied.RememberSnapshot(head)
	if verified != nil {
		copied.KeepVerified(*verified)
	}
	copied.RememberRefs()
	if err := saveNewestSeen(copied.Repository, info, head); err != nil {
		return nil, err
	}
	result := &CloneResult{Archive: copied.ID().String(), Name: copied.Info().Name, Snapshot: head.ID.String(), Seq: head.Seq,
		Pinned: !o.Trust.IsZero() || o.Expect != "", Snapshots: len(history), Objects: len(q.received.Objects), Bytes: q.received.Bytes,
		Refs: f.result.Refs, Signers: []string{}}
	known := map[[32]byte]bool{}
	for _, s := range history {
		if p := s.Key.Point(); !known[p] {
			known[p] = true
			result.Signers = append(result.Signers, s.Key.Fingerprint())
		}
	}
	return result, nil
}

// installRefs sets the refs of a quarantine that becomes an archive or a fork, and moves
// the pack with objects that only refused refs lead to into the folder aside.
func (f *fetchSession) installRefs(updates []objects.RefUpdate, aside string) error {
	q := f.quarantine
	got, err := f.selectPack(updates)
	if err != nil {
		return err
	}
	if err := q.store.Adopt(q.lock, q.store, &objects.Received{}, updates...); err != nil {
		return problem.Wrap(err, "quarantine")
	}
	if got.Name == q.received.Name {
		return nil
	}
	refused := map[string]error{q.received.Name: errors.New("it holds what was refused")}
	_, err = q.store.SetAside(q.lock, refused, nil, aside)
	q.received = got
	return problem.Wrap(err, "quarantine")
}

// clonePrefix begins the name of the folder in which a clone is verified, in the same parent as the
// folder that it becomes.
const clonePrefix = ".muniment-clone-"

// sweepClones deletes from a folder the remains of clones whose process ended.
func sweepClones(parent string, w archive.World) {
	left, err := filepath.Glob(filepath.Join(parent, clonePrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		if len(SweepQuarantines(dir, w)) > 0 {
			_ = os.RemoveAll(dir)
		}
	}
}
