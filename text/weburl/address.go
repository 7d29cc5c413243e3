package weburl

import (
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed secretnames.txt
var secretNamesText string

// secretNames are the names in secretnames.txt: whole ones, and ends of names.
var secretNames = sync.OnceValues(func() (whole map[string]bool, ends []string) {
	whole = map[string]bool{}
	for line := range strings.Lines(secretNamesText) {
		line = strings.TrimSpace(line)
		if end, ok := strings.CutPrefix(line, "*"); ok {
			ends = append(ends, end)
		} else if line != "" && line[0] != '#' {
			whole[line] = true
		}
	}
	return whole, ends
})

// A SecretError is the error for an address that holds a password or a token.
type SecretError struct {
	Parameter string // "" for a user name or password before the host
}

func (e *SecretError) Error() string {
	what := "a user name or password"
	if e.Parameter != "" {
		what = fmt.Sprintf("the parameter %q", e.Parameter)
	}
	return "the address has " + what + ", which an archive must not keep"
}

// userinfo is a user name or password before a host, also in an address within another.
var userinfo = regexp.MustCompile(`//[^/?#@\s]+@`)

// CheckAddress returns a *SecretError where an address holds a user name or password or, unless keepQuery, a parameter
// of its path, query or fragment whose name is that of a secret, as token=, key= and X-Amz-Signature= are. What is
// signed once is copied and never deleted quietly, and so would the secret be. The error does not show it.
func CheckAddress(address string, keepQuery bool) error {
	_, rest, _ := strings.Cut(address, "//")
	plain := address
	for range 2 { // an address within an address is escaped, and once more
		if u, err := url.PathUnescape(plain); err == nil {
			plain = u
		}
	}
	if userinfo.MatchString(plain) {
		return &SecretError{}
	}
	if keepQuery {
		return nil
	}
	for _, one := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("?#&;/", r) }) {
		name, value, _ := strings.Cut(one, "=")
		if value != "" && IsSecretName(name) {
			return &SecretError{Parameter: name}
		}
	}
	return nil
}

// StripAddress returns an address without what CheckAddress refuses, and what that was:
// the names of parameters, "" for a user name or password. Where an address within the
// address has a password, everything behind the host goes. keepQuery is that of CheckAddress.
func StripAddress(address string, keepQuery bool) (clean string, dropped []string) {
	if !strings.Contains(address, "//") { // relative
		clean, dropped = StripAddress("//"+address, keepQuery)
		return strings.TrimPrefix(clean, "//"), dropped
	}
	var secret *SecretError
	if !errors.As(CheckAddress(address, keepQuery), &secret) {
		return address, nil
	}
	clean = address
	if at := userinfo.FindStringIndex(clean); at != nil {
		clean, dropped = userinfo.ReplaceAllString(clean, "//"), append(dropped, "")
	}
	scheme, rest, _ := strings.Cut(clean, "//")
	scheme += "//"
	out, from, lost := strings.Builder{}, 0, byte(0)
	for from <= len(rest) {
		end := from + 1 // behind the separator before a part
		for end < len(rest) && strings.IndexByte("?#&;/", rest[end]) < 0 {
			end++
		}
		part := rest[from:min(end, len(rest))]
		name, value, _ := strings.Cut(strings.TrimLeft(part, "?#&;/"), "=")
		switch {
		case !keepQuery && value != "" && IsSecretName(name):
			dropped = append(dropped, name)
			if lost == 0 && part[0] == '?' { // the next parameter takes its place
				lost = '?'
			}
		case lost != 0 && strings.HasPrefix(part, "&"):
			out.WriteString("?" + part[1:])
			lost = 0
		default:
			out.WriteString(part)
		}
		from = end
	}
	clean = scheme + out.String()
	if CheckAddress(clean, keepQuery) != nil {
		host, _, _ := strings.Cut(out.String(), "/")
		host, _, _ = strings.Cut(host, "?")
		clean = scheme + host + "/"
		if !slices.Contains(dropped, "") {
			dropped = append(dropped, "")
		}
	}
	return clean, dropped
}

// IsSecretName reports whether the value of a parameter, of a header or of a field of a form is
// a secret by its name. It is the one list of these names.
func IsSecretName(name string) bool {
	if u, err := url.QueryUnescape(name); err == nil {
		name = u
	}
	name = strings.NewReplacer("-", "", "_", "", ".", "", "[", "", "]", "").Replace(strings.ToLower(name))
	whole, ends := secretNames()
	if whole[name] {
		return true
	}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}
