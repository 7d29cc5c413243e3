package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A webPlace is a place with an archive and a server on the loopback.
type webPlace struct {
	*place
	mux    *http.ServeMux
	server *httptest.Server
}

func newWebPlace(t *testing.T) *webPlace {
	t.Helper()
	w := &webPlace{place: newPlace(t), mux: http.NewServeMux()}
	w.server = httptest.NewServer(w.mux)
	t.Cleanup(w.server.Close)
	w.must("init", "a", "--subject", "Ada Vale")
	w.must("key", "new")
	return w
}

// page serves what text returns as HTML.
func (w *webPlace) page(path string, text func() string) {
	w.mux.HandleFunc(path, func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(out, text())
	})
}

func (w *webPlace) url(path string) string { return w.server.URL + path }

// add runs add --allow-private on a path of the server.
func (w *webPlace) add(path string, more ...string) result {
	return w.run(append([]string{"-C", "a", "add", "--json", "--allow-private", w.url(path)}, more...)...)
}

// added is the ID of the one artifact that an add took in.
func (w *webPlace) added(r result) string {
	w.t.Helper()
	doc := r.document(w.t)
	artifacts, _ := doc["artifacts"].([]any)
	if r.code != 0 || len(artifacts) != 1 {
		w.t.Fatalf("exit %d and %d artifacts, want 0 and 1:\n%s%s", r.code, len(artifacts), r.stdout, r.stderr)
	}
	return artifacts[0].(map[string]any)["id"].(string)
}

// refused requires of an add that it skipped its one page for a reason with all
// the words, left with 3, and took in nothing.
func (w *webPlace) refused(r result, words ...string) {
	w.t.Helper()
	if r.code != 3 {
		w.t.Errorf("exit %d, want 3\n%s%s", r.code, r.stdout, r.stderr)
		return
	}
	doc := r.document(w.t)
	skipped, _ := doc["skipped"].([]any)
	if len(skipped) != 1 || doc["added"] != 0.0 {
		w.t.Fatalf("%d skipped and %v added, want 1 and 0:\n%s", len(skipped), doc["added"], r.stdout)
	}
	reason, _ := skipped[0].(map[string]any)["reason"].(string)
	for _, word := range words {
		if !strings.Contains(reason, word) {
			w.t.Errorf("the reason is %q, want %q in it", reason, word)
		}
	}
}

// A page that changes is two artifacts under one name, and both stay; the same
// page again is nothing new.
func TestAddPageThatChanges(t *testing.T) {
	t.Parallel()
	w := newWebPlace(t)
	var version atomic.Int64
	w.page("/mill.html", func() string {
		return fmt.Sprintf("<title>The mill</title><p>Flour at %d pounds.</p>", 18+version.Load())
	})
	first := w.added(w.add("/mill.html"))
	if again := w.add("/mill.html"); again.code != 0 || again.document(t)["unchanged"] != 1.0 || again.document(t)["added"] != 0.0 {
		t.Errorf("the same page again: exit %d\n%s", again.code, again.stdout)
	}
	w.must("-C", "a", "snapshot", "-m", "eighteen")
	version.Store(1)
	second := w.added(w.add("/mill.html"))
	if first == second {
		t.Fatalf("the page that changed is the same artifact, %s", first)
	}
	w.must("-C", "a", "snapshot", "-m", "nineteen")
	for id, want := range map[string]string{first: "Flour at 18 pounds.\n", second: "Flour at 19 pounds.\n"} {
		if got := w.must("-C", "a", "cat", id).stdout; got != want {
			t.Errorf("cat %s is %q, want %q", id, got, want)
		}
	}
	list := w.must("-C", "a", "ls").stdout
	for _, id := range []string{first, second} {
		if !strings.Contains(list, id) && !strings.Contains(list, id[:12]) {
			t.Errorf("ls has no %s:\n%s", id, list)
		}
	}
	if n := strings.Count(list, "mill.html"); n != 2 {
		t.Errorf("ls has the name %d times, want 2:\n%s", n, list)
	}
}

// The record of a page says from where, when and how it came.
func TestAddPageRecord(t *testing.T) {
	w := newWebPlace(t)
	w.page("/new", func() string { return "<p>Here." })
	w.mux.Handle("/old", http.RedirectHandler("/new", http.StatusMovedPermanently))
	before := time.Now().Add(-time.Second)
	id := w.added(w.add("/old"))
	doc := w.must("-C", "a", "show", "--json", id).document(t)
	facts, source := member(doc, "facts"), member(doc, "source")
	for key, want := range map[string]string{
		"http_final_url": w.url("/new"), "http_request_url": w.url("/old"), "http_status": "200", "http_robots": "allowed",
		"http_redirects": "301 " + w.url("/old"), "http_header_content_type": "text/html; charset=utf-8",
	} {
		if facts[key] != want {
			t.Errorf("fact %s is %v, want %q", key, facts[key], want)
		}
	}
	if source["url"] != w.url("/new") {
		t.Errorf("source.url is %v, want %q", source["url"], w.url("/new"))
	}
	at, err := time.Parse(time.RFC3339, fmt.Sprint(source["fetched_at"]))
	if err != nil || at.Before(before.Truncate(time.Second)) || at.After(time.Now().Add(time.Second)) {
		t.Errorf("source.fetched_at is %v (%v), want the time of the fetch", source["fetched_at"], err)
	}
	if got := w.must("-C", "a", "cat", "--original", id).stdout; got != "<p>Here." {
		t.Errorf("the original is %q", got)
	}
}

