package container

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Whatever opens keeps to the limits, has names that are safe and distinct,
// gives no entry more bytes than it declares, and opens the same way again.
func FuzzOpen(f *testing.F) {
	for _, c := range zipCases(f) {
		if len(c.data) < 4096 {
			f.Add(c.data)
		}
	}
	for _, c := range tarCases() {
		if len(c.data) < 4096 {
			f.Add(c.data)
		}
	}
	f.Add(gzipped(f, append(tarFile("a", "b"), tarEnd...)))
	for _, name := range []string{"lzma2", "ppmd", "mixed", "plainhead"} {
		f.Add(readSample(f, name))
	}
	small := limits{entries: 100, names: 10_000, total: 1 << 20, ratio: 50, free: 1 << 16, directory: 1 << 16}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := openWithin(data, small)
		if err != nil {
			if r != nil {
				t.Fatal("a reader beside an error")
			}
			return
		}
		var total int64
		seen := map[string]bool{}
		for i, e := range r.Entries() {
			if p, reason := CheckName(e.Name); p != e.Path || reason != "" || seen[p] || e.Index() != i {
				t.Fatalf("entry %d: name %q, path %q: %s", i, e.Name, e.Path, reason)
			}
			seen[e.Path] = true
			total += e.Size
			body, err := readAll(e)
			if int64(len(body)) > e.Size || err == nil && int64(len(body)) != e.Size {
				t.Fatalf("%q of %d bytes reads as %d, %v", e.Name, e.Size, len(body), err)
			}
		}
		if total > small.expansion(int64(len(data))) && r.Format() != Tar {
			t.Fatalf("%d bytes expand to %d", len(data), total)
		}
		again, err := openWithin(data, small)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r.Entries(), again.Entries(), cmpopts.IgnoreUnexported(Entry{})); d != "" {
			t.Fatal(d)
		}
	})
}
