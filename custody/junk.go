package custody

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/text/legible"
)

// A JunkRef is a ref of countersignatures or of an answer log of this copy with commits or
// files that nothing signed accounts for: an earlier version took them from a remote.
type JunkRef struct {
	Name   string
	Reason string // what the first of them is

	// Kept says why DropJunk leaves the ref as it is, "" where it does not.
	Kept string

	copy *refCopy
}

// quickChain bounds what FindJunk looks at where it is to be quick: doctor takes a second at most for a ref.
var quickChain = chainLimit{500, 200_000}

// FindJunk returns the refs of countersignatures and logs of this copy with commits or files that are not accepted,
// judged as those of a remote are; a countersignature that verifies is accepted whoever made it. Of a log whose key the
// trust no longer names, and of what lies further back than is looked at, nothing is said. deep looks as far back as
// for a remote.
func FindJunk(a *archive.Archive, deep bool) ([]JunkRef, error) {
	head, main, err := a.Head()
	if err != nil || head == nil {
		return nil, err
	}
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, problem.Wrap(err, "refs")
	}
	limit := quickChain
	if deep {
		limit = remoteChain
	}
	var all []JunkRef
	for name, tip := range refs {
		if !archive.IsMergeable(name) {
			continue
		}
		j, err := judgeOwn(a, name, tip, main, limit)
		if err != nil {
			return nil, err
		}
		if j != nil {
			all = append(all, *j)
		}
	}
	slices.SortFunc(all, func(x, y JunkRef) int { return strings.Compare(x.Name, y.Name) })
	return all, nil
}

// judgeOwn returns the junk of a ref of this copy, nil where there is none.
func judgeOwn(a *archive.Archive, name string, tip, main objects.Hash, limit chainLimit) (*JunkRef, error) {
	c, err := judgeOwnAfter(a, name, tip, []objects.Hash{main}, limit)
	if err != nil || c == nil || c.strange == nil || errors.Is(c.strange, errLongChain) {
		return nil, err
	}
	report, err := a.Store().Check([]objects.Hash{tip}, nil)
	if err != nil {
		return nil, problem.Wrap(err, name)
	}
	if report.OK < report.Checked || report.Absent+report.NotChecked > 0 {
		return nil, nil // a damaged object is no junk: a repair brings it back
	}
	j := &JunkRef{Name: name, Reason: legible.OneLine(c.strange)}
	if name == snapshot.RefCountersignatures {
		// A snapshot of a line that main does not have, such as one before a repair, is signed too.
		tips := []objects.Hash{main}
		err = a.Store().Commits(func(h objects.Hash, content []byte) bool {
			if _, err := snapshot.Parse(content); err == nil {
				tips = append(tips, h)
			}
			return true
		})
		if err == nil {
			c, err = judgeOwnAfter(a, name, tip, tips, limit)
		}
		if err != nil {
			return nil, problem.Wrap(err, name)
		}
		if c.strange == nil {
			return nil, nil
		}
		j.Reason = legible.OneLine(c.strange)
	} else if err := requireSignedEpochs(a, c, main); err != nil {
		j.Kept = legible.OneLine(err)
	}
	j.copy = c
	return j, nil
}

// judgeOwnAfter judges a ref of this copy by the snapshots that tips lead to, the first of
// which is the newest. The result is nil for a log whose key the trust does not name.
func judgeOwnAfter(a *archive.Archive, name string, tip objects.Hash, tips []objects.Hash, limit chainLimit) (*refCopy, error) {
	if name == snapshot.RefCountersignatures {
		given, err := a.GivenTrust()
		if err != nil {
			return nil, err
		}
		judge := newCountersignatureJudge(a.Repository, tips, given, nil)
		judge.limit = math.MaxInt
		c, err := judgeCopy(a.Store(), name, tip, nil, fileJudge{judge.accept, judge.checkEarlier}, limit)
		if err == nil {
			err = judge.history.err
		}
		return c, problem.Wrap(err, name)
	}
	judge, err := logJudge(a.Repository, name, tips[0])
	if err != nil {
		return nil, nil
	}
	c, err := judgeCopy(a.Store(), name, tip, nil, judge, limit)
	if err != nil { // nothing of the tree is accepted
		c = &refCopy{name: name, tip: tip, strange: err}
	}
	return c, nil
}

