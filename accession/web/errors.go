package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"muniment/text/weburl"
)

// A Kind is the reason of a failed fetch. The set is closed.
type Kind string

// The kinds of Error.
const (
	KindURL         Kind = "url"         // not an http or https URL that may be fetched
	KindAddress     Kind = "address"     // the host is not on the public network
	KindRobots      Kind = "robots"      // robots.txt forbids it or cannot be had
	KindStatus      Kind = "status"      // the server answered, and not with a page
	KindRedirect    Kind = "redirect"    // a loop, too many, nowhere, or from https to http
	KindConnect     Kind = "connect"     // no such name, no route, refused, reset
	KindTLS         Kind = "tls"         // certificate or handshake
	KindTimeout     Kind = "timeout"     // connecting, headers or the whole took too long
	KindSlow        Kind = "slow"        // the body came too slowly
	KindTooLarge    Kind = "too_large"   // body or headers
	KindExpansion   Kind = "expansion"   // a compression bomb
	KindEncoding    Kind = "encoding"    // unknown or damaged content encoding
	KindTruncated   Kind = "truncated"   // the body ended early
	KindProtocol    Kind = "protocol"    // not HTTP as it should be
	KindEmpty       Kind = "empty"       // a page without a body
	KindOptions     Kind = "options"     // the Options cannot be used
	KindInterrupted Kind = "interrupted" // the caller's context ended
)

// suggestions are the next steps, for every kind.
var suggestions = map[Kind]string{
	KindURL:         "give a whole http or https URL without user name and password",
	KindAddress:     "save the page as a file and add the file, or allow private addresses for this fetch",
	KindRobots:      "save the page as a file and add the file, or ignore robots.txt and state the reason",
	KindStatus:      "open the URL in a browser and add the address at which the page is found",
	KindRedirect:    "add the address at which a browser arrives",
	KindConnect:     "check the name and the network, then try again",
	KindTLS:         "check the address in a browser; a private authority must be passed in as a trusted root",
	KindTimeout:     "try again later, or raise the time limit",
	KindSlow:        "try again later, or save the page as a file and add the file",
	KindTooLarge:    "download it with another program and add the file",
	KindExpansion:   "download and inspect the file, then add it",
	KindEncoding:    "save the page as a file and add the file",
	KindTruncated:   "try again; the server or the network broke off",
	KindProtocol:    "save the page as a file and add the file",
	KindEmpty:       "check the address in a browser; there is nothing to archive",
	KindOptions:     "correct the option that is named",
	KindInterrupted: "run the same command again; nothing was kept",
}

// An Error is what Fetch returns when there is no page.
type Error struct {
	Kind   Kind
	URL    string // of the hop that failed; "" when it may not be shown
	Status int    // of KindStatus, and of KindRobots if robots.txt had one
	Reason string // saw against wanted
	Err    error  // the cause, may be nil
}

func (e *Error) Error() string {
	if e.URL == "" {
		return e.Reason
	}
	return e.URL + ": " + e.Reason
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Suggestion returns the next step. It is never empty.
func (e *Error) Suggestion() string {
	if e.Kind == KindStatus && (e.Status == 401 || e.Status == 403) {
		return "the page wants a login or refuses programs: save it in a browser and add the file, or register it as metadata_only"
	}
	return suggestions[e.Kind]
}

func fail(kind Kind, url, format string, args ...any) *Error {
	return &Error{Kind: kind, URL: url, Reason: fmt.Sprintf(format, args...)}
}

// explain returns an error of the transport or a body reader as an *Error about
// url. ctx is the context of the request.
func explain(ctx context.Context, url string, err error) *Error {
	var ours *Error
	cause := context.Cause(ctx)
	if !errors.As(err, &ours) && cause != nil && !errors.As(cause, &ours) {
		ours = &Error{Kind: KindInterrupted, Reason: "interrupted", Err: cause}
	}
	if ours != nil {
		e := *ours
		e.URL = cmp.Or(e.URL, url)
		return &e
	}
	kind, reason := classify(err)
	return &Error{Kind: kind, URL: url, Reason: reason, Err: err}
}

// classify returns the kind of an error of net/http and what to say of it.
func classify(err error) (Kind, string) {
	var (
		netErr   net.Error
		dns      *net.DNSError
		op       *net.OpError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		hostname x509.HostnameError
		unknown  x509.UnknownAuthorityError
	)
	text := err.Error()
	switch {
	case errors.As(err, &netErr) && netErr.Timeout():
		switch {
		case errors.As(err, &op) && op.Op == "dial":
			return KindTimeout, "no connection in the time allowed"
		case strings.Contains(text, "TLS handshake"):
			return KindTimeout, "no TLS handshake in the time allowed"
		}
		return KindTimeout, "no whole response header in the time allowed"
	case errors.As(err, &dns):
		return KindConnect, "the host's name does not resolve"
	case errors.As(err, &verify), errors.As(err, &hostname), errors.As(err, &unknown):
		return KindTLS, "the server's certificate does not verify: " + weburl.Printable(text, maxReason)
	case errors.As(err, &record):
		return KindTLS, "the server does not speak TLS"
	case errors.As(err, &alert), strings.HasPrefix(text, "tls: "), strings.HasPrefix(text, "remote error: tls"):
		return KindTLS, weburl.Printable(text, maxReason)
	case strings.Contains(text, "response headers exceeded"), strings.Contains(text, "header too large"):
		return KindTooLarge, fmt.Sprintf("the response headers have more than %d bytes", MaxHeader)
	case errors.As(err, &op):
		return KindConnect, "no connection: " + weburl.Printable(op.Err.Error(), maxReason)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return KindTruncated, "the server closed the connection before the end"
	}
	return KindProtocol, "not the HTTP that was expected: " + weburl.Printable(text, maxReason)
}
