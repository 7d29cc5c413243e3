package retrieve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/cite"
	"muniment/internal/casecount"
	"muniment/text/segment"
)

// everyPassage answers a query by scoring all passages of all documents.
func everyPassage(t *rapid.T, docs map[string]Doc, q Query) []Passage {
	var all []stored
	for _, d := range docs {
		ps, err := passages(d)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ps...)
	}
	s, err := newPlan(q)
	if err != nil {
		t.Fatal(err)
	}
	if s == nil {
		return nil
	}
	tongues := map[string]bool{}
	for _, p := range all {
		tongues[p.tongue] = true
	}
	s.translate(slices.Sorted(maps.Keys(tongues)))
	err = s.weigh(uint64(len(all)), func(key string) (n uint64, err error) {
		for _, p := range all {
			if strings.Contains(" "+p.Words+" ", " "+key+" ") {
				n++
			}
		}
		return n, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []Passage
	for i := range all {
		p, ok, err := s.score(&all[i])
		if err != nil {
			t.Fatal(err)
		}
		if ok && holds(&p) {
			found = append(found, p)
		}
	}
	if found = rank(found, s.k); len(found) == 0 {
		return nil
	}
	return found
}

var (
	someWords = rapid.SampledFrom([]string{"mill", "Mill", "plum", "York", "york", "Reeve", "wheel", "broke", "apple", "Apple.", "flour", "Mühle", "muhle", "Äpfel", "the", "and", "in 1931", "on 4 May 1931.", "in the spring of 1932", "in the 1930s"})
	someDates = rapid.SampledFrom([]string{"", "1931", "1931-04", "1931-05-04", "1932-04-02", "1940", "fall 1931"})
	someText  = rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(someWords, 1, 8).Draw(t, "words"), " ")
	})
)

// conformance runs what every index must do. open returns the index of a name that no test used
// before, the same again for the same name.
func conformance(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	t.Run("finds the best", func(t *testing.T) { findsTheBest(t, open) })
	t.Run("goes on", func(t *testing.T) { goesOn(t, open) })
	t.Run("long lines", func(t *testing.T) { longLines(t, open) })
	t.Run("one key of two words", func(t *testing.T) { oneKeyOfTwoWords(t, open) })
	t.Run("interrupted", func(t *testing.T) { interrupted(t, open) })
	t.Run("begun anew", func(t *testing.T) { begunAnew(t, open) })
	t.Run("many equal", func(t *testing.T) { manyEqualOnes(t, open) })
}

// manyEqualOnes: of thousands of passages that say the same the first by name are found, with a word
// that stands in all and another that few have, and those of a date likewise; and so it is after some
// have left.
func manyEqualOnes(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	const texts = 3 * manyEqual
	x := openedNamed(t, open, "equal")
	docs := func(yield func(Doc, error) bool) {
		for i := texts - 1; i >= 0; i-- { // their numbers run against their names
			text := "The apple tree is praised.\n"
			if i%1000 == 7 {
				text = "The apple tree and the plum tree are praised.\n"
			}
			d := letter(fmt.Sprintf("d%05d", i), []string{"1931", "", "1940"}[i%3], text)
			if !yield(d, nil) {
				return
			}
		}
	}
	if err := x.Update(t.Context(), "one", docs, nil, nil); err != nil {
		t.Fatal(err)
	}
	var hidden []string
	for i := range 30 {
		hidden = append(hidden, fmt.Sprintf("d%05d", i))
	}
	check := func(q Query, want ...int) {
		t.Helper()
		ps, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, p := range ps {
			got = append(got, number(p.Artifact[1:]))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%+v: %s", q, d)
		}
	}
	check(Query{Text: "apple", K: 3}, 0, 1, 2)
	check(Query{Text: "apple", K: 3, Hidden: hidden}, 30, 31, 32)
	check(Query{Text: "apple plum", K: 4}, 7, 1007, 2007, 3007)
	check(Query{Text: "apple plum", K: 14, Hidden: hidden}, 1007, 2007, 3007, 4007, 5007, 6007, 7007, 8007, 9007, 10007, 11007, 12007, 30, 31)
	check(Query{Text: "apple in 1940", K: 3}, 2, 5, 8)
	check(Query{Text: "plum in 1931", K: 2}, 2007, 5007)
	check(Query{From: "1940", To: "1940", K: 3}, 2, 5, 8)
	if err := x.Update(t.Context(), "two", sequence(nil), hidden, nil); err != nil {
		t.Fatal(err)
	}
	check(Query{Text: "apple", K: 3}, 30, 31, 32)
	check(Query{Text: "apple plum", K: 2}, 1007, 2007)
}

// oneKeyOfTwoWords: two words of a query that are indexed alike are weighed alike, also when some of the
// passages that hold them are hidden.
func oneKeyOfTwoWords(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	x, err := open(t.Context(), "alike")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	docs := []Doc{letter("a", "", "Mühle an der Oder."), letter("b", "", "Die Mühle steht."), letter("c", "", "Ein Garten.")}
	for i := range docs {
		docs[i].Lang = "de"
	}
	if err := x.Update(t.Context(), "one", sequence(docs), nil, nil); err != nil {
		t.Fatal(err)
	}
	w, err := x.Weigh(t.Context(), Query{Text: "Mühle muhle", Hidden: []string{"a"}})
	if err != nil || len(w.Terms) != 2 || w.Passages != 2 {
		t.Fatalf("%+v, %v", w, err)
	}
	for _, term := range w.Terms {
		if want := idf(2, 1); term.IDF != want {
			t.Errorf("%s weighs %v, want %v", term.Word, term.IDF, want)
		}
	}
}