// requireSignedEpochs returns an error where a log has an epoch whose checkpoint its key
// signed and which is not accepted: that is damage, and no junk.
func requireSignedEpochs(a *archive.Archive, c *refCopy, main objects.Hash) error {
	trusted, err := a.Store().TreeOf(main)
	if err != nil {
		return err
	}
	keys, err := logref.LogKeysIn(a.Repository, trusted)
	if err != nil {
		return err
	}
	tree, err := a.Store().TreeOf(c.tip)
	if err != nil {
		return err
	}
	files, err := listFiles(a.Repository, tree)
	if err != nil {
		return err
	}
	for file, h := range files {
		epoch, isPoint := strings.CutSuffix(file, "/checkpoint")
		if !isPoint || !c.files[file].IsZero() {
			continue
		}
		_, note, err := a.Store().Get(h)
		if err == nil {
			_, err = sign.OpenCheckpoint(note, keys[strings.TrimPrefix(c.name, archive.RefLog)])
		}
		if err == nil {
			return fmt.Errorf("its epoch %s is signed and does not hold together", legible.Printable(epoch))
		}
	}
	return nil
}

// A DroppedJunk is what DropJunk did.
type DroppedJunk struct {
	Refs    []JunkRef // those of FindJunk
	Objects int       // that are gone
}

// DropJunk writes each ref that FindJunk names again, as one commit of the accepted files with a fixed author and time,
// so that two copies write the same, and takes the objects out of the store that only the commits before led to. It
// takes nothing else, whether a ref leads to it or not. An interrupted call is completed by the next one.
func DropJunk(a *archive.Archive) (*DroppedJunk, error) {
	found, err := FindJunk(a, true)
	if err != nil {
		return nil, err
	}
	if err := rewriteRefs(a, found); err != nil {
		return nil, err
	}
	out := &DroppedJunk{Refs: found}
	list, err := a.Dropped()
	if err != nil || len(list) == 0 {
		return out, err
	}
	a.RememberRefs() // an interrupted call may not have come to it
	if out.Objects, err = a.Store().Drop(archive.Owner(a.World()), archive.LockWait, list); err != nil {
		return nil, archive.LockError(err)
	}
	return out, a.SetDropped(nil)
}

// rewriteRefs moves refs to commits of their accepted files.
func rewriteRefs(a *archive.Archive, found []JunkRef) error {
	if len(found) == 0 {
		return nil
	}
	lock, err := a.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	for i := range found {
		if err := rewriteRef(a, lock, &found[i]); err != nil {
			return err
		}
	}
	return nil
}

// rewriteRef moves a ref to a commit of its accepted files, or deletes it where there are
// none. The objects that the old commits lead to are written down before.
func rewriteRef(a *archive.Archive, lock *objects.Lock, j *JunkRef) error {
	if j.Kept != "" {
		return nil
	}
	list, err := a.Dropped()
	if err != nil {
		return err
	}
	old, err := a.Store().Reached([]objects.Hash{j.copy.tip}, archive.MaxDropped-len(list))
	if err != nil {
		j.Kept = legible.OneLine(err)
		return nil
	}
	var tip objects.Hash
	if len(j.copy.files) > 0 {
		if tip, err = j.copy.commitAccepted(a.Store(), lock); err != nil {
			return problem.Wrap(err, j.Name)
		}
	}
	if err := a.SetDropped(append(list, old...)); err != nil {
		return err
	}
	if err := moveRef(a.Repository, lock, j.Name, j.copy.tip, tip); err != nil {
		return err
	}
	a.RememberRefs()
	return nil
}

// errWriting reports that another process writes this copy.
var errWriting = errors.New("another process writes this copy")

// FindUnsigned counts the objects that no ref of this copy leads to. Explained are those
// that earlier staged trees and interrupted snapshots leave. The result is nil where refs
// lead to more than limit objects, and while another process writes this copy.
func FindUnsigned(a *archive.Archive, limit int) (*objects.Unreached, error) {
	explains := func(commit []byte) bool {
		_, err := snapshot.Parse(commit)
		return err == nil || archive.IsStaged(commit)
	}
	u, err := a.Store().FindUnreached(limit, explains, func() error {
		lock, err := a.FindLock()
		if err == nil && lock.Locked && lock.State != string(objects.OwnerGone) {
			err = errWriting
		}
		return err
	})
	if errors.Is(err, errWriting) {
		return nil, nil
	}
	return u, problem.Wrap(err, "objects")
}
