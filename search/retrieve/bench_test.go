package retrieve

import (
	"path/filepath"
	"testing"
)

func BenchmarkSearchPepys(b *testing.B) {
	docs := pepys(b)
	x, err := Open(filepath.Join(b.TempDir(), "search"))
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if err := x.Update(b.Context(), "one", sequence(docs), nil, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := x.Search(b.Context(), Query{Text: "What did his wife say about the coach and the horses at Whitehall?"}); err != nil {
			b.Fatal(err)
		}
	}
}
