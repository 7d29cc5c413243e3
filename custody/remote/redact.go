package remote

import (
	"net/url"
	"strings"
)

// minToken is the least length of a user name of a web server that is taken for a token. The tokens
// of the hosts that hand out any have 20 characters or more; names of people and of roles are
// shorter, or are the addresses of their mailboxes.
const minToken = 20

// tokenBegins are how tokens begin, of whatever length.
var tokenBegins = []string{"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "gldt-", "x-token-", "x-oauth-"}

// Redacted returns an address without possible secrets: the password, a token instead of a web server's user name, and
// the query and fragment of a web address. An address without any is returned as it is.
func Redacted(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok { // a path, or host:path, which has no place for a password
		return address
	}
	isWeb := strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
	if isWeb {
		if at := strings.IndexAny(rest, "?#"); at >= 0 {
			rest = rest[:at]
		}
	}
	host, path := rest, ""
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		host, path = rest[:at], rest[at:]
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		user, _, _ := strings.Cut(host[:at], ":")
		if host = user + host[at:]; user == "" || isWeb && isToken(user) {
			host = host[strings.LastIndexByte(host, '@')+1:]
		}
	}
	return scheme + "://" + host + path
}

// isToken reports whether a user name of a web address could be a token.
func isToken(user string) bool {
	name, err := url.PathUnescape(user)
	if err != nil {
		return true
	}
	for _, begin := range tokenBegins {
		if strings.HasPrefix(strings.ToLower(name), begin) {
			return true
		}
	}
	return len(name) >= minToken && !strings.Contains(name, "@")
}
