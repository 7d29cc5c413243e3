package office_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon/office"
	"muniment/canon/read"
)

const (
	listed = `<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>`
	begin  = `<w:r><w:fldChar w:fldCharType="begin"/></w:r>`
	result = `<w:r><w:fldChar w:fldCharType="separate"/></w:r>`
	finish = `<w:r><w:fldChar w:fldCharType="end"/></w:r>`
)

func run(text string) string { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }

func row(cells ...string) string {
	return `<w:tr><w:tc>` + strings.Join(cells, `</w:tc><w:tc>`) + `</w:tc></w:tr>`
}

func TestDocxPayload(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"paragraphs", par("one", "", "two"), "one\n\ntwo\n"},
		{"runs", `<w:p>` + run("on") + run("e ") + run("two") + `</w:p>`, "one two\n"},
		{"spaces", `<w:p><w:r><w:t> a  b </w:t></w:r>` + run(" c\n\td ") + run("e") + `</w:p>`, "a  b c  d e\n"},
		{"heading and list", `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>` + run("H") + `</w:p><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>` + run("I") + `</w:p>` +
			`<w:p>` + listed + run("a") + `</w:p><w:p><w:pPr><w:pStyle w:val="ListBullet2"/></w:pPr>` + run("b") + `</w:p>` + par("c"), "H\n\nI\n\na\nb\n\nc\n"},
		{"list switched off", `<w:p><w:pPr><w:pStyle w:val="ListBullet"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>` + run("a") + `</w:p>` + par("b"), "a\n\nb\n"},
		{"old list properties", `<w:p><w:pPr><w:pPrChange><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange></w:pPr>` + run("a") + `</w:p><w:p>` + listed + run("b") + `</w:p>`, "a\n\nb\n"},
		{"characters", `<w:p><w:pPr><w:tabs><w:tab w:pos="1"/></w:tabs></w:pPr><w:r><w:tab/><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t><w:sym w:font="Wingdings" w:char="F0FC"/><w:ptab/><w:t>d</w:t></w:r></w:p>`, "\ta\u2011b\u00ADc\uF0FC\td\n"},
		{"breaks", `<w:p><w:r><w:br/><w:t>a</w:t><w:br/><w:t>b</w:t><w:br/><w:br/><w:t>c</w:t><w:cr/><w:lastRenderedPageBreak/><w:t>d</w:t><w:br w:type="page"/></w:r></w:p>` + par("e"), "a\nb\n\nc\nd\n\ne\n"},
		{"separators in text", par("a\u2028b\u2029c\u0085d"), "a\nb\nc\nd\n"},
		{"normal form", par("e\u0301"), "\u00E9\n"},
		{"hyperlink, control, tag", `<w:p><w:hyperlink r:id="x">` + run("a") + `</w:hyperlink><w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>` + run("b") + `</w:sdtContent></w:sdt><w:smartTag>` + run("c") + `</w:smartTag></w:p><w:sdt><w:sdtContent>` + par("d") + `</w:sdtContent></w:sdt>`, "abc\n\nd\n"},
		{"field", `<w:p>` + run("p. ") + begin + `<w:r><w:instrText>PAGE</w:instrText></w:r>` + run("no") + result + run("7") + finish + run(".") + `<w:fldSimple w:instr="DATE">` + run(" May") + `</w:fldSimple></w:p>`, "p. 7. May\n"},
		{"field in a field", `<w:p>` + begin + begin + result + run("no") + finish + result + run("yes") + begin + finish + finish + `</w:p>`, "yes\n"},
		{"field over paragraphs", `<w:p>` + begin + result + run("a") + `</w:p>` + par("b") + `<w:p>` + finish + run("c") + `</w:p>`, "a\n\nb\n\nc\n"},
		{"field ends in a deletion", `<w:p>` + begin + `<w:del>` + result + run("x") + finish + `</w:del>` + run("a") + `</w:p>`, "a\n"},
		{"stray field ends", `<w:p>` + finish + result + run("a") + `</w:p>`, "a\n"},
		{"tracked changes", `<w:p>` + run("a") + `<w:ins w:id="1">` + run("b") + `</w:ins><w:del w:id="2"><w:r><w:delText>c</w:delText></w:r>` + run("c") + `</w:del><w:moveFrom>` + run("d") + `</w:moveFrom><w:moveTo>` + run("e") + `</w:moveTo></w:p>`, "abe\n"},
		{"deleted end of a paragraph", `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + run("a") + `</w:p>` + par("b", "c"), "ab\n\nc\n"},
		{"deleted paragraph", par("a") + `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:del>` + run("x") + `</w:del></w:p>` + par("b"), "a\n\nb\n"},
		{"deleted end before a table", `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + run("a") + `</w:p><w:tbl>` + row(par("b"), par("c")) + `</w:tbl>` + par("d"), "a\n\nb\tc\n\nd\n"},
		{"table", par("x") + `<w:tbl><w:tblPr/>` + row(par(" a "), par("b")) + row(par(""), par("d")) + row(par(""), par("")) + row(par("e"), par("")) + `</w:tbl>` + par("y"), "x\n\na\tb\n\td\ne\n\ny\n"},
		{"layout rows", `<w:tbl>` + row(par("a", "b"), par("c")) + row(par("d"), `<w:p><w:r><w:t>e</w:t><w:tab/><w:t>f</w:t></w:r></w:p>`) + row(par("g"), par("h\u2028i")) + row(par("j"), par("k")) + `</w:tbl>`, "a\n\nb\n\nc\n\nd\n\ne\tf\n\ng\n\nh\ni\n\nj\tk\n"},
		{"table in a table", `<w:tbl>` + row(`<w:tbl>`+row(par("a"), par("b"))+`</w:tbl>`+par(""), par("c")) + `</w:tbl>`, "a\tb\n\nc\n"},
		{"merged cells", `<w:tbl>` + row(`<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>`+par("a"), par("b")) + row(`<w:tcPr><w:vMerge/></w:tcPr>`+par("no"), par("c")) + `</w:tbl>`, "a\tb\nc\n"},
		{"deleted row and cell", `<w:tbl>` + row(par("a"), par("b")) + `<w:tr><w:trPr><w:del/></w:trPr><w:tc>` + par("no") + `</w:tc></w:tr><w:tr><w:trPr><w:ins/></w:trPr><w:tc><w:tcPr><w:cellDel/></w:tcPr>` + par("no") + `</w:tc><w:tc>` + par("c") + `</w:tc></w:tr></w:tbl>`, "a\tb\nc\n"},
		{"hidden", `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Whisper"/></w:rPr><w:t>y</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Whisper"/><w:vanish w:val="false"/></w:rPr><w:t>a</w:t></w:r><w:r><w:rPr><w:webHidden/></w:rPr><w:t>b</w:t></w:r></w:p>` +
			`<w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr>` + run("x") + `<w:r><w:rPr><w:rStyle w:val="Aloud"/></w:rPr><w:t>c</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Round"/><w:rPr><w:vanish/></w:rPr></w:pPr>` + run("d") + `</w:p>`, "ab\n\nc\n\nd\n"},
		{"old hidden", `<w:p><w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r></w:p>`, "a\n"},
		{"text box", `<w:p>` + run("a") + `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx><w:txbxContent>` + par("box", "two") + `</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>` + par("box", "two") + `</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>` + run("b") + `</w:p>` + par("c"), "ab\n\nbox\n\ntwo\n\nc\n"},
		{"text box in a cell", `<w:tbl>` + row(`<w:p><w:r><w:pict><v:textbox><w:txbxContent>`+par("box")+`</w:txbxContent></v:textbox></w:pict></w:r></w:p>`, par("b")) + `</w:tbl>`, "box\tb\n"},
		{"fallback alone", `<w:p><w:r><mc:AlternateContent><mc:Fallback><w:t>a</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`, "a\n"},
		{"notes", `<w:p>` + run("a") + `<w:r><w:footnoteReference w:id="2"/></w:r>` + run("b") + `<w:r><w:endnoteReference w:id="1"/></w:r><w:r><w:footnoteReference w:id="1" w:customMarkFollows="1"/><w:t>*</w:t></w:r>` + run("c") + `<w:del><w:r><w:footnoteReference w:id="3"/></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:p>` + par("d"), "abc\n\nd\n\nSecond note,\n\nlonger.\n\nFirst note.\n\nAt the end.\n"},
		{"ruby", `<w:p><w:r><w:ruby><w:rubyPr><w:hps w:val="1"/></w:rubyPr><w:rt>` + run("かん") + `</w:rt><w:rubyBase>` + run("漢") + `</w:rubyBase></w:ruby></w:r>` + run("字") + `</w:p>`, "漢かん字\n"},
		{"formula", `<w:p><m:oMathPara><m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:sSupPr><m:ctrlPr><w:rPr><w:vanish/></w:rPr></m:ctrlPr></m:sSupPr><m:e><m:r><w:rPr><w:i/></w:rPr><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara></w:p>`, "E=mc²\n"},
		{"characters elsewhere", `stray<w:p>stray<w:r>stray<w:t>a</w:t></w:r></w:p><x:y xmlns:x="z"><x:t>no</x:t></x:y>`, "a\n"},
		{"nothing", par(" ", "\u00A0"), ""},
	}
	for _, c := range cases {
		if got := string(mustRead(t, office.Docx(nil), docx(c.body)).Payload); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// The strict form of the standard has other names for the same things.
func TestStrictDocx(t *testing.T) {
	entries := docxEntries(par("a"))
	for i := range entries {
		r := strings.NewReplacer("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main",
			"http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/")
		entries[i].content = r.Replace(entries[i].content)
	}
	f := mustRead(t, office.Docx(nil), pack(entries))
	if string(f.Payload) != "a\n" || len(f.Parts) != 2 {
		t.Errorf("%q, %d parts", f.Payload, len(f.Parts))
	}
}

func TestOdtPayload(t *testing.T) {
	note := func(class, text string) string {
		return `<text:note text:note-class="` + class + `"><text:note-citation>7</text:note-citation><text:note-body>` + text + `</text:note-body></text:note>`
	}
	cell := func(texts ...string) string {
		return `<table:table-cell>` + strings.Join(texts, "") + `</table:table-cell>`
	}
	p := func(text string) string { return `<text:p>` + text + `</text:p>` }
	cases := []struct{ name, body, want string }{
		{"paragraphs", "stray" + p("one") + p("") + "\n" + p("two"), "one\n\ntwo\n"},
		{"white space", p(" \n a <text:span> b\t\t</text:span> c<text:s/> d<text:s text:c=\"3\"/>e "), "a b c  d   e\n"},
		{"tab and break", p("<text:tab/>a<text:tab/>b<text:line-break/>c<text:line-break/><text:line-break/>d<text:soft-page-break/>e"), "\ta\tb\nc\n\nde\n"},
		{"hyphens", p("a\u2011b\u00ADc"), "a\u2011b\u00ADc\n"},
		{"headings", `<text:h text:outline-level="1"><text:number>1.</text:number>H</text:h>` + p("a"), "H\n\na\n"},
		{"lists", p("x") + `<text:list><text:list-header>` + p("head") + `</text:list-header><text:list-item>` + p("a") + `<text:list><text:list-item><text:number>i</text:number>` + p("b") + p("c") + `</text:list-item></text:list></text:list-item></text:list>` + p("y"), "x\n\nhead\na\nb\nc\n\ny\n"},
		{"heading in a list", `<text:list><text:list-item><text:h>H</text:h></text:list-item></text:list><text:list><text:list-item><text:h>I</text:h></text:list-item></text:list>`, "H\n\nI\n"},
		{"links and fields", p(`<text:a xlink:href="x">a</text:a> <text:page-number>7</text:page-number> <text:hidden-text text:is-hidden="true">no</text:hidden-text><text:script>no</text:script><text:variable-set text:display="none">no</text:variable-set><text:bookmark-ref>b</text:bookmark-ref>`), "a 7 b\n"},
		{"indexes", `<text:table-of-content><text:table-of-content-source><text:index-title-template>no</text:index-title-template></text:table-of-content-source><text:index-body><text:index-title>` + p("Contents") + `</text:index-title>` + p("a<text:tab/>1") + `</text:index-body></text:table-of-content>`, "Contents\n\na\t1\n"},
		{"tracked changes", `<text:tracked-changes><text:changed-region><text:deletion>` + p("no") + `</text:deletion></text:changed-region><text:changed-region><text:insertion/></text:changed-region></text:tracked-changes>` + p(`a<text:change/><text:change-start/>b<text:change-end/>`), "ab\n"},
		{"comments", p(`a<office:annotation><dc:creator>Z</dc:creator><text:p>no</text:p></office:annotation>b<office:annotation-end/>`), "ab\n"},
		{"notes", p("a"+note("footnote", p("one")+p("more"))+"b"+note("endnote", p("end"))+"c"+note("footnote", p(" two"))) + p("d"), "abc\n\nd\n\none\n\nmore\n\ntwo\n\nend\n"},
		{"table", p("x") + `<table:table><table:table-column/><table:table-header-rows><table:table-row>` + cell(p("a")) + cell(p("b")) + `</table:table-row></table:table-header-rows><table:table-row>` + cell() + cell(p("d")) + `</table:table-row><table:table-row>` + `<table:table-cell table:number-columns-spanned="2">` + p("e") + `</table:table-cell><table:covered-table-cell>` + p("no") + `</table:covered-table-cell>` + cell(p("f")) + `</table:table-row></table:table>` + p("y"), "x\n\na\tb\n\td\ne\tf\n\ny\n"},
		{"layout rows", `<table:table><table:table-row>` + cell(p("a"), p("b")) + cell(p("c")) + `</table:table-row><table:table-row>` + cell(p("d<text:tab/>e")) + cell(p("f")) + `</table:table-row></table:table>`, "a\n\nb\n\nc\n\nd\te\n\nf\n"},
		{"repeated cells", `<table:table><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3">` + p("a") + `</table:table-cell></table:table-row></table:table>`, "a\ta\ta\na\ta\ta\n"},
		{"hidden", p(`a<text:span text:style-name="T1">no<text:span text:style-name="T2">b</text:span></text:span>`) + `<text:p text:style-name="P1">no<text:span text:style-name="T2">c</text:span></text:p><text:section text:display="none">` + p(`no<text:span text:style-name="T2">no</text:span>`) + `</text:section>` + p("no"+note("footnote", p("no"))+`<text:hidden-paragraph text:is-hidden="true"/>no`) + p("d"), "ab\n\nc\n\nd\n"},
		{"text box", p(`a<draw:frame><draw:text-box>`+p("box")+`</draw:text-box><svg:desc>no</svg:desc></draw:frame>b`) + `<draw:custom-shape>` + p("shape") + `</draw:custom-shape>` + p("c"), "ab\n\nbox\n\nshape\n\nc\n"},
		{"ruby", p(`<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby>字`), "漢かん字\n"},
		{"object", p(`a<draw:frame><draw:object xlink:href="./Object 1">` + p("no") + `</draw:object></draw:frame>b`), "ab\n"},
		{"nothing", p(" "), ""},
	}
	for _, c := range cases {
		if got := string(mustRead(t, office.Odt(), odt(c.body)).Payload); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestDocxFacts(t *testing.T) {
	body := `<w:p><w:pPr><w:rPr><w:ins/></w:rPr></w:pPr>` + run("a") + `<w:ins>` + run("b") + `</w:ins><w:del>` + run("c") + `</w:del><w:moveTo>` + run("d") + `</w:moveTo><w:r><w:commentReference w:id="0"/></w:r>` +
		`<w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r><w:r><w:footnoteReference w:id="1"/><w:endnoteReference w:id="1"/><w:sym w:char="F0FC"/><w:drawing><a:blip r:embed="rId5"/></w:drawing></w:r>` +
		`<w:r><w:object/><w:pict><w:txbxContent/></w:pict></w:r><m:oMath/></w:p>`
	f := mustRead(t, office.Docx(nil), docx(body))
	want := read.Form{
		Payload: []byte("abd\uF0FC\n\nFirst note.\n\nAt the end.\n"), Canonicalizer: "docx@3", Unicode: "15.0.0", Charset: "utf-8 valid",
		Facts: map[string]string{"insertions": "2", "deletions": "1", "moves": "1", "comments": "1", "hidden": "1", "footnotes": "1", "endnotes": "1",
			"symbols": "1", "images": "1", "embedded": "1", "text_boxes": "1", "formulas": "1", "parts_unread": "1", "identifier": "urn:example:7"},
		Source: read.Meta{Title: "The flood of 1910", Creators: []string{"A. Meier", "B. Huber"}, Language: "en-GB", PublishedAt: "1998-06-15T08:00:00Z"},
		Parts: []read.Part{
			{Name: "word/embeddings/sheet.bin", MediaType: "application/vnd.ms-excel", Data: []byte("sheet")},
			{Name: "word/media/bridge old.png", MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n bridge")},
		},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOdtFacts(t *testing.T) {
	body := `<text:tracked-changes><text:changed-region><text:deletion/></text:changed-region><text:changed-region><text:insertion/></text:changed-region></text:tracked-changes>` +
		`<text:p>a<office:annotation/><text:span text:style-name="T1">x</text:span><text:note text:note-class="endnote"><text:note-body><text:p>n</text:p></text:note-body></text:note>` +
		`<draw:frame><draw:image xlink:href="Pictures/bridge.png"/><draw:image xlink:href="http://example.org/x"/><draw:image xlink:href="Pictures/lost.png"/></draw:frame><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>` +
		`<draw:rect><text:p>b</text:p></draw:rect></text:p>`
	f := mustRead(t, office.Odt(), odt(body))
	want := read.Form{
		Payload: []byte("a\n\nb\n\nn\n"), Canonicalizer: "odt@3", Unicode: "15.0.0", Charset: "utf-8 valid",
		Facts:  map[string]string{"insertions": "1", "deletions": "1", "comments": "1", "hidden": "1", "endnotes": "1", "images": "3", "embedded": "1", "text_boxes": "1", "parts_unread": "1"},
		Source: read.Meta{Title: "The flood of 1910", Creators: []string{"A. Meier"}, Language: "en-GB", PublishedAt: "1998-06-15"},
		Parts: []read.Part{
			{Name: "Object 1/content.xml", MediaType: "text/xml", Data: []byte("<math/>")},
			{Name: "Pictures/bridge.png", MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n bridge")},
		},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
