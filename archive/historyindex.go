package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strconv"

	"muniment/archive/holdings"
	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
)

// The history index has a row for every snapshot of the history that ends at one
// commit, and for no other, so that a look-up parses no commit but the new ones.
// It is derived, lies in archive.local/history and can be deleted. A snapshot gets
// its row once it was parsed and its links to its children were checked; rows are
// added while the history goes on from the indexed commit, else all are made anew.
// Who can change the index can change this copy's config and refs too: commands
// believe it, and verify does not read it.
const (
	historyDir = "history"

	keyRow    = 's' // Seq with every bit inverted, ID, commit, tree, root, signer
	keyRowID  = 'i' // digest of the ID, Seq as above
	keyCommit = 'k' // commit

	rowSize = 1 + 8 + 32 + 20 + 20 + 32 + 32

	// maxUnwrittenSnapshots is how many snapshots a command parses again before they
	// are written into the index: about 5 ms of signatures.
	maxUnwrittenSnapshots = 64
)

// A SnapshotRow says of a snapshot of the history what its commit says. Signer is
// the point of its key.
type SnapshotRow struct {
	Seq          int64
	ID           cid.ID
	Commit, Tree objects.Hash
	Root, Signer [32]byte
}

// rowKeys returns the keys of a row.
func (r SnapshotRow) rowKeys() [][]byte {
	seq := binary.BigEndian.AppendUint64(nil, ^uint64(r.Seq))
	id := r.ID.Digest()
	row := keyfile.Key(keyRow, seq, id[:])
	for _, part := range [][]byte{r.Commit[:], r.Tree[:], r.Root[:], r.Signer[:]} {
		row = append(row, part...)
	}
	return [][]byte{row, keyfile.Key(keyRowID, id[:], seq), keyfile.Key(keyCommit, r.Commit[:], nil)}
}

// parseRow returns the row of a key.
func parseRow(k []byte) (r SnapshotRow, err error) {
	if len(k) != rowSize {
		return r, fmt.Errorf("%w: a row of %d bytes", keyfile.ErrDamaged, len(k))
	}
	k = k[1:]
	r.Seq = int64(^binary.BigEndian.Uint64(k))
	r.ID = cid.FromDigest(cid.Raw, [32]byte(k[8:40]))
	r.Commit, r.Tree = objects.Hash(k[40:60]), objects.Hash(k[60:80])
	r.Root, r.Signer = [32]byte(k[80:112]), [32]byte(k[112:144])
	return r, nil
}

// A historyIndex is an index of the history that ends at tip.
type historyIndex struct {
	set *keyfile.Set
	tip objects.Hash
}

// openHistory returns the index of the history that ends at the newest snapshot.
func (a *Archive) openHistory() (*keyfile.Set, error) {
	a.historyMu.Lock()
	defer a.historyMu.Unlock()
	tip, err := a.Store().Ref(RefMain)
	if err != nil {
		return nil, problem.Wrap(err, RefMain)
	}
	if a.history != nil && a.history.tip == tip {
		return a.history.set, nil
	}
	if tip.IsZero() {
		return &keyfile.Set{}, nil
	}
	dir := a.local(historyDir)
	if a.history == nil {
		a.history = &historyIndex{set: &keyfile.Set{}}
		var hex string
		if set, err := keyfile.Open(dir); err == nil {
			a.sets = append(a.sets, set)
			if _, err := fmt.Sscanf(set.Label, "archive "+a.id.String()+" tip %s", &hex); err == nil {
				if at, err := objects.ParseHash(hex); err == nil {
					a.history = &historyIndex{set, at}
				}
			}
		}
	}
	rows, met, err := a.newRows(tip, a.history.set)
	if err == nil && !met && !a.history.tip.IsZero() { // the history was cut back, or is another
		a.history = &historyIndex{set: &keyfile.Set{}}
		rows, _, err = a.newRows(tip, a.history.set)
	}
	if errors.Is(err, keyfile.ErrDamaged) {
		return nil, err
	}
	if err != nil { // said better by who reads all of it
		if _, full := a.History(tip); full != nil {
			return nil, full
		}
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "history: %w", err)
	}
	var keys [][]byte
	for _, r := range rows {
		keys = append(keys, r.rowKeys()...)
	}
	set, err := a.history.set.With(keys)
	if err != nil {
		return nil, problem.Wrap(err, "history index")
	}
	if len(rows) >= maxUnwrittenSnapshots {
		a.writeHistory(keys, tip)
	}
	a.history = &historyIndex{set, tip}
	return set, nil
}

// writeHistory adds keys to the index on the disk, which is then that of tip. A
// copy that cannot be written keeps none.
func (a *Archive) writeHistory(keys [][]byte, tip objects.Hash) {
	path, err := a.LocalPath(historyDir, "lock")
	if err != nil {
		return
	}
	mode := keyfile.Extend
	if a.history.tip.IsZero() {
		mode = keyfile.Rebuild
	}
	w, err := keyfile.Begin(filepath.Dir(path), a.World().Disk, mode)
	if err != nil {
		return
	}
	defer w.Abort()
	if mode == keyfile.Extend && w.Label() != a.history.set.Label {
		return
	}
	for _, k := range keys {
		if w.Add(k) != nil {
			return
		}
	}
	_ = w.Commit(fmt.Sprintf("archive %s tip %s", a.id, tip))
}

