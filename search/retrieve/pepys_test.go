package retrieve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/canon"
	"muniment/internal/casecount"
)

// pepys returns the entries of Samuel Pepys's diary as documents, with dates as
// artifact IDs. The environment variable MUNIMENT_DIARY names the diary's folder
// by its absolute path; without it the test is skipped.
func pepys(tb testing.TB) []Doc {
	tb.Helper()
	root := os.Getenv("MUNIMENT_DIARY")
	if root == "" {
		tb.Skip("skipped: MUNIMENT_DIARY does not name the folder of the diary")
	}
	files, err := filepath.Glob(filepath.Join(root, "16*", "16*.txt"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("MUNIMENT_DIARY: no entries in %s: %v", root, err)
	}
	docs := make([]Doc, 0, len(files))
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		text := canon.Text(data)
		title, _, _ := strings.Cut(string(text), "\n")
		date := strings.TrimSuffix(filepath.Base(f), ".txt")
		docs = append(docs, Doc{Artifact: date, Title: title, Date: date, Lang: "en", Document: canon.NewDocument(text)})
	}
	return docs
}

func TestPepys(t *testing.T) {
	docs := pepys(t)
	if len(docs) != 3413 {
		t.Fatalf("%d entries, want 3413", len(docs))
	}
	x, err := Open(filepath.Join(t.TempDir(), "search"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	begin := time.Now()
	if err := x.Update(t.Context(), "one", sequence(docs), nil, nil); err != nil {
		t.Fatal(err)
	}
	t.Logf("indexed %d entries in %v", len(docs), time.Since(begin))

	questions := []string{"What did he see of the fire on 2 September 1666?", "What did he think of the steam engine?",
		"Which telephone did he buy?", "How did he travel to Japan?", "How many died of the plague in September 1665?",
		"When did he bury the Parmesan cheese and the wine?", "What did his wife say about the coach?", "Who is Deb Willet?"}
	var times []time.Duration
	for range casecount.Of(2, 20) {
		for _, q := range questions {
			begin := time.Now()
			if _, err := x.Search(t.Context(), Query{Text: q, Ignore: []string{"Samuel Pepys"}}); err != nil {
				t.Fatal(err)
			}
			times = append(times, time.Since(begin))
		}
	}
	slices.Sort(times)
	p99 := times[len(times)*99/100]
	t.Logf("search p50 %v, p99 %v", times[len(times)/2], p99)
	for _, q := range questions {
		ps, _ := x.Search(t.Context(), Query{Text: q, Ignore: []string{"Samuel Pepys"}, K: 3})
		for _, p := range ps {
			t.Logf("%s: %s %s %.2f %.2f %v %.60q", q, p.Artifact, p.Span, p.Score, p.Similarity, p.Missing, p.Text)
		}
	}
}
