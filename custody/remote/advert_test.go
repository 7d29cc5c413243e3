package remote

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// flood writes refs without end, until the reader has enough.
func flood(w io.Writer, caps string) {
	for i := 0; ; i++ {
		line := fmt.Sprintf("%040x refs/tags/t%08d%s\n", i+1, i, caps)
		if _, err := fmt.Fprintf(w, "%04x%s", len(line)+4, line); err != nil {
			return
		}
		caps = ""
	}
}

// TestEndlessRefs: a peer that lists refs without end is refused while the list
// is read, over a connection and over http.
func TestEndlessRefs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				in.Peek(4)
				flood(c, "\x00ofs-delta")
			}()
		}
	}()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		io.WriteString(w, "001e# service=git-upload-pack\n0000")
		flood(w, "\x00ofs-delta")
	}))
	defer server.Close()
	for _, address := range []string{fmt.Sprintf("git://%s/any.git", l.Addr()), server.URL + "/any.git"} {
		r, err := Open(address, Options{Home: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		refs, err := r.Refs(t.Context())
		if err == nil || refs != nil || !strings.Contains(err.Error(), "list of refs is longer than") {
			t.Errorf("%s: %d refs, %v", address, len(refs), err)
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 20*MaxAdvert {
			t.Errorf("%s: %d bytes were allocated", address, grown)
		}
	}
}
