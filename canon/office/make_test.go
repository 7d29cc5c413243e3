package office_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"muniment/canon/read"
)

// An entry of a container that a test makes.
type entry struct{ name, content string }

// pack zips entries as most programs do: deflated, in order.
func pack(entries []entry) []byte {
	return packAs(entries, zip.Deflate, time.Time{}, "")
}

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
// content is "", and so on with the names and contents that follow.
func with(entries []entry, name, content string, more ...string) []entry {
	var out []entry
	for _, e := range entries {
		if e.name != name {
			out = append(out, e)
		}
	}
	if content != "" {
		out = append(out, entry{name, content})
	}
	if len(more) > 0 {
		return with(out, more[0], more[1], more[2:]...)
	}
	return out
}

const (
	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	wordSpace = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"` +
		` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"` +
		` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"` +
		` xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"` +
		` xmlns:v="urn:schemas-microsoft-com:vml"` +
		` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
		` xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`
	relSpace = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	relOpen  = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
)

// docxEntries are the entries of a DOCX with this body, of the least that Word
// writes.
func docxEntries(body string) []entry {
	return []entry{
		{"[Content_Types].xml", xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="png" ContentType="image/png"/>` +
			`<Override PartName="/word/embeddings/sheet.bin" ContentType="application/vnd.ms-excel"/></Types>`},
		{"_rels/.rels", relOpen +
			`<Relationship Id="rId1" Type="` + relSpace + `officeDocument" Target="word/document.xml"/>` +
			`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`},
		{"word/document.xml", xmlHead + `<w:document` + wordSpace + `><w:body>` + body + `<w:sectPr/></w:body></w:document>`},
		{"word/_rels/document.xml.rels", relOpen +
			`<Relationship Id="rId1" Type="` + relSpace + `styles" Target="styles.xml"/>` +
			`<Relationship Id="rId2" Type="` + relSpace + `footnotes" Target="/word/footnotes.xml"/>` +
			`<Relationship Id="rId3" Type="` + relSpace + `endnotes" Target="endnotes.xml"/>` +
			`<Relationship Id="rId4" Type="` + relSpace + `header" Target="header1.xml"/>` +
			`<Relationship Id="rId5" Type="` + relSpace + `image" Target="media/bridge%20old.png"/>` +
			`<Relationship Id="rId6" Type="` + relSpace + `oleObject" Target="embeddings/sheet.bin"/>` +
			`<Relationship Id="rId7" Type="` + relSpace + `image" Target="http://example.org/x.png" TargetMode="External"/>` +
			`<Relationship Id="rId8" Type="` + relSpace + `image" Target="media/lost.png"/>` +
			`<Relationship Id="rId9" Type="` + relSpace + `image" Target="../../../etc/passwd"/></Relationships>`},
		{"word/styles.xml", xmlHead + `<w:styles` + wordSpace + `>` +
			`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"/>` +
			`<w:style w:type="paragraph" w:styleId="ListBullet"><w:basedOn w:val="Normal"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="ListBullet2"><w:basedOn w:val="ListBullet"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Heading1"><w:basedOn w:val="ListBullet"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Round"><w:basedOn w:val="Round"/></w:style>` +
			`<w:style w:type="character" w:styleId="Whisper"><w:rPr><w:vanish w:val="true"/></w:rPr></w:style>` +
			`<w:style w:type="character" w:styleId="Aloud"><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>`},
		{"word/footnotes.xml", xmlHead + `<w:footnotes` + wordSpace + `>` +
			`<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>` +
			`<w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> First note.</w:t></w:r></w:p></w:footnote>` +
			`<w:footnote w:id="2"><w:p><w:r><w:t>Second note,</w:t></w:r></w:p><w:p><w:r><w:t>longer.</w:t></w:r></w:p></w:footnote>` +
			`<w:footnote w:id="3"><w:p><w:r><w:t>Orphan.</w:t></w:r></w:p></w:footnote></w:footnotes>`},
		{"word/endnotes.xml", xmlHead + `<w:endnotes` + wordSpace + `>` +
			`<w:endnote w:id="1"><w:p><w:r><w:t>At the end.</w:t></w:r></w:p></w:endnote></w:endnotes>`},
		{"word/header1.xml", xmlHead + `<w:hdr` + wordSpace + `><w:p><w:r><w:t>Header</w:t></w:r></w:p></w:hdr>`},
		{"word/media/bridge old.png", "\x89PNG\r\n\x1a\n bridge"},
		{"word/embeddings/sheet.bin", "sheet"},
		{"docProps/core.xml", xmlHead + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">` +
			`<dc:title>The  flood
of 1910</dc:title><dc:creator>A. Meier; B. Huber;</dc:creator><cp:lastModifiedBy>Z</cp:lastModifiedBy><dc:language>en-GB</dc:language>` +
			`<dcterms:created>1998-06-15T08:00:00Z</dcterms:created><dc:identifier>urn:example:7</dc:identifier></cp:coreProperties>`},
	}
}

