// Package weburl brings the addresses of pages into one form and takes secrets out of them. The two
// calls most people need are
//
//	u, err := weburl.Parse("HTTPS://Example.org:443/a#b") // https://example.org/a
//	clean, dropped := weburl.StripAddress(u.String(), false)
//
// The form: scheme and host in lower case, the host in ASCII (IDNA), the default port, the fragment and dot segments
// removed, an empty path made "/", and whatever RFC 3986 does not allow in a path or query percent-encoded.
//
// It fetches nothing, and no error of it shows an address that may hold a password.
package weburl

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"muniment/snapshot/record"
)

// maxName is the length in bytes from which Name ends in a digest, so that a
// name stays within the 4096 bytes that a record allows.
const maxName = 1024

// names maps host names as browsers do; hostForm is what may come out, with the underscores that real names have.
var (
	names    = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false), idna.VerifyDNSLength(true))
	hostForm = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$`)
)

// MaxURL is the length in bytes of the longest address; the longest that browsers and servers agree
// on is about half of it.
const MaxURL = 4096

// An InterfaceError is the error for a host that is an address of one network interface.
type InterfaceError struct{ Host string }

func (e *InterfaceError) Error() string {
	return fmt.Sprintf("the host %q is an address of one network interface", e.Host)
}

// Parse returns a URL in the one form that is sent, compared and recorded. Its
// errors show nothing of a URL that may hold a password.
func Parse(raw string) (*url.URL, error) {
	if len(raw) > MaxURL {
		return nil, fmt.Errorf("the URL has %d bytes, more than %d", len(raw), MaxURL)
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	_, rest, _ := strings.Cut(raw, "://")
	switch {
	case err != nil && strings.ContainsAny(rest, "@:"):
		return nil, fmt.Errorf("the text is not a URL, and is not shown because it may hold a password")
	case err != nil:
		return nil, fmt.Errorf("%q is not a URL", Printable(raw, 200))
	}
	return Normalize(u)
}

// ParseResource returns the address of a resource of a WARC: as Parse does of a page,
// and else an address of ftp, or a name (urn:), with its scheme and host in lower case.
func ParseResource(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || len(raw) > MaxURL || u.Scheme != "ftp" && u.Scheme != "urn" { // Parse has lowered its case
		return Parse(raw)
	}
	switch {
	case u.User != nil:
		return nil, fmt.Errorf("the address at %s has a user name or password, which an archive must not keep", Printable(u.Host, 200))
	case u.Scheme == "ftp" && u.Hostname() == "", u.Scheme == "urn" && u.Opaque == "":
		return nil, fmt.Errorf("the address names nothing after %s and its colon", u.Scheme)
	}
	u.Host, u.Opaque, u.RawQuery = strings.ToLower(u.Host), percentEncode(u.Opaque), percentEncode(u.RawQuery)
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// Normalize returns u in the form of the package comment, or an error when u may not be fetched.
func Normalize(u *url.URL) (*url.URL, error) {
	scheme := strings.ToLower(u.Scheme)
	switch {
	case u.User != nil:
		return nil, fmt.Errorf("the URL at %s has a user name or password, which an archive must not keep", Printable(u.Host, 200))
	case scheme != "http" && scheme != "https":
		return nil, fmt.Errorf("the scheme is %q, want http or https", Printable(scheme, 60))
	case u.Opaque != "" || u.Hostname() == "":
		return nil, fmt.Errorf("the %s URL has no host", scheme)
	}
	host, err := hostPort(scheme, u)
	if err != nil {
		return nil, err
	}
	flat := &url.URL{Scheme: scheme, Host: host}
	if path := u.EscapedPath(); path != "" {
		// Resolving against the root removes dot segments and nothing else.
		u = flat.ResolveReference(&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery, ForceQuery: u.ForceQuery})
	} else {
		u = &url.URL{Path: "/", RawQuery: u.RawQuery, ForceQuery: u.ForceQuery}
	}
	u.Scheme, u.Host = scheme, host
	path := percentEncode(u.EscapedPath())
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if u.Path, err = url.PathUnescape(path); err != nil {
		return nil, fmt.Errorf("the path of the URL at %s is not valid", host)
	}
	u.RawPath, u.RawQuery, u.Fragment = path, percentEncode(u.RawQuery), ""
	if n := len(u.String()); n > MaxURL {
		return nil, fmt.Errorf("the URL at %s has %d bytes, more than %d", host, n, MaxURL)
	}
	return u, nil
}

// hostPort returns the host of u in ASCII and lower case, with its port if it is not the default one.
func hostPort(scheme string, u *url.URL) (string, error) {
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return "", &InterfaceError{Printable(host, 60)}
		}
		host = addr.String()
	} else if host, err = asciiHost(host); err != nil {
		return "", fmt.Errorf("the host %q is not a valid name", Printable(u.Hostname(), 200))
	}
	port := u.Port()
	if port == "" || port == "80" && scheme == "http" || port == "443" && scheme == "https" {
		if strings.Contains(host, ":") {
			return "[" + host + "]", nil
		}
		return host, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", fmt.Errorf("the port of the URL at %s is %q, want 1 to 65535", host, Printable(port, 20))
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), nil
}

// asciiHost returns the one ASCII form of a host name.
func asciiHost(host string) (string, error) {
	mapped, err := names.ToASCII(host)
	if err != nil {
		return "", err
	}
	if again, err := names.ToASCII(mapped); err != nil || again != mapped || !utf8.ValidString(host) || !hostForm.MatchString(mapped) {
		return "", errors.New("not a host name")
	}
	return mapped, nil
}

const upperHex = "0123456789ABCDEF"

// percentEncode returns s with every byte percent-encoded that RFC 3986 does not
// allow in a path or query, and percent signs that encode nothing.
func percentEncode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) || c != '%' && (isUnreserved(c) || strings.IndexByte("!$&'()*+,;=:@/?", c) >= 0) {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// KeptAddresses returns the addresses under which a record may have the page that ref
// means: ref as it is, and in the form of the package comment, with its secrets and
// without. An address without a scheme is looked for under https and http.
func KeptAddresses(ref string) []string {
	out := []string{ref}
	whole := []string{ref}
	if !strings.Contains(ref, "://") {
		whole = []string{"https://" + ref, "http://" + ref}
	}
	for _, raw := range whole {
		u, err := Parse(raw)
		if err != nil {
			continue
		}
		for _, one := range []string{u.String(), Shown(u.String())} {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}

// PageName returns the name of a page in a record: scheme, host and path of the address as a relative path,
//
//	https://example.org/news/1?full=yes   https/example.org/news/1?full=yes
//	https://example.org/news/             https/example.org/news/{index}
//	https://example.org/go?to=/a          https/example.org/go?to=|a
//	urn:thumbnail:https://example.org/    urn/thumbnail:https:/{index}/example.org/{index}
//
// An empty part becomes {index} and a slash in the query |. Neither a brace nor a bar is in a URL as it is fetched, so
// that no two URLs share a name. One longer than 1024 bytes is cut and ends in the URL's sha256 in braces.
func PageName(address string) string {
	scheme, rest, _ := strings.Cut(address, ":")
	rest = strings.TrimPrefix(rest, "//")
	rest, query, asked := strings.Cut(rest, "?")
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		if part == "" {
			parts[i] = "{index}"
		}
	}
	name := scheme + "/" + strings.Join(parts, "/")
	if asked {
		name += "?" + strings.ReplaceAll(query, "/", "|")
	}
	if len(name) <= maxName {
		return name
	}
	digest := sha256.Sum256([]byte(address))
	return strings.TrimRight(name[:maxName-66], "/") + "{" + hex.EncodeToString(digest[:]) + "}"
}

// Shown returns an address as an error shows it.
func Shown(address string) string {
	clean, _ := StripAddress(address, false)
	return clean
}

// Printable returns s on one line: unprintable bytes as record.EncodeName writes them, and at most limit bytes, an
// ellipsis then telling that it was longer.
func Printable(s string, limit int) string {
	if len(s) > limit {
		cut := limit
		for cut > 0 && limit-cut < utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	s, _ = record.EncodeName(s)
	return s
}

// NormalizePath returns a path in the form that RFC 9309, 2.2.2 compares: unreserved characters plain, everything else
// that is encoded in upper case, bytes beyond ASCII encoded. In a pattern, * and a final $ are signs and stay;
// elsewhere they are characters.
func NormalizePath(s string, pattern bool) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		encoded := c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if encoded {
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
		}
		sign := pattern && !encoded && (c == '*' || c == '$' && i == len(s)-1)
		switch {
		case sign, isUnreserved(c), !encoded && c != '*' && c != '$' && c > ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		}
	}
	return b.String()
}

func unhex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
