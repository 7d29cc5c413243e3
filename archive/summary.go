package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot"
)

// SummaryFile keeps what the root of the newest snapshot was computed over, so
// that the next one reads only what has changed. It is derived and may be
// deleted.
const SummaryFile = "summary"

// A SnapshotSummary is the summary of a snapshot and its number of artifacts.
type SnapshotSummary struct {
	ID        string // of the snapshot
	Artifacts int64
	Summary   *snapshot.Summary
}

// maxSummaryFile bounds what is read: 257 lines of at most 88 bytes.
const maxSummaryFile = 32 << 10

// Encode returns the file: its form, the snapshot, the number of artifacts, the
// shard lines, and the sha256 of all that.
func (k SnapshotSummary) Encode() []byte { return k.encode("muniment/summary/v1\n") }

// encode returns a file that begins with head.
func (k SnapshotSummary) encode(head string) []byte {
	out := fmt.Appendf(nil, "%ssnapshot %s\nartifacts %d\n%s", head, k.ID, k.Artifacts, k.Summary)
	return fmt.Appendf(out, "sha256 %x\n", sha256.Sum256(out))
}

// ParseSummary reads what Encode wrote and nothing else.
func ParseSummary(data []byte) (SnapshotSummary, bool) {
	_, text, _ := strings.Cut(string(data), "\n")
	k, ok := parseSummary(text)
	if !ok || !bytes.Equal(k.Encode(), data) {
		return SnapshotSummary{}, false
	}
	return k, true
}

// parseSummary reads leniently what follows the head of a file; the caller encodes
// the result again and rejects any difference.
func parseSummary(text string) (k SnapshotSummary, ok bool) {
	text, _, _ = strings.Cut(text, "\nsha256 ")
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) != 3 {
		return k, false
	}
	if _, err := fmt.Sscanf(lines[0]+"\n"+lines[1], "snapshot %s\nartifacts %d", &k.ID, &k.Artifacts); err != nil {
		return k, false
	}
	var err error
	k.Summary, err = snapshot.ParseSummary(lines[2] + "\n")
	return k, err == nil
}

// StoredSummary returns the summary kept of a snapshot, nil where there is none,
// or where it is not the one that was signed.
func (a *Repository) StoredSummary(prev *snapshot.Snapshot) *SnapshotSummary {
	if prev == nil {
		return nil
	}
	if k, ok := a.readSummary(); ok && k.ID == prev.ID.String() && k.Summary.Of(prev) {
		return &k
	}
	if v := a.LastVerified(); v != nil && v.ID == prev.ID.String() && v.Summary.Of(prev) {
		return &v.SnapshotSummary
	}
	return nil
}

// readSummary returns what KeepSummary wrote, and whether it is there and whole.
func (a *Repository) readSummary() (SnapshotSummary, bool) {
	data, err := disk.ReadOwnPlain(a.local(SummaryFile), maxSummaryFile)
	if err != nil {
		return SnapshotSummary{}, false
	}
	return ParseSummary(data)
}

// KeepSummary writes the summary of a snapshot. A copy that cannot be written
// keeps none.
func (a *Repository) KeepSummary(k SnapshotSummary) { a.keep(SummaryFile, k.Encode()) }

// keep replaces a derived file of this copy. The file is not synced, as its checksum
// shows what a power cut left of it.
func (a *Repository) keep(name string, data []byte) {
	path, err := a.LocalPath(name)
	if err != nil {
		return
	}
	tmp := path + ".new"
	if disk.WritePlain(tmp, data, 0o600) == nil {
		_ = os.Rename(tmp, path)
	}
}

// VerifiedFile keeps the newest snapshot up to which this copy verified the whole
// history, with its summary. Only a verification that read everything, or everything
// since the snapshot in this file, may write it. It may be deleted: the next fetch
// then reads everything.
const VerifiedFile = "verified"

// A VerifiedSnapshot is a snapshot up to which a history was verified.
type VerifiedSnapshot struct {
	SnapshotSummary
	Trust string // the sha256, in hex, of the trust that judged its signers, or HandedDown
}

// HandedDown stands for the trust of a history that hands its signers from snapshot
// to snapshot.
const HandedDown = "handed-down"

// Encode returns the file: its form, the trust, and the lines of a summary with the
// sha256 of all.
func (v VerifiedSnapshot) Encode() []byte {
	return v.encode("muniment/verified/v1\ntrust " + v.Trust + "\n")
}

// ParseVerified reads what Encode wrote and nothing else.
func ParseVerified(data []byte) (VerifiedSnapshot, bool) {
	_, text, _ := strings.Cut(string(data), "\n")
	line, text, _ := strings.Cut(text, "\n")
	k, ok := parseSummary(text)
	v := VerifiedSnapshot{k, strings.TrimPrefix(line, "trust ")}
	if !ok || v.Trust == "" || !bytes.Equal(v.Encode(), data) {
		return VerifiedSnapshot{}, false
	}
	return v, true
}

// LastVerified returns the newest snapshot up to which this copy verified the history,
// nil where it has no note of that.
func (a *Repository) LastVerified() *VerifiedSnapshot {
	data, err := disk.ReadOwnPlain(a.local(VerifiedFile), maxSummaryFile)
	if err != nil {
		return nil
	}
	if v, ok := ParseVerified(data); ok {
		return &v
	}
	return nil
}

// KeepVerified notes up to which snapshot the history was verified. A copy that cannot
// be written keeps no note.
func (a *Repository) KeepVerified(v VerifiedSnapshot) { a.keep(VerifiedFile, v.Encode()) }

// OpenTree returns the tree of a snapshot to prove paths in. With the summary kept of
// the snapshot a proof reads one shard, and not the whole tree; a copy that keeps none,
// as after a fetch, computes the summary once.
func (a *Repository) OpenTree(s *snapshot.Snapshot) (*snapshot.Tree, error) {
	k := a.StoredSummary(s)
	if k == nil {
		sum, artifacts, err := snapshot.Summarize(a.Store(), s.Tree, objects.Hash{}, nil)
		if err != nil {
			return nil, problem.Wrap(err, "snapshot")
		}
		k = &SnapshotSummary{ID: s.ID.String(), Artifacts: artifacts, Summary: sum}
		if sum.Of(s) {
			a.KeepSummary(*k)
		}
	}
	tree, err := snapshot.OpenTree(a.Store(), s, k.Summary)
	return tree, problem.Wrap(err, "snapshot")
}

// Summarize computes what the root of a tree is over, and how many artifacts
// the tree has, from the snapshot before where that is known.
func (a *Repository) Summarize(b *objects.Batch, tree objects.Hash, prev *snapshot.Snapshot) (*snapshot.Summary, int64, error) {
	var base objects.Hash
	var known *snapshot.Summary
	artifacts := int64(0)
	if k := a.StoredSummary(prev); k != nil {
		base, known, artifacts = prev.Tree, k.Summary, k.Artifacts
	}
	s, more, err := snapshot.Summarize(b, tree, base, known)
	if err != nil {
		return nil, 0, problem.Wrap(err, "snapshot")
	}
	return s, artifacts + more, nil
}
