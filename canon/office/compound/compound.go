// Package compound opens the container in which the programs of Microsoft Office
// kept documents and mails before 2007 (MS-CFB): folders and streams in one file.
//
//	f, err := compound.Open(data)
//	text, err := f.Read("WordDocument")
//	source := f.Summary()             // title, author, day
//	inner, err := f.Extract("folder") // a folder as a container of its own
//
// The container itself is read by github.com/richardlehane/mscfb. A name leaves out
// the control character that some begin with; names of folders stand before it, each
// with a slash.
package compound

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/richardlehane/mscfb"
)

// Limits of a container.
const (
	// MaxBytes is how many bytes of streams are read of one container, and repeats how many
	// for each byte of it, beyond minBytes: damaged ones may state the same bytes many times.
	MaxBytes = 256 << 20
	repeats  = 4
	minBytes = 1 << 20
	// maxDepth is how deep folders may lie in each other: a mail within a mail takes two
	// levels. The library keeps the path of every entry, so that depth costs its square.
	maxDepth = 64
	// readStep is how many bytes are asked of the library at once: its time grows with
	// the square of it.
	readStep = 64 << 10
)

// Signature is the first bytes of every container.
const Signature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// ErrAbsent is in the chain of the error for a stream that is not there.
var ErrAbsent = errors.New("not in the container")

// Begins reports whether data begins as a container does.
func Begins(data []byte) bool { return bytes.HasPrefix(data, []byte(Signature)) }

// A File is an opened container. It is not safe for concurrent use.
type File struct {
	streams map[string]*mscfb.File
	size    int64
	left    int64
}

// Open reads the directory of a container.
func Open(data []byte) (*File, error) {
	if !Begins(data) {
		return nil, errors.New("it does not begin as a document of Office before 2007")
	}
	if err := checkDepth(data); err != nil {
		return nil, err
	}
	r, err := mscfb.New(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the container cannot be opened: %w", err)
	}
	f := &File{streams: map[string]*mscfb.File{}, size: int64(len(data)), left: min(MaxBytes, minBytes+repeats*int64(len(data)))}
	for _, entry := range r.File {
		name := strings.Join(append(slices.Clone(entry.Path), entry.Name), "/")
		if strings.Count(name, "/") > len(entry.Path) {
			continue // a name with a slash, which the format does not have
		}
		if _, double := f.streams[name]; !double && !entry.FileInfo().IsDir() {
			f.streams[name] = entry
		}
	}
	return f, nil
}

// Has reports whether there is a stream of that name.
func (f *File) Has(name string) bool { return f.streams[name] != nil }

// Folders returns the names of the folders at the top of the container that begin with
// prefix and hold a stream, sorted.
func (f *File) Folders(prefix string) []string {
	var out []string
	for name := range f.streams {
		if folder, _, inside := strings.Cut(name, "/"); inside && strings.HasPrefix(folder, prefix) {
			out = append(out, folder)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Read returns a stream.
func (f *File) Read(name string) ([]byte, error) {
	entry := f.streams[name]
	if entry == nil {
		return nil, fmt.Errorf("%s: %w", name, ErrAbsent)
	}
	if entry.Size > f.size || entry.Size > f.left {
		return nil, fmt.Errorf("%s states %d bytes, more than the container has", name, entry.Size)
	}
	f.left -= entry.Size
	data := make([]byte, entry.Size)
	if len(data) == 0 {
		return data, nil
	}
	if _, err := entry.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	}
	for done := 0; done < len(data); {
		n, err := entry.Read(data[done:min(done+readStep, len(data))])
		if done += n; err != nil && done < len(data) {
			return nil, fmt.Errorf("%s is damaged behind %d bytes: %w", name, done, err)
		}
	}
	return data, nil
}

// Extract returns a folder with all its contents as a container of its own, with the given
// sibling folders. Streams named in change have other bytes there, or are added.
func (f *File) Extract(folder string, change map[string][]byte, beside ...string) ([]byte, error) {
	streams := map[string][]byte{}
	for name, entry := range f.streams {
		inner, inside := strings.CutPrefix(name, folder+"/")
		if top, _, _ := strings.Cut(name, "/"); !inside && (top == name || !slices.Contains(beside, top)) {
			continue
		}
		data, err := f.Read(name)
		if err != nil {
			return nil, err
		}
		if !unicode.IsPrint(rune(entry.Initial)) { // which the library leaves out of the name
			at := strings.LastIndexByte(inner, '/') + 1
			inner = inner[:at] + string(rune(entry.Initial)) + inner[at:]
		}
		streams[inner] = data
	}
	if len(streams) == 0 {
		return nil, fmt.Errorf("%s: %w", folder, ErrAbsent)
	}
	maps.Copy(streams, change)
	return Write(streams)
}
