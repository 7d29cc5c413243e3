package audit

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/history"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot/layout"
)

// Samples that go on where the last one ended read every item, each once a
// round, and --since leaves out exactly what they read.
func TestFixityRolls(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a = archivetest.ReopenWithClock(t, a, func() time.Time { return now })
	ctx := context.Background()
	var total, checked, rounds int
	for ; rounds == 0 || checked < total; rounds++ {
		r, err := Fixity(ctx, a, FixityOptions{Sample: 20})
		if err != nil {
			t.Fatal(err)
		}
		if total = r.Total; r.Failed+r.Absent+r.Unfinished > 0 || r.Checked+r.NotChecked != total || r.Checked == 0 {
			t.Fatalf("sample: %+v", r)
		}
		checked += r.Checked
		now = now.Add(time.Hour)
		since, err := Fixity(ctx, a, FixityOptions{Since: now})
		if err != nil || since.Checked != total {
			t.Fatalf("since now: %+v, %v", since, err)
		}
		// Drop what that check noted: the samples must be seen alone.
		events, err := a.FixityEvents()
		if err != nil {
			t.Fatal(err)
		}
		rewriteFixity(t, a, events[:len(events)-1])
		left, err := Fixity(ctx, a, FixityOptions{Since: now.AddDate(0, 0, -1)})
		if err != nil || left.Checked != max(0, total-checked) {
			t.Fatalf("since yesterday after %d of %d: %+v, %v", checked, total, left, err)
		}
		rewriteFixity(t, a, events[:len(events)-1])
	}
	if rounds != 5 || total < 15 {
		t.Errorf("%d samples of 20 %% for %d items, want 5", rounds, total)
	}
}

// --since leaves out what an older snapshot held alike, in one file or in
// chunks, and reads what is new in a later one.
func TestFixitySinceAcrossSnapshots(t *testing.T) {
	large := make([]byte, layout.MaxBlob+1<<20)
	for i := range large {
		large[i] = byte(i>>16) ^ byte(i*i>>7)
	}
	a, s := archivetest.New(t, map[string]string{"reel.bin": string(large), "one.txt": "One.\n"})
	archivetest.Seal(t, a, s)
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a = archivetest.ReopenWithClock(t, a, func() time.Time { return began })
	first, err := Fixity(t.Context(), a, FixityOptions{})
	if err != nil || first.OK != first.Total {
		t.Fatalf("all: %+v, %v", first, err)
	}
	if r, err := Fixity(t.Context(), a, FixityOptions{Since: began}); err != nil || r.Checked != 0 || r.NotChecked != first.Total {
		t.Errorf("at once: %+v, %v", r, err)
	}
	archivetest.AddLetter(t, a, s, "A second letter.\n")
	added := first.Total
	items := filesOf(t, a, mustTree(t, a), layout.KindPayloadChunk)
	if len(items) < 2 {
		t.Fatalf("the large payload is in %d chunks", len(items))
	}
	r, err := Fixity(t.Context(), a, FixityOptions{Since: began})
	if err != nil || r.Failed+r.Absent > 0 || r.Checked != r.Total-added || r.Checked != 2 {
		t.Errorf("after another letter: %+v, %v, want its payload and record alone", r, err)
	}
	if r, err = Fixity(t.Context(), a, FixityOptions{Since: began.Add(time.Second)}); err != nil || r.Checked != r.Total {
		t.Errorf("since later: %+v, %v, want all", r, err)
	}
}

