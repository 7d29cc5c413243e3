package docpack

import (
	"mime"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"
)

// MaxStatement is how many bytes of a statement are looked at.
const MaxStatement = 64 << 10

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
