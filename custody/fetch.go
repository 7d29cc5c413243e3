package custody

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/dispute"
)

// FetchOptions say whom the fetcher trusts. The zero value trusts the keys that the archive itself trusts.
type FetchOptions struct {
	Transfer
	archive.Trust // trusts these keys or this root in place of the archive's own

	// AwaitCountersign accepts a snapshot that withdraws, drops or loosens something
	// before a key with that right has signed it.
	AwaitCountersign bool
}

// A FetchResult describes what a remote shows and what became part of this archive.
type FetchResult struct {
	Remote   string `json:"remote"`
	URL      string `json:"url"`
	Relation string `json:"relation"` // of the remote to this archive: same, ahead, behind, fork, equivocation, unrelated, rollback, empty

	Seq      int64  `json:"seq"` // the newest snapshot there
	Snapshot string `json:"snapshot,omitempty"`
	Signer   string `json:"signer,omitempty"`
	OurSeq   int64  `json:"our_seq"` // the newest here, afterwards
	Ours     string `json:"our_snapshot,omitempty"`

	Snapshots int         `json:"snapshots"` // that became part of this archive
	Objects   int         `json:"objects"`
	Bytes     int64       `json:"bytes"`
	Refs      []RefChange `json:"refs"`

	// Expiry is the result of the axis expiry for the trust root that judged, PASS or
	// NOT-CHECKED with its reason; nil where no root that expires did.
	Expiry *bundle.Axis `json:"expiry,omitempty"`

	Evidence string `json:"evidence,omitempty"` // file with both heads, where the histories disagree
	Fork     string `json:"fork,omitempty"`     // repository with the other history, for join
}

// Fetch copies what a remote has and this archive lacks. The objects arrive in quarantine, where every id, root,
// signature and link of the snapshots that were not verified here before is verified; then they become part of the
// archive and refs/heads/main moves forward. ref is the name or the address of the remote.
//
// A history that does not extend ours, or that was cut back since the last visit,
// is an error of kind HistoriesDisagree. The result comes with that error, its
// Evidence names a file with both signed heads, and the archive is unchanged.
func Fetch(ctx context.Context, a *archive.Archive, ref string, o FetchOptions) (*FetchResult, error) {
	if o.Trust.IsZero() {
		var err error
		if o.Trust, err = a.GivenTrust(); err != nil {
			return nil, err
		}
	}
	info, r, err := connect(a.Repository, ref, o.Transfer)
	if err != nil {
		return nil, err
	}
	refs, err := r.Refs(ctx)
	if err != nil {
		return nil, unreachableError(info, err)
	}
	return fetch(ctx, a, info, r, refs, o)
}

// fetch does what Fetch describes; refs are the ones that the remote has shown.
func fetch(ctx context.Context, a *archive.Archive, info *RemoteInfo, r *remote.Remote, refs map[string]objects.Hash, o FetchOptions) (*FetchResult, error) {
	result := &FetchResult{Remote: info.label(), URL: info.URL, Refs: []RefChange{}}
	head, tip, err := a.Head()
	if err != nil {
		return nil, err
	}
	var cutBack error
	if head != nil {
		cutBack = a.CheckRollback(head)
		result.OurSeq, result.Ours = head.Seq, head.ID.String()
	}
	theirs := refs[archive.RefMain]
	if theirs.IsZero() && cutBack != nil {
		return nil, cutBack
	}
	if theirs.IsZero() {
		result.Relation = "empty"
		if info.Seq > 0 {
			result.Relation = rollback
			return result, disagreementError(a.Repository, info, result, nil, nil)
		}
		return result, nil
	}
	f := &fetchSession{Repository: a.Repository, info: info, remote: r, options: o, result: result, ours: a, ourHead: head, ourTip: tip, theirTip: theirs, cutBack: cutBack}
	wants := f.missingTips(refs)
	if len(wants) > 0 {
		haves, err := pickHaves(a, head)
		if err != nil {
			return nil, err
		}
		parent, err := a.LocalPath(QuarantineDir, "x")
		if err != nil {
			return nil, err
		}
		f.quarantine, err = fetchQuarantine(ctx, filepath.Dir(parent), a.Store(), r, wants, haves, o.Transfer, a.World())
		switch {
		case isMalformedPack(err):
			return nil, refusedError(info, err)
		case err != nil:
			return nil, unreachableError(info, err)
		}
		defer func() { f.quarantine.remove() }()
		result.Objects, result.Bytes = len(f.quarantine.received.Objects), f.quarantine.received.Bytes
		if err := f.quarantine.checkReachable(wants); err != nil {
			return nil, refusedError(info, err)
		}
	}
	if err := f.integrate(refs); err != nil {
		return result, err
	}
	if result.Expiry, err = judgeExpiry(a.Repository, o.Trust); err != nil {
		return result, err
	}
	a.RememberRefs()
	return result, nil
}

