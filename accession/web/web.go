package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"muniment/text/weburl"
)

// Options bound a fetch. The zero value has the defaults and suits a page of
// the public web.
type Options struct {
	Now            func() time.Time // clock of Page.FetchedAt; time.Now when nil
	MaxBody        int64            // bytes, before and after decoding
	ConnectTimeout time.Duration    // of each connection, and again of its TLS handshake
	HeaderTimeout  time.Duration    // of each hop, from the request to the end of the headers
	RobotsTimeout  time.Duration    // of each origin's robots.txt
	Timeout        time.Duration    // of everything together
	Stall          time.Duration    // in which at least MinProgress bytes of a body must come
	KeepQuery      bool             // keep parameters of addresses that weburl.CheckAddress refuses
	AllowPrivate   bool             // take pages from loopback and private networks
	IgnoreRobots   string           // reason not to read robots.txt, one line; "" reads it
	Proxy          *url.URL         // http, https or socks5; nil is none, whatever the environment has
	RootCAs        *x509.CertPool   // the system's when nil
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	for _, d := range []struct {
		set  *time.Duration
		want time.Duration
	}{
		{&o.ConnectTimeout, DefaultConnect}, {&o.HeaderTimeout, DefaultHeaders}, {&o.RobotsTimeout, DefaultRobots},
		{&o.Timeout, DefaultTimeout}, {&o.Stall, DefaultStall},
	} {
		if *d.set <= 0 {
			*d.set = d.want
		}
	}
	return o
}

func (o Options) check() error {
	if o.Proxy != nil && o.Proxy.Scheme != "http" && o.Proxy.Scheme != "https" && o.Proxy.Scheme != "socks5" {
		return fail(KindOptions, "", "the scheme of the proxy is %q, want http, https or socks5", o.Proxy.Scheme)
	}
	if r := o.IgnoreRobots; r != "" && (strings.TrimSpace(r) != r || r != weburl.Printable(r, maxReason)) {
		return fail(KindOptions, "", "the reason to ignore robots.txt is not one printable line of at most %d bytes", maxReason)
	}
	return nil
}

// A Page is what was fetched.
type Page struct {
	RequestURL  string    // as requested, in the form that was sent
	FinalURL    string    // of the response that had the body
	Redirects   []Hop     // from RequestURL on, without the final one
	Status      int       // 2xx
	Header      []Field   // of the final response: a fixed choice, sorted by name
	MediaType   string    // as declared, with its charset parameter alone; "" when undeclared or not one
	Body        []byte    // content, decoded; never empty
	EncodedSize int64     // bytes of the body as sent
	Framing     string    // what ended the body: length, chunked or close
	FetchedAt   time.Time // UTC, when the body was complete
	Robots      string    // "allowed" or "ignored: " and the reason
	LeftOut     []string  // secrets of addresses above: names of parameters, "" for a user name or password
	Proxied     bool      // the bytes came through Options.Proxy
	TLS         *Security // nil over http
}

// A Hop is one response that redirected the request.
type Hop struct {
	URL    string
	Status int
}

// Security describes the TLS connection of the final response.
type Security struct {
	Version    string // "TLS 1.3"
	PeerSHA256 string // of the server's certificate in DER, 64 lower case hexadecimal digits
}

// Fetch gets the page at rawURL. Every error is an *Error, and then there is no
// Page.
func Fetch(ctx context.Context, rawURL string, o Options) (*Page, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	u, err := readURL(rawURL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, fail(KindTimeout, "", "not done within %s", o.Timeout))
	defer cancel()
	f := &fetchSession{o: o, transport: transport(o), rules: map[string]rules{}}
	page := &Page{RequestURL: u.String(), Robots: "allowed", Proxied: o.Proxy != nil}
	if o.IgnoreRobots != "" {
		page.Robots = "ignored: " + o.IgnoreRobots
	}
	a, err := f.follow(ctx, u, page)
	if err != nil {
		return nil, withoutSecrets(err)
	}
	page.fill(a)
	page.dropSecrets(o.KeepQuery)
	page.FetchedAt = o.Now().UTC()
	return page, nil
}

// withoutSecrets returns an error of a fetch that shows no password or token of the
// address where it failed.
func withoutSecrets(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	shown := *e
	shown.URL = weburl.Shown(e.URL)
	return &shown
}

// A fetchSession is one call of Fetch: its transport and the robots.txt it has
// read.
type fetchSession struct {
	o         Options
	transport *http.Transport
	rules     map[string]rules // of robots.txt, by origin
}

