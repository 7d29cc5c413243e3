package custody

import (
	"fmt"
	"maps"
	"slices"

	"muniment/archive"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// maxUnnamed is the most countersignatures by keys which the trust does not name that are
// taken from a remote at a time. Anybody can make such; 256 are 128 KiB.
const maxUnnamed = 256

// A countersignatureJudge accepts countersignatures of the snapshots of a history.
type countersignatureJudge struct {
	st       *objects.Store
	history  *snapshotFinder
	named    map[[32]byte]bool // points of the keys that the trust names
	accepted map[acceptedFile]bool
	unnamed  int
	limit    int // most of unnamed
}

// An acceptedFile is a blob at its path.
type acceptedFile struct {
	path string
	blob objects.Hash
}

// newCountersignatureJudge returns a judge of countersignatures of the snapshots that tips
// lead to. Those of ours, by path, are accepted already.
func newCountersignatureJudge(a *archive.Repository, tips []objects.Hash, given archive.Trust, ours map[string]objects.Hash) *countersignatureJudge {
	j := &countersignatureJudge{st: a.Store(), history: newSnapshotFinder(a.Store(), tips), named: map[[32]byte]bool{}, accepted: map[acceptedFile]bool{}, limit: maxUnnamed}
	for name, h := range ours {
		j.accepted[acceptedFile{name, h}] = true
	}
	for _, s := range j.history.next {
		j.nameKeys(a, s.Tree)
	}
	if given.Root != nil {
		for _, k := range given.Root.Keys {
			j.named[k.Key.Point()] = true
		}
	}
	j.nameSigners(given.Allowed)
	return j
}

// nameKeys adds the keys that the trust in a tree names. Trust that cannot be read names none.
func (j *countersignatureJudge) nameKeys(a *archive.Repository, tree objects.Hash) {
	if root, err := a.TrustRootIn(tree); err == nil && root != nil {
		for _, k := range root.Keys {
			j.named[k.Key.Point()] = true
		}
	}
	if data, err := a.File(tree, layout.PathAllowedSigners); err == nil && data != nil {
		if allowed, err := sign.ParseAllowedSigners(data); err == nil {
			j.nameSigners(allowed)
		}
	}
}

// nameSigners adds the keys of an allowed_signers file, which may be nil.
func (j *countersignatureJudge) nameSigners(allowed *sign.AllowedSigners) {
	if allowed == nil {
		return
	}
	for _, e := range allowed.Entries() {
		j.named[e.Key.Point()] = true
	}
}

// accept implements fileJudge.
func (j *countersignatureJudge) accept(_ objects.Hash, files map[string]objects.Hash) (accepted map[string]objects.Hash, strange, err error) {
	accepted = map[string]objects.Hash{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := j.check(name, files[name]); err != nil {
			strange = err
		} else {
			accepted[name] = files[name]
		}
	}
	return accepted, strange, nil
}

// checkEarlier implements fileJudge.
func (j *countersignatureJudge) checkEarlier(files map[string]objects.Hash) error {
	_, strange, err := j.accept(objects.Hash{}, files)
	if err == nil {
		err = strange
	}
	return err
}

// check returns an error where a file is not accepted.
func (j *countersignatureJudge) check(name string, blob objects.Hash) error {
	file := acceptedFile{name, blob}
	if j.accepted[file] {
		return nil
	}
	k, data, err := j.st.Get(blob)
	if err == nil && k != objects.Blob {
		err = fmt.Errorf("%s is a %s, want a blob", blob, k)
	}
	if err != nil {
		return err
	}
	seq, c, err := snapshot.ParseCountersignature(legible.Printable(name), data)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(j.history.find(seq), func(s *snapshot.Snapshot) bool { return c.Verify(s) == nil }) {
		return fmt.Errorf("countersignature %s is of no snapshot of this history", legible.Printable(name))
	}
	if !j.named[c.Key.Point()] {
		if j.unnamed == j.limit {
			return fmt.Errorf("more than %d countersignatures by keys that the trust does not name", j.limit)
		}
		j.unnamed++
	}
	j.accepted[file] = true
	return nil
}

// A snapshotFinder finds the snapshots of a history by their number and reads no more of the history than that needs.
type snapshotFinder struct {
	st    *objects.Store
	bySeq map[int64][]*snapshot.Snapshot
	next  []*snapshot.Snapshot // read, and their parents not yet
	seen  map[objects.Hash]bool
	err   error // why a snapshot could not be read, or nil
}

func newSnapshotFinder(st *objects.Store, tips []objects.Hash) *snapshotFinder {
	f := &snapshotFinder{st: st, bySeq: map[int64][]*snapshot.Snapshot{}, seen: map[objects.Hash]bool{}}
	for _, tip := range tips {
		f.add(tip)
	}
	return f
}

// add reads a snapshot. What cannot be read ends its line.
func (f *snapshotFinder) add(commit objects.Hash) {
	if commit.IsZero() || f.seen[commit] {
		return
	}
	f.seen[commit] = true
	s, err := archive.SnapshotAt(f.st, commit)
	if err != nil {
		f.err = err
		return
	}
	f.bySeq[s.Seq] = append(f.bySeq[s.Seq], s)
	f.next = append(f.next, s)
}

// find returns the snapshots of a number: none, one, or those of lines that were joined.
func (f *snapshotFinder) find(seq int64) []*snapshot.Snapshot {
	for {
		i := slices.IndexFunc(f.next, func(s *snapshot.Snapshot) bool { return s.Seq > seq })
		if i < 0 {
			return f.bySeq[seq]
		}
		s := f.next[i]
		f.next = slices.Delete(f.next, i, i+1)
		for _, p := range s.Parents {
			f.add(p)
		}
	}
}
