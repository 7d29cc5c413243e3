package pages

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// post sends a form and returns the page to which it leads, with its path.
func (h *house) post(t *testing.T, path string, form url.Values) (at, body string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, h.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", h.url)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Request.URL.Path, string(data)
}

// A text with marks has an address that stays, and each mark the verdict of its citation on its own sentence.
func TestReportPage(t *testing.T) {
	h := newHouse(t)
	text := "# The mill\n\nThe mill wheel has stopped. [1] There was flour\nfor a year. [3]\n\n- The mill wheel broke. [1] Nobody says that The mill wheel has stopped. [1]\n- Nobody knows why. [99]\n"
	at, page := h.post(t, "/reports", url.Values{"text": {text}})
	if !strings.HasPrefix(at, "/reports/") {
		t.Fatalf("leads to %s: %s", at, page)
	}
	for _, want := range []string{
		"<h1>The mill</h1>", `The mill wheel has stopped. <a class="cref s-verified" href="#c1" data-card="c1">[1]</a>`, `There was flour for a year. <a class="cref s-failed"`,
		`<p class="item">The mill wheel broke. <a class="cref s-warning"`, `Nobody knows why. <a class="cref s-failed" href="#c99"`,
		"1 failed", "1 without a citation", "2 registered for another sentence", "1 verified", `id="c1"`, `id="c3"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	_, again := h.get(t, at+"?show=verified")
	if strings.Contains(again, `id="c3"`) || !strings.Contains(again, `id="c1"`) || !strings.Contains(again, "s-dim") {
		t.Errorf("show=verified: %s", again)
	}
	if at, page := h.post(t, "/reports", url.Values{"text": {"No mark."}}); at != "/reports" || !strings.Contains(page, "There is no mark in the text") || !strings.Contains(page, "No mark.</textarea>") {
		t.Errorf("a text without marks: %s %s", at, page)
	}
}

// The report on a document that was handed in has an address that stays.
func TestExaminationPage(t *testing.T) {
	h := newHouse(t)
	at, page := h.post(t, "/examine", url.Values{"text": {"She wrote: “The mill wheel has turned.”\n"}})
	if !strings.HasPrefix(at, "/examinations/") || !strings.Contains(page, "<del>turned</del>") || !strings.Contains(page, `<mark class="ex-bad">`) {
		t.Fatalf("leads to %s: %s", at, page)
	}
	if status, again := h.get(t, at); status != http.StatusOK || again != page {
		t.Errorf("the page does not stay: %d %s", status, again)
	}
	link := regexp.MustCompile(`<cite><a href="([^"#]+span=[^"#]+)[^"]*">[^<]+</a></cite>`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("the paper has no link: %s", page)
	}
	if status, paper := h.get(t, html.UnescapeString(link[1])); status != http.StatusOK || !strings.Contains(paper, "<mark") {
		t.Errorf("%s is %d, with no words marked", link[1], status)
	}
}
