package archive

import (
	"bytes"
	"maps"
	"os"
	"slices"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot"
)

// CheckIntact returns an error of TypeDamaged where this copy has lost a part of what it
// had: its newest snapshot, as CheckHead says, or a tag or countersignatures. A writer would begin such a
// part again and contradict what was signed. The copy of an answer log is made again from
// the log itself, which compares the two. Lock asks it for every change of the repository.
func (a *Archive) CheckIntact() error {
	if err := a.CheckHead(); err != nil {
		return err
	}
	refs, lost, err := a.FindLostRefs()
	if err != nil {
		return problem.Wrap(err, "refs")
	}
	if head, tip, err := a.Head(); err != nil {
		return err
	} else if head != nil {
		if err := a.checkNamed(head, tip, refs); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		if IsLogRef(name) {
			continue
		}
		return problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%s: %w", name, lost[name])
	}
	return nil
}

// CheckHead returns an error of TypeDamaged where the branch of the archive is gone or
// damaged, or no longer leads to the newest snapshot that was seen here. The ledger asks
// it before every change.
func (a *Archive) CheckHead() error {
	head, _, err := a.Head()
	if err != nil || head == nil {
		return err
	}
	return a.CheckRollback(head)
}

// checkNeverSigned returns an error of TypeDamaged where anything in this copy shows that
// it had a snapshot. It is asked where the branch is absent.
func (a *Repository) checkNeverSigned() error {
	trace, err := a.findTrace()
	if err != nil || trace == "" {
		return err
	}
	return problem.New(problem.Damaged, problem.Next(problem.DoRepair), "%s is gone: there is no newest snapshot, yet %s", RefMain, trace)
}

// snapshotNotes are the files and folders of archive.local that nothing makes before the
// first snapshot.
var snapshotNotes = []string{earlierNotes[kindSnapshot], earlierNotes[kindRef], SummaryFile, VerifiedFile, historyDir, "log"}

// findTrace returns what shows that there was a snapshot, "" where nothing does.
func (a *Repository) findTrace() (string, error) {
	for _, name := range snapshotNotes {
		if _, err := os.Lstat(a.local(name)); err == nil {
			return LocalDir + "/" + name + " is there", nil
		}
	}
	if s, err := a.readJournal(); err != nil || len(s.Kind(kindSnapshot))+len(s.Kind(kindRef)) > 0 {
		return LocalDir + "/" + JournalFile + " is there", nil
	}
	refs, err := a.Store().Refs()
	if err != nil {
		return "", problem.Wrap(err, "refs")
	}
	for name := range refs {
		if IsTagRef(name) || IsMergeable(name) {
			return name + " is there", nil
		}
	}
	staged := refs[RefStaged]
	if before := a.unsigned.Load(); before != nil && *before == staged {
		return "", nil
	}
	if !staged.IsZero() {
		if _, content, err := a.Store().Get(staged); err != nil {
			return "", problem.Wrap(err, RefStaged)
		} else if bytes.Contains(content, []byte("\nparent ")) {
			return "what is staged follows from a snapshot", nil
		}
	}
	if gone, err := holdings.NamesGoneTree(a.local(holdingsDir), a.Store()); err != nil {
		return "", err
	} else if gone {
		return "the holdings index is of a tree that is not here", nil
	}
	// The commit of a first snapshot alone may be that of one which was interrupted
	// before its branch was there: nothing has happened then.
	signed := ""
	err = a.Store().Commits(func(h objects.Hash, content []byte) bool {
		if s, err := snapshot.Parse(content); err == nil && s.Seq > 1 {
			signed = "the commit of snapshot " + s.ID.String() + " is here"
		}
		return signed == ""
	})
	if err == nil && signed == "" {
		a.unsigned.Store(&staged)
	}
	return signed, problem.Wrap(err, "packs")
}

// NotedSnapshots returns the IDs of snapshots, by the file of archive.local, that this copy
// has noted as its own: it signed, verified or saw each of them as its newest.
func (a *Repository) NotedSnapshots() map[string]string {
	out := map[string]string{}
	if id := a.LastSeen(); id != "" {
		out[JournalFile] = id
	}
	if k, ok := a.readSummary(); ok {
		out[SummaryFile] = k.ID
	}
	if v := a.LastVerified(); v != nil {
		out[VerifiedFile] = v.ID
	}
	return out
}
