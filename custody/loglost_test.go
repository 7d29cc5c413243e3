package custody_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/archivetest"
	"muniment/archive/logref"
	"muniment/audit"
	"muniment/bundle"
	"muniment/custody"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/sign"
)

// lostLogs are ways in which the ref of a log is lost or damaged beside its folder.
var lostLogs = map[string]func(t *testing.T, a *archive.Archive, ref string){
	"ref gone": func(t *testing.T, a *archive.Archive, ref string) {
		archivetest.Git(t, filepath.Join(a.Dir(), archive.StoreDir), "update-ref", "-d", ref)
	},
	"tile damaged": func(t *testing.T, a *archive.Archive, ref string) {
		rewriteLog(t, a, ref, "1/tile/0/000", func(data []byte) []byte { data[7] ^= 1; return data })
	},
	"entries damaged": func(t *testing.T, a *archive.Archive, ref string) {
		rewriteLog(t, a, ref, "1/tile/entries/000", func(data []byte) []byte { data[7] ^= 1; return data })
	},
	"entries gone": func(t *testing.T, a *archive.Archive, ref string) {
		rewriteLog(t, a, ref, "1/tile/entries/000", func([]byte) []byte { return nil })
	},
	"checkpoint damaged": func(t *testing.T, a *archive.Archive, ref string) {
		rewriteLog(t, a, ref, "1/checkpoint", func(data []byte) []byte { data[len(data)-3] ^= 1; return data })
	},
	"checkpoint gone": func(t *testing.T, a *archive.Archive, ref string) {
		rewriteLog(t, a, ref, "1/checkpoint", func([]byte) []byte { return nil })
	},
}

// rewriteLog moves a log's ref to a tree with one changed file; nil removes it.
func rewriteLog(t *testing.T, a *archive.Archive, ref, file string, change func([]byte) []byte) {
	t.Helper()
	tip := archivetest.Refs(t, a)[ref]
	base, err := a.Store().TreeOf(tip)
	if err != nil {
		t.Fatal(err)
	}
	data, err := a.File(base, file)
	if err != nil || len(data) == 0 {
		t.Fatal(file, err)
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	edit := objects.Edit{Path: file}
	if data = change(append([]byte(nil), data...)); data != nil {
		if edit.Blob, err = b.Put(objects.Blob, data); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if err := a.CommitFiles(b, lock, ref, base, []objects.Edit{edit}, tip); err != nil {
		t.Fatal(err)
	}
}

// goOn answers once more, as a pipeline does: what the folder lost comes back from the ref.
func goOn(t *testing.T, a *archive.Archive, s sign.Signer, answer byte) string {
	t.Helper()
	dir, err := a.LocalPath("log")
	if err != nil {
		t.Fatal(err)
	}
	l, err := answerlog.Open(dir, s, a.ID())
	if err != nil {
		t.Fatal(err)
	}
	copies, err := logref.PublishedEpochs(a.Repository, s.Key().ID())
	if err != nil {
		t.Fatal(err)
	}
	notice, err := l.Restore(copies)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append([32]byte{answer, 0xee}); err != nil {
		t.Fatal(err)
	}
	return notice
}

// A log of which both the folder and the ref are lost or damaged comes back from a remote
// that has it, in a sync before the next answer, and goes on in the next epoch.
func TestLogFromRemote(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(lostLogs)) {
		if i%casecount.Of(3, 1) != 0 {
			continue
		}
		damage := lostLogs[name]
		t.Run(name, func(t *testing.T) {
			a, s := archivetest.NewLetters(t, 1)
			newLog(t, a, s, 0, 300)
			repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
			if _, err := custody.AddRemote(a, "copy", repo); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second one meets the log at the remote
				if _, err := custody.Sync(t.Context(), a, custody.FetchOptions{}, nil); err != nil {
					t.Fatal(err)
				}
			}
			ref := archive.RefLog + s.Key().ID()
			good := archivetest.Git(t, repo, "rev-parse", ref+"^{tree}")
			dir, err := a.LocalPath("log")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			damage(t, a, ref)
			if copies, err := logref.PublishedEpochs(a.Repository, s.Key().ID()); err != nil || len(copies) == 0 && logref.RequireFirst(a, s.Key().ID()) == nil {
				t.Errorf("a first epoch may begin again: %v", err)
			}

			if r, err := custody.Sync(t.Context(), a, custody.FetchOptions{}, nil); err != nil {
				t.Fatalf("%+v, %v", r, err)
			}
			git := filepath.Join(a.Dir(), archive.StoreDir)
			if got := archivetest.Git(t, git, "rev-parse", ref+"^{tree}"); got != good {
				t.Errorf("the ref leads to %s, want the copy of the remote %s", got, good)
			}
			if notice := goOn(t, a, s, 1); !strings.Contains(notice, "back from the archive") {
				t.Errorf("notice %q", notice)
			}
			if r, err := custody.Sync(t.Context(), a, custody.FetchOptions{}, nil); err != nil || len(r.Logs) != 1 || r.Logs[0].Size != 1 || r.Logs[0].Epoch != 2 {
				t.Fatalf("the log goes on: %+v, %v", r, err)
			}
			evidence, err := filepath.Glob(filepath.Join(a.Dir(), archive.LocalDir, "evidence", "*"))
			if err != nil || len(evidence) > 0 {
				t.Errorf("evidence against the owner: %q, %v", evidence, err)
			}
			allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(s.Key(), "owner")))
			if err != nil {
				t.Fatal(err)
			}
			for _, side := range []*archive.Archive{a, cloneOf(t, a, repo)} {
				if logs, err := logref.CheckLogs(side); err != nil || len(logs) != 2 {
					t.Errorf("%s: %+v, %v", side.Dir(), logs, err)
				}
				if v, err := audit.Verify(side, audit.ArchiveVerifyOptions{Allowed: allowed}); err != nil || v.Verdict != bundle.Valid {
					t.Errorf("%s: %+v, %v", side.Dir(), v, err)
				}
			}
		})
	}
}
