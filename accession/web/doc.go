// Package web fetches one page for the archive, with every quantity bounded.
//
// The two calls most people need are
//
//	page, err := web.Fetch(ctx, "https://example.org/a", web.Options{})
//	source, facts, name := page.Source(), page.Facts(), page.Name()
//
// A page is archived as it was at the time of the fetch: a later fetch of the
// same URL that gives other bytes is another accession under the same Name.
//
// # What is fetched
//
// One GET over http or https, HTTP/1.1, without cookies, without credentials,
// with the fixed UserAgent. No script is run and nothing that the page refers
// to is fetched. The URL is brought into one form first, that of package weburl.
//
// Refused before anything is sent: other schemes, URLs with a user name or a
// password (they are in no error, page or fact), URLs longer than weburl.MaxURL, and
// hosts with an address that is not public (loopback, private, link-local,
// shared, documentation, multicast, reserved; also when wrapped into IPv6),
// unless Options.AllowPrivate. Addresses are checked when they are dialled, so
// that a name that resolves differently the second time gains nothing. Through
// a proxy the proxy resolves names; then only addresses written in the URL and
// names below localhost are refused.
//
// # Captures of others
//
// OpenWARC lists the pages in a WARC, with the times at which a crawler had them; the
// facts warc_record, warc_revisits and warc_truncated say what the file says of a page;
// warc_digest_wrong is the digest that it states and that the body does not have.
//
// # Redirects
//
// 301, 302, 303, 307 and 308 are followed, MaxRedirects at most, each under the
// same rules; a URL met twice is a loop and the error names it. A redirect from
// https to http is refused, because what http serves nobody vouches for; ask for
// the http URL to take it. Page.Redirects lists every hop.
//
// # robots.txt
//
// RFC 9309 for the product token RobotsToken, read at the origin of the URL and
// of every redirect: the longest matching rule decides, allow wins a tie, *
// and $ are understood. No file (4xx except 429) allows; a file that cannot be
// had (5xx, 429, timeout, broken) forbids. Of a file longer than MaxRobots the
// first MaxRobots bytes count. Options.IgnoreRobots goes ahead without asking,
// and its text, the reason, is kept in the facts.
//
// # Bodies
//
// The encodings gzip and deflate (with and without the zlib header) are requested
// and decoded here, at most two on top of each other; Body is the decoded
// content and no charset conversion happens. A body larger than Options.MaxBody
// before or after decoding, one that decodes to more than MaxRatio times its
// size, one that ends early by its Content-Length or chunks, and damaged or
// trailing compressed data are errors. A body that only the end of the
// connection delimits cannot be known to be whole: the fact http_framing is then
// "close". Bytes after the stated Content-Length are not read, as by any client.
// 2xx without a body is an error, as is 206, for the whole was requested.
//
// # Time
//
// Options bound connecting, the headers of each hop, and the whole; a server
// that sends fewer than MinProgress bytes of a body in Options.Stall is given up.
//
// # Facts
//
// Facts are for the record of the accession. Keys: http_request_url,
// http_final_url, http_status, http_redirects ("301 URL 302 URL", the URL being
// the one that answered so), http_media_type, http_encoded_size, http_framing
// (length, chunked, close), http_robots (allowed, or "ignored: " and the reason),
// http_proxy ("used"), tls_version, tls_peer_sha256 (of the server's certificate),
// and http_header_<name> for each header of a short list, such as etag and
// last_modified. Values longer than MaxHeaderValue are cut and end in an
// ellipsis; unprintable bytes are written as record.EncodeName does.
//
// Source has url, the final one, and fetched_at. It never has published_at:
// Last-Modified is when a server last changed its file, often this very minute,
// and remains a fact.
package web

import "time"

// UserAgent is sent with every request.
const UserAgent = "Muniment/1 (archives cited pages; honours robots.txt as " + RobotsToken + ")"

// RobotsToken is the product token that robots.txt is read for.
const RobotsToken = "muniment"

// Limits that Options do not change.
const (
	MaxHeader      = 64 << 10  // bytes of all headers of one response; servers send up to 16 KiB
	MaxHeaderValue = 1024      // bytes of one header value in a Page
	MaxRobots      = 512 << 10 // bytes of robots.txt; RFC 9309 asks for 500 KiB at least
	MaxRedirects   = 10        // as RFC 9309's five, for pages: trackers chain more
	MaxRatio       = 100       // decoded to encoded; pages reach 20, deflate could reach 1032
	maxRobotsHops  = 5         // RFC 9309, 2.3.1.2
	maxEncodings   = 2         // content encodings on top of each other
	ratioFloor     = 1 << 20   // decoded bytes below which MaxRatio is not looked at
	maxReason      = 512       // bytes of Options.IgnoreRobots
)

// The defaults of Options.
const (
	DefaultMaxBody = 32 << 20
	DefaultConnect = 10 * time.Second
	DefaultHeaders = 20 * time.Second
	DefaultRobots  = 10 * time.Second
	DefaultTimeout = 2 * time.Minute
	DefaultStall   = 15 * time.Second
	MinProgress    = 1024 // bytes per Options.Stall; a modem of 1990 was faster
)
