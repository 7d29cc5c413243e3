package web

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"muniment/canon/read"
)

// pack compresses data with one content encoding; "raw" is deflate without the
// zlib header.
func pack(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch name {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "raw":
		var err error
		if w, err = flate.NewWriter(&b, 9); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// encoded answers with bytes under a Content-Encoding.
func encoded(encoding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Encoding", encoding)
		w.Write(body)
	}
}

func TestContentEncodings(t *testing.T) {
	words := []byte(strings.Repeat("In the beginning was the word. ", 100))
	zipped := pack(t, "gzip", words)
	ok := map[string]http.HandlerFunc{
		"/identity": encoded("identity", words), "/gzip": encoded("GZip", zipped), "/x-gzip": encoded("x-gzip", zipped),
		"/deflate": encoded("deflate", pack(t, "deflate", words)), "/raw": encoded("deflate", pack(t, "raw", words)),
		"/twice":   encoded("gzip, deflate", pack(t, "deflate", zipped)),
		"/members": encoded("gzip", append(pack(t, "gzip", words[:100]), pack(t, "gzip", words[100:])...)),
	}
	s := site(t, ok)
	tried := 0
	for path := range ok {
		p := get(t, s.URL+path, local())
		if !bytes.Equal(p.Body, words) {
			t.Errorf("%s: %d bytes of body differ from the %d sent", path, len(p.Body), len(words))
		}
		if path != "/identity" && p.EncodedSize >= int64(len(words)) {
			t.Errorf("%s: encoded size %d, want that of the compressed body", path, p.EncodedSize)
		}
		tried++
	}
	if tried != 7 {
		t.Errorf("%d encodings tried, want 7", tried)
	}
	broken := append([]byte(nil), zipped...)
	broken[len(broken)-6] ^= 1
	bad := map[string]http.HandlerFunc{
		"/br": encoded("br", words), "/star": encoded("*", words), "/zstd": encoded("gzip, zstd", zipped),
		"/thrice": encoded("gzip, gzip, gzip", zipped), "/notgzip": encoded("gzip", words), "/short": encoded("gzip", zipped[:len(zipped)-9]),
		"/checksum": encoded("gzip", broken), "/trailing": encoded("gzip", append(zipped[:len(zipped):len(zipped)], "more"...)),
		"/after": encoded("deflate", append(pack(t, "deflate", words), "more"...)), "/one": encoded("deflate", []byte{0x78}),
		"/inner": encoded("deflate, gzip", pack(t, "gzip", append(pack(t, "deflate", words), 'x'))),
	}
	s = site(t, bad)
	for path := range bad {
		refused(t, s.URL+path, local(), KindEncoding)
	}
}

func TestSizes(t *testing.T) {
	words := []byte(strings.Repeat("0123456789", 1000))
	chunked := func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(words); i += 1000 {
			w.Write(words[i : i+1000])
			w.(http.Flusher).Flush()
		}
	}
	s := site(t, map[string]http.HandlerFunc{
		"/stated": text(string(words)), "/chunked": chunked, "/gzip": encoded("gzip", pack(t, "gzip", words)),
		"/endless": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(words); err != nil {
					return
				}
			}
		},
	})
	o := local()
	o.MaxBody = int64(len(words))
	for _, path := range []string{"/stated", "/chunked", "/gzip"} {
		if p := get(t, s.URL+path, o); !bytes.Equal(p.Body, words) {
			t.Errorf("%s: a body of the very limit is not the one sent", path)
		}
	}
	if p := get(t, s.URL+"/chunked", o); p.Framing != "chunked" {
		t.Errorf("framing %q, want chunked", p.Framing)
	}
	o.MaxBody--
	refused(t, s.URL+"/stated", o, KindTooLarge, "10000 bytes, more than 9999")
	refused(t, s.URL+"/chunked", o, KindTooLarge, "more than 9999 bytes before decoding")
	refused(t, s.URL+"/gzip", o, KindTooLarge, "more than 9999 bytes after decoding")
	refused(t, s.URL+"/endless", local(), KindTooLarge, "more than 33554432")
}

