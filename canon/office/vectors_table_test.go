package office_test

import (
	"archive/zip"
	"slices"
	"strings"
	"time"

	"muniment/canon/formstest"
)

// The document that docs/spec/canonical-forms.md shows as the example of each
// form: a report with a list, a table, notes and changes.
const docxReport = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The flood</w:t></w:r></w:p>` +
	`<w:p><w:r><w:t xml:space="preserve">On the </w:t></w:r><w:del w:id="1" w:author="B"><w:r><w:delText>14th</w:delText></w:r></w:del>` +
	`<w:ins w:id="2" w:author="B"><w:r><w:t>15th</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> of June the river rose</w:t></w:r>` +
	`<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:t xml:space="preserve"> by 3&#160;m.</w:t><w:br/><w:t>Nobody was hurt.</w:t></w:r>` +
	`<w:r><w:rPr><w:vanish/></w:rPr><w:t>Ask again.</w:t></w:r></w:p>` +
	`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>bridges</w:t></w:r></w:p>` +
	`<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>old</w:t></w:r></w:p>` +
	`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Day</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Level</w:t></w:r></w:p></w:tc></w:tr>` +
	`<w:tr><w:tc><w:p><w:r><w:t>15</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>4.2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` +
	`<w:p><w:r><w:t xml:space="preserve">See page </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGEREF mills</w:instrText></w:r>` +
	`<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>.</w:t></w:r></w:p>`

const odtReport = `<text:tracked-changes><text:changed-region><text:deletion><text:p>14th</text:p></text:deletion></text:changed-region>` +
	`<text:changed-region><text:insertion/></text:changed-region></text:tracked-changes>` +
	`<text:h text:outline-level="1">The flood</text:h>` +
	`<text:p>On the <text:change/><text:change-start/>15th<text:change-end/> of June the river rose<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>` +
	`<text:note-body><text:p>First note.</text:p></text:note-body></text:note> by 3&#160;m.<text:line-break/>Nobody was hurt.<text:span text:style-name="T1">Ask again.</text:span></text:p>` +
	`<text:list><text:list-item><text:p>bridges</text:p><text:list><text:list-item><text:p>old</text:p></text:list-item></text:list></text:list-item></text:list>` +
	`<table:table><table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell><table:table-cell><text:p>Level</text:p></table:table-cell></table:table-row>` +
	`<table:table-row><table:table-cell><text:p>15</text:p></table:table-cell><table:table-cell><text:p>4.2</text:p></table:table-cell></table:table-row></table:table>` +
	`<text:p>See page <text:bookmark-ref>7</text:bookmark-ref>.<draw:frame><draw:image xlink:href="Pictures/bridge.png"/></draw:frame></text:p>`