// judgeExpiry returns the axis of expiry of the trust root that judges this copy: the
// newest version here or, where the caller's is newer, that one.
func judgeExpiry(a *archive.Repository, given archive.Trust) (*bundle.Axis, error) {
	root := given.Root
	head, _, err := a.Head()
	if err != nil || head == nil {
		return nil, err
	}
	own, err := a.TrustRootIn(head.Tree)
	if err != nil {
		return nil, err
	}
	if own != nil && (root == nil || own.Version > root.Version) {
		root = own
	}
	if root == nil || root.Expires.IsZero() {
		return nil, nil
	}
	axis := bundle.Requirements{Root: root, Now: a.World().Now()}.JudgeExpiry()
	return &axis, nil
}

// A fetchSession is the state of one fetch: both histories, the quarantine, and the result so far.
type fetchSession struct {
	*archive.Repository
	info        *RemoteInfo
	remote      *remote.Remote
	options     FetchOptions
	result      *FetchResult
	ours        *archive.Archive   // nil in a clone
	ourHead     *snapshot.Snapshot // our newest snapshot, or nil
	ourTip      objects.Hash       // its commit, or zero
	theirTip    objects.Hash       // commit of the newest snapshot at the remote
	cutBack     error              // why our history is behind what was seen here, or nil; only a remote that has all of it mends that
	quarantine  *quarantine        // nil when every object was here
	sigs        *refCopy           // the remote's countersignatures, or nil where none are new
	ourSigs     objects.Hash       // our ref of countersignatures when they were judged
	rebuilt     bool               // a ref gets a commit that was not received
	logConflict error              // of the first log whose two copies contradict each other, or nil
	logCopies   []logCopy          // refs to merge with ours
}

