package answer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
)

// TestPruneAnswers: complete bundles are removed when they are older than the policy
// says and the answer log here has them, and in no other case.
func TestPruneAnswers(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	logged := asked(t, a, answer.AskOptions{Signer: s}, "Who repaired the mill wheel?")
	nearest := asked(t, a, answer.AskOptions{Signer: s, BundleFile: filepath.Join(t.TempDir(), "answer.zip")}, "Who was afraid of the lantern in the chapel?")
	if nearest.Claims[0].Role != "nearest" {
		t.Fatal("the question is no longer one with a nearest passage")
	}
	whole, err := os.ReadFile(nearest.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(logged.Bundle)
	shown, err := os.ReadFile(filepath.Join(dir, nearest.BundleID+".zip"))
	if err != nil || len(shown)*10 > len(whole) {
		t.Errorf("beside a file that was asked for lie %d bytes of its %d (%v)", len(shown), len(whole), err)
	}
	if err := os.WriteFile(filepath.Join(dir, strings.Repeat("0", 32)+".zip"), whole, 0o600); err != nil {
		t.Fatal(err)
	}

	kept := keptAnswers(t, a)
	if len(kept.Kept) != 3 || kept.Days != 0 {
		t.Fatalf("kept %+v", kept)
	}
	if r, err := answer.PruneAnswers(a, false); err != nil || len(r.Pruned) != 0 {
		t.Errorf("without a policy: %+v, %v", r, err)
	}
	for _, days := range []int{-1, answer.MaxKeepDays + 1} {
		if _, err := answer.KeepAnswers(a, days); err == nil {
			t.Errorf("kept for %d days", days)
		}
	}
	if r, err := answer.KeepAnswers(a, 30); err != nil || r.Days != 30 {
		t.Fatal(r, err)
	}
	if r, err := answer.PruneAnswers(a, false); err != nil || len(r.Pruned) != 0 || len(r.Kept) != 3 {
		t.Errorf("on the first day: %+v, %v", r, err)
	}

	now := a.World().Now()
	later := archivetest.ReopenWithClock(t, a, func() time.Time { return now.Add(31 * 24 * time.Hour) })
	for _, try := range []bool{true, false} {
		r, err := answer.PruneAnswers(later, try)
		if err != nil || len(r.Pruned) != 2 || len(r.Kept) != 1 || r.Kept[0].Reason == "" || !strings.HasPrefix(r.Pruned[0].Logged, "entry ") {
			t.Fatalf("%v: %+v, %v", try, r, err)
		}
		if _, err := os.Stat(logged.Bundle); os.IsNotExist(err) == try {
			t.Errorf("%v: %v", try, err)
		}
	}
	if _, err := os.Stat(nearest.Bundle); err != nil {
		t.Error(err)
	}
	if _, err := answer.More(t.Context(), later, "A", "", answer.AskOptions{Signer: s}); err == nil || !strings.Contains(err.Error(), "pruned") {
		t.Errorf("more of an answer that was pruned: %v", err)
	}
}

// TestPruneNeedsTheLog: where the log was lost, nothing is pruned.
func TestPruneNeedsTheLog(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	asked(t, a, answer.AskOptions{Signer: s}, "Who repaired the mill wheel?")
	dir, err := a.LocalPath("log")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, a.ID().Hex(), s.Key().ID(), "2"), 0o700); err != nil {
		t.Fatal(err)
	}
	asked(t, a, answer.AskOptions{Signer: s}, "Who repaired the mill wheel?") // in the next epoch
	if _, err := answer.KeepAnswers(a, 1); err != nil {
		t.Fatal(err)
	}
	now := a.World().Now()
	later := archivetest.ReopenWithClock(t, a, func() time.Time { return now.Add(48 * time.Hour) })
	if r, err := answer.PruneAnswers(later, false); err != nil || len(r.Pruned) != 1 || len(r.Kept) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// keptAnswers returns the complete bundles of an archive.
func keptAnswers(t *testing.T, a *archive.Archive) *answer.KeptResult {
	t.Helper()
	r, err := answer.Kept(a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
