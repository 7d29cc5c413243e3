package answer_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/draft"
	"muniment/engine"
	"muniment/ledger"
	"muniment/sign"
)

// towns are what the books of newHalfIndexed speak of, a book of each.
var towns = []string{"Ashford", "Bilston", "Corby", "Dunmow", "Epworth", "Frome", "Glossop", "Hexham"}

// newHalfIndexed returns an archive of long books, of which some are not in the search index
// and stay so: whoever is to build the rest does not.
func newHalfIndexed(t *testing.T) (*archive.Archive, sign.Signer) {
	t.Helper()
	books := len(towns)
	files := map[string]string{}
	for i := range towns {
		var b strings.Builder
		fmt.Fprintf(&b, "Tobias Lunt repaired the mill wheel of %s in March.\n\n", towns[i])
		for p := range 600 {
			fmt.Fprintf(&b, "Paragraph %d of book %d. %s\n\n", p, i, strings.Repeat("More was said about the weather and the road. ", 10))
		}
		files[fmt.Sprintf("book-%02d.txt", i)] = b.String()
	}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := search.UpdateIndex(ctx, a, search.UpdateOptions{Progress: func(done, _ int) {
		if done >= books-1 {
			cancel()
		}
	}})
	if err == nil {
		t.Fatal("the index was built")
	}
	w := archivetest.World()
	w.IndexAside = func() error { return nil }
	half, err := archive.Open(a.Dir(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { half.Close() })
	return half, s
}

// TestNotSearchedIsNoRefusal: while a part of the snapshot is not searched, a question without an answer, a draft
// without support, a pack and a record of a search that found nothing are errors: nothing is signed, logged,
// recorded or counted. What is found is delivered and says which share was searched.
func TestNotSearchedIsNoRefusal(t *testing.T) {
	a, s := newHalfIndexed(t)
	e, err := engine.New(a, engine.Caller{Role: engine.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ask := func(name, question string) (*answer.Result, error) {
		return answer.Ask(t.Context(), a, question, answer.AskOptions{Signer: s, NoModel: true, BundleFile: filepath.Join(dir, name+".zip")})
	}
	const absent = "Which painting did the miller buy in Vienna?"
	before := archivetest.HashFiles(t, a)
	for name, call := range map[string]func() error{
		"ask":     func() error { _, err := ask("absent", absent); return err },
		"a part":  func() error { _, err := ask("both", "Who repaired the mill wheel, and "+absent); return err },
		"general": func() error { _, err := ask("opera", "Which opera did Verdi write in 1871?"); return err },
		"bind": func() error {
			_, err := answer.Bind(t.Context(), a, "The miller bought a painting in Vienna.", answer.AskOptions{Signer: s, NoModel: true, BundleFile: filepath.Join(dir, "bind.zip")})
			return err
		},
		"pack": func() error {
			_, err := draft.Pack(t.Context(), e, draft.PackOptions{Query: "painting Vienna"})
			return err
		},
		"cite negative": func() error {
			_, err := e.CiteNegative(t.Context(), engine.NegativeOptions{Claim: "The miller bought a painting.", Query: "painting Vienna"})
			return err
		},
		"cite negative with places": func() error {
			_, err := e.CiteNegative(t.Context(), engine.NegativeOptions{Claim: "The wheel was sold.", Query: "mill wheel"})
			return err
		},
		"cite without artifact": func() error {
			_, err := e.FindCited(t.Context(), "", "The miller bought a painting in Vienna.")
			return err
		},
	} {
		var fault *problem.Error
		if err := call(); !errors.As(err, &fault) || fault.Kind != problem.NotSearched || !strings.Contains(fault.Message, "not searched yet: about") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) > 0 {
		t.Errorf("files of answers that were not given: %v, %v", files, err)
	}
	if archivetest.HashFiles(t, a) != before {
		t.Error("the archive has changed")
	}
	if n := countLogged(t, a); n > 0 {
		t.Errorf("files of the answer log: %d", n)
	}
	refusals, err := answer.Refusals(a, answer.RefusalsOptions{})
	if err != nil || refusals.Metrics.Questions != 0 || len(refusals.Events) > 0 {
		t.Errorf("counted: %+v, %v", refusals, err)
	}
	if all, err := e.Searches(""); err != nil || len(all) > 0 {
		t.Errorf("recorded: %+v, %v", all, err)
	}

	answered := 0
	for _, town := range towns {
		found, err := ask(town, "Who repaired the mill wheel of "+town+"?")
		if err != nil { // in the rest
			continue
		}
		answered++
		if found.Unanswered || found.Searched == nil || found.Searched.Whole() || found.Searched.Percent == 0 || found.Searched.Snapshot != found.Snapshot {
			t.Errorf("what is found: %+v", found)
		}
	}
	if answered == 0 || answered == len(towns) || countLogged(t, a) == 0 {
		t.Errorf("answered of %d questions: %d, files of the answer log: %d", len(towns), answered, countLogged(t, a))
	}
	if _, err := search.UpdateIndex(t.Context(), a, search.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	refused, err := ask("refused", absent)
	if err != nil || !refused.Unanswered || !refused.Searched.Whole() {
		t.Errorf("with the whole index: %+v, %v", refused, err)
	}
	checkKeptCoverage(t, a, answered, int64(len(towns)))
}

// checkKeptCoverage requires the ledger to say of each answer that a part of the papers was
// looked through, and of the refusal after them that all were.
func checkKeptCoverage(t *testing.T, a *archive.Archive, answered int, papers int64) {
	t.Helper()
	l, err := ledger.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.Questions(time.Time{}, "")
	if err != nil || len(all) != answered+1 {
		t.Fatalf("%d rows, want %d: %v", len(all), answered+1, err)
	}
	head, _, err := a.Head()
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range all {
		s := q.Searched
		if s.Snapshot != head.ID.String() || s.Of != papers || s.Papers == 0 || s.Papers < papers != (i < answered) {
			t.Errorf("row %d: %+v of %d papers", i, s, papers)
		}
	}
	shown, err := answer.Refusals(a, answer.RefusalsOptions{})
	want := &answer.SearchedPapers{Snapshot: head.ID.String(), Percent: 100}
	if err != nil || len(shown.Events) != 1 || *shown.Events[0].Searched != *want { // no counts: not for an auditor
		t.Errorf("shown: %+v, %v", shown, err)
	}
}

// countLogged returns how many files with content the answer logs of an archive have.
func countLogged(t *testing.T, a *archive.Archive) (n int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(a.Dir(), archive.LocalDir, "log"), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() > 0 { // a lock has none
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
