package retrieve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/cite"
)

// letter makes a document; the first word of the text is its artifact ID.
func letter(id, date, text string) Doc {
	return Doc{Artifact: id, Title: "Letter " + id, Date: date, Lang: "en", Document: canon.NewDocument(canon.Text([]byte(text)))}
}

var sample = []Doc{
	letter("a", "1931-04-12", "I planted three apple trees behind the mill.\n\nThe soil is poor."),
	letter("b", "1931-10-03", "The mill wheel broke in the flood. Matthias repaired it."),
	letter("c", "", "Take two pounds of plums, and mill flour."),
	letter("d", "1954-08-01", "The apple trees of 1931 stand in water."),
	letter("e", "1939", "The ration cards came today."),
}

func opened(t *testing.T, dir string) *Folder {
	t.Helper()
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func update(t *testing.T, x Index, snapshot string, add []Doc, remove ...string) {
	t.Helper()
	if err := x.Update(t.Context(), snapshot, sequence(add), remove, nil); err != nil {
		t.Fatal(err)
	}
	if x.Snapshot() != snapshot {
		t.Fatalf("index of %q, want %q", x.Snapshot(), snapshot)
	}
}

// listed returns what a query finds as one line per passage.
func listed(t *testing.T, x Index, q Query) []string {
	t.Helper()
	ps, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range ps {
		out = append(out, fmt.Sprintf("%s %s %.3f %.3f %v", p.Artifact, p.Span, p.Score, p.Similarity, p.Missing))
	}
	return out
}

func artifacts(t *testing.T, x *Folder, q Query) string {
	t.Helper()
	var ids []string
	for _, l := range listed(t, x, q) {
		ids = append(ids, l[:1])
	}
	return strings.Join(ids, "")
}

func TestSearch(t *testing.T) {
	x := opened(t, filepath.Join(t.TempDir(), "search"))
	if got := listed(t, x, Query{Text: "apple"}); got != nil {
		t.Errorf("an empty index found %v", got)
	}
	update(t, x, "s1", sample)
	tests := []struct {
		query Query
		want  string
	}{
		{Query{Text: "Who repaired the mill?"}, "bac"},
		{Query{Text: "What did she plant?"}, "a"},
		{Query{Text: "What about the apple trees in the spring of 1931?"}, "a"},
		{Query{Text: "What about the apple trees in 1931?"}, "ad"},
		{Query{Text: "flour, mill, in 1931"}, "abc"}, // c has no date: kept, behind
		{Query{Text: "ration cards", From: "1939-06", To: "1940"}, "e"},
		{Query{Text: "ration cards", From: "1941"}, ""},
		{Query{Text: "Matthias", Ignore: []string{"Matthias Kern"}}, ""},
		{Query{Text: "the of and"}, ""},
		{Query{Text: "mill", K: 1}, "a"},
		{Query{}, ""},
	}
	for _, tt := range tests {
		if got := artifacts(t, x, tt.query); got != tt.want {
			t.Errorf("%+v: %q, want %q: %q", tt.query, got, tt.want, listed(t, x, tt.query))
		}
	}
	if _, err := x.Search(t.Context(), Query{Text: "mill", From: "yesterday"}); err == nil {
		t.Error("a date that is none was accepted")
	}
	ps, err := x.Search(t.Context(), Query{Text: "Which zeppelin flew over the mill?", K: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"zeppelin", "flew"}, ps[0].Missing); d != "" || ps[0].Similarity <= 0 || ps[0].Similarity >= 0.5 {
		t.Errorf("similarity %v, missing %v", ps[0].Similarity, ps[0].Missing)
	}
}

// An index brought up to date step by step answers as one built at once.
func TestUpdateEqualsBuild(t *testing.T) {
	dir := t.TempDir()
	steps := opened(t, filepath.Join(dir, "steps"))
	update(t, steps, "s1", append(sample[:2:2], letter("d", "1954-08-01", "An older text about the mill and apples."), letter("x", "", "The mill is gone.")))
	update(t, steps, "s2", sample[2:], "x")
	once := opened(t, filepath.Join(dir, "once"))
	update(t, once, "s2", sample)
	for _, q := range []string{"mill", "apple trees", "Who repaired the mill in 1931?", "gone older text", "water flour"} {
		if d := cmp.Diff(listed(t, once, Query{Text: q}), listed(t, steps, Query{Text: q})); d != "" {
			t.Errorf("%q: %s", q, d)
		}
	}
	ids, err := steps.Artifacts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a", "b", "c", "d", "e"}, ids); d != "" {
		t.Error(d)
	}
	folders, err := filepath.Glob(filepath.Join(dir, "steps", "*-*"))
	if err != nil || len(folders) != 1 {
		t.Errorf("folders left: %v, %v", folders, err)
	}
}

