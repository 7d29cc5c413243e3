package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fetched is the time of every fetch in these tests.
var fetched = time.Date(2026, 2, 11, 2, 15, 0, 987, time.UTC)

// local are Options for a loopback server.
func local() Options {
	return Options{AllowPrivate: true, Now: func() time.Time { return fetched }, Timeout: 20 * time.Second}
}

// site serves the handlers, and 404 for everything else.
func site(t *testing.T, handlers map[string]http.HandlerFunc) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	for pattern, h := range handlers {
		mux.HandleFunc(pattern, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// text answers with body.
func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		fmt.Fprint(w, body)
	}
}

// wire is a server that writes whatever talk writes, after one request has been
// read. It has no robots.txt.
func wire(t *testing.T, talk func(c net.Conn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				req, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				if req.URL.Path == "/robots.txt" {
					fmt.Fprint(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
					return
				}
				talk(c)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/page"
}

// says is a talk of fixed bytes.
func says(s string) func(net.Conn) {
	return func(c net.Conn) { fmt.Fprint(c, s) }
}

// get fetches and fails the test on an error.
func get(t *testing.T, url string, o Options) *Page {
	t.Helper()
	p, err := Fetch(context.Background(), url, o)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return p
}

// refused fetches and wants an *Error of one kind whose text has every one of
// the words.
func refused(t *testing.T, url string, o Options, kind Kind, words ...string) *Error {
	t.Helper()
	p, err := Fetch(context.Background(), url, o)
	if p != nil {
		t.Errorf("%s: a page beside the error", url)
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: error %v, want one of kind %s", url, err, kind)
	}
	if e.Kind != kind {
		t.Errorf("%s: kind %s (%v), want %s", url, e.Kind, err, kind)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q, want %q in it", err, w)
		}
	}
	if e.Suggestion() == "" {
		t.Errorf("kind %s has no suggestion", e.Kind)
	}
	return e
}
