package accession

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"

	"muniment/accession/container"
	"muniment/archive/problem"
	"muniment/canon/read"
)

// Limits of the search for web archives in other files. What is beyond them counts as one, as
// nobody looked.
const (
	maxNested   = 8       // containers in each other
	maxSearched = 4 << 30 // bytes that are unpacked for one input
)

// exposes reports whether the bytes of an input are a web archive or have one inside, in
// containers, mails and packed files of any depth: its records have addresses and headers
// with secrets. Of other files it looks at the first bytes.
func exposes(ctx context.Context, name string, src io.ReaderAt, size int64) bool {
	return newExposureSearch(ctx).holds(name, src, size, 0)
}

// An exposureSearch looks for web archives in one input.
type exposureSearch struct {
	ctx  context.Context
	left int64 // bytes that may still be unpacked
}

// newExposureSearch returns the search of one input.
func newExposureSearch(ctx context.Context) *exposureSearch {
	return &exposureSearch{ctx: ctx, left: maxSearched}
}

// beginsWARC reports whether bytes begin as a record of a WARC.
func beginsWARC(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 5 && string(head[:5]) == "WARC/" && head[5] >= '0' && head[5] <= '9'
}

// beginsMail reports whether bytes begin as a mail, a mailbox or a file of Outlook.
func beginsMail(head []byte) bool {
	return bytes.HasPrefix(head, []byte("From ")) || bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")) || mailHeader.Match(head)
}

var mailHeader = regexp.MustCompile(`(?im)^(?:mime-version|content-type|received|return-path|message-id):`)

// mayHold reports whether a file may hold a web archive, by its name and its first bytes.
func mayHold(name string, head []byte) bool {
	return isWARC(name) || isWACZ(name) || beginsWARC(head) || container.Begins(head)
}

// holds reports whether a file is a web archive or has one inside.
func (s *exposureSearch) holds(name string, src io.ReaderAt, size int64, depth int) bool {
	head := make([]byte, min(size, headLen))
	n, _ := src.ReadAt(head, 0)
	head = head[:n]
	switch {
	case isWARC(name) || isWACZ(name) || beginsWARC(head):
		return true
	case depth == 0 && !container.Begins(head): // its parts are looked at when they are added
		return false
	case depth > maxNested || s.left < 0 || s.ctx.Err() != nil:
		return true
	case !container.Begins(head):
		return beginsMail(head) && s.holdsMail(name, src, size, depth)
	}
	r, err := container.SalvageFrom(s.ctx, src, size)
	if errors.Is(err, container.ErrFormat) {
		return s.holdsPacked(head, src, size, depth)
	}
	if err != nil {
		return s.carve(src, size, depth)
	}
	defer r.Close()
	doubt := r.Damage() != nil
	for _, skip := range r.Skipped() {
		doubt = doubt || skip.Unread
	}
	for _, e := range r.Entries() {
		if e.Size == 0 {
			continue
		}
		body, err := e.Open()
		if err != nil {
			doubt = true
			continue
		}
		found := s.within(e.Path, body, depth+1)
		if body.Close(); found {
			return true
		}
	}
	return doubt && s.carve(src, size, depth)
}

// within reports whether the bytes of r are a web archive or have one inside. It reads them to
// their end only where their beginning says that they may.
func (s *exposureSearch) within(name string, r io.Reader, depth int) bool {
	b := bufio.NewReaderSize(r, headLen)
	head, _ := b.Peek(headLen)
	if mail := beginsMail(head); !mail && !mayHold(name, head) {
		return false
	}
	file, copied, err := spool(s.ctx, io.LimitReader(&salvageReader{r: b}, s.left+1))
	if err != nil {
		return true
	}
	defer copied.Close()
	f, err := os.Open(file)
	if err != nil {
		return true
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return true
	}
	s.left -= info.Size()
	return s.holds(name, f, info.Size(), depth)
}

// holdsPacked reports whether a file that is packed, and is no tar, has a web archive inside.
func (s *exposureSearch) holdsPacked(head []byte, src io.ReaderAt, size int64, depth int) bool {
	inner, err := container.Decompress(head, io.NewSectionReader(src, 0, size))
	if inner == nil {
		return s.carve(src, size, depth)
	}
	e := &salvageReader{r: inner}
	return err != nil || s.within("", e, depth+1) || e.err != nil && s.carve(src, size, depth)
}

// holdsMail reports whether the attachments of a mail, or of the mails in a mailbox, have a web
// archive inside.
func (s *exposureSearch) holdsMail(name string, src io.ReaderAt, size int64, depth int) bool {
	if size > maxRead {
		return s.carve(src, size, depth)
	}
	data := make([]byte, size)
	if _, err := src.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return true
	}
	form, err := canonicalizeWithin(read.Input{Name: name, Data: data})
	return err == nil && slices.ContainsFunc(form.Parts, func(p read.Part) bool { return s.within(p.Name, bytes.NewReader(p.Data), depth+1) })
}

// marks are the bytes with which a web archive, or what may have one inside, begins; in a
// mail the first ones are in base64.
var marks = [][]byte{[]byte("\nV0FSQy8"), []byte("\nH4sI"), []byte("\nUEsDB"), []byte("\nQlpo"), []byte("\n/Td6WF"), []byte("\nKLUv/"),
	[]byte("WARC/1."), []byte("\x1f\x8b\x08"), []byte("PK\x03\x04"), []byte("BZh"), []byte("\xfd7zXZ\x00"), []byte("\x28\xb5\x2f\xfd")}

