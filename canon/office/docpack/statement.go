package docpack

import (
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/canon"
)

// Limits of what a document may say about itself, so that a record stays small.
const (
	// MaxField is the longest statement in code points.
	MaxField = 1024
	// MaxStatement is how many bytes of a statement are looked at.
	MaxStatement = 64 << 10
	// MaxCreators is the number of creators.
	MaxCreators = 100
)

// Line returns a statement on one line, in normal form and of bounded length.
func Line(v string) string {
	v = strings.ToValidUTF8(v, "") // where MaxStatement has cut it
	v = string(canon.NFC([]byte(strings.Join(strings.Fields(v), " "))))
	if utf8.RuneCountInString(v) > MaxField {
		v = strings.TrimSpace(string([]rune(v)[:MaxField]))
	}
	return v
}

// AddCreator appends a creator who is stated, new and within the limit.
func AddCreator(creators []string, v string) []string {
	if v = Line(v); v == "" || slices.Contains(creators, v) || len(creators) == MaxCreators {
		return creators
	}
	return append(creators, v)
}

// Date returns a stated date as RFC 3339 where it gives time and zone, as
// YYYY-MM-DD where it gives the day, and "" otherwise.
func Date(v string) string {
	v = strings.TrimSpace(v)
	if _, err := time.Parse(time.RFC3339, v); err == nil {
		return v
	}
	if len(v) < len(time.DateOnly) {
		return ""
	}
	day, rest := v[:len(time.DateOnly)], v[len(time.DateOnly):]
	if _, err := time.Parse(time.DateOnly, day); err != nil || rest != "" && rest[0] != 'T' && rest[0] != ' ' {
		return ""
	}
	return day
}

// Address returns v if it is a web address, else "".
func Address(v string) string {
	if v = Line(v); strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
		return v
	}
	return ""
}

// MediaType returns a stated media type in lower case and without parameters,
// or application/octet-stream for what is none.
func MediaType(v string) string {
	t, _, err := mime.ParseMediaType(v)
	if err != nil || !strings.Contains(t, "/") || len(t) > 255 {
		return "application/octet-stream"
	}
	return t
}

// Resolve returns the entry that a reference in the entry base points to: a
// path relative to base, or from the root with a leading "/". It is
// percent-decoded unless there is an entry whose name is just as it stands. An
// entry that is there is named as the container writes it. ok is false for what
// points elsewhere: another host, another scheme, above the root.
func (c *Pack) Resolve(base, reference string) (name string, ok bool) {
	reference, _, _ = strings.Cut(reference, "#")
	if scheme, _, found := strings.Cut(reference, ":"); found && !strings.Contains(scheme, "/") {
		return "", false
	}
	if reference == "" || strings.HasPrefix(reference, "//") {
		return "", false
	}
	name = join(base, reference)
	if plain, err := url.PathUnescape(reference); !c.Has(name) && err == nil && utf8.ValidString(plain) {
		name = join(base, plain)
	}
	if CheckName(name) != nil {
		return "", false
	}
	if f, found := c.files[fold(name)]; found {
		name = f.Name
	}
	return name, true
}

// join returns the entry that a reference names, relative to the folder of
// base.
func join(base, reference string) string {
	if rooted, found := strings.CutPrefix(reference, "/"); found {
		return path.Clean(rooted)
	}
	return path.Join(path.Dir(base), reference)
}