// member finds the object of that name in a document, at any depth.
func member(doc any, name string) map[string]any {
	switch v := doc.(type) {
	case map[string]any:
		if m, ok := v[name].(map[string]any); ok {
			return m
		}
		for _, inner := range v {
			if m := member(inner, name); m != nil {
				return m
			}
		}
	case []any:
		for _, inner := range v {
			if m := member(inner, name); m != nil {
				return m
			}
		}
	}
	return nil
}

// What keeps a page out is told with its reason, and the archive stays as it
// was.
func TestAddPageRefused(t *testing.T) {
	t.Parallel()
	w := newWebPlace(t)
	w.mux.HandleFunc("/robots.txt", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, "User-agent: *\nDisallow: /private/\n")
	})
	w.page("/private/diary.html", func() string { return "<p>Not for programs.</p>" })
	w.mux.Handle("/a", http.RedirectHandler("/b", http.StatusFound))
	w.mux.Handle("/b", http.RedirectHandler("/a", http.StatusFound))
	w.mux.HandleFunc("/endless/", func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, r.URL.Path+"x", http.StatusFound)
	})
	w.mux.Handle("/away", http.RedirectHandler("file:///etc/passwd", http.StatusFound))
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w.mux.HandleFunc("/bomb", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/html")
		out.Header().Set("Content-Encoding", "gzip")
		if _, err := out.Write(bomb.Bytes()); err != nil {
			return // the reader had enough
		}
	})
	w.mux.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	w.mux.HandleFunc("/short", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Length", "100")
		fmt.Fprint(out, "cut off")
	})
	state := w.state("a")
	for path, words := range map[string][]string{
		"/private/diary.html": {"robots.txt", "disallow: /private/"},
		"/a":                  {"redirects in a loop", "/b →"},
		"/endless/":           {"more than", "redirects"},
		"/away":               {"redirects to where we do not go"},
		"/bomb":               {"times as many"},
		"/empty":              {"without a body"},
		"/short":              {"closed the connection before the end"},
		"/absent":             {"404 (Not Found)"},
	} {
		t.Run(path, func(t *testing.T) {
			one := *w
			one.place = &place{t, w.dir, w.env}
			one.refused(one.add(path), words...)
		})
	}
	if after := w.state("a"); after != state {
		t.Errorf("the archive has changed:\n%s\n%s", state, after)
	}
	// Whoever states a reason may take what robots.txt forbids, and the record
	// keeps the reason.
	id := w.added(w.add("/private/diary.html", "--ignore-robots", "asked by its author"))
	if got := member(w.must("-C", "a", "show", "--json", id).document(t), "facts")["http_robots"]; got != "ignored: asked by its author" {
		t.Errorf("fact http_robots is %v", got)
	}
}

// One page that cannot be had does not stop the others.
func TestAddPageAmongOthers(t *testing.T) {
	w := newWebPlace(t)
	w.page("/one", func() string { return "<p>one" })
	w.page("/two", func() string { return "<p>two" })
	w.write("three.txt", "three\n")
	r := w.run("-C", "a", "add", "--json", "--allow-private", w.url("/one"), w.url("/absent"), w.url("/two"), "three.txt")
	doc := r.document(t)
	if skipped, _ := doc["skipped"].([]any); r.code != 3 || doc["added"] != 3.0 || len(skipped) != 1 {
		t.Errorf("exit %d, want 3 with 3 added and 1 skipped:\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// Addresses that are not public are refused before anything is sent, also when
// a public name or a redirect leads to them.
func TestAddPrivateAddress(t *testing.T) {
	t.Parallel()
	w := newWebPlace(t)
	var asked atomic.Int64
	w.page("/", func() string { asked.Add(1); return "<p>private" })
	port := w.server.URL[strings.LastIndex(w.server.URL, ":"):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "127.1", "0x7f000001", "2130706433", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254", "192.168.1.1"} {
		r := w.run("-C", "a", "add", "--json", "http://"+host+port+"/")
		if r.code != 3 {
			t.Errorf("%s: exit %d, want 3\n%s%s", host, r.code, r.stdout, r.stderr)
		}
	}
	w.refused(w.run("-C", "a", "add", "--json", w.url("/")), "127.0.0.1", "loopback and not public")
	if n := asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times, want never", n)
	}
}

// A server that does not answer can be left at any time; nothing is kept.
func TestAddSlowServer(t *testing.T) {
	t.Parallel()
	w := newWebPlace(t)
	release := make(chan struct{})
	asked := make(chan struct{}, 10)
	w.mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	state := w.state("a")
	cmd := w.command("-C", "a", "add", "--allow-private", w.url("/slow"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-time.After(20 * time.Second):
		t.Fatal("the page was not asked for")
	}
	begin := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if err == nil || cmd.ProcessState.ExitCode() != 130 || time.Since(begin) > time.Minute {
		t.Errorf("exit %d (%v) after %s, want 130 at once\n%s", cmd.ProcessState.ExitCode(), err, time.Since(begin), stderr.String())
	}
	if after := w.state("a"); after != state {
		t.Errorf("the archive has changed:\n%s\n%s", state, after)
	}
}

// A server that keeps silent is given up after the time for its headers.
func TestAddSilentServer(t *testing.T) {
	t.Parallel()
	w := newWebPlace(t)
	w.mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	begin := time.Now()
	w.refused(w.add("/silent"), "no whole response header in the time allowed")
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("given up after %s, want some twenty seconds", took)
	}
}
