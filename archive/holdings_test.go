package archive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/holdings"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/search/catalogue"
	"muniment/sign"
	"muniment/text/segment"
)

// A shelf is an archive that random acts change.
type shelf struct {
	t     *testing.T
	a     *archive.Archive
	s     sign.Signer
	rng   *rand.Rand
	texts int
}

func (f *shelf) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// add adds n letters, whose base names are often the same, from a folder and with
// a source.
func (f *shelf) add(a *archive.Archive, n int) {
	f.t.Helper()
	dir := filepath.Join(f.t.TempDir(), fmt.Sprintf("box%d", f.rng.IntN(4)))
	for range n {
		f.texts++
		path := filepath.Join(dir, fmt.Sprintf("year%d", f.rng.IntN(5)), fmt.Sprintf("letter-%02d.txt", f.rng.IntN(60)))
		text := fmt.Sprintf("Letter %d of %d.\n", f.texts, f.rng.IntN(1000))
		if f.rng.IntN(4) == 0 { // an original of its own, and now and then one of two artifacts
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		f.must(os.MkdirAll(filepath.Dir(path), 0o777))
		f.must(os.WriteFile(path, []byte(text), 0o666))
	}
	o := accession.AddOptions{}
	if f.rng.IntN(2) == 0 {
		o.Source = f.source()
	}
	_, err := accession.Add(f.t.Context(), a, []string{dir}, o)
	f.must(err)
}

// source returns what is said of a source: few addresses, titles and days.
func (f *shelf) source() sourcemeta.Layer {
	v := sourcemeta.Values{URL: fmt.Sprintf("https://example.org/%d", f.rng.IntN(6)), Title: fmt.Sprintf("Title %d", f.rng.IntN(6)),
		PublishedAt: fmt.Sprintf("19%02d-%02d-0%d", f.rng.IntN(90)+10, 1+f.rng.IntN(12), 1+f.rng.IntN(9))}
	if f.rng.IntN(4) == 0 {
		v.URL = ""
	}
	return sourcemeta.Layer{Values: v}
}

// some returns the IDs of a few artifacts that have records.
func (f *shelf) some(n int) []string {
	list, err := inventory.List(f.a, "")
	f.must(err)
	var out []string
	for range n {
		out = append(out, list[f.rng.IntN(len(list))].ID)
	}
	return out
}

// act does one random thing.
func (f *shelf) act() string {
	f.t.Helper()
	no := false
	switch what := f.rng.IntN(9); what {
	case 0, 1:
		f.add(f.a, 1+f.rng.IntN(5))
		return "add few"
	case 2:
		f.add(f.a, 70+f.rng.IntN(60))
		return "add many"
	case 3, 4:
		_, err := engine.Snapshot(f.a, history.SnapshotOptions{Text: "test", Signer: f.s})
		var none *problem.Error
		if errors.As(err, &none) && none.Kind == problem.NothingToDo {
			err = nil
		}
		f.must(err)
		return "snapshot"
	case 5:
		_, err := history.Withdraw(f.a, history.WithdrawOptions{Artifacts: f.some(2), Reason: "asked", Authority: "board"})
		var held *problem.Error
		if errors.As(err, &held) && held.Kind == problem.NotPermitted {
			err = nil
		}
		f.must(err)
		return "withdraw"
	case 6:
		_, err := history.Consent(f.a, history.ConsentOptions{Artifacts: f.some(3), Display: &no, Reason: "private"})
		f.must(err)
		return "consent"
	case 7:
		_, err := history.Hold(f.a, history.HoldOptions{Artifacts: f.some(1), Reason: "litigation", Authority: "court"})
		var twice *problem.Error
		if errors.As(err, &twice) && twice.Kind == problem.NothingToDo {
			err = nil
		}
		f.must(err)
		return "hold"
	default:
		_, err := accession.AddSource(f.a, f.source(), nil)
		f.must(err)
		return "source"
	}
}

// compare asks the catalogue of a tree and a full reading of the tree the same.
func compare(t *testing.T, a *archive.Archive, tree objects.Hash, rng *rand.Rand) (asked int) {
	t.Helper()
	c := a.Holdings().Peek(tree)
	all, err := a.Holdings().Peek(tree).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	refs := []string{"", "/", "txt", ".txt", "letter-01", "year1", "baf", "bafk", "baga", "bafkrei", "bagaaiera", "nothing", "https://example.org/1", "Title 1"}
	for _, art := range all.Artifacts {
		refs = append(refs, art.ID.String(), art.ID.String()[:9+rng.IntN(4)])
		for _, h := range art.Records {
			refs = append(refs, h.ID.String(), h.ID.String()[:11+rng.IntN(4)], h.Record.Original)
			for _, n := range h.Record.Names {
				refs = append(refs, n, n[strings.LastIndexByte(n, '/')+1:], n[strings.IndexByte(n, '/')+1:], n[1:])
			}
			refs = append(refs, h.Record.Original[:10])
		}
	}
	for _, h := range all.LoneRecords {
		refs = append(refs, h.ID.String(), h.ID.String()[:12])
	}
	rng.Shuffle(len(refs)-14, func(i, j int) { refs[i+14], refs[j+14] = refs[j+14], refs[i+14] })
	for _, ref := range refs[:min(len(refs), 150)] {
		asked++
		compareRef(t, c, all, ref)
	}
	for i := range 6 {
		compareSource(t, c, all, fmt.Sprintf("https://example.org/%d", i))
		compareSource(t, c, all, fmt.Sprintf("Title %d", i))
	}
	compareLists(t, c, all)
	return asked
}

// errorKind returns the kind of an error, "" for none.
func errorKind(err error) string {
	var e *problem.Error
	if errors.As(err, &e) {
		return string(e.Kind)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// compareRef compares what a reference names.
func compareRef(t *testing.T, c *holdings.Catalog, all *holdings.Contents, ref string) {
	t.Helper()
	var want []string
	withdrawn := false
	id, idErr := cid.Parse(ref)
	for _, art := range all.Artifacts {
		if idErr == nil && art.ID == id || idErr != nil && (art.HasName(ref) || holdings.MatchesID(art.ID.String(), ref)) {
			want = append(want, art.ID.String())
			withdrawn = art.Withdrawn && len(art.Records) == 0
		}
	}
	art, err := c.Resolve(ref)
	kind := ""
	switch {
	case len(want) == 0 || len(want) == 1 && withdrawn:
		kind = string(problem.SourceNotFound)
	case len(want) > 1:
		kind = string(problem.Ambiguous)
	}
	if got := errorKind(err); got != kind || kind == "" && art.ID.String() != want[0] {
		t.Fatalf("%q names %d artifacts in the tree %v: the catalogue says %q (%v)", ref, len(want), want[:min(3, len(want))], got, err)
	}
	others := map[string]bool{}
	for _, art := range all.Artifacts {
		for _, h := range art.Records {
			if holdings.MatchesID(h.ID.String(), ref) {
				others["record"+h.ID.String()] = true
			}
			if h.Record.Original != art.ID.String() && holdings.MatchesID(h.Record.Original, ref) {
				others["original"+h.Record.Original] = true
			}
		}
	}
	for _, h := range all.LoneRecords {
		if holdings.MatchesID(h.ID.String(), ref) {
			others["record"+h.ID.String()] = true
		}
	}
	artifacts, matches, err := c.Match(ref)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, m := range matches {
		if m.Kind != holdings.MatchCitation {
			got[m.Kind+m.ID.String()] = true
		}
	}
	if len(others) <= 100 && len(got) != len(others) {
		t.Fatalf("%q begins %d ids in the tree, %d in the catalogue", ref, len(others), len(got))
	}
	for m := range got {
		if !others[m] {
			t.Fatalf("%q finds %s, which the tree has not", ref, m)
		}
	}
	if idErr != nil && len(want) <= 100 && len(artifacts) != len(want) {
		t.Fatalf("%q names %d artifacts in the tree, %d in the catalogue", ref, len(want), len(artifacts))
	}
	if _, ok, err := c.FindRecord(id); idErr == nil && (err != nil || ok != others["record"+id.String()]) {
		t.Fatalf("the record %s is found: %v, %v", id, ok, err)
	}
}

// compareSource compares which records come from an address or have a title.
func compareSource(t *testing.T, c *holdings.Catalog, all *holdings.Contents, text string) {
	t.Helper()
	var want, got []string
	is := func(h holdings.StoredRecord) {
		if s := h.Record.Source; s != nil && (s.URL == text || s.Title == text) {
			want = append(want, h.ID.String())
		}
	}
	for _, h := range all.LoneRecords {
		is(h)
	}
	for _, art := range all.Artifacts {
		for _, h := range art.Records {
			is(h)
		}
	}
	places, err := c.FromSource(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		got = append(got, p.Record.ID.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("from %s: %d records, want %d", text, len(got), len(want))
	}
}

// compareLists compares dates, consents, originals and sums.
func compareLists(t *testing.T, c *holdings.Catalog, all *holdings.Contents) {
	t.Helper()
	var consent, dated, got []string
	var totals holdings.Totals
	made := map[string]int{}
	for _, art := range all.Artifacts {
		if art.HasConsent {
			consent = append(consent, art.ID.String())
		}
		for _, h := range art.Records {
			if d := h.Record.Date(); d >= "1930-01-01" && d <= "1970-12-31" {
				dated = append(dated, d+h.ID.String())
			}
			if h.Record.Original != art.ID.String() {
				made[h.Record.Original]++
			}
		}
		if h, ok := art.FirstRecord(); ok {
			totals.Artifacts++
			totals.TextBytes += h.Record.Size
		}
	}
	with, err := c.WithConsent()
	if err != nil {
		t.Fatal(err)
	}
	for _, art := range with {
		got = append(got, art.ID.String())
	}
	if !slices.Equal(got, consent) {
		t.Fatalf("%d artifacts with consent, want %d", len(got), len(consent))
	}
	got = nil
	last := "9999"
	for p, err := range c.InPeriod(holdings.Period{From: "1930-01-01", To: "1970-12-31"}) {
		if err != nil {
			t.Fatal(err)
		}
		d := p.Record.Record.Date()
		if got = append(got, d+p.Record.ID.String()); d > last {
			t.Fatalf("%s comes after %s", d, last)
		}
		last = d
	}
	slices.Sort(got)
	slices.Sort(dated)
	if !slices.Equal(got, dated) {
		t.Fatalf("%d records of those days, want %d", len(got), len(dated))
	}
	for _, kind := range []string{"", "letter", "map"} {
		comparePeriod(t, c, all, holdings.Period{Kind: kind})
		comparePeriod(t, c, all, holdings.Period{Kind: kind, From: "1930-01-01", OldestFirst: true})
		comparePeriod(t, c, all, holdings.Period{Kind: kind, From: "1950-06-01", To: "1970-12-31"})
	}
	for _, words := range []string{"title 3", "Titles", "letter-01.txt", "year2 letter", "nothing", "letter nothing"} {
		compareDescribed(t, c, all, segment.Stems(words))
	}
	for original := range made {
		id, err := cid.Parse(original)
		if err != nil {
			t.Fatal(err)
		}
		if users, err := c.MadeFrom(id); err != nil || len(users) != made[original] {
			t.Fatalf("%d artifacts of the original %s, want %d, %v", len(users), original, made[original], err)
		}
	}
	if sums, err := c.Totals(); err != nil || sums != totals {
		t.Fatalf("totals %+v, want %+v, %v", sums, totals, err)
	}
}

// comparePeriod compares the records of a period and their order, and those of its kind
// without a date.
func comparePeriod(t *testing.T, c *holdings.Catalog, all *holdings.Contents, p holdings.Period) {
	t.Helper()
	var want, got, undated, noDate []string
	for _, art := range all.Artifacts {
		for _, h := range art.CurrentRecords() {
			d := h.Record.Date()
			switch {
			case p.Kind != "" && !slices.Contains(catalogue.Kinds(holdings.EntryOf(h.Record)), p.Kind):
			case d == "":
				undated = append(undated, h.ID.String())
			case d >= p.From && (p.To == "" || d <= p.To):
				want = append(want, d+h.ID.String())
			}
		}
	}
	last := ""
	for at, err := range c.InPeriod(p) {
		if err != nil {
			t.Fatal(err)
		}
		d := at.Record.Record.Date()
		if last != "" && d != last && (d < last) == p.OldestFirst {
			t.Fatalf("%+v: %s comes after %s", p, d, last)
		}
		last, got = d, append(got, d+at.Record.ID.String())
	}
	for at, err := range c.ListUndated(p.Kind) {
		if err != nil {
			t.Fatal(err)
		}
		noDate = append(noDate, at.Record.ID.String())
	}
	for _, list := range [][]string{want, got, undated, noDate} {
		slices.Sort(list)
	}
	if !slices.Equal(got, want) || !slices.Equal(noDate, undated) {
		t.Fatalf("%+v: %d records, want %d; %d without a date, want %d", p, len(got), len(want), len(noDate), len(undated))
	}
}

// compareDescribed compares the records whose description has some stems.
func compareDescribed(t *testing.T, c *holdings.Catalog, all *holdings.Contents, stems []string) {
	t.Helper()
	var want, got []string
	is := func(h holdings.StoredRecord) {
		have := segment.Stems(holdings.Description(h.Record) + "\n" + strings.Join(h.Record.Names, "\n"))
		for _, s := range stems {
			if !slices.Contains(have, s) {
				return
			}
		}
		want = append(want, h.ID.String())
	}
	for _, art := range all.Artifacts {
		for _, h := range art.CurrentRecords() {
			is(h)
		}
	}
	for _, h := range all.CurrentLone() {
		is(h)
	}
	for at, err := range c.ListDescribed(stems) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, at.Record.ID.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%q describes %d records, want %d", stems, len(got), len(want))
	}
}

// trees returns the trees to compare: what is staged, the newest snapshot, and an
// older one.
func (f *shelf) trees() []objects.Hash {
	f.t.Helper()
	tree, err := f.a.NewestTree()
	f.must(err)
	out := []objects.Hash{tree}
	head, tip, err := f.a.Head()
	f.must(err)
	if head != nil {
		history, err := f.a.History(tip)
		f.must(err)
		out = append(out, head.Tree, history[f.rng.IntN(len(history))].Tree)
	}
	return out
}

// reopen opens the archive once more, as the next command would.
func (f *shelf) reopen() {
	f.t.Helper()
	dir, w := f.a.Dir(), f.a.World()
	f.must(f.a.Close())
	var err error
	f.a, err = archive.Open(dir, w)
	f.must(err)
	f.t.Cleanup(func() { f.a.Close() })
}

func newShelf(t *testing.T, seed int) *shelf {
	a, s := archivetest.New(t, archivetest.Papers)
	f := &shelf{t: t, a: a, s: s, rng: rand.New(rand.NewPCG(uint64(seed), 26))}
	_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "first", Signer: s})
	f.must(err)
	f.reopen()
	return f
}

// isWritten reports whether the holdings index lies in the archive's folder.
func (f *shelf) isWritten() bool {
	_, err := os.Stat(filepath.Join(f.a.Dir(), archive.LocalDir, "holdings", "current"))
	return err == nil
}

// The catalogue answers as a full reading does, after any acts on any tree.
func TestHoldings(t *testing.T) {
	asked, written := 0, 0
	for seed := range casecount.Of(2, 6) {
		f := newShelf(t, seed)
		var done []string
		for range rapid.IntRange(8, 14).Example(seed) {
			done = append(done, f.act())
			if f.rng.IntN(3) > 0 {
				f.reopen()
			}
			for _, tree := range f.trees() {
				asked += compare(t, f.a, tree, f.rng)
			}
			if t.Failed() {
				t.Fatalf("seed %d after %v", seed, done)
			}
		}
		if f.isWritten() {
			written++
		}
	}
	if asked < casecount.Of(300, 1000) || written == 0 {
		t.Errorf("%d questions, %d indexes written: too few", asked, written)
	}
}

// What a fetch and a join bring is found, and nothing else.
func TestHoldingsOfOthers(t *testing.T) {
	f := newShelf(t, 100)
	f.add(f.a, 90)
	other := archivetest.NewKey(t)
	f.must(history.EnrolSigner(f.a, other.Key(), "second"))
	snapshot := func(a *archive.Archive, s sign.Signer) {
		t.Helper()
		_, err := engine.Snapshot(a, history.SnapshotOptions{Text: "test", Signer: s})
		f.must(err)
	}
	snapshot(f.a, f.s)
	compare(t, f.a, f.trees()[0], f.rng) // writes the index
	if !f.isWritten() {
		t.Fatal("no index was written")
	}
	far := filepath.Join(t.TempDir(), "far")
	f.must(os.CopyFS(far, os.DirFS(f.a.Dir())))
	b, err := archive.Open(far, f.a.World())
	f.must(err)
	defer b.Close()
	f.add(b, 80)
	snapshot(b, f.s)
	_, err = custody.AddRemote(f.a, "far", filepath.Join(far, archive.StoreDir))
	f.must(err)
	_, err = custody.Fetch(t.Context(), f.a, "far", custody.FetchOptions{})
	f.must(err)
	for _, tree := range f.trees() {
		compare(t, f.a, tree, f.rng)
	}
	f.add(b, 70)
	snapshot(b, other)
	f.add(f.a, 3)
	snapshot(f.a, f.s)
	_, err = engine.Join(f.a, history.JoinOptions{Other: far, Text: "one again", Signer: f.s})
	f.must(err)
	f.reopen()
	for _, tree := range f.trees() {
		compare(t, f.a, tree, f.rng)
	}
}

// A damaged, cut, foreign or absent index changes no answer and is made anew.
func TestHoldingsDamage(t *testing.T) {
	f := newShelf(t, 200)
	f.add(f.a, 120)
	_, err := engine.Snapshot(f.a, history.SnapshotOptions{Text: "test", Signer: f.s})
	f.must(err)
	compare(t, f.a, f.trees()[0], f.rng)
	dir := filepath.Join(f.a.Dir(), archive.LocalDir, "holdings")
	elsewhere := newShelf(t, 201)
	elsewhere.add(elsewhere.a, 120)
	compare(t, elsewhere.a, elsewhere.trees()[0], elsewhere.rng)
	damages := 0
	check := func(what string) {
		t.Helper()
		damages++
		f.reopen()
		compare(t, f.a, f.trees()[0], f.rng)
		if t.Failed() {
			t.Fatal(what)
		}
	}
	for _, pattern := range []string{"current", "*.keys"} {
		for i := range 16 {
			files, err := filepath.Glob(filepath.Join(dir, pattern))
			f.must(err)
			if len(files) != 1 {
				t.Fatalf("%s: %v", pattern, files)
			}
			data, err := os.ReadFile(files[0])
			f.must(err)
			at := len(data) * (i / 2) / 8
			if i%2 == 0 {
				data[at] ^= 0x20
			} else {
				data = data[:at]
			}
			f.must(os.WriteFile(files[0], data, 0o600))
			check(fmt.Sprintf("%s damaged at %d", pattern, at))
		}
	}
	f.must(os.RemoveAll(dir))
	check("no index")
	f.must(os.RemoveAll(dir))
	f.must(os.CopyFS(dir, os.DirFS(filepath.Join(elsewhere.a.Dir(), archive.LocalDir, "holdings"))))
	check("the index of another archive")
	f.must(os.RemoveAll(dir))
	f.must(os.WriteFile(dir, nil, 0o600))
	check("a file in the place of the folder")
	if damages < 25 {
		t.Errorf("%d damages", damages)
	}
}

// A command on one artifact reads as many objects in an archive of many as in one
// of few.
func TestHoldingsReads(t *testing.T) {
	read := map[string][]int64{}
	sizes := []int{150, 1500}
	for _, n := range sizes {
		f := newShelf(t, 300)
		for range n / 150 {
			f.add(f.a, 150)
		}
		in := filepath.Join(t.TempDir(), "the-only-one.txt")
		f.must(os.WriteFile(in, []byte("The only one of its name.\n"), 0o666))
		_, err := accession.Add(t.Context(), f.a, []string{in}, accession.AddOptions{})
		f.must(err)
		_, err = engine.Snapshot(f.a, history.SnapshotOptions{Text: "test", Signer: f.s})
		f.must(err)
		_, _, err = inventory.Cat(f.a, "the-only-one.txt", inventory.CatOptions{}) // the first index
		f.must(err)
		for name, do := range commands() {
			var reads atomic.Int64
			w := f.a.World()
			w.Disk.Read = func(string) { reads.Add(1) }
			a, err := archive.Open(f.a.Dir(), w)
			f.must(err)
			f.must(do(a))
			f.must(a.Close())
			read[name] = append(read[name], reads.Load())
		}
	}
	for name, counts := range read {
		if counts[1] > counts[0]+10 || counts[1] == 0 {
			t.Errorf("%s reads %d objects of %d artifacts and %d of %d", name, counts[0], sizes[0], counts[1], sizes[1])
		}
	}
}

// commands returns what a person does with one artifact, none of which changes the
// archive for the next.
func commands() map[string]func(*archive.Archive) error {
	const one = "the-only-one.txt"
	return map[string]func(*archive.Archive) error{
		"cat by name": func(a *archive.Archive) error {
			_, _, err := inventory.Cat(a, one, inventory.CatOptions{})
			return err
		},
		"cat by id": func(a *archive.Archive) error {
			_, _, err := inventory.Cat(a, cid.Of([]byte("The only one of its name.\n")).String(), inventory.CatOptions{})
			return err
		},
		"cat by prefix": func(a *archive.Archive) error {
			_, _, err := inventory.Cat(a, cid.Of([]byte("The only one of its name.\n")).String()[:20], inventory.CatOptions{})
			return err
		},
		"show":   func(a *archive.Archive) error { _, err := inventory.Show(a, one, nil); return err },
		"status": func(a *archive.Archive) error { _, err := history.Status(a); return err },
		"consents": func(a *archive.Archive) error {
			_, err := history.Consent(a, history.ConsentOptions{})
			return err
		},
		"consent": func(a *archive.Archive) error {
			no := false
			_, err := history.Consent(a, history.ConsentOptions{Artifacts: []string{one}, Display: &no, Reason: "x"})
			return errors.Join(err, unstage(a))
		},
		"withdraw": func(a *archive.Archive) error {
			_, err := history.Withdraw(a, history.WithdrawOptions{Artifacts: []string{one}, Reason: "x", Authority: "y"})
			return errors.Join(err, unstage(a))
		},
		"hold": func(a *archive.Archive) error {
			_, err := history.Hold(a, history.HoldOptions{Artifacts: []string{one}, Reason: "x", Authority: "y"})
			return errors.Join(err, unstage(a))
		},
		"cite": func(a *archive.Archive) error {
			_, err := engine.Cite(a, engine.CiteOptions{Artifact: one, Quote: "only one", Claim: "There is one.", Session: "s"})
			return err
		},
	}
}

// unstage removes what is staged.
func unstage(a *archive.Archive) error {
	lock, err := a.Lock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	b, err := a.Store().NewBatch()
	if err != nil {
		return err
	}
	defer b.Abort()
	staged, err := a.Store().Ref(archive.RefStaged)
	if err != nil {
		return err
	}
	return b.Publish(lock, objects.RefUpdate{Name: archive.RefStaged, Old: staged})
}
