package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
func (k SnapshotSummary) Encode() []byte {
	out := fmt.Appendf(nil, "muniment/summary/v1\nsnapshot %s\nartifacts %d\n%s", k.ID, k.Artifacts, k.Summary)
	return fmt.Appendf(out, "sha256 %x\n", sha256.Sum256(out))
}

// ParseSummary reads what Encode wrote and nothing else.
func ParseSummary(data []byte) (SnapshotSummary, bool) {
	var k SnapshotSummary
	text, end, ok := strings.Cut(string(data), "\nsha256 ")
	head := strings.SplitN(text, "\n", 4)
	if !ok || len(end) != 2*sha256.Size+1 || len(head) != 4 {
		return SnapshotSummary{}, false
	}
	if _, err := fmt.Sscanf(head[1]+"\n"+head[2], "snapshot %s\nartifacts %d", &k.ID, &k.Artifacts); err != nil {
		return SnapshotSummary{}, false
	}
	var err error
	if k.Summary, err = snapshot.ParseSummary(head[3] + "\n"); err != nil || !bytes.Equal(k.Encode(), data) {
		return SnapshotSummary{}, false
	}
	return k, true
}

// StoredSummary returns the summary kept of a snapshot, nil where there is none,
// or where it is not the one that was signed.
func (a *Repository) StoredSummary(prev *snapshot.Snapshot) *SnapshotSummary {
	if prev == nil {
		return nil
	}
	data, err := disk.ReadOwnPlain(filepath.Join(a.dir, LocalDir, SummaryFile), maxSummaryFile)
	if err != nil {
		return nil
	}
	k, ok := ParseSummary(data)
	if !ok || k.ID != prev.ID.String() || !k.Summary.Of(prev) {
		return nil
	}
	return &k
}

// KeepSummary writes the summary of a snapshot. A copy that cannot be written
// keeps none.
func (a *Repository) KeepSummary(k SnapshotSummary) {
	path, err := a.LocalPath(SummaryFile)
	if err != nil {
		return
	}
	tmp := path + ".new"
	if disk.WritePlain(tmp, k.Encode(), 0o600) == nil {
		_ = os.Rename(tmp, path)
	}
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
		return nil, 0, Environment(err, "snapshot")
	}
	return s, artifacts + more, nil
}
