package pages

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/server"
)

// A link to words leads to them, marked by the server, under ten signs of the id where the public may
// know of the paper and under the id where it may not. References have the archive and the link, and
// only what is public has a card for other sites.
func TestLastingLinks(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1931-04-02.txt"}, Preset: "hidden"})
	h := serveArchive(t, a, key, server.Credential{})
	everything := serveArchive(t, a, key, server.Credential{Role: "admin"})
	id, hidden := h.idOf(t, "1931-03-14.txt"), h.idOf(t, "1931-04-02.txt")
	var cited struct {
		Cite struct {
			Link       string
			References []server.StyledReference
		}
	}
	_, twin := h.get(t, "/cite.json?artifact="+id+"&quote="+url.QueryEscape("mill wheel"))
	if err := json.Unmarshal([]byte(twin), &cited); err != nil {
		t.Fatal(err)
	}
	path, ok := strings.CutPrefix(cited.Cite.Link, h.url+"/p/"+id[7:17]+"?at=")
	if !ok || !strings.HasSuffix(path, "#at") {
		t.Fatalf("link %q", cited.Cite.Link)
	}
	styles := 0
	for _, r := range cited.Cite.References {
		if strings.Contains(r.Text, a.Info().Name) && strings.Contains(r.Text, id[7:17]) {
			styles++
		}
	}
	if styles < 6 {
		t.Errorf("%d styles have the archive and the link: %+v", styles, cited.Cite.References)
	}
	_, page := h.get(t, strings.TrimPrefix(cited.Cite.Link, h.url))
	for _, want := range []string{`<mark id="at">mill wheel</mark>`, `property="og:url" content="` + h.url + "/p/" + id[7:17] + `"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the link has no %s", want)
		}
	}
	if status, body := h.get(t, "/p/"+hidden[7:17]); status != 404 || strings.Contains(body, hidden) {
		t.Errorf("what is hidden: %d %s", status, body)
	}
	_, page = everything.get(t, "/p/"+hidden[7:17])
	if strings.Contains(page, "og:title") || !strings.Contains(page, `data-lasting="`+hidden+`"`) {
		t.Errorf("what the public may not know of has a short address or a card: %s", page)
	}
}

// A page of a site has an anchor where the words of each citation begin.
func TestSiteAnchors(t *testing.T) {
	h := newHouse(t)
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Reader(""), dir, SiteOptions{Signer: h.key}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "a", h.idOf(t, "1931-03-14.txt")+".html"))
	if err != nil {
		t.Fatal(err)
	}
	citations, err := os.ReadFile(filepath.Join(dir, "citations.html"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for part := range strings.SplitSeq(string(citations), "html#p") {
		span, _, _ := strings.Cut(part, `"`)
		if strings.Contains(span, ":") && len(span) < 20 {
			n++
			if !strings.Contains(string(page), `id="p`+span+`"`) {
				t.Errorf("no anchor p%s", span)
			}
		}
	}
	if n < 2 {
		t.Errorf("%d citations lead to the paper", n)
	}
}

// An address of a place that the paper does not have says so, once; one of words that are withheld does not.
func TestMissingPlace(t *testing.T) {
	h := newHouse(t)
	id := h.idOf(t, "1931-03-14.txt")[7:17]
	for at, missing := range map[string]bool{"p99:1-2": true, "p1:90000-90001": true, "nowhere": true, "l999": true, "p1:0-3": false, "p1": false, "l1": false, "": false} {
		_, page := h.get(t, "/p/"+id+"?at="+url.QueryEscape(at))
		says := strings.Count(page, "This paper has no ")
		if says == 1 != missing || says > 1 || strings.Count(page, `id="at"`) > 1 {
			t.Errorf("%q: says %d times that it is missing", at, says)
		}
		if !strings.Contains(page, "mill wheel") {
			t.Errorf("%q: the page has no words", at)
		}
	}
}

// What a reader is advised on a page is something that pages do.
func TestAdviceOfPages(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{"/a/nothing", "/citations/99999", "/cite?artifact=nothing&quote=x", "/snapshots/77", "/p/aaaaaaaaaa"} {
		if _, page := h.get(t, path); strings.Contains(strings.ToLower(page), "call ") || strings.Contains(page, "openapi") || strings.Contains(page, "<p></p>") {
			t.Errorf("%s: a call, or an empty paragraph: %s", path, page)
		}
	}
}
