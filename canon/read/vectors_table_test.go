package read_test

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/unicode/norm"

	"muniment/canon/formstest"
)

// letter is written in many encodings below.
const letter = "Zürich, 3 March 1911\n\nMy dear Zoë,\n\nthe café was shut when I came, and I walked home along the river.\nThe water was “as grey as slate” – you would have liked it.\n\nYours, André\n"

// page has one of everything that html@2 decides about.
const namedEncoding = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>The  flood of 1910</title>
<meta name="author" content="A. Meier"><meta property="article:published_time" content="1910-06-15">
<meta property="og:site_name" content="Valley Gazette"><link rel="canonical" href="https://example.org/flood">
<style>p { color: red }</style><script>document.write("no")</script></head>
<body><h1>The flood</h1>
<p>On the <b>15th</b> of June
the river rose<a href="#n1" role="doc-noteref">1</a> by 3&nbsp;m.<br>Nobody was hurt.</p>
<p hidden>draft</p><p style="display: none">ad</p>
<img src="m.png" alt="Map of the valley">
<ul><li>bridges<ul><li>old<li>new</ul><li>mills</ul>
<table><caption>Levels</caption><tr><th>Day<th>Level</tr><tr><td>14<td>1.2</tr><tr><td>15<td></tr></table>
<table><tr><td><p>Left column</p><p>goes on</p></td><td>Right<br>column</td></tr></table>
<pre>
  a   b
	c