// newRows returns rows of the snapshots from tip back to those that a set has, and
// reports whether the set's own end is among these.
func (a *Archive) newRows(tip objects.Hash, known *keyfile.Set) (rows []SnapshotRow, met bool, err error) {
	type link struct {
		commit objects.Hash
		child  *snapshot.Snapshot // nil for tip
		id     cid.ID
	}
	seen := map[objects.Hash]bool{}
	for waiting := []link{{commit: tip}}; len(waiting) > 0; {
		l := waiting[0]
		waiting = waiting[1:]
		there, err := hasKey(known, keyfile.Key(keyCommit, l.commit[:], nil))
		if err != nil {
			return nil, false, err
		}
		met = met || there && l.commit == a.history.tip
		s, err := SnapshotAt(a.Store(), l.commit)
		if err != nil {
			return nil, false, err
		}
		if l.child != nil && (s.ID != l.id || s.Seq >= l.child.Seq || s.Archive != l.child.Archive) {
			return nil, false, fmt.Errorf("snapshot %d names another one before it than %s", l.child.Seq, s.ID)
		}
		if there || seen[l.commit] {
			continue
		}
		seen[l.commit] = true
		rows = append(rows, SnapshotRow{Seq: s.Seq, ID: s.ID, Commit: l.commit, Tree: s.Tree, Root: s.Root, Signer: s.Key.Point()})
		ids := []cid.ID{s.Prev, s.Join}
		for i, p := range s.Parents {
			waiting = append(waiting, link{p, s, ids[i]})
		}
	}
	return rows, met, nil
}

// hasKey reports whether a set has a key.
func hasKey(set *keyfile.Set, k []byte) (bool, error) {
	for _, err := range set.Scan(k, k) {
		return err == nil, err
	}
	return false, nil
}

// scanHistory calls fn with the keys of the history index from the first to the
// last that begins with it, until fn returns false.
func (a *Archive) scanHistory(from, to []byte, fn func(key []byte) (bool, error)) error {
	drop := func() {
		a.historyMu.Lock()
		defer a.historyMu.Unlock()
		a.history = &historyIndex{set: &keyfile.Set{}}
	}
	return problem.Wrap(keyfile.Scan(a.openHistory, drop, from, to, fn), "history index")
}

// SnapshotRows yields the rows of the history, the largest Seq first.
func (a *Archive) SnapshotRows() iter.Seq2[SnapshotRow, error] {
	return func(yield func(SnapshotRow, error) bool) {
		err := a.scanHistory([]byte{keyRow}, []byte{keyRow}, func(k []byte) (bool, error) {
			r, err := parseRow(k)
			if err != nil {
				return false, err
			}
			return yield(r, nil), nil
		})
		if err != nil {
			yield(SnapshotRow{}, err)
		}
	}
}

// FindRows returns the rows of the snapshots that ref names by number, ID, or a
// prefix of it: MaxFound and one at most.
func (a *Archive) FindRows(ref string) ([]SnapshotRow, error) {
	var out []SnapshotRow
	collect := func(from []byte) error {
		return a.scanHistory(from, from, func(k []byte) (bool, error) {
			r, err := parseRow(k)
			out = append(out, r)
			return len(out) <= holdings.MaxFound, err
		})
	}
	if seq, err := strconv.ParseInt(ref, 10, 64); err == nil && strconv.FormatInt(seq, 10) == ref {
		err := collect(keyfile.Key(keyRow, binary.BigEndian.AppendUint64(nil, ^uint64(seq)), nil))
		return out, err
	}
	low, high, ok := cid.DigestRange(cid.Raw, ref)
	if !ok || len(ref) < holdings.MinPrefix {
		return nil, nil
	}
	var rows [][]byte
	err := a.scanHistory(keyfile.Key(keyRowID, low[:], nil), keyfile.Key(keyRowID, high[:], nil), func(k []byte) (bool, error) {
		rows = append(rows, keyfile.Key(keyRow, k[33:], k[1:33]))
		return len(rows) <= holdings.MaxFound, nil
	})
	for _, row := range rows {
		if err == nil {
			err = collect(row)
		}
	}
	return out, err
}

// HasCommit reports whether the history has the snapshot of a commit.
func (a *Archive) HasCommit(h objects.Hash) (found bool, err error) {
	k := keyfile.Key(keyCommit, h[:], nil)
	err = a.scanHistory(k, k, func([]byte) (bool, error) {
		found = true
		return false, nil
	})
	return found, err
}

// HasSnapshot returns the row of the snapshot with an ID, and whether the history
// has it.
func (a *Archive) HasSnapshot(id string) (SnapshotRow, bool, error) {
	if _, err := cid.ParseAs(cid.Raw, id); err != nil {
		return SnapshotRow{}, false, nil
	}
	rows, err := a.FindRows(id)
	if err != nil || len(rows) == 0 {
		return SnapshotRow{}, false, err
	}
	return rows[0], true, nil
}
