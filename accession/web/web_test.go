package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muniment/canon/read"
	"muniment/cid"
	"muniment/snapshot/record"
	"muniment/text/weburl"
)

func TestFetch(t *testing.T) {
	var seen http.Header
	s := site(t, map[string]http.HandlerFunc{"/news/1": func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		h := w.Header()
		h.Set("Content-Type", "Text/HTML; boundary=x; Charset=ISO-8859-1")
		h.Set("ETag", `"v1"`)
		h.Set("Last-Modified", "Tue, 10 Feb 2026 14:00:00 GMT")
		h.Set("Date", "Wed, 11 Feb 2026 02:15:00 GMT")
		h.Set("Set-Cookie", "id=1")
		h.Set("X-Secret", "no")
		fmt.Fprint(w, "caf\xe9")
	}})
	p := get(t, s.URL+"/news/1?full=yes#part", local())
	want := &Page{
		RequestURL: s.URL + "/news/1?full=yes", FinalURL: s.URL + "/news/1?full=yes", Status: 200,
		Header: []Field{
			{"content-length", "4"}, {"content-type", "Text/HTML; boundary=x; Charset=ISO-8859-1"},
			{"date", "Wed, 11 Feb 2026 02:15:00 GMT"}, {"etag", `"v1"`}, {"last-modified", "Tue, 10 Feb 2026 14:00:00 GMT"},
		},
		MediaType: "text/html; charset=ISO-8859-1", Body: []byte("caf\xe9"), EncodedSize: 4, Framing: "length",
		FetchedAt: fetched, Robots: "allowed",
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(record.Source{URL: p.FinalURL, FetchedAt: "2026-02-11T02:15:00Z"}, p.Source()); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
	facts := map[string]string{
		"http_request_url": p.RequestURL, "http_final_url": p.FinalURL, "http_status": "200", "http_encoded_size": "4",
		"http_framing": "length", "http_robots": "allowed", "http_media_type": "text/html; charset=ISO-8859-1",
		"http_header_content_length": "4", "http_header_content_type": "Text/HTML; boundary=x; Charset=ISO-8859-1",
		"http_header_date": "Wed, 11 Feb 2026 02:15:00 GMT", "http_header_etag": `"v1"`,
		"http_header_last_modified": "Tue, 10 Feb 2026 14:00:00 GMT",
	}
	if diff := cmp.Diff(facts, p.Facts()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{"User-Agent": UserAgent, "Accept-Encoding": "gzip, deflate", "Cookie": "", "Authorization": "", "Referer": ""} {
		if got := seen.Get(name); got != want {
			t.Errorf("sent %s %q, want %q", name, got, want)
		}
	}
}

// accede does what an accession does with a page.
func accede(t *testing.T, p *Page) *record.Record {
	t.Helper()
	f, err := read.NewRegistry().Canonicalize(read.Input{Name: p.Name(), MediaType: p.MediaType, Data: p.Body})
	if err != nil {
		t.Fatal(err)
	}
	source := p.Source()
	r := &record.Record{Artifact: cid.Of(p.Body).String(), Original: cid.Of(p.Body).String(), Names: []string{p.Name()},
		MediaType: f.MediaType, Canonicalizer: record.BytesForm, Size: int64(len(p.Body)),
		Time: "2026-02-11T02:15:00Z", Agent: "Ada", Source: &source, Facts: p.Facts()}
	data, err := r.Encode()
	if err != nil {
		t.Fatalf("the record of %s: %v", p.RequestURL, err)
	}
	if _, err := record.ParseRecord(data); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPageThatChanges(t *testing.T) {
	var n atomic.Int64
	s := site(t, map[string]http.HandlerFunc{"/p": func(w http.ResponseWriter, r *http.Request) {
		text(fmt.Sprintf("Edition %d.\n", n.Add(1)))(w, r)
	}})
	first, second := accede(t, get(t, s.URL+"/p", local())), accede(t, get(t, s.URL+"/p", local()))
	if first.Artifact == second.Artifact {
		t.Errorf("both editions are %s, want two artifacts", first.Artifact)
	}
	if first.Names[0] != second.Names[0] {
		t.Errorf("names %q and %q, want one", first.Names[0], second.Names[0])
	}
}

func TestRedirects(t *testing.T) {
	to := func(status int, location string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Location"] = []string{location}
			if location == "" {
				w.Header().Del("Location")
			}
			w.WriteHeader(status)
			fmt.Fprint(w, strings.Repeat("not to be read ", 10))
		}
	}
	handlers := map[string]http.HandlerFunc{
		"/end": text("end"), "/a": to(301, "b/../c?x=1"), "/c": to(302, "//HOST/d#frag"), "/d": to(303, "/e"), "/e": to(307, "/f"), "/f": to(308, "/end"),
		"/loop1": to(302, "/loop2"), "/loop2": to(302, "/loop3"), "/loop3": to(302, "/loop2#again"), "/self": to(301, ""),
		"/ftp": to(301, "ftp://example.org/x"), "/script": to(301, "javascript:alert(1)"), "/file": to(301, "file:///etc/passwd"),
		"/login": to(302, "http://me:secret@example.org/"), "/bad": to(302, "http://exa mple:xx/"), "/long": to(302, "/"+strings.Repeat("a", weburl.MaxURL)),
		"/signed": to(302, "/hop?token=millwheel&x=1"), "/hop": to(302, "/end?sig=millwheel&page=2"), "/round": to(302, "/round?key=millwheel"),
		"/multiple": to(300, "/end"), "/notmod": to(304, "/end"), "/proxy": to(305, "/end"),
	}
	for i := range 12 {
		handlers[fmt.Sprintf("/n%d", i)] = to(302, fmt.Sprintf("/n%d", i+1))
	}
	s := site(t, handlers)
	host := strings.TrimPrefix(s.URL, "http://")
	s.Config.Handler.(*http.ServeMux).HandleFunc("/g", to(302, "http://"+host+"/end"))
	s.Config.Handler = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(replaced{w, host}, r) })
	}(s.Config.Handler)

	p := get(t, s.URL+"/a", local())
	want := []Hop{{s.URL + "/a", 301}, {s.URL + "/c?x=1", 302}, {s.URL + "/d", 303}, {s.URL + "/e", 307}, {s.URL + "/f", 308}}
	if diff := cmp.Diff(want, p.Redirects); diff != "" {
		t.Errorf("hops (-want +got):\n%s", diff)
	}
	if p.FinalURL != s.URL+"/end" || p.RequestURL != s.URL+"/a" || p.Source().URL != s.URL+"/end" {
		t.Errorf("from %s to %s, source %s", p.RequestURL, p.FinalURL, p.Source().URL)
	}
	fact := strings.ReplaceAll("301 U/a 302 U/c?x=1 303 U/d 307 U/e 308 U/f", "U", s.URL)
	if got := p.Facts()["http_redirects"]; got != fact {
		t.Errorf("http_redirects %q, want %q", got, fact)
	}
	accede(t, p)

	signed := get(t, s.URL+"/signed", local())
	if facts := signed.Facts(); strings.Contains(fmt.Sprint(facts, signed.Source(), signed.Name()), "millwheel") || facts["http_redirects"] != strings.ReplaceAll("302 U/signed 302 U/hop?x=1", "U", s.URL) ||
		signed.FinalURL != s.URL+"/end?page=2" || facts["http_left_out"] != `of addresses: the parameter "sig", the parameter "token"` {
		t.Errorf("secrets of redirects are kept: %v", facts)
	}
	kept := local()
	kept.KeepQuery = true
	if p := get(t, s.URL+"/signed", kept); p.FinalURL != s.URL+"/end?sig=millwheel&page=2" || p.Facts()["http_left_out"] != "" {
		t.Errorf("kept on demand: %v", p.Facts())
	}
	if err := refused(t, s.URL+"/round", local(), KindRedirect, "in a loop"); strings.Contains(err.Error(), "millwheel") {
		t.Error(err)
	}

	refused(t, s.URL+"/loop1", local(), KindRedirect, "in a loop: "+s.URL+"/loop2 → "+s.URL+"/loop3 → "+s.URL+"/loop2")
	refused(t, s.URL+"/self", local(), KindRedirect, "without a location")
	refused(t, s.URL+"/n0", local(), KindRedirect, "more than 10 redirects")
	get(t, s.URL+"/a", local())
	refused(t, s.URL+"/ftp", local(), KindURL, s.URL+"/ftp", `"ftp"`)
	refused(t, s.URL+"/script", local(), KindURL, `"javascript"`)
	refused(t, s.URL+"/file", local(), KindURL, `"file"`)
	refused(t, s.URL+"/bad", local(), KindRedirect, "not a URL")
	refused(t, s.URL+"/long", local(), KindRedirect, "more than 4096")
	if e := refused(t, s.URL+"/login", local(), KindURL, "password"); strings.Contains(e.Error(), "secret") {
		t.Errorf("the error %q shows the password", e)
	}
	for path, status := range map[string]int{"/multiple": 300, "/notmod": 304, "/proxy": 305} {
		if e := refused(t, s.URL+path, local(), KindStatus); e.Status != status {
			t.Errorf("%s: status %d, want %d", path, e.Status, status)
		}
	}
}