// base64Marks is how many of the marks are in base64.
const base64Marks = 6

// carve reports whether a web archive begins anywhere in a file that does not parse to its end.
func (s *exposureSearch) carve(src io.ReaderAt, size int64, depth int) bool {
	const window = 1 << 20
	if depth > maxNested {
		return true
	}
	buffer := make([]byte, window+16)
	for start := int64(0); start < size; start += window {
		n, _ := src.ReadAt(buffer, start)
		for i, mark := range marks {
			for from := 0; from < n; {
				at := bytes.Index(buffer[from:n], mark)
				if at < 0 || from+at >= window {
					break
				}
				place := start + int64(from+at)
				if s.begins(i, io.NewSectionReader(src, place, size-place), depth) {
					return true
				}
				from += at + 1
			}
		}
	}
	return false
}

// record1 is the beginning of a record, which a letter that speaks of WARC does not have.
var record1 = regexp.MustCompile(`^WARC/1\.[0-9]\r?\n[A-Za-z-]+:`)

// begins reports whether a web archive begins at a mark, or in what begins there.
func (s *exposureSearch) begins(mark int, r *io.SectionReader, depth int) bool {
	head := make([]byte, 64)
	n, _ := r.ReadAt(head, 0)
	head = head[:n]
	if mark < base64Marks {
		return s.within("", base64.NewDecoder(base64.StdEncoding, &salvageReader{r: r}), depth+1)
	}
	if record1.Match(head) {
		return true
	}
	var inner io.Reader
	if bytes.HasPrefix(head, []byte("PK")) {
		if len(head) < 30 || binary.LittleEndian.Uint16(head[8:]) != 8 {
			return false // the bytes of a stored entry are looked through as those around them
		}
		begin := 30 + int64(binary.LittleEndian.Uint16(head[26:])) + int64(binary.LittleEndian.Uint16(head[28:]))
		inner = flate.NewReader(io.NewSectionReader(r, begin, cmp.Or(max(r.Size()-begin, 0), 1)))
	} else if inner, _ = container.Decompress(head, r); inner == nil {
		return false
	}
	return s.within("", inner, depth+1)
}

// addExposed returns the addition of an input that is a web archive or has one inside. It is
// not kept as received, but what can be read of it is, as parts of the addition.
func (in *intake) addExposed(ctx context.Context, input Input, content io.Reader, o AddOptions, depth int) addition {
	add := addition{name: input.Name, encoded: input.Encoded, web: true}
	refuse := func(reason string) addition {
		add.err = &refusal{"not kept: a web archive is in it, with addresses and headers as they were sent, and " + reason, problem.Advise("take the web archive out with another program, and add that and the rest apart")}
		return add
	}
	if input.whole != nil || depth > maxNested {
		return refuse("it is not kept in addition to what can be read of it")
	}
	file, copied, err := spool(ctx, content)
	if err != nil {
		add.err = err
		return add
	}
	defer copied.Close()
	inputs, skips, closers := unpackExposed(ctx, Input{Path: file, Name: input.Name, Encoded: input.Encoded}, o.Source.KeepQuery)
	defer (&gatheredInputs{closers: closers}).close()
	for _, skip := range skips {
		add.parts = append(add.parts, addition{name: skip.Path, err: &refusal{skip.Reason, skip.Next}})
	}
	add.err = errUnneeded
	for _, one := range inputs {
		if one.Path == file && one.Fetch == nil {
			if len(inputs) == 1 {
				return refuse("nothing in it can be read")
			}
			continue
		}
		got, err := Body{}, error(nil)
		if one.Fetch != nil {
			got, err = one.Fetch(ctx)
		} else {
			got, err = readStable(one.Path, func(int64) {})
		}
		if err == nil && !o.AllowSecrets {
			err = checkSecret(got.Data)
		}
		if err != nil {
			add.parts = append(add.parts, addition{name: one.Name, encoded: one.Encoded, err: err})
			continue
		}
		if one.scrubbed { // its packed file is not asked for
			one.whole = nil
		}
		add.parts = append(add.parts, in.take(ctx, one, got, o, depth+1))
	}
	return add
}

// unpackExposed returns the inputs in a web archive, or in a file that has one inside.
func unpackExposed(ctx context.Context, in Input, keepQuery bool) ([]Input, []Skip, []io.Closer) {
	f, err := os.Open(in.Path)
	if err != nil {
		return nil, []Skip{{Path: in.Name, Reason: err.Error()}}, nil
	}
	defer f.Close()
	head := make([]byte, headLen)
	n, _ := f.ReadAt(head, 0)
	if isWARC(in.Name) || isWACZ(in.Name) || beginsWARC(head[:n]) {
		return unpackWARC(ctx, in, keepQuery)
	}
	if info, err := f.Stat(); err == nil && container.Detect(f, info.Size()) != "" {
		return unpackFolder(ctx, in, keepQuery)
	}
	file, copied, _ := unpackLayers(ctx, in.Path)
	if copied == nil { // members of gzip with records, or nothing that is known
		return unpackWARC(ctx, in, keepQuery)
	}
	in.Path = file
	out, skips, closers := unpackExposed(ctx, in, keepQuery)
	return out, skips, append(closers, copied)
}
