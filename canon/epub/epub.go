// Package epub makes epub@2, the text of an electronic book in reading order.
//
//	r := read.NewRegistry(epub.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "book.epub", Data: data})
//
// Package canon/office/docpack opens the zip container; nothing of it but the
// contents of the entries named here counts, so that zipping a book anew keeps
// its payload. Then:
//
//   - META-INF/container.xml names the package document, the first one of its
//     media type where there are several renditions.
//   - The chapters are the items of the spine in its order. An item with
//     linear="no", which a reader meets only by a link, is left out and counted,
//     and so is the navigation document: it repeats the headings.
//   - Each chapter is written as html@2 writes a web page; footnotes stay where
//     the chapter has them. Chapters are separated by a blank line, and one
//     without text leaves nothing.
//   - An item of the spine that is no XHTML is read through its fallback. A
//     picture without one is a part and no text.
//   - Not read: the table of contents of EPUB 2 (NCX), the guide, style sheets,
//     scripts, media overlays, and what lies on other hosts.
//
// The result ends in the text step of package canon. Pictures, sound and film of
// the manifest are Parts, named by their path in the container; those that
// cannot be read are counted. What the package document says goes into
// Form.Source: title, creators, publisher, language, date of publication, and
// the address if the identifier is one.
//
// Facts: "headings" as read.Headings writes them, over the whole book;
// "chapter_starts", the first paragraph of each chapter with text. Each only if
// not zero: "chapters" (read), "chapters_left_out" (not
// linear, or navigation), "parts_unread", and "hidden", "images" and "noterefs"
// of html@2, summed; "identifier" as the book states it.
//
// A chapter that is missing, damaged, encrypted or beyond a limit gives an error
// that says so: a text is complete or there is none.
package epub

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/html"
	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// Name is the form's name and version.
const Name = "epub@2"

// Limits, in addition to those of packages docpack and html. A book beyond one of them stays
// bytes@1.
const (
	// MaxChapters is the number of items in a spine.
	MaxChapters = 10_000
	// MaxItems is the number of items in a manifest, each of which is kept in
	// memory.
	MaxItems = docpack.MaxEntries
	// MaxOutput is the longest text in bytes; the Bible has five million.
	MaxOutput = 64 << 20
	// maxFallbacks is how many fallbacks are followed: they may lead in a circle.
	maxFallbacks = 16
)

// Reader returns the reader of epub@2.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{"application/epub+zip"},
		Extensions: []string{".epub"},
		Read:       readInput,
	}
}

// readInput returns the epub@2 form of an input.
func readInput(in read.Input) (read.Form, error) {
	form, err := readBook(in.Data)
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", Name, err)
	}
	return form, nil
}

// A book is read chapter by chapter.
type book struct {
	*docpack.Pack
	pack      *packageDocument
	encrypted map[string]bool // entries, by name
	read      func(read.Input) (read.Form, error)
	out       []byte
	counts    map[string]int
	charsets  []string

	paragraphs int      // of the chapters so far
	starts     []int    // the first paragraph of each chapter
	headings   []string // as the fact has them
}

// readBook returns the form of a book, without its name.
func readBook(data []byte) (read.Form, error) {
	c, err := docpack.Open(data)
	if err != nil {
		return read.Form{}, err
	}
	b := &book{Pack: c, read: html.Reader().Read, counts: map[string]int{}}
	if b.encrypted, err = encryptedEntries(c); err != nil {
		return read.Form{}, err
	}
	name, err := packageName(c)
	if err != nil {
		return read.Form{}, err
	}
	if b.pack, err = readPackage(c, name); err != nil {
		return read.Form{}, err
	}
	if err := b.chapters(); err != nil {
		return read.Form{}, err
	}
	parts, unread := c.Parts(b.mediaParts())
	b.counts["parts_unread"] += unread
	return read.Form{
		Payload:       canon.Text(b.out),
		Canonicalizer: Name,
		Unicode:       canon.UnicodeVersion,
		Extractor:     html.Extractor,
		Charset:       strings.Join(b.charsets, "; "),
		Facts:         b.facts(),
		Source:        b.pack.source(),
		Parts:         parts,
	}, nil
}