</pre>
</body></html>
`

// in writes a text in an encoding that has all its characters.
func in(e encoding.Encoding, text string) []byte {
	out, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		panic(err)
	}
	return out
}

func replace(text, from, to string) []byte {
	return []byte(strings.ReplaceAll(text, from, to))
}

// vectors are the inputs by file name. What follows from them is in the files.
var vectors = func() map[string]formstest.Case {
	le16, be16 := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	le32, be32 := utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	text := func(s string) formstest.Case { return formstest.NewCase("a.txt", "", s, "text") }
	web := func(s string) formstest.Case { return formstest.NewCase("a.html", "", s, "text") }
	table := func(s string) formstest.Case { return formstest.NewCase("a.csv", "", s, "text") }
	bytes := func(name, s string) formstest.Case { return formstest.NewCase(name, "", s, "bytes") }
	return map[string]formstest.Case{
		"letter-utf8":              text(letter),
		"letter-utf8-mark":         text("\uFEFF" + letter),
		"letter-nfd":               text(norm.NFD.String(letter)),
		"letter-crlf":              formstest.NewCase("a.txt", "", string(replace(letter, "\n", "\r\n")), "text"),
		"letter-cr":                formstest.NewCase("a.txt", "", string(replace(letter, "\n", "\r")), "text"),
		"letter-nel":               formstest.NewCase("a.txt", "", string(replace(letter, "\n", "\u0085")), "text"),
		"letter-separators":        formstest.NewCase("a.txt", "", string(replace(letter, "\n", "\u2028")), "text"),
		"letter-trailing":          formstest.NewCase("a.txt", "", string(replace("\n \n"+letter+"\n\n", "\n", " \t\n")), "text"),
		"letter-no-final-lf":       text(strings.TrimSuffix(letter, "\n")),
		"letter-utf16le-mark":      formstest.NewCase("a.txt", "", string(in(le16, "\uFEFF"+letter)), "text"),
		"letter-utf16be-mark":      formstest.NewCase("a.txt", "", string(in(be16, "\uFEFF"+letter)), "text"),
		"letter-utf16le":           formstest.NewCase("a.txt", "", string(in(le16, letter)), "text"),
		"letter-utf32le-mark":      formstest.NewCase("a.txt", "", string(in(le32, "\uFEFF"+letter)), "text"),
		"letter-utf32be":           formstest.NewCase("a.txt", "", string(in(be32, letter)), "text"),
		"letter-windows1252-hint":  formstest.NewCase("a.txt", "text/plain; charset=iso-8859-1", string(in(charmap.Windows1252, letter)), "text"),
		"letter-windows1252-guess": formstest.NewCase("a.txt", "", string(in(charmap.Windows1252, letter)), "text"),
		"letter-macintosh-hint":    formstest.NewCase("a.txt", "text/plain; charset=macintosh", string(in(charmap.Macintosh, letter)), "text"),

		"text-blank-lines":      text("a\n\n\nb\n \nc\n"),
		"text-composition":      text("e\u0301 \u212B \u0958 \u1112\u1161\u11AB a\u0315\u0300 o\u0302\u0323\n"),
		"text-long-marks":       text("a" + strings.Repeat("\u0307\u0323", 20) + "\n"),
		"text-control-kept":     text(strings.Repeat("forty characters of text before a break ", 2) + "\n\f\nb\u00AD\u200Bc\u00A0\n"),
		"text-inner-mark":       text("\uFEFF \n\uFEFFa\uFEFFb\n"),
		"text-unassigned":       text("a\u0378\u1C89b\n"),
		"text-damaged":          text(strings.Replace(letter, "André", "Andr\xE9", 1)),
		"text-damaged-subparts": text(strings.Repeat("Zoé and André, ", 100) + "\xF0\x9F\x98 \xE2\x82A \xED\xA0\x80\n"),
		"text-markdown":         formstest.NewCase("a.md", "", "# A\n\n- b\n", "text"),
		"text-no-extension":     formstest.NewCase("notes", "", "a, b\nc, d\n", "text"),
		"text-hint-over-name":   formstest.NewCase("a.bin", "text/plain", "a\n", "text"),
		"text-combining-first":  text("\u0301a\n"),
		"bytes-nothing-visible": bytes("a.txt", "\uFEFF \r\n\u200B\u00A0\n"),
		"bytes-zero":            bytes("a.txt", "a\x00b\n"),
		"bytes-controls":        bytes("a.txt", "\x01\x02\x03\x04ab"),
		"bytes-picture":         bytes("a.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		"bytes-named-text":      bytes("a.txt", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		"refused-empty":         formstest.NewCase("a.txt", "", "", "refused"),

		"html-page":           web(namedEncoding),
		"html-windows1252":    formstest.NewCase("a.html", "", "<meta charset=windows-1252><p>caf\xE9", "text"),
		"html-struck":         web("<p>The hens did <del>not</del> sell, <s>nor</s><strike> the <b>old</b> mare </strike>: 10<del><sup>6</sup></del><ol><li><del>gone</del><li>kept</ol>"),
		"html-struck-lines":   web("<del><p>one<p>two<br>three</del><pre>a\n<s>  b\n\nc</s> d</pre><table><tr><td><s>x</s><td>y</table>"),
		"html-struck-style":   web("<style>/* .n { text-decoration: line-through } */ @import 'a.css'; .o, p.q { text-decoration: line-through red } @media print { b { text-decoration: line-through } } @media screen { #i { text-decoration-line: line-through } } del { text-decoration: none } div .n { text-decoration: line-through }</style><p><span class='a o'>one</span> <span style='text-decoration: underline line-through'>two</span> <b>three</b> <i id=i>four</i> <del>five</del> <u class=n>six</u><p class=q>seven<p class=o style='text-decoration: none'>eight"),
		"html-reversed":       web("<p>a <bdo dir=rtl>dlos ton did</bdo> b <bdo dir=rtl>\u05d0\u05d1</bdo> <bdo dir=ltr>\u05d0\u05d1</bdo> <bdo dir=ltr>c</bdo> <span style='direction: rtl; unicode-bidi: bidi-override'>d</span>"),
		"html-hidden-rules":   web("<style>.gone { display: none } #v { visibility: hidden } .back { visibility: visible }</style><p>a<span class=gone>no</span><p id=v>no<b class=back>b</b>no<p style='visibility: collapse'>no<img alt=no><p>c"),
		"html-br":             web("a<br>b<br><br>c<br><br><br>d"),
		"html-empty-cells":    web("<table><tr><td><td>b<td><tr><td>c</table>"),
		"html-nested-table":   web("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>"),
		"html-misnested":      web("<p>1<b>2<i>3</b>4</i>5<p>6"),
		"html-raw-text":       web("<textarea><b>x</b></textarea><img alt='<i>y</i>'><xmp><u></xmp>"),
		"html-aria-hidden":    web("a<span aria-hidden=true>b</span>"),
		"html-drawing":        web("<svg><title>t</title><desc>d</desc><text>label</text></svg>"),
		"html-sniffed":        formstest.NewCase("page", "", "<!DOCTYPE html><p>a", "text"),
		"html-raised":         web("<p>10<sup>6</sup> m<sup>−2</sup>, H<sub>2</sub>O, word<sup><a href=#n>1</a></sup>, 10<sup> 6 </sup>m"),
		"html-raised-words":   web("<p>1<sup>st</sup>, M<sup>me</sup>, word<sup>*</sup>, word<sup>[1]</sup>"),
		"html-raised-set-off": web("<p>2<sup>3/4</sup> x<sub>2a</sub> 2<sup>−k</sup>"),
		"html-raised-nested":  web("<p>2<sup>2<sup>3</sup></sup> x<sub>i<sub>1</sub></sub>"),
		"html-raised-lines":   web("<p>10<sup>6<br>7</sup>"),
		"html-raised-style":   web("<p>10<span style='vertical-align: super'>6</span>"),
		"html-not-raised":     web("<p>106"),
		"html-mathml":         web("<math><msup><mi>x</mi> <mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><msqrt><mn>3</mn></msqrt></math>"),
		"html-ol":             web("<ol><li>a<li>b</ol>"),
		"html-ol-start":       web("<ol start=3><li>a<li>b</ol>"),
		"html-ol-reversed":    web("<ol reversed><li>a<li hidden>b<li>c</ol>"),
		"html-ol-type":        web("<ol type=a start=26><li>a<li>b</ol><ol type=I start=9><li>c<li>d</ol>"),
		"html-ol-value":       web("<ol><li>a<li value=7>b<li>c</ol>"),
		"html-ol-nested":      web("<ol><li>a<ol type=i><li>b<li>c</ol><li>d<ul><li>e</ul></ol>"),
		"html-ol-paragraphs":  web("<ol><li><p>a<p>b<li><p>c<li></ol>"),
		"html-ol-none":        web("<ol style='list-style:none'><li>a</ol><ol type=none><li>b</ol>"),
		"html-ol-navigation":  web("<nav><ol><li>a</ol></nav><ol><li>b</ol>"),
		"html-fields":         web("<p>Name <input value=Pepys> <input type=hidden value=no><input type=password value=no><input type=submit value=Send>"),
		"html-boxes":          web("<p><input type=checkbox checked>a <input type=checkbox>b <input type=radio checked>c <input type=radio>d<select><option>e<option selected>f</select>"),
		"xhtml-empty":         formstest.NewCase("a.xhtml", "", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body><p/><p>a<i/>b<![CDATA[<c>]]></p></body></html>`, "text"),
		"html-all-hidden":     bytes("a.html", "<title>T</title><p hidden>a"),
		"html-too-deep":       bytes("a.html", strings.Repeat("<div>", 520)+"a"),
		"csv-commas":          table("day,what,sum\n1911-03-03,\"ferry, both ways\",007\n1911-03-04,\"said \"\"no\"\"\",1e5\n"),
		"csv-semicolons":      table("a;b\n1,5;2\n3,5;4\n"),
		"csv-tabs":            formstest.NewCase("a.tsv", "", "a\tb,c\n1\t2,3\n", "text"),
		"csv-break-in-cell":   table("a,\"b\r\nc\"\nd,\"e\n\u0301f\"\n"),
		"csv-escapes":         table("\"a\tb\",c\\d\n\\,\" \"\n"),
		"csv-empty-cells":     table(",,\na,,\n,,b\n\nc,d,\n"),
		"csv-ragged":          table("a,b,c\n1,2,3\n4,5\n"),
		"csv-stray-mark":      table("size,what\n5\" disk,old\n3\" disk,new\n"),
		"csv-never-closed":    table("a,b\n\"c,d\ne,f\n"),
		"csv-one-column":      table("a\nb\n"),
		"csv-nothing":         bytes("a.csv", ",,\n,,\n"),
	}
}()