const odfSpace = ` xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"` +
	` xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"` +
	` xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"` +
	` xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"` +
	` xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"` +
	` xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"` +
	` xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"` +
	` xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"`

const odfManifestSpace = ` xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"`

// odtEntries are the entries of an ODT with this body.
func odtEntries(body string) []entry {
	return []entry{
		{"mimetype", "application/vnd.oasis.opendocument.text"},
		{"META-INF/manifest.xml", xmlHead + `<manifest:manifest` + odfManifestSpace + `>` +
			`<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>` +
			`<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>` +
			`<manifest:file-entry manifest:full-path="Object 1/content.xml" manifest:media-type="text/xml"/>` +
			`<manifest:file-entry manifest:full-path="Pictures/bridge.png" manifest:media-type="image/png"/></manifest:manifest>`},
		{"content.xml", xmlHead + `<office:document-content` + odfSpace + `><office:automatic-styles>` +
			`<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Secret"/>` +
			`<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>` +
			`<style:style style:name="T2" style:family="text"><style:text-properties text:display="true"/></style:style>` +
			`</office:automatic-styles><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`},
		{"styles.xml", xmlHead + `<office:document-styles` + odfSpace + `><office:styles>` +
			`<style:style style:name="Secret" style:family="paragraph"><style:text-properties text:display="none"/></style:style></office:styles>` +
			`<office:master-styles><style:master-page><style:header><text:p>Header</text:p></style:header></style:master-page></office:master-styles></office:document-styles>`},
		{"Pictures/bridge.png", "\x89PNG\r\n\x1a\n bridge"},
		{"Object 1/content.xml", "<math/>"},
		{"meta.xml", xmlHead + `<office:document-meta` + odfSpace + `><office:meta>` +
			`<dc:title>The flood of 1910</dc:title><meta:initial-creator>A. Meier</meta:initial-creator><dc:creator>Z</dc:creator>` +
			`<meta:creation-date>1998-06-15T08:00:00.123</meta:creation-date><dc:language>en-GB</dc:language></office:meta></office:document-meta>`},
	}
}

func docx(body string) []byte { return pack(docxEntries(body)) }
func odt(body string) []byte  { return pack(odtEntries(body)) }

