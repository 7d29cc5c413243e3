package custody_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// guarded returns an archive with hidden papers and protected persons, and the keys of its
// owner and of a helper who may sign snapshots and nothing else.
func guarded(t *testing.T) (a *archive.Archive, owner, helper sign.Signer) {
	t.Helper()
	a, owner = archivetest.New(t, map[string]string{
		"page.png": "a scan by its name", "page.txt": "Ruth Fenwick hid the deeds in the mill.\n", "open.png": "another scan", "open.txt": "The mill was sold.\n",
		"letter.txt": "Dear Ruth, nobody knows of the deeds.\n", "diary.txt": "Rain all day.\n",
	})
	archivetest.Seal(t, a, owner)
	helper = archivetest.NewKey(t)
	allowed := fmt.Appendf(fileOf(t, a, layout.PathAllowedSigners), "helper namespaces=\"git\" %s\n", helper.Key().Authorized())
	letter := consentFor(t, a, "letter.txt", access.Consent{Inclusion: true, Surfacing: true, Display: true, Existence: true, Persons: []string{"Ruth Fenwick"}})
	if err := a.Edit(map[string][]byte{layout.PathAllowedSigners: allowed, layout.ConsentPath(idOf(t, a, "letter.txt")): letter}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, owner, history.ConsentOptions{Artifacts: []string{"page.png"}, Preset: "hidden", Reason: "family wish"},
		history.ConsentOptions{Artifacts: []string{"diary.txt"}, Preset: "hidden", Reason: "family wish"},
		history.ConsentOptions{Person: "Ruth Fenwick", State: access.PersonSealed})
	return a, owner, helper
}

func newestTree(t *testing.T, a *archive.Archive) *holdings.Catalog {
	t.Helper()
	tree, err := a.NewestTree()
	if err != nil {
		t.Fatal(err)
	}
	return a.Catalog(tree)
}

