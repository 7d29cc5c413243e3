package gate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"muniment/snapshot/access"
)

var diarist = access.Subject{Name: "Samuel Pepys", Born: "1633-02-23", Died: "1703-05-26"}

func listed(mode string) access.Persons {
	return access.Persons{ThirdParties: mode, Persons: []access.Person{
		{Name: "Deb Willet", Aliases: []string{"Deb", "Deborah Willet"}, State: access.PersonSealed},
		{Name: "Rose", Aliases: []string{"the girl from Bow"}, State: access.PersonSealed},
		{Name: "Jane Birch", State: access.PersonAnonymized},
		{Name: "Will Hewer", State: access.PersonCleared},
	}}
}

// archives are the facts that the tables name.
var archives = map[string]Facts{
	"pepys":       {Subject: diarist, CoversTo: "1669-05-31", Persons: listed(access.ThirdPartiesListed)},
	"strict":      {Subject: diarist, CoversTo: "1669-05-31", Persons: listed(access.ThirdPartiesStrict)},
	"openpersons": {Subject: diarist, CoversTo: "1669-05-31", Persons: listed(access.ThirdPartiesOpen)},
	"vale":        {Subject: access.Subject{Name: "Ada Vale", Died: "1994-11-30"}, CoversTo: "2020-01-01"},
	"young":       {Subject: access.Subject{Name: "Mia Lund", Died: "2025-06-01"}, CoversTo: "2025-05-01"},
	"declared":    {Subject: access.Subject{Name: "Town of Hale", Died: "1800-01-01", CoversTo: "1950-12-31"}},
	"namesake": {Subject: access.Subject{Name: "Ada Vale"}, Persons: access.Persons{ThirdParties: access.ThirdPartiesListed,
		Persons: []access.Person{{Name: "Ada", State: access.PersonSealed}}}},
	"undated": {Subject: access.Subject{Name: "Samuel Pepys"}, CoversTo: "1669-05-31"},
	"none":    {},
}

// minCases is how many cases each table must hold.
const minCases = 40

type tableCase struct {
	facts, want, question string
	line                  int
}

func readTable(t *testing.T, path string) []tableCase {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []tableCase
	facts := ""
	for i, l := range strings.Split(string(data), "\n") {
		switch {
		case l == "" || strings.HasPrefix(l, "#"):
			continue
		case strings.HasPrefix(l, "facts: "):
			facts = strings.TrimPrefix(l, "facts: ")
			if _, ok := archives[facts]; !ok {
				t.Fatalf("%s:%d: no archive %q", path, i+1, facts)
			}
			continue
		}
		want, q, ok := strings.Cut(l, "  ")
		if !ok {
			t.Fatalf("%s:%d: want two spaces between category and question", path, i+1)
		}
		if quoted, ok := strings.CutPrefix(q, "go:"); ok {
			if q, err = strconv.Unquote(quoted); err != nil {
				t.Fatalf("%s:%d: %v", path, i+1, err)
			}
		}
		if n, ok := strings.CutPrefix(q, "long:"); ok {
			size, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			q = strings.Repeat("é ", size/2) + strings.Repeat("é", size%2)
		}
		out = append(out, tableCase{facts, want, q, i + 1})
	}
	return out
}

func TestCategoryTables(t *testing.T) {
	paths, err := filepath.Glob("testdata/category/*.txt")
	if err != nil || len(paths) != 6 {
		t.Fatalf("%d tables (%v), want one for each of 6 categories", len(paths), err)
	}
	actions := map[string]Action{"": Proceed, PrivateMentalState: ArchiveOnly}
	for _, path := range paths {
		category := strings.TrimSuffix(filepath.Base(path), ".txt")
		cases := readTable(t, path)
		hits := 0
		for _, c := range cases {
			d := Category(c.question, archives[c.facts])
			got := d.Category
			if got == "" {
				got = "proceed"
			} else {
				hits++
			}
			if got != c.want {
				t.Errorf("%s:%d: %q: %s by rule %q, want %s", path, c.line, clipped(c.question), got, d.Rule, c.want)
			}
			want, ok := actions[d.Category]
			if !ok {
				want = Refuse
			}
			if d.Action != want {
				t.Errorf("%s:%d: action %s for category %q, want %s", path, c.line, d.Action, d.Category, want)
			}
			if (d.Message == "") != (d.Action == Proceed) || (len(d.Suggestions) == 0) != (d.Action == Proceed) || (d.Rule == "") != (d.Action == Proceed) {
				t.Errorf("%s:%d: incomplete decision %+v", path, c.line, d)
			}
		}
		if len(cases) < minCases || hits < minCases/3 || len(cases)-hits < minCases/4 {
			t.Errorf("%s: %d cases, %d of them hits: want at least %d cases, of both sorts", path, len(cases), hits, minCases)
		}
		t.Logf("%s: %d cases, %d hits, %d near misses", category, len(cases), hits, len(cases)-hits)
	}
}

func clipped(s string) string {
	if utf8.RuneCountInString(s) > 80 {
		return string([]rune(s)[:80]) + "…"
	}
	return s
}
