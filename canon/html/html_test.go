package html

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/read"
)

func form(t *testing.T, page string) read.Form {
	t.Helper()
	f, err := readPage(read.Input{Name: "page.html", Data: []byte(page)})
	if err != nil {
		t.Fatalf("%.80q: %v", page, err)
	}
	return f
}

func TestPayload(t *testing.T) {
	cases := []struct{ name, page, want string }{
		{"paragraphs", "<p>one<p>two", "one\n\ntwo\n"},
		{"white space", "<p> a \n\t b&nbsp;c </p>", "a b\u00A0c\n"},
		{"inline elements", "a<b>b</b><i> c</i> <em>d</em>", "ab c d\n"},
		{"space between inline", "<b>a </b> <i> b</i>", "a b\n"},
		{"nested blocks", "<div><div><p>a</p></div></div><div>b</div>", "a\n\nb\n"},
		{"text beside blocks", "a<div>b</div>c", "a\n\nb\n\nc\n"},
		{"headings", "<h1>H</h1><p>a</p>", "H\n\na\n"},
		{"br", "a<br>b <br> c<br><br>d<br><br><br>e", "a\nb\nc\n\nd\n\ne\n"},
		{"br at the edges", "<p><br>a<br></p><p>b</p>", "a\n\nb\n"},
		{"list", "<p>x</p><ul><li>a<li>b</ul><p>y", "x\n\na\nb\n\ny\n"},
		{"nested list", "<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "a\n1. b\n2. c\nd\n"},
		{"definitions", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\nb\nc\nd\n"},
		{"table", "<table><caption>T</caption><tr><th>a<th>b<tr><td>1 <td> 2</table>", "T\n\na\tb\n1\t2\n"},
		{"table in parts", "<table><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2</table>", "a\tb\n1\t2\n"},
		{"empty cells", "<table><tr><td><td>b<td><tr><td>1<td><td>3<tr><td><td><td><tr><td>x</table>", "\tb\n1\t\t3\nx\n"},
		{"inline in cells", "<table><tr><td><b>a</b> <i>b</i><td><a href=x>c</a></table>", "a b\tc\n"},
		{"layout table", "<table><tr><td><p>a</p><p>b</p><td>c<br>d</table>", "a\n\nb\n\nc\nd\n"},
		{"table in table", "<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", "a\tb\n\nc\n"},
		{"pre", "<p>x</p><pre>\n a  b\n\n\tc \n</pre><p>y", "x\n\n a  b\n\n\tc\n\ny\n"},
		{"textarea", "<textarea>\na\n b</textarea>", "a\n b\n"},
		{"alt", "<p>see <img src=x alt=\" the  map\"> and <img src=y> this", "see the map and this\n"},
		{"image button", "<input type=image alt=go><input type=text value=yes>", "go yes\n"},
		{"dropped", "<script>a</script><style>b</style><template>c</template><noscript>d</noscript><iframe>e</iframe><p>f", "f\n"},
		{"hidden", "a<span hidden>b</span><div style='Display : NONE !important'>c</div><p style='display:none;display:block'>d", "a\n\nd\n"},
		{"hidden cell", "<table><tr><td>a<td hidden>b<td>c</table>", "a\t\tc\n"},
		{"aria-hidden is shown", "a <span aria-hidden=true>b</span>", "a b\n"},
		{"dialog", "a<dialog>b</dialog><dialog open>c</dialog>", "a\n\nc\n"},
		{"drawing", "<svg><title>t</title><desc>d</desc><text>label</text></svg>", "label\n"},
		{"noteref", "<p>1659–60<a href=n role=doc-noteref>47</a>. Then", "1659–60. Then\n"},
		{"title is not text", "<title>T</title><p>a", "a\n"},
		{"comments", "a<!-- b -->c", "ac\n"},
		{"references", "&eacute;&#x301;&amp;&lt;b&gt;", "é\u0301&<b>\n"},
		{"unclosed anchors", "<p>" + strings.Repeat("<a name=x>y ", 600), strings.TrimSpace(strings.Repeat("y ", 600)) + "\n"},
		{"tags in plain sight", "<textarea><b>x</b> <a name=q></textarea><img alt='<i>y</i>'>", "<b>x</b> <a name=q>\n\n<i>y</i>\n"},
		{"misnested", "<p>1<b>2<i>3</b>4</i>5</p>", "12345\n"},
		{"ruby", "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢(かん)\n"},
		{"empty xhtml elements", `<?xml version="1.0"?><html><head><script src="x"/><title/></head><body><p/><p>a<span id="q"/>b</p><div/>c<![CDATA[<d>]]></body></html>`, "ab\n\nc<d>\n"},
		{"nothing", "<title>T</title><p> </p>", ""},
	}
	for _, c := range cases {
		if got := string(form(t, c.page).Payload); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSource(t *testing.T) {
	const page = `<!doctype html><html lang="en-GB"><head><title>
 The  Fire </title>
<meta name=author content="S. Pepys"><meta name="DC.creator" content="S. Pepys"><meta property="article:author" content="https://example.org/p">
<meta name=citation_author content="J. Evelyn"><meta property="og:site_name" content="Cafe&#x301; Press">
<meta name=date content="1666-09-03"><meta property="article:published_time" content="1666-09-02T03:00:00+01:00">
<link rel="alternate canonical" href="https://example.org/fire"><meta property="og:url" content="https://example.org/other">
</head><body><p>a<span hidden>b</span><img alt=c><a href=n role=doc-noteref>1</a></p></body></html>`
	f := form(t, page)
	want := read.Meta{
		Title: "The Fire", Creators: []string{"S. Pepys", "J. Evelyn"}, Publisher: "Café Press",
		URL: "https://example.org/fire", PublishedAt: "1666-09-02T03:00:00+01:00", Language: "en-GB",
	}
	if diff := cmp.Diff(want, f.Source); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"hidden": "1", "images": "1", "noterefs": "1"}, f.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestDate(t *testing.T) {
	cases := []struct{ in, want string }{
		{"2020-02-29", "2020-02-29"}, {"2020-02-29T01:02:03Z", "2020-02-29T01:02:03Z"}, {"2020/02/28", "2020-02-28"},
		{"2020-02-29T01:02", "2020-02-29"}, {"2020-02-29 01:02", "2020-02-29"},
		{"2021-02-29", ""}, {"2020-02", ""}, {"29 Feb 2020", ""}, {"2020-02-290", ""}, {"", ""},
	}
	for _, c := range cases {
		if got := date(c.in); got != c.want {
			t.Errorf("date(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCharset(t *testing.T) {
	cases := []struct{ name, mediaType, page, charset string }{
		{"meta", "", "<meta charset=windows-1252><p>caf\xE9", "windows-1252 hint"},
		{"http-equiv", "", "<meta http-equiv=content-type content=\"text/html; charset=ISO-8859-1\"><p>caf\xE9", "windows-1252 hint"},
		{"xml", "", "<?xml version='1.0' encoding='iso-8859-1'?><p>caf\xE9</p>", "windows-1252 hint"},
		{"not in a comment", "", "<!-- <meta charset=koi8-r> --><meta charset=windows-1252><p>caf\xE9", "windows-1252 hint"},
		{"not an unknown one", "", "<meta charset=bogus><meta charset=windows-1252><p>caf\xE9", "windows-1252 hint"},
		{"the sender knows better", "text/html; charset=macintosh", "<meta charset=windows-1252><p>caf\x8E", "macintosh hint"},
		{"utf-16 cannot be declared", "", "<meta charset=utf-16><p>café", "utf-8 valid"},
	}
	for _, c := range cases {
		f, err := readPage(read.Input{MediaType: c.mediaType, Data: []byte(c.page)})
		if err != nil || string(f.Payload) != "café\n" || f.Charset != c.charset {
			t.Errorf("%s: got %q as %q, %v", c.name, f.Payload, f.Charset, err)
		}
	}
}

func TestLimits(t *testing.T) {
	cases := []struct{ name, page, want string }{
		{"tags", strings.Repeat("<p>", MaxTags+1), "html@2: the page has 500001 tags, at most 500000 are read"},
		{"depth", strings.Repeat("<div>", 600), "html@2: html: open stack of elements exceeds 512 nodes"},
		{"output", strings.Repeat("&nGt;", MaxInput/5), "html@2: the text is longer than 16777216 bytes"},
		{"zero byte", "<p>a\x00b", "html@2: byte 4 is zero, which no text holds"},
		{"size", strings.Repeat("a", MaxInput+1), "html@2: the page has 16777217 bytes, at most 16777216 are read"},
	}
	for _, c := range cases {
		f, err := readPage(read.Input{Data: []byte(c.page)})
		if err == nil || err.Error() != c.want || f.Payload != nil {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Forty open formatting elements in each of many paragraphs are what makes
// other trees explode.
func TestReopenedElements(t *testing.T) {
	var page strings.Builder
	for i := range 200 {
		fmt.Fprintf(&page, "<p><font color=%d><b><i><u>", i)
	}
	page.WriteString(strings.Repeat("<p>a", 50_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := form(t, page.String())
	runtime.ReadMemStats(&after)
	if n := strings.Count(string(f.Payload), "a"); n != 50_000 {
		t.Errorf("%d paragraphs, want 50000", n)
	}
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 100 {
		t.Errorf("the page took %d MB", mb)
	}
}

// The registry reads pages by name, by what the sender says and by content.
func TestRegistry(t *testing.T) {
	r := read.NewRegistry(Reader())
	cases := []struct{ name, mediaType, data, canonicalizer, typ string }{
		{"a.html", "", "<p>a", Name, "text/html"},
		{"a.HTM", "", "<p>a", Name, "text/html"},
		{"a.xhtml", "", "<p>a</p>", Name, "application/xhtml+xml"},
		{"a", "text/html; charset=utf-8", "<p>a", Name, "text/html"},
		{"a", "", "<!DOCTYPE html><p>a", Name, "text/html"},
		{"a.html", "", "<p hidden>a", canon.BytesForm, "text/html"},
		{"a.txt", "", "<p>a", canon.TextForm, "text/plain"},
	}
	for _, c := range cases {
		f, err := r.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil || f.Canonicalizer != c.canonicalizer || f.MediaType != c.typ {
			t.Errorf("%s %s: %s of %s, %v", c.name, c.mediaType, f.Canonicalizer, f.MediaType, err)
		}
	}
}

// The version that records name is the one that is linked.
func TestExtractorVersion(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "\t"+Extractor+"\n") {
		t.Errorf("go.mod does not require %s", Extractor)
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<p>a<b>b</p>c", "<table><tr><td>a<td><p>b</table>", "<pre>\n a\n</pre>", "<?xml version='1.0'?><p/><script/>a<![CDATA[b]]>",
		"<svg><style><b>x", "10<sup>6</sup><ol start=3 type=a><li><sub>2<li value=9>", "<math><msup><mi>x<mn>2</msup><mfrac>", "<input value=1><select><option selected>", "<a name=x>y<a href=z>", "<x-plain-b>", "<meta charset=utf-16><p hidden>", "<math><annotation>a",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		form, err := readPage(read.Input{Data: page})
		if err != nil {
			if form.Payload != nil {
				t.Fatalf("an error with a payload: %q", form.Payload)
			}
			return
		}
		if form.Payload != nil && string(canon.Text(form.Payload)) != string(form.Payload) {
			t.Fatalf("%q is not in the form of the text step", form.Payload)
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	page := []byte("<!doctype html><body>" + strings.Repeat("<p>So to <b>dinner</b>, and thence to the <a href=x>office</a>, where we sat all the morning.</p>\n", 5000))
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if _, err := readPage(read.Input{Data: page}); err != nil {
			b.Fatal(err)
		}
	}
}