// longLines: a line with more words than a database takes in one entry is found
// by its first word and by its last.
func longLines(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	x, err := open(t.Context(), "long")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var line strings.Builder
	const words = 90_000
	for i := range words {
		fmt.Fprintf(&line, "w%06dx ", i)
	}
	text := canon.Text([]byte(line.String()))
	docs := []Doc{{Artifact: "prose", Document: canon.NewDocument(text)}, {Artifact: "rows", Rows: true, Document: canon.NewDocument(text)}}
	if err := x.Update(t.Context(), "one", sequence(docs), nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 5, words / 2, words - 1} {
		word := fmt.Sprintf("w%06dx", i)
		got, err := x.Search(t.Context(), Query{Text: word, K: 5})
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: %d passages, %v", word, len(got), err)
		}
		for k, p := range got {
			quote, err := cite.Quote(docs[k].Document, p.Span)
			if err != nil || quote != p.Text || len(quote) > MaxPiece || !strings.Contains(quote, word) {
				t.Errorf("%s in %s: %d bytes at %s, %v", word, p.Artifact, len(p.Text), p.Span, err)
			}
		}
	}
	if blank := pieces(strings.Repeat(" ", 2*MaxPiece)+"end", []segment.Range{{Start: 0, End: 2*MaxPiece + 3}}); len(blank) != 1 || blank[0].Start != 2*MaxPiece {
		t.Errorf("blanks and a word are cut into %v", blank)
	}
}

// What one process left another one opens; an index that was reset is empty and can be filled again;
// an update that fails or is broken off leaves the index as it was.
func goesOn(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	ctx := t.Context()
	x, err := open(ctx, "on")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	finds := func(x Index, snapshot, want string) {
		t.Helper()
		ps, err := x.Search(ctx, Query{Text: "apple mill"})
		if err != nil || x.Snapshot() != snapshot {
			t.Fatalf("snapshot %q, want %q, %v", x.Snapshot(), snapshot, err)
		}
		got := ""
		for _, p := range ps {
			got += p.Artifact
		}
		if got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	finds(x, "", "")
	if err := x.Update(ctx, "one", sequence(sample[:2]), nil, nil); err != nil {
		t.Fatal(err)
	}
	finds(x, "one", "ab")
	broken := errors.New("a text that cannot be read")
	err = x.Update(ctx, "two", func(yield func(Doc, error) bool) { _ = yield(sample[2], nil) && yield(Doc{}, broken) }, nil, nil)
	if !errors.Is(err, broken) {
		t.Errorf("the error of a document became %v", err)
	}
	finds(x, "one", "ab")
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := x.Update(stopped, "two", sequence(sample), nil, nil); err == nil {
		t.Error("an update that was broken off ended well")
	}
	finds(x, "one", "ab")

	y, err := open(ctx, "on")
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	finds(y, "one", "ab")
	if err := y.Update(ctx, "two", sequence(sample[2:]), []string{"a"}, nil); err != nil {
		t.Fatal(err)
	}
	finds(y, "two", "dbc")
	if err := y.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	finds(y, "", "")
	if err := y.Update(ctx, "three", sequence(sample[:1]), nil, nil); err != nil {
		t.Fatal(err)
	}
	finds(y, "three", "a")
}

// Whatever is indexed and however often it changed, a search finds exactly what scoring every passage finds.
func findsTheBest(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	x, err := open(t.Context(), "best")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	snapshots := 0
	casecount.Rapid(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		docs := map[string]Doc{}
		for i := range rapid.IntRange(1, 3).Draw(t, "updates") {
			var remove []string
			if i == 0 { // what the run before left
				if remove, err = x.Artifacts(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, id := range slices.Sorted(maps.Keys(docs)) {
				if rapid.IntRange(0, 3).Draw(t, "leaves") == 0 {
					delete(docs, id)
					remove = append(remove, id)
				}
			}
			changed := map[string]Doc{}
			for range rapid.IntRange(0, 8).Draw(t, "documents") {
				id := fmt.Sprintf("d%02d", rapid.IntRange(0, 15).Draw(t, "id"))
				paragraphs := rapid.SliceOfN(someText, 1, 3).Draw(t, "paragraphs")
				changed[id] = Doc{Artifact: id, Title: someText.Draw(t, "title"), Date: someDates.Draw(t, "date"), Lang: rapid.SampledFrom([]string{"en", "", "de", "pl"}).Draw(t, "language"),
					Document: canon.NewDocument(canon.Text([]byte(strings.Join(paragraphs, "\n\n"))))}
			}
			maps.Copy(docs, changed)
			snapshots++
			add := slices.Collect(maps.Values(changed))
			if err := x.Update(t.Context(), fmt.Sprint("s", snapshots), sequence(add), remove, nil); err != nil {
				t.Fatal(err)
			}
		}
		for range 8 {
			q := Query{Text: "What of " + someText.Draw(t, "question"), K: rapid.IntRange(1, 6).Draw(t, "k")}
			if rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
				q.From = "1931-05"
			}
			// What is hidden might as well not be there.
			there := maps.Clone(docs)
			if not := rapid.SampledFrom([]string{"none", "d0", "d1", "d"}).Draw(t, "hidden"); not != "none" {
				for id := range docs {
					if strings.HasPrefix(id, not) {
						q.Hidden = append(q.Hidden, id)
						delete(there, id)
					}
				}
				q.Hidden = append(q.Hidden, "one that is in no index")
			}
			got, err := x.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(everyPassage(t, there, q), got); d != "" {
				t.Fatalf("%+v: %s", q, d)
			}
		}
	})
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	conformance(t, func(_ context.Context, name string) (Index, error) { return Open(filepath.Join(dir, name)) })
}
