package accession_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"muniment/accession"
	"muniment/archive/archivetest"
)

// A vault makes secrets and remembers them.
type vault []string

// next returns a new secret, of which no part of six characters is in another word.
func (v *vault) next() string {
	s := fmt.Sprintf("Zq%dXv%dKw%dJy%d", 17*len(*v)+11, 31*len(*v)+101, 13*len(*v)+53, 7*len(*v)+29)
	*v = append(*v, s)
	return s
}

// fragments returns the parts of n characters of every secret.
func (v vault) fragments(n int) map[string]bool {
	out := map[string]bool{}
	for _, s := range v {
		for i := 0; i+n <= len(s); i++ {
			out[s[i:i+n]] = true
		}
	}
	return out
}

func warcRecord(kind, url, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2001-02-03T04:05:06Z\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, url, len(block), block)
}

// secretRecords returns the records of a crawl with a secret in each place that has one.
func secretRecords(v *vault) []string {
	s := v.next
	page := "<html><head><title>The mill</title><meta name=\"csrf-token\" content=\"" + s() + "\"></head><body><form><input type=hidden name=csrfmiddlewaretoken value='" + s() +
		"'><input value=\"" + s() + "\" type=\"hidden\" name=\"authenticity_token\"></form><a href=\"/next?token=" + s() + "&p=2\">The wheel turns.</a> https://kit:" + s() + "@example.org/x" + strings.Repeat(" The mill stands by the stream.", 20) + "</body></html>"
	packed := gzipOf("<p>The other mill</p><input type=hidden name=csrf value=" + s() + "><a href='http://example.org/?api_key=" + s() + "'>on</a>")
	return []string{
		warcRecord("request", "https://joe:"+s()+"@example.org/?token="+s(), "GET /?token="+s()+" HTTP/1.1\r\nHost: example.org\r\nCookie: session="+s()+";\r\n more="+s()+"\r\nAuthorization: Bearer "+s()+"\r\nX-Api-Key: "+s()+"\r\nProxy-Authorization: Basic "+s()+"\r\nReferer: https://example.org/?sig="+s()+"\r\n\r\n"),
		warcRecord("request", "https://example.org/login", "POST /login HTTP/1.1\r\nHost: example.org\r\nX-CSRF-Token: "+s()+"\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nuser=joe&password="+s()+"&access_token="+s()),
		warcRecord("response", "https://joe:"+s()+"@example.org/?token="+s(), "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: session="+s()+"; Path=/\r\nX-Auth-Token: "+s()+"\r\n\r\n"+page),
		warcRecord("response", "https://example.org/page", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+page),
		warcRecord("response", "https://example.org/packed", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"+packed),
		warcRecord("response", "https://example.org/redirect", "HTTP/1.1 302 Found\r\nLocation: /b?token="+s()+"\r\n\r\n"),
	}
}

func gzipOf(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func zipOf(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: files[i], Method: uint16(8 * (i / 2 % 2))}) // stored and deflated by turns
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[i+1])
	}
	z.Close()
	return b.String()
}

func tarOf(files ...string) string {
	var b bytes.Buffer
	z := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		z.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1]))})
		io.WriteString(z, files[i+1])
	}
	z.Close()
	return b.String()
}

func mailOf(name, mediaType, data string) string {
	var lines []string
	for text := base64.StdEncoding.EncodeToString([]byte(data)); text != ""; text = text[min(76, len(text)):] {
		lines = append(lines, text[:min(76, len(text))])
	}
	return "From: Ruth <ruth@example.org>\r\nTo: joe@example.org\r\nSubject: The crawl\r\nDate: Sat, 3 Feb 2001 04:05:06 +0000\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHere is the crawl of the mill.\r\n--b\r\nContent-Type: " + mediaType + "\r\nContent-Disposition: attachment; filename=" + name + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" + strings.Join(lines, "\r\n") + "\r\n--b--\r\n"
}

// unpackAll calls fn on bytes and on what they hold in layers of gzip, bzip2, xz, zstd, zip and
// base64, as far as these can be read.
func unpackAll(data []byte, depth int, fn func([]byte)) {
	fn(data)
	if depth == 6 {
		return
	}
	inner := func(r io.Reader, err error) {
		if err == nil {
			if out, _ := io.ReadAll(r); len(out) > 0 {
				unpackAll(out, depth+1, fn)
			}
		}
	}
	for at := 0; at < len(data); at++ {
		rest := data[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("\x1f\x8b\x08")):
			z, err := gzip.NewReader(bytes.NewReader(rest))
			if err == nil {
				z.Multistream(false)
			}
			inner(z, err)
		case bytes.HasPrefix(rest, []byte("BZh9")):
			inner(bzip2.NewReader(bytes.NewReader(rest)), nil)
		case bytes.HasPrefix(rest, []byte("\xfd7zXZ\x00")):
			z, err := xz.NewReader(bytes.NewReader(rest))
			inner(z, err)
		case bytes.HasPrefix(rest, []byte("\x28\xb5\x2f\xfd")):
			z, err := zstd.NewReader(bytes.NewReader(rest))
			inner(z, err)
		}
	}
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			inner(r, err)
		}
	}
	if _, body, ok := bytes.Cut(data, []byte("base64\r\n\r\n")); ok {
		inner(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body)), nil)
	}
}

