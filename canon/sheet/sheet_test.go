package sheet_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"muniment/canon/read"
	"muniment/canon/sheet"
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
	main  = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
)

// xlsx returns a workbook of two sheets, the first with these rows.
func xlsx(t *testing.T, rows string) []byte {
	return pack(t,
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels", rels+`<Relationship Id="r1" Type="`+types+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook `+main+` xmlns:r="`+types+`"><sheets><sheet name="Flour &amp; bran" sheetId="1" r:id="a"/><sheet name="Later" sheetId="2" state="hidden" r:id="b"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", rels+`<Relationship Id="a" Type="`+types+`/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="`+types+`/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="s" Type="`+types+`/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="t" Type="`+types+`/styles" Target="styles.xml"/></Relationships>`,
		"xl/sharedStrings.xml", `<sst `+main+`><si><t>Day</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>x</t></rPh></si></sst>`,
		"xl/styles.xml", `<styleSheet `+main+`><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml", `<worksheet `+main+`><sheetData>`+rows+`</sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml", `<worksheet `+main+`><sheetData><row r="2"><c r="A2" t="inlineStr"><is><t>late</t></is></c></row></sheetData></worksheet>`)
}

// ods returns a workbook with the tables.
func ods(t *testing.T, tables string) []byte {
	return pack(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml", `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>`+tables+`</office:spreadsheet></office:body></office:document-content>`)
}

func TestRead(t *testing.T) {
	registry := read.NewRegistry(sheet.Xlsx(), sheet.Ods())
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"a.xlsx", xlsx(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>`+
			`<row r="3"><c r="A3" s="1"><v>11447</v></c><c r="B3" s="2"><v>11447.5</v></c><c r="C3" s="3"><v>12.50</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><v>#DIV/0!</v></c><c r="F3" t="str"><f>A1</f><v>a	b</v></c></row>`),
			"Flour & bran\n\n1\tDay\t\ttwo runs\n3\t1931-05-04\t1931-05-04T12:00:00\t12.50\tTRUE\t#DIV/0!\ta\\011b\n\nLater\n\n2\tlate\n"},
		{"no-text.xlsx", xlsx(t, `<row r="1"><c r="A1" t="s"><v>9</v></c></row>`), ""},
		{"order.xlsx", xlsx(t, `<row r="2"/><row r="1"/>`), ""},
		{"cells.xlsx", xlsx(t, `<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>`), ""},
		{"far.xlsx", xlsx(t, `<row r="1"><c r="ZZZZ1"><v>1</v></c></row>`), ""},
		{"cut.xlsx", xlsx(t, `<row r="1"><c r="A1"><v>1`)[:200], ""},
		{"a.ods", ods(t, `<table:table table:name="Flour"><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3"/></table:table-row>`+
			`<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><text:p>a<text:s/>b</text:p><text:p>c</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/>`+
			`<table:table-cell office:value-type="date" office:date-value="1931-05-04"><text:p>4 May</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1234.5"><text:p>1,234.50</text:p></table:table-cell></table:table-row>`+
			`<table:table-row table:number-rows-repeated="1048572"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`),
			"Flour\n\n3\ta b\\012c\t\t\t1931-05-04\t1234.5\n4\ta b\\012c\t\t\t1931-05-04\t1234.5\n"},
		{"wide.ods", ods(t, `<table:table table:name="W"><table:table-row><table:table-cell table:number-columns-repeated="99999"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`), ""},
		{"tall.ods", ods(t, `<table:table table:name="T"><table:table-row table:number-rows-repeated="9999999"><table:table-cell><text:p>`+strings.Repeat("x", 1000)+`</text:p></table:table-cell></table:table-row></table:table>`), ""},
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
		if string(form.Payload) != c.want {
			t.Errorf("%s: %q, want %q (%s)", c.name, form.Payload, c.want, form.Reason)
		}
	}
	form, err := registry.Canonicalize(read.Input{Name: "a.xlsx", Data: xlsx(t, `<row><c><v>1</v></c></row>`)})
	if err != nil || form.Facts["sheet_starts"] != "1 5" || form.Facts["hidden_sheets"] != "1" || form.Facts["sheets"] != "2" {
		t.Errorf("%v %v", form.Facts, err)
	}
}
