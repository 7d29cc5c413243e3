package custody

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"muniment/archive"
	"muniment/custody/dispute"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/snapshot"
)

// FetchOptions are the fetcher's own requirements. The zero value trusts the
// keys that the archive trusts.
type FetchOptions struct {
	Transfer
	archive.Trust // or these

	// AwaitCosign takes over a snapshot that withdraws, drops or loosens
	// something and that no key which may do so has signed yet.
	AwaitCosign bool
}

// A RefChange is a tag, a log or the co-signatures on their way between an
// archive and a remote.
type RefChange struct {
	Name   string `json:"name"`
	From   string `json:"from,omitempty"`
	To     string `json:"to"`
	Done   bool   `json:"done"`
	Reason string `json:"reason,omitempty"` // why not
}

// A FetchResult tells what a remote has and what of it was taken.
type FetchResult struct {
	Remote   string `json:"remote"`
	URL      string `json:"url"`
	Relation string `json:"relation"` // of the remote to this archive: same, ahead, behind, fork, equivocation, unrelated, rollback, empty

	Seq      int64  `json:"seq"` // the newest snapshot there
	Snapshot string `json:"snapshot,omitempty"`
	Signer   string `json:"signer,omitempty"`
	OurSeq   int64  `json:"our_seq"` // the newest here, afterwards
	Ours     string `json:"our_snapshot,omitempty"`

	Snapshots int         `json:"snapshots"` // taken
	Objects   int         `json:"objects"`
	Bytes     int64       `json:"bytes"`
	Refs      []RefChange `json:"refs"`

	Evidence string `json:"evidence,omitempty"` // file with both heads, where the histories disagree
	Fork     string `json:"fork,omitempty"`     // repository with the other history, for join
}

// rollback is the relation of a remote that shows less than it once did.
const rollback = dispute.Rollback

// Fetch takes over what a remote has beyond this archive. It arrives in
// quarantine, every id, root, signature and link of the whole history is
// verified there, then it becomes part of the archive and refs/heads/main
// moves forward. A history that is not an extension of ours, or that was cut
// back since it was seen last, is an error of type HistoriesDisagree with the
// result, whose Evidence names a file with both signed heads; nothing is
// changed then.
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
		return nil, unreachable(info, err)
	}
	return fetch(ctx, a, info, r, refs, o)
}

// fetch is Fetch for refs that a remote has shown.
func fetch(ctx context.Context, a *archive.Archive, info *RemoteInfo, r *remote.Remote, refs map[string]objects.Hash, o FetchOptions) (*FetchResult, error) {
	result := &FetchResult{Remote: info.label(), URL: info.URL, Refs: []RefChange{}}
	head, tip, err := a.Head()
	if err != nil {
		return nil, err
	}
	var ours []*snapshot.Snapshot
	if head != nil {
		if err := a.CheckRollback(head); err != nil {
			return nil, err
		}
		if ours, err = a.History(tip); err != nil {
			return nil, err
		}
		result.OurSeq, result.Ours = head.Seq, head.ID.String()
	}
	theirs := refs[archive.RefMain]
	if theirs.IsZero() {
		result.Relation = "empty"
		if info.Seq > 0 {
			result.Relation = rollback
			return result, alarm(a.Repository, info, result, nil, nil)
		}
		return result, nil
	}
	f := &fetchSession{Repository: a.Repository, info: info, remote: r, options: o, result: result, ours: ours, tip: tip, theirs: theirs}
	wants := f.wants(refs)
	if len(wants) > 0 {
		parent, err := a.LocalPath(IncomingDir, "x")
		if err != nil {
			return nil, err
		}
		f.quarantine, err = receive(ctx, filepath.Dir(parent), a.Store(), r, wants, haves(ours), o.Transfer, a.World())
		switch {
		case badPack(err):
			return nil, refused(info, err)
		case err != nil:
			return nil, unreachable(info, err)
		}
		defer func() { f.quarantine.drop() }()
		result.Objects, result.Bytes = len(f.quarantine.got.Objects), f.quarantine.got.Bytes
		if err := f.quarantine.extra(append(wants, theirs)); err != nil {
			return nil, refused(info, err)
		}
	}
	if err := f.judge(refs); err != nil {
		return result, err
	}
	a.RememberRefs()
	return result, nil
}

// A fetchSession is one fetch of a remote's refs and objects.
type fetchSession struct {
	*archive.Repository
	info       *RemoteInfo
	remote     *remote.Remote
	options    FetchOptions
	result     *FetchResult
	ours       []*snapshot.Snapshot
	tip        objects.Hash // ours
	theirs     objects.Hash
	quarantine *quarantine // nil when everything was here
	apart      error       // the first log that the remote and we hold in two versions
	copies     []logCopy   // refs to be put together with ours
}