// No object of an archive has a secret of a web archive, or six characters of one, whatever the
// web archive is packed in and however it is damaged.
func TestExposedWebArchives(t *testing.T) {
	var v vault
	records := secretRecords(&v)
	if len(v) < 20 {
		t.Fatalf("%d secrets", len(v))
	}
	plain := strings.Join(records, "")
	var gz string
	for _, r := range records {
		gz += gzipOf(r)
	}
	first := len(gzipOf(records[0])) + len(gzipOf(records[1]))
	torn := gz[:first+150] + "xx" + gz[first+150:]
	whole := gzipOf(plain)
	const letter = "Dear Ruth, the mill stands.\n"
	wacz := zipOf(t, "archive/data.warc.gz", gz, "indexes/index.cdxj", "org,example)/ 20010203040506 {\"url\": \"https://example.org/?token="+v[1]+"\"}\n", "datapackage.json", "{\"resources\": []}")
	packed := func(name string, data string) string { // by a program, as the library only unpacks
		cmd := exec.Command(name, "-c")
		cmd.Stdin = strings.NewReader(data)
		out, err := cmd.Output()
		if err != nil {
			t.Logf("no %s here: %v", name, err)
			return ""
		}
		return string(out)
	}
	var zst, xzs bytes.Buffer
	if z, err := zstd.NewWriter(&zst); err == nil {
		io.WriteString(z, plain)
		z.Close()
	}
	if z, err := xz.NewWriter(&xzs); err == nil {
		io.WriteString(z, plain)
		z.Close()
	}
	nested := zipOf(t, "l.txt", letter, "inner.zip", zipOf(t, "a.txt", letter, "crawl.dat", plain))
	inZip := zipOf(t, "l.txt", letter, "crawl.warc", plain)
	many := map[string]string{
		"a.warc": plain, "a.warc.gz": gz, "whole.warc.gz": whole, "name.txt": plain, "name.bin": gz, "blank.txt": "\r\n\r\n" + plain,
		"a.warc.bz2": packed("bzip2", plain), "gz.warc.bz2": packed("bzip2", gz), "a.warc.zst": zst.String(), "a.warc.xz": xzs.String(), "twice.gz": gzipOf(gz),
		"stored.zip": zipOf(t, "crawl.warc", plain, "l.txt", letter), "deflated.zip": inZip, "gz.zip": zipOf(t, "crawl.warc.gz", gz, "l.txt", letter), "name.zip": zipOf(t, "crawl.txt", plain),
		"a.tar": tarOf("l.txt", letter, "crawl.warc", plain), "a.tar.gz": gzipOf(tarOf("l.txt", letter, "crawl.warc.gz", gz)), "hidden.dat": tarOf("l.txt", letter, "crawl.warc", plain),
		"nested.zip": nested, "nested.dat": nested, "tar.zip": zipOf(t, "a.tar.gz", gzipOf(tarOf("l.txt", letter, "crawl", plain))), "zip.gz": gzipOf(inZip),
		"a.eml": mailOf("crawl.warc", "application/warc", plain), "gz.eml": mailOf("crawl.warc.gz", "application/gzip", gz), "zip.eml": mailOf("crawl.zip", "application/zip", inZip), "text.eml": mailOf("crawl.txt", "text/plain", plain),
		"eml.zip": zipOf(t, "a.eml", mailOf("crawl.warc", "application/warc", plain)), "eml.zip.zip": zipOf(t, "i.zip", zipOf(t, "a.eml", mailOf("crawl.dat", "application/octet-stream", gz))), "a.eml.gz": gzipOf(mailOf("crawl.warc", "application/warc", plain)),
		"cut.eml": mailOf("crawl.warc", "application/warc", plain)[:2500], "base.eml": strings.Replace(mailOf("crawl.warc", "application/warc", plain), "base64\r\n\r\n", "base64\r\n\r\n!!!!\r\n", 1), "inline.eml": "From: ruth@example.org\r\nSubject: The crawl\r\nMessage-ID: <1@example.org>\r\n\r\n" + plain,
		"a.mbox": "From ruth@example.org Sat Feb  3 04:05:06 2001\n" + strings.ReplaceAll(mailOf("crawl.warc", "application/warc", plain), "\r\n", "\n") + "\n",
		"a.wacz": wacz, "wacz.zip": zipOf(t, "l.txt", letter, "a.wacz", wacz), "wacz.name.zip": wacz,
		"cut.warc": plain[:len(plain)-400], "cut.warc.gz": gz[:len(gz)-120], "cut.whole.warc.gz": whole[:len(whole)-200], "torn.warc.gz": torn, "torn.dat": torn, "torn.whole.warc.gz": whole[:300] + "xx" + whole[300:], "early.warc.gz": gz[:60] + "xx" + gz[60:],
		"torn.zip": zipOf(t, "l.txt", letter, "crawl.warc.gz", torn), "torn.eml": mailOf("crawl.warc.gz", "application/gzip", torn), "torn.wacz": zipOf(t, "archive/data.warc.gz", torn, "datapackage.json", "{\"resources\": []}"),
		"cut.zip": inZip[:len(inZip)-80], "cut.stored.zip": zipOf(t, "crawl.warc", plain)[:len(plain)-10], "cut.nested.zip": nested[:len(nested)-60], "cut.gz.zip": zipOf(t, "crawl.warc.gz", gz)[:len(gz)-100], "cut.tar": tarOf("l.txt", letter, "crawl.warc", plain)[:3000], "cut.tar.gz": gzipOf(tarOf("l.txt", letter, "crawl.warc", plain))[:1000],
		"noise.zip": inZip[:len(inZip)-80] + "\x1f\x8b\x08\xff\xffBZh\xfd7zXZ\x00\x28\xb5\x2f\xfd\nH4sI!\nUEsDB\x1f\x8b\x08PK\x03\x04", "noise.dat": "PK\x03\x04\x1f\x8b\x08\xff\xffBZh\xfd7zXZ\x00\x28\xb5\x2f\xfd\nH4sI!PK\x03\x04\n\x00\x00\x00\x08P",
		"no.warc": "no WARC: " + v[0], "length.warc": strings.Replace(plain, "Content-Length: ", "Content-Length: 1", 1),
	}
	parts := v.fragments(6)
	a, key := archivetest.New(t, map[string]string{"first.txt": letter})
	seen := map[string]bool{}
	tried := 0
	check := func(t *testing.T) {
		places, first := 0, ""
		for id, object := range everyObject(t, a.Dir()) {
			if seen[id] {
				continue
			}
			seen[id] = true
			unpackAll(object, 0, func(b []byte) {
				for i := 0; i+6 <= len(b); i++ {
					if parts[string(b[i:i+6])] {
						places, first = places+1, string(b[max(0, i-30):min(len(b), i+20)])
					}
				}
			})
		}
		if places > 0 {
			t.Errorf("places with a secret: %d, one of them: %q", places, first)
		}
	}
	for name, data := range many {
		if data == "" {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{})
			if r == nil {
				t.Fatal(err)
			}
			if damaged := strings.HasPrefix(name, "cut") && name != "cut.eml" || strings.HasPrefix(name, "torn") || strings.HasPrefix(name, "no."); damaged && err == nil {
				t.Errorf("nobody is told of the damage: %+v", r.Artifacts)
			}
			if len(r.Artifacts) == 0 && len(r.Skipped) == 0 {
				t.Error("nothing was taken or refused")
			}
			check(t)
		})
	}
	archivetest.Seal(t, a, key)
	check(t)
	if tried < 50 || len(seen) < 2*tried {
		t.Errorf("wrappings: %d, objects: %d", tried, len(seen))
	}
}

// everyObject returns the content of all blobs and commits of an archive by id, through stock git.
func everyObject(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	repository := filepath.Join(dir, "store.git")
	if found, _ := filepath.Glob(filepath.Join(dir, "*", "objects")); len(found) == 1 {
		repository = filepath.Dir(found[0])
	}
	list, err := exec.Command("git", "--git-dir", repository, "cat-file", "--batch-all-objects", "--batch").Output()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for len(list) > 0 {
		head, rest, _ := bytes.Cut(list, []byte("\n"))
		var id, kind string
		var n int
		if _, err := fmt.Sscan(string(head), &id, &kind, &n); err != nil {
			t.Fatal(err)
		}
		if kind != "tree" {
			out[id] = rest[:n]
		}
		list = rest[n+1:]
	}
	return out
}
