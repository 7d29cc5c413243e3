package bagit

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A fetchLine is one line of fetch.txt.
type fetchLine struct {
	url    string
	length int64 // -1 if unspecified
	path   string
}

// parseFetchLine parses `URL WS+ LENGTH WS+ PATH`.
func parseFetchLine(line string) (fetchLine, error) {
	next := func(s string) (field, rest string) {
		i := strings.IndexAny(s, " \t")
		if i < 0 {
			return s, ""
		}
		return s[:i], strings.TrimLeft(s[i:], " \t")
	}
	address, rest := next(line)
	length, path := next(rest)
	if address == "" || length == "" || path == "" {
		return fetchLine{}, fmt.Errorf("%q is not a URL, a length and a path", clip(line))
	}
	if u, err := url.Parse(address); err != nil || !u.IsAbs() {
		return fetchLine{}, fmt.Errorf("%q is not an absolute URL", clip(address))
	}
	f := fetchLine{url: address, length: -1, path: path}
	if length != "-" {
		n, err := strconv.ParseInt(length, 10, 64)
		if err != nil || n < 0 || length[0] == '+' {
			return fetchLine{}, fmt.Errorf("length %q", clip(length))
		}
		f.length = n
	}
	return f, nil
}

// checkFetch reads fetch.txt, notes every file in it that is absent, and returns
// their number.
func (c *check) checkFetch() (holes int) {
	if _, ok := c.files[fetchFile]; !ok {
		return 0
	}
	lines, ok := c.readLines(fetchFile, maxManifest)
	if !ok {
		return 0
	}
	seen := map[string]bool{}
	for i, line := range lines {
		f, err := parseFetchLine(line)
		if err != nil {
			c.fail(fetchFile, fmt.Sprintf("line %d: %v", i+1, err))
			continue
		}
		path, size, reason := c.resolve(f.path)
		switch {
		case reason != "":
			c.fail(f.path, fmt.Sprintf("refused in %s: %s", fetchFile, reason))
			continue
		case !strings.HasPrefix(path, payloadFolder):
			c.fail(path, fmt.Sprintf("%s lists a file outside data/", fetchFile))
			continue
		case seen[path]:
			c.fail(path, fmt.Sprintf("listed twice in %s", fetchFile))
			continue
		}
		seen[path] = true
		for _, m := range c.manifests {
			if _, listed := m.listed[path]; !listed && !m.tag && !m.unread {
				c.fail(path, fmt.Sprintf("listed in %s and not in %s", fetchFile, m.file))
			}
		}
		switch {
		case size < 0:
			holes++
			delete(c.missing, path)
			c.note(path, Absent, fmt.Sprintf("to be fetched from %s; nothing is fetched here", f.url))
		case f.length >= 0 && f.length != size:
			c.note(path, OK, fmt.Sprintf("%d bytes, %s says %d", size, fetchFile, f.length))
		}
	}
	return holes
}
