package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A WARCWriter writes WARC 1.1, a record for each page, redirect and capture that found a
// page unchanged. Two writers that are given the same write the same bytes.
type WARCWriter struct {
	w      io.Writer
	packed bool
	info   string // ID of the warcinfo record
	at     int64  // bytes written
	n      int    // records written
	Lines  []CDXLine
}

// A CDXLine says where the record of a page lies in a WARC.
type CDXLine struct {
	URL, MediaType string
	Status         int
	Time           time.Time
	Digest         string
	Offset, Length int64
}

// NewWARCWriter returns a writer of records to w, each a gzip member of its own where
// packed is set. It begins with a warcinfo record of these fields, in order.
func NewWARCWriter(w io.Writer, packed bool, at time.Time, fields ...Field) (*WARCWriter, error) {
	out := &WARCWriter{w: w, packed: packed}
	var block bytes.Buffer
	for _, f := range fields {
		fmt.Fprintf(&block, "%s: %s\r\n", f.Name, f.Value)
	}
	head := []Field{{"WARC-Type", "warcinfo"}, {"WARC-Date", warcTime(at)}, {"Content-Type", "application/warc-fields"}}
	id, err := out.record(head, block.Bytes())
	out.info = id
	return out, err
}

// warcTime returns a time as WARC has it.
func warcTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// digest returns the digest of bytes as WARC labels it.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// record writes a record and returns its ID, which follows from its content.
func (w *WARCWriter) record(head []Field, block []byte) (id string, err error) {
	if w.info != "" {
		head = append(head, Field{"WARC-Warcinfo-ID", w.info})
	}
	head = append(head, Field{"WARC-Block-Digest", digest(block)}, Field{"Content-Length", strconv.Itoa(len(block))})
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q", w.n, head)
	id = "<urn:uuid:" + uuid([32]byte(sum.Sum(nil))) + ">"
	var b bytes.Buffer
	b.WriteString("WARC/1.1\r\nWARC-Record-ID: " + id + "\r\n")
	for _, f := range head {
		b.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(block)
	b.WriteString("\r\n\r\n")
	data := b.Bytes()
	if w.packed {
		var z bytes.Buffer
		g := gzip.NewWriter(&z)
		if _, err := g.Write(data); err != nil {
			return "", err
		}
		if err := g.Close(); err != nil {
			return "", err
		}
		data = z.Bytes()
	}
	if w.w == nil {
		return "", errors.New("a WARC without a file")
	}
	n, err := w.w.Write(data)
	w.at += int64(n)
	w.n++
	return id, err
}

// uuid writes a hash as a UUID of version 8 (RFC 9562).
func uuid(h [32]byte) string {
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// A Stored is a page as an archive keeps it: its address, when it was fetched, the facts of
// its record, the media type of its original and the original.
type Stored struct {
	URL       string
	FetchedAt time.Time
	Facts     map[string]string
	MediaType string
	Body      []byte
}

// Write writes a page: the redirects that led to it, its response or, where no server is
// known to have answered, a resource, and the captures that found it unchanged.
func (w *WARCWriter) Write(p Stored) error {
	status, _ := strconv.Atoi(p.Facts["http_status"])
	hops := strings.Fields(p.Facts["http_redirects"])
	for i := 0; i+1 < len(hops); i += 2 {
		to := p.URL
		if i+3 < len(hops) {
			to = hops[i+3]
		}
		code, err := strconv.Atoi(hops[i])
		if err != nil || code < 300 || code > 399 {
			return fmt.Errorf("the redirect %s of %s is none", hops[i], p.URL)
		}
		if _, err := w.response(hops[i+1], p.FetchedAt, code, []Field{{"Location", to}}, nil); err != nil {
			return err
		}
	}
	mediaType := p.Facts["http_media_type"]
	line := CDXLine{URL: p.URL, MediaType: p.MediaType, Status: status, Time: p.FetchedAt, Digest: digest(p.Body), Offset: w.at}
	var id string
	var err error
	if status == 0 {
		mediaType = cmp.Or(mediaType, p.MediaType)
		id, err = w.record([]Field{{"WARC-Type", "resource"}, {"WARC-Date", warcTime(p.FetchedAt)}, {"WARC-Target-URI", p.URL},
			{"WARC-Payload-Digest", line.Digest}, {"Content-Type", mediaType}}, p.Body)
	} else {
		id, err = w.response(p.URL, p.FetchedAt, status, responseHeader(p.Facts, mediaType), p.Body)
	}
	if err != nil {
		return err
	}
	line.Length = w.at - line.Offset
	w.Lines = append(w.Lines, line)
	for _, entry := range strings.Split(p.Facts["warc_revisits"], "; ") {
		at, url, ok := strings.Cut(entry, " ")
		if _, err := time.Parse(time.RFC3339Nano, at); !ok || err != nil {
			continue // none, or cut at the length of a fact
		}
		_, err := w.record([]Field{{"WARC-Type", "revisit"}, {"WARC-Date", at}, {"WARC-Target-URI", url}, {"WARC-Payload-Digest", line.Digest},
			{"WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"}, {"WARC-Refers-To", id},
			{"WARC-Refers-To-Target-URI", p.URL}, {"WARC-Refers-To-Date", warcTime(p.FetchedAt)}}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// responseHeader returns the header of a response from the facts of its record. How the
// body was sent is told under other names: it is written as it was read.
func responseHeader(facts map[string]string, mediaType string) []Field {
	var out []Field
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		field, ok := strings.CutPrefix(name, "http_header_")
		if !ok {
			continue
		}
		switch field = strings.ReplaceAll(field, "_", "-"); field {
		case "content-length", "content-encoding", "transfer-encoding":
			field = "x-archive-orig-" + field
		case "content-type":
			mediaType = ""
		}
		out = append(out, Field{http.CanonicalHeaderKey(field), facts[name]})
	}
	if mediaType != "" {
		out = append(out, Field{"Content-Type", mediaType})
	}
	return out
}

// response writes the response of a server.
func (w *WARCWriter) response(url string, at time.Time, status int, header []Field, body []byte) (string, error) {
	var b bytes.Buffer
	text := http.StatusText(status)
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, text)
	for _, f := range header {
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, strings.ReplaceAll(f.Value, "\n", " "))
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	b.Write(body)
	return w.record([]Field{{"WARC-Type", "response"}, {"WARC-Date", warcTime(at)}, {"WARC-Target-URI", url},
		{"WARC-Payload-Digest", digest(body)}, {"Content-Type", "application/http;msgtype=response"}}, b.Bytes())
}

// SURT returns an address in the order by which indexes of web archives are sorted:
// (org,example)/path.
func SURT(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return address
	}
	labels := strings.Split(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), ".")
	slices.Reverse(labels)
	out := strings.Join(labels, ",")
	if port := u.Port(); port != "" {
		out += ":" + port
	}
	out += ")" + u.EscapedPath()
	if u.RawQuery != "" {
		out += "?" + u.RawQuery
	}
	return strings.ToLower(out)
}