// mustRead reads a document that has a form.
func mustRead(t testing.TB, r read.Reader, data []byte) read.Form {
	t.Helper()
	f, err := r.Read(read.Input{Name: "a" + r.Extensions[0], Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// par is a paragraph of DOCX with plain text.
func par(texts ...string) string {
	return `<w:p><w:r><w:t xml:space="preserve">` + strings.Join(texts, `</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">`) + `</w:t></w:r></w:p>`
}

// heading is a paragraph of DOCX with a style.
func heading(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

// flat is an OpenDocument text in one XML file.
func flat(title, body string) string {
	return xmlHead + `<office:document` + odfSpace + ` office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">` +
		`<office:meta><dc:title>` + title + `</dc:title></office:meta><office:body><office:text>` + body + `</office:text></office:body></office:document>`
}

// utf16 is an XML text in UTF-16 with its mark.
func utf16(text string) []byte {
	out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.Replace(text, "UTF-8", "UTF-16", 1))
	if err != nil {
		panic(err) // every text can be written so
	}
	return []byte(out)
}

// writeRaised is a run of DOCX that stands above or below the line.
func raised(where, text string) string {
	return `<w:r><w:rPr><w:vertAlign w:val="` + where + `"/></w:rPr><w:t>` + text + `</w:t></w:r>`
}

// positioned is a style of OpenDocument that raises or lowers text.
func positioned(name, position string) string {
	return `<style:style style:name="` + name + `" style:family="text"><style:text-properties style:text-position="` + position + `"/></style:style>`
}

// numbered are the entries of a DOCX with lists.
func numbered(lists, body string) []entry {
	x := docxEntries(body)
	for _, e := range x {
		if e.name == "word/_rels/document.xml.rels" {
			x = with(x, e.name, strings.Replace(e.content, "</Relationships>", `<Relationship Id="rId20" Type="`+relSpace+`numbering" Target="numbering.xml"/></Relationships>`, 1))
		}
	}
	return with(x, "word/numbering.xml", xmlHead+`<w:numbering`+wordSpace+`>`+lists+`</w:numbering>`)
}

// numLevel is a level of a list: its number, format, text and what else it says.
func numLevel(level, format, text, more string) string {
	return `<w:lvl w:ilvl="` + level + `"><w:start w:val="1"/><w:numFmt w:val="` + format + `"/><w:lvlText w:val="` + text + `"/>` + more + `</w:lvl>`
}

// numList is a list of a definition.
func numList(id, definition, more string) string {
	return `<w:num w:numId="` + id + `"><w:abstractNumId w:val="` + definition + `"/>` + more + `</w:num>`
}

// item is a paragraph of a list.
func item(list, level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + list + `"/></w:numPr></w:pPr>` + run(text) + `</w:p>`
}

// A related part is one to which the document has a relation.
type relatedPart struct{ id, kind, name, mediaType, content string }

// withParts are the entries of a DOCX with this body and parts.
func withParts(body string, parts ...relatedPart) []entry {
	x := docxEntries(body)
	for _, p := range parts {
		for _, e := range x {
			switch e.name {
			case "word/_rels/document.xml.rels":
				x = with(x, e.name, strings.Replace(e.content, "</Relationships>", `<Relationship Id="`+p.id+`" Type="`+relSpace+p.kind+`" Target="`+p.name+`"/></Relationships>`, 1))
			case "[Content_Types].xml":
				if p.mediaType != "" {
					x = with(x, e.name, strings.Replace(e.content, "</Types>", `<Override PartName="/word/`+p.name+`" ContentType="`+p.mediaType+`"/></Types>`, 1))
				}
			}
		}
		if p.content != "" {
			x = with(x, "word/"+p.name, p.content)
		}
	}
	return x
}

// chunk is the place of a part that a document imports.
func chunk(id string) string { return `<w:altChunk r:id="` + id + `"/>` }

// imported is a DOCX that imports one part.
func imported(name, mediaType, content string) []byte {
	return pack(withParts(par("before")+chunk("c")+par("behind"), relatedPart{"c", "aFChunk", name, mediaType, content}))
}

// nested is a DOCX within a DOCX, as deep as asked.
func nested(depth int) []byte {
	if depth == 0 {
		return docx(par("innermost"))
	}
	return imported("chunk.docx", "", string(nested(depth-1)))
}

// odtWithPages returns an ODT whose text begins with the page style Letter, behind which pages of the
// style Standard follow; a style Draft is there and begins nothing.
func odtWithPages(body string) []byte {
	entries := odtEntries(body)
	content := strings.Replace(entries[2].content, `</office:automatic-styles>`, `<style:style style:name="M" style:family="paragraph" style:master-page-name="Letter"/>`+
		`<style:style style:name="H" style:family="text"/></office:automatic-styles>`, 1)
	page := func(name, next, margins string) string {
		return `<style:master-page style:name="` + name + `" style:next-style-name="` + next + `">` + margins + `</style:master-page>`
	}
	return pack(with(entries, "content.xml", content, "styles.xml", xmlHead+`<office:document-styles`+odfSpace+`><office:automatic-styles>`+
		`<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style></office:automatic-styles><office:master-styles>`+
		page("Draft", "", `<style:header><text:p>Draft</text:p></style:header>`)+
		page("Letter", "Standard", `<style:header><text:p>Mill House, Thornby</text:p><text:p>4 May 1998<text:span text:style-name="H">no</text:span></text:p></style:header>`+
			`<style:header-first style:display="false"><text:p>no</text:p></style:header-first>`)+
		page("Standard", "", `<style:header><text:p>Mill House, Thornby</text:p><text:p>4 May 1998</text:p></style:header><style:header-left><text:p>Left</text:p></style:header-left>`+
			`<style:footer><text:p>Page <text:page-number>2</text:page-number></text:p></style:footer>`)+`</office:master-styles></office:document-styles>`))
}

// margined is a DOCX with a header, and with a footer of first pages and one of even
// pages; section and settings say more.
func margined(section, settings string) []byte {
	return pack(withParts(par("The mill burnt.")+`<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:pPr></w:p>`+
		`<w:sectPr><w:headerReference w:type="default" r:id="h2"/><w:headerReference w:type="default" r:id="h"/><w:footerReference w:type="first" r:id="f"/><w:footerReference w:type="even" r:id="e"/>`+section+`</w:sectPr>`,
		relatedPart{"h", "header", "header2.xml", "", xmlHead + `<w:hdr` + wordSpace + `>` + par("Mill House, Thornby", "4 May 1998") + `</w:hdr>`},
		relatedPart{"h2", "header", "header3.xml", "", xmlHead + `<w:hdr` + wordSpace + `>` + par("Mill House, Thornby", "4 May 1998") + `</w:hdr>`},
		relatedPart{"f", "footer", "footer1.xml", "", xmlHead + `<w:ftr` + wordSpace + `>` + par("First page") + `</w:ftr>`},
		relatedPart{"e", "footer", "footer2.xml", "", xmlHead + `<w:ftr` + wordSpace + `>` + par("Even page") + `</w:ftr>`},
		relatedPart{"s", "settings", "settings.xml", "", xmlHead + `<w:settings` + wordSpace + `>` + settings + `</w:settings>`}))
}

// formField is a field of a form, with what says its value.
func formField(value, stored string) string {
	return `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="no"/>` + value + `</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORM</w:instrText></w:r>` + stored + finish
}

// checkControl is a content control that is a check box.
func checkControl(state, content string) string {
	return `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml">` + state + `<w14:checkedState w14:val="2612"/></w14:checkbox></w:sdtPr><w:sdtContent>` + content + `</w:sdtContent></w:sdt>`
}
