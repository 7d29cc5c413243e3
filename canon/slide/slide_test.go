package slide_test

import (
	"archive/zip"
	"bytes"
	"testing"

	"muniment/canon/read"
	"muniment/canon/slide"
)

// pack zips entries, each a name and its content.
func pack(t *testing.T, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(entries[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	rels  = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	ns    = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="` + types + `"`
	first = `<p:sld ` + ns + `><p:cSld><p:spTree><p:sp><p:txBody><a:bodyPr/><a:p><a:r><a:t>The </a:t></a:r><a:r><a:t>mill</a:t></a:r></a:p><a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
)

// body returns a shape of one paragraph.
func body(text string) string {
	return `<p:sp><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp>`
}

// pptx returns a presentation of three slides, the first of which is in the part second.
func pptx(t *testing.T, second string) []byte {
	return pack(t,
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels", rels+`<Relationship Id="r1" Type="`+types+`/officeDocument" Target="ppt/presentation.xml"/></Relationships>`,
		"ppt/presentation.xml", `<p:presentation `+ns+`><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/><p:sldId id="258" r:id="c"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", rels+`<Relationship Id="a" Type="`+types+`/slide" Target="slides/slide1.xml"/><Relationship Id="b" Type="`+types+`/slide" Target="slides/slide2.xml"/><Relationship Id="c" Type="`+types+`/slide" Target="slides/slide3.xml"/></Relationships>`,
		"ppt/slides/slide1.xml", `<p:sld `+ns+` show="0"><p:cSld><p:spTree>`+body("Second")+`<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:spTree></p:cSld></p:sld>`,
		"ppt/slides/_rels/slide1.xml.rels", rels+`<Relationship Id="n" Type="`+types+`/notesSlide" Target="../notesSlides/n1.xml"/></Relationships>`,
		"ppt/notesSlides/n1.xml", `<p:notes `+ns+`><p:cSld><p:spTree>`+body("Say it slowly.")+`<p:sp><p:txBody><a:p><a:fld><a:t>2</a:t></a:fld></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:notes>`,
		"ppt/slides/slide2.xml", second,
		"ppt/slides/slide3.xml", `<p:sld `+ns+`/>`)
}

// pages are those of an ODP.
const pages = `<d:page><d:frame><d:text-box><t:p>The <t:span>mill</t:span></t:p><t:list><t:list-item><t:p>one</t:p></t:list-item></t:list></d:text-box></d:frame><pr:notes><d:frame><d:text-box><t:p>a note</t:p></d:text-box></d:frame></pr:notes></d:page><d:page/>`

// odp returns a presentation of pages.
func odp(t *testing.T, pages string) []byte {
	return pack(t, "mimetype", "application/vnd.oasis.opendocument.presentation", "content.xml",
		`<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:d="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:pr="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"><o:body><o:presentation>`+pages+`</o:presentation></o:body></o:document-content>`)
}

func TestRead(t *testing.T) {
	registry := read.NewRegistry(slide.Pptx(), slide.Odp())
	for _, c := range []struct {
		name         string
		data         []byte
		want, starts string
	}{
		{"a.pptx", pptx(t, first), "The mill\none\ntwo\n\nSecond\n\na\tb\n\nSay it slowly.\n", "1 5 -"},
		{"cut.pptx", pptx(t, first[:len(first)-20]), "", ""},
		{"none.pptx", pack(t, "x", "y"), "", ""},
		{"a.odp", odp(t, pages), "The mill\none\n\na note\n", "1 -"},
		{"cut.odp", odp(t, pages)[:300], "", ""},
	} {
		form, err := registry.Canonicalize(read.Input{Name: c.name, Data: c.data})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			if form.Canonicalizer != "bytes@1" || form.Reason == "" {
				t.Errorf("%s: %s %.80q", c.name, form.Canonicalizer, form.Payload)
			}
			continue
		}
		if string(form.Payload) != c.want || form.Facts["page_starts"] != c.starts {
			t.Errorf("%s: %q, want %q (%s, %v)", c.name, form.Payload, c.want, form.Reason, form.Facts)
		}
	}
}
