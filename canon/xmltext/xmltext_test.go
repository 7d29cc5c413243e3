package xmltext_test

import (
	"strings"
	"testing"

	"muniment/canon/read"
	"muniment/canon/xmltext"
)

const tei = `<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader xml:lang="en"><fileDesc>
 <titleStmt><title>To <name>Clara</name></title><title type="sub">A letter</title><author>Ada Vale</author><author>Ben Vale</author></titleStmt>
 <publicationStmt><publisher>The Mill Press</publisher><date when="1999"/></publicationStmt></fileDesc>
 <profileDesc><correspDesc><correspAction type="sent"><date when="1817-05"/></correspAction></correspDesc><langUsage><language ident="en-GB">English</language></langUsage></profileDesc></teiHeader>
<text><body><div xml:id="letter"><opener><dateline>Wharf Street, <date>May
   1817</date></dateline><salute>Dear <persName><forename>Clara</forename><surname>Vale</surname></persName>,</salute></opener>
 <p xml:id="p1">The <hi>harbour</hi> froze<note xml:id="n1">It did not.</note> on <choice><sic>Tusday</sic><corr>Tuesday</corr></choice>, at 10<hi rend="superscript">6</hi> <del>bells</del>.<lb/>Come har<lb break="no"/>dly.</p>
 <lg xml:id="v"><l>One line</l><l>and two</l></lg>
 <table><row><cell>a</cell><cell/><cell><p>c</p><p>d</p></cell></row><row><cell/><cell>2</cell></row></table>
</div></body></text></TEI>`

const teiText = "Wharf Street, May 1817\n\nDear Clara Vale,\n\nThe harbour froze on Tusday, at 10⁶ .\nCome hardly.\n\nOne line\nand two\n\na\t\tc d\n\t2\n\nIt did not.\n"

// Each document gives its text; one that cannot be read so stays a text with its
// mark-up.
func TestRead(t *testing.T) {
	registry := read.NewRegistry(xmltext.Reader())
	laughs := `<!DOCTYPE a [<!ENTITY a "ha ha ha ha ha ha ha ha ha ha">`
	for c := 'b'; c < 'k'; c++ {
		laughs += `<!ENTITY ` + string(c) + ` "` + strings.Repeat("&"+string(c-1)+";", 10) + `">`
	}
	math := func(s string) string {
		return `<p>so <math xmlns="http://www.w3.org/1998/Math/MathML">` + s + `</math>.</p>`
	}
	for name, c := range map[string]struct{ in, want string }{
		"tei":           {tei, teiText},
		"blocks":        {`<letter><to>Clara</to><from>Ada</from><body>Come <b>s</b>oon.</body></letter>`, "Clara\n\nAda\n\nCome soon.\n"},
		"white space":   {"<a>\n  one\n\n\n  two </a>", "one two\n"},
		"preserve":      {"<a xml:space=\"preserve\">one\n  two</a>", "one\n  two\n"},
		"declared":      {"<?xml version='1.0' encoding='iso-8859-1'?><a>caf\xe9 \xc3\xa9</a>", "café Ã©\n"},
		"cyrillic":      {"<?xml version=\"1.0\" encoding=\"koi8-r\"?><a>\xed\xc9\xd2</a>", "Мир\n"},
		"utf-16":        {"\xff\xfe<\x00a\x00>\x00\xe9\x00<\x00/\x00a\x00>\x00", "é\n"},
		"entities":      {`<!DOCTYPE a [<!ENTITY who "Ada &last;"><!ENTITY last '<b>Vale</b>'><!-- > ] -->]><a t="&who;">&who; &amp; caf&eacute; &#66;<![CDATA[ &who; <x>]]></a>`, "Ada Vale & café B &who; <x>\n"},
		"math":          {math(`<mn>2</mn><mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mi>x</mi><mrow><mn>1</mn><mo>+</mo><mn>2</mn></mrow></msup><annotation>x</annotation>`), "so 2 3 1 / 2 x ^ ( 1 + 2 ) .\n"},
		"ead":           {`<ead><eadheader><eadid>x</eadid></eadheader><archdesc><did><unittitle>Letters, <unitdate>1817</unitdate></unittitle><physdesc><extent>2 boxes</extent><dimensions>10 cm</dimensions></physdesc></did></archdesc></ead>`, "Letters, 1817\n\n2 boxes 10 cm\n"},
		"ead3":          {`<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>x</recordid></control><archdesc><did><unittitle>Letters</unittitle></did></archdesc></ead>`, "Letters\n"},
		"external":      {`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>b &x;</a>`, ""},
		"undeclared":    {`<a>b &nothing;</a>`, ""},
		"laughs":        {laughs + `]><a>&j;</a>`, ""},
		"circle":        {`<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]><a>&x;</a>`, ""},
		"unclosed":      {`<a>one <b>two</a>`, ""},
		"cut":           {`<a>one <b>two</b>`, ""},
		"two roots":     {`<a>one</a><b>two</b>`, ""},
		"rows of data":  {`<table><row><a>12</a><b>34</b><c/></row><row><a>5</a><b>6</b></row></table>`, "12\t34\n5\t6\n"},
		"feed":          {`<rss><channel><item><title>One</title><description>two</description><hi>th</hi><hi>ree</hi></item></channel></rss>`, "One two three\n"},
		"verse":         {`<lg><l>H<hi>ar</hi>bour</l><l><w>so</w><w>cold</w></l></lg>`, "Harbour\nso cold\n"},
		"no text":       {`<a x="1"><b y="2"/></a>`, ""},
		"doctype alone": {`<!DOCTYPE a [ <!ENTITY b "c"> `, ""},
	} {
		form, err := registry.Canonicalize(read.Input{Name: "a.xml", Data: []byte(c.in)})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			if form.Canonicalizer != "text@1" || form.Facts["xml_unread"] == "" {
				t.Errorf("%s: %s %q %v", name, form.Canonicalizer, form.Payload, form.Facts)
			}
			continue
		}
		if string(form.Payload) != c.want || form.Canonicalizer != xmltext.Name {
			t.Errorf("%s: %q, want %q (%s %v)", name, form.Payload, c.want, form.Reason, form.Facts)
		}
	}
}

// The header is the source, identifiers are places.
func TestFacts(t *testing.T) {
	form, err := xmltext.Reader().Read(read.Input{Data: []byte(tei)})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"ids": "letter:1 p1:3 n1:6 v:4", "notes": "1", "deleted": "1"} {
		if form.Facts[key] != want {
			t.Errorf("%s is %q, want %q", key, form.Facts[key], want)
		}
	}
	s := form.Source
	if s.Title != "To Clara" || strings.Join(s.Creators, "; ") != "Ada Vale; Ben Vale" || s.Publisher != "The Mill Press" || s.PublishedAt != "1817-05" || s.Language != "en-GB" {
		t.Errorf("the source is %+v", s)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(tei))
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "c">]><a id="x">&b;<math><mn>1</mn></math></a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := xmltext.Reader().Read(read.Input{Data: data})
		if err != nil && form.Payload != nil {
			t.Error("an error with a payload")
		}
	})
}
