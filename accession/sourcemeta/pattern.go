package sourcemeta

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// A pattern is one entry of url_patterns, as the package comment describes it.
type pattern struct {
	text   string
	scheme string // "" is http and https
	below  bool   // the host's subdomains, not the host itself
	host   string // lower case, without www.
	port   string // "" is the default one of the scheme
	path   []string
}

var hostForm = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// parsePattern parses a pattern. Its errors begin with a verb: the caller puts the
// field before it.
func parsePattern(s string) (pattern, error) {
	p := pattern{text: s}
	rest := s
	if before, after, ok := strings.Cut(s, "://"); ok {
		p.scheme, rest = strings.ToLower(before), after
	}
	host, path, slash := strings.Cut(rest, "/")
	host, p.port, _ = strings.Cut(strings.ToLower(host), ":")
	host, p.below = strings.CutPrefix(host, "*.")
	p.host = strings.TrimPrefix(host, "www.")
	switch {
	case len(s) > MaxText:
		return pattern{}, fmt.Errorf("has %d bytes, more than %d", len(s), MaxText)
	case strings.Contains(host, "@"):
		return pattern{}, errors.New("has a user name or password, which no source has")
	case strings.ContainsAny(s, " ?#\"<>\\") || !printable(s):
		return pattern{}, fmt.Errorf("is %q, want scheme, host and path alone, percent-encoded", s)
	case p.scheme != "" && p.scheme != "http" && p.scheme != "https":
		return pattern{}, fmt.Errorf("is %q, want http, https or no scheme", s)
	case !hostForm.MatchString(p.host):
		return pattern{}, fmt.Errorf("is %q, want a host in ASCII, as in example.org/news or *.example.org", s)
	case strings.Trim(p.port, "0123456789") != "":
		return pattern{}, fmt.Errorf("is %q, want a port of digits", s)
	case !strings.Contains(p.host, ".") && p.host != "localhost":
		return pattern{}, fmt.Errorf("is %q, want a host with a dot, for a single label would take in all of it", s)
	}
	if slash && path != "" {
		p.path = strings.Split("/"+path, "*")
	}
	return p, nil
}

// printable reports whether s is printable ASCII without spaces.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// patternOf returns the pattern of a source that names no other than its url.
func patternOf(raw string) (pattern, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return pattern{}, fmt.Errorf("is %q, which is no http or https URL and needs url_patterns beside it", raw)
	}
	return parsePattern(u.Host + u.EscapedPath())
}

// A place is the parts of a URL that patterns match.
type place struct{ scheme, host, port, path string }

// placeOf returns the place of an http or https URL.
func placeOf(raw string) (place, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return place{}, errors.New("not an http or https URL without credentials")
	}
	// JoinPath removes dot segments, which would lead out of a pattern's path.
	u = u.JoinPath()
	p := place{u.Scheme, strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port(), u.EscapedPath()}
	p.host = strings.TrimPrefix(p.host, "www.")
	if p.port == "80" && p.scheme == "http" || p.port == "443" && p.scheme == "https" {
		p.port = ""
	}
	p.path = cmp.Or(p.path, "/")
	return p, nil
}

// matches reports whether p matches a place.
func (p pattern) matches(at place) bool {
	switch {
	case p.scheme != "" && p.scheme != at.scheme, p.port != at.port:
		return false
	case p.below && !strings.HasSuffix(at.host, "."+p.host), !p.below && at.host != p.host:
		return false
	case len(p.path) == 0:
		return true
	}
	rest, ok := strings.CutPrefix(at.path, p.path[0])
	if !ok {
		return false
	}
	if len(p.path) == 1 {
		return rest == "" || rest[0] == '/' || strings.HasSuffix(p.path[0], "/")
	}
	for _, piece := range p.path[1 : len(p.path)-1] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return strings.HasSuffix(rest, p.path[len(p.path)-1])
}

// compare orders patterns by how specific they are: a host above its subdomains,
// then the longer host, the longer path, a scheme. It returns 1, 0 or −1.
func (p pattern) compare(q pattern) int {
	flag := func(b bool) int { return map[bool]int{true: 1}[b] }
	length := func(p pattern) int { return len(strings.Join(p.path, "")) }
	return cmp.Or(cmp.Compare(flag(!p.below), flag(!q.below)), cmp.Compare(len(p.host), len(q.host)),
		cmp.Compare(length(p), length(q)), cmp.Compare(flag(p.scheme != ""), flag(q.scheme != "")))
}
