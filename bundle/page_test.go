package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"strings"
	"testing"

	"muniment/testvectors"
)

func TestPage(t *testing.T) {
	b := newFixture(t).bundle(t)
	page := must[[]byte](t)(b.Page())
	again := must[*Bundle](t)(Read(bytes.NewReader(page)))
	if want := must[[]byte](t)(b.WithoutSealed().Zip()); !bytes.Equal(must[[]byte](t)(again.Zip()), want) {
		t.Error("the page holds another bundle")
	}
	for _, part := range []string{
		"about seven rods from the ", "words withheld", ">Removed topics<", "the price of the barn", display.RestrictedText[:20], "speaks against the claim",
		newFixture(t).answerer.Key().Fingerprint(), "compare with your trust root", "<main>", "lang=\"en\"", "@media print", "default-src 'none'", "role=\"status\"",
	} {
		if !bytes.Contains(page, []byte(part)) {
			t.Errorf("the page does not hold %q", part)
		}
	}
	for _, part := range []string{"trusted", "type=\"module\"", "fetch(", "src=", "http://", "https://", "href="} {
		if bytes.Contains(page, []byte(part)) {
			t.Errorf("the page holds %q", part)
		}
	}
	for form, parts := range pageForms {
		for _, text := range []string{parts.style, parts.script, parts.verifier} {
			if low := strings.ToLower(text); strings.Contains(low, "</script") || strings.Contains(low, "</style") || strings.Contains(low, "<!--") {
				t.Errorf("a part of %s would end its element", form)
			}
		}
	}
}

// A page that is out there is written again and compared, so that nothing of its
// form may change. Where this fails, give the changed page a form of its own,
// muniment/page/v4, and keep what writes the old ones, with their style and
// scripts as they were.
func TestPageFormIsFrozen(t *testing.T) {
	zip := testvectors.ReadFile(t, vectorDir+"/zip-good").Body
	b := must[*Bundle](t)(Read(bytes.NewReader(zip)))
	var page []byte
	for form, want := range map[string]string{
		firstPage:  "77a59ab59b72dc4663d64f2c0657e8b3106fc92b5671bbc7d404ddcc0ed97451",
		secondPage: "27074c716e6eabd7075a46a1e946f1546629af636620b50e95de49b595eb89a1",
		pageForm:   "ef74f5d1f6941f7119338c2bf1c98f032fb9bcb82020b760173a2f178ad945c8",
	} {
		page = must[[]byte](t)(b.pageOf(form))
		if got := fmt.Sprintf("%x", sha256.Sum256(page)); got != want {
			t.Errorf("the page of zip-good is %s %s, want %s", form, got, want)
		}
		if _, err := ReadPage(page); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
	page = must[[]byte](t)(b.Page())
	other := bytes.Replace(page, []byte(pageForm), []byte("muniment/page/v9"), 1)
	if _, err := ReadPage(other); !isInvalid(err) || !strings.Contains(err.Error(), "muniment/page/v9") {
		t.Errorf("a page of an unknown form: %v", err)
	}
}

// Nothing that a leaf holds becomes a part of the page, or changes how it reads.
func TestPageIsInert(t *testing.T) {
	f := newFixture(t)
	a := Answer{Tier: "<i>public\u202e"}
	hostile := "</article><script>alert(1)</script>\u202egnorw\u2066\x00\x1b[2J\u200b & \"quoted\""
	a.Add(&leaf.Refusal{RefusalKind: "coverage", Message: hostile, Suggestions: []string{hostile}, Topic: hostile}, true)
	a.Add(&leaf.Removed{Topic: hostile, Reason: hostile}, true)
	b := must[*Bundle](t)(Assemble(a, f.env()))
	page := string(must[[]byte](t)(b.Page()))
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<i>") || strings.ContainsAny(page, "\u202e\u2066\x00\x1b\u200b") {
		t.Error("a text of a leaf stands in the page as itself")
	}
	if n := strings.Count(page, `\u{202E}gnorw\u{2066}\u{0000}\u{001B}[2J\u{200B}`); n != 5 {
		t.Errorf("the hostile text is shown %d times, want 5", n)
	}
	must[*Bundle](t)(ReadPage([]byte(page)))
}

func TestReadPageRefuses(t *testing.T) {
	b := newFixture(t).bundle(t)
	page := must[[]byte](t)(b.Page())
	at := bytes.Index(page, []byte(pageData)) + len(pageData)
	cases := map[string][]byte{
		"other words":    bytes.Replace(page, []byte("about seven rods"), []byte("about nine rods"), 1),
		"other rung":     bytes.Replace(page, []byte(">Labelled: inferred from the evidence<"), []byte(">Supported: the evidence says it<"), 1),
		"other key":      bytes.Replace(page, []byte("SHA256:"), []byte("SHA256:A"), 1),
		"no style":       bytes.Replace(page, []byte(pageForms[pageForm].style), nil, 1),
		"other script":   bytes.Replace(page, []byte(pageForms[pageForm].script), []byte("document.getElementById('check').textContent='VALID'"), 1),
		"trailing bytes": append(bytes.Clone(page), '\n'),
		"no bundle":      append(bytes.Clone(page[:at]), page[bytes.LastIndex(page, []byte(pageDataEnd+"<script>")):]...),
		"head only":      []byte(pageBegin + pageForm + "\">\n"),
		"base64 in one line": func() []byte {
			rest := page[at:]
			end := bytes.Index(rest, []byte(pageDataEnd))
			return append(append(bytes.Clone(page[:at]), bytes.ReplaceAll(rest[:end], []byte("\n"), nil)...), rest[end:]...)
		}(),
		"with the sealed layer": func() []byte {
			rest := page[at:]
			zip := base64.StdEncoding.EncodeToString(must[[]byte](t)(b.Zip()))
			return append(append(bytes.Clone(page[:at]), zip...), rest[bytes.Index(rest, []byte(pageDataEnd)):]...)
		}(),
		"too large": append(bytes.Clone(page), make([]byte, MaxPage)...),
	}
	for name, data := range cases {
		if bytes.Equal(data, page) {
			t.Errorf("%s: nothing was changed", name)
		}
		if b, err := ReadPage(data); !isInvalid(err) || b != nil {
			t.Errorf("%s: %v, %v, want an InvalidError", name, b, err)
		}
	}
	flips := 0
	for i := 0; i < len(page); i += 97 {
		page[i] ^= 1
		if _, err := Read(bytes.NewReader(page)); err == nil {
			t.Errorf("byte %d changed, and the page is read", i)
		}
		page[i] ^= 1
		flips++
	}
	t.Logf("%d pages refused, %d of %d bytes changed", len(cases), flips, len(page))
}
