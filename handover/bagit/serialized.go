package bagit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/accession/container"
)

// ValidateSerialized validates the bag that is packed in the zip, tar or
// tar.gz file; errors are those of container.Open and Validate. The container
// has one folder at its top and nothing beside it (section 4 of BagIt 0.97,
// which 1.0 no longer has), or the files of the bag themselves. Whatever package
// container skips fails.
func ValidateSerialized(ctx context.Context, file string, progress func(done, total int64)) (*Report, error) {
	r, err := container.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return ValidateContainer(ctx, r, progress)
}

// ValidateContainer validates the bag that is packed in r. Paths in the report
// begin inside the bag's folder. What is packed in another way is no valid bag.
func ValidateContainer(ctx context.Context, r *container.Reader, progress func(done, total int64)) (*Report, error) {
	top, reason := Top(r)
	if reason != "" {
		report := &Report{Algorithms: []string{}, TagAlgorithms: []string{}, Info: []Field{}, Payload: []File{}, Problems: []Problem{{State: Failed, Reason: reason}}}
		report.finish(nil)
		return report, nil
	}
	byPath := make(map[string]*container.Entry, len(r.Entries()))
	c := newCheck(ctx, func(p string) (io.ReadCloser, error) { return byPath[p].Open() })
	for _, s := range r.Skipped() {
		c.fail(pathInside(top, s.Name), s.Reason)
	}
	for _, e := range r.Entries() {
		p := pathInside(top, e.Path)
		if !utf8.ValidString(e.Path) {
			c.fail(p, "the name is not UTF-8")
			continue
		}
		if e.Note != "" {
			c.note(p, OK, e.Note)
		}
		byPath[p] = e
		c.addFile(p, e.Size)
	}
	index := func(p string) int { return byPath[p].Index() }
	// Stored order: a tar.gz is then expanded once.
	return c.run(func(a, b string) int { return cmp.Compare(index(a), index(b)) }, progress)
}

// Top returns the folder of the container in which the bag lies: "." where the
// declaration is at the top of all, else the one folder that is there, else the
// reason why there is none.
func Top(r *container.Reader) (top, reason string) {
	if slices.ContainsFunc(r.Entries(), func(e *container.Entry) bool { return e.Path == declarationFile }) {
		return ".", ""
	}
	for _, e := range r.Entries() {
		first, _, deeper := strings.Cut(e.Path, "/")
		switch {
		case !deeper:
			return "", fmt.Sprintf("%q lies beside the bag's folder: a packed bag has one folder at its top and nothing else", first)
		case top == "":
			top = first
		case top != first:
			return "", fmt.Sprintf("two folders at the top, %q and %q: a packed bag has one", top, first)
		}
	}
	if list := r.Skipped(); top == "" && len(list) > 0 {
		return "", fmt.Sprintf("nothing in it can be read: %s: %s", container.Quoted(list[0].Name), list[0].Reason)
	}
	if top == "" || !fs.ValidPath(top) {
		return "", "no bag: a packed bag has one folder at its top, named in UTF-8"
	}
	return top, ""
}

// pathInside returns name without the bag's folder.
func pathInside(top, name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "./"), top+"/")
}
