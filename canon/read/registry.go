package read

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"muniment/canon"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gabriel-vasile/mimetype"
)

// Media types that the registry itself decides about.
const (
	plainText   = "text/plain"
	markdown    = "text/markdown"
	octetStream = "application/octet-stream"
)

// sniffLen is how much of a file its type is detected from: mimetype's own
// default.
const sniffLen = 3072

// textExtensions are read as text@1 without looking at the content first.
var textExtensions = map[string]string{
	".txt": plainText, ".text": plainText, ".asc": plainText,
	".md": markdown, ".markdown": markdown,
}

// containers are written in characters, yet what one would read in them is
// wrapped up: without a reader of their own they are bytes@1.
var containers = map[string]bool{"application/warc": true, "message/rfc822": true, "text/rtf": true}

// A Registry knows which form an Input gets.
type Registry struct {
	byType, byExtension, byRoot map[string]Reader
}

// NewRegistry returns a registry of the given readers, text@1 and bytes@1. It panics when two
// readers claim one media type or extension.
func NewRegistry(readers ...Reader) *Registry {
	r := &Registry{map[string]Reader{}, map[string]Reader{}, map[string]Reader{}}
	for _, reader := range readers {
		for _, t := range reader.MediaTypes {
			claim(r.byType, t, reader)
		}
		for _, e := range reader.Extensions {
			claim(r.byExtension, e, reader)
		}
		if reader.Root != "" {
			claim(r.byRoot, reader.Root, reader)
		}
	}
	return r
}

// claim enters a reader under a media type or extension. It panics if another
// has the key.
func claim(m map[string]Reader, key string, reader Reader) {
	if other, ok := m[key]; ok {
		panic(fmt.Sprintf("canon: %s and %s both claim %q", other.Name, reader.Name, key))
	}
	m[key] = reader
}

// Canonicalize returns the canonical form of in. Its type is the MediaType
// given, if that says more than application/octet-stream; else that of the
// name's extension, if known and not contradicted; else what the content looks like. A type that no
// reader makes text of, and a reader that finds none, give bytes@1 with the
// Reason. The media type that a reader sets in its Form wins over the name's.
// Every textual form with code points that the frozen tables do not know has
// their number as the fact "unassigned". The only error is empty Data.
func (r *Registry) Canonicalize(in Input) (Form, error) {
	if len(in.Data) == 0 {
		return Form{}, errors.New("there are no bytes to canonicalize")
	}
	mediaType, read := r.find(in)
	if read == nil {
		return asBytes(in, mediaType, fmt.Sprintf("no text is read from %s", mediaType)), nil
	}
	form, err := read(in)
	switch {
	case err != nil:
		return asBytes(in, sniff(in.Data).String(), err.Error()), nil
	case len(form.Payload) == 0:
		return asBytes(in, mediaType, "no visible text in "+mediaType), nil
	}
	form.MediaType = cmp.Or(form.MediaType, mediaType)
	if form.Canonicalizer == canon.BytesForm {
		return form, nil
	}
	if n := canon.CountUnassigned(form.Payload); n > 0 {
		if form.Facts == nil {
			form.Facts = map[string]string{}
		}
		form.Facts["unassigned"] = strconv.Itoa(n)
	}
	return form, nil
}

// Plain reports whether the name alone says that in is read as text@1: in one
// pass, by nothing but this package.
func (r *Registry) Plain(in Input) bool {
	ext := strings.ToLower(path.Ext(in.Name))
	_, claimed := r.byExtension[ext]
	_, text := textExtensions[ext]
	return text && !claimed && in.MediaType == ""
}

// Describe returns the form of an input that is too large to be read: it is
// bytes@1 without a Payload. The input's Data is its beginning, size its length
// and at its bytes, which may be nil where they cannot be had again. A reader
// with a Describe of its own gives its facts; any other leaves the reason.
func (r *Registry) Describe(in Input, at io.ReaderAt, size int64, reason string) Form {
	mediaType, _ := r.find(in)
	if reader, ok := r.byType[mediaType]; ok && reader.Describe != nil && at != nil {
		form, err := reader.Describe(in, at, size)
		if err == nil {
			form.MediaType = cmp.Or(form.MediaType, mediaType)
			return form
		}
		mediaType, reason = sniff(in.Data).String(), err.Error()
	}
	form := asBytes(in, mediaType, reason)
	form.Payload = nil
	return form
}

