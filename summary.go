package muniment

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// summaryFile keeps what the root of the newest snapshot was computed over, so
// that the next one reads only what has changed. It is derived and may be
// deleted.
const summaryFile = "summary"

// A keptSummary is the summary of a snapshot and its number of artifacts.
type keptSummary struct {
	id        string // of the snapshot
	artifacts int64
	summary   *snapshot.Summary
}

// maxSummaryFile bounds what is read: 257 lines of at most 88 bytes.
const maxSummaryFile = 32 << 10

// encode returns the file: its form, the snapshot, the number of artifacts, the
// shard lines, and the sha256 of all that.
func (k keptSummary) encode() []byte {
	out := fmt.Appendf(nil, "muniment/summary/v1\nsnapshot %s\nartifacts %d\n%s", k.id, k.artifacts, k.summary)
	return fmt.Appendf(out, "sha256 %x\n", sha256.Sum256(out))
}

// parseKeptSummary reads what encode wrote and nothing else.
func parseKeptSummary(data []byte) (keptSummary, bool) {
	var k keptSummary
	text, end, ok := strings.Cut(string(data), "\nsha256 ")
	head := strings.SplitN(text, "\n", 4)
	if !ok || len(end) != 2*sha256.Size+1 || len(head) != 4 {
		return keptSummary{}, false
	}
	if _, err := fmt.Sscanf(head[1]+"\n"+head[2], "snapshot %s\nartifacts %d", &k.id, &k.artifacts); err != nil {
		return keptSummary{}, false
	}
	var err error
	if k.summary, err = snapshot.ParseSummary(head[3] + "\n"); err != nil || !bytes.Equal(k.encode(), data) {
		return keptSummary{}, false
	}
	return k, true
}

// knownSummary returns the summary kept of a snapshot, nil where there is none,
// or where it is not the one that was signed.
func (a *Archive) knownSummary(prev *snapshot.Snapshot) *keptSummary {
	if prev == nil {
		return nil
	}
	f, err := os.Open(filepath.Join(a.dir, LocalDir, summaryFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	data := make([]byte, maxSummaryFile)
	n, err := f.Read(data)
	if err != nil {
		return nil
	}
	k, ok := parseKeptSummary(data[:n])
	if !ok || k.id != prev.ID.String() || !k.summary.Of(prev) {
		return nil
	}
	return &k
}

// keepSummary writes the summary of a snapshot. A copy that cannot be written
// keeps none.
func (a *Archive) keepSummary(k keptSummary) {
	path, err := a.local(summaryFile)
	if err != nil {
		return
	}
	tmp := path + ".new"
	if os.WriteFile(tmp, k.encode(), 0o600) == nil {
		_ = os.Rename(tmp, path)
	}
}

// summarize computes what the root of a tree is over, and how many artifacts
// the tree has, from the snapshot before where that is known.
func (a *Archive) summarize(b *objects.Batch, tree objects.Hash, prev *snapshot.Snapshot) (*snapshot.Summary, int64, error) {
	var base objects.Hash
	var known *snapshot.Summary
	artifacts := int64(0)
	if k := a.knownSummary(prev); k != nil {
		base, known, artifacts = prev.Tree, k.summary, k.artifacts
	}
	s, more, err := snapshot.Summarize(b, tree, base, known)
	if err != nil {
		return nil, 0, environment(err, "snapshot")
	}
	return s, artifacts + more, nil
}
