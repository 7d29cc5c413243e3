package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"muniment/text/weburl"
)

func TestRobotsRules(t *testing.T) {
	const product = "User-agent: muniment\n"
	cases := []struct {
		robots, path string
		want         bool
	}{
		{"", "/a", true},
		{"User-agent: *\nDisallow: /", "/a", false},
		{"User-agent: *\nDisallow:", "/a", true},
		{"User-agent: *\nDisallow: /private", "/public", true},
		{"User-agent: *\nDisallow: /private", "/private/x", false},
		{"User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true},
		{"User-agent: *\nAllow: /a\nDisallow: /a", "/a", true},
		{"User-agent: *\nDisallow: /a\nAllow: /a", "/a", true},
		{"User-agent: *\nDisallow: /\n" + product + "Allow: /", "/a", true},
		{"User-agent: *\nDisallow: /\n" + product, "/a", true},
		{"USER-AGENT: MuniMent/2.0\r\nDISALLOW: /a\r\n", "/a", false},
		{product + "Disallow: /a\n\nUser-agent: other\nDisallow: /b\n\n" + product + "Disallow: /c", "/c", false},
		{product + "Disallow: /a\n\nUser-agent: other\nDisallow: /b\n\n" + product + "Disallow: /c", "/b", true},
		{"User-agent: other\n" + product + "Disallow: /a", "/a", false},
		{product + "Crawl-delay: 5\nDisallow: /a", "/a", false},
		{"Disallow: /", "/a", true},
		{"\ufeffUser-agent: *\nDisallow: / # all of it", "/a", false},
		{"User-agent: *\rDisallow: /a", "/a", false},
		{"User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", false},
		{"User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", true},
		{"User-agent: *\nDisallow: /*.pdf", "/x/y.pdfs", false},
		{"User-agent: *\nDisallow: /a*b*c", "/axxbyyc", false},
		{"User-agent: *\nDisallow: /a*b*c$", "/abcx", true},
		{"User-agent: *\nDisallow: /$", "/", false},
		{"User-agent: *\nDisallow: /$", "/a", true},
		{"User-agent: *\nDisallow: *x", "/axb", false},
		{"User-agent: *\nDisallow: /a%3cd", "/a%3Cd", false},
		{"User-agent: *\nDisallow: /ä", "/%C3%A4", false},
		{"User-agent: *\nDisallow: /%7Ejoe", "/~joe/", false},
		{"User-agent: *\nDisallow: /a%2Ab", "/a*b", false},
		{"User-agent: *\nDisallow: /a$b", "/a$b", false},
		{"User-agent: *\nDisallow: /?q=", "/?q=1", false},
		{"nonsense\n:\n\x00\xff: \nUser-agent: *\nDisallow: /a", "/a", false},
		{"<html>User-agent: no</html>", "/a", true},
	}
	for _, c := range cases {
		if line, got := parseRobots([]byte(c.robots)).permits(c.path); got != c.want {
			t.Errorf("%q for %s: %v by %q, want %v", c.robots, c.path, got, line, c.want)
		}
	}
	if len(cases) != 34 {
		t.Errorf("%d cases, want 34", len(cases))
	}
}

func TestRobots(t *testing.T) {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	const no = "User-agent: *\nDisallow: /p\n"
	for _, c := range []struct {
		name   string
		robots http.HandlerFunc
		word   string // of the error, "" when the page comes
	}{
		{"none", answer(404, no), ""},
		{"gone", answer(410, no), ""},
		{"login", answer(401, no), ""},
		{"allows", answer(200, "User-agent: *\nDisallow: /other\n"), ""},
		{"forbids", answer(200, no), "disallow: /p"},
		{"broken server", answer(503, ""), "503"},
		{"too many", answer(429, ""), "429"},
		{"moved", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusMovedPermanently)
		}, "disallow: /p"},
		{"loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/robots.txt", http.StatusFound) }, "more than 5 redirects"},
		{"nowhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "ftp://x/", http.StatusFound) }, "ftp"},
		{"compressed", encoded("gzip", pack(t, "gzip", []byte(no))), "disallow: /p"},
		{"damaged", encoded("gzip", []byte(no)), "cannot be had"},
		{"brotli", encoded("br", []byte(no)), "cannot be had"},
		{"bomb", encoded("gzip", pack(t, "gzip", append([]byte(no), make([]byte, 20<<20)...))), "disallow: /p"},
		{"a page", answer(200, "<!doctype html><p>User-agent: nobody</p>"), ""},
		{"empty", answer(200, ""), ""},
		{"gigabyte", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(1<<30))
			fmt.Fprint(w, no)
			for {
				if _, err := fmt.Fprint(w, strings.Repeat("Disallow: /x\n", 1000)); err != nil {
					return
				}
			}
		}, "disallow: /p"},
		{"slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no answer within 400ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := site(t, map[string]http.HandlerFunc{"/robots.txt": c.robots, "/page": text("page"), "/elsewhere": answer(200, no)})
			o := local()
			o.RobotsTimeout = 400 * time.Millisecond
			if c.word == "" {
				get(t, s.URL+"/page", o)
			} else {
				refused(t, s.URL+"/page", o, KindRobots, s.URL+"/page", c.word)
			}
			o.IgnoreRobots = "the author asked for it"
			if p := get(t, s.URL+"/page", o); p.Facts()["http_robots"] != "ignored: the author asked for it" {
				t.Errorf("http_robots %q, want the reason", p.Facts()["http_robots"])
			}
		})
	}
	for _, reason := range []string{" ", "two\nlines", strings.Repeat("x", maxReason+1), "\x00"} {
		o := local()
		o.IgnoreRobots = reason
		refused(t, "http://127.0.0.1:1/", o, KindOptions, "reason")
	}
}

// The page a redirect leads to has a robots.txt of its own.
func TestRobotsOfTheTarget(t *testing.T) {
	asked := 0
	there := site(t, map[string]http.HandlerFunc{"/robots.txt": text("User-agent: *\nDisallow: /\n"), "/p": text("page")})
	here := site(t, map[string]http.HandlerFunc{
		"/robots.txt": func(w http.ResponseWriter, r *http.Request) { asked++; http.NotFound(w, r) },
		"/a":          func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/b", http.StatusFound) },
		"/b":          func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, there.URL+"/p", http.StatusFound) },
	})
	refused(t, here.URL+"/a", local(), KindRobots, there.URL+"/p")
	if asked != 1 {
		t.Errorf("robots.txt was asked %d times, want once for the origin", asked)
	}
}

// Rules that make a matcher backtrack take no time here.
func TestRobotsAreLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for b.Len() < MaxRobots {
		b.WriteString("Disallow: /" + strings.Repeat("*a", 100) + "*b$\n")
	}
	begin := time.Now()
	r := parseRobots([]byte(b.String()))
	if _, ok := r.permits("/" + strings.Repeat("a", weburl.MaxURL-1)); !ok {
		t.Error("a path without b is forbidden")
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("%d rules took %s", len(r.lines), took)
	}
}

func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /%7E"), "/a/b?c=%zz")
	f.Add([]byte("User-agent: muniment\nDisallow: /"), "/")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		r := parseRobots(data)
		for _, l := range r.lines {
			if got := weburl.NormalizePath(l.pattern, true); got != l.pattern {
				t.Errorf("pattern %q becomes %q", l.pattern, got)
			}
		}
		r.permits(path)
	})
}
