package web

import (
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/canon/read"
	"muniment/snapshot/record"
	"muniment/text/weburl"
)

// A Field is one header of a response.
type Field struct {
	Name  string // lower case
	Value string // printable, at most MaxHeaderValue bytes and an ellipsis
}

// recordedHeaders are the headers that describe the page, sorted. Headers about
// the visitor (cookies, authentication, reports) stay out.
var recordedHeaders = []string{
	"age", "cache-control", "content-disposition", "content-encoding", "content-language", "content-length",
	"content-location", "content-type", "date", "etag", "expires", "last-modified", "link", "memento-datetime", "server", "via",
	"x-robots-tag",
}

// fill sets the fields of p that the final response decides.
func (p *Page) fill(a *answer) {
	p.Status, p.Body, p.EncodedSize, p.Framing = a.status, a.body, a.encoded, a.framing
	p.MediaType, p.TLS = mediaType(a.header.Get("Content-Type")), security(a.tls)
	for _, name := range recordedHeaders {
		if values := a.header[http.CanonicalHeaderKey(name)]; len(values) > 0 {
			if v := weburl.Printable(strings.Join(values, ", "), MaxHeaderValue); v != "" {
				p.Header = append(p.Header, Field{name, v})
			}
		}
	}
}

// mediaType returns a Content-Type in lower case with nothing but its charset
// parameter, or "" when it is not one.
func mediaType(header string) string {
	t, charset := read.ParseMediaType(header)
	if t == "" || len(header) > MaxHeaderValue {
		return ""
	}
	if charset == "" {
		return t
	}
	if with := mime.FormatMediaType(t, map[string]string{"charset": charset}); with != "" && weburl.Printable(with, MaxHeaderValue) == with {
		return with
	}
	return t
}

// Source returns the final URL and the time of the fetch as a source.
func (p *Page) Source() record.Source {
	return record.Source{URL: p.FinalURL, FetchedAt: p.FetchedAt.UTC().Format(time.RFC3339)}
}

// dropSecrets takes passwords out of the addresses that the record keeps and, unless
// keepQuery, tokens: who fetches a page or packs a crawl does not choose where a server
// leads.
func (p *Page) dropSecrets(keepQuery bool) {
	clean := func(address string) string {
		address, dropped := weburl.StripAddress(address, keepQuery)
		for _, name := range dropped {
			if !slices.Contains(p.LeftOut, name) {
				p.LeftOut = append(p.LeftOut, name)
			}
		}
		return address
	}
	p.RequestURL, p.FinalURL = clean(p.RequestURL), clean(p.FinalURL)
	p.Redirects = slices.Clone(p.Redirects)
	for i := range p.Redirects {
		p.Redirects[i].URL = clean(p.Redirects[i].URL)
	}
	p.Header = slices.Clone(p.Header)
	for i, f := range p.Header {
		switch f.Name {
		case "content-location":
			p.Header[i].Value = clean(f.Value)
		case "link":
			p.Header[i].Value = linkTarget.ReplaceAllStringFunc(f.Value, clean)
		}
	}
}

// linkTarget is an address in a Link header.
var linkTarget = regexp.MustCompile(`[^<>]+`)

// Facts returns the facts of the package comment, for the record.
func (p *Page) Facts() map[string]string {
	facts := map[string]string{
		"http_request_url":  p.RequestURL,
		"http_final_url":    p.FinalURL,
		"http_status":       itoa(p.Status),
		"http_encoded_size": strconv.FormatInt(p.EncodedSize, 10),
		"http_framing":      p.Framing,
		"http_robots":       p.Robots,
	}
	if p.MediaType != "" {
		facts["http_media_type"] = p.MediaType
	}
	if p.Proxied {
		facts["http_proxy"] = "used"
	}
	if len(p.Redirects) > 0 {
		hops := make([]string, len(p.Redirects))
		for i, h := range p.Redirects {
			hops[i] = itoa(h.Status) + " " + h.URL
		}
		facts["http_redirects"] = strings.Join(hops, " ")
	}
	if len(p.LeftOut) > 0 {
		what := make([]string, len(p.LeftOut))
		for i, name := range p.LeftOut {
			if what[i] = "the parameter " + strconv.Quote(name); name == "" {
				what[i] = "a user name or password"
			}
		}
		facts["http_left_out"] = weburl.Printable("of addresses: "+strings.Join(what, ", "), MaxHeaderValue)
	}
	if p.TLS != nil {
		facts["tls_version"], facts["tls_peer_sha256"] = p.TLS.Version, p.TLS.PeerSHA256
	}
	for _, f := range p.Header {
		facts["http_header_"+strings.ReplaceAll(f.Name, "-", "_")] = f.Value
	}
	return facts
}

func itoa(n int) string { return strconv.Itoa(n) }
