package forms

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"muniment/canon/read"
)

// A corpus collects inputs.
type corpus struct{ inputs []input }

func (c *corpus) add(label, name, mediaType string, data []byte) {
	c.inputs = append(c.inputs, input{label, read.Input{Name: name, MediaType: mediaType, Data: data}})
}

// each adds inputs of one kind, labelled by their number in the list. The list
// only ever grows at its end.
func (c *corpus) each(label, name, mediaType string, data ...string) {
	for i, s := range data {
		c.add(fmt.Sprintf("%s-%02d", label, i+1), name, mediaType, []byte(s))
	}
}

// goldenInputs makes the golden corpus. Nothing in it may change; what is new
// comes at the end of its list.
func goldenInputs() []input {
	c := &corpus{}
	c.unicode()
	c.charsets()
	c.markup()
	c.rows()
	c.mails()
	c.documents()
	c.bytes()
	c.damaged()
	c.shown()
	return c.inputs
}

// unicode adds what normal forms and line ends are about.
func (c *corpus) unicode() {
	text := func(label string, data ...string) { c.each("text-"+label, "a.txt", "", data...) }
	text("latin", "plain", "e\u0301", "\u00E9", "\u212B \u2126 \u212A", "A\u030A", "q\u0307\u0323", "a\u0315\u0300", "o\u0308\u0301", "\u1EAD \u1EDB", "\u0344 \u0340\u0341\u0343",
		"\uFB01 \u017F \u2460 \u00B2 \u00BD", "\u0132\u01C4\u01F1", "i\u0307 \u0130 \u0131", "\u1E9B\u0323")
	text("hangul", "\u1112\u1161\u11AB", "\uD55C\uAE00", "\uAC00\u11A8", "\uAC01\u11A8", "\u1100\u1100\u1161", "\u1161\u11A8", "\uD7A3\u11C2", "\u1100\u1161\u0301\u11A8", "\uA960\uD7B0\uD7CB", "\u3131\u314F \uFFA1\uFFC2")
	text("excluded", "\u0958\u0959\u095A\u095B", "\u09DC\u09DD\u09DF", "\u0A33\u0A36", "\u0B5C\u0B5D", "\u0F43\u0F4D\u0F73\u0F75\u0F76\u0F78\u0F81", "\u2ADC", "\uFB1D\uFB1F\uFB2A\uFB4E", "\U0001D15E\U0001D164\U0001D1BB", "\u0374\u037E\u0387", "\uF900\uFA10\uFAD9\U0002F800\U0002FA1D")
	text("indic", "\u0915\u093C \u0928\u093C", "\u0B47\u0B3E \u0B47\u0B56", "\u0BC6\u0BBE\u0BC7\u0BBE", "\u0CC6\u0CC2\u0CD5", "\u0DD9\u0DCF\u0DCA", "\u1025\u102E", "\u1B05\u1B35", "\U00011099\U000110BA \U00011131\U00011127", "\U00011347\U0001133E", "\U000114B9\U000114BA \U000115B8\U000115AF")
	text("marks", "a"+strings.Repeat("\u0301", 31), "a"+strings.Repeat("\u0301", 40), "x"+strings.Repeat("\u0323\u0307", 50), strings.Repeat("\u0300", 64), "Z"+strings.Repeat("\u0334\u0327\u0316\u0301", 200), "\u0301begins", "\n\u0323\u0307x", "e\u200D\u0301 e\u034F\u0301 e\u200B\u0301", "\u0315\u0300\u05AE\u0062")
	text("unassigned", "a\u0378b", "\u0378\u0301\u0323", "\U0001FAE9", "\u1C89\u1C8A", "\U00010D40", "\U000E0080x", "\U0003134F\U00031350")
	text("private", "\uE000\uF8FF", "\U000F0000\U000FFFFD", "\U00100000\U0010FFFD", "\uE000\u0301")
	text("noncharacter", "x\uFDD0\uFDEF", "x\uFFFE\uFFFF", "x\U0001FFFE\U0010FFFF", "\uFFFD")
	text("planes", "\U00010400\U00010428", "\U00012000\U00012399 cuneiform", "\U00013000\U0001342F", "\U00020000\U0002A6DF\U00030000", "\U0001D400\U0001D7FF", "\U0001E900\U0001E943", "\U00016FE4\U00018B00")
	text("bidi", "\u05E9\u05DC\u05D5\u05DD 123", "\u202B\u05D0\u202C abc", "\u2067\u0645\u2069", "abc \u200F\u061C\u200E def", "\u0627\u0653 \u0648\u0654 \u064A\u0654", "\u05E9\u05C1\u05BC \uFB2C", "\u202Eevil\u202C", "\u0671\u06D2\u0654\u06D5\u0654")
	text("emoji", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F44D\U0001F3FD", "\U0001F1E8\U0001F1ED", "1\uFE0F\u20E3", "\u2764\uFE0F\u200D\U0001F525", "\u2764\uFE0E", "\U0001F3F4\U000E0067\U000E0062\U000E007F", "\U0001FAE8")
	text("breaks", "a\u0085b", "a\u2028b\u2029c", "a\rb", "a\r\nb\r\r\nc", "a\n\rb", "a\r\u0085b", "a\u0085\nb", "a\n\n\n\nb", "\r\r\ra\r\r\r", "a\fb\vc", "a\u2029\u2029b", "\u0085\u2028a\u0085")
	text("blanks", "a \t \nb\t\n", "  a\n\tb", "a\u00A0\nb\u3000\n", "a   b\t\tc", " \n \n a", "a\n \t\n b", "a\u2003\u2009\n", "x \r\n\t\r\ny ", "a\u00ADb\u200B c\u2060", "a\n\u00A0\nb")
	text("mark", "\uFEFFa", "\uFEFF\uFEFFa", "a\uFEFFb", "a\n\uFEFFb", "\uFEFF\n\uFEFF\nb", "a\uFEFF", "\uFEFF \uFEFFa")
	text("units", "one\ntwo\n\nthree", "\n\none\n\n\n\ntwo\n\n", strings.Repeat("line\n", 1000), strings.Repeat("paragraph\n\n", 777), strings.Repeat("x", 100_000), "a\x1bb and some more words to be a text", "# Title\n\n* one\n* two\n\n    code\n")
	for _, s := range []struct{ name, text string }{
		{"amharic", "የአርታዒው ማስታወሻ፦ ወንዙ ሞላ።"}, {"armenian", "Գետը վարարեց մարտի 3-ին։"}, {"bengali", "নদীর জল বেড়েছিল ৩ মিটার।"}, {"burmese", "မြစ်ရေ တက်လာသည်။"}, {"cherokee", "ᎡᏉᏂ ᎤᏔᎾ ꭰꮿ"},
		{"devanagari", "नदी का जल ३ मीटर बढ़ा।"}, {"georgian", "მდინარე ადიდდა, Მდინარე."}, {"gujarati", "નદીનું પાણી ૩ મીટર વધ્યું."}, {"gurmukhi", "ਨਦੀ ਦਾ ਪਾਣੀ ੩ ਮੀਟਰ ਵਧਿਆ।"}, {"inuktitut", "ᑰᒃ ᐊᖏᔪᖅ"},
		{"kannada", "ನದಿಯ ನೀರು ೩ ಮೀಟರ್ ಏರಿತು."}, {"khmer", "ទន្លេឡើង ៣ ម៉ែត្រ។"}, {"lao", "ແມ່ນ້ຳຂຶ້ນ ໓ ແມັດ"}, {"malayalam", "നദിയിലെ വെള്ളം ൩ മീറ്റർ ഉയർന്നു."}, {"mongolian", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ"},
		{"odia", "ନଦୀ ଜଳ ୩ ମିଟର ବଢ଼ିଲା।"}, {"persian", "رودخانه ۳ متر بالا آمد، می\u200Cروم."}, {"polytonic", "ἐν ἀρχῇ ἦν ὁ λόγος, ᾧ ᾳ ΐ"}, {"sinhala", "ගඟේ ජලය මීටර් 3 කින් ඉහළ ගියේය."}, {"syriac", "ܢܗܪܐ ܪܒܐ ܣܠܩ"},
		{"tamil", "ஆற்று நீர் ௩ மீட்டர் உயர்ந்தது, கொ."}, {"telugu", "నది నీరు ౩ మీటర్లు పెరిగింది."}, {"tibetan", "གཙང་པོ་ཆུ་ཚད་༣་མཐོ་སོང་།"}, {"tifinagh", "ⴰⵙⵉⴼ ⵉⵎⵇⵇⵓⵔⵏ"}, {"urdu", "دریا ۳ میٹر بلند ہوا۔"}, {"vai", "ꕙꔤ ꔳꘋ"},
	} {
		c.add("script-"+s.name, "a.txt", "", []byte(s.text))
		c.add("script-"+s.name+"-nfd", "a.txt", "", []byte(norm.NFD.String(s.text)+"\r\n\r\n"))
	}
}

// charsets adds each language in each charset that can write it.
func (c *corpus) charsets() {
	for i, l := range languages {
		for j, charset := range append([]string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"}, l.charsets...) {
			end := []string{"\n", "\r\n", "\r"}[(i+j)%3]
			c.add("charset-"+l.name+"-"+charset, "a.txt", "text/plain; charset="+charset, encode(charset, withEnds(l.text, end)))
		}
		for _, charset := range l.guessed {
			c.add("guess-"+l.name+"-"+charset, "a.txt", "", encode(charset, l.text))
		}
		c.add("mark-"+l.name+"-utf-16le", "a.txt", "", encode("utf-16le", "\uFEFF"+l.text))
	}
}

// markup adds pages and values.
func (c *corpus) markup() {
	c.each("html", "a.html", "",
		"<p>one<p>two", "<h1>Title</h1>text <b>bold</b>, <i>slanted</i>.", "<ul><li>a<li>b<ul><li>c</ul></ul>", "<table><tr><th>a<th>b<tr><td>1<td></table>", "<table><tr><td><p>a</p><td>b<br>c</table>",
		"<pre>  kept\n   as is </pre>", "a<br>b<br><br>c", "<p hidden>no</p><p>yes", "<p style='display:none'>no</p>yes", "<img alt='a map'> of <img src=x>", "<script>no()</script><style>no{}</style>yes", "&eacute;&#xe9;&#233;&amp;&lt;&nbsp;|",
		"<ruby>漢<rt>kan</rt></ruby>", "<a role=doc-noteref href=#n>1</a>text", "<title>only</title>", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", "<details><summary>s</summary>inner</details>", "<svg><text>drawn</text><desc>no</desc></svg>",
		"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p/>x<![CDATA[ & ]]></body></html>", "<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2", "<p>e\u0301 \uFEFF \u0085 x", "<select><option>a<option>b</select><textarea>\n t </textarea>",
		"<blockquote><p>q</p></blockquote>after", "<p>x<sup>2</sup> H<sub>2</sub>O", "<template>no</template><noscript>no</noscript>yes", "<b><p>mis</b>nested</p>", strings.Repeat("<p>many ", 500), "<html lang=de><meta name=author content=A><title>T</title><p>x")
	c.each("json", "a.json", "",
		`{"b":1,"a":2}`, `[1,1.0,1e0,-0,0.10]`, `9007199254740993`, `"e\u0301"`, `{"é":1,"f":2}`, `[]`, `{}`, `null`, `"\u0000\u001f\u2028"`, `[[[[1]]]]`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, `"\ud83d"`, `[1,]`, `01`,
		`{"":{"":[]}}`, `"a\n\u0301b"`, `{"z":[{"y":"x"},true,false]}`, ` [ 1 , 2 ] `, `123456789012345678901234567890.000`)
	c.each("jsonl", "a.jsonl", "", "1\n2\n", `{"b":1,"a":2}`+"\r\n\r\n[3]", "{\"a\":\n1}", `"é"`+"\n"+`"e\u0301"`, "nul\n", `{"a":{"c":1,"b":[1.50]}}`)
	c.each("srt", "a.srt", "",
		"1\n00:00:01,000 --> 00:00:02,000\nHello\n", "1\n00:00:01.5 --> 00:00:02,000\nbad\n", "7\n01:00:00,000 --> 01:00:01,000\n<i>a</i>\nb\n\n8\n01:00:02,000 --> 01:00:03,000\n\n", "prose", "1\r\n0:00:01,000 --> 0:00:02,000\r\n{\\an8}x < y & z\r\n",
		"00:00:05,000 --> 00:00:01,000\nback\n", "1\n00:00:01,000 --> 00:00:02,000\ne\u0301 \u2028x\n")
	c.each("vtt", "a.vtt", "",
		"WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi &amp; bye\n", "WEBVTT\nLanguage: de\n\nNOTE n\n\na\n00:00:01.000 --> 00:00:02.000 line:0\nx<rt>y</rt>\n", "00:01.000 --> 00:02.000\nno head\n", "\uFEFFWEBVTT\r\n\r\n100:00:01.000 --> 100:00:02.000\r\nlate\r\n",
		"WEBVTT\n\n00:01.000 --> 00:02.000\na\nb\n\n00:03.000 --> 00:04.000\nc", "WEBVTT\n\nSTYLE\n::cue{}\n\nREGION\nid:x\n\n00:01.000 --> 00:02.000\n<c.red>x</c>\n")
}

// rows adds tables and databases' answers.
func (c *corpus) rows() {
	c.each("csv", "a.csv", "",
		"a,b\n1,2\n", "a;b\n1,5;2\n", "\"a \"\"q\"\"\",b\n", "a,\"two\nlines\"\n", "007,1e3,TRUE\n", "a,b\n1\n1,2,3\n", "x\n", ",\n,\n", "a,\"never closed\n", "a\tb\n1\t2\n", " a , b \n", "a,b\r\n\r\nc,d\r\n", "é,e\u0301\n", "\\,\\n\n", "a,b,\n", "\xEF\xBB\xBFa,b\n", "a|b\n1|2\n", "1,2\n3,4\n5,6")
	c.each("tsv", "a.tsv", "", "a\tb\n1\t2\n", "a\t\"b\n", "\t\n", "one\n")
	integer, word := column{"n", "integer"}, column{"s", "text"}
	result := func(query string, ordered bool, columns []column, rows ...[]any) string {
		if rows == nil {
			rows = [][]any{}
		}
		return string(resultOf(query, ordered, columns, rows))
	}
	c.each("dbresult", "result", "application/vnd.muniment.dbresult+json",
		result("SELECT 1", true, []column{integer}, []any{"1"}), result("SELECT 1", false, []column{integer}, []any{"2"}, []any{"1"}), result("SELECT 1", false, []column{integer}, []any{"1"}, []any{"2"}),
		result("SELECT 1", true, []column{integer}, []any{"2"}, []any{"1"}), result("SELECT s\nFROM t\n\nWHERE x", true, []column{word}, []any{nil}, []any{""}, []any{`\N`}), result("none", true, []column{integer, word}),
		result("d", true, []column{{"d", "decimal"}}, []any{"1.50"}, []any{"1.5"}), result("f", true, []column{{"f", "float"}}, []any{"NaN"}, []any{"1.5"}), result("t", true, []column{{"t", "timestamp"}}, []any{"1666-09-02T03:00:00Z"}),
		result("u", false, []column{word}, []any{"é"}, []any{"e\u0301"}, []any{"f"}), result("b", true, []column{{"b", "boolean"}, {"x", "bytes"}}, []any{"true", "00ff"}), result("bad", true, []column{integer}, []any{"1.5"}),
		result("tabs", true, []column{word}, []any{"a\tb\nc"}, []any{" x "}))
}

// mails adds mails and mailboxes.
func (c *corpus) mails() {
	const head = "From: A <a@b.example>\nDate: Fri, 3 Mar 1911 10:00:00 +0100\n"
	c.each("mail", "a.eml", "",
		head+"\nHello\n", head+"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nx\n", head+"Subject: =?iso-8859-1?b?R3L832U=?=\n\nx\n", head+"Content-Type: text/plain; charset=koi8-r\n\n\xf0\xf2\xe9\xf7\xe5\xf4\n",
		head+"Content-Transfer-Encoding: base64\n\nSGVsbG8sIHdvcmxkLg==\n", head+"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8\n\nCaf=C3=A9 =\nopen\n",
		head+"Content-Type: text/html\n\n<p>a<p>b\n", head+"Content-Type: multipart/alternative; boundary=b\n\n--b\n\nplain\n--b\nContent-Type: text/html\n\n<p>rich\n--b--\n",
		head+"Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--b--\n",
		head+"Content-Type: text/plain; format=flowed\n\n> quoted \n> on\nmine \non\n", "Subject: none else\n\n", "no mail at all", head+"To: b@c.example,\n \"D, E\" <d@e.example>\nCc: G: x@y.example;\n\nx\n", head+"\nunclosed =?utf-8?q?x\n",
		head+"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nnever closed\n", head+"Content-Type: message/rfc822\n\n"+head+"\ninner\n", head+"Subject: a\nSubject: b\n\nx\n", withEnds(head+"\nCRLF\n", "\r\n"), head+"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B4A;z\x1b(B\n",
		head+"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img alt=map>\n--b\nContent-Type: image/gif\n\nGIF89a\n--b--\n")
	const line = "From a@b.example Fri Mar  3 10:00:00 1911\n"
	c.each("mbox", "a.mbox", "", line+head+"\none\n", line+head+"\none\n\n"+line+head+"\ntwo\n", line+head+"\n>From quoted\n", "not one", line+"rubbish\n", withEnds(line+head+"\none\n\n"+line+head+"\ntwo\n", "\r\n"))
}

// documents adds packed documents, books and PDFs.
func (c *corpus) documents() {
	w := func(text string) string { return `<w:p><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>` }
	for i, body := range []string{
		w("one") + w("two"), w("e\u0301 \u00E9"), `<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>`, `<w:tbl><w:tr><w:tc>` + w("a") + `</w:tc><w:tc>` + w("b") + `</w:tc></w:tr></w:tbl>`,
		`<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>`, `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r><w:r><w:t>yes</w:t></w:r></w:p>`, w(""),
		`<w:p><w:r><w:t>soft</w:t><w:softHyphen/><w:noBreakHyphen/><w:t>x</w:t></w:r></w:p>`, w("a &amp; b &lt;c&gt; \u2028 d"), `<w:sdt><w:sdtContent>` + w("inside") + `</w:sdtContent></w:sdt>`,
	} {
		c.add(fmt.Sprintf("docx-%02d", i+1), "a.docx", "", pack(docxBody(body), packing{}))
	}
	for i, body := range []string{
		`<text:h>Title</text:h><text:p>one</text:p>`, `<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>`, `<text:list><text:list-item><text:p>a</text:p></text:list-item><text:list-item><text:p>b</text:p></text:list-item></text:list>`,
		`<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>`, `<text:p>x<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>`,
		`<text:p>e` + "\u0301" + `</text:p>`, `<text:p/>`, `<text:tracked-changes/><text:p>kept</text:p>`, `<text:p><text:span>a</text:span> <text:span>b</text:span></text:p>`,
	} {
		c.add(fmt.Sprintf("odt-%02d", i+1), "a.odt", "", pack(odtBody(body), packing{}))
	}
	for i, bodies := range [][]string{{"<p>one</p>"}, {"<h1>a</h1>", "<p>b</p>"}, {"<p>b</p>", "<h1>a</h1>"}, {"<p> </p>", "<p>x</p>"}, {"<p> </p>"}, {"<p>e\u0301</p>", "<table><tr><td>1</td><td>2</td></tr></table>", "<pre> x\n y</pre>"}} {
		c.add(fmt.Sprintf("epub-%02d", i+1), "a.epub", "", pack(epubChapters(bodies...), packing{}))
	}
	for i, pages := range [][][]string{{{"one word"}}, {{"The flood", "rose."}, nil, {"Caf\xE9 \\(shut\\)"}}, {{"one"}, {"two"}, {"three"}}, {nil}, {{"1.50 %", "\x93quoted\x94"}}} {
		c.add(fmt.Sprintf("pdf-%02d", i+1), "a.pdf", "", pdfOf(pages...))
	}
}

// bytes adds what is kept by its bytes.
func (c *corpus) bytes() {
	for _, side := range []int{1, 3, 16} {
		c.add(fmt.Sprintf("png-%02d", side), fmt.Sprintf("%d.png", side), "", pngHead(side))
	}
	c.add("gif", "a.gif", "", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	c.add("jpeg-head", "a.jpg", "", []byte("\xFF\xD8\xFF\xE0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xFF\xC0\x00\x0B\x08\x00\x02\x00\x03\x01\x01\x11\x00\xFF\xD9"))
	c.add("wav", "a.wav", "", wavOf(800))
	c.each("bytes", "a", "", "\x00", "\x7fELF\x02\x01\x01\x00\x00", "abc\x00def", "\xFF\xFE\x01\xD8", "PK\x05\x06"+strings.Repeat("\x00", 18), "\x1f\x8b\x08\x00")
	c.each("invisible", "a.txt", "", " ", "\n\n\n", "\uFEFF", "\u200B\u200D\u2060", "\u00A0\u3000\u00AD", "\U000E0020\uFE0F", "\x01\x02\x03\x04")
	c.each("unknown", "a", "application/x-unknown", "text under another type", "\x01")
}

// pngHead is a PNG head that states its size; a whole picture would
// change with the encoder that wrote it.
func pngHead(side int) []byte {
	return []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00" + string(rune(side)) + "\x00\x00\x00" + string(rune(side)) + "\x08\x00\x00\x00\x00\x00\x00\x00\x00")
}

// damaged adds UTF-8 with ill-formed sequences and their maximal subparts.
func (c *corpus) damaged() {
	prose := strings.Repeat("Zoé and André, ", 100)
	c.each("damaged", "a.txt", "", prose+"\xFF\xFE", prose+"\xF0\x9F\x98", prose+"\xE2\x82A", prose+"\xED\xA0\x80", prose+"\xC0\xAF", prose+"\xF4\x91\x92\x93")
	c.each("damaged-html", "a.html", "", "<!-- <meta charset=koi8-r> --><meta charset=windows-1251><p>\xCF\xF0\xE8\xE2\xE5\xF2")
}

// shown adds what stands beside the words: raised and lowered figures, numbers of
// lists, values of fields.
func (c *corpus) shown() {
	c.each("shown-html", "a.html", "",
		"<p>10<sup>6</sup>", "<p>10<sub>6</sub>", "<p>106", "<p>10^6", "<p>1<sup>st</sup>", "<p>2<sup>3/4</sup>", "<p>2<sup>2<sup>3</sup></sup>", "<p>word<sup><a href=#n>1</a></sup>", "<p>word<sup>[1]</sup>",
		"<math><msup><mn>10</mn><mn>6</mn></msup></math>", "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "<ol><li>a<li>b</ol>", "<ol start=2><li>a<li>b</ol>", "<ol reversed><li>a<li>b</ol>", "<ol type=a><li>a<li>b</ol>",
		"<ol type=I><li>a<li value=7>b</ol>", "<ul><li>a<li>b</ul>", "<ol style='list-style:none'><li>a<li>b</ol>", "<nav><ol><li>a<li>b</ol></nav>", "<ol><li>a<ol type=a><li>b</ol></ol>", "<ol><li><p>a<li></ol>",
		"<p>Sum <input value=5>", "<p>Sum <input value=6>", "<p>Sum <input type=hidden value=5>", "<p><input type=checkbox checked> yes", "<p><input type=checkbox> yes", "<select><option>1<option selected>2</select>")
	for i, body := range []string{"<p>10<sup>6</sup></p>", "<p>106</p>", `<ol start="3"><li>a</li></ol>`} {
		c.add(fmt.Sprintf("shown-epub-%02d", i+1), "a.epub", "", pack(epubChapters(body), packing{}))
	}
	for i, properties := range []string{"", `<w:vertAlign w:val="superscript"/>`, `<w:vertAlign w:val="subscript"/>`} {
		c.add(fmt.Sprintf("shown-docx-%02d", i+1), "a.docx", "", pack(docxBody(`<w:p><w:r><w:t>10</w:t></w:r><w:r><w:rPr>`+properties+`</w:rPr><w:t>6</w:t></w:r></w:p>`), packing{}))
	}
}
