package web

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"muniment/text/weburl"
)

// rules are the lines of a robots.txt that apply to RobotsToken. The zero value
// allows everything.
type rules struct {
	lines []rule
	err   *Error // robots.txt cannot be had, which forbids everything
}

type rule struct {
	allow   bool
	pattern string // normalized; * is any run of characters, a final $ the end
}

// checkRobots returns an error when the robots.txt of u's origin forbids u.
func (f *fetchSession) checkRobots(ctx context.Context, u *url.URL) error {
	if f.o.IgnoreRobots != "" {
		return nil
	}
	origin := u.Scheme + "://" + u.Host
	r, known := f.rules[origin]
	if !known {
		var err error
		if r, err = f.fetchRobots(ctx, u); err != nil {
			return err
		}
		f.rules[origin] = r
	}
	at := u.String()
	if r.err != nil {
		e := *r.err
		e.URL = at
		return &e
	}
	path := u.EscapedPath()
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	if line, ok := r.permits(path); !ok {
		return fail(KindRobots, at, "robots.txt of %s forbids it: disallow: %s", u.Host, weburl.Printable(line, 200))
	}
	return nil
}

// fetchRobots returns the rules in the robots.txt of u's origin. An error means
// that the origin cannot be reached at all; rules.err, that robots.txt alone
// cannot be read.
func (f *fetchSession) fetchRobots(ctx context.Context, u *url.URL) (rules, error) {
	short, cancel := context.WithTimeoutCause(ctx, f.o.RobotsTimeout, fail(KindTimeout, "", "no answer within %s", f.o.RobotsTimeout))
	defer cancel()
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	for range maxRobotsHops + 1 {
		a, err := f.get(short, at, MaxRobots, true)
		switch {
		case err != nil:
			return unreadRobots(ctx, u, at, err)
		case isRedirect(a.status):
			next, err := redirectTarget(at, a)
			if err != nil {
				return unreadRobots(ctx, u, next, err)
			}
			at = next
			continue
		case a.status >= 500 || a.status == 429 || a.status < 200:
			e := fail(KindRobots, "", "robots.txt of %s cannot be had, the server answered %d, and that forbids everything", u.Host, a.status)
			e.Status = a.status
			return rules{err: e}, nil
		case a.status > 299:
			return rules{}, nil
		}
		return parseRobots(a.body), nil
	}
	return unreadRobots(ctx, u, at, fail(KindRedirect, "", "more than %d redirects", maxRobotsHops))
}

// unreadRobots returns the result of fetchRobots when reading the robots.txt of u's
// origin failed at the URL at. A failure of the origin itself is the error.
func unreadRobots(ctx context.Context, u, at *url.URL, err error) (rules, error) {
	var e *Error
	errors.As(err, &e)
	if ctx.Err() != nil {
		return rules{}, explain(ctx, u.String(), context.Cause(ctx))
	}
	if at != nil && at.Host == u.Host && (e.Kind == KindAddress || e.Kind == KindConnect || e.Kind == KindTLS) {
		about := *e
		about.URL = u.String()
		return rules{}, &about
	}
	return rules{err: &Error{Kind: KindRobots, Err: e,
		Reason: "robots.txt of " + u.Host + " cannot be had, and that forbids everything: " + e.Reason}}, nil
}

// parseRobots returns the rules of the groups for RobotsToken, or if there are
// none of those for every agent.
func parseRobots(data []byte) rules {
	if len(data) >= MaxRobots {
		// The last line may be half a line.
		data = data[:strings.LastIndexByte(string(data), '\n')+1]
	}
	var ours, everybody []rule
	var named, mine, all, inRules bool
	text := strings.TrimPrefix(string(data), "\ufeff")
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch key {
		case "user-agent":
			if inRules {
				mine, all, inRules = false, false, false
			}
			token, _, _ := strings.Cut(value, "/")
			mine = mine || strings.EqualFold(strings.TrimSpace(token), RobotsToken)
			all = all || value == "*"
			named = named || mine
		case "allow", "disallow":
			inRules = true
			if value == "" {
				continue
			}
			r := rule{key == "allow", weburl.NormalizePath(value, true)}
			if mine {
				ours = append(ours, r)
			}
			if all {
				everybody = append(everybody, r)
			}
		}
	}
	if named {
		return rules{lines: ours}
	}
	return rules{lines: everybody}
}

// permits reports whether path may be fetched, and if not by which rule.
func (r rules) permits(path string) (line string, ok bool) {
	path = weburl.NormalizePath(path, false)
	best := rule{allow: true}
	for _, l := range r.lines {
		longer := len(l.pattern) > len(best.pattern)
		if (longer || len(l.pattern) == len(best.pattern) && l.allow) && matches(l.pattern, path) {
			best = l
		}
	}
	return best.pattern, best.allow
}

// matches reports whether the beginning of path matches pattern, in time
// proportional to the length of path times the pieces between stars.
func matches(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, pieces[0])
	if !ok {
		return false
	}
	if len(pieces) == 1 {
		return !whole || rest == ""
	}
	last := pieces[len(pieces)-1]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	if whole {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}
