package retrieve

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/text/segment"
)

const meanings = 509

// meaning embeds texts: words of one meaning lie in one direction, others where their sum falls.
func meaning(_ context.Context, texts []string) ([][]float32, error) {
	same := map[string]string{"fruit": "apple", "orchard": "apple", "mended": "repair", "fixed": "repair"}
	var out [][]float32
	for _, t := range texts {
		v := make([]float32, meanings)
		for _, w := range segment.Words(t) {
			stem := segment.Stem(w.Lower)
			if s := same[w.Lower]; s != "" {
				stem = segment.Stem(s)
			}
			if !segment.Function(w.Lower) {
				h := fnv.New32a()
				h.Write([]byte(stem))
				v[h.Sum32()%meanings]++
			}
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x * x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(max(sum, 1)))
		}
		out = append(out, v)
	}
	return out, nil
}

func vectorsOf(t *testing.T, dir string) *Vectors {
	t.Helper()
	v, err := OpenVectors(dir, "small")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A passage without a word of the question is found by its vector; dates hold for it, and what left
// the index stays away.
func TestEmbedded(t *testing.T) {
	dir := t.TempDir()
	x := opened(t, filepath.Join(dir, "search"))
	update(t, x, "s1", sample)
	v := vectorsOf(t, dir)
	if err := v.Add(t.Context(), sequence(sample), meaning, nil); err != nil {
		t.Fatal(err)
	}
	if err := v.Cover("s1"); err != nil {
		t.Fatal(err)
	}
	again := vectorsOf(t, dir)
	if again.Len() != v.Len() || again.Len() < len(sample) || again.Covered() != "s1" {
		t.Fatalf("%d vectors of %d were kept, of %q", again.Len(), v.Len(), again.Covered())
	}
	calls := 0
	counted := func(ctx context.Context, texts []string) ([][]float32, error) { calls++; return meaning(ctx, texts) }
	if err := again.Add(t.Context(), sequence(sample), counted, nil); err != nil || calls != 0 {
		t.Errorf("vectors that are there were asked for again %d times, %v", calls, err)
	}
	e := &Embedded{Index: x, Vectors: again, Embed: counted}
	first := func(q Query, want string) []Passage {
		t.Helper()
		ps, err := e.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(ps) > 0 {
			got = ps[0].Artifact
		}
		if got != want {
			t.Errorf("%q: %q first, want %q: %+v", q.Text, got, want, ps)
		}
		return ps
	}
	ps := first(Query{Text: "Who fixed the wheel?", K: 2}, "b")
	if ps[0].Similarity <= 0.3 || ps[0].Similarity > 1 || cmp.Diff([]string{"fixed"}, ps[0].Missing) != "" {
		t.Errorf("similarity %v, missing %v", ps[0].Similarity, ps[0].Missing)
	}
	if got := artifacts(t, x, Query{Text: "the orchard"}); got != "" {
		t.Errorf("without vectors: %q", got)
	}
	first(Query{Text: "the orchard", K: 1}, "a")
	first(Query{Text: "the orchard", K: 1, From: "1950", To: "1960"}, "d")
	update(t, x, "s2", nil, "a")
	first(Query{Text: "the orchard", K: 1, To: "1940"}, "d") // its words name 1931

	broken := errors.New("no answer")
	e.Embed = func(context.Context, []string) ([][]float32, error) { return nil, broken }
	if _, err := e.Search(t.Context(), Query{Text: "mill"}); !errors.Is(err, broken) {
		t.Errorf("an endpoint that does not answer: %v", err)
	}
}

// What was embedded before an error is kept; files that are damaged, of another model or of another
// number of dimensions count as absent.
func TestVectorsKept(t *testing.T) {
	dir := t.TempDir()
	v := vectorsOf(t, dir)
	broken := errors.New("a text that cannot be read")
	docs := func(yield func(Doc, error) bool) {
		for i := range 300 {
			if !yield(letter(strings.Repeat("x", i+1), "", "The mill. The apple."), nil) {
				return
			}
		}
		yield(Doc{}, broken)
	}
	if err := v.Add(t.Context(), docs, meaning, nil); !errors.Is(err, broken) {
		t.Fatalf("the error of a document became %v", err)
	}
	if v.Len() != 256 || vectorsOf(t, dir).Len() != 256 {
		t.Fatalf("%d vectors, %d kept, want 256", v.Len(), vectorsOf(t, dir).Len())
	}
	other := func(context.Context, []string) ([][]float32, error) { return [][]float32{{1, 0}}, nil }
	if err := v.Add(t.Context(), sequence(sample[:1]), other, nil); err == nil {
		t.Error("vectors of another length were taken")
	}
	if o, err := OpenVectors(dir, "large"); err != nil || o.Len() != 0 {
		t.Errorf("another model has %d vectors, %v", o.Len(), err)
	}
	if _, err := OpenVectors(dir, "two\nlines"); err == nil {
		t.Error("a name of two lines")
	}
	file := glob(t, filepath.Join(dir, "*", "*.vectors"))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flip(t, file)
	if n := vectorsOf(t, dir).Len(); n != 0 {
		t.Errorf("%d vectors of a damaged file", n)
	}
	// A file that is cut anywhere but between two vectors has none.
	head := len(v.header(meanings))
	one := len(passageID("x", 0)) + 1 + 4*meanings // the first names differ in length
	for at := range head + one {
		w := vectorsOf(t, t.TempDir())
		if w.decode(data[:at]); w.Len() != 0 {
			t.Fatalf("cut at %d: %d vectors", at, w.Len())
		}
	}
	w := vectorsOf(t, t.TempDir())
	if w.decode(data[:head+one]); w.Len() != 1 {
		t.Errorf("the first vector alone: %d", w.Len())
	}
}