func fileOf(t *testing.T, a *archive.Archive, path string) []byte {
	t.Helper()
	data, err := a.File(newestTree(t, a).Tree, path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func idOf(t *testing.T, a *archive.Archive, name string) cid.ID {
	t.Helper()
	art, err := newestTree(t, a).Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	return art.ID
}

// consentFor returns the file of a consent for an artifact, as any program may write it.
func consentFor(t *testing.T, a *archive.Archive, name string, c access.Consent) []byte {
	t.Helper()
	c.Artifact, c.Reason, c.Time, c.Agent = name, "a reason", "2024-05-01T12:00:00Z", "Somebody"
	if !strings.HasPrefix(name, "b") {
		c.Artifact = idOf(t, a, name).String()
	}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// recordOf returns the record of a paper and its id.
func recordOf(t *testing.T, a *archive.Archive, name string) (record.Record, cid.ID) {
	t.Helper()
	place, err := newestTree(t, a).ResolvePlace(name)
	if err != nil {
		t.Fatal(err)
	}
	return *place.Record.Record, place.Record.ID
}

// supersede stages a record that supersedes that of a paper, after change.
func supersede(t *testing.T, a *archive.Archive, name string, change func(*record.Record)) {
	t.Helper()
	r, old := recordOf(t, a, name)
	facts := map[string]string{}
	for k, v := range r.Facts {
		facts[k] = v
	}
	r.Facts, r.Supersedes = facts, old.String()
	change(&r)
	stageRecord(t, a, r)
}

func stageRecord(t *testing.T, a *archive.Archive, r record.Record) {
	t.Helper()
	if len(r.Facts) == 0 {
		r.Facts = nil
	}
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	artifact, err := cid.Parse(r.Artifact)
	if err != nil {
		t.Fatal(err)
	}
	stage(t, a, map[string][]byte{layout.RecordPath(artifact, cid.OfJSON(data)): data})
}

func stage(t *testing.T, a *archive.Archive, files map[string][]byte) {
	t.Helper()
	if err := a.Edit(files); err != nil {
		t.Fatal(err)
	}
}

func addFile(t *testing.T, a *archive.Archive, name, text string, o accession.AddOptions) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{path}, o); err != nil {
		t.Fatal(err)
	}
}

var allOpen = access.Consent{Inclusion: true, Surfacing: true, Display: true, Existence: true}

// TestWideningIsNotFetched: a key that may only sign snapshots lets others see more, in a
// program of its own. Nobody who fetches takes it, and the error names paper or person.
func TestWideningIsNotFetched(t *testing.T) {
	a, owner, helper := guarded(t)
	copied := copyOf(t, a)
	tries := map[string]struct {
		spoil func(*archive.Archive)
		want  []string
	}{
		"open consent on the text of a hidden scan": {func(b *archive.Archive) {
			stage(t, b, map[string][]byte{layout.ConsentPath(idOf(t, b, "page.txt")): consentFor(t, b, "page.txt", allOpen)})
		}, []string{"page.txt", "has a consent of its own that closes nothing"}},
		"a cleared name over a sealed one": {func(b *archive.Archive) {
			consent(t, b, history.ConsentOptions{Person: "Ruth Fenwick's", State: access.PersonCleared})
		}, []string{"Ruth Fenwick's", "Ruth Fenwick, who is sealed"}},
		"a text moved to an open scan": {func(b *archive.Archive) {
			supersede(t, b, "page.txt", func(r *record.Record) { r.Facts[holdings.FactDerivedFrom] = idOf(t, b, "open.png").String() })
		}, []string{"page.txt", "no longer says that it is the text of"}},
		"a consent without its persons": {func(b *archive.Archive) {
			stage(t, b, map[string][]byte{layout.ConsentPath(idOf(t, b, "letter.txt")): consentFor(t, b, "letter.txt", allOpen)})
		}, []string{"letter.txt", "no longer names Ruth Fenwick, who is sealed"}},
		"a consent for a paper that is not there": {func(b *archive.Archive) {
			id := cid.Of([]byte("a letter that comes next year\n"))
			stage(t, b, map[string][]byte{layout.ConsentPath(id): consentFor(t, b, id.String(), allOpen)})
		}, []string{"plants a consent"}},
		"a profile by the name of a shipped one": {func(b *archive.Archive) {
			stage(t, b, map[string][]byte{layout.ProfilePath("engine"): []byte(`{"name":"engine","type":"muniment/profile/v1"}`)})
		}, []string{"adds, changes or drops a rule", "engine.json"}},

		"a reading without the link": {func(b *archive.Archive) {
			r, old := recordOf(t, b, "page.txt")
			other, _ := recordOf(t, b, "open.txt")
			payload := []byte("The mill was sold.\n")
			other.Facts, other.Supersedes = nil, old.String()
			if id := cid.Of(payload); id.String() != other.Artifact || r.Original == other.Original {
				t.Fatal("another text than was meant")
			}
			stageRecord(t, b, other)
		}, []string{"open.txt", "no longer says that it is the text of"}},
		"a reading of a hidden paper": {func(b *archive.Archive) {
			_, old := recordOf(t, b, "diary.txt")
			r, _ := recordOf(t, b, "open.txt")
			r.Facts, r.Supersedes, r.Names = nil, old.String(), []string{"diary.md"}
			stageRecord(t, b, r)
		}, []string{"diary.txt", "allows display, existence"}},
		"a consent that closes nothing": {func(b *archive.Archive) {
			stage(t, b, map[string][]byte{layout.ConsentPath(idOf(t, b, "open.txt")): consentFor(t, b, "open.txt", allOpen)})
		}, []string{"open.txt", "closes nothing"}},
		"another part": {func(b *archive.Archive) {
			supersede(t, b, "page.txt", func(r *record.Record) { delete(r.Facts, holdings.FactTextMade) })
		}, []string{"page.txt", "no longer says"}},
		"a tier that was not there": {func(b *archive.Archive) {
			n := 1000
			consent(t, b, history.ConsentOptions{Tier: "board", Excerpt: &n})
		}, []string{"adds, drops or moves a tier"}},
		"a file that no list names": {func(b *archive.Archive) {
			stage(t, b, map[string][]byte{"policy/later.json": []byte(`{}`)})
		}, []string{"policy"}},
	}
	for name, tc := range tries {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, to := sameCopy(t, copied), sameCopy(t, copied)
			tc.spoil(b)
			if _, err := engine.Snapshot(b, history.SnapshotOptions{Text: "mine", Signer: helper, Widen: true}); err == nil {
				t.Errorf("%s: this program signs it with the helper's key", name)
			}
			if _, err := engine.Snapshot(b, history.SnapshotOptions{Text: "mine", Signer: helper, Widen: true, AwaitCountersign: true}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			before := archivetest.HashFiles(t, to)
			_, err := custody.Fetch(t.Context(), to, b.Dir(), custody.FetchOptions{})
			var failure *problem.Error
			if !errors.As(err, &failure) || failure.Kind != problem.NotPermitted || slices.ContainsFunc(tc.want, func(w string) bool { return !strings.Contains(failure.Message, w) }) {
				t.Errorf("%s: fetch: %v", name, err)
			}
			if archivetest.HashFiles(t, to) != before {
				t.Errorf("%s: the copy has changed", name)
			}
			if name == "a text moved to an open scan" { // who has the role may
				if _, err := history.Countersign(b, "", owner); err != nil {
					t.Fatal(err)
				}
				if _, err := custody.Fetch(t.Context(), sameCopy(t, copied), b.Dir(), custody.FetchOptions{}); err != nil {
					t.Errorf("%s, countersigned by the owner: %v", name, err)
				}
			}
		})
	}
	if len(tries) < 12 {
		t.Errorf("%d tries", len(tries))
	}
}

