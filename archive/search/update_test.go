package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/history"
	"muniment/search/retrieve"
	"muniment/sign"
)

// books is how many texts a shelf has, beside a short one: of 400 paragraphs each, so that several stages
// of an index are built.
const books = 12

// A shelf is a signed archive of many long texts.
type shelf struct {
	t   *testing.T
	a   *archive.Archive
	key sign.Signer
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	files := map[string]string{"wheel.txt": "The wheel of the mill broke in the flood.\n"}
	for i := range books {
		var b strings.Builder
		for p := range 400 {
			fmt.Fprintf(&b, "Paragraph %d of book %d speaks of apples and of the tree%dx%d. %s\n\n", p, i, i, p, strings.Repeat("More was said about the weather and the road. ", 10))
		}
		files[fmt.Sprintf("book-%02d.txt", i)] = b.String()
	}
	a, key := archivetest.New(t, files)
	archivetest.Seal(t, a, key)
	return &shelf{t, a, key}
}

// open opens the archive once more, with a way to build its index aside; nil for none.
func (s *shelf) open(aside func() error) *archive.Archive {
	s.t.Helper()
	w := archivetest.World()
	w.IndexAside = aside
	a, err := archive.Open(s.a.Dir(), w)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { a.Close() })
	return a
}

// find searches, and returns the names found and the notice.
func (s *shelf) find(a *archive.Archive, words string) (names []string, notice string) {
	s.t.Helper()
	r, err := search.Search(s.t.Context(), a, words, 5, search.Reader{}, nil)
	if err != nil {
		s.t.Fatalf("search %q: %v", words, err)
	}
	for _, h := range r.Hits {
		names = append(names, h.Name)
	}
	return names, r.Notice
}

// interrupt begins to build the index, and ends when so many texts were read.
func (s *shelf) interrupt(texts int) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	_, err := search.UpdateIndex(ctx, s.a, search.UpdateOptions{Progress: func(done, _ int) {
		if done >= texts {
			cancel()
		}
	}})
	var fault *problem.Error
	if !errors.As(err, &fault) || fault.Kind != problem.Interrupted {
		s.t.Fatalf("interrupted: %v", err)
	}
}

// A search of much that is not indexed yet has the index built beside it, once, answers from
// what there is, and says so; when the index is there it says nothing.
func TestSearchBesideBuild(t *testing.T) {
	s := newShelf(t)
	var builds sync.WaitGroup
	begun := 0
	a := s.open(func() error {
		begun++
		builds.Go(func() {
			if _, err := search.UpdateIndex(context.Background(), s.a, search.UpdateOptions{Alone: true}); err != nil {
				t.Error(err)
			}
		})
		return nil
	})
	names, notice := s.find(a, "apples")
	if len(names) == 0 || notice != "" && !strings.Contains(notice, "a part of snapshot 1 was searched; the rest is being indexed") {
		t.Errorf("beside a build: found %v, said %q", names, notice)
	}
	builds.Wait()
	if names, notice := s.find(a, "wheel"); notice != "" || len(names) != 1 || begun != 1 {
		t.Errorf("after it: found %v, said %q, begun %d times", names, notice, begun)
	}
}

// What an interrupted build had indexed is found, is known to status, and is not read again.
func TestInterruptedBuild(t *testing.T) {
	s := newShelf(t)
	s.interrupt(books - 2)
	state, err := s.a.IndexState()
	if err != nil || state == nil || state.Texts < 2 || state.Texts >= books || state.Seq != 1 || state.Building {
		t.Fatalf("after an interruption: %+v, %v", state, err)
	}
	begun := 0
	names, notice := s.find(s.open(func() error { begun++; return nil }), "apples")
	if want := "a part of snapshot 1 was searched; the rest is being indexed"; len(names) == 0 || notice != want || begun != 1 {
		t.Errorf("found %v, said %q, want %q; begun %d times", names, notice, want, begun)
	}
	read := 0
	r, err := search.UpdateIndex(t.Context(), s.a, search.UpdateOptions{Progress: func(done, total int) { read++ }})
	if err != nil {
		t.Fatal(err)
	}
	if read != books+1-state.Texts || r.Artifacts != books+1 {
		t.Errorf("%d texts were indexed before, %d of %d were read afterwards, %d can be found", state.Texts, read, books+1, r.Artifacts)
	}
	if names, notice := s.find(s.open(nil), "wheel"); notice != "" || len(names) != 1 {
		t.Errorf("at the end: found %v, said %q", names, notice)
	}
}

