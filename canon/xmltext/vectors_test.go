package xmltext_test

import (
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/read"
	"muniment/canon/xmltext"
)

// Every vector gives exactly what its file says, and the files are those of the
// table.
func TestVectors(t *testing.T) {
	text := func(data string) formstest.Case { return formstest.NewCase("a.xml", "", data, "text") }
	const math = `<p xmlns:m="http://www.w3.org/1998/Math/MathML">of <m:math><m:mn>2</m:mn>`
	table := map[string]formstest.Case{
		"xml-tei":               text(tei),
		"xml-tei-name":          formstest.NewCase("a.tei", "", tei, "text"),
		"xml-blocks":            text(`<letter><to>Clara</to><body>Come <b>s</b>oon.</body></letter>`),
		"xml-declared":          text("<?xml version='1.0' encoding='iso-8859-1'?><a>caf\xe9 \xc3\xa9</a>"),
		"xml-sender":            formstest.NewCase("a.xml", "text/xml; charset=windows-1250", "<?xml version='1.0' encoding='iso-8859-1'?><a>\x9aum</a>", "text"),
		"xml-mark":              text("\xef\xbb\xbf<?xml version='1.0' encoding='iso-8859-1'?><a>caf\xc3\xa9</a>"),
		"xml-entities":          text(`<!DOCTYPE a [<!ENTITY who "Ada &last;"><!ENTITY last '<b>Vale</b>'>]><a t="&who;">&who; caf&eacute;<![CDATA[ &who;]]></a>`),
		"xml-preserve":          text("<a xml:space=\"preserve\">one\n  two</a>"),
		"xml-rows":              text(`<table><row><cell>a</cell><cell/><cell>c</cell></row><row><cell/><cell>2</cell></row></table>`),
		"xml-fields":            text(`<list><item><title>One</title><date>1931</date></item><row><a>12</a><b>34</b></row></list>`),
		"xml-notes":             text(`<div><p xml:id="a">one<note xml:id="n">first</note> two<note>second</note></p><p xml:id="b">three</p></div>`),
		"xml-choice":            text(`<p>on <choice><orig>Tusday</orig><reg>Tuesday</reg></choice></p>`),
		"xml-math":              text(math + `<m:mn>3</m:mn><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math></p>`),
		"xml-ead":               text(`<ead><eadheader><filedesc><titlestmt><titleproper>The Vale papers</titleproper></titlestmt></filedesc></eadheader><archdesc><did><unittitle>Letters</unittitle><unitdate normal="1817">1817</unitdate></did></archdesc></ead>`),
		"xml-external-entity":   text(`<!DOCTYPE a [<!ENTITY x SYSTEM "other.xml">]><a>b &x;</a>`),
		"xml-undeclared-entity": text(`<a>b &nothing;</a>`),
		"xml-circle":            text(`<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a>&x;</a>`),
		"xml-unclosed":          text(`<a>one <b>two</b>`),
		"xml-crossed":           text(`<a>one <b>two</a></b>`),
		"xml-two-elements":      text(`<a>one</a><b>two</b>`),
		"xml-attributes-alone":  text(`<a x="1"><b y="2"/></a>`),
		"xml-zero":              formstest.NewCase("a.xml", "", "<a>one\x00</a>", "bytes"),
	}
	set := formstest.Set{Dir: "../../testvectors/canon-xml", Registry: read.NewRegistry(xmltext.Reader()), Table: table}
	set.Run(t, len(table))
	if want := 22; len(table) != want {
		t.Errorf("%d vectors, want %d", len(table), want)
	}
}