// sameCopy returns a copy of an archive's folder, which needs no clone.
func sameCopy(t *testing.T, a *archive.Archive) *archive.Archive {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "same")
	copyFolder(t, a.Dir(), dir)
	c, err := archive.Open(dir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func consent(t *testing.T, a *archive.Archive, o history.ConsentOptions) {
	t.Helper()
	if _, err := history.Consent(a, o); err != nil {
		t.Fatal(err)
	}
}

// TestHelperIsFetched: what a key that may only sign snapshots is for is taken.
func TestHelperIsFetched(t *testing.T) {
	a, _, helper := guarded(t)
	copied := copyOf(t, a)
	b := copyOf(t, a)
	seal := func(what string) {
		t.Helper()
		if _, err := engine.Snapshot(b, history.SnapshotOptions{Text: what, Signer: helper}); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if r, err := custody.Fetch(t.Context(), copied, b.Dir(), custody.FetchOptions{}); err != nil || r.Snapshots != 1 {
			t.Fatalf("%s: %+v, %v", what, r, err)
		}
	}
	addFile(t, b, "new.txt", "A new letter.\n", accession.AddOptions{})
	seal("a new letter")
	addFile(t, b, "transcript.txt", "What the scan says.\n", accession.AddOptions{TextOf: "open.png"})
	seal("a text of a scan")
	if _, err := accession.Reread(t.Context(), b, "page.txt", "text/markdown"); err != nil {
		t.Fatal(err)
	}
	seal("another reading")
	consent(t, b, history.ConsentOptions{Artifacts: []string{"open.png"}, Preset: "auditor-only"})
	consent(t, b, history.ConsentOptions{Person: "Zoe Quill", State: access.PersonSealed})
	consent(t, b, history.ConsentOptions{Person: "Ilse Kant", State: access.PersonAnonymized})
	seal("tighter consent")
	consent(t, b, history.ConsentOptions{Default: access.ConsentClosed, ThirdParties: access.ThirdPartiesStrict})
	seal("tighter policy")
	addFile(t, b, "last.txt", "The last letter.\n", accession.AddOptions{})
	seal("a letter under a closed default")
}

// TestRereadKeepsConsent: a new reading is as hidden as the one before, and where a change
// opens something that it does not name, the owner is asked.
func TestRereadKeepsConsent(t *testing.T) {
	a, owner, _ := guarded(t)
	for _, name := range []string{"page.txt", "diary.txt"} {
		if _, err := accession.Reread(t.Context(), a, name, "text/markdown"); err != nil {
			t.Fatal(err)
		}
	}
	archivetest.Seal(t, a, owner)
	for _, name := range []string{"page.txt", "diary.txt"} {
		c := newestTree(t, a)
		id := idOf(t, a, name)
		if held, err := a.Consent(c.Tree, id); err != nil || held == nil || held.Existence || held.Display {
			t.Errorf("%s: %+v, %v", name, held, err)
		}
	}
	asks := map[string]func(){
		"page.txt": func() { supersede(t, a, "page.txt", func(r *record.Record) { delete(r.Facts, holdings.FactTextMade) }) },
		"letter.txt": func() {
			stage(t, a, map[string][]byte{layout.ConsentPath(idOf(t, a, "letter.txt")): consentFor(t, a, "letter.txt", allOpen)})
		},
		"Ruth Fenwick": func() { consent(t, a, history.ConsentOptions{Person: "Ruth Fenwick's", State: access.PersonCleared}) },
	}
	for what, do := range asks {
		do()
		_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "unawares", Signer: owner})
		if err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "more is seen") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "as meant", Signer: owner, Widen: true}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	consent(t, a, history.ConsentOptions{Artifacts: []string{"diary.txt"}, Preset: "open"})
	archivetest.Seal(t, a, owner) // what says so is not asked about
}
