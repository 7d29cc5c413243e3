package pages

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/internal/casecount"
	"muniment/server"
)

// widthPapers are papers whose words a page has trouble with: a title and a word that are longer than a line, letters
// that run from right to left, a heading that is the title, lines that a typewriter ended.
var widthPapers = map[string]string{
	"bell.txt":   "An account of the bell.\n\nThe bell was hung again.\n",
	"word.txt":   "Wexcombe, 4 July 1913\n\nDear Thomas,\n\nDie Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft hat sie gekauft.\n\nKonrad\n",
	"hebrew.txt": "ירושלים\n\nהטחנה הישנה עדיין עומדת ליד הנהר.\n",
	"mill.md":    "# The Mill\n\nIt is old.\n\n## The water\n\nIt came from the hill.\n",
	"letter.txt": roomPapers["letter.txt"],
}

// TestWidths looks at pages of such papers in five widths: nothing is wider than the screen, and what was once seen
// to be wrong by eye is right.
func TestWidths(t *testing.T) {
	a, key := archivetest.New(t, widthPapers)
	title := strings.TrimSpace(strings.Repeat("A true and faithful account of the bell ", 8))
	if _, err := accession.Describe(a, []string{"bell.txt"}, accession.Description{Values: sourcemeta.Values{Title: title, PublishedAt: "1817"}}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	b := openTab(t)
	looked := 0
	widths := []int64{320, 768, 1600, 390, 1280}
	for _, width := range widths[:casecount.Of(2, len(widths))] {
		b.do(chromedp.EmulateViewport(width, 900))
		pages := []string{"/", "/inventory", "/names", "/search?q=mill", "/ask", "/examine", "/verify", "/claims", "/custody", "/citations"}
		for name := range widthPapers {
			pages = append(pages, "/a/"+h.idOf(t, name))
		}
		for _, page := range pages {
			b.open(h.url + page)
			if got := b.eval(`String(document.documentElement.scrollWidth <= innerWidth)`); got != "true" {
				t.Errorf("%s is wider than %d px", page, width)
			}
			looked++
		}
	}
	if looked != 15*casecount.Of(2, len(widths)) {
		t.Errorf("%d pages were looked at", looked)
	}
	one := func(width int64, page, script, want string) {
		t.Helper()
		b.do(chromedp.EmulateViewport(width, 900))
		b.open(h.url + page)
		if got := b.eval(script); got != want {
			t.Errorf("%s at %d px: %s gives %s, want %s", page, width, script, got, want)
		}
	}
	one(768, "/", `String(new Set([...document.querySelectorAll('.doors > li')].map((e) => e.offsetTop)).size)`, "1")
	one(320, "/", `String(document.querySelector('.opening h2 a').offsetHeight < 90)`, "true")
	one(768, "/", `String([...document.querySelectorAll('svg.chart text')].filter((e) => getComputedStyle(e).display !== 'none').every((e) => e.getBoundingClientRect().height >= 13))`, "true")
	one(768, "/inventory", `String(document.querySelector('.facets').getBoundingClientRect().right <= document.querySelector('.papers').getBoundingClientRect().left)`, "true")
	hebrew := "/a/" + h.idOf(t, "hebrew.txt")
	one(1280, hebrew, `(() => { const p = document.getElementById('p2'), r = new Range(); r.selectNodeContents(p.querySelector('.line')); return String(Math.abs(r.getBoundingClientRect().right - p.getBoundingClientRect().right) < 2); })()`, "true")
	mill := "/a/" + h.idOf(t, "mill.md")
	one(1280, mill, `getComputedStyle(document.getElementById('p1')).display`, "none")
	one(1280, mill+"?span=p1:2-10#at", `getComputedStyle(document.getElementById('p1')).display`, "block")
	one(1280, "/a/"+h.idOf(t, "letter.txt"), `getComputedStyle(document.getElementById('l5')).whiteSpace`, "normal")
	if _, found := h.get(t, "/search?q=water"); !strings.Contains(found, "The <mark>water</mark>") || strings.Contains(found, "## The") {
		t.Error("a heading is found with its sign")
	}
}
