package muniment

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"muniment/objects"
	"muniment/snapshot"
)

// A summary that is damaged in any byte, missing, or of another snapshot is not
// used, and the next root is the one over all files.
func TestSummaryDamaged(t *testing.T) {
	a, s := testArchive(t, papers)
	more := t.TempDir()
	path := filepath.Join(a.dir, LocalDir, summaryFile)
	for n := range 4 {
		if n > 0 {
			if err := os.WriteFile(filepath.Join(more, fmt.Sprintf("%d.txt", n)), fmt.Appendf(nil, "letter %d\n", n), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Add(context.Background(), []string{more}, AddOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		r, err := a.Snapshot(SnapshotOptions{Text: "more", Signer: s})
		if err != nil {
			t.Fatal(err)
		}
		if want := len(papers) + n; r.Artifacts != want {
			t.Errorf("snapshot %d has %d artifacts, want %d", r.Seq, r.Artifacts, want)
		}
		head, _, err := a.head()
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := snapshot.Summarize(a.store, head.Tree, objects.Hash{}, nil)
		if err != nil || !whole.Of(head) {
			t.Fatalf("snapshot %d has another root than its files give: %v", r.Seq, err)
		}
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if a.knownSummary(head) == nil {
			t.Error("the summary just kept is not known")
		}
		for at := n; at < len(good); at += 53 {
			bad := bytes.Clone(good)
			bad[at] ^= 1
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if a.knownSummary(head) != nil {
				t.Fatalf("byte %d flipped, and the summary is used", at)
			}
		}
		switch n { // what the next snapshot finds
		case 0:
			err = os.Remove(path)
		case 1:
			err = os.WriteFile(path, good, 0o600)
		case 2: // well-formed, and not what was signed
			k := a.wrongSummary(t, good)
			if a.knownSummary(head) != nil {
				t.Error("a summary with another count is used")
			}
			err = os.WriteFile(path, k, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	log, err := a.Log()
	if err != nil || len(log) != 4 || log[0].Artifacts != len(papers)+3 || log[3].Artifacts != len(papers) {
		t.Errorf("log: %+v, %v", log, err)
	}
}

// wrongSummary returns a whole summary file of another tree.
func (a *Archive) wrongSummary(t *testing.T, good []byte) []byte {
	t.Helper()
	k, ok := parseKeptSummary(good)
	if !ok {
		t.Fatal("a kept summary does not parse")
	}
	var err error
	if k.summary, _, err = snapshot.Summarize(a.store, objects.Hash{}, objects.Hash{}, nil); err != nil {
		t.Fatal(err)
	}
	return k.encode()
}