// chapters writes the items of the spine.
func (b *book) chapters() error {
	seen := map[string]bool{}
	for _, ref := range b.pack.spine {
		it, ok := b.pack.items[ref.id]
		if !ok {
			return fmt.Errorf("the spine names %q, which the manifest does not have", ref.id)
		}
		if seen[ref.id] {
			return fmt.Errorf("the spine names %q twice", ref.id)
		}
		seen[ref.id] = true
		if !ref.linear || it.isNavigation() {
			b.counts["chapters_left_out"]++
			continue
		}
		page, err := b.pack.page(it)
		if err != nil {
			return err
		}
		if page.isMedia() {
			continue
		}
		if err := b.chapter(page); err != nil {
			return err
		}
	}
	if b.counts["chapters"] == 0 {
		return errors.New("the spine has no chapter to read")
	}
	return nil
}

// chapter writes one chapter.
func (b *book) chapter(it item) error {
	if it.name == "" {
		return fmt.Errorf("chapter %q is not in the container", it.href)
	}
	if b.encrypted[it.name] {
		return fmt.Errorf("%s: %w", it.name, docpack.ErrEncrypted)
	}
	data, err := b.Read(it.name, html.MaxInput)
	if err != nil {
		return err
	}
	form, err := b.read(read.Input{Name: it.name, MediaType: it.mediaType, Data: data})
	if err != nil {
		return fmt.Errorf("%s: %w", it.name, err)
	}
	b.counts["chapters"]++
	for key, value := range form.Facts {
		if n, err := strconv.Atoi(value); err == nil {
			b.counts[key] += n
		}
	}
	b.noteCharset(form.Charset)
	if len(form.Payload) == 0 {
		return nil
	}
	if len(b.out) > 0 {
		b.out = append(b.out, '\n')
	}
	// Paragraphs of chapters follow each other: this one's begin here.
	b.starts = append(b.starts, b.paragraphs+1)
	doc := canon.NewDocument(form.Payload)
	hs, at := read.HeadingsOf(doc, form.Facts["headings"])
	for i := range hs {
		if len(b.headings) < read.MaxHeadings {
			b.headings = append(b.headings, fmt.Sprintf("%d:%d", hs[i].Level, b.paragraphs+at[i]))
		}
	}
	b.paragraphs += len(doc.Units(canon.Paragraphs))
	b.out = append(b.out, form.Payload...)
	if len(b.out) > MaxOutput {
		return fmt.Errorf("the text is longer than %d bytes", MaxOutput)
	}
	return nil
}

// noteCharset keeps each decision once, and no more than a record can show.
func (b *book) noteCharset(decision string) {
	const most = 10
	for _, known := range b.charsets {
		if known == decision {
			return
		}
	}
	if len(b.charsets) < most {
		b.charsets = append(b.charsets, decision)
	}
}

// mediaParts returns the pictures, sound and film of the manifest that can be read,
// and counts those that are encrypted or lie elsewhere in vain.
func (b *book) mediaParts() map[string]string {
	want := map[string]string{}
	for _, it := range b.pack.items {
		switch {
		case !it.isMedia() || it.remote:
		case it.name == "" || b.encrypted[it.name]:
			b.counts["parts_unread"]++
		default:
			want[it.name] = it.mediaType
		}
	}
	return want
}

// facts returns the counts that are not zero, and the identifier.
func (b *book) facts() map[string]string {
	facts := read.Counts(b.counts)
	if id := b.pack.identifier(); id != "" {
		facts["identifier"] = id
	}
	if len(b.headings) > 0 {
		facts["headings"] = strings.Join(b.headings, " ")
	}
	if len(b.starts) > 1 {
		facts["chapter_starts"] = strings.Trim(fmt.Sprint(b.starts), "[]")
	}
	return facts
}
