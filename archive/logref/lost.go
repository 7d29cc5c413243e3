package logref

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
)

// A logPoint is how far a copy of a log goes: its last epoch, and the entries of that.
type logPoint struct{ epoch, size int64 }

// compare orders points, the shorter log first.
func (p logPoint) compare(q logPoint) int {
	return cmp.Or(cmp.Compare(p.epoch, q.epoch), cmp.Compare(p.size, q.size))
}

// RequireFirst returns an error of TypeDamaged where archive.local has nothing of the log of
// a key, by ID, or damaged entries while its ref is lost, and this copy shows more of it than its ref holds: the note of its ref, or
// a commit in the packs. The epoch that would begin then could contradict what was signed.
// It is asked before a log is opened, and reads commits only where the folder is lost.
func RequireFirst(a *archive.Archive, key string) error {
	dir, err := a.LocalPath("log")
	if err != nil {
		return err
	}
	logs, unreadable := answerlog.List(dir, a.ID())
	ref := archive.RefLog + key
	step := problem.Next(problem.DoRepair).Or(problem.DoFetch).With("another epoch begun now could contradict the answers of this one")
	_, lost, err := a.FindLostRefs()
	if err != nil {
		return err
	}
	for _, s := range logs {
		if unreadable == nil && s.KeyID == key && (lost[ref] == nil || s.CheckEntries() == nil) {
			return nil
		}
	}
	if lost[ref] != nil {
		return problem.New(problem.Damaged, step, "the answer log of %.16s is lost: %s: %w", key, ref, lost[ref])
	}
	stray, err := FindStray(a.Repository)
	if err != nil {
		return err
	}
	if h := stray[ref]; !h.IsZero() {
		return problem.New(problem.Damaged, step, "the answer log of %.16s is lost: the commit %s has more of it than %s", key, h, ref)
	}
	return nil
}

// FindStray returns the commits of answer logs, by the ref that lost them, that no ref leads
// to and that have more of the log than its ref: checkpoints that the key of the log signed.
// The header of each object is read, and of commits the content.
func FindStray(a *archive.Repository) (map[string]objects.Hash, error) {
	keys, err := LogKeys(a)
	if err != nil {
		return nil, err
	}
	out, best := map[string]objects.Hash{}, map[string]logPoint{}
	for id := range keys {
		ref := archive.RefLog + id
		tip, err := a.Store().Ref(ref)
		if err != nil {
			return nil, problem.Wrap(err, ref)
		}
		if !tip.IsZero() {
			_, best[id] = readPoint(a, tip, keys)
		}
	}
	author := []byte("\nauthor Muniment log <log@archive.invalid> ")
	err = a.Store().Commits(func(h objects.Hash, content []byte) bool {
		if !bytes.Contains(content, author) {
			return true
		}
		if id, point := readPoint(a, h, keys); id != "" && point.compare(best[id]) > 0 {
			out[archive.RefLog+id], best[id] = h, point
		}
		return true
	})
	return out, problem.Wrap(err, "packs")
}

// readPoint returns the ID of the key of the log that a commit has a copy of, one of keys,
// and how far the copy goes; "" where the commit has none.
func readPoint(a *archive.Repository, commit objects.Hash, keys map[string]sign.Key) (id string, last logPoint) {
	tree, err := a.Store().TreeOf(commit)
	if err != nil {
		return "", last
	}
	epochs, err := a.Store().Tree(tree)
	if err != nil {
		return "", last
	}
	for _, e := range epochs {
		note, err := a.File(tree, e.Name+"/checkpoint")
		if err != nil {
			continue
		}
		c, err := sign.ReadCheckpoint(note)
		if err != nil {
			continue
		}
		parts := strings.Split(c.Origin, "/")
		if len(parts) != 5 || parts[4] != e.Name || id != "" && id != parts[3] {
			continue
		}
		k, known := keys[parts[3]]
		if _, err := sign.OpenCheckpoint(note, k); !known || err != nil {
			continue
		}
		point := logPoint{epochNumber(e.Name), c.Size}
		if id = parts[3]; point.compare(last) > 0 {
			last = point
		}
	}
	return id, last
}

// MendAdvice says how a damaged answer log of this copy is mended.
const MendAdvice = "keep " + archive.LocalDir + "/log as it is and fetch: the next answer takes what is damaged or lost from the copy on the log's ref, keeps the old files in a folder ending in .lost, and goes on in the next epoch where an answer may be missing; what no copy has comes from a backup, or doctor --fix --forget goes on without it"

// AcceptSetBack has this copy go on with answer logs that end earlier than they did, and returns in words what
// they lack.
func AcceptSetBack(a *archive.Archive) ([]string, error) {
	dir, err := a.LocalPath("log")
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	return answerlog.AcceptSetBack(dir, a.ID())
}

// FindDamage returns in words what is damaged of the answer logs in archive.local: every
// entry is read and hashed again.
func FindDamage(a *archive.Archive) ([]string, error) {
	keys, err := LogKeys(a.Repository)
	if err != nil {
		return nil, err
	}
	dir, err := a.LocalPath("log")
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	return answerlog.Check(dir, a.ID(), func(id string) sign.Key { return keys[id] })
}