// What failed is not left out by --since: the next check says so again.
func TestFixitySinceFailure(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a = archivetest.ReopenWithClock(t, a, func() time.Time { return began })
	packs, err := filepath.Glob(filepath.Join(a.Dir(), archive.StoreDir, "objects/pack/*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(packs, func(x, y string) int { return int(sizeOf(t, y) - sizeOf(t, x)) })
	data, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	data[40] ^= 0xff // in the first blob
	if err := errors.Join(os.Chmod(packs[0], 0o644), os.WriteFile(packs[0], data, 0o644)); err != nil {
		t.Fatal(err)
	}
	b, err := archive.Open(a.Dir(), a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 2 {
		r, err := Fixity(t.Context(), b, FixityOptions{Since: began.Add(-time.Hour)})
		if err != nil || r.Failed != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

// A folder whose list is absent or damaged is counted, and the rest is read.
func TestFixityFolders(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	whole, err := Fixity(t.Context(), a, FixityOptions{})
	if err != nil || whole.OK != whole.Total {
		t.Fatalf("%+v, %v", whole, err)
	}
	// The objects one by one, as files.
	repo := filepath.Join(a.Dir(), archive.StoreDir)
	packs, err := filepath.Glob(filepath.Join(repo, "objects/pack/*.pack"))
	if err != nil || len(packs) == 0 {
		t.Fatal(packs, err)
	}
	aside := t.TempDir()
	for _, p := range packs {
		moved := filepath.Join(aside, filepath.Base(p))
		if err := errors.Join(os.Rename(p, moved), os.Remove(strings.TrimSuffix(p, ".pack")+".idx")); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(moved)
		if err != nil {
			t.Fatal(err)
		}
		archivetest.GitWithInput(t, repo, string(data), "unpack-objects", "-q")
	}
	loose := func(path string) string {
		h := archivetest.Git(t, repo, "rev-parse", "main:"+path)
		return filepath.Join(repo, "objects", h[:2], h[2:])
	}
	shard := strings.Fields(archivetest.Git(t, repo, "ls-tree", "--name-only", "main:artifacts"))[0]
	below := archivetest.Git(t, repo, "ls-tree", "--name-only", "main:artifacts/"+shard)
	gone, other := "artifacts/"+shard, "policy"
	if below == "" {
		t.Fatal("an empty shard")
	}
	if err := errors.Join(os.Remove(loose(gone)), os.Chmod(loose(other), 0o644), os.WriteFile(loose(other), []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	b, err := archive.Open(a.Dir(), a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, o := range []FixityOptions{{}, {Since: a.World().Now().Add(-time.Hour)}, {Sample: 1}} {
		r, err := Fixity(t.Context(), b, o)
		if err != nil || r.Absent != 1 || r.Failed != 1 || len(r.Problems) != 2 || r.Checked+r.Absent+r.NotChecked != r.Total || r.Total >= whole.Total {
			t.Errorf("%+v: %+v, %v", o, r, err)
		}
	}
	events, err := b.FixityEvents()
	if err != nil || len(events) != 4 || events[3].Outcome != "fail" {
		t.Errorf("%+v, %v", events, err)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

func mustTree(t *testing.T, a *archive.Archive) objects.Hash {
	t.Helper()
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	return head.Tree
}

func rewriteFixity(t *testing.T, a *archive.Archive, events []archive.FixityEvent) {
	t.Helper()
	path := filepath.Join(a.Dir(), archive.LocalDir, archive.FixityFile)
	if err := errors.Join(os.WriteFile(path, nil, 0o600), journal.AppendList(path, disk.Hooks{}, events...)); err != nil {
		t.Fatal(err)
	}
}

// A budget that ends before the items do says so, and the next check goes on.
func TestFixityBudget(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a = archivetest.ReopenWithClock(t, a, func() time.Time { now = now.Add(time.Minute); return now })
	r, err := Fixity(context.Background(), a, FixityOptions{Budget: time.Second})
	if err != nil || r.Checked != 0 || r.Unfinished != r.Total || r.NotChecked != r.Total {
		t.Errorf("a budget that is over at once: %+v, %v", r, err)
	}
	if r, err = Fixity(context.Background(), a, FixityOptions{Budget: time.Hour}); err != nil || r.Unfinished != 0 || r.OK != r.Total {
		t.Errorf("the rest: %+v, %v", r, err)
	}
}

// Doctor says when nothing was checked, when the last check is old, and when it
// found damage; status shows it.
func TestLastFixity(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a = archivetest.ReopenWithClock(t, a, func() time.Time { return now })
	if c := checkFixity(a); c.State != "absent" || c.Next.IsZero() {
		t.Errorf("before the first: %+v", c)
	}
	r, err := Fixity(t.Context(), a, FixityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(archive.FixityAge)
	if c := checkFixity(a); c.State != "ok" {
		t.Errorf("after %s: %+v", archive.FixityAge, c)
	}
	if st, err := history.Status(a); err != nil || st.Fixity == nil || st.Fixity.Checked != r.Total || !st.Fixity.Whole {
		t.Errorf("status: %+v, %v", st, err)
	}
	now = now.Add(time.Second)
	if c := checkFixity(a); c.State != "warning" || c.Next.IsZero() {
		t.Errorf("a second later: %+v", c)
	}
	events, err := a.FixityEvents()
	if err != nil {
		t.Fatal(err)
	}
	events[0].Outcome, events[0].Note = "fail", "3 checked, 1 ok, 2 failed, 1 absent, 4 not checked"
	rewriteFixity(t, a, events)
	if c := checkFixity(a); c.State != "failed" || !strings.Contains(c.Detail, "3 of 8 items checked (37.5 %), 2 failed, 1 absent") {
		t.Errorf("after damage: %+v", c)
	}
	events[0].Note = "well"
	rewriteFixity(t, a, events)
	if l, err := a.LastFixity(); l != nil || err == nil {
		t.Errorf("a note of another form: %+v, %v", l, err)
	}
}

// The log is read strictly; a line that a crash cut short is dropped and
// overwritten.
func TestFixityLog(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	path := filepath.Join(a.Dir(), archive.LocalDir, archive.FixityFile)
	for range 2 {
		if _, err := Fixity(context.Background(), a, FixityOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, whole[:len(whole)-9], 0o600), mark.Forget(filepath.Dir(path), archive.FixityFile)); err != nil {
		t.Fatal(err) // a crash comes before the mark
	}
	if _, err := Fixity(context.Background(), a, FixityOptions{}); err != nil {
		t.Fatal(err)
	}
	events, err := a.FixityEvents()
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	var b bytes.Buffer
	if err := WritePREMIS(&b, nil, events); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		XMLName xml.Name `xml:"http://www.loc.gov/premis/v3 premis"`
		Events  []struct {
			Type    string `xml:"eventType"`
			Outcome string `xml:"eventOutcomeInformation>eventOutcome"`
		} `xml:"event"`
	}
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil || len(doc.Events) != 2 || doc.Events[0].Type != "fixity check" || doc.Events[1].Outcome != "pass" {
		t.Errorf("PREMIS: %+v, %v", doc, err)
	}
	for i := range whole { // the file was as long before, so that its last line was acknowledged
		bad := bytes.Clone(whole)
		bad[i] ^= 0x80
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := a.FixityEvents(); err == nil && i < len(whole)-1 {
			t.Errorf("byte %d changed to %x passes", i, bad[i])
		}
	}
}

// A line of versions that wrote no checksum is read as they wrote it and in no other form.
func TestFixityBefore(t *testing.T) {
	a, _ := archivetest.New(t, archivetest.Papers)
	path, err := a.LocalPath(archive.FixityFile)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"eventIdentifier":"00","eventType":"fixity check","eventDateTime":"2026-03-01T12:00:00Z","eventOutcome":"pass","eventOutcomeDetailNote":"","linkingAgentIdentifier":"a <b>","linkingObjectIdentifier":"b","salt":"","after":"","upto":"","whole":true,"arcs":[]}` + "\n"
	for text, sound := range map[string]bool{line: true, line + line: true, line + line[:40]: true, " " + line: false, strings.Replace(line, `,"arcs":[]`, "", 1): false,
		strings.Replace(line, `"a <b>"`, `"a \u003cb>"`, 1): false, line[:40] + "\n" + line: false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if events, err := a.FixityEvents(); (err == nil) != sound || len(events) != strings.Count(text, "arcs") && sound {
			t.Errorf("%q: %d events, %v", text, len(events), err)
		}
	}
}
