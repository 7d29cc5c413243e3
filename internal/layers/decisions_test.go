package layers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// decisionTitle and superseding match the title of a decision page and the line that names the
// page superseding it or a part of it.
var (
	decisionTitle = regexp.MustCompile(`^# *\d+[.:]? *(.+)`)
	superseding   = regexp.MustCompile(`(?m)^(?:Superseded by|Its (.+) is superseded by) \[(\d+)\]`)
)

// TestDecisions requires that the index of the decisions lists each page once, under its title,
// with the mark of those that a later page supersedes.
func TestDecisions(t *testing.T) {
	const folder = "../../docs/decisions/"
	index, err := os.ReadFile(folder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(folder + "[0-9]*.md")
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages of decisions, want all: %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		title := decisionTitle.FindStringSubmatch(string(text))
		if title == nil {
			t.Errorf("%s has no title", page)
			continue
		}
		name := filepath.Base(page)
		line := "- [" + name[:4] + "](" + name + ") " + strings.ToUpper(title[1][:1]) + title[1][1:]
		if by := superseding.FindStringSubmatch(string(text)); by != nil {
			line += " (**" + strings.TrimSpace(by[1]+" superseded by "+by[2]) + "**)"
		}
		if n := strings.Count(string(index), line+"\n"); n != 1 {
			t.Errorf("docs/decisions/README.md has this line %d times, want once:\n%s", n, line)
		}
	}
	if n := strings.Count(string(index), "\n- ["); n != len(pages) {
		t.Errorf("docs/decisions/README.md lists %d pages of %d", n, len(pages))
	}
}
