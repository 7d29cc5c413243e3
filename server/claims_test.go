package server

import (
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
)

// TestOwnClaims demands one verdict with one reason of all surfaces on claims of pronouns, two clauses, restrictions, dates and numbers in English
// and German, and of an examination the verdict that a citation of its words has. The file has papers (=, P), words of them (Q) and claims (C).
func TestOwnClaims(t *testing.T) {
	data, err := os.ReadFile("testdata/claims.txt")
	if err != nil {
		t.Fatal(err)
	}
	papers := map[string]string{}
	var cases []reachCase
	name, words := "", ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "=":
			name = rest
		case "P":
			papers[name] += rest + "\n\n"
		case "Q":
			words = rest
		case "C":
			cases = append(cases, reachCase{"own", name, words, rest})
		}
	}
	a, key := archivetest.New(t, papers)
	archivetest.Seal(t, a, key)
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	said := judgedBy(t, a, key, h.URL, func() { h.Close(); s.Close() }, cases)
	items, _, differ := compareExamined(t, a, cases)
	if len(cases) < 70 || items == 0 || len(differ) > 0 {
		t.Errorf("%d claims, %d items of an examination have one, and cite differs on %q", len(cases), items, differ)
	}
	for i, c := range cases {
		want := said["cite"][i]
		for _, surface := range slices.Sorted(maps.Keys(said)) {
			if v := said[surface][i]; v.status != want.status || v.reason != "" && want.status != "verified" && !strings.Contains(v.reason, want.reason) {
				t.Errorf("%s: %+v, cite %+v: %q of %q", surface, v, want, c.claim, c.words)
			}
		}
	}
}
