package epub_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"muniment/canon/read"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/epub"
	"muniment/canon/html"
	"muniment/testvectors"
)

func TestBook(t *testing.T) {
	want := read.Form{
		Payload: []byte(floodText), Canonicalizer: "epub@2", Unicode: "15.0.0", Extractor: html.Extractor, Charset: "utf-8 valid",
		Facts: map[string]string{"chapters": "4", "chapters_left_out": "2", "hidden": "1", "images": "1", "noterefs": "1", "parts_unread": "1", "identifier": "https://example.org/flood", "headings": "1:1 1:4", "chapter_starts": "1 4 7"},
		Source: read.Meta{Title: "The flood", Creators: []string{"A. Meier", "B. Huber"}, Publisher: "Valley Press", URL: "https://example.org/flood",
			PublishedAt: "1911-03-03", Language: "en-GB"},
		Parts: []read.Part{
			{Name: "OEBPS/cover.svg", MediaType: "image/svg+xml", Data: []byte("<svg><text>Cover</text></svg>")},
			{Name: "OEBPS/images/map.png", MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n map")},
		},
	}
	if diff := cmp.Diff(want, mustRead(t, pack(flood()))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What EPUB 2 and its predecessor write otherwise.
func TestOldBook(t *testing.T) {
	entries := with(chapters("<p>a</p>"), "OEBPS/book.opf", `<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "x"><package unique-identifier="u" xml:lang="de"><metadata><dc-metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:oebpackage="y">`+
		`<dc:Title>T</dc:Title><dc:Date event="creation">1900-01-01</dc:Date><dc:Date event="publication">1911-03-03</dc:Date></dc-metadata></metadata>`+
		`<manifest><item id="a" href="c0.xhtml" media-type="text/x-oeb1-document"/></manifest><spine toc="n"><itemref idref="a"/></spine></package>`)
	f := mustRead(t, pack(entries))
	if diff := cmp.Diff(read.Meta{Title: "T", PublishedAt: "1911-03-03", Language: "de"}, f.Source); diff != "" || string(f.Payload) != "a\n" {
		t.Errorf("%q %s", f.Payload, diff)
	}
}

// The same book zipped otherwise has one payload and the same parts; a book in
// another order has not.
func TestZippedAnew(t *testing.T) {
	entries := flood()
	backwards := slices.Clone(entries)
	slices.Reverse(backwards)
	var latin []entry
	for _, e := range entries {
		if strings.HasSuffix(e.name, "chapter1.xhtml") {
			e.content = strings.NewReplacer("\u00E9", "\xE9", "UTF-8", "ISO-8859-1").Replace(e.content)
		}
		latin = append(latin, e)
	}
	day := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	variants := map[string][]byte{
		"stored":      packAs(entries, zip.Store, time.Time{}, ""),
		"other times": packAs(entries, zip.Deflate, day, "a comment"),
		"backwards":   pack(backwards),
		"more files":  pack(append(slices.Clone(entries), entry{"iTunesMetadata.plist", "x"}, entry{"OEBPS/thumb.jpg", "y"})),
		"folders":     pack(append([]entry{{"OEBPS/", ""}, {"OEBPS/text/", ""}}, entries...)),
		"latin-1":     pack(latin),
	}
	for name, data := range variants {
		f := mustRead(t, data)
		if string(f.Payload) != floodText || len(f.Parts) != 2 {
			t.Errorf("%s: %q, %d parts", name, f.Payload, len(f.Parts))
		}
	}
	if got := string(mustRead(t, pack(chapters("<p>a</p>", "<p>b</p>"))).Payload); got != "a\n\nb\n" || len(variants) != 6 {
		t.Errorf("%q, %d variants", got, len(variants))
	}
}

func TestRefused(t *testing.T) {
	one := chapters("<p>a</p>")
	item := `<item id="a" href="c0.xhtml" media-type="application/xhtml+xml"/>`
	ref := `<itemref idref="a"/>`
	chapter := entry{"OEBPS/c0.xhtml", page("<p>a</p>")}
	secret := func(algorithm string) entry {
		return entry{"META-INF/encryption.xml", `<encryption xmlns:e="x"><e:EncryptedData><e:EncryptionMethod Algorithm="` + algorithm + `"/><e:CipherData><e:CipherReference URI="OEBPS/C0.xhtml"/></e:CipherData></e:EncryptedData></encryption>`}
	}
	cases := []struct {
		name    string
		entries []entry
		want    string
	}{
		{"no container.xml", with(one, "META-INF/container.xml", ""), "epub@2: META-INF/container.xml: not in the container"},
		{"no rootfile", with(one, "META-INF/container.xml", "<container/>"), "epub@2: META-INF/container.xml names no package document"},
		{"path", with(one, "META-INF/container.xml", strings.ReplaceAll(ocf, "OEBPS/book.opf", "../../etc/passwd")), `epub@2: META-INF/container.xml names the package document "../../etc/passwd", which is no path in the container`},
		{"no package", with(one, "OEBPS/book.opf", ""), "epub@2: OEBPS/book.opf: not in the container"},
		{"no spine", book(item, "", chapter), "epub@2: OEBPS/book.opf has no spine"},
		{"unknown item", book(item, `<itemref idref="b"/>`, chapter), `epub@2: the spine names "b", which the manifest does not have`},
		{"twice", book(item, ref+ref, chapter), `epub@2: the spine names "a" twice`},
		{"nothing linear", book(item, `<itemref idref="a" linear="no"/>`, chapter), "epub@2: the spine has no chapter to read"},
		{"missing chapter", book(item, ref), `epub@2: chapter "c0.xhtml" is not in the container`},
		{"chapter elsewhere", book(`<item id="a" href="http://example.org/" media-type="text/html"/>`, ref), `epub@2: chapter "http://example.org/" is not in the container`},
		{"another type", book(`<item id="a" href="c0.pdf" media-type="application/pdf" fallback="a"/>`, ref), `epub@2: the spine has "c0.pdf" of the type "application/pdf", which is not read, and no fallback`},
		{"encrypted", append(chapters("<p>a</p>"), secret("http://www.w3.org/2001/04/xmlenc#aes128-cbc")), "epub@2: OEBPS/c0.xhtml: encrypted"},
		{"binary chapter", book(item, ref, entry{"OEBPS/c0.xhtml", "<p>a\x00b"}), "epub@2: OEBPS/c0.xhtml: html@2: byte 4 is zero, which no text holds"},
		{"deep chapter", chapters(strings.Repeat("<div>", 600)), "epub@2: OEBPS/c0.xhtml: html@2: html: open stack of elements exceeds 512 nodes"},
		{"long chapter", chapters(strings.Repeat(" ", 17<<20)), "epub@2: OEBPS/c0.xhtml: longer than the 16777216 bytes that are read"},
		{"long spine", book(item, strings.Repeat(ref, epub.MaxChapters+1), chapter), "epub@2: OEBPS/book.opf has more than 10000 chapters"},
		{"path of an entry", append(chapters("a"), entry{"../x", "y"}), `epub@2: the name "../x" has the component "..", which no name in a container may`},
	}
	for _, c := range cases {
		f, err := epub.Reader().Read(read.Input{Data: pack(c.entries)})
		if err == nil || err.Error() != c.want || f.Payload != nil || f.Parts != nil {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
	// Fonts may be obfuscated, which concerns no text.
	f := mustRead(t, pack(append(chapters("<p>a</p>"), secret("http://www.idpf.org/2008/embedding"))))
	if string(f.Payload) != "a\n" {
		t.Errorf("%q", f.Payload)
	}
}

// A chapter of a few kilobytes zipped, many times over.
func TestExpansion(t *testing.T) {
	var bodies []string
	for range 6 {
		bodies = append(bodies, "<p>"+strings.Repeat("a", 15<<20)+"</p>")
	}
	data := pack(chapters(bodies...))
	begun := time.Now()
	_, err := epub.Reader().Read(read.Input{Data: data})
	if err == nil || err.Error() != "epub@2: the text is longer than 67108864 bytes" || len(data) > 1<<20 {
		t.Errorf("%d bytes: %v", len(data), err)
	}
	if taken := time.Since(begun); taken > 20*time.Second {
		t.Errorf("took %v", taken)
	}
}

// A thousand damaged books give the text of the undamaged one or a reason.
func TestDamaged(t *testing.T) {
	whole := pack(flood())
	random := rand.New(rand.NewPCG(1, 2))
	texts, tried := 0, 0
	begun := time.Now()
	for i := range 1000 {
		data := bytes.Clone(whole)
		if i%2 == 0 {
			data = data[:random.IntN(len(data))]
		} else {
			for range 1 + random.IntN(3) {
				data[random.IntN(len(data))] ^= 1 << random.IntN(8)
			}
		}
		f, err := epub.Reader().Read(read.Input{Data: data})
		tried++
		switch {
		case err != nil && (f.Payload != nil || len(err.Error()) < 20):
			t.Fatalf("%d: %q, %v", i, f.Payload, err)
		case err == nil && string(f.Payload) != floodText:
			t.Errorf("%d: %q", i, f.Payload)
		case err == nil:
			texts++
		}
	}
	if tried != 1000 || texts == 0 || time.Since(begun) > time.Minute {
		t.Errorf("%d tried, %d texts, %v", tried, texts, time.Since(begun))
	}
	t.Logf("%d damaged files, %d with their text, %d with a reason, %v", tried, texts, tried-texts, time.Since(begun).Round(time.Millisecond))
}

// Damage behind the checksums gives a text or a reason too.
func TestDamagedEntries(t *testing.T) {
	entries := flood()
	random := rand.New(rand.NewPCG(3, 4))
	texts := 0
	for i := range 1000 {
		damaged := slices.Clone(entries)
		at := random.IntN(len(damaged))
		content := []byte(damaged[at].content)
		if i%2 == 0 {
			content = content[:random.IntN(len(content))]
		} else {
			content[random.IntN(len(content))] ^= 1 << random.IntN(8)
		}
		damaged[at].content = string(content)
		f, err := epub.Reader().Read(read.Input{Data: packAs(damaged, zip.Store, time.Time{}, "")})
		checkForm(t, f, err)
		if err == nil {
			texts++
		}
	}
	if texts == 0 || texts == 1000 {
		t.Errorf("%d texts of 1000", texts)
	}
}

func TestRegistry(t *testing.T) {
	r := read.NewRegistry(html.Reader(), epub.Reader())
	for _, in := range []read.Input{
		{Name: "a.EPUB", Data: packAs(flood(), zip.Store, time.Time{}, "")},
		{Name: "a", MediaType: "application/epub+zip", Data: pack(flood())},
	} {
		f, err := r.Canonicalize(in)
		if err != nil || f.Canonicalizer != "epub@2" || f.MediaType != "application/epub+zip" {
			t.Errorf("%s: %s of %s, %v", in.Name, f.Canonicalizer, f.MediaType, err)
		}
	}
	f, err := r.Canonicalize(read.Input{Name: "a.epub", Data: pack(chapters("<p> </p>"))})
	if err != nil || f.Reason != "no visible text in application/epub+zip" {
		t.Errorf("%q, %v", f.Reason, err)
	}
}

func checkForm(t *testing.T, f read.Form, err error) {
	t.Helper()
	if err != nil && (f.Payload != nil || f.Parts != nil) {
		t.Fatalf("an error with a payload: %q", f.Payload)
	}
	if err == nil && !bytes.Equal(canon.Text(f.Payload), f.Payload) {
		t.Fatalf("%q is not in the form of the text step", f.Payload)
	}
}

func FuzzEpub(f *testing.F) {
	for _, v := range testvectors.Read(f, vectorDir) {
		f.Add(v.Body)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := epub.Reader().Read(read.Input{Data: data})
		checkForm(t, form, err)
	})
}

// The package document and a chapter are what a fuzzer reaches only without the
// checksums.
func FuzzPackage(f *testing.F) {
	f.Add(flood()[2].content, page("<p>a</p>"))
	f.Add(chapters("a")[2].content, page("<table><tr><td>a</td></tr></table>"))
	f.Fuzz(func(t *testing.T, opf, chapter string) {
		entries := with(with(flood(), "OEBPS/book.opf", opf), "OEBPS/c0.xhtml", chapter)
		form, err := epub.Reader().Read(read.Input{Data: packAs(entries, zip.Store, time.Time{}, "")})
		checkForm(t, form, err)
	})
}

func BenchmarkEpub(b *testing.B) {
	body := strings.Repeat("<p>So to <b>dinner</b>, and thence to the <a href=\"x\">office</a>, where we sat all the morning.</p>\n", 1000)
	var bodies []string
	for i := range 20 {
		bodies = append(bodies, fmt.Sprintf("<h1>%d</h1>", i)+body)
	}
	data := pack(chapters(bodies...))
	b.SetBytes(int64(20 * len(body)))
	text := 0
	for b.Loop() {
		text = len(mustRead(b, data).Payload)
	}
	b.ReportMetric(float64(text)*float64(b.N)/1e6/b.Elapsed().Seconds(), "MB_of_text/s")
}