// replaced writes the server's address for HOST in locations.
type replaced struct {
	http.ResponseWriter
	host string
}

func (r replaced) WriteHeader(status int) {
	if l := r.Header().Get("Location"); l != "" {
		r.Header().Set("Location", strings.Replace(l, "HOST", r.host, 1))
	}
	r.ResponseWriter.WriteHeader(status)
}

func TestStatus(t *testing.T) {
	s := site(t, map[string]http.HandlerFunc{"/s/{status}": func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscan(r.PathValue("status"), &status)
		w.WriteHeader(status)
		if status != 204 && status != 304 {
			fmt.Fprint(w, "a page of the server's own")
		}
	}, "/empty": text("")})
	for status, kind := range map[int]Kind{
		204: KindEmpty, 206: KindStatus, 304: KindStatus, 400: KindStatus, 401: KindStatus, 403: KindStatus,
		404: KindStatus, 410: KindStatus, 429: KindStatus, 451: KindStatus, 500: KindStatus, 503: KindStatus, 599: KindStatus,
	} {
		e := refused(t, fmt.Sprintf("%s/s/%d", s.URL, status), local(), kind, fmt.Sprint(status))
		if kind == KindStatus && e.Status != status {
			t.Errorf("status %d, want %d", e.Status, status)
		}
	}
	refused(t, s.URL+"/empty", local(), KindEmpty)
	if p := get(t, s.URL+"/s/203", local()); p.Status != 203 {
		t.Errorf("status %d, want 203", p.Status)
	}
}

