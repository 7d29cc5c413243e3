package archive

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// FindNext returns a snapshot in the store that follows next from head, whose commit is tip, and
// that is signed by a key which the trust of head lets sign snapshots; nil where there is none.
// Where head is the newest snapshot such a one shows that the branch was set back. The header of
// each object is read, and of commits the content.
func FindNext(a *Repository, head *snapshot.Snapshot, tip objects.Hash) (*snapshot.Snapshot, error) {
	may, err := a.snapshotSigners(head)
	if err != nil {
		return nil, err
	}
	var next *snapshot.Snapshot
	parent := fmt.Appendf(nil, "\nparent %s\n", tip)
	err = a.Store().Commits(func(_ objects.Hash, content []byte) bool {
		if !bytes.Contains(content, parent) {
			return true
		}
		if s, err := snapshot.Parse(content); err == nil && s.Archive == head.Archive && s.Seq > head.Seq && may(s.Key) {
			next = s
		}
		return next == nil
	})
	return next, problem.Wrap(err, "packs")
}

// snapshotSigners returns the function that reports whether the trust of a snapshot lets a
// key sign snapshots.
func (a *Repository) snapshotSigners(s *snapshot.Snapshot) (func(sign.Key) bool, error) {
	root, err := a.TrustRootIn(s.Tree)
	if err != nil {
		return nil, err
	}
	if root != nil {
		points := map[[32]byte]bool{}
		for _, k := range root.Keys {
			points[k.Key.Point()] = points[k.Key.Point()] || k.Role == trust.Snapshot
		}
		return func(k sign.Key) bool { return points[k.Point()] }, nil
	}
	lines, err := a.File(s.Tree, layout.PathAllowedSigners)
	if err != nil {
		return nil, err
	}
	allowed, err := sign.ParseAllowedSigners(lines)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAllowedSigners, err)
	}
	return func(k sign.Key) bool {
		_, ok := allowed.Allows(k, sign.NamespaceGit, s.Archive)
		return ok
	}, nil
}

// checkNewest returns an error of TypeDamaged where the store has a snapshot that follows
// from head, the newest one. It reads all commits, once for each newest snapshot.
func (a *Repository) checkNewest(head *snapshot.Snapshot) error {
	if known := a.newest.Load(); known != nil && *known == head.ID {
		return nil
	}
	tip, err := a.Store().Ref(RefMain)
	if err != nil {
		return problem.Wrap(err, RefMain)
	}
	next, err := FindNext(a, head, tip)
	if err != nil {
		return err
	}
	if next == nil {
		a.newest.Store(&head.ID)
		return nil
	}
	return setBackError(head, fmt.Sprintf("snapshot %s, which follows from it, is here", describeHead(next)))
}

// setBackError is the error of an archive whose branch was set back to head, as a trace shows.
func setBackError(head *snapshot.Snapshot, trace string) error {
	return problem.New(problem.Damaged, problem.Next(problem.DoRepair).With("who set it back on purpose deletes the later tags, and prunes the objects: git gc --prune=now"),
		"%s was set back: it names %s, yet %s", RefMain, describeHead(head), trace)
}

// checkNamed returns an error of TypeDamaged where a tag, or what is staged, follows from a
// snapshot that is newer than head. It reads each tag.
func (a *Archive) checkNamed(head *snapshot.Snapshot, tip objects.Hash, refs map[string]objects.Hash) error {
	for name, h := range refs {
		field := "\nobject "
		if name == RefStaged {
			field = "\nparent "
		} else if !IsTagRef(name) {
			continue
		}
		_, content, err := a.Store().Get(h)
		if err != nil {
			continue // verify names it
		}
		_, rest, _ := strings.Cut("\n"+string(content[:min(len(content), maxNaming)]), field)
		hex, _, _ := strings.Cut(rest, "\n")
		commit, err := objects.ParseHash(hex)
		if err != nil || commit == tip {
			continue
		}
		if there, err := a.HasCommit(commit); err == nil && there {
			continue
		}
		s, err := SnapshotAt(a.Store(), commit)
		switch {
		case errors.Is(err, objects.ErrNotFound):
			return setBackError(head, fmt.Sprintf("%s names the commit %s, which is not here", name, commit))
		case err != nil || s.Archive != head.Archive || s.Seq <= head.Seq:
			continue
		}
		if line, err := a.Store().Ancestors(commit); err == nil && line[tip] {
			return setBackError(head, fmt.Sprintf("%s names %s", name, describeHead(s)))
		}
	}
	return nil
}

// maxNaming is the most bytes of a tag, or of an unsigned commit, before its text: two names of objects
// and two people.
const maxNaming = 4 << 10
