package office_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"muniment/canon/read"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/canon"
	"muniment/canon/office"
	"muniment/testvectors"
)

// samples are a document of each form in which most things occur.
func samples() map[string]read.Reader {
	return map[string]read.Reader{"docx": office.Docx(nil), "odt": office.Odt()}
}

func sampleEntries(name string) []entry {
	if name == "docx" {
		return docxEntries(par("One paragraph.", "caf\u00E9") + `<w:p>` + listed + run("item") + `<w:r><w:footnoteReference w:id="1"/></w:r></w:p><w:tbl>` +
			row(par("a"), par("b")) + `</w:tbl><w:p>` + begin + run("no") + result + run("7") + finish + `<w:del>` + run("gone") + `</w:del></w:p>`)
	}
	return odtEntries(`<text:p>One paragraph.</text:p><text:p>caf` + "\u00E9" + `<text:note><text:note-body><text:p>Note.</text:p></text:note-body></text:note></text:p>` +
		`<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>` +
		`<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table><text:p>p.<text:s text:c="2"/>7<draw:image xlink:href="Pictures/bridge.png"/></text:p>`)
}

// The same document zipped otherwise has one payload and the same parts.
func TestZippedAnew(t *testing.T) {
	for name, reader := range samples() {
		entries := sampleEntries(name)
		want := mustRead(t, reader, pack(entries))
		backwards := slices.Clone(entries)
		slices.Reverse(backwards)
		more := with(with(with(entries, "Thumbnails/thumbnail.png", "x"), "docProps/thumbnail.jpeg", "y"), "__MACOSX/._a", "z")
		folders := append([]entry{{"word/", ""}, {"Pictures/", ""}}, entries...)
		var decomposed []entry
		for _, e := range entries {
			decomposed = append(decomposed, entry{e.name, strings.ReplaceAll(e.content, "\u00E9", "e\u0301")})
		}
		var wide []entry
		for _, e := range entries {
			if strings.HasSuffix(e.name, ".xml") {
				units := "\xFF\xFE"
				for _, r := range strings.Replace(e.content, "UTF-8", "UTF-16", 1) {
					units += string([]byte{byte(r), byte(r >> 8)})
				}
				e.content = units
			}
			wide = append(wide, e)
		}
		day := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
		variants := map[string][]byte{
			"stored":      packAs(entries, zip.Store, time.Time{}, ""),
			"other times": packAs(entries, zip.Deflate, day, ""),
			"a comment":   packAs(entries, zip.Deflate, day, "a comment"),
			"backwards":   pack(backwards),
			"more files":  pack(more),
			"folders":     pack(folders),
			"in front":    append([]byte("#!/bin/unzip\n"), pack(entries)...),
			"decomposed":  pack(decomposed),
			"utf-16":      pack(wide),
		}
		for variant, data := range variants {
			f := mustRead(t, reader, data)
			if !bytes.Equal(f.Payload, want.Payload) {
				t.Errorf("%s, %s: %q, want %q", name, variant, f.Payload, want.Payload)
			}
			if variant != "utf-16" && len(f.Parts) != len(want.Parts) {
				t.Errorf("%s, %s: %d parts, want %d", name, variant, len(f.Parts), len(want.Parts))
			}
		}
		if len(variants) != 9 || len(want.Payload) == 0 {
			t.Errorf("%d variants of %q", len(variants), want.Payload)
		}
	}
}

