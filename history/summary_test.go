package history_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/snapshot"
)

// A summary that is damaged in any byte, missing, or of another snapshot is not
// used, and the next root is the one over all files.
func TestSummaryDamaged(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	more := t.TempDir()
	path := filepath.Join(a.Dir(), archive.LocalDir, archive.SummaryFile)
	for n := range 4 {
		if n > 0 {
			if err := os.WriteFile(filepath.Join(more, fmt.Sprintf("%d.txt", n)), fmt.Appendf(nil, "letter %d\n", n), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := accession.Add(context.Background(), a, []string{more}, accession.AddOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		r, err := engine.Snapshot(a, history.SnapshotOptions{Text: "more", Signer: s})
		if err != nil {
			t.Fatal(err)
		}
		if want := len(archivetest.Papers) + n; r.Artifacts != want {
			t.Errorf("snapshot %d has %d artifacts, want %d", r.Seq, r.Artifacts, want)
		}
		head, _, err := a.Head()
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := snapshot.Summarize(a.Store(), head.Tree, objects.Hash{}, nil)
		if err != nil || !whole.Of(head) {
			t.Fatalf("snapshot %d has another root than its files give: %v", r.Seq, err)
		}
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if a.StoredSummary(head) == nil {
			t.Error("the summary just kept is not known")
		}
		for at := n; at < len(good); at += casecount.Of(499, 53) {
			bad := bytes.Clone(good)
			bad[at] ^= 1
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if a.StoredSummary(head) != nil {
				t.Fatalf("byte %d flipped, and the summary is used", at)
			}
		}
		switch n { // what the next snapshot finds
		case 0:
			err = os.Remove(path)
		case 1:
			err = os.WriteFile(path, good, 0o600)
		case 2: // well-formed, and not what was signed
			k := wrongSummary(a, t, good)
			if a.StoredSummary(head) != nil {
				t.Error("a summary with another count is used")
			}
			err = os.WriteFile(path, k, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	log, _, err := history.Log(a, history.LogOptions{})
	if err != nil || len(log) != 4 || log[0].Artifacts != len(archivetest.Papers)+3 || log[3].Artifacts != len(archivetest.Papers) {
		t.Errorf("log: %+v, %v", log, err)
	}
	for _, page := range []struct {
		o     history.LogOptions
		first int // index into the whole list
		n     int
		more  int
	}{{history.LogOptions{Limit: 2}, 0, 2, 2}, {history.LogOptions{Before: log[1].Seq, Limit: 1}, 2, 1, 1}, {history.LogOptions{Before: log[1].Seq}, 2, 2, 0}, {history.LogOptions{Before: 1}, 0, 0, 0}} {
		got, more, err := history.Log(a, page.o)
		if err != nil || more != page.more || len(got) != page.n || !reflect.DeepEqual(got, log[page.first:page.first+page.n]) {
			t.Errorf("%+v: %+v and %d more, %v", page.o, got, more, err)
		}
	}
}

// wrongSummary returns a whole summary file of another tree.
func wrongSummary(a *archive.Archive, t *testing.T, good []byte) []byte {
	t.Helper()
	k, ok := archive.ParseSummary(good)
	if !ok {
		t.Fatal("a kept summary does not parse")
	}
	var err error
	if k.Summary, _, err = snapshot.Summarize(a.Store(), objects.Hash{}, objects.Hash{}, nil); err != nil {
		t.Fatal(err)
	}
	return k.Encode()
}
