package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/cid"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
	"muniment/sign"
)

// A house is an archive with a server of pages.
type house struct {
	archive *archive.Archive
	key     sign.Signer
	server  *server.Server
	url     string
}

// serveArchive serves the pages of an archive to a reader of a role and a tier.
func serveArchive(t testing.TB, a *archive.Archive, key sign.Signer, who server.Credential) *house {
	t.Helper()
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(key.Key(), "test")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test", Trust: audit.VerifyOptions{Allowed: allowed}})
	if err != nil {
		t.Fatal(err)
	}
	s.ServePages(New())
	inner := s.Handler()
	if who.Role != "" {
		who.Name = "whoever asks"
		secret, _, err := server.NewToken(a, who)
		if err != nil {
			t.Fatal(err)
		}
		inner = withToken(inner, secret)
	}
	h := httptest.NewServer(inner)
	t.Cleanup(func() {
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &house{a, key, s, h.URL}
}

// withToken gives every request that brings no token the one of a secret.
func withToken(next http.Handler, secret string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		next.ServeHTTP(w, r)
	})
}

// newHouse returns an archive of the papers with citations and links, served to an
// administrator.
func newHouse(t testing.TB) *house {
	t.Helper()
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []engine.CiteOptions{
		{Artifact: "1931-03-14.txt", Quote: "The mill wheel has stopped.", Claim: "The mill wheel has stopped.", Reasoning: "The letter says so."},
		{Artifact: "1931-03-14.txt", Quote: "The mill wheel has stopped.", Claim: "The mill stood still in March 1931.", Relation: "inference_from", Reasoning: "The date of the letter."},
		{Artifact: "1931-03-14.txt", Quote: "There was flour for a year.", Claim: "There was flour for a year."},
	} {
		if _, err := e.Cite(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Link("2", "supports", "1"); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key)
	return serveArchive(t, a, key, server.Credential{Role: engine.RoleAdmin})
}

// get returns status and body of a page.
func (h *house) get(t testing.TB, path string) (int, string) {
	t.Helper()
	r, err := http.Get(h.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("%s: Content-Security-Policy %q", path, csp)
	}
	return r.StatusCode, string(data)
}

// getRaw returns status and bytes of a file.
func (h *house) getRaw(t testing.TB, path string) (int, []byte) {
	t.Helper()
	r, err := http.Get(h.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, data
}

// head returns the headers of a reply.
func (h *house) head(t testing.TB, path string) http.Header {
	t.Helper()
	r, err := http.Get(h.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	return r.Header
}

// upload returns the page that answers a form with a file.
func (h *house) upload(t testing.TB, path, field, data string) string {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile(field, "file")
	if err == nil {
		_, err = io.WriteString(file, data)
	}
	if err := errors.Join(err, form.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest("POST", h.url+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Origin", h.url)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	page, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// idOf returns the id of an artifact by its name.
func (h *house) idOf(t testing.TB, name string) string {
	t.Helper()
	got, err := h.server.Client(server.Credential{Name: "t", Role: engine.RoleAdmin}, "t").Artifact(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return got.ID
}

// ask asks a question as a browser does and returns the path of the answer's page.
func (h *house) ask(t testing.TB, question string) string {
	t.Helper()
	r, err := http.NewRequest("POST", h.url+"/ask", strings.NewReader(url.Values{"question": {question}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", h.url)
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusSeeOther {
		data, _ := io.ReadAll(got.Body)
		t.Fatalf("asking gave %d: %s", got.StatusCode, data)
	}
	return got.Header.Get("Location")
}

// all returns a path of every page.
func (h *house) all(t testing.TB) []string {
	id := h.idOf(t, "1931-03-14.txt")
	return []string{"/", "/inventory", "/inventory?kind=text&sort=-date", "/names", "/suggest?q=mill", "/search", "/search?q=mill+wheel", "/a/" + id, "/s/1/a/" + id, "/a/" + id + "?span=p2:0-8", "/p/" + id[7:17] + "?at=p2:0-8", "/cite?artifact=" + id + "&quote=mill+wheel", "/cite?artifact=" + id + "&quote=no+such+words+at+all", "/ask", h.ask(t, "Why did the mill wheel stop?"), h.ask(t, "What did Einstein think of relativity?"), "/citations", "/citations/1", "/citations/2", "/citations/3", "/claims", "/verify", "/custody", "/snapshots/1", "/snapshots/2", "/nothing"}
}

// A file that was not changed, and that no trusted key signed, is not said to be changed; one that is
// no bundle is not said to be forged; and a forged one is shown with the words that it changed, those
// of the paper at their side.
func TestVerdicts(t *testing.T) {
	h := newHouse(t)
	status, raw := h.getRaw(t, h.ask(t, "Why did the mill wheel stop?")+"/answer.zip")
	if status != http.StatusOK {
		t.Fatal(status)
	}
	said := string(raw)
	forged := strings.ReplaceAll(said, "mill wheel", "mill wheat")
	for _, c := range []struct{ file, want, not string }{
		{said, "Signed by this archive on ", "What was changed"},
		{forged, "Forged or damaged: this is not what was signed", ""},
		{forged, "<mark>wheat</mark>", ""},
		{forged, "<mark>wheel</mark>", ""},
		{"\x89PNG\r\n\x1a\n a photo", audit.NotBundle, "Forged"},
		{"<!doctype html>\n<p>a page", audit.NotBundle, "Forged"},
	} {
		page := h.upload(t, "/verify", "bundle", c.file)
		if !strings.Contains(page, c.want) || c.not != "" && strings.Contains(page, c.not) {
			t.Errorf("no %q: %.3000s", c.want, tagOrEntity.ReplaceAllString(page, ""))
		}
	}
}

var tagOrEntity = regexp.MustCompile(`<[^>]*>`)

// Every page is there with its JSON twin, below its weight, without a script or a
// style in it, and asks for nothing from elsewhere.
func TestPagesAndTwins(t *testing.T) {
	h := newHouse(t)
	n := 0
	for _, path := range h.all(t) {
		n++
		status, body := h.get(t, path)
		want := http.StatusOK
		if path == "/nothing" {
			want = http.StatusNotFound
		}
		if status != want || !strings.Contains(body, "</html>") {
			t.Errorf("%s: %d %.2000s", path, status, tagOrEntity.ReplaceAllString(body, ""))
			continue
		}
		if len(body) > 100_000 {
			t.Errorf("%s: %d bytes", path, len(body))
		}
		for _, bad := range []string{"<style", " style=", "onclick=", `src="http`, `action="http`} {
			if strings.Contains(body, bad) {
				t.Errorf("%s has %q", path, bad)
			}
		}
		for _, s := range regexp.MustCompile(`<script[^>]*>[^<]*`).FindAllString(body, -1) {
			if strings.HasPrefix(s, `<script type="application/ld+json">`) { // data, which no browser runs
				continue
			}
			if !strings.HasSuffix(s, ">") || !strings.Contains(s, ` src="/assets/`) {
				t.Errorf("%s has a script in it: %s", path, s)
			}
		}
		at, query, _ := strings.Cut(path, "?")
		if at == "/" {
			at = "/index"
		}
		_, twin := h.get(t, at+".json?"+query)
		var v map[string]any
		if err := json.Unmarshal([]byte(twin), &v); err != nil || !strings.HasPrefix(fmt.Sprint(v["schema"]), "muniment.page.") {
			t.Errorf("%s.json: %v %.200s", at, err, twin)
		}
	}
	if n < 20 {
		t.Errorf("%d pages", n)
	}
}

// loopbackReader is a caller without a token.
var loopbackReader = server.Credential{}

// archiveKind returns the kind of an error.
func archiveKind(err error) problem.Kind {
	var known *problem.Error
	if errors.As(err, &known) {
		return known.Kind
	}
	return ""
}

// withoutSite returns a list that lets a key sign everything but a site.
func withoutSite(t testing.TB, key sign.Signer) *sign.AllowedSigners {
	t.Helper()
	allowed, err := sign.ParseAllowedSigners([]byte(strings.Replace(history.TrustLine(key.Key(), "test"), "site@muniment,", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	return allowed
}

// otherArchive returns the id of another archive.
func otherArchive(t testing.TB) cid.ID {
	t.Helper()
	a, _ := archivetest.New(t, map[string]string{"x.txt": "Another archive.\n"})
	return a.ID()
}

// A reader of a server beyond loopback sends the token as the password; a form that
// comes from elsewhere changes nothing and asks nothing.
func TestAdmissionOfPeople(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	secret, _, err := server.NewToken(a, server.Credential{Name: "historian", Role: engine.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Remote: true})
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
	for _, c := range []struct {
		method, password, origin string
		want                     int
	}{
		{"GET", "", "", 401}, {"GET", "wrong", "", 401}, {"GET", secret, "", 200},
		{"POST", secret, "", 403}, {"POST", secret, "https://evil.example", 403}, {"POST", secret, h.URL, 303},
	} {
		path := "/inventory"
		if c.method == "POST" {
			path = "/ask"
		}
		r, err := http.NewRequestWithContext(t.Context(), c.method, h.URL+path, strings.NewReader("question=Why+did+the+mill+wheel+stop%3F"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if c.password != "" {
			r.SetBasicAuth("me", c.password)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		got, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != c.want || c.want == 401 && !strings.HasPrefix(got.Header.Get("WWW-Authenticate"), "Basic") {
			t.Errorf("%s %.5s %s: %d %v", c.method, c.password, c.origin, got.StatusCode, got.Header)
		}
	}
}

// Words on which several citations rest open the cards of all, in the colours of the worst
// and the best verdict; those on which one rests have one.
func TestSeveralCitations(t *testing.T) {
	b := blockIn("", server.Paragraph{Number: 1, Line: 1, Text: "There is flour for nine days."}, []region{{0, 14, 3, "verified", ""}, {9, 29, 7, "unverified", ""}, {9, 14, 8, "pending", ""}})
	var got []string
	for _, p := range b.Lines[0].Pieces {
		got = append(got, p.Text+"|"+p.Cards()+"|"+p.Status+"|"+p.Best)
	}
	want := []string{"There is |c3|verified|verified", "flour|c3 c7 c8|unverified|verified", " for nine days.|c7|unverified|unverified"}
	if !slices.Equal(got, want) {
		t.Errorf("pieces %q, want %q", got, want)
	}
}