func TestRefused(t *testing.T) {
	x := docxEntries(par("a"))
	o := odtEntries("<text:p>a</text:p>")
	content := func(body string) []byte { return odt(body) }
	ole := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 504)
	secret := `<manifest:manifest` + odfManifestSpace + `><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`
	deepTable := strings.Repeat(`<w:tbl><w:tr><w:tc>`, 30) + par("a") + strings.Repeat(`</w:tc></w:tr></w:tbl>`, 30)
	cases := []struct {
		reader     read.Reader
		data       []byte
		name, want string
	}{
		{office.Docx(nil), []byte("text"), "no zip", "docx@3: the container cannot be opened: zip: not a valid zip file"},
		{office.Docx(nil), []byte(ole), "old Word", "docx@3: the document is in the format of Word before 2007: name it .doc"},
		{office.Docx(nil), []byte(ole + "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"), "password", "docx@3: the document is encrypted with a password"},
		{office.Docx(nil), pack(with(x, "_rels/.rels", "")), "no relations", "docx@3: the container names no document: it is not Office Open XML"},
		{office.Docx(nil), pack(with(x, "word/document.xml", "")), "no document", "docx@3: word/document.xml: not in the container"},
		{office.Docx(nil), pack(with(x, "word/document.xml", "<workbook/>")), "a table", "docx@3: word/document.xml is not a text document"},
		{office.Docx(nil), pack(with(x, "word/styles.xml", "")), "no styles", "docx@3: word/styles.xml: not in the container"},
		{office.Docx(nil), pack(append(x, entry{"../../x", "y"})), "path", `docx@3: the name "../../x" has the component "..", which no name in a container may`},
		{office.Docx(nil), pack(append(x, entry{"word/Document.xml", "y"})), "double", `docx@3: the container has two entries for one name, "word/document.xml" and "word/Document.xml"`},
		{office.Docx(nil), docx(`<w:p>` + begin + run("a") + `</w:p>`), "field", "docx@3: a field begins and never ends"},
		{office.Docx(nil), docx(`<w:p><w:r><w:footnoteReference w:id="9"/></w:r></w:p>`), "note", `docx@3: the text refers to footnote "9", which word/footnotes.xml does not have`},
		{office.Docx(nil), docx(deepTable), "tables", "docx@3: tables, notes and text boxes are nested deeper than 24"},
		{office.Docx(nil), docx(strings.Repeat("<w:sdt>", 300)), "depth", "docx@3: word/document.xml: elements nested deeper than 256"},
		{office.Docx(nil), docx("</w:body>"), "not well-formed", "docx@3: word/document.xml: XML syntax error on line 2: element <document> closed by </body>"},
		{office.Docx(nil), docx(strings.Repeat(" ", 65<<20)), "too long", "docx@3: word/document.xml: longer than the 67108864 bytes that are read"},
		{office.Docx(nil), docx(`<w:tbl><w:tr>` + strings.Repeat("<w:tc/>", 16385) + `</w:tr></w:tbl>`), "cells", "docx@3: a table row has more than 16384 cells"},
		{office.Docx(nil), pack(with(x, "word/document.xml", `<!DOCTYPE a [<!ENTITY lol "lol">]><a>&lol;</a>`)), "entity", "docx@3: word/document.xml: XML syntax error on line 1: invalid character entity &lol;"},
		{office.Odt(), pack(with(o, "content.xml", "")), "no content", "odt@3: content.xml: not in the container"},
		{office.Odt(), pack(with(o, "content.xml", "<spreadsheet/>")), "a table", "odt@3: content.xml is not a text document"},
		{office.Odt(), pack(with(o, "META-INF/manifest.xml", secret)), "password", "odt@3: the document is encrypted with a password"},
		{office.Odt(), pack([]entry{{"encrypted-package", "x"}}), "password of 1.3", "odt@3: the document is encrypted with a password"},
		{office.Odt(), content(strings.Repeat(`<text:p>a<text:s text:c="60000000"/>b</text:p>`, 2)), "spaces", "odt@3: the text is longer than 67108864 bytes"},
		{office.Odt(), content(`<table:table><table:table-row><table:table-cell table:number-columns-repeated="1000000000"/></table:table-row></table:table>`), "columns", "odt@3: a table states 1000000000 cells or rows in one place, at most 16384 are read"},
		{office.Odt(), content(`<table:table><table:table-row table:number-rows-repeated="16000"><table:table-cell table:number-columns-repeated="16000"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`), "rows", "odt@3: the text is longer than 67108864 bytes"},
	}
	for _, c := range cases {
		f, err := c.reader.Read(read.Input{Data: c.data})
		if err == nil || err.Error() != c.want || f.Payload != nil || f.Parts != nil {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// Statements and pictures that cannot be read do not cost the text.
func TestUnreadAside(t *testing.T) {
	f := mustRead(t, office.Docx(nil), pack(with(docxEntries(par("a")), "docProps/core.xml", "<a><b>")))
	if string(f.Payload) != "a\n" || f.Facts["source_unread"] != "docProps/core.xml: XML syntax error on line 1: unexpected EOF" {
		t.Errorf("%q, %v", f.Payload, f.Facts)
	}
	margins := `<w:p><w:r><w:commentReference w:id="1"/></w:r></w:p><w:sectPr><w:headerReference w:type="default" r:id="h"/><w:headerReference w:type="default" r:id="lost"/><w:footerReference w:type="default" r:id="f"/></w:sectPr>`
	header := relatedPart{"h", "header", "h.xml", "", xmlHead + `<w:hdr` + wordSpace + `>` + par("Mill House") + `<w:p>` + begin + run("open") + `<w:ins><w:r><w:t>more</w:t></w:r></w:ins></w:p></w:hdr>`}
	footer := relatedPart{"f", "footer", "f.xml", "", xmlHead + `<w:ftr` + wordSpace + `>` + par("Registered in Thornby") + `</w:ftr>`}
	comments := relatedPart{"c", "comments", "comments.xml", "", xmlHead + `<w:comments` + wordSpace + `><w:comment>`}
	f = mustRead(t, office.Docx(nil), pack(withParts(par("a")+margins, header, footer, comments)))
	if string(f.Payload) != "a\n\n⟦footer⟧\nRegistered in Thornby\n" || f.Facts["header_unread"] != "a field begins and never ends" || f.Facts["footer_unread"] != "" || f.Facts["insertions"] != "" ||
		f.Facts["comments_unread"] != "word/comments.xml: XML syntax error on line 2: unexpected EOF" || f.Facts["headers"] != "" || f.Facts["footers"] != "1" {
		t.Errorf("%q, %v", f.Payload, f.Facts)
	}
	damaged := packAs(withParts(par("a")+margins, footer), zip.Store, time.Time{}, "")
	damaged[bytes.Index(damaged, []byte("Registered"))]++ // the checksum is wrong
	f = mustRead(t, office.Docx(nil), damaged)
	if string(f.Payload) != "a\n" || f.Facts["footer_unread"] != "word/f.xml: damaged: zip: checksum error" || f.Facts["header_unread"] != `the text refers to header "h", which the document does not have` {
		t.Errorf("%q, %v", f.Payload, f.Facts)
	}
	f = mustRead(t, office.Odt(), pack(with(with(odtEntries("<text:p>a</text:p>"), "meta.xml", "<a"), "META-INF/manifest.xml", "")))
	if string(f.Payload) != "a\n" || f.Facts["source_unread"] == "" {
		t.Errorf("%q, %v", f.Payload, f.Facts)
	}
}

// A thousand damaged files of each form give a text or a reason, and a text
// is that of the undamaged one: checksums see to it.
func TestDamaged(t *testing.T) {
	for name, reader := range samples() {
		whole := packAs(sampleEntries(name), zip.Deflate, time.Time{}, "")
		want := mustRead(t, reader, whole)
		random := rand.New(rand.NewPCG(1, 2))
		texts, tried := 0, 0
		begun := time.Now()
		for i := range 1000 {
			data := bytes.Clone(whole)
			if i%2 == 0 {
				data = data[:random.IntN(len(data))]
			} else {
				for range 1 + random.IntN(3) {
					data[random.IntN(len(data))] ^= 1 << random.IntN(8)
				}
			}
			f, err := reader.Read(read.Input{Data: data})
			tried++
			switch {
			case err != nil && (f.Payload != nil || len(err.Error()) < 20 || strings.Contains(err.Error(), "\n")):
				t.Fatalf("%s %d: %q, %v", name, i, f.Payload, err)
			case err == nil && !bytes.Equal(f.Payload, want.Payload):
				t.Errorf("%s %d: %q, want %q", name, i, f.Payload, want.Payload)
			case err == nil:
				texts++
			}
		}
		if tried != 1000 || texts == 0 || time.Since(begun) > time.Minute {
			t.Errorf("%s: %d tried, %d texts, %v", name, tried, texts, time.Since(begun))
		}
		t.Logf("%s: %d damaged files, %d with their text, %d with a reason, %v", name, tried, texts, tried-texts, time.Since(begun).Round(time.Millisecond))
	}
}

// Damage within the XML, behind the checksums, gives a text or a reason too.
func TestDamagedXML(t *testing.T) {
	for name, reader := range samples() {
		entries := sampleEntries(name)
		random := rand.New(rand.NewPCG(3, 4))
		texts := 0
		for i := range 1000 {
			damaged := slices.Clone(entries)
			at := random.IntN(len(damaged))
			content := []byte(damaged[at].content)
			if i%2 == 0 {
				content = content[:random.IntN(len(content))]
			} else {
				content[random.IntN(len(content))] ^= 1 << random.IntN(8)
			}
			damaged[at].content = string(content)
			f, err := reader.Read(read.Input{Data: packAs(damaged, zip.Store, time.Time{}, "")})
			if err != nil && f.Payload != nil || err == nil && !bytes.Equal(canon.Text(f.Payload), f.Payload) {
				t.Fatalf("%s %d: %q, %v", name, i, f.Payload, err)
			}
			if err == nil {
				texts++
			}
		}
		if texts == 0 || texts == 1000 {
			t.Errorf("%s: %d texts of 1000", name, texts)
		}
	}
}

// What is small and says that it is large takes no more memory than its text.
func TestMemory(t *testing.T) {
	bombs := map[string][]byte{
		"pictures": pack(with(docxEntries(par("a")), "word/media/lost.png", strings.Repeat("\x00", 200<<20))),
		"text":     docx(par(strings.Repeat("a", 60<<20))),
		"elements": docx(strings.Repeat("<w:p/>", 3_900_000)),
		"tables":   docx(strings.Repeat(`<w:tbl><w:tr><w:tc>`, 20) + par(strings.Repeat("a", 40<<20)) + strings.Repeat(`</w:tc></w:tr></w:tbl>`, 20)),
		"cells":    odt(strings.Repeat(`<table:table><table:table-row table:number-rows-repeated="16000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>`, 200)),
	}
	for name, data := range bombs {
		reader := office.Docx(nil)
		if name == "cells" {
			reader = office.Odt()
		}
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		peak, stop := make(chan uint64), make(chan bool)
		go sample(peak, stop)
		begun := time.Now()
		f, err := reader.Read(read.Input{Data: data})
		taken := time.Since(begun)
		close(stop)
		mb := int64(<-peak-before.HeapAlloc) >> 20
		t.Logf("%s: %d bytes, text of %d, %v, %v, %d MB more", name, len(data), len(f.Payload), err, taken.Round(time.Millisecond), mb)
		if mb > 500 || taken > 5*time.Minute {
			t.Errorf("%s: %v and %d MB", name, taken, mb)
		}
	}
}

// sample sends the largest heap that it sees until it is stopped.
func sample(peak chan<- uint64, stop <-chan bool) {
	var m runtime.MemStats
	most := uint64(0)
	for {
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		select {
		case <-stop:
			peak <- most
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// The registry reads documents by name and by what the sender says.
func TestRegistry(t *testing.T) {
	r := read.NewRegistry(office.Docx(nil), office.Odt())
	cases := []struct{ name, mediaType, canonicalizer, typ string }{
		{"a.docx", "", "docx@3", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"a.DOCM", "", "docx@3", "application/vnd.ms-word.document.macroenabled.12"},
		{"a", "application/vnd.ms-word.document.macroEnabled.12", "docx@3", "application/vnd.ms-word.document.macroenabled.12"},
		{"a.odt", "", canon.BytesForm, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	}
	for _, c := range cases {
		f, err := r.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: docx(par("a"))})
		if err != nil || f.Canonicalizer != c.canonicalizer || f.MediaType != c.typ {
			t.Errorf("%s %s: %s of %s, %v", c.name, c.mediaType, f.Canonicalizer, f.MediaType, err)
		}
	}
	f, err := r.Canonicalize(read.Input{Name: "a", Data: odt("<text:p>a</text:p>")})
	if err != nil || f.Canonicalizer != canon.BytesForm && f.Canonicalizer != "odt@3" {
		t.Errorf("%s, %v", f.Canonicalizer, err)
	}
	f, err = r.Canonicalize(read.Input{Name: "a.docx", Data: docx("")})
	if err != nil || !strings.HasPrefix(f.Reason, "no visible text in ") {
		t.Errorf("%q, %v", f.Reason, err)
	}
}

func checkForm(t *testing.T, f read.Form, err error) {
	if err != nil && (f.Payload != nil || f.Parts != nil) {
		t.Fatalf("an error with a payload: %q", f.Payload)
	}
	if err == nil && !bytes.Equal(canon.Text(f.Payload), f.Payload) {
		t.Fatalf("%q is not in the form of the text step", f.Payload)
	}
}

// seeds adds the inputs of the vectors of one kind.
func seeds(f *testing.F, kind string) {
	f.Helper()
	n := 0
	for _, v := range testvectors.Read(f, vectorDir) {
		if strings.HasPrefix(v.Name, kind+"-") {
			f.Add(v.Body)
			n++
		}
	}
	if n == 0 {
		f.Fatalf("no vectors of %s", kind)
	}
}

func FuzzDocx(f *testing.F) {
	seeds(f, "docx")
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := office.Docx(nil).Read(read.Input{Data: data})
		checkForm(t, form, err)
	})
}

func FuzzOdt(f *testing.F) {
	seeds(f, "odt")
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := office.Odt().Read(read.Input{Data: data})
		checkForm(t, form, err)
	})
}

