package epub_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"muniment/canon/epub"
	"muniment/canon/read"
)

// An entry of a container that a test makes.
type entry struct{ name, content string }

func pack(entries []entry) []byte { return packAs(entries, zip.Deflate, time.Time{}, "") }

func packAs(entries []entry, method uint16, modified time.Time, comment string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: method, Modified: modified})
		if err == nil {
			_, err = f.Write([]byte(e.content))
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := w.SetComment(comment); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// with returns entries in which one is replaced, added, or taken out when its
// content is "".
func with(entries []entry, name, content string) []entry {
	var out []entry
	for _, e := range entries {
		if e.name != name {
			out = append(out, e)
		}
	}
	if content != "" {
		out = append(out, entry{name, content})
	}
	return out
}

const (
	xmlHead     = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	ocf         = xmlHead + `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/><rootfile full-path="OEBPS/other.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
	opfMetadata = `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">` +
		`<dc:identifier id="isbn">urn:isbn:0</dc:identifier><dc:identifier id="uid">https://example.org/flood</dc:identifier>` +
		`<dc:title>The  flood</dc:title><dc:title>A second title</dc:title><dc:creator>A. Meier</dc:creator><dc:creator>B. Huber</dc:creator>` +
		`<dc:publisher>Valley Press</dc:publisher><dc:language>en-GB</dc:language><dc:date opf:event="modification">2020-01-01</dc:date><dc:date>1911-03-03</dc:date>` +
		`<meta property="dcterms:modified">2020-01-01T00:00:00Z</meta></metadata>`
)

// page is a chapter of XHTML.
func page(body string) string {
	return xmlHead + `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>no</title></head><body>` + body + `</body></html>`
}

// book are the entries of a book with that manifest, spine and further entries.
func book(manifest, spine string, more ...entry) []entry {
	return append([]entry{
		{"mimetype", "application/epub+zip"},
		{"META-INF/container.xml", ocf},
		{"OEBPS/book.opf", xmlHead + `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="uid">` + opfMetadata +
			`<manifest>` + manifest + `</manifest><spine>` + spine + `</spine></package>`},
	}, more...)
}

// chapters are a book with nothing but these chapters.
func chapters(bodies ...string) []entry {
	var manifest, spine strings.Builder
	var more []entry
	for i, body := range bodies {
		fmt.Fprintf(&manifest, `<item id="c%d" href="c%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		fmt.Fprintf(&spine, `<itemref idref="c%d"/>`, i)
		more = append(more, entry{fmt.Sprintf("OEBPS/c%d.xhtml", i), page(body)})
	}
	return book(manifest.String(), spine.String(), more...)
}

// flood is a book in which most things occur.
func flood() []entry {
	return book(
		`<item id="two" href="text/chapter%202.xhtml" media-type="application/xhtml+xml"/>`+
			`<item id="one" href="text/chapter1.xhtml#top" media-type="application/xhtml+xml"/>`+
			`<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav scripted"/>`+
			`<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`+
			`<item id="answers" href="answers.xhtml" media-type="application/xhtml+xml"/>`+
			`<item id="cover" href="cover.svg" media-type="image/svg+xml"/>`+
			`<item id="slides" href="slides.xml" media-type="application/x-demo" fallback="plain"/>`+
			`<item id="plain" href="plain.html" media-type="text/html"/>`+
			`<item id="empty" href="empty.xhtml" media-type="application/xhtml+xml"/>`+
			`<item id="map" href="images/map.png" media-type="image/png"/>`+
			`<item id="lost" href="images/lost.png" media-type="image/png"/>`+
			`<item id="far" href="https://example.org/far.png" media-type="image/png"/>`+
			`<item id="font" href="a.otf" media-type="font/otf"/><item id="css" href="a.css" media-type="text/css"/>`,
		`<itemref idref="cover"/><itemref idref="nav"/><itemref idref="one"/><itemref idref="answers" linear="no"/><itemref idref="empty"/><itemref idref="two" linear="yes"/><itemref idref="slides"/>`,
		entry{"OEBPS/nav.xhtml", page("<nav><ol><li>Contents</li></ol></nav>")},
		entry{"OEBPS/toc.ncx", "<ncx/>"},
		entry{"OEBPS/text/chapter1.xhtml", page(`<h1>One</h1><p>The river rose<a epub:type="noteref" href="#n">1</a> by 3 m.</p><aside epub:type="footnote" id="n"><p>Caf` + "\u00E9" + ` gauge.</p></aside><script src="x"/>`)},
		entry{"OEBPS/text/chapter 2.xhtml", page(`<h1>Two</h1><table><tr><td>Day</td><td>Level</td></tr></table><p hidden="">no</p><p><img src="../images/map.png" alt="Map"/></p>`)},
		entry{"OEBPS/answers.xhtml", page("<p>Answers</p>")},
		entry{"OEBPS/empty.xhtml", page("<p> </p>")},
		entry{"OEBPS/cover.svg", "<svg><text>Cover</text></svg>"},
		entry{"OEBPS/slides.xml", "<slides/>"},
		entry{"OEBPS/plain.html", "<p>Plain"},
		entry{"OEBPS/images/map.png", "\x89PNG\r\n\x1a\n map"},
		entry{"OEBPS/a.otf", "font"},
	)
}

const floodText = "One\n\nThe river rose by 3 m.\n\nCaf\u00E9 gauge.\n\nTwo\n\nDay\tLevel\n\nMap\n\nPlain\n"

func mustRead(t testing.TB, data []byte) read.Form {
	t.Helper()
	f, err := epub.Reader().Read(read.Input{Name: "a.epub", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