// Whatever is broken in the folder, the index opens empty or searches well, and can be built again.
func TestDamagedIndex(t *testing.T) {
	defects := map[string]func(t *testing.T, folder string){
		"manifest gone":      func(t *testing.T, f string) { remove(t, filepath.Join(f, manifestFile)) },
		"segment truncated":  func(t *testing.T, f string) { truncate(t, glob(t, filepath.Join(f, "store", "*.zap"))) },
		"segment gone":       func(t *testing.T, f string) { remove(t, glob(t, filepath.Join(f, "store", "*.zap"))) },
		"root changed":       func(t *testing.T, f string) { flip(t, filepath.Join(f, "store", "root.bolt")) },
		"pointer to nothing": func(t *testing.T, f string) { remove(t, f) },
		"pointer garbage": func(t *testing.T, f string) {
			if err := os.WriteFile(filepath.Join(filepath.Dir(f), currentFile), []byte("../../etc\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, break_ := range defects {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "search")
			x := opened(t, dir)
			update(t, x, "s1", sample)
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			break_(t, filepath.Join(dir, folderOf(Extent{Snapshot: "s1"})))
			x = opened(t, dir)
			if x.Snapshot() != "" {
				t.Fatalf("damaged index opened as %q", x.Snapshot())
			}
			update(t, x, "s1", sample)
			if got := artifacts(t, x, Query{Text: "plant"}); got != "a" {
				t.Errorf("after building again: %q", got)
			}
		})
	}
}

// A changed byte in a large segment is not looked for when opening. It may change a result, or be
// reported as damage, but never bring the program down.
func TestFlippedSegment(t *testing.T) {
	const flips = 12
	for at := 0; at < flips; at++ {
		dir := filepath.Join(t.TempDir(), "search")
		x := opened(t, dir)
		update(t, x, "s1", sample)
		path := glob(t, filepath.Join(dir, folderOf(Extent{Snapshot: "s1"}), "store", "*.zap"))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		x.Close()
		data[len(data)*at/flips] ^= 0xFF
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := writeManifest(filepath.Join(dir, folderOf(Extent{Snapshot: "s1"})), Extent{Snapshot: "s1"}); err != nil {
			t.Fatal(err)
		}
		x = opened(t, dir)
		if _, err := x.Search(t.Context(), Query{Text: "Who planted apple trees in 1931?"}); errors.Is(err, ErrDamaged) && x.Snapshot() != "" {
			t.Errorf("byte %d: damaged, and still in use", at)
		}
	}
}

func glob(t *testing.T, pattern string) string {
	t.Helper()
	m, err := filepath.Glob(pattern)
	if err != nil || len(m) == 0 {
		t.Fatalf("%s: nothing there, %v", pattern, err)
	}
	return m[0]
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string) {
	t.Helper()
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
}

func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 0xFF
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Several indexes over one folder search while another builds.
func TestConcurrentOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "search")
	x := opened(t, dir)
	update(t, x, "s1", sample)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				y, err := Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if ps, err := y.Search(t.Context(), Query{Text: "apple"}); err != nil || len(ps) != 2 {
					t.Errorf("%q: %d passages, %v", y.Snapshot(), len(ps), err)
				}
				y.Close()
			}
		})
	}
	for i := range 3 {
		if err := x.Update(t.Context(), fmt.Sprintf("s%d", i+2), sequence(sample[:1]), nil, nil); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	y := opened(t, dir)
	if y.Snapshot() != "s4" {
		t.Errorf("snapshot %q, want s4", y.Snapshot())
	}
}

// Passages have their text at their span, keep to MaxPassage where they can, and hold every content word.
func TestPassages(t *testing.T) {
	word := rapid.SampledFrom([]string{"The", "mill", "Dr.", "burned.", "It", "was", "“late”.", "\n\n", "\n", "Übermut!", "x", "and", strings.Repeat("very ", 150)})
	rapid.Check(t, func(t *rapid.T) {
		text := canon.Text([]byte(strings.Join(rapid.SliceOfN(word, 1, 80).Draw(t, "words"), " ")))
		if text == nil {
			return
		}
		d := Doc{Artifact: "a", Document: canon.NewDocument(text), Rows: rapid.Bool().Draw(t, "rows")}
		ps, err := passages(d)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, s := range ps {
			p, err := s.passage()
			if err != nil {
				t.Fatal(err)
			}
			if quote, err := cite.Quote(d.Document, p.Span); err != nil || quote != p.Text {
				t.Fatalf("%s: %q, want %q, %v", p.Span, quote, p.Text, err)
			}
			if n := utf8.RuneCountInString(p.Text); n > MaxPassage && !d.Rows && len(runsOf(p.Text, "")) > 1 {
				t.Fatalf("a passage of %d code points has several sentences", n)
			}
			more, _ := keysOf(p.Text, "en")
			words = append(words, more...)
		}
		all, _ := keysOf(string(text), "en")
		if d := cmp.Diff(all, words); d != "" {
			t.Fatal(d)
		}
	})
}
