package pages

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/server"
)

// An answer's page says of the question what the answer is to it, opens the context of the words in
// place, and speaks of the budget only where little is left.
func TestAnswerPage(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	for _, c := range []struct {
		question   string
		want, lack []string
	}{
		{"Who repaired the mill wheel?", []string{`s-verified">Answers it<`, "<summary>In its context</summary>", "<mark>Tobias Lunt repaired the mill wheel.</mark> He would take no money", "copycite", `class="printed">a, http://127.0.0.1`}, []string{"Nearest", "Removed topics", "Not answered", `class="budget"`}},
		{"Who was afraid of the lantern in the chapel?", []string{`s-warning">Nearest; nobody has checked that it answers<`}, []string{"Answers it", "Removed topics", `class="budget"`}},
		{"What does the xylophone quartet charge for zeppelins?", []string{`s-failed">Nothing here says it<`}, []string{"Answers it", `class="budget"`}},
	} {
		path := h.ask(t, c.question)
		_, page := h.get(t, path)
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", c.question, want, page)
			}
		}
		for _, lack := range c.lack {
			if strings.Contains(page, lack) {
				t.Errorf("%s: has %q", c.question, lack)
			}
		}
		if _, twin := h.get(t, path+".json"); !strings.Contains(twin, `"says":"`) {
			t.Errorf("%s: the twin does not say what the answer is: %s", c.question, twin)
		}
	}
}

// Each citation of an answer about the holdings leads to the paper that it names.
func TestHoldingsAnswerLeadsToItsPapers(t *testing.T) {
	files := map[string]string{}
	for _, day := range []string{"3", "11", "28"} {
		files["1911-02-"+day+".txt"] = "Weymouth, " + day + " February 1911\n\nDear Silas,\n\nIt rained on day " + day + ".\n\nYour Clara\n"
	}
	a, key := archivetest.New(t, files)
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	at, page := h.post(t, "/ask", url.Values{"question": {"How many letters are there of 1911?"}})
	cards := regexp.MustCompile(`(?s)<section class="card[^>]*>.*?</section>`).FindAllString(page, -1)
	led := 0
	for _, card := range cards {
		day := regexp.MustCompile(`1911-02-(\d+)\.txt`).FindStringSubmatch(card)
		link := regexp.MustCompile(`href="(/a/[^"]+)"`).FindStringSubmatch(card)
		if day == nil || link == nil {
			continue
		}
		led++
		if _, paper := h.get(t, link[1]); !strings.Contains(paper, "It rained on day "+day[1]+".") || !strings.Contains(card, "Clara to Silas, "+day[1]+" February 1911") {
			t.Errorf("%s leads to another paper, or has its title: %s", day[0], card)
		}
	}
	if led < 3 {
		t.Errorf("%s: %d cards lead to a paper: %s", at, led, page)
	}
}