// logCopy is the remote's copy of a log or of the co-signatures, where we have
// one.
type logCopy struct {
	at     int // in the result's Refs
	theirs objects.Hash
}

// wants lists what the remote's refs name and this archive lacks.
func (f *fetchSession) wants(refs map[string]objects.Hash) []objects.Hash {
	var out []objects.Hash
	for _, h := range refs {
		if !f.Store().Has(h) && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// from is where the remote's objects are read.
func (f *fetchSession) from() *objects.Store {
	if f.quarantine != nil {
		return f.quarantine.store
	}
	return f.Store()
}

// judge compares the histories and takes the other one over if it is an
// extension of ours.
func (f *fetchSession) judge(refs map[string]objects.Hash) error {
	other, err := snapshot.History(archive.CommitReader(f.from()), f.theirs)
	if err != nil {
		return refused(f.info, err)
	}
	r := f.result
	r.Seq, r.Snapshot, r.Signer = other[0].Seq, other[0].ID.String(), other[0].Key.Fingerprint()
	c := snapshot.Compare(f.ours, other)
	r.Relation = string(c.Relation)
	switch c.Relation {
	case snapshot.Same, snapshot.Ahead, snapshot.Behind:
		if f.cutBack(other) {
			r.Relation = rollback
			return alarm(f.Repository, f.info, r, f.lastSeen(), other[0])
		}
	default:
		if c.Relation == snapshot.Fork {
			if err := vet(f.from(), f.theirs, other, f.vetting(refs)); err != nil {
				return refused(f.info, err)
			}
			if r.Fork, err = f.keepFork(); err != nil {
				return err
			}
		}
		return alarm(f.Repository, f.info, r, c.Ours, c.Theirs)
	}
	move := f.theirs
	if c.Relation != snapshot.Ahead {
		move = f.tip
	} else if err := vet(f.from(), f.theirs, other, f.vetting(refs)); err != nil {
		return refused(f.info, err)
	}
	if err := noteTrustBefore(f.Repository, f.ours); err != nil {
		return err
	}
	if err := f.publish(refs, move); err != nil {
		return err
	}
	if c.Relation == snapshot.Ahead {
		r.Snapshots = len(other) - len(f.ours)
		r.OurSeq, r.Ours = other[0].Seq, other[0].ID.String()
		f.RememberSnapshot(other[0])
		f.noteSummary(other[0])
	}
	return noteRemote(f.Repository, f.info, other[0])
}

// vetting says how the other history is verified.
func (f *fetchSession) vetting(refs map[string]objects.Hash) vetOptions {
	v := vetOptions{Trust: f.options.Trust, Transfer: f.options.Transfer, await: f.options.AwaitCosign, cosigs: []objects.Hash{refs[snapshot.RefCosigs]}}
	if own, err := f.Store().Ref(snapshot.RefCosigs); err == nil {
		v.cosigs = append(v.cosigs, own)
	}
	if len(f.ours) > 0 {
		v.ours = f.ours[0]
		if k := f.StoredSummary(v.ours); k != nil {
			v.summary = k.Summary
		}
	}
	return v
}

// noteSummary keeps the summary of a snapshot that was taken over, so that the
// next one reads only what has changed.
func (f *fetchSession) noteSummary(s *snapshot.Snapshot) {
	var ours *snapshot.Snapshot
	if len(f.ours) > 0 {
		ours = f.ours[0]
	}
	k := f.StoredSummary(ours)
	if k == nil {
		return
	}
	if sum, more, err := snapshot.Summarize(f.Store(), s.Tree, ours.Tree, k.Summary); err == nil && sum.Of(s) {
		f.KeepSummary(archive.SnapshotSummary{ID: s.ID.String(), Artifacts: k.Artifacts + more, Summary: sum})
	}
}

// cutBack reports whether the remote no longer holds the newest snapshot that
// was verified there.
func (f *fetchSession) cutBack(other []*snapshot.Snapshot) bool {
	return f.info.Snapshot != "" && !slices.ContainsFunc(other, func(s *snapshot.Snapshot) bool { return s.ID.String() == f.info.Snapshot })
}

// lastSeen returns the snapshot that was last seen at the remote, if it is in
// our history.
func (f *fetchSession) lastSeen() *snapshot.Snapshot {
	return withID(f.ours, f.info.Snapshot)
}

// publish makes what came part of the archive and moves the refs.
func (f *fetchSession) publish(refs map[string]objects.Hash, main objects.Hash) error {
	lock, err := f.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	var updates []objects.RefUpdate
	if main != f.tip {
		updates = append(updates, objects.RefUpdate{Name: archive.RefMain, Old: f.tip, New: main})
	}
	more, err := f.otherRefs(refs, main)
	if err != nil {
		return err
	}
	updates = append(updates, more...)
	if len(updates) == 0 && len(f.copies) == 0 {
		return f.apart // a log that contradicts ours is an alarm, with nothing to take too
	}
	got, err := f.accepted(updates)
	if err != nil {
		return err
	}
	if staged, err := f.Store().Ref(archive.RefStaged); err != nil {
		return archive.Environment(err, archive.RefStaged)
	} else if !staged.IsZero() && main != f.tip {
		return archive.Problem(archive.TypeUsage, archive.Advise("muniment snapshot -m TEXT signs what is staged, then the histories are joined with muniment join; or take the staged changes back"),
			"%s has %d newer snapshots, and here changes are staged on top of snapshot %d", f.info.label(), f.result.Seq-f.result.OurSeq, f.result.OurSeq)
	}
	var moved *objects.RefError
	err = f.Store().Adopt(lock, f.from(), got, updates...)
	if errors.As(err, &moved) {
		return archive.Problem(archive.TypeBusy, archive.Advise("run the same command again"), "the archive got a new snapshot meanwhile: %w", err)
	}
	if err != nil {
		return archive.Environment(err, "fetch")
	}
	return f.takeCopies(lock)
}

// alarm keeps the evidence and returns the error of two histories that
// disagree.
func alarm(a *archive.Repository, info *RemoteInfo, r *FetchResult, ours, theirs *snapshot.Snapshot) error {
	if ours != nil && theirs != nil {
		file, err := keepEvidence(a, dispute.Evidence{Kind: r.Relation, Remote: info.URL, Seen: a.World().Now().UTC(), Ours: ours, Theirs: theirs})
		if err != nil {
			return err
		}
		r.Evidence = file
	}
	var what, hint string
	switch r.Relation {
	default:
		what = fmt.Sprintf("%s holds another archive: %s", info.label(), r.Snapshot)
		hint = "correct the address; nothing was changed here"
	case rollback:
		there := "nothing"
		if theirs != nil {
			there = fmt.Sprintf("snapshot %d (%s)", theirs.Seq, theirs.ID)
		}
		what = fmt.Sprintf("%s was cut back: it shows %s, and snapshot %d (%s) was seen there at %s", info.label(), there, info.Seq, info.Snapshot, info.Seen)
		hint = "ask its custodian why; if that is settled, muniment remote remove " + info.Name + ", add it again and push"
	case string(snapshot.Equivocation):
		what = fmt.Sprintf("%s and this archive hold two different snapshots %d signed by one key, %s", info.label(), theirs.Seq, theirs.Key.Fingerprint())
		hint = "somebody signed two histories with that key; show the evidence to the other custodians, and trust neither until they agree"
	case string(snapshot.Fork):
		what = fmt.Sprintf("%s has another snapshot %d, signed by %s, where ours is %d: two histories of one archive", info.label(), theirs.Seq, theirs.Key.Fingerprint(), ours.Seq)
		hint = "if both are honest: muniment join " + r.Fork
	}
	if r.Evidence != "" {
		what += "; both signed heads are kept in " + r.Evidence
	}
	e := archive.Problem(archive.TypeHistory, archive.Advise(hint), "%s", what)
	e.Partial = r
	return e
}

// evidenceDir holds evidence files in archive.local. They are never removed.
const evidenceDir = "evidence"

// keepEvidence writes the evidence under a name made of what it shows. What is
// kept already is not written again.
func keepEvidence(a *archive.Repository, e dispute.Evidence) (string, error) {
	name := fmt.Sprintf("%s-%d-%s-%s.zip", e.Kind, e.Theirs.Seq, short(e.Ours), short(e.Theirs))
	path, err := a.LocalPath(evidenceDir, name)
	if err != nil {
		return "", err
	}
	if old, err := os.ReadFile(path); err == nil {
		if _, err := dispute.Parse(old); err == nil {
			return path, nil
		}
	}
	data, err := dispute.Encode(e)
	if err != nil {
		return "", archive.Environment(err, "evidence")
	}
	return path, archive.Environment(replaceFile(path, data), "evidence")
}

func short(s *snapshot.Snapshot) string { return s.ID.Hex()[:12] }

// forksDir holds the other history of each fork that was seen, as a repository
// that join reads.
const forksDir = "forks"

// keepFork keeps the quarantine as a repository.
func (f *fetchSession) keepFork() (string, error) {
	path, err := f.LocalPath(forksDir, f.theirs.String())
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return path, nil
	}
	if f.quarantine == nil {
		return f.theirs.String(), nil // its objects are here
	}
	if err = f.quarantine.setMain(f.theirs); err == nil {
		err = f.quarantine.release()
	}
	if err == nil {
		err = os.Rename(filepath.Join(f.quarantine.dir, archive.StoreDir), path)
	}
	return path, archive.Environment(err, "fork")
}
