package forms

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"time"
)

// all is the registry that an archive has.
var all = Registry()

// An entry of a container.
type entry struct{ name, content string }

// A packing is a way to zip.
type packing struct {
	method   uint16
	modified time.Time
	comment  string
}

func pack(entries []entry, how packing) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: how.method, Modified: how.modified})
		must(err)
		_, err = f.Write([]byte(e.content))
		must(err)
	}
	must(w.SetComment(how.comment))
	must(w.Close())
	return b.Bytes()
}

// must is for what fails only if this code is wrong.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func escape(s string) string {
	var b strings.Builder
	must(xml.EscapeText(&b, []byte(s)))
	return b.String()
}

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// docxBody are the entries of a DOCX with that body.
func docxBody(body string) []entry {
	return []entry{
		{"[Content_Types].xml", xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", xmlHead + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`},
	}
}

func docxParagraphs(texts []string) []entry {
	var b strings.Builder
	for _, s := range texts {
		b.WriteString(`<w:p><w:r><w:t xml:space="preserve">` + escape(s) + `</w:t></w:r></w:p>`)
	}
	return docxBody(b.String())
}

// odtBody are the entries of an ODT with that body.
func odtBody(body string) []entry {
	return []entry{
		{"mimetype", "application/vnd.oasis.opendocument.text"},
		{"META-INF/manifest.xml", xmlHead + `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`},
		{"content.xml", xmlHead + `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`},
	}
}

func odtParagraphs(texts []string) []entry {
	var b strings.Builder
	for _, s := range texts {
		b.WriteString(`<text:p>` + escape(s) + `</text:p>`)
	}
	return odtBody(b.String())
}

// epubChapters are the entries of a book with these chapters' bodies.
func epubChapters(bodies ...string) []entry {
	var manifest, spine strings.Builder
	entries := []entry{
		{"mimetype", "application/epub+zip"},
		{"META-INF/container.xml", xmlHead + `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
		{},
	}
	for i, body := range bodies {
		fmt.Fprintf(&manifest, `<item id="c%d" href="c%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		fmt.Fprintf(&spine, `<itemref idref="c%d"/>`, i)
		entries = append(entries, entry{fmt.Sprintf("OPS/c%d.xhtml", i), xmlHead + `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>` + body + `</body></html>`})
	}
	entries[2] = entry{"OPS/book.opf", xmlHead + `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">urn:x</dc:identifier><dc:title>t</dc:title><dc:language>en</dc:language></metadata><manifest>` +
		manifest.String() + `</manifest><spine>` + spine.String() + `</spine></package>`}
	return entries
}

func htmlParagraphs(texts []string) string {
	var b strings.Builder
	for _, s := range texts {
		b.WriteString("<p>" + html.EscapeString(s) + "</p>\n")
	}
	return b.String()
}

// pdfOf is a PDF of pages of lines in WinAnsi.
func pdfOf(pages ...[]string) []byte {
	var kids []string
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}
	for _, lines := range pages {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		var content strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&content, "BT /F1 12 Tf 72 %d Td (%s) Tj ET\n", 720-16*i, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line))
		}
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", content.Len(), content.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	var out, table bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, start)
	return out.Bytes()
}

// A column of a database's answer.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// resultOf is the original of a database's answer; a nil cell is NULL. Fields
// are in the order of RFC 8785.
func resultOf(query string, ordered bool, columns []column, rows [][]any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(struct {
		Columns []column `json:"columns"`
		Ordered bool     `json:"ordered"`
		Query   string   `json:"query"`
		Rows    [][]any  `json:"rows"`
		Type    string   `json:"type"`
	}{columns, ordered, query, rows, "muniment/dbresult/v1"}))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// drawing is a picture of some colours.
func drawing(side int) image.Image {
	m := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, color.Black, color.RGBA{200, 30, 30, 255}})
	for i := range side * side {
		m.SetColorIndex(i%side, i/side, uint8(i*i/7%3))
	}
	return m
}

func pngOf(side int) []byte {
	var b bytes.Buffer
	must(png.Encode(&b, drawing(side)))
	return b.Bytes()
}

func jpegOf(side int) []byte {
	var b bytes.Buffer
	must(jpeg.Encode(&b, drawing(side), nil))
	return b.Bytes()
}

func gifOf(side int) []byte {
	var b bytes.Buffer
	must(gif.Encode(&b, drawing(side), nil))
	return b.Bytes()
}

// wavOf is a recording of n samples at 8 kHz, 8 bits.
func wavOf(n int) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), uint32(36+n))
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint16(le.AppendUint16(b, 1), 1)
	b = le.AppendUint32(le.AppendUint32(b, 8000), 8000)
	b = le.AppendUint16(le.AppendUint16(b, 1), 8)
	b = le.AppendUint32(append(b, "data"...), uint32(n))
	for i := range n {
		b = append(b, byte(128+i%37))
	}
	return b
}
