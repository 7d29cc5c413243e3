package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxParagraph is how many words a paragraph of the specification or of the
// limits may have: a longer one states more than a reader can hold.
const maxParagraph = 120

// listItem matches the first line of an item of a list or of a row of a table.
var listItem = regexp.MustCompile(`^(?:[-*|]|\d+\.) `)

// measured matches a figure that somebody measured: a time below a minute, a
// speed, or an amount of memory in MB. Limits of the formats are in MiB and KiB,
// which are not matched.
var measured = regexp.MustCompile(`\b\d[\d.,]* ?(?:ns|µs|ms|s|MB/s|[MG]B)\b`)

// allowedFigures are limits and waits that the program keeps to, not measurements.
var allowedFigures = []string{
	"60 s, 768 MiB",                   // how long a PDF may be read
	"whole number of steps of 100 ms", // how long an answer waits
	"within 128 MB of memory",         // the promise for large inputs
}

// TestPages reads the pages of the specification and the limits: paragraphs are
// short, and measured figures are in docs/performance.md and docs/evidence.md.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/spec/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../../docs/limits.md")
	n := 0
	for _, page := range pages {
		for _, p := range paragraphs(t, page) {
			n++
			if words := len(strings.Fields(p.text)); words > maxParagraph {
				t.Errorf("%s:%d: a paragraph of %d words, at most %d: %.60s…", page, p.line, words, maxParagraph, p.text)
			}
			text := p.text
			for _, allowed := range allowedFigures {
				text = strings.ReplaceAll(text, allowed, "")
			}
			if figure := measured.FindString(text); figure != "" {
				t.Errorf("%s:%d: %q is a measured figure: it belongs to docs/performance.md or docs/evidence.md, with its command", page, p.line, figure)
			}
		}
	}
	if len(pages) < 12 || n < 500 {
		t.Errorf("%d paragraphs of %d pages, want all", n, len(pages))
	}
}

// packageList matches a sentence that names packages of this module, and
// packageName each of them.
var (
	packageList = regexp.MustCompile("[Pp]ackages? (?:`[a-z/]+`(?: \\([^)]*\\))?(?:, | and )?)+")
	packageName = regexp.MustCompile("`([a-z/]+)`")
)

// TestPackagesOfPages requires that the packages that pages name exist.
func TestPackagesOfPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/spec/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, page := range append(pages, "../../docs/evidence.md", "../../docs/limits.md") {
		for _, p := range paragraphs(t, page) {
			for _, list := range packageList.FindAllString(p.text, -1) {
				for _, name := range packageName.FindAllStringSubmatch(list, -1) {
					n++
					if files, err := filepath.Glob("../../" + name[1] + "/*.go"); err != nil || len(files) == 0 {
						t.Errorf("%s:%d: there is no package %s", page, p.line, name[1])
					}
				}
			}
		}
	}
	if n < 15 {
		t.Errorf("%d packages found in the pages, want more", n)
	}
}

// A paragraph is a run of lines of a page, an item of a list or a row of a table.
type paragraph struct {
	line int
	text string
}

// paragraphs returns the paragraphs of a page, without headings and examples.
func paragraphs(t *testing.T, page string) []paragraph {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []paragraph
	open, example := false, false
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			open, example = false, !example
		case example:
		case line == "" || strings.HasPrefix(line, "#"):
			open = false
		case open && !listItem.MatchString(line):
			all[len(all)-1].text += " " + line
		default:
			all = append(all, paragraph{i + 1, line})
			open = true
		}
	}
	return all
}

// TestBenchPage requires a row in bench/README.md for each script and program
// of bench, and no row for another.
func TestBenchPage(t *testing.T) {
	data, err := os.ReadFile("../../bench/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z.]+)[ `]").FindAllStringSubmatch(string(data), -1) {
		rows[m[1]] = true
	}
	entries, err := os.ReadDir("../../bench")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "README.md" && !rows[e.Name()] {
			t.Errorf("bench/README.md does not list %s", e.Name())
		}
		delete(rows, e.Name())
	}
	for name := range rows {
		t.Errorf("bench/README.md lists %s, which is not there", name)
	}
}

// TestLinks requires that the files to which the documents link exist.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	var pages []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md", "../../bench/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	n := 0
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			n++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d links found, want all", n)
	}
}
