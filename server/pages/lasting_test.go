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
