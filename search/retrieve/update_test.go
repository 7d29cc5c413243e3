package retrieve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
)

// rows returns texts of a thousand lines each, and counts those that are read.
func rows(n int, read *int) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		for i := range n {
			var b strings.Builder
			for line := range 1000 {
				fmt.Fprintf(&b, "apple%d of the tree %d\n", line, i)
			}
			*read++
			if !yield(Doc{Artifact: fmt.Sprintf("t%02d", i), Lang: "en", Rows: true, Document: canon.NewDocument(canon.Text([]byte(b.String())))}, nil) {
				return
			}
		}
	}
}

// after returns the documents after that of an artifact, without counting those before.
func after(docs iter.Seq2[Doc, error], last string, read *int) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		for d, err := range docs {
			if d.Artifact <= last {
				*read--
				continue
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// openedNamed returns the index of a name, which is closed when the test ends.
func openedNamed(t *testing.T, open func(ctx context.Context, name string) (Index, error), name string) Index {
	t.Helper()
	x, err := open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// interrupted: an update that ends before its time, by an error or because nobody waits any more,
// keeps what it had indexed, and the next one does not read that again.
func interrupted(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	const texts = 12
	broken := errors.New("a text that cannot be read")
	for name, interrupt := range map[string]func(read *int) (context.Context, iter.Seq2[Doc, error]){
		"by an error": func(read *int) (context.Context, iter.Seq2[Doc, error]) {
			return t.Context(), func(yield func(Doc, error) bool) {
				for d, err := range rows(texts, read) {
					if *read == texts {
						d, err = Doc{}, broken
					}
					if !yield(d, err) {
						return
					}
				}
			}
		},
		"by a caller": func(read *int) (context.Context, iter.Seq2[Doc, error]) {
			ctx, cancel := context.WithCancel(t.Context())
			return ctx, func(yield func(Doc, error) bool) {
				for d, err := range rows(texts, read) {
					if *read == texts {
						cancel()
					}
					if !yield(d, err) {
						return
					}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			named := strings.ReplaceAll(name, " ", "_")
			x := openedNamed(t, open, named)
			read := 0
			ctx, docs := interrupt(&read)
			if err := x.Update(ctx, "s1", docs, nil, nil); err == nil {
				t.Fatal("an interrupted update ended well")
			}
			x.Close()
			x = openedNamed(t, open, named)
			e := x.Extent()
			if x.Snapshot() != "" || e.Snapshot != "s1" || e.Done < 2 || e.Done >= texts {
				t.Fatalf("after an interruption: snapshot %q, %+v", x.Snapshot(), e)
			}
			if ps, err := x.Search(t.Context(), Query{Text: "apple7"}); err != nil || len(ps) != min(DefaultK, e.Done) {
				t.Errorf("%d passages found of %d texts, %v", len(ps), e.Done, err)
			}

			again, heard := 0, 0
			rest := after(rows(texts, &again), e.Last, &again)
			if err := x.Update(t.Context(), "s1", rest, nil, func(done int) { heard = done }); err != nil {
				t.Fatal(err)
			}
			if again != texts-e.Done || heard != texts {
				t.Errorf("%d of %d texts were indexed before, and %d were read again; progress says %d", e.Done, texts, again, heard)
			}
			if x.Snapshot() != "s1" || x.Extent() != (Extent{Snapshot: "s1"}) {
				t.Errorf("at the end: %+v", x.Extent())
			}
			once := openedNamed(t, open, named+"_once")
			update(t, once, "s1", nil)
			if err := once.Update(t.Context(), "s2", rows(texts, &again), nil, nil); err != nil {
				t.Fatal(err)
			}
			for _, q := range []string{"apple7 tree", "What of apple999?", "tree"} {
				if d := cmp.Diff(listed(t, once, Query{Text: q}), listed(t, x, Query{Text: q})); d != "" {
					t.Errorf("%q: %s", q, d)
				}
			}
		})
	}
}

// begunAnew: an interrupted update on the way to another snapshot is begun anew.
func begunAnew(t *testing.T, open func(ctx context.Context, name string) (Index, error)) {
	x, read := openedNamed(t, open, "anew"), 0
	stop, cancel := context.WithCancel(t.Context())
	if err := x.Update(stop, "s1", rows(8, &read), nil, func(done int) {
		if done >= 6 {
			cancel()
		}
	}); err == nil {
		t.Fatal("an interrupted update ended well")
	}
	if x.Extent().Last == "" {
		t.Fatalf("nothing is left of it: %+v", x.Extent())
	}
	if f, ok := x.(*Folder); ok && ExtentOf(f.dir) != x.Extent() {
		t.Errorf("the folder says %+v of %+v", ExtentOf(f.dir), x.Extent())
	}
	update(t, x, "s2", sample)
	ids, err := x.Artifacts(t.Context())
	if d := cmp.Diff([]string{"a", "b", "c", "d", "e"}, ids); d != "" || err != nil {
		t.Error(d, err)
	}
}

// One process builds; others are told, search what there is, and go on from what it left.
func TestOneBuilder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "search")
	x, y := opened(t, dir), opened(t, dir)
	if IsBuilt(dir) {
		t.Error("somebody builds where there is no folder")
	}
	err := x.Update(t.Context(), "s1", func(yield func(Doc, error) bool) {
		if !IsBuilt(dir) {
			t.Error("nobody builds")
		}
		if err := y.Update(t.Context(), "s1", sequence(sample), nil, nil); !errors.Is(err, ErrBusy) {
			t.Errorf("beside a builder: %v, want ErrBusy", err)
		}
		sequence(sample)(yield)
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if IsBuilt(dir) {
		t.Error("somebody builds after the end")
	}
	if err := y.Update(t.Context(), "s1", sequence(sample), nil, nil); !errors.Is(err, ErrMoved) {
		t.Errorf("after a builder: %v, want ErrMoved", err)
	}
	if y.Snapshot() != "s1" {
		t.Errorf("at %q afterwards, want what the other one built", y.Snapshot())
	}
}
