package epub_test

import (
	"archive/zip"
	"slices"
	"time"

	"muniment/canon/formstest"
)

// vectors are the inputs of testvectors/canon-epub by name. The first is the
// example of docs/spec/canonical-forms.md.
func vectors() map[string]formstest.Case {
	back := flood()
	slices.Reverse(back)
	text := func(entries []entry) formstest.Case {
		return formstest.NewCase("a.epub", "", string(pack(entries)), "text")
	}
	bytes := func(entries []entry) formstest.Case {
		return formstest.NewCase("a.epub", "", string(pack(entries)), "bytes")
	}
	chapter := entry{"OEBPS/c0.xhtml", page("<p>a</p>")}
	item := `<item id="a" href="c0.xhtml" media-type="application/xhtml+xml"/>`
	return map[string]formstest.Case{
		"epub-book":               text(flood()),
		"epub-book-stored":        formstest.NewCase("a.epub", "", string(packAs(back, zip.Store, time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC), "zipped anew")), "text"),
		"epub-book-more":          text(append(flood(), entry{"OEBPS/thumbnail.jpg", "x"})),
		"epub-two-chapters":       text(chapters("<p>a</p>", "<p>b</p>")),
		"epub-other-order":        text(book(item+`<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>`, `<itemref idref="b"/><itemref idref="a"/>`, chapter, entry{"OEBPS/b.xhtml", page("<p>b</p>")})),
		"epub-not-linear":         text(book(item+`<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>`, `<itemref idref="a"/><itemref idref="b" linear="no"/>`, chapter, entry{"OEBPS/b.xhtml", page("<p>b</p>")})),
		"epub-empty-chapter":      text(chapters("<p>a</p>", "<p> </p>", "<p>b</p>")),
		"epub-font-obfuscated":    text(append(chapters("<p>a</p>"), entry{"META-INF/encryption.xml", `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><CipherData><CipherReference URI="OEBPS/c0.xhtml"/></CipherData></EncryptedData></encryption>`})),
		"epub-raised-and-numbers": text(chapters("<p>10<sup>6</sup></p>", `<ol start="3"><li>a</li><li>b</li></ol>`)),
		"epub-encrypted":          bytes(append(chapters("<p>a</p>"), entry{"META-INF/encryption.xml", `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><CipherData><CipherReference URI="OEBPS/c0.xhtml"/></CipherData></EncryptedData></encryption>`})),
		"epub-missing-chapter":    bytes(book(item, `<itemref idref="a"/>`)),
		"epub-twice":              bytes(book(item, `<itemref idref="a"/><itemref idref="a"/>`, chapter)),
		"epub-no-spine":           bytes(book(item, "", chapter)),
		"epub-path":               bytes(append(chapters("<p>a</p>"), entry{"../x", "y"})),
		"epub-nothing":            bytes(chapters("<p> </p>")),
		"epub-truncated":          formstest.NewCase("a.epub", "", string(pack(flood())[:2000]), "bytes"),
	}
}