func TestURLsRefused(t *testing.T) {
	for raw, kind := range map[string]Kind{
		"": KindURL, "example.org/a": KindURL, "//example.org/a": KindURL, "ftp://example.org/": KindURL, "file:///etc/passwd": KindURL,
		"mailto:a@b.org": KindURL, "http:///a": KindURL, "http:a": KindURL, "http://:80/": KindURL, "http://./": KindURL, "http://a..b/": KindURL,
		"http://ho st/": KindURL, "http://h/\x00": KindURL, "http://h/%zz": KindURL, "http://h:0/": KindURL, "http://h:65536/": KindURL,
		"http://h/" + strings.Repeat("a", weburl.MaxURL): KindURL, "http://h/" + strings.Repeat("ä", weburl.MaxURL/4): KindURL,
		"http://[fe80::1%25eth0]/": KindAddress, "http://user@example.org/": KindURL, "https://user:secret@example.org/": KindURL,
		"http://user:secret": KindURL, "http://user:sec%ret@h/": KindURL, "http://[::1/": KindURL,
		"http://127.0.0.1/": KindAddress, "http://localhost/": KindAddress, "http://a.localhost./": KindAddress, "http://10.1.2.3:8080/x": KindAddress,
		"http://192.168.0.1/": KindAddress, "http://169.254.169.254/latest/meta-data": KindAddress, "http://[::1]/": KindAddress,
		"http://[::ffff:127.0.0.1]/": KindAddress, "http://[fe80::1]/": KindAddress, "http://[fc00::1]/": KindAddress, "http://0.0.0.0/": KindAddress,
		"http://[64:ff9b::a00:1]/": KindAddress, "http://[2002:7f00:1::]/": KindAddress, "http://100.64.0.1/": KindAddress, "http://224.0.0.1/": KindAddress,
	} {
		e := refused(t, raw, Options{Now: time.Now}, kind)
		if strings.Contains(e.Error(), "secret") || strings.Contains(e.Error(), "sec%") && strings.Contains(raw, "@") {
			t.Errorf("the error %q shows the password", e)
		}
	}
}