// The bodies are what a fuzzer reaches only without the checksums.
func FuzzDocxBody(f *testing.F) {
	f.Add(par("a", "b") + `<w:tbl>` + row(par("c"), par("d")) + `</w:tbl>`)
	f.Add(`<w:p>` + begin + result + run("a") + finish + `<w:r><w:footnoteReference w:id="1"/><w:br/><w:sym w:char="F0FC"/></w:r></w:p>`)
	f.Add(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:txbxContent>` + par("b") + `</w:txbxContent></w:r></w:p>`)
	f.Add(item("1", "0", "a") + item("1", "1", "b") + `<w:p>` + raised("superscript", "2a") + `<m:oMath><m:rad><m:deg/><m:e><m:sup><m:r><m:t>1</m:t></m:r></m:sup></m:e></m:rad></m:oMath></w:p>`)
	f.Fuzz(func(t *testing.T, body string) {
		form, err := office.Docx(nil).Read(read.Input{Data: packAs(numbered(`<w:abstractNum w:abstractNumId="0">`+numLevel("0", "lowerRoman", "%1.", "")+numLevel("1", "upperLetter", "%1.%2", "")+`</w:abstractNum>`+numList("1", "0", ""), body), zip.Store, time.Time{}, "")})
		checkForm(t, form, err)
	})
}

func FuzzOdtBody(f *testing.F) {
	f.Add(`<text:p>a<text:s text:c="3"/><text:line-break/><text:note><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p>`)
	f.Add(`<text:list><text:list-item><text:p>a<text:hidden-paragraph text:is-hidden="true"/></text:p></text:list-item></text:list>`)
	f.Add(`<table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`)
	f.Fuzz(func(t *testing.T, body string) {
		form, err := office.Odt().Read(read.Input{Data: packAs(odtEntries(body), zip.Store, time.Time{}, "")})
		checkForm(t, form, err)
	})
}

func BenchmarkDocx(b *testing.B) {
	benchmark(b, office.Docx(nil), docx(strings.Repeat(`<w:p w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E"><w:pPr><w:spacing w:after="120"/></w:pPr>`+
		`<w:r><w:t xml:space="preserve">So to dinner, and thence to the </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>office</w:t></w:r><w:r><w:t>, where we sat all the morning.</w:t></w:r></w:p>`, 20000)))
}

func BenchmarkOdt(b *testing.B) {
	benchmark(b, office.Odt(), odt(strings.Repeat(`<text:p text:style-name="P2">So to dinner, and thence to the <text:span text:style-name="T3">office</text:span>, where we sat all the morning.</text:p>`, 20000)))
}

// benchmark states the speed for text, XML and container.
func benchmark(b *testing.B, reader read.Reader, data []byte) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	unzipped := 0
	for _, f := range r.File {
		unzipped += int(f.UncompressedSize64)
	}
	b.SetBytes(int64(unzipped))
	text := 0
	for b.Loop() {
		text = len(mustRead(b, reader, data).Payload)
	}
	b.ReportMetric(float64(text)*float64(b.N)/1e6/b.Elapsed().Seconds(), "MB_of_text/s")
	if testing.Verbose() {
		fmt.Fprintf(os.Stderr, "%d bytes of XML, %d of text\n", unzipped, text)
	}
}
