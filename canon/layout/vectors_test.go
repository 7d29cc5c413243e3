package layout_test

import (
	"strings"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/layout"
	"muniment/canon/read"
)

const vectorDir = "../../testvectors/canon-layout"

var registry = read.NewRegistry(layout.ALTO(), layout.HOCR(), layout.PAGE(), read.Reader{
	Name: "xml@0", MediaTypes: []string{"text/xml", "application/xml"}, Extensions: []string{".xml"},
	Read: func(read.Input) (read.Form, error) { return read.Form{}, nil },
})

// vectors are the cases of the three forms, by the names of their files.
var vectors = func() map[string]formstest.Case {
	alto := func(head, blocks string) string {
		return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">` + head + `<Layout><Page><PrintSpace>` + blocks + `</PrintSpace></Page></Layout></alto>` + "\n"
	}
	row := func(box, words string) string {
		return `<TextLine ` + box + `>` + words + `</TextLine>`
	}
	word := func(s string) string { return `<String CONTENT="` + s + `"/>` }
	const at, below = `HPOS="10" VPOS="20" WIDTH="300" HEIGHT="30"`, `HPOS="12" VPOS="60" WIDTH="310" HEIGHT="28"`
	block := func(lines ...string) string { return `<TextBlock>` + strings.Join(lines, "") + `</TextBlock>` }
	hocr := func(body string) string {
		return `<html><head><meta charset="utf-8"><meta name="ocr-system" content="tesseract 5.3.0"></head><body>` + body + "</body></html>\n"
	}
	page := func(body string) string {
		return `<?xml version="1.0" encoding="UTF-8"?><PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Metadata><Creator>A. Meier</Creator></Metadata>` + body + "</PcGts>\n"
	}
	region := func(id, inside string) string { return `<TextRegion id="` + id + `">` + inside + `</TextRegion>` }
	equiv := func(s string) string { return `<TextEquiv><Unicode>` + s + `</Unicode></TextEquiv>` }
	text := func(name, data string) formstest.Case { return formstest.NewCase(name, "", data, formstest.Text) }
	asBytes := func(name, data string) formstest.Case { return formstest.NewCase(name, "", data, formstest.Bytes) }
	many := strings.Repeat(row(`HPOS="100000" VPOS="100000" WIDTH="100000" HEIGHT="100000"`, word("a")), 19000)
	return map[string]formstest.Case{
		"alto-two-blocks":      text("a.xml", alto("", block(row(at, word("Dear")+"<SP/>"+word("Zoë,"))+row(below, word("come.")))+block(row(at, word("Ann"))))),
		"alto-stated":          text("a.xml", alto(`<Description><MeasurementUnit>mm10</MeasurementUnit><sourceImageInformation><fileName>scan.tif</fileName></sourceImageInformation><Processing><processingSoftware><softwareName>Reader</softwareName><softwareVersion>2</softwareVersion></processingSoftware></Processing></Description>`, block(row(at, `<String CONTENT="Sure" WC="0.9"/><String CONTENT="so" WC="0.5"/>`)))),
		"alto-broken-word":     text("a.alto", alto("", block(row(at, word("har")+"<HYP/>")+row(below, word("bour")))+block(row(at, word("ship-")+`<HYP CONTENT="-"/>`)))),
		"alto-margins":         text("a.xml", strings.Replace(alto("", block(row(at, word("body")))), "<PrintSpace>", "<TopMargin>"+block(row(at, word("head")))+"</TopMargin><PrintSpace>", 1)),
		"alto-nested-blocks":   text("a.xml", alto("", "<ComposedBlock>"+block(row(at, word("a")))+block(row(below, word("b")))+"</ComposedBlock>")),
		"alto-box-of-words":    text("a.xml", alto("", block(row("", `<String CONTENT="a" HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4"/><String CONTENT="b" HPOS="11" VPOS="2" WIDTH="3" HEIGHT="8"/>`)))),
		"alto-no-boxes":        text("a.xml", alto("", block(row("", word("a"))))),
		"alto-fractions":       text("a.xml", alto("", block(row(`HPOS="10.6" VPOS="-3" WIDTH="1e99" HEIGHT="NaN"`, word("a"))+row(`HPOS="0.4" VPOS="7.5" WIDTH="2.5" HEIGHT="1"`, word("b"))))),
		"alto-three-pages":     text("a.xml", strings.Replace(alto("", block(row(at, word("one")))), "</Page>", "</Page><Page/><Page><PrintSpace>"+block(row(at, word("three")))+"</PrintSpace></Page>", 1)),
		"alto-empty-lines":     text("a.xml", alto("", block(row(at, word(" "))+row(below, word("a")))+block()+block(row(at, word("b"))))),
		"alto-unsure":          text("a.xml", alto("", block(row(at, `<String CONTENT="a" WC="7"/><String CONTENT="b" WC="x"/>`)))),
		"alto-prefixed":        text("a.xml", `<a:alto xmlns:a="x"><a:Layout><a:Page><a:TextBlock><a:TextLine><a:String CONTENT="a"/></a:TextLine></a:TextBlock></a:Page></a:Layout></a:alto>`),
		"alto-many-lines":      text("a.xml", alto("", block(many))),
		"alto-no-page":         asBytes("a.xml", `<alto><Layout/></alto>`),
		"alto-no-text":         asBytes("a.xml", alto("", block(row(at, "")))),
		"alto-cut":             asBytes("a.xml", alto("", block(row(at, word("a"))))[:180]),
		"alto-entity":          asBytes("a.xml", alto("", block(row(at, `<String CONTENT="&deep;"/>`)))),
		"hocr-two-paragraphs":  text("a.hocr", hocr(`<div class="ocr_page" title='image "scan.png"; bbox 0 0 400 600'><p class="ocr_par"><span class="ocr_line" title="bbox 5 6 105 36"><span class="ocrx_word" title="bbox 5 6 30 36; x_wconf 90">Dear</span> Zoë,</span><span class="ocr_line" title="bbox 5 40 90 70">come.</span></p><p class="ocr_par"><span class="ocr_line">Ann</span></p></div>`)),
		"hocr-areas":           text("a.hocr", hocr(`<div class="ocr_page"><div class="ocr_carea"><span class="ocr_header">a</span></div><div class="ocr_carea"><span class="ocr_caption">b</span></div></div>`)),
		"hocr-two-pages":       text("a.hocr", hocr(`<div class="ocr_page"><span class="ocr_line">a</span></div><div class="ocr_page"><span class="ocr_line">b</span></div>`)),
		"hocr-not-in-a-line":   text("a.hocr", hocr(`<div class="ocr_page">lost<span class="ocr_line">a</span></div>`)),
		"hocr-bad-box":         text("a.hocr", hocr(`<div class="ocr_page"><span class="ocr_line" title="bbox 9 9 1 1">a</span><span class="ocr_line" title="bbox 1 2 3">b</span></div>`)),
		"hocr-no-page":         asBytes("a.hocr", hocr(`<span class="ocr_line">a</span>`)),
		"hocr-no-line":         asBytes("a.hocr", hocr(`<div class="ocr_page">a</div>`)),
		"page-reading-order":   text("a.xml", page(`<Page imageFilename="s.png"><ReadingOrder><OrderedGroup><RegionRefIndexed index="1" regionRef="a"/><OrderedGroupIndexed index="0"><RegionRefIndexed index="5" regionRef="c"/><RegionRefIndexed index="4" regionRef="b"/></OrderedGroupIndexed></OrderedGroup></ReadingOrder>`+region("a", `<TextLine><Coords points="1,2 11,2 11,22 1,22"/>`+equiv("third")+`</TextLine>`)+region("b", `<TextLine>`+equiv("first")+`</TextLine>`)+region("c", `<TextLine>`+equiv("second")+`</TextLine>`)+region("d", `<TextLine>`+equiv("last")+`</TextLine>`)+`</Page>`)),
		"page-words":           text("a.xml", page(`<Page>`+region("a", `<TextLine><Word>`+equiv("Dear")+`</Word><Word>`+equiv("Zoë,")+`</Word></TextLine>`)+`</Page>`)),
		"page-readings":        text("a.xml", page(`<Page>`+region("a", `<TextLine><TextEquiv index="2"><Unicode>no</Unicode></TextEquiv><TextEquiv index="1" conf="0.8"><Unicode>yes</Unicode></TextEquiv></TextLine>`)+`</Page>`)),
		"page-region-text":     text("a.xml", page(`<Page>`+region("a", `<Coords points="0,0 9,9"/>`+equiv("a\nb"))+`</Page>`)),
		"page-points":          text("a.xml", page(`<Page>`+region("a", `<TextLine><Coords><Point x="3" y="4"/><Point x="13" y="24"/></Coords>`+equiv("a")+`</TextLine>`)+`</Page>`)),
		"page-nested-regions":  text("a.xml", page(`<Page>`+region("a", region("b", `<TextLine>`+equiv("inner")+`</TextLine>`)+`<TextLine>`+equiv("outer")+`</TextLine>`)+`</Page>`)),
		"page-bad-coordinates": text("a.xml", page(`<Page>`+region("a", `<TextLine><Coords points="1 x,y 2,"/>`+equiv("a")+`</TextLine>`)+`</Page>`)),
		"page-no-text":         asBytes("a.xml", page(`<Page>`+region("a", "")+`</Page>`)),
		"page-no-page":         asBytes("a.xml", page("")),
	}
}()