// transport returns the HTTP transport of one session: no cookies, no pool, no
// proxy from the environment, no decoding.
func transport(o Options) *http.Transport {
	dialer := &net.Dialer{Timeout: o.ConnectTimeout}
	if !o.AllowPrivate && o.Proxy == nil {
		dialer.Control = checkDial
	}
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    o.ConnectTimeout,
		ResponseHeaderTimeout:  o.HeaderTimeout,
		MaxResponseHeaderBytes: MaxHeader,
		DisableCompression:     true,
		DisableKeepAlives:      true,
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	if o.Proxy != nil {
		t.Proxy = http.ProxyURL(o.Proxy)
	}
	return t
}

// follow requests u and every redirect from it, and returns the response that has
// the body.
func (f *fetchSession) follow(ctx context.Context, u *url.URL, page *Page) (*answer, error) {
	seen := map[string]bool{}
	for {
		at := u.String()
		if seen[at] {
			return nil, fail(KindRedirect, at, "redirects in a loop: %s", formatLoop(page.Redirects, at))
		}
		seen[at] = true
		if err := f.checkRobots(ctx, u); err != nil {
			return nil, err
		}
		a, err := f.get(ctx, u, f.o.MaxBody, false)
		if err != nil {
			return nil, err
		}
		if !isRedirect(a.status) {
			page.FinalURL = at
			return a, checkPage(a, at)
		}
		page.Redirects = append(page.Redirects, Hop{at, a.status})
		if len(page.Redirects) > MaxRedirects {
			return nil, fail(KindRedirect, page.RequestURL, "more than %d redirects, the last from %s", MaxRedirects, weburl.Shown(at))
		}
		if u, err = redirectTarget(u, a); err != nil {
			return nil, err
		}
	}
}

// checkPage reports why a response that is no redirect is not a page.
func checkPage(a *answer, at string) error {
	switch {
	case a.status < 200 || a.status > 299:
		text := http.StatusText(a.status)
		text = cmp.Or(text, "no standard meaning")
		return &Error{Kind: KindStatus, URL: at, Status: a.status, Reason: "the server answered " + itoa(a.status) + " (" + text + ")"}
	case a.status == http.StatusPartialContent:
		return &Error{Kind: KindStatus, URL: at, Status: a.status, Reason: "the server answered 206 (Partial Content) though the whole was asked for"}
	case len(a.body) == 0:
		return fail(KindEmpty, at, "the server answered %d without a body", a.status)
	}
	return nil
}

func isRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// redirectTarget returns the URL that a redirect from u points to.
func redirectTarget(u *url.URL, a *answer) (*url.URL, error) {
	at := u.String()
	location := a.header.Get("Location")
	if location == "" {
		return nil, fail(KindRedirect, at, "the server answered %d without a location", a.status)
	}
	if len(location) > weburl.MaxURL {
		return nil, fail(KindRedirect, at, "redirects to a location of %d bytes, more than %d", len(location), weburl.MaxURL)
	}
	ref, err := url.Parse(location)
	if err != nil {
		return nil, fail(KindRedirect, at, "redirects to a location that is not a URL")
	}
	next, err := readNormal(u.ResolveReference(ref))
	if err != nil {
		e := *err.(*Error)
		e.URL, e.Reason = at, "redirects to where we do not go: "+e.Reason
		return nil, &e
	}
	if u.Scheme == "https" && next.Scheme == "http" {
		return nil, fail(KindRedirect, at, "redirects from https to http, to %s", weburl.Shown(next.String()))
	}
	return next, nil
}

// formatLoop returns as text the hops from the first visit of at on.
func formatLoop(hops []Hop, at string) string {
	for len(hops) > 0 && hops[0].URL != at {
		hops = hops[1:]
	}
	var b strings.Builder
	for _, h := range hops {
		b.WriteString(weburl.Shown(h.URL) + " → ")
	}
	return b.String() + weburl.Shown(at)
}

// security describes a TLS connection.
func security(state *tls.ConnectionState) *Security {
	if state == nil {
		return nil
	}
	s := &Security{Version: tls.VersionName(state.Version)}
	if len(state.PeerCertificates) > 0 {
		digest := sha256.Sum256(state.PeerCertificates[0].Raw)
		s.PeerSHA256 = hex.EncodeToString(digest[:])
	}
	return s
}
