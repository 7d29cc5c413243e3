package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No address and no header of a copy has a secret, whatever of the archive is damaged; what is not whole
// is dropped and counted, other words stay, and a file without secrets is not changed.
func TestScrub(t *testing.T) {
	const secret = "millwheel"
	first := warcRecordOf("request", "http://example.org/a?token=millwheel&p=1", "", "GET /a?token=millwheel&p=1 HTTP/1.1\r\nCookie: session=millwheel\r\nAuthorization: Basic millwheel\r\n\r\n")
	second := warcRecordOf("response", "http://ada:millwheel@example.org/", "", "HTTP/1.1 200 OK\r\nLocation: /b?sig=millwheel\r\nLink: </n?token=millwheel>; rel=next\r\nSet-Cookie: s=millwheel\r\n\r\nWrite to ada@example.org of the mill.")
	long := warcRecordOf("resource", "http://example.org/l", "", "http://example.org/"+strings.Repeat("a", maxHead)+"?token=millwheel&x="+strings.Repeat("b", maxHead))
	plain := first + second + long
	gz := zipped(t, first) + zipped(t, second) + zipped(t, long)
	for name, c := range map[string]struct {
		data          string
		kept, dropped int
	}{
		"plain":        {plain, 3, 0},
		"cut":          {plain[:len(plain)-40], 2, 1},
		"no length":    {strings.Replace(plain, "Content-Length: ", "Content-Length: 1", 1), 2, 1},
		"packed":       {gz, 3, 0},
		"packed, cut":  {gz[:len(gz)-25], 2, 2},
		"packed, torn": {zipped(t, first) + "torn" + zipped(t, second), 2, 1},
		"bytes in it":  {zipped(t, second) + zipped(t, first) + gz[:60] + "xx" + gz[60:], 4, 1},
	} {
		file := filepath.Join(t.TempDir(), "a.warc")
		if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		s, err := Scrub(t.Context(), file, &out, CrawlOptions{})
		if err != nil || s.Masked < 3 || s.Kept != c.kept || s.Dropped < c.dropped || (s.Dropped > 0) != (c.dropped > 0) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		text := out.Bytes()
		if s.Packed {
			z, err := gzip.NewReader(&out)
			if err != nil {
				t.Fatal(err)
			}
			if text, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		} else if c.dropped == 0 && len(text) != len(c.data) {
			t.Errorf("%s: %d bytes, want %d", name, len(text), len(c.data))
		}
		if i := bytes.Index(text, []byte(secret)); i >= 0 {
			t.Errorf("%s: a secret is left: %q", name, text[max(0, i-60):i+20])
		}
		for _, want := range []string{"Write to ada@example.org of the mill.", "WARC-Target-URI: http://example.org/a?p=1", "GET /a?p=1"} {
			if !bytes.Contains(text, []byte(want)) && name != "no length" {
				t.Errorf("%s: %q is gone", name, want)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "b.warc")
	clean := warcRecordOf("response", "http://example.org/", "", "HTTP/1.1 200 OK\r\n\r\nWrite to ada@example.org.")
	if err := os.WriteFile(file, []byte(clean), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if s, err := Scrub(t.Context(), file, &out, CrawlOptions{}); err != nil || s.Masked > 0 || s.Dropped > 0 || out.String() != clean {
		t.Errorf("without secrets: %+v, %v", s, err)
	}
	if err := os.WriteFile(file, []byte("PK\x03\x04 a zip that is cut off ?token=millwheel"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Scrub(t.Context(), file, &out, CrawlOptions{}); err == nil {
		t.Error("a file that cannot be unpacked was copied")
	}
}
