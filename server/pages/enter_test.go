package pages

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/server"
)

// A link makes one browser the archivist's, once; nobody else sees more by it, and another server
// does not know the cookie.
func TestLinkOfArchivist(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, key)
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1931-03-14.txt"}, Preset: "hidden"})
	h := serveArchive(t, a, key, server.Credential{})
	other := serveArchive(t, a, key, server.Credential{})
	link, err := h.server.NewLink()
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	owner, stranger := &http.Client{Jar: jar}, &http.Client{}
	tries := 0
	try := func(c *http.Client, method, address, origin string, want int, says string) *http.Response {
		t.Helper()
		tries++
		r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(`{"files":[{"name":"new.txt","text":"A new letter.\n"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		reply, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		body, err := io.ReadAll(reply.Body)
		if err != nil || reply.StatusCode != want || !strings.Contains(string(body), says) {
			t.Errorf("%s %s: %d, want %d with %q: %.400s", method, address, reply.StatusCode, want, says, body)
		}
		return reply
	}
	const paper, add = "/a/1931-03-14.txt", "/api/v1/archive/add"
	try(stranger, "GET", h.url+paper, "", 404, "")
	try(stranger, "POST", h.url+add, "", 200, "needs a token")
	try(stranger, "GET", h.url+link+"x", "", 404, "gave no such link")
	got := try(owner, "GET", h.url+link, "", 200, "This browser sees everything")
	if set := got.Header.Get("Set-Cookie"); !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict") || strings.Contains(set, "Expires") || strings.Contains(set, "Max-Age") {
		t.Errorf("the cookie: %s", set)
	}
	try(owner, "GET", h.url+paper, "", 200, "mill wheel")
	try(owner, "GET", h.url+"/api/v1/status", "", 200, `"role":"admin"`)
	try(owner, "POST", h.url+add, "http://elsewhere.example", 403, "another origin")
	try(owner, "POST", h.url+add, "", 200, "event: result")
	try(stranger, "GET", h.url+link, "", 403, "good once")
	try(owner, "GET", h.url+link, "", 403, "good once")
	try(stranger, "GET", h.url+paper, "", 404, "")
	try(owner, "GET", other.url+paper, "", 404, "") // the same host: browsers send it there too
	next, err := h.server.NewLink()
	if err != nil || next == link {
		t.Fatal(next, err)
	}
	try(stranger, "GET", h.url+link, "", 404, "gave no such link")
	try(owner, "GET", h.url+paper, "", 200, "mill wheel")
	for who, says := range map[*http.Client]string{owner: "Archivist’s view: nothing", stranger: "answer.zip"} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", h.url+"/ask", strings.NewReader("question=When+did+the+mill+wheel+stop%3F"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", h.url)
		reply, err := who.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if shows := strings.Contains(string(body), "The mill wheel has stopped"); err != nil || shows != (who == owner) || !strings.Contains(string(body), says) {
			t.Errorf("asked: want %s: %d %v %s", says, reply.StatusCode, err, body)
		}
		if who == owner {
			try(owner, "GET", reply.Request.URL.String()+"/answer.zip", "", 403, "")
		}
	}
	if tries < 15 {
		t.Errorf("%d requests", tries)
	}
}
