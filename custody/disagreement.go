package custody

import (
	"fmt"
	"os"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot"
	"muniment/snapshot/dispute"
)

// disagreementError saves the two signed heads as evidence and returns the error of kind HistoriesDisagree, which
// carries r. The heads are nil where the remote shows nothing.
func disagreementError(a *archive.Repository, info *RemoteInfo, r *FetchResult, ours, theirs *snapshot.Snapshot) error {
	if ours != nil && theirs != nil {
		file, err := saveEvidence(a, dispute.Evidence{Kind: r.Relation, Remote: info.URL, Seen: a.World().Now().UTC(), Ours: ours, Theirs: theirs})
		if err != nil {
			return err
		}
		r.Evidence = file
	}
	var what string
	var next problem.Step
	switch r.Relation {
	default:
		what = fmt.Sprintf("%s holds another archive: %s", info.label(), r.Snapshot)
		next = problem.Advise("correct the address; nothing was changed here")
	case rollback:
		there := "nothing"
		if theirs != nil {
			there = fmt.Sprintf("snapshot %d (%s)", theirs.Seq, theirs.ID)
		}
		what = fmt.Sprintf("%s was cut back: it shows %s, and snapshot %d (%s) was seen there at %s", info.label(), there, info.Seq, info.Snapshot, info.Seen)
		next = problem.Next(DoRemakeRemote, info.Name).With("ask its custodian why; if that is settled, push after it")
	case string(snapshot.Equivocation):
		what = fmt.Sprintf("%s and this archive hold two different snapshots %d signed by one key, %s", info.label(), theirs.Seq, theirs.Key.Fingerprint())
		next = problem.Advise("somebody signed two histories with that key; show the evidence to the other custodians, and trust neither until they agree")
		if r.Fork != "" {
			next = problem.Next(DoJoin, r.Fork).With("show the evidence to the other custodians, and trust neither; or, if you signed both, as after restoring a backup, with a key that may withdraw")
		}
	case string(snapshot.Fork):
		what = fmt.Sprintf("%s has another snapshot %d, signed by %s, where ours is %d: two histories of one archive", info.label(), theirs.Seq, theirs.Key.Fingerprint(), ours.Seq)
		next = problem.Next(DoJoin, r.Fork).With("if both are honest")
	}
	if r.Evidence != "" {
		what += "; both signed heads are kept in " + r.Evidence
	}
	e := problem.New(problem.History, next, "%s", what)
	e.Partial = r
	return e
}

// evidenceDir holds evidence files in archive.local. They are never removed.
const evidenceDir = "evidence"

// saveEvidence writes a file with both signed heads, named after them, and returns
// its path. A file that is there and readable stays.
func saveEvidence(a *archive.Repository, e dispute.Evidence) (string, error) {
	name := fmt.Sprintf("%s-%d-%s-%s.zip", e.Kind, e.Theirs.Seq, shortID(e.Ours), shortID(e.Theirs))
	path, err := a.LocalPath(evidenceDir, name)
	if err != nil {
		return "", err
	}
	if old, err := disk.ReadOwnPlain(path, dispute.MaxFile); err == nil {
		if _, err := dispute.Parse(old); err == nil {
			return path, nil
		}
	}
	data, err := dispute.Encode(e)
	if err != nil {
		return "", problem.Wrap(err, "evidence")
	}
	return path, problem.Wrap(replaceFile(path, data), "evidence")
}

// shortID returns the first twelve hexadecimal digits of a snapshot's id.
func shortID(s *snapshot.Snapshot) string { return s.ID.Hex()[:12] }

// findSnapshot returns the snapshot with an id, or nil.
func findSnapshot(history []*snapshot.Snapshot, id string) *snapshot.Snapshot {
	for _, s := range history {
		if s.ID.String() == id {
			return s
		}
	}
	return nil
}

// forksDir holds the remote's history of each fork, as a repository that history.Join reads.
const forksDir = "forks"

// saveFork moves the quarantined repository to the forks folder and returns its path. It
// holds the remote's history, the accepted countersignatures, and nothing else that the
// remote sent. Where the remote's objects were here already, the fork is the commit.
func (f *fetchSession) saveFork() (string, error) {
	path, err := f.LocalPath(forksDir, f.theirTip.String())
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return path, nil
	}
	q := f.quarantine
	if q == nil {
		return f.theirTip.String(), nil // its objects are here
	}
	if err := q.setMain(f.theirTip); err != nil {
		return "", err
	}
	keep := []objects.RefUpdate{{Name: archive.RefMain, Old: f.theirTip, New: f.theirTip}}
	if c := f.sigs; c != nil {
		tip := c.tip
		if c.strange != nil {
			if tip, err = f.commitAccepted(nil, c, objects.Hash{}); err != nil {
				return "", problem.Wrap(err, "fork")
			}
		}
		if !tip.IsZero() {
			keep = append(keep, objects.RefUpdate{Name: c.name, New: tip})
		}
	}
	if err := f.installRefs(keep, filepath.Join(q.dir, "refused")); err != nil {
		return "", err
	}
	if err = q.unlock(); err == nil {
		err = os.Rename(filepath.Join(q.dir, archive.StoreDir), path)
	}
	return path, problem.Wrap(err, "fork")
}