// Every vector gives exactly what its file says, and the files are those of the table.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: registry, Table: vectors}
	set.Run(t, 33)
}

// Region gives the box around lines, and nothing for facts that are none.
func TestRegion(t *testing.T) {
	facts := map[string]string{"regions": "10,20,300,30 12,60,310,28 - 5,5,1,1"}
	for _, tt := range []struct {
		first, last int
		want        string
	}{{1, 1, "10,20,300,30"}, {1, 2, "10,20,312,68"}, {2, 3, "12,60,310,28"}, {3, 3, ""}, {9, 9, ""}, {4, 9, "5,5,1,1"}} {
		box, ok := layout.Region(facts, tt.first, tt.last)
		if ok != (tt.want != "") || ok && box.String() != tt.want {
			t.Errorf("lines %d to %d are at %v, %v, want %q", tt.first, tt.last, box, ok, tt.want)
		}
	}
	for _, bad := range []string{"", "1,2,3", "a,b,c,d", "1,2,3,4,5"} {
		if box, ok := layout.Region(map[string]string{"regions": bad}, 1, 1); ok {
			t.Errorf("%q is %v", bad, box)
		}
	}
}

// A file that is cut or changed anywhere gives a text or its bytes, and no panic.
func TestDamage(t *testing.T) {
	ran := 0
	for name, c := range vectors {
		if len(c.Data) > 4096 {
			continue
		}
		for at := range len(c.Data) {
			for _, data := range []string{c.Data[:at], c.Data[:at] + "<" + c.Data[at:], c.Data[:at] + c.Data[at+1:]} {
				if data == "" {
					continue
				}
				in := c.Input()
				in.Data = []byte(data)
				form, err := registry.Canonicalize(in)
				if err != nil || len(form.Payload) == 0 {
					t.Fatalf("%s, byte %d: %v", name, at, err)
				}
				ran++
			}
		}
	}
	if ran < 1000 {
		t.Errorf("%d damaged files were tried", ran)
	}
}