// rootElement finds the name of the root element of an XML document, without its prefix.
// It is compiled at its first use: that takes 2 ms, which other commands need not wait for.
var rootElement = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\xEF\xBB\xBF)?\s*(?:<[?!][^>]{0,1000}>\s*)*<(?:[A-Za-z0-9_.-]{1,40}:)?([A-Za-z0-9_.-]{1,40})[\s>]`)
})

// find decides the media type of in and who reads it; nil is nobody. XML whose root a
// reader knows is that reader's.
func (r *Registry) find(in Input) (mediaType string, read func(Input) (Form, error)) {
	mediaType, read = r.findKind(in)
	if mediaType == "application/xml" || mediaType == "text/xml" {
		if m := rootElement().FindSubmatch(in.Data[:min(len(in.Data), sniffLen)]); m != nil {
			if reader, ok := r.byRoot[string(m[1])]; ok {
				return reader.MediaTypes[0], reader.Read
			}
		}
	}
	return mediaType, read
}

// findKind is find without a look at the root of XML.
func (r *Registry) findKind(in Input) (mediaType string, read func(Input) (Form, error)) {
	if t := bareType(in.MediaType); t != "" && t != octetStream {
		if read := r.reader(t); read != nil {
			return t, read
		}
		if !strings.HasPrefix(t, "text/") {
			return t, nil
		}
	}
	ext := strings.ToLower(path.Ext(in.Name))
	if reader, ok := r.byExtension[ext]; ok && (reader.Begins == nil || reader.Begins(in.Data)) {
		return reader.typeFor(ext), reader.Read
	}
	if t, ok := textExtensions[ext]; ok {
		return t, readText
	}
	if read := r.reader(mailboxType); read != nil && mailboxHead.Match(in.Data[:min(len(in.Data), sniffLen)]) {
		return mailboxType, read
	}
	found := sniff(in.Data)
	t := bareType(found.String())
	if t == compoundType {
		t = typeOfCompound(in.Data)
	}
	if read := r.reader(t); read != nil && !isTabular(t) {
		return t, read
	}
	for m := found; m != nil && !containers[t]; m = m.Parent() {
		if m.Is(plainText) {
			if isTabular(t) {
				t = plainText
			}
			return t, readText
		}
	}
	return t, nil
}

// Hint returns an input with what somebody says of it and of others: a media type, with
// a charset perhaps. The type counts where name and bytes do not tell one, or tell the
// JSON or XML that it is written in; the charset counts for every kind of plain text,
// mark-up and table, and for nothing else.
func (r *Registry) Hint(in Input, said string) Input {
	t, charset := ParseMediaType(said)
	found, _ := r.find(Input{Name: in.Name, Data: in.Data})
	ext := strings.ToLower(path.Ext(in.Name))
	_, named := r.byExtension[ext]
	_, text := textExtensions[ext]
	switch {
	case found == octetStream, found == plainText && !named && !text,
		strings.HasSuffix(t, "+json") && found == "application/json",
		strings.HasSuffix(t, "+xml") && (found == "application/xml" || found == "text/xml"):
		in.MediaType = said
	case charset != "" && strings.HasPrefix(found, "text/") && !containers[found]:
		in.MediaType = found + "; charset=" + charset
	}
	return in
}

// isTabular reports whether t is a type that prose is easily taken for: a few
// lines with as many commas each look like a table, so that only a name or a
// sender makes one.
func isTabular(t string) bool { return t == "text/csv" || t == "text/tab-separated-values" }

// reader returns who reads a media type.
func (r *Registry) reader(mediaType string) func(Input) (Form, error) {
	if reader, ok := r.byType[mediaType]; ok {
		return reader.Read
	}
	if mediaType == plainText || mediaType == markdown || mediaType == "text/x-markdown" {
		return readText
	}
	return nil
}

// typeFor returns the reader's media type that goes with an extension.
func (r Reader) typeFor(ext string) string {
	if len(r.MediaTypes) == 0 {
		return octetStream
	}
	for i, e := range r.Extensions {
		if e == ext && i < len(r.MediaTypes) {
			return r.MediaTypes[i]
		}
	}
	return r.MediaTypes[0]
}

// mailboxType is the type of a file that begins like a mailbox, which programs for mail name
// without an extension; mailboxHead matches the beginning: a line that divides mails, with a time
// and a year, and a header field after it.
const mailboxType = "application/mbox"

var mailboxHead = regexp.MustCompile(`^From [^\r\n]*\b\d{1,2}:\d\d(?::\d\d)?\b[^\r\n]* \d{4}\b[^\r\n]*\r?\n[!-9;-~]+:[ \t\r\n]`)

// compoundType is the type of a container of documents of Office before 2007 whose head
// does not say which it holds.
const compoundType = "application/x-ole-storage"

// compoundStreams are the media types of such documents by the stream that each has.
var compoundStreams = []struct{ stream, mediaType string }{
	{"WordDocument", "application/msword"},
	{"PowerPoint Document", "application/vnd.ms-powerpoint"},
	{"Workbook", "application/vnd.ms-excel"},
	{"Book", "application/vnd.ms-excel"},
	{"__properties_version1.0", "application/vnd.ms-outlook"},
}

// typeOfCompound returns the media type of the document in a container.
func typeOfCompound(data []byte) string {
	for _, c := range compoundStreams {
		var name []byte // as directories write it, with the zero at its end
		for _, b := range []byte(c.stream + "\x00") {
			name = append(name, b, 0)
		}
		if bytes.Contains(data, name) {
			return c.mediaType
		}
	}
	return compoundType
}

// sniff returns the media type that the first bytes of a file look like.
func sniff(data []byte) *mimetype.MIME {
	return mimetype.Detect(data[:min(len(data), sniffLen)])
}

// bareType returns a media type in lower case without its parameters, or ""
// for what is none.
func bareType(s string) string {
	t, _ := ParseMediaType(s)
	return t
}

// readText makes text@1.
func readText(in Input) (Form, error) {
	text, charset, err := Decode(in.Data, in.MediaType)
	if err != nil {
		return Form{}, fmt.Errorf("%s: %w", canon.TextForm, err)
	}
	return Form{Payload: canon.Text(text), Canonicalizer: canon.TextForm, Unicode: canon.UnicodeVersion, Charset: charset}, nil
}

// asBytes makes bytes@1: the payload is the original.
func asBytes(in Input, mediaType, reason string) Form {
	if t := bareType(mediaType); t != "" {
		mediaType = t
	}
	return Form{Payload: in.Data, MediaType: mediaType, Canonicalizer: canon.BytesForm, Reason: reason}
}