func TestBombs(t *testing.T) {
	zeros := make([]byte, 20<<20)
	one := pack(t, "gzip", zeros)
	s := site(t, map[string]http.HandlerFunc{
		"/bomb": encoded("gzip", one), "/zlib": encoded("deflate", pack(t, "deflate", zeros)),
		"/nested": encoded("gzip, gzip", pack(t, "gzip", one)), "/small": encoded("gzip", pack(t, "gzip", zeros[:ratioFloor])),
	})
	for _, path := range []string{"/bomb", "/zlib", "/nested"} {
		refused(t, s.URL+path, local(), KindExpansion, "over 100 times")
	}
	if p := get(t, s.URL+"/small", local()); len(p.Body) != ratioFloor {
		t.Errorf("%d bytes, want %d: the ratio of a small body is nobody's business", len(p.Body), ratioFloor)
	}
}

func TestLyingServers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	for _, c := range []struct {
		name, wire string
		kind       Kind
	}{
		{"length too long", ok + "Content-Length: 100\r\n\r\nshort", KindTruncated},
		{"lengths that differ", ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nshort!", KindProtocol},
		{"negative length", ok + "Content-Length: -1\r\n\r\nshort", KindProtocol},
		{"length that is no number", ok + "Content-Length: 0x5\r\n\r\nshort", KindProtocol},
		{"length of exabytes", ok + "Content-Length: 9000000000000000000\r\n\r\nshort", KindTooLarge},
		{"chunks without the last", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", KindTruncated},
		{"chunk cut off", ok + "Transfer-Encoding: chunked\r\n\r\n50\r\nshort\r\n", KindTruncated},
		{"chunk size that is no number", ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nshort\r\n0\r\n\r\n", KindProtocol},
		{"chunk size beyond 64 bits", ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\nshort\r\n0\r\n\r\n", KindProtocol},
		{"unknown transfer encoding", ok + "Transfer-Encoding: gzip\r\n\r\nshort", KindProtocol},
		{"no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", KindProtocol},
		{"nothing", "", KindTruncated},
		{"half a status line", "HTTP/1.1 20", KindProtocol},
		{"status that is no number", "HTTP/1.1 abc OK\r\n\r\n", KindProtocol},
		{"headers without an end", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n", KindTruncated},
		{"headers of a megabyte", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", KindTooLarge},
		{"a hundred thousand headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: a\r\n", 100_000) + "\r\n", KindTooLarge},
		{"endless early hints", strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 10_000), KindTooLarge},
		{"header without a colon", "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok", KindProtocol},
		{"switching protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", KindStatus},
		{"carriage return in a header", "HTTP/1.1 200 OK\r\nETag: a\rSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok", KindProtocol},
		{"escape in a header", "HTTP/1.1 200 OK\r\nETag: \x1b[2J\r\nContent-Length: 2\r\n\r\nok", KindProtocol},
		{"zero byte in a header", "HTTP/1.1 200 OK\r\nETag: a\x00b\r\nContent-Length: 2\r\n\r\nok", KindProtocol},
		{"status 999", "HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno", KindStatus},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, wire(t, says(c.wire)), local(), c.kind) })
	}
}

func TestFraming(t *testing.T) {
	p := get(t, wire(t, says("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwhole and more")), local())
	if string(p.Body) != "whol" || p.Framing != "length" {
		t.Errorf("body %q, framing %q: want what the length says", p.Body, p.Framing)
	}
	p = get(t, wire(t, says("HTTP/1.0 200 OK\r\n\r\nuntil the end")), local())
	if string(p.Body) != "until the end" || p.Framing != "close" || p.MediaType != "" {
		t.Errorf("body %q, framing %q, type %q", p.Body, p.Framing, p.MediaType)
	}
}

