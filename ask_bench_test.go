package muniment

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkAsk is the whole way of an answer, one after the other: retrieval,
// gates, sealing, signature, the answer log with its fsync, and the bundle's
// file.
func BenchmarkAsk(b *testing.B) {
	a, s := testArchive(b, map[string]string{"letter-1.txt": "Tobias Lunt repaired the mill wheel in March.\n", "letter-2.txt": "The barn was painted.\n"})
	if _, err := a.Snapshot(SnapshotOptions{Text: "test", Signer: s}); err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		r, err := a.Ask(b.Context(), "Who repaired the mill wheel?", AskOptions{Signer: s, BundleFile: filepath.Join(dir, fmt.Sprint(n, ".zip"))})
		if err != nil {
			b.Fatal(err)
		}
		if r.Outcome != "supported" {
			b.Fatalf("outcome %s", r.Outcome)
		}
	}
}
