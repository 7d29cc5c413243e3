package pages

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/server"
)

// reviewedClaims are as many as a person judges in one sitting.
const reviewedClaims = 50

// A person judges fifty claims one after the other by the form, as a browser without a script sends it. The program takes at most
// 50 ms for each: the verdict is signed and kept, and the next claim shown.
func TestReviewPage(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	e, err := engine.New(a, engine.Caller{Agent: "writer"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range reviewedClaims {
		if _, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: fmt.Sprintf("A man named Lunt got the wheel running again, says reader %d.", i+1)}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := server.New(server.Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Reviewer: archivetest.NewKey(t)})
	if err != nil {
		t.Fatal(err)
	}
	s.ServePages(New())
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	link, err := s.NewLink()
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	if visitor := string(fetchAs(t, browser, http.StatusForbidden, http.MethodGet, h.URL+"/review", nil)); !strings.Contains(visitor, "Those who keep this archive review its citations") || strings.Contains(visitor, "Role agent") {
		t.Errorf("a visitor reads %s", visitor)
	}
	fetchReview(t, browser, http.MethodGet, h.URL+link, nil)
	page := fetchReview(t, browser, http.MethodGet, h.URL+"/review?name=Ada+Vale", nil)
	field := regexp.MustCompile(`name="citation" value="(\d+)"`)
	judged, start := map[string]bool{}, time.Now()
	for len(judged) < reviewedClaims {
		at := field.FindStringSubmatch(page)
		if at == nil || judged[at[1]] || !strings.Contains(page, `value="Ada Vale"`) || !strings.Contains(page, "<mark>Tobias Lunt repaired the mill wheel.</mark>") {
			t.Fatalf("after %d claims: %s", len(judged), page)
		}
		judged[at[1]] = true
		page = fetchReview(t, browser, http.MethodPost, h.URL+"/review", url.Values{"citation": at[1:], "verdict": {"unsure"}, "reason": {map[bool]string{true: "unsure:language", false: "follows:same"}[len(judged) == 1]}, "name": {"Ada Vale"}})
	}
	each := time.Since(start) / reviewedClaims
	t.Logf("%d claims judged, %v each", len(judged), each.Round(time.Millisecond/10))
	if each > 50*time.Millisecond {
		t.Errorf("%v for each claim, want at most 50ms", each)
	}
	if !strings.Contains(page, "Nothing is left to review") {
		t.Errorf("at the end: %s", page)
	}
	why, err := e.Citations().Why("1")
	if err != nil || len(why.Reviews) != 1 || why.Reviews[0].By != "Ada Vale" || why.Reviews[0].Reason != "language" {
		t.Errorf("kept: %+v, %v", why, err)
	}
}

// fetchReview returns the page of an address, or the one to which a form leads.
func fetchReview(t *testing.T, browser *http.Client, method, address string, form url.Values) string {
	t.Helper()
	return string(fetchAs(t, browser, http.StatusOK, method, address, form))
}

// fetchAs returns the body of a reply that has to have a status.
func fetchAs(t *testing.T, browser *http.Client, status int, method, address string, form url.Values) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+r.URL.Host)
	got, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode != status {
		t.Fatalf("%s %s: %d %s %v", method, address, got.StatusCode, data, err)
	}
	return data
}