func TestHeaders(t *testing.T) {
	long := strings.Repeat("ä", MaxHeaderValue)
	p := get(t, wire(t, says("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n"+
		"ETag: \"a\xff\"\r\nServer: one\r\nServer: two\r\n folded\r\nLink: "+long+"\r\nVia:\r\n"+
		"Content-Disposition: inline; filename=\"\u202egpj.exe\"\r\n\r\nok")), local())
	got := map[string]string{}
	for i, f := range p.Header {
		if i > 0 && p.Header[i-1].Name >= f.Name {
			t.Errorf("header %q after %q", f.Name, p.Header[i-1].Name)
		}
		got[f.Name] = f.Value
	}
	for name, want := range map[string]string{
		"etag":                `"a%FF"`,
		"server":              "one, two folded",
		"link":                strings.Repeat("ä", MaxHeaderValue/2) + "…",
		"content-disposition": `inline; filename="%E2%80%AEgpj.exe"`,
		"via":                 "",
		"set-cookie":          "",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	accede(t, p)
	refused(t, wire(t, says("HTTP/1.1 200 OK\r\nContent-Encoding: gz\xffip\r\nContent-Length: 2\r\n\r\nok")), local(), KindEncoding, "content encoding")
}

func TestMediaTypes(t *testing.T) {
	for header, want := range map[string]string{
		"": "", "text/html": "text/html", "TEXT/HTML;charset=utf-8": "text/html; charset=utf-8", "text/plain; charset=\"a b\"": `text/plain; charset="a b"`,
		"text": "", "text/html; charset": "text/html", "text/html; charset=": "text/html", ";;;": "", "text/html; charset=\xff": "text/html", "a/b; q=1": "a/b",
		"text/html; charset=" + strings.Repeat("x", 2000): "",
	} {
		if got := mediaType(header); got != want {
			t.Errorf("media type of %q is %q, want %q", header, got, want)
		}
	}
}

// The declared charset is passed on, not believed: the archive's decoder has
// the last word.
func TestWrongCharset(t *testing.T) {
	s := site(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=us-ascii-nonsense")
		fmt.Fprint(w, "Grüße\n")
	}})
	p := get(t, s.URL+"/", local())
	f, err := read.NewRegistry().Canonicalize(read.Input{Name: p.Name(), MediaType: p.MediaType, Data: p.Body})
	if err != nil || string(f.Payload) != "Grüße\n" || f.MediaType != "text/plain" {
		t.Errorf("payload %q of type %q (%v), want the words", f.Payload, f.MediaType, err)
	}
}

func TestSlowServers(t *testing.T) {
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	wait := func(c net.Conn, every time.Duration, s string) {
		for {
			if _, err := fmt.Fprint(c, s); err != nil {
				return
			}
			select {
			case <-hang:
				return
			case <-time.After(every):
			}
		}
	}
	o := local()
	o.HeaderTimeout, o.Stall, o.Timeout = 300*time.Millisecond, 300*time.Millisecond, 10*time.Minute
	begin := time.Now()
	refused(t, wire(t, func(net.Conn) { <-hang }), o, KindTimeout, "header")
	refused(t, wire(t, func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\n")
		wait(c, 20*time.Millisecond, "X: a\r\n")
	}), o, KindTimeout, "header")
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
	refused(t, wire(t, func(c net.Conn) { fmt.Fprint(c, ok); <-hang }), o, KindSlow, "only 0 bytes")
	refused(t, wire(t, func(c net.Conn) { fmt.Fprint(c, ok); wait(c, 20*time.Millisecond, "a") }), o, KindSlow, "want at least 1024")
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("four slow servers took %s", took)
	}
	o.Timeout = 500 * time.Millisecond
	refused(t, wire(t, func(c net.Conn) { fmt.Fprint(c, ok); wait(c, 5*time.Millisecond, strings.Repeat("a", 1000)) }), o, KindTimeout, "500ms")
}