// A name that resolves to a loopback address is refused at the dial.
func TestDialledAddressCounts(t *testing.T) {
	s := site(t, map[string]http.HandlerFunc{"/": text("inside")})
	o := local()
	o.AllowPrivate = false
	refused(t, s.URL+"/", o, KindAddress, "127.0.0.1", "loopback")
	tr := transport(o.withDefaults())
	_, err := tr.DialContext(context.Background(), "tcp", strings.Replace(s.Listener.Addr().String(), "127.0.0.1", "localhost", 1))
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindAddress {
		t.Errorf("dialling a name for 127.0.0.1: %v, want an error of kind address", err)
	}
}

// A public page must not send us inside.
func TestProxyAlone(t *testing.T) {
	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		switch {
		case r.URL.Path == "/robots.txt":
			w.WriteHeader(404)
		case r.URL.Path == "/inside":
			http.Redirect(w, r, "http://127.0.0.1/admin", http.StatusFound)
		default:
			text("through the proxy")(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	o := local()
	o.AllowPrivate, o.Proxy = false, u
	p := get(t, "http://example.org/a", o)
	if string(p.Body) != "through the proxy" || asked.Load() != "http://example.org/a" || p.Facts()["http_proxy"] != "used" {
		t.Errorf("got %q, the proxy was asked for %v", p.Body, asked.Load())
	}
	refused(t, "http://example.org/inside", o, KindAddress, "127.0.0.1")

	// The environment has no say.
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	s := site(t, map[string]http.HandlerFunc{"/": text("direct")})
	if p := get(t, s.URL+"/", local()); string(p.Body) != "direct" {
		t.Errorf("body %q with proxies in the environment %v", p.Body, os.Environ())
	}
	bad := local()
	bad.Proxy = &url.URL{Scheme: "ftp", Host: "x"}
	refused(t, s.URL+"/", bad, KindOptions, "ftp")
}

func TestInterrupted(t *testing.T) {
	started := make(chan bool, 1)
	s := site(t, map[string]http.HandlerFunc{"/": func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			return
		}
		started <- true
		<-r.Context().Done()
	}})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; cancel() }()
	_, err := Fetch(ctx, s.URL+"/", local())
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindInterrupted || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want one of kind interrupted", err)
	}
}

func TestSuggestions(t *testing.T) {
	if len(suggestions) != 17 {
		t.Errorf("%d kinds have a suggestion, want 17", len(suggestions))
	}
	for kind, s := range suggestions {
		if (&Error{Kind: kind}).Suggestion() != s || s == "" {
			t.Errorf("kind %s: suggestion %q", kind, s)
		}
	}
}