// An index of an older snapshot does not show what the newest one has withdrawn, and an
// interrupted build is ended at its own snapshot before it goes on to the newest.
func TestOlderIndex(t *testing.T) {
	s := newShelf(t)
	s.interrupt(books - 2)
	archivetest.AddLetter(t, s.a, s.key, "A letter about the harvest.\n")
	never := s.open(func() error { return nil })
	before, _ := s.find(never, "apples")
	if len(before) == 0 {
		t.Fatal("nothing is found of an interrupted build")
	}
	if _, err := history.Withdraw(s.a, history.WithdrawOptions{Artifacts: before[:1], Reason: "asked", Authority: "the board"}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, s.a, s.key)
	after, notice := s.find(never, "apples")
	if len(after) == 0 || slices.Contains(after, before[0]) || !strings.Contains(notice, "a part of snapshot 1 was searched") {
		t.Errorf("found %v of %v after %s was withdrawn; said %q", after, before, before[0], notice)
	}
	r, err := search.UpdateIndex(t.Context(), s.a, search.UpdateOptions{})
	if err != nil || r.Seq != 3 || r.Artifacts != books+1 {
		t.Errorf("brought to %+v, %v", r, err)
	}
	if names, notice := s.find(s.open(nil), "harvest"); notice != "" || len(names) != 1 {
		t.Errorf("at the end: found %v, said %q", names, notice)
	}
}

// kindOf returns the kind of an error, "" for none.
func kindOf(err error) problem.Kind {
	var fault *problem.Error
	if errors.As(err, &fault) {
		return fault.Kind
	}
	return ""
}

// Of an index of which much is missing no search says that something is nowhere, and every
// result says which share was searched.
func TestNotSearched(t *testing.T) {
	s := newShelf(t)
	s.interrupt(books - 2)
	never := s.open(func() error { return nil })
	r, err := search.Search(t.Context(), never, "apples", 5, search.Reader{}, nil)
	if err != nil || len(r.Hits) == 0 || r.Searched.Whole() || r.Searched.Percent%10 != 0 || r.Searched.Seq != 1 {
		t.Errorf("a part of the snapshot: %+v, %v", r, err)
	}
	r, err = search.Search(t.Context(), never, "zebra", 5, search.Reader{}, nil)
	if kindOf(err) != problem.NotSearched || r != nil {
		t.Errorf("words that were not looked for everywhere: %+v, %v", r, err)
	}
	if _, err := search.UpdateIndex(t.Context(), s.a, search.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if r, err = search.Search(t.Context(), never, "zebra", 5, search.Reader{}, nil); err != nil || len(r.Hits) > 0 || !r.Searched.Whole() {
		t.Errorf("with the whole index: %+v, %v", r, err)
	}
}

// What an index lacks is scanned directly where it cannot be written: without any index, and
// with one of an older snapshot, in which a text was described otherwise.
func TestScannedDirectly(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"wheel.txt": "The wheel of the mill broke in the flood.\n", "apple.txt": "The apple trees stand in water.\n"})
	archivetest.Seal(t, a, key)
	block := func() (undo func()) {
		dir, err := a.LocalPath("search", "lock")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil { // no file can be there
			t.Fatal(err)
		}
		return func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	find := func(words string, want int) {
		t.Helper()
		r, err := search.Search(t.Context(), a, words, 5, search.Reader{}, nil)
		if err != nil || len(r.Hits) != want || !r.Searched.Whole() || r.Notice != "" {
			t.Errorf("%s: %+v, %v; want hits: %d", words, r, err, want)
		}
	}
	undo := block()
	find("wheel", 1)
	find("zebra", 0)
	undo()
	if _, err := search.UpdateIndex(t.Context(), a, search.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	archivetest.AddLetter(t, a, key, "A letter about the harvest and the wheel.\n")
	block()
	find("harvest", 1)
	find("wheel", 2)
	find("zebra", 0)
	if ix, err := a.IndexState(); err != nil || ix == nil || ix.Seq != 1 {
		t.Errorf("the index is now %+v, %v", ix, err)
	}
}

// One that waits for another builder hears how far that one is; one that does not want to
// wait ends at once.
func TestTwoBuilders(t *testing.T) {
	s := newShelf(t)
	dir, err := s.a.LocalPath("search")
	if err != nil {
		t.Fatal(err)
	}
	claim, err := retrieve.Claim(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.UpdateIndex(t.Context(), s.a, search.UpdateOptions{Alone: true})
	if err != nil || !r.Busy {
		t.Errorf("beside a builder: %+v, %v", r, err)
	}
	ended := make(chan error)
	go func() {
		r, err := search.UpdateIndex(t.Context(), s.a, search.UpdateOptions{})
		if err == nil && r.Artifacts != books+1 {
			err = fmt.Errorf("%d texts can be found", r.Artifacts)
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Errorf("did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
		claim.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