// vectors are the inputs of testvectors/canon-office by name.
func vectors() map[string]formstest.Case {
	x, o := docxEntries(docxReport), odtEntries(odtReport)
	back := func(e []entry) []entry { e = slices.Clone(e); slices.Reverse(e); return e }
	p := func(texts ...string) string {
		return "<text:p>" + strings.Join(texts, "</text:p><text:p>") + "</text:p>"
	}
	cells := func(texts ...string) string {
		return "<table:table-row><table:table-cell>" + strings.Join(texts, "</table:table-cell><table:table-cell>") + "</table:table-cell></table:table-row>"
	}
	text := func(name string, data []byte) formstest.Case {
		return formstest.NewCase(name, "", string(data), "text")
	}
	bytes := func(name string, data []byte) formstest.Case {
		return formstest.NewCase(name, "", string(data), "bytes")
	}
	outline := `<w:abstractNum w:abstractNumId="0">` + numLevel("0", "decimal", "%1.", "") + numLevel("1", "lowerLetter", "%2)", "") + numLevel("2", "lowerRoman", "%1.%2.%3", "") + `</w:abstractNum>`
	restart := `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>`
	return map[string]formstest.Case{
		"docx-numbers":          text("a.docx", pack(numbered(outline+numList("1", "0", ""), item("1", "0", "a")+item("1", "1", "b")+item("1", "1", "c")+item("1", "2", "d")+par("between")+item("1", "0", "e")+item("1", "1", "f")))),
		"docx-numbers-start":    text("a.docx", pack(numbered(outline+numList("1", "0", "")+numList("2", "0", "")+numList("3", "0", restart), item("1", "0", "a")+item("2", "0", "goes on")+item("3", "0", "anew")+item("3", "0", "b")))),
		"docx-numbers-restart":  text("a.docx", pack(numbered(`<w:abstractNum w:abstractNumId="0">`+numLevel("0", "upperRoman", "%1", "")+numLevel("1", "decimal", "(%2)", `<w:lvlRestart w:val="0"/><w:suff w:val="nothing"/>`)+`</w:abstractNum>`+numList("1", "0", ""), item("1", "0", "a")+item("1", "1", "b")+item("1", "0", "c")+item("1", "1", "d")))),
		"docx-numbers-legal":    text("a.docx", pack(numbered(`<w:abstractNum w:abstractNumId="0">`+numLevel("0", "upperRoman", "%1.", "")+numLevel("1", "decimal", "%1.%2", `<w:isLgl/>`)+`</w:abstractNum>`+numList("1", "0", ""), item("1", "1", "a")+item("1", "0", "b")+item("1", "1", "c")))),
		"docx-numbers-bullet":   text("a.docx", pack(numbered(`<w:abstractNum w:abstractNumId="0">`+numLevel("0", "bullet", "\uF0B7", "")+numLevel("1", "none", "", "")+`</w:abstractNum>`+numList("1", "0", ""), item("1", "0", "a")+item("1", "1", "b")+item("0", "0", "c")))),
		"docx-numbers-deleted":  text("a.docx", pack(numbered(outline+numList("1", "0", ""), item("1", "0", "a")+`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>no</w:delText></w:r></w:del></w:p>`+item("1", "0", "b")+item("1", "0", "")+item("1", "0", "c")))),
		"docx-numbers-by-style": text("a.docx", pack(with(numbered(`<w:abstractNum w:abstractNumId="0">`+numLevel("0", "decimal", "%1", `<w:pStyle w:val="H1"/>`)+numLevel("1", "decimal", "%1.%2", `<w:pStyle w:val="H2"/>`)+`</w:abstractNum>`+numList("1", "0", ""), heading("H1", "One")+par("a")+heading("H2", "Two")+heading("H2", "Three")+heading("H1", "Four")), "word/styles.xml", `<w:styles`+wordSpace+`><w:style w:type="paragraph" w:styleId="H1"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="H2"><w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`))),
		"docx-report":           text("a.docx", pack(x)),
		"docx-report-stored":    text("a.docx", packAs(back(x), zip.Store, time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC), "zipped anew")),
		"docx-report-more":      text("a.docx", pack(with(x, "docProps/thumbnail.jpeg", "x"))),
		"docx-table":            text("a.docx", docx(`<w:tbl>`+row(par("a"), par(""), par("c"))+row(par(""), par("b"))+row(par("d", "e"), par("f"))+row(par("g"), "<w:p><w:r><w:t>h</w:t><w:tab/><w:t>i</w:t></w:r></w:p>")+`</w:tbl>`)),
		"docx-notes":            text("a.docx", docx(`<w:p>`+run("a")+`<w:r><w:endnoteReference w:id="1"/></w:r>`+run("b")+`<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:footnoteReference w:id="1" w:customMarkFollows="1"/><w:t>*</w:t></w:r></w:p>`)),
		"docx-changes":          text("a.docx", docx(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>`+run("a")+`</w:p><w:p>`+run("b")+`<w:moveFrom>`+run("no")+`</w:moveFrom></w:p><w:tbl>`+row(par("c"), par("d"))+`<w:tr><w:trPr><w:del/></w:trPr><w:tc>`+par("no")+`</w:tc></w:tr></w:tbl>`)),
		"docx-fields":           text("a.docx", docx(`<w:p>`+begin+begin+run("no")+result+run("no")+finish+result+run("yes")+finish+`<w:fldSimple w:instr="DATE">`+run(" May")+`</w:fldSimple></w:p>`)),
		"docx-text-box":         text("a.docx", docx(`<w:p>`+run("a")+`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:txbxContent>`+par("box")+`</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>`+par("box")+`</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`+run("b")+`</w:p>`+par("c"))),
		"docx-characters":       text("a.docx", docx(`<w:p><w:r><w:tab/><w:t> a </w:t><w:noBreakHyphen/><w:t xml:space="preserve"> b </w:t><w:softHyphen/><w:sym w:font="Wingdings" w:char="F0FC"/><w:br/><w:br/><w:t>c</w:t></w:r></w:p>`+par("d\u2028e\u0301"))),
		"docx-hidden-by-style":  text("a.docx", docx(`<w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr>`+run("x")+`<w:r><w:rPr><w:rStyle w:val="Aloud"/></w:rPr><w:t>a</w:t></w:r></w:p>`)),
		"docx-headings":         text("a.docx", pack(with(x, "word/styles.xml", `<w:styles`+wordSpace+`><w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="H2"><w:name w:val="Own"/><w:basedOn w:val="H"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`, "word/document.xml", xmlHead+`<w:document`+wordSpace+`><w:body>`+heading("H", "One")+par("a")+heading("H2", "Two")+`<w:tbl>`+row(heading("H", "in a table"))+`</w:tbl>`+heading("H2", "Three")+par("b")+`</w:body></w:document>`))),
		"docx-core-damaged":     text("a.docx", pack(with(x, "docProps/core.xml", "<a>"))),
		"docx-raised":           text("a.docx", docx(`<w:p>`+run("10")+raised("superscript", "6")+run(" m, H")+raised("subscript", "2")+run("O, 10")+raised("superscript", "1")+raised("superscript", "2")+run(", 1")+raised("superscript", "st")+run(", 2")+raised("superscript", "3/4")+`</w:p>`)),
		"docx-raised-by-style":  text("a.docx", pack(with(x, "word/styles.xml", `<w:styles`+wordSpace+`><w:style w:type="character" w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`, "word/document.xml", xmlHead+`<w:document`+wordSpace+`><w:body><w:p>`+run("10")+`<w:r><w:rPr><w:rStyle w:val="Up"/></w:rPr><w:t>6</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Up"/><w:vertAlign w:val="baseline"/></w:rPr><w:t>7</w:t></w:r></w:p></w:body></w:document>`))),
		"docx-raised-position":  text("a.docx", docx(`<w:p>`+run("10")+`<w:r><w:rPr><w:position w:val="8"/></w:rPr><w:t>6</w:t></w:r>`+run("H")+`<w:r><w:rPr><w:position w:val="-4"/></w:rPr><w:t>2</w:t></w:r></w:p>`)),
		"docx-formula":          text("a.docx", docx(`<w:p>`+run("E=mc")+`<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:rad><m:deg/><m:e><m:r><m:t>3</m:t></m:r></m:e></m:rad></m:oMath></w:p>`)),
		"docx-import-html":      text("a.docx", imported("a.bin", "text/html; charset=utf-8", `<!DOCTYPE html><title>no</title><p>It <s>never</s> burnt.<p>Jörg`)),
		"docx-import-rtf":       text("a.docx", imported("a.rtf", "", `{\rtf1\ansi\ansicpg1252 It burnt, J\'f6rg.\par}`)),
		"docx-import-text":      text("a.docx", imported("a.txt", "text/plain", "It burnt.\r\n\r\nTwice.")),
		"docx-import-page":      text("a.docx", imported("a.mht", "message/rfc822", "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"B\"\r\n\r\n--B\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>It burnt, J=C3=B6rg.</p><p>Tw=\r\nice.</p>\r\n--B\r\nContent-Type: image/png\r\n\r\nno\r\n--B--\r\n")),
		"docx-import-docx":      text("a.docx", nested(1)),
		"docx-import-deep":      text("a.docx", nested(5)),
		"docx-import-other":     text("a.docx", imported("a.xml", "application/xml", "<a>no</a>")),
		"docx-import-damaged":   text("a.docx", imported("a.docx", "", string(nested(0)[:900]))),
		"docx-import-absent":    bytes("a.docx", imported("a.html", "text/html", "")),
		"docx-import-again":     text("a.docx", pack(withParts(chunk("c")+`<w:tbl>`+row(chunk("c"), par("b"))+`</w:tbl><w:p><w:r><w:rPr><w:vanish/></w:rPr></w:r></w:p>`+chunk("none"), relatedPart{"c", "aFChunk", "a.txt", "text/plain", "once"}))),
		"docx-margins":          text("a.docx", margined("", "")),
		"docx-margins-first":    text("a.docx", margined("<w:titlePg/>", `<w:evenAndOddHeaders w:val="0"/>`)),
		"docx-margins-even":     text("a.docx", margined(`<w:titlePg w:val="false"/>`, "<w:evenAndOddHeaders/>")),
		"docx-margin-absent":    text("a.docx", docx(par("a")+`<w:sectPr><w:footerReference w:type="default" r:id="none"/></w:sectPr>`)),
		"docx-margin-damaged":   text("a.docx", pack(withParts(par("a")+`<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>`, relatedPart{"h", "header", "h.xml", "", "<a>"}))),
		"docx-boxes":            text("a.docx", docx(`<w:p>`+run("paid ")+checkControl(`<w14:checked w14:val="1"/>`, run("\u2611")+run("more"))+run(", owed ")+checkControl(`<w14:checked w14:val="0"/>`, `<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>`)+run(", sent ")+formField(`<w:checkBox><w:sizeAuto/><w:default w:val="1"/></w:checkBox>`, "")+run(", lost ")+formField(`<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>`, "")+`</w:p>`)),
		"docx-boxes-beside":     text("a.docx", docx(`<w:p>`+checkControl(`<w14:checked w14:val="1"/>`, run("\u2612 paid"))+run(", ")+checkControl(`<w14:checked w14:val="0"/>`, run("owed"))+`</w:p>`)),
		"docx-drop-down":        text("a.docx", docx(`<w:p>`+formField(`<w:ddList><w:result w:val="1"/><w:listEntry w:val="oats"/><w:listEntry w:val="barley"/></w:ddList>`, "")+run(", ")+formField(`<w:ddList><w:listEntry w:val="oats"/></w:ddList>`, "")+run(", ")+formField(`<w:ddList><w:result w:val="1"/><w:listEntry w:val="oats"/><w:listEntry w:val="no"/></w:ddList>`, result+run("stored"))+run(", ")+formField(`<w:ddList><w:result w:val="9"/><w:listEntry w:val="no"/></w:ddList>`, "")+`<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="no" w:value="1"/></w:dropDownList></w:sdtPr><w:sdtContent>`+run("rye")+`</w:sdtContent></w:sdt></w:p>`)),
		"docx-hint":             text("a.docx", docx(`<w:p>`+run("Name: ")+`<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>`+run("Click here.")+`</w:sdtContent></w:sdt></w:p><w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>`+par("no")+`</w:sdtContent></w:sdt>`)),
		"docx-open-field":       bytes("a.docx", docx(`<w:p>`+begin+run("a")+`</w:p>`)),
		"docx-note-absent":      bytes("a.docx", docx(`<w:p><w:r><w:footnoteReference w:id="9"/></w:r></w:p>`)),
		"docx-nothing":          bytes("a.docx", docx(par(" "))),
		"docx-two-documents":    bytes("a.docx", pack(append(slices.Clone(x), entry{"word/DOCUMENT.xml", "y"}))),
		"docx-path":             bytes("a.docx", pack(append(slices.Clone(x), entry{"../x", "y"}))),
		"docx-entity":           bytes("a.docx", pack(with(x, "word/document.xml", `<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>`))),
		"docx-truncated":        bytes("a.docx", pack(x)[:1000]),
		"docx-password":         bytes("a.docx", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"+strings.Repeat("\x00", 56)+"E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")),
		"docx-deep":             bytes("a.docx", docx(strings.Repeat("<w:sdt>", 300))),

		"odt-report":           text("a.odt", pack(o)),
		"odt-report-stored":    text("a.odt", packAs(back(o), zip.Store, time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC), "zipped anew")),
		"odt-report-more":      text("a.odt", pack(with(o, "Thumbnails/thumbnail.png", "x"))),
		"odt-space":            text("a.odt", odt("<text:p> a\n b <text:s text:c=\"2\"/><text:tab/>c<text:line-break/> d</text:p>")),
		"odt-flat":             text("a.fodt", []byte(flat("The flood", "<text:h text:outline-level=\"2\">One</text:h>"+p("a<text:s/>b<draw:frame><draw:image><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image></draw:frame>")+"<text:h>Two</text:h>"+p("c")))),
		"odt-flat-utf-16":      text("a.odt", utf16(flat("The flood", p("grün")))),
		"odt-flat-sheet":       bytes("a.fodt", []byte(strings.ReplaceAll(flat("", p("a")), "office:text>", "office:spreadsheet>"))),
		"odt-flat-cut":         bytes("a.fodt", []byte(flat("", p("a"))[:800])),
		"odt-table":            text("a.odt", odt("<table:table>"+cells(p("a"), "", p("c"))+cells(p("d", "e"), p("f"))+"<table:table-row><table:table-cell>"+p("g")+"</table:table-cell><table:covered-table-cell/><table:table-cell>"+p("h")+"</table:table-cell></table:table-row></table:table>")),
		"odt-notes":            text("a.odt", odt("<text:p>a<text:note text:note-class=\"endnote\"><text:note-body>"+p("end")+"</text:note-body></text:note>b<text:note text:note-class=\"footnote\"><text:note-body>"+p("foot", "more")+"</text:note-body></text:note></text:p>"+p("c"))),
		"odt-hidden-paragraph": text("a.odt", odt(p("a", "no<text:hidden-paragraph text:is-hidden=\"true\"/>", "b"))),
		"odt-margins":          text("a.odt", odtWithPages(`<text:p text:style-name="M">The mill burnt.<text:note><text:note-body><text:p>In May.</text:p></text:note-body></text:note></text:p><text:p>Again.</text:p>`)),
		"odt-margins-flat":     text("a.fodt", []byte(strings.Replace(flat("", p("The mill burnt.")), "<office:body>", `<office:master-styles><style:master-page style:name="Standard"><style:footer>`+p("Thornby")+`</style:footer></style:master-page></office:master-styles><office:body>`, 1))),
		"odt-margins-standard": text("a.odt", odtWithPages(`<text:p>The mill burnt.</text:p>`)),
		"odt-text-box":         text("a.odt", odt(p("a<draw:frame><draw:text-box>"+p("box")+"</draw:text-box></draw:frame>b", "c"))),
		"docx-struck":          text("a.docx", docx(`<w:p>`+run("The hens did ")+struck("not")+struck(" at all ")+run("sell. 10")+`<w:r><w:rPr><w:dstrike/><w:vertAlign w:val="superscript"/></w:rPr><w:t>6</w:t></w:r>`+run(" and")+`<w:r><w:rPr><w:strike w:val="0"/></w:rPr><w:t xml:space="preserve"> so on</w:t></w:r></w:p><w:p>`+struck("whole")+`</w:p>`)),
		"odt-struck":           text("a.fodt", []byte(strings.Replace(flat("", p(`did <text:span text:style-name="S">not</text:span> sell`, `<text:span text:style-name="T">gone<text:span text:style-name="N"> kept</text:span> gone</text:span>`)), "<office:body>", `<office:automatic-styles>`+lined("S", `text-line-through-style="solid"`)+lined("T", `text-line-through-type="double"`)+lined("N", `text-line-through-style="none"`)+`</office:automatic-styles><office:body>`, 1))),
		"odt-raised":           text("a.fodt", []byte(strings.Replace(flat("", p(`10<text:span text:style-name="U">6</text:span> m, H<text:span text:style-name="D">2</text:span>O, 10<text:span text:style-name="N">6</text:span>, 1<text:span text:style-name="U">st</text:span>, 2<text:span text:style-name="U">3<text:span text:style-name="D0">4</text:span></text:span>`)), "<office:body>", `<office:automatic-styles>`+positioned("U", "super 58%")+positioned("D", "sub 58%")+positioned("N", "33% 58%")+positioned("D0", "0% 100%")+`</office:automatic-styles><office:body>`, 1))),
		"odt-encrypted":        bytes("a.odt", pack(with(o, "META-INF/manifest.xml", `<manifest:manifest`+odfManifestSpace+`><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`))),
		"odt-many-columns":     bytes("a.odt", odt(`<table:table><table:table-row><table:table-cell table:number-columns-repeated="1000000000"/></table:table-row></table:table>`)),
		"odt-no-text":          bytes("a.odt", pack(with(o, "content.xml", "<spreadsheet/>"))),
		"odt-nothing":          bytes("a.odt", odt(p(" "))),
	}
}

// struck is a run of DOCX that is struck through.
func struck(words string) string {
	return `<w:r><w:rPr><w:strike/></w:rPr><w:t xml:space="preserve">` + words + `</w:t></w:r>`
}

// lined is a style of OpenDocument with a property of the line through its text.
func lined(name, property string) string {
	return `<style:style style:name="` + name + `" style:family="text"><style:text-properties style:` + property + `/></style:style>`
}
