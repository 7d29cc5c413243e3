package layout

import (
	"os"
	"strings"
	"testing"

	"muniment/cid/jcs"
	"muniment/snapshot/access"
)

// TestReservedPage compares the table of docs/spec/reserved.md with reserved.txt, and
// requires each line to reserve what nothing reads yet.
func TestReservedPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/spec/reserved.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(reserved) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 4 {
			t.Errorf("%q has %d fields, want 4", line, len(fields))
			continue
		}
		rows++
		row := "| `" + fields[0] + "` | `" + fields[1] + "` | " + fields[2] + " | " + fields[3] + " |\n"
		if strings.Count(string(page), row) != 1 {
			t.Errorf("docs/spec/reserved.md has no row %s", row)
		}
		for _, known := range []string{access.TypeConsent, access.TypeConsentDefault, access.TypeTiers, "muniment/record/v2"} {
			if base, _, _ := strings.Cut(fields[0], "/v"); strings.HasPrefix(known, base+"/v") && jcs.Newer(fields[0], known) == nil {
				t.Errorf("%s is reserved, and %s is read", fields[0], known)
			}
		}
		if fields[1] == "-" {
			continue
		}
		if kind, _ := ClassifyPath(fields[1] + "a"); kind != KindNone || ReservedType(fields[1]+"ab/cd") == nil {
			t.Errorf("%s is not free for %s", fields[1], fields[0])
		}
	}
	if rows != 13 || strings.Count(string(page), "\n| `") != rows {
		t.Errorf("%d rows, and %d on the page", rows, strings.Count(string(page), "\n| `"))
	}
	for _, path := range []string{"attic/a", "persons", "persons/../x", "Persons/a"} {
		if ReservedType(path) != nil {
			t.Errorf("%s is reserved", path)
		}
	}
}
