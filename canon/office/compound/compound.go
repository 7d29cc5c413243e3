// Package compound opens the container in which the programs of Microsoft Office
// kept documents and mails before 2007 (MS-CFB): folders and streams in one file.
//
//	f, err := compound.Open(data)
//	text, err := f.Read("WordDocument")
//	source := f.Summary() // title, author, day
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
	"slices"
	"strings"

	"github.com/richardlehane/mscfb"
)

// MaxBytes is how many bytes of streams are read of one container: damaged ones may
// state the same bytes many times.
const MaxBytes = 256 << 20

// Signature is what every container begins with.
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
	r, err := mscfb.New(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the container cannot be opened: %w", err)
	}
	f := &File{streams: map[string]*mscfb.File{}, size: int64(len(data)), left: MaxBytes}
	for _, entry := range r.File[1:] { // the first is the container itself
		name := strings.Join(append(slices.Clone(entry.Path), entry.Name), "/")
		if _, double := f.streams[name]; !double && !entry.FileInfo().IsDir() {
			f.streams[name] = entry
		}
	}
	return f, nil
}

// Has reports whether there is a stream of that name.
func (f *File) Has(name string) bool { return f.streams[name] != nil }

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
	n, err := io.ReadFull(io.NewSectionReader(entry, 0, entry.Size), data)
	if err != nil && entry.Size > 0 {
		return nil, fmt.Errorf("%s is damaged behind %d bytes: %w", name, n, err)
	}
	return data, nil
}
