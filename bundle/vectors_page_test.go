package bundle

import (
	"bytes"
	"encoding/base64"
	"muniment/bundle/leaf"
	"testing"
)

// pageVectors are pages: three as they are written, and one defect in each of the
// others.
func pageVectors(t *testing.T, trust string) []vector {
	t.Helper()
	var out []vector
	page := func(name, expect string, data []byte) []byte {
		out = append(out, vector{name: "page-" + name, kind: "page", expect: expect, trust: trust, data: data})
		return data
	}
	made := func(answer *Answer) *Bundle {
		g := firstForgery(t)
		g.oneKey(t)
		if answer != nil {
			g.answer = *answer
		}
		return must[*Bundle](t)(fromFiles(g.make(t)))
	}
	b := made(nil)
	good := page("good", expectValid, must[[]byte](t)(b.pageOf(firstPage)))
	page("reduced", expectReduced, must[[]byte](t)(must[*Bundle](t)(b.Disclose(nil)).pageOf(firstPage)))
	text := "</article><script>alert(1)</script> \u202egnorw\u2066\x00\x1b[2J\u200b & \"two\" lines, it's\nsaid:\ta\u00ad\u200db\U000E0001\u0378"
	odd := Answer{Tier: "<i>public\u202e"}
	odd.Add(&leaf.Refusal{RefusalKind: "coverage", Message: text, Suggestions: []string{text, text}, Topic: text}, true)
	odd.Add(&leaf.Removed{Topic: text, Reason: text}, true)
	page("odd-texts", expectValid, must[[]byte](t)(made(&odd).pageOf(firstPage)))

	change := func(name, old, with string) {
		data := bytes.Replace(good, []byte(old), []byte(with), 1)
		if bytes.Equal(data, good) {
			t.Fatalf("page-%s: nothing was changed", name)
		}
		page(name, expectMalformed, data)
	}
	change("word-changed", "about seven rods", "about nine rods")
	script := pageForms[firstPage].script[:60]
	change("script-changed", script, "/* "+script)
	change("form-unknown", firstPage, "muniment/page/v9")
	g := newForgery(t)
	g.oneKey(t)
	g.answer = g.f.second(t, true, true)
	second := must[*Bundle](t)(fromFiles(g.make(t)))
	page("v2-good", expectValid, must[[]byte](t)(second.pageOf(secondPage)))
	page("v2-reduced", expectReduced, must[[]byte](t)(must[*Bundle](t)(second.Disclose(nil)).pageOf(secondPage)))
	page("v2-of-v1-leaves", expectValid, must[[]byte](t)(b.pageOf(secondPage)))
	was := good
	good = must[[]byte](t)(second.pageOf(secondPage))
	change("v2-heading-changed", "nobody has checked", "everybody has checked")
	change("v2-called-v1", secondPage, firstPage)
	change("v2-source-renamed", "Letter from Mill House", "Letter from the Hall")
	good = page("v3-good", expectValid, must[[]byte](t)(second.Page()))
	change("v3-badge-changed", "Labelled: inferred from the evidence", "Supported: the evidence says it")
	change("v3-question-changed", fixtureQuestion, fixtureQuestion+"!")
	change("v3-called-v2", pageForm, secondPage)
	page("v3-reduced", expectReduced, must[[]byte](t)(must[*Bundle](t)(second.Disclose(nil)).Page()))
	page("v3-odd-texts", expectValid, must[[]byte](t)(made(&odd).Page()))
	page("v3-of-v1-leaves", expectValid, must[[]byte](t)(b.Page()))
	good = was
	page("trailing", expectMalformed, append(bytes.Clone(good), '\n'))
	at := bytes.Index(good, []byte(pageData)) + len(pageData)
	end := at + bytes.Index(good[at:], []byte(pageDataEnd))
	with := func(data []byte) []byte { return append(append(bytes.Clone(good[:at]), data...), good[end:]...) }
	page("base64-in-one-line", expectMalformed, with(bytes.ReplaceAll(good[at:end], []byte("\n"), nil)))
	var lines []byte
	for zip := must[[]byte](t)(b.Zip()); len(zip) > 0; zip = zip[min(len(zip), 75):] {
		lines = append(base64.StdEncoding.AppendEncode(lines, zip[:min(len(zip), 75)]), '\n')
	}
	page("with-sealed-layer", expectMalformed, with(lines))
	return out
}
