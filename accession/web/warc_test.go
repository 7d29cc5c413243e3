package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// warcRecordOf returns a record of a WARC.
func warcRecordOf(kind, url, more, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2001-02-03T04:05:06Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, url, more, len(block), block)
}

// zipped returns a gzip member.
func zipped(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWARC(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	records := []string{
		warcRecordOf("warcinfo", "", "", "software: x\r\n"),
		warcRecordOf("request", "http://example.org/a", "", "GET /a HTTP/1.1\r\n\r\n"),
		warcRecordOf("response", "http://example.org/a", "WARC-Payload-Digest: sha1:A\r\n", ok+"Content-Length: 99\r\n\r\n<p>one</p>"),
		warcRecordOf("response", "<http://example.org/b>", "", ok+"Transfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"),
		warcRecordOf("response", "http://example.org/c", "", ok+"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"+zipped(t, "three")),
		warcRecordOf("response", "http://example.org/d", "", ok+"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\nfour, stored decoded"),
		warcRecordOf("response", "http://example.org/old", "", "HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n"),
		warcRecordOf("response", "http://example.org/none", "", "HTTP/1.1 404 Not Found\r\n\r\nno"),
		warcRecordOf("revisit", "http://example.org/again", "WARC-Payload-Digest: sha1:A\r\n", ""),
		warcRecordOf("revisit", "http://example.org/unknown", "", ""),
		warcRecordOf("resource", "http://example.org/e.txt", "Content-Type: text/plain\r\n", "five"),
		warcRecordOf("response", "dns:example.org", "", "x"),
		warcRecordOf("resource", "dns:example.org", "Content-Type: text/dns\r\n", "x"),
		warcRecordOf("resource", "FTP://Example.org/pub/f.txt", "Content-Type: text/plain\r\n", "six"),
		warcRecordOf("resource", "urn:thumbnail:http://example.org/a b/t?token=millwheel", "Content-Type: text/plain\r\n", "seven"),
		warcRecordOf("resource", "ftp://ada:millwheel@example.org/f.txt", "Content-Type: text/plain\r\n", "no"),
	}
	packed := ""
	for _, r := range records {
		packed += zipped(t, r)
	}
	for name, data := range map[string]string{"plain": strings.Join(records, ""), "a member each": packed, "one member": zipped(t, strings.Join(records, ""))} {
		path := filepath.Join(t.TempDir(), "a.warc")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := OpenWARC(context.Background(), path, CrawlOptions{})
		if err != nil || c.Damage != nil {
			t.Fatalf("%s: %v %v", name, err, c)
		}
		var got []string
		for _, capture := range c.Captures {
			p, facts, err := capture.Page(DefaultMaxBody)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, capture.Name(), err)
			}
			got = append(got, capture.Name()+" "+string(p.Body))
			if s := p.Source(); s.FetchedAt != "2001-02-03T04:05:06Z" || s.URL != p.RequestURL {
				t.Errorf("%s: %+v", name, s)
			}
			if strings.HasSuffix(p.RequestURL, "/a") && (facts["warc_revisits"] != "2001-02-03T04:05:06Z http://example.org/again" || facts["http_redirects"] != "301 http://example.org/old" || facts["http_status"] != "200") {
				t.Errorf("%s: %v", name, facts)
			}
		}
		if want := "http/example.org/a <p>one</p>|http/example.org/b two|http/example.org/c three|http/example.org/d four, stored decoded|http/example.org/e.txt five|ftp/example.org/pub/f.txt six|urn/thumbnail:http:/{index}/example.org/a%20b/t seven"; strings.Join(got, "|") != want {
			t.Errorf("%s: %q", name, got)
		}
		if want := "[{http://example.org/none the server answered 404} {ftp://example.org/f.txt the address at example.org has a user name or password, which an archive must not keep} {http://example.org/unknown a revisit of a page that is not in the file}]"; fmt.Sprint(c.Skipped) != want {
			t.Errorf("%s: skipped %v", name, c.Skipped)
		}
		if err := os.WriteFile(path, []byte(data[:len(data)*2/3]), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := OpenWARC(context.Background(), path, CrawlOptions{}); err != nil || c.Damage == nil {
			t.Errorf("%s: cut, and there is no damage: %v %v", name, c, err)
		}
	}
	path := filepath.Join(t.TempDir(), "b.warc")
	if err := os.WriteFile(path, []byte("no WARC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenWARC(context.Background(), path, CrawlOptions{}); !errors.Is(err, ErrWARC) {
		t.Errorf("another file: %v", err)
	}
}

// The addresses of a crawl lose their secrets, and what leads where is still found.
func TestWARCSecrets(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Location: /a?key=millwheel\r\nLink: </next?token=millwheel>; rel=next\r\n\r\n"
	data := warcRecordOf("response", "http://example.org/old?sig=millwheel", "", "HTTP/1.1 301 Moved\r\nLocation: /a?token=millwheel&p=1\r\n\r\n") +
		warcRecordOf("response", "http://example.org/a?token=millwheel&p=1", "WARC-Payload-Digest: sha1:A\r\n", ok+"one") +
		warcRecordOf("revisit", "http://example.org/again?token=millwheel", "WARC-Payload-Digest: sha1:A\r\n", "") +
		warcRecordOf("response", "http://example.org/none?token=millwheel", "", "HTTP/1.1 404 Not Found\r\n\r\nno") +
		warcRecordOf("response", "http://ada:millwheel@example.org/", "", ok+"two") +
		warcRecordOf("response", "http://example.org/away", "", "HTTP/1.1 301 Moved\r\nLocation: /gone?token=millwheel\r\n\r\n")
	path := filepath.Join(t.TempDir(), "a.warc")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := OpenWARC(t.Context(), path, CrawlOptions{})
	if err != nil || len(c.Captures) != 1 || len(c.Skipped) != 3 {
		t.Fatalf("%v, %+v", err, c)
	}
	p, facts, err := c.Captures[0].Page(DefaultMaxBody)
	if err != nil || p.RequestURL != "http://example.org/a?p=1" || facts["http_redirects"] != "301 http://example.org/old" || !strings.HasPrefix(facts["http_left_out"], "of addresses: ") {
		t.Errorf("%v, %+v", err, facts)
	}
	if all := fmt.Sprint(c.Captures[0].Name(), p.Source(), facts, c.Skipped); strings.Contains(all, "millwheel") {
		t.Error(all)
	}

	kept, err := OpenWARC(t.Context(), path, CrawlOptions{KeepQuery: true})
	if err != nil || len(kept.Captures) != 1 || len(kept.Skipped) != 3 {
		t.Fatalf("tokens kept: %v, %+v", err, kept)
	}
	p, facts, err = kept.Captures[0].Page(DefaultMaxBody)
	if err != nil || p.Source().URL != "http://example.org/a?token=millwheel&p=1" || facts["http_redirects"] != "301 http://example.org/old?sig=millwheel" || facts["http_left_out"] != "" ||
		facts["warc_revisits"] != "2001-02-03T04:05:06Z http://example.org/again?token=millwheel" {
		t.Errorf("tokens kept: %v, %+v", err, facts)
	}
	if all := fmt.Sprint(kept.Skipped); strings.Contains(all, "millwheel") {
		t.Error("what is skipped shows its token: " + all)
	}
}

// What lies behind a damaged record is read, and a body that is not the one whose digest
// was stated says so.
func TestWARCDamage(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	digest := func(s string) string {
		sum := sha1.Sum([]byte(s))
		return "WARC-Payload-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	}
	records := []string{
		warcRecordOf("response", "http://example.org/a", digest("one"), ok+"\r\none"),
		warcRecordOf("response", "http://example.org/lost", "", ok+"\r\n"+strings.Repeat("lost ", 99)),
		warcRecordOf("response", "http://example.org/b", digest("two"), ok+"\r\ntwo?"),
		warcRecordOf("response", "http://example.org/c", digest("three"), ok+"Transfer-Encoding: chunked\r\n\r\n5\r\nthree\r\n0\r\n\r\n"),
		warcRecordOf("response", "http://example.org/d", digest("4\r\nfour\r\n0\r\n\r\n"), ok+"Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n"),
		warcRecordOf("response", "http://example.org/e", "WARC-Payload-Digest: sha-256:"+fmt.Sprintf("%x", sha256.Sum256([]byte("five")))+"\r\n", ok+"\r\nfive"),
	}
	data := []byte{}
	for i, r := range records {
		member := []byte(zipped(t, r))
		if i == 1 {
			member[len(member)-6] ^= 0xff // of the checksum
		}
		data = append(data, member...)
	}
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := OpenWARC(t.Context(), path, CrawlOptions{})
	if err != nil || c.Damage == nil {
		t.Fatalf("%v %+v", err, c)
	}
	var got []string
	for _, capture := range c.Captures {
		p, facts, err := capture.Page(DefaultMaxBody)
		if err != nil {
			continue
		}
		got = append(got, capture.Name(), string(p.Body))
		if wrong := facts["warc_digest_wrong"] != ""; wrong != (string(p.Body) == "two?") {
			t.Errorf("%s: %v", p.Body, facts)
		}
	}
	if all := strings.Join(got, " "); !strings.HasPrefix(all, "http/example.org/a one") || !strings.HasSuffix(all, "http/example.org/b two? http/example.org/c three http/example.org/d four http/example.org/e five") {
		t.Errorf("%q", got)
	}
}

// Behind a damaged record of a WARC that is not compressed the next ones are read: behind a
// header that is none, a length that is too long or too short, and bytes in between.
func TestWARCDamagedPlain(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
	one := func(name string) string { return warcRecordOf("response", "http://example.org/"+name, "", ok+name) }
	length := func(n int) string {
		return strings.Replace(one("bad"), fmt.Sprintf("Content-Length: %d", len(ok)+3), fmt.Sprintf("Content-Length: %d", n), 1)
	}
	tried := 0
	for name, bad := range map[string]string{
		"header":    strings.Replace(one("bad"), "Content-Length", "Content-Length x", 1),
		"no date":   strings.Replace(one("bad"), "WARC/1.1", "WARC/1.1 but\x00", 1)[:40] + "\r\n",
		"too long":  length(len(ok) + 3 + 100),
		"far away":  length(1 << 50),
		"too short": length(len(ok) + 1),
		"between":   "\x00\x01 noise\nWARC/2.0\n",
		"half":      one("bad")[:100] + "\r\n",
	} {
		path := filepath.Join(t.TempDir(), "a.warc")
		if err := os.WriteFile(path, []byte(one("a")+bad+one("b")+one("c")), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := OpenWARC(t.Context(), path, CrawlOptions{})
		if err != nil || c.Damage == nil {
			t.Fatalf("%s: %v %+v", name, err, c)
		}
		var got []string
		for _, capture := range c.Captures {
			if p, _, err := capture.Page(DefaultMaxBody); err == nil {
				got = append(got, string(p.Body))
			}
		}
		if want := "a b c"; strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s; %v; skipped %v", name, got, want, c.Damage, c.Skipped)
		}
		tried++
	}
	if tried != 7 {
		t.Error(tried)
	}
}
