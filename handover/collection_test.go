package handover_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/handover"
	"muniment/policy"
)

// A member is a file of a zip or a tar.
type member struct{ name, text string }

// makeZip returns a zip of members, the first of them stored.
func makeZip(t *testing.T, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, m := range members {
		method := zip.Deflate
		if i == 0 {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, m.text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// makeTar returns a tar of members, packed by a writer unless that is nil.
func makeTar(t *testing.T, pack func(io.Writer) io.WriteCloser, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	out := io.Writer(&b)
	var z io.WriteCloser
	if pack != nil {
		z = pack(&b)
		out = z
	}
	w := tar.NewWriter(out)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Size: int64(len(m.text)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, m.text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if z != nil {
		z.Close()
	}
	return b.String()
}

// makePDF returns a PDF whose one page holds the content.
func makePDF(content string) string {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
	b, table := "%PDF-1.4\n", ""
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(b))
		b += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	return b + fmt.Sprintf("xref\n0 6\n0000000000 65535 f \n%strailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, len(b))
}

// pictures returns one picture as PNG, JPEG and GIF.
func pictures(t *testing.T) (p, j, g string) {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 20, 10), color.Palette{color.White, color.Black})
	var b [3]bytes.Buffer
	if err := errors.Join(png.Encode(&b[0], img), jpeg.Encode(&b[1], img, nil), gif.Encode(&b[2], img, nil)); err != nil {
		t.Fatal(err)
	}
	return b[0].String(), b[1].String(), b[2].String()
}

// response returns a WARC of one page.
func response(address, body string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2001-02-03T04:05:06Z\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", address, len(block), block)
}

// office returns an office document of one part.
func office(t *testing.T, part, contentType, xml string) string {
	t.Helper()
	return makeZip(t, member{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/` + part + `" ContentType="application/vnd.openxmlformats-officedocument.` + contentType + `.main+xml"/></Types>`},
		member{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="` + part + `"/></Relationships>`}, member{part, xml})
}

// open returns an OpenDocument file.
func open(t *testing.T, kind, body string) string {
	t.Helper()
	return makeZip(t, member{"mimetype", "application/vnd.oasis.opendocument." + kind}, member{"content.xml", `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.2"><office:body>` + body + `</office:body></office:document-content>`},
		member{"META-INF/manifest.xml", `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.` + kind + `"/></manifest:manifest>`})
}

// collection returns the files of a mixed collection, by name.
func collection(t *testing.T) map[string]string {
	t.Helper()
	p, j, g := pictures(t)
	inside := []member{{"a/one.txt", "One in a folder."}, {"a/two.txt", "Two in a folder."}}
	gz := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	xzip := func(w io.Writer) io.WriteCloser { z, err := xz.NewWriter(w); must(t, err); return z }
	zst := func(w io.Writer) io.WriteCloser { z, err := zstd.NewWriter(w); must(t, err); return z }
	unbase := func(s string) string { b, err := base64.StdEncoding.DecodeString(s); must(t, err); return string(b) }
	var warc bytes.Buffer
	z := gzip.NewWriter(&warc)
	io.WriteString(z, response("http://example.org/mill", "<p>The mill, on the web.</p>"))
	z.Close()
	wav := "RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x08\x00\x00\x00\x80\x80\x80\x80\x80\x80\x80\x80"
	tiff := "II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x03\x00\x01\x00\x00\x00\x14\x00\x00\x00\x01\x01\x03\x00\x01\x00\x00\x00\x0a\x00\x00\x00\x00\x00\x00\x00"
	webp := "RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x13\x00\x00\x09\x00\x00"
	flac := "fLaC\x80\x00\x00\x22\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00\x0a\xc4\x40\xf0\x00\x00\x1f\x40" + strings.Repeat("\x00", 16)
	return map[string]string{
		"letter.txt": "Dear Ann,\n\nthe mill burnt down.\n", "old.txt": "Lieber Jörg, die Mühle ist schön.\n", "latin.txt": "Lieber J\xf6rg, die M\xfchle ist sch\xf6n und gr\xfcn.\n",
		"notes.md": "# Mill\n\nIt burnt.\n", "page.html": "<!DOCTYPE html><title>Mill</title><p>It burnt.</p>", "page.xhtml": `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>It burnt.</p></body></html>`,
		"letter.eml": "From: Ann <ann@example.org>\r\nTo: Ben <ben@example.org>\r\nDate: Mon, 1 Jan 2001 10:00:00 +0000\r\nSubject: Mill\r\n\r\nIt burnt.\r\n",
		"box.mbox":   "From ann@example.org Mon Jan  1 10:00:00 2001\nFrom: Ann <ann@example.org>\nDate: Mon, 1 Jan 2001 10:00:00 +0000\nSubject: Mill\n\nIt burnt again.\n",
		"doc.docx":   office(t, "word/document.xml", "wordprocessingml.document", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>It burnt, in Word.</w:t></w:r></w:p></w:body></w:document>`),
		"doc.odt":    open(t, "text", `<office:text><text:p>It burnt, in Writer.</text:p></office:text>`),
		"doc.fodt":   `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>It burnt, flat.</text:p></office:text></office:body></office:document>`,
		"doc.rtf":    `{\rtf1\ansi It burnt, in rich text.\par}`,
		"talk.odp":   open(t, "presentation", `<office:presentation><draw:page draw:name="1"><draw:frame><draw:text-box><text:p>It burnt, on a slide.</text:p></draw:text-box></draw:frame></draw:page></office:presentation>`),
		"book.epub": makeZip(t, member{"mimetype", "application/epub+zip"}, member{"META-INF/container.xml", `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
			member{"c.opf", `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`}, member{"a.xhtml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>It burnt, in a book.</p></body></html>`}),
		"paper.pdf": makePDF("BT /F 24 Tf 30 120 Td (It burnt, on paper.) Tj ET"), "blank.pdf": makePDF("0 0 100 100 re f"),
		"tei.xml":  `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc></teiHeader><text><body><p>It burnt, says TEI.</p></body></text></TEI>`,
		"ead.xml":  `<ead xmlns="urn:isbn:1-931666-22-9"><eadheader><eadid>1</eadid></eadheader><archdesc level="fonds"><did><unittitle>Papers</unittitle></did><scopecontent><p>Letters on the mill.</p></scopecontent></archdesc></ead>`,
		"note.xml": `<note><to>Ben</to><body>It burnt, says a note.</body></note>`, "scan-1.png": p, "scan-1.alto.xml": `<alto><Layout><Page><PrintSpace><TextBlock><TextLine HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4"><String CONTENT="Burnt"/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>`,
		"scan-2.hocr":     `<html><body><div class="ocr_page"><p class="ocr_par"><span class="ocr_line" title="bbox 1 2 3 4">It burnt, in hOCR.</span></p></div></body></html>`,
		"scan-3.page.xml": `<PcGts><Page><TextRegion id="a"><TextLine><TextEquiv><Unicode>It burnt, in PAGE.</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>`,
		"film.srt":        "1\n00:00:01,000 --> 00:00:02,000\nIt burnt.\n", "film.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nIt burnt, they say.\n", "program.py": "print('it burnt')\n", "server.log": "10:00 started\n10:01 stopped\n",
		"table.csv": "year,mill\n1911,burnt\n", "table.tsv": "year\tmill\n1911\tstood\n", "data.json": `{"year": 1911, "mill": "burnt"}`, "data.jsonl": "{\"year\": 1911}\n{\"year\": 1912}\n",
		"book.ods":  open(t, "spreadsheet", `<office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>burnt</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`),
		"photo.jpg": j, "moving.gif": g, "scan.tif": tiff, "picture.webp": webp, "sound.wav": wav, "sound.flac": flac,
		"folder.zip": makeZip(t, inside...), "folder.tar": makeTar(t, nil, inside...), "folder.tar.gz": makeTar(t, gz, inside...), "folder.tar.xz": makeTar(t, xzip, inside...), "folder.tar.zst": makeTar(t, zst, inside...), "folder.tar.bz2": unbase(tarBz2),
		"crawl.warc": response("http://example.org/barn", "<p>The barn, on the web.</p>"), "crawl.warc.gz": warc.String(),
		"folder.7z": unbase(folder7z), "locked.7z": unbase(locked7z), "cut.7z": unbase(folder7z)[:150], "form.docx": wordForm(t), "base.sqlite": "SQLite format 3\x00" + strings.Repeat("\x00\x01", 50), "photo.heic": "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1" + strings.Repeat("\x02", 40),
		"program.exe": "MZ\x90\x00" + strings.Repeat("\x00\xff", 60), "drawing.dwg": "AC1015" + strings.Repeat("\x00\x03", 60), "cut.zip": makeZip(t, inside...)[:120],
		"empty.txt": "", "key.pem": "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ==\n-----END OPENSSH " + "PRIVATE KEY-----\n",
	}
}

// tarBz2 is a tar of one file, packed by bzip2, in base64: the standard library does not
// write it.
const tarBz2 = "QlpoOTFBWSZTWZbz67IAAC7bgMqQQAH3gECAfinecEgIIABURID1AMgAyNqab1QSkIaAADQNAD5PlKBsAgMfS0olhiQFBOt3dejrI0RtyxDJiCzfozbczEpDrnAlsRAkHwqiB3FYLNSvxdyRThQkJbz67IA="

// folder7z is the folder of the other containers as 7-Zip packs it, and locked7z the same
// with a password.
const (
	folder7z = "N3q8ryccAAQd2FzdiQAAAAAAAAAhAAAAAAAAAFhbsTHgAB8AGl0AJ5uIogLjVm2gZ9WBBgwzh46p+JP0ekt/AAAAAACBMweuD9As9LyfP0dBBwq+u4UIlF0ErfoyOjHfa2jnRm7YFHzRXw807cV9hhyiZGaQNi5z3MenmNowejLohlbLHqW5BvUtawhFZDfVZGwDK+szHw25IEXZy0ebe7m/xGnP0/oAABcGIgEJZwAHCwEAASMDAQEFXQAQAAAMgIoKASWlHoUAAA=="
	locked7z = "N3q8ryccAARMnOBftQAAAAAAAAAiAAAAAAAAACLfKaBRg3NUsBEY6pykfjx7jZ1O3Kr0TPJMd04sKIp5WhKX+WfjXdCh1tnzye5VXPO/QxcAAIEzB64P0QDUPKCKabDjxAD69FhUveGAn2Uqzh9SwsXzqb0DzsrVZwRkTYKJxSPCozkPCzJo0NVyp375U36VFhHpBdJAr7oerih70CXB9ejRj8gcMFSNTJ1hdqAS42ZjR9KYdvmGEe93uwsU54HGYzJ7zGApIT4j4jY+69iyi5WA9AAAFwYwAQmAhQAHCwEAASMDAQEFXQAQAAAMgKoKASpH9xgAAA=="
)

// wordForm returns a DOCX with a header, a check box, a drop-down list and a page that it
// imports.
func wordForm(t *testing.T) string {
	const w, rel = "http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	field := func(value string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>` + value + `</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
	}
	return makeZip(t, member{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="html" ContentType="text/html"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		member{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rel + `/officeDocument" Target="word/document.xml"/></Relationships>`},
		member{"word/document.xml", `<w:document xmlns:w="` + w + `" xmlns:r="` + rel + `"><w:body><w:p><w:r><w:t xml:space="preserve">Burnt </w:t></w:r>` + field(`<w:checkBox><w:checked/></w:checkBox>`) + `<w:r><w:t xml:space="preserve"> by </w:t></w:r>` + field(`<w:ddList><w:result w:val="1"/><w:listEntry w:val="water"/><w:listEntry w:val="fire"/></w:ddList>`) + `</w:p><w:altChunk r:id="c"/><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:body></w:document>`},
		member{"word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="c" Type="` + rel + `/aFChunk" Target="chunk.html"/><Relationship Id="h" Type="` + rel + `/header" Target="header1.xml"/></Relationships>`},
		member{"word/chunk.html", "<p>It burnt, in a page within.</p>"}, member{"word/header1.xml", `<w:hdr xmlns:w="` + w + `"><w:p><w:r><w:t>Mill House, Thornby</w:t></w:r></w:p></w:hdr>`})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rowForms are the forms whose lines are rows.
var rowForms = []string{"csv@1", "json@1", "jsonl@1", "xlsx@1", "ods@1", "srt@1", "vtt@1"}

// kindOf returns what became of an input, as the columns of the table have it.
func kindOf(a accession.AddedArtifact) string {
	switch {
	case slices.Contains(rowForms, a.Canonicalizer):
		return "rows"
	case a.Canonicalizer != "bytes@1":
		return "text"
	case strings.HasPrefix(a.MediaType, "image/") && a.Note == "a picture is kept by its bytes", strings.HasPrefix(a.MediaType, "audio/"):
		return "media"
	}
	return "bytes"
}

// A mixed collection of more than forty types is taken in as docs/collection.md says, and
// comes back from every package with the same artifacts.
func TestMixedCollection(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext here: the table has a PDF")
	}
	files := collection(t)
	in := filepath.Join(t.TempDir(), "in")
	must(t, os.Mkdir(in, 0o777))
	for name, data := range files {
		must(t, os.WriteFile(filepath.Join(in, name), []byte(data), 0o666))
	}
	a, key := archivetest.New(t, map[string]string{"base.txt": "base"})
	added, err := accession.Add(context.Background(), a, []string{in}, accession.AddOptions{})
	if added == nil {
		t.Fatal(err)
	}
	type outcome struct{ kinds, forms []string }
	became := map[string]outcome{}
	for _, one := range added.Artifacts {
		name := strings.TrimPrefix(one.Path, "in/")
		if web := "http/example.org/"; strings.HasPrefix(name, web) {
			name = map[string]string{web + "barn": "crawl.warc", web + "mill": "crawl.warc.gz"}[name]
		}
		name, _, _ = strings.Cut(strings.ReplaceAll(name, "!/", "/"), "/")
		o := became[name]
		if kind := kindOf(one); !slices.Contains(o.kinds, kind) {
			o.kinds = append(o.kinds, kind)
		}
		if !slices.Contains(o.forms, one.Canonicalizer) {
			o.forms = append(o.forms, one.Canonicalizer)
		}
		became[name] = o
	}
	var table []string
	count := map[string]int{}
	for name := range files {
		o := became[name]
		if o.kinds == nil {
			o = outcome{[]string{"refused"}, []string{"–"}}
		}
		count[o.kinds[0]]++
		table = append(table, fmt.Sprintf("| `%s` | %s | %s |", name, strings.Join(o.kinds, ", "), strings.Join(o.forms, ", ")))
	}
	slices.Sort(table)
	t.Logf("%d types: %v", len(files), count)
	page, err := os.ReadFile("../docs/collection.md")
	must(t, err)
	if want := strings.Join(table, "\n") + "\n"; !strings.Contains(string(page), want) {
		t.Errorf("docs/collection.md does not have the table\n%s%v", want, added.Skipped)
	}
	if len(files) < 40 {
		t.Errorf("%d types", len(files))
	}
	archivetest.Seal(t, a, key)
	roundTrips(t, a)
}

// roundTrips requires that every package of the archive gives its artifacts again.
func roundTrips(t *testing.T, a *archive.Archive) {
	t.Helper()
	ctx := context.Background()
	all := artifactsOf(t, a)
	for name, trip := range map[string]struct {
		out func(dir string) error
		in  func(b *archive.Archive, dir string) error
	}{
		"bag": {func(dir string) error {
			_, err := handover.ExportBag(ctx, a, dir, handover.Options{View: policy.HolderView()})
			return err
		},
			func(b *archive.Archive, dir string) error {
				_, err := handover.ImportBag(ctx, b, dir, accession.AddOptions{})
				return err
			}},
		"OCFL": {func(dir string) error {
			_, err := handover.ExportOCFL(ctx, a, dir, handover.Options{View: policy.HolderView()})
			return err
		},
			func(b *archive.Archive, dir string) error {
				_, err := handover.ImportOCFL(ctx, b, dir, accession.AddOptions{})
				return err
			}},
		"RO-Crate": {func(dir string) error {
			_, err := handover.ExportCrate(ctx, a, dir, handover.Options{View: policy.HolderView()})
			return err
		},
			func(b *archive.Archive, dir string) error {
				_, err := handover.ImportCrate(ctx, b, dir, accession.AddOptions{})
				return err
			}},
		"WARC": {func(dir string) error {
			_, err := handover.ExportWARC(ctx, a, dir+".warc.gz", "test", handover.Options{View: policy.HolderView()})
			return err
		},
			func(b *archive.Archive, dir string) error {
				_, err := accession.Add(ctx, b, []string{dir + ".warc.gz"}, accession.AddOptions{})
				return err
			}},
		"WACZ": {func(dir string) error {
			_, err := handover.ExportWARC(ctx, a, dir+".wacz", "test", handover.Options{View: policy.HolderView()})
			return err
		},
			func(b *archive.Archive, dir string) error {
				_, err := accession.Add(ctx, b, []string{dir + ".wacz"}, accession.AddOptions{})
				return err
			}},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		must(t, trip.out(dir))
		b, key := archivetest.New(t, map[string]string{"base.txt": "base"})
		if err := trip.in(b, dir); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		archivetest.Seal(t, b, key)
		want := all
		if strings.HasPrefix(name, "WA") {
			want = slices.DeleteFunc(slices.Clone(all), func(s string) bool {
				return !strings.Contains(s, "http/example.org") && !strings.HasSuffix(s, "base.txt")
			})
		}
		if got := artifactsOf(t, b); !slices.Equal(got, want) {
			t.Errorf("%s: %d artifacts came back, want %d:\n%s\nwant\n%s", name, len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// artifactsOf lists the artifacts of the newest snapshot with the names of their current
// records.
func artifactsOf(t *testing.T, a *archive.Archive) []string {
	t.Helper()
	head, _, err := a.RequireHead()
	must(t, err)
	all, err := a.Catalog(head.Tree).ReadAll()
	must(t, err)
	var out []string
	for _, art := range all.Artifacts {
		for _, h := range art.CurrentRecords() {
			out = append(out, art.ID.String()+" "+h.Label())
		}
	}
	slices.Sort(out)
	return slices.Compact(out) // the same paper taken in twice
}
