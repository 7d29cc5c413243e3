package pages

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/server"
)

var inserts = regexp.MustCompile(`\{\d\}`)

// Both files have the same keys, the same inserts and as many forms of a number, and every key that a
// template names.
func TestWords(t *testing.T) {
	en, de := languages()[0].words, languages()[1].words
	if len(en) < 200 {
		t.Fatalf("%d words", len(en))
	}
	for key := range de {
		if en[key] == "" {
			t.Errorf("%s is in German alone", key)
		}
	}
	sorted := func(s string) []string { out := inserts.FindAllString(s, -1); slices.Sort(out); return out }
	for key, text := range en {
		if de[key] == "" || !slices.Equal(sorted(text), sorted(de[key])) || strings.Count(text, "|") != strings.Count(de[key], "|") {
			t.Errorf("%s: %q and %q", key, text, de[key])
		}
	}
	keys := regexp.MustCompile(`\{?\bt "([a-z.0-9A-Z]+)"[ })]`)
	found := 0
	for name, text := range readerTemplates(t) {
		for _, m := range keys.FindAllStringSubmatch(text, -1) {
			if found++; en[m[1]] == "" {
				t.Errorf("%s: no words %q", name, m[1])
			}
		}
	}
	for _, axis := range append([]string{bundle.AxisTrust, "PASS", "FAIL", "NOT-CHECKED"}, bundle.AxisNames...) {
		if en["step."+axis] == "" {
			t.Errorf("no words for the step %q", axis)
		}
	}
	if found < 200 {
		t.Errorf("%d keys in templates", found)
	}
}

// readerTemplates returns the templates of the pages that are in every language, by name.
func readerTemplates(t *testing.T) map[string]string {
	out := map[string]string{}
	list, err := files.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if name := strings.TrimSuffix(f.Name(), ".html"); !slices.Contains(deskPages, name) {
			data, err := files.ReadFile("templates/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			out[name] = string(data)
		}
	}
	if len(out) < 14 {
		t.Fatalf("%d templates", len(out))
	}
	return out
}

var (
	actions = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	element = regexp.MustCompile(`(?s)<[^>]*>`)
	// Blocks that are English in every language: cards of citations, the steps of a verification, what records and programs say.
	englishBlocks = regexp.MustCompile(`(?s)\{\{define "(?:cardbody|card|axes)"\}\}.*?\n(?:\{\{define|$)|<pre.*?</pre>|<code.*?</code>`)
	spoken        = regexp.MustCompile(`(?:aria-label|alt|title|placeholder)="([^"]*)"`)
	letters       = regexp.MustCompile(`\pL{2,}`)
)

// No reader's template has words of its own.
func TestTemplatesHaveNoWords(t *testing.T) {
	for name, text := range readerTemplates(t) {
		for range 3 { // a block ends where the next begins
			text = englishBlocks.ReplaceAllString(text, "{{define")
		}
		text = withoutEnglish(text)
		text = actions.ReplaceAllString(text, "")
		for _, m := range spoken.FindAllStringSubmatch(text, -1) {
			if letters.MatchString(m[1]) {
				t.Errorf("%s: %s", name, m[0])
			}
		}
		for line := range strings.Lines(element.ReplaceAllString(text, "\n")) {
			if w := strings.TrimSpace(line); letters.MatchString(w) && !slices.Contains([]string{"verify.html", "verify.js", "answer.html", "answer.zip", "README.txt"}, w) {
				t.Errorf("%s: %q", name, w)
			}
		}
	}
}

// withoutEnglish removes the elements of a page that say that they are in English.
func withoutEnglish(page string) string {
	for {
		at := strings.Index(page, ` lang="en"`)
		if at < 0 {
			return page
		}
		from := strings.LastIndex(page[:at], "<")
		tag := regexp.MustCompile(`^<[a-z0-9]+`).FindString(page[from:])[1:]
		if tag == "html" {
			return page
		}
		depth, end := 0, len(page)
		for _, m := range regexp.MustCompile(`</?`+tag+`\b`).FindAllStringIndex(page[from:], -1) {
			if page[from+m[0]+1] == '/' {
				depth--
			} else {
				depth++
			}
			if depth == 0 {
				end = from + m[1]
				break
			}
		}
		page = page[:from] + page[end:]
	}
}

// A page for a reader of German has no English sentence: none of the words that make one, outside of what is marked as English.
func TestGermanPages(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{
		"brief.txt":   "Weimar, den 3. Mai 1911\n\nLieber Karl,\n\ndie Mühle steht seit Dienstag still. Das Mehl reicht neun Tage.\n\nDein Bruder\nPaul\n",
		"liste.csv":   "Jahr;Mehl\n1911;40\n",
		"notiz-1.txt": "Notiz vom 4. Mai 1911: Der Müller war hier.\n",
	})
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	id := h.idOf(t, "brief.txt")
	english := regexp.MustCompile(`(?i)\b(?:the|of|and|is|are|which|from|this|that|with|by|to|its|paper|papers|words|not)\b`)
	for _, path := range []string{"/", "/inventory", "/inventory?year=1911", "/inventory?kind=table", "/names", "/search", "/search?q=Mehl", "/search?q=nirgends", "/suggest?q=x", "/a/" + id, "/p/" + id[7:17] + "?at=p99:1-2", "/cite?artifact=" + id + "&quote=Mehl", "/ask", "/examine", "/reports", "/verify", "/nirgends"} {
		r, err := http.NewRequest(http.MethodGet, h.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Language", "fr;q=0.9, de-AT;q=0.8, en;q=0.5")
		page := bodyOf(t, r)
		if !strings.Contains(page, `<html lang="de">`) || !strings.Contains(page, `hreflang="en"`) {
			t.Errorf("%s: is not in German, or leads to no English page", path)
		}
		page = regexp.MustCompile(`(?s)<pre.*?</pre>|<code.*?</code>|<head>.*?</head>`).ReplaceAllString(withoutEnglish(page), "")
		for _, m := range spoken.FindAllStringSubmatch(page, -1) {
			page += "\n" + m[1]
		}
		for line := range strings.Lines(element.ReplaceAllString(page, "\n")) {
			if english.MatchString(line) {
				t.Errorf("%s: %q", path, strings.TrimSpace(line))
			}
		}
	}
}

// bodyOf returns the page of a request.
func bodyOf(t *testing.T, r *http.Request) string {
	t.Helper()
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The language that a reader chose is kept, and leads to pages of this server alone.
func TestChooseLanguage(t *testing.T) {
	h := newHouse(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for to, want := range map[string]string{"/search?q=a": "/search?q=a", "//evil.example/x": "/", "https://evil.example/": "/", `/\evil.example`: "/", "": "/", "/..//evil.example": "/evil.example"} {
		w, err := client.Get(h.url + "/language/de?to=" + url.QueryEscape(to))
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		if got := w.Header.Get("Location"); got != want || len(w.Cookies()) != 1 {
			t.Errorf("%s: leads to %q, want %q; %v", to, got, want, w.Cookies())
		}
	}
	r, err := http.NewRequest(http.MethodGet, h.url+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Language", "en")
	r.AddCookie(&http.Cookie{Name: languageCookie, Value: "de"})
	if page := bodyOf(t, r); !strings.Contains(page, `<html lang="de">`) {
		t.Error("the choice is not kept")
	}
	if status, _ := h.get(t, "/language/xx"); status != http.StatusNotFound {
		t.Errorf("a language that is none: %d", status)
	}
}