// missingTips returns the commits and tags that the remote's refs name and this archive lacks.
func (f *fetchSession) missingTips(refs map[string]objects.Hash) []objects.Hash {
	var out []objects.Hash
	for _, h := range refs {
		if !f.Store().Has(h) && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// pickHaves returns the commits that tell a remote what we have: the newest ones, then every second, fourth … back to
// the first, sorted. head is our newest snapshot, or nil.
func pickHaves(a *archive.Archive, head *snapshot.Snapshot) ([]objects.Hash, error) {
	if head == nil {
		return nil, nil
	}
	seqs := []int64{1}
	for seq, step := head.Seq, int64(1); seq > 1; seq -= step {
		seqs = append(seqs, seq)
		if len(seqs) > nearHaves {
			step *= 2
		}
	}
	var out []objects.Hash
	for _, seq := range seqs {
		rows, err := a.FindRows(strconv.FormatInt(seq, 10))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			out = append(out, row.Commit)
		}
	}
	slices.SortFunc(out, func(a, b objects.Hash) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out), nil
}

// nearHaves is the number of newest snapshots that are named one by one: a remote rarely lags further.
const nearHaves = 16

// source returns the store that has the remote's objects: the quarantine, or our own store where nothing had to arrive.
func (f *fetchSession) source() *objects.Store {
	if f.quarantine != nil {
		return f.quarantine.store
	}
	return f.Store()
}

// integrate compares the two histories and adopts the remote's if it extends ours;
// histories that disagree are an error.
func (f *fetchSession) integrate(refs map[string]objects.Hash) error {
	c, err := f.compareNew(refs)
	if c == nil && err == nil {
		c, err = f.compareAll(refs)
	}
	if err != nil {
		return err
	}
	move := f.ourTip
	if c.relation == snapshot.Ahead {
		move = f.theirTip
	}
	if err := noteTrustBefore(f.Repository, f.ourHead); err != nil {
		return err
	}
	if err := f.publish(refs, move); err != nil {
		return err
	}
	if r := f.result; c.relation == snapshot.Ahead {
		r.Snapshots = c.came
		r.OurSeq, r.Ours = r.Seq, r.Snapshot
		f.RememberSnapshot(c.theirs)
		if c.verified != nil {
			f.KeepVerified(*c.verified)
		}
	}
	return saveNewestSeen(f.Repository, f.info, c.theirs)
}

// describe writes into the result what the remote shows.
func (f *fetchSession) describe(theirs *snapshot.Snapshot, relation snapshot.Relation) {
	r := f.result
	r.Seq, r.Snapshot, r.Signer, r.Relation = theirs.Seq, theirs.ID.String(), theirs.Key.Fingerprint(), string(relation)
}

// compareAll compares the histories as compareNew does, and reads both of them whole.
func (f *fetchSession) compareAll(refs map[string]objects.Hash) (*comparison, error) {
	var ours []*snapshot.Snapshot
	var err error
	if f.ourHead != nil {
		if ours, err = f.History(f.ourTip); err != nil {
			return nil, err
		}
	}
	other := ours
	if f.theirTip != f.ourTip {
		if other, err = snapshot.History(archive.CommitReader(f.source()), f.theirTip, ours...); err != nil {
			return nil, refusedError(f.info, err)
		}
	}
	c := snapshot.Compare(ours, other)
	f.describe(other[0], "")
	if f.cutBack != nil && (c.Relation != snapshot.Ahead || findSnapshot(other, f.LastSeen()) == nil) {
		return nil, f.cutBack
	}
	f.describe(other[0], c.Relation)
	options, err := f.historyOptions(refs)
	if err != nil {
		return nil, err
	}
	if options.verified != nil && findSnapshot(ours, options.verified.ID) == nil {
		options.verified = nil // what is not part of this archive was not verified here
	}
	switch c.Relation {
	case snapshot.Same, snapshot.Ahead, snapshot.Behind:
		if f.info.Snapshot != "" && findSnapshot(other, f.info.Snapshot) == nil {
			f.result.Relation = rollback
			return nil, disagreementError(f.Repository, f.info, f.result, findSnapshot(ours, f.info.Snapshot), other[0])
		}
	default:
		if c.Relation == snapshot.Fork || c.Relation == snapshot.Equivocation {
			_, err := verifyHistory(f.source(), f.theirTip, other, options)
			if err != nil && c.Relation == snapshot.Equivocation { // two signatures are evidence, whatever else is wrong
				return nil, disagreementError(f.Repository, f.info, f.result, c.Ours, c.Theirs)
			}
			if err != nil {
				return nil, refusedError(f.info, err)
			}
			if f.result.Fork, err = f.saveFork(); err != nil {
				return nil, err
			}
		}
		return nil, disagreementError(f.Repository, f.info, f.result, c.Ours, c.Theirs)
	}
	out := &comparison{relation: c.Relation, theirs: other[0], came: len(other) - len(ours)}
	if c.Relation == snapshot.Ahead {
		if out.verified, err = verifyHistory(f.source(), f.theirTip, other, options); err != nil {
			return nil, refusedError(f.info, err)
		}
	}
	return out, nil
}

// historyOptions returns the options by which the remote's history is verified. The
// countersignatures are those of this copy after the fetch, and no others.
func (f *fetchSession) historyOptions(refs map[string]objects.Hash) (historyOptions, error) {
	v := historyOptions{Trust: f.options.Trust, Transfer: f.options.Transfer, awaitCountersign: f.options.AwaitCountersign, ours: f.ourHead, verified: f.LastVerified(), review: f.review}
	var err error
	v.countersignatures, err = f.countersignaturesAfter(refs[snapshot.RefCountersignatures])
	return v, err
}

// publish adopts the accepted objects and moves main and the other refs, all in one step under the write lock.
func (f *fetchSession) publish(refs map[string]objects.Hash, main objects.Hash) error {
	lock, err := f.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	var updates []objects.RefUpdate
	if main != f.ourTip {
		updates = append(updates, objects.RefUpdate{Name: archive.RefMain, Old: f.ourTip, New: main})
	}
	more, err := f.planRefUpdates(refs, main, lock)
	if err != nil {
		return err
	}
	updates = append(updates, more...)
	if len(updates) == 0 && len(f.logCopies) == 0 {
		return f.logConflict // a contradiction is reported although nothing moves
	}
	got, err := f.selectPack(updates)
	if err != nil {
		return err
	}
	if staged, err := f.Store().Ref(archive.RefStaged); err != nil {
		return problem.Wrap(err, archive.RefStaged)
	} else if !staged.IsZero() && main != f.ourTip {
		return problem.New(problem.Usage, problem.Next(problem.DoSnapshot).Or(problem.DoStatus).With("sign what is staged and join the histories, or take the staged changes back"),
			"%s has %d newer snapshots, and here changes are staged on top of snapshot %d", f.info.label(), f.result.Seq-f.result.OurSeq, f.result.OurSeq)
	}
	var moved *objects.RefError
	err = f.Store().Adopt(lock, f.source(), got, updates...)
	if errors.As(err, &moved) {
		return problem.New(problem.Busy, problem.Advise("run the same command again"), "the archive got a new snapshot meanwhile: %w", err)
	}
	if err != nil {
		return problem.Wrap(err, "fetch")
	}
	return f.mergeLogCopies(lock)
}

// selectPack returns the pack that becomes part of the archive: the received one,
// or a new one without the objects that only refused refs lead to.
func (f *fetchSession) selectPack(updates []objects.RefUpdate) (*objects.Received, error) {
	if f.quarantine == nil {
		return &objects.Received{}, nil
	}
	var tips []objects.Hash
	for _, u := range updates {
		tips = append(tips, u.New)
	}
	for _, c := range f.logCopies {
		tips = append(tips, c.theirs)
	}
	st, got := f.quarantine.store, f.quarantine.received
	if !f.rebuilt && !slices.ContainsFunc(f.quarantine.reachedFrom, func(h objects.Hash) bool { return !slices.Contains(tips, h) }) {
		return got, nil // nothing was refused
	}
	left, err := st.Unreached(tips, got.Objects)
	if err != nil || len(left) == 0 && !f.rebuilt {
		return got, problem.Wrap(err, "fetch")
	}
	have, err := refTips(f.Repository)
	if err != nil {
		return nil, err
	}
	sel, err := st.Select(tips, have)
	if err != nil {
		return nil, problem.Wrap(err, "fetch")
	}
	defer sel.Close()
	if sel.Objects() == 0 {
		return &objects.Received{}, nil
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(sel.WritePack(w, nil)) }()
	got, err = st.Receive(r, objects.ReceiveLimits{})
	r.CloseWithError(err)
	return got, problem.Wrap(err, "fetch")
}

// rollback is the relation of a remote that shows less than it once did.
const rollback = dispute.Rollback
