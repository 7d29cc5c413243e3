package forms

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
)

// minEncodings is how many encodings of one text must have one ID.
const minEncodings = 30

// A rendition is one encoding of a text.
type rendition struct {
	how string
	in  read.Input
}

// textRenditions are a text in every encoding that can write it.
func textRenditions(l language) []rendition {
	var out []rendition
	add := func(how, mediaType string, data []byte) {
		out = append(out, rendition{how, read.Input{Name: "letter.txt", MediaType: mediaType, Data: data}})
	}
	ends := []struct{ name, end string }{{"LF", "\n"}, {"CRLF", "\r\n"}, {"CR", "\r"}}
	wide := append(slices.Clone(ends), []struct{ name, end string }{{"NEL", "\u0085"}, {"LS", "\u2028"}, {"PS", "\u2029"}}...)
	forms := []struct {
		name string
		form norm.Form
	}{{"NFC", norm.NFC}, {"NFD", norm.NFD}}
	western := strings.HasPrefix(l.name, "fr")
	for _, form := range forms {
		for _, end := range wide {
			text := withEnds(form.form.String(l.text), end.end)
			as := " " + form.name + " " + end.name
			for _, charset := range []string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
				add(charset+" mark"+as, "", encode(charset, "\uFEFF"+text))
				switch {
				case charset == "utf-8" || western: // told by zero bytes
					add(charset+as, "", encode(charset, text))
				}
				add(charset+" hint"+as, "text/plain; charset="+charset, encode(charset, text))
			}
		}
	}
	for _, charset := range l.charsets {
		for _, end := range ends {
			text := withEnds(l.text, end.end)
			add(charset+" hint "+end.name, "text/plain; charset="+charset, encode(charset, text))
			if slices.Contains(l.guessed, charset) {
				add(charset+" guess "+end.name, "", encode(charset, text))
			}
		}
	}
	add("utf-8 trailing blanks", "", []byte(withEnds(l.text, " \t\n")))
	add("utf-8 no final LF", "", []byte(strings.TrimSuffix(l.text, "\n")))
	add("utf-8 empty lines around", "", []byte("\n\n"+l.text+"\n\n"))
	return out
}

// distinct counts the files that differ.
func distinct(renditions []rendition) int {
	seen := map[string]bool{}
	for _, r := range renditions {
		seen[string(r.in.Data)] = true
	}
	return len(seen)
}

// sameID requires one ID of all renditions and returns it.
func sameID(t *testing.T, renditions []rendition, form string) cid.ID {
	t.Helper()
	var first cid.ID
	for i, r := range renditions {
		f, err := all.Canonicalize(r.in)
		if err != nil {
			t.Errorf("%s: %v", r.how, err)
			continue
		}
		if f.Canonicalizer != form {
			t.Errorf("%s: form %s (%s), want %s", r.how, f.Canonicalizer, f.Reason, form)
		}
		id := cid.Of(f.Payload)
		if i == 0 {
			first = id
		}
		if id != first {
			t.Errorf("%s (%s): another artifact than %s: %q", r.how, f.Charset, renditions[0].how, f.Payload)
		}
	}
	return first
}

// Every text has one ID in all its encodings, and as many IDs as there are
// texts.
func TestOneTextHasOneID(t *testing.T) {
	ids := map[cid.ID]string{}
	total := 0
	for _, l := range languages {
		renditions := textRenditions(l)
		if distinct(renditions) < minEncodings {
			t.Errorf("%s: %d encodings, want at least %d", l.name, len(renditions), minEncodings)
		}
		id := sameID(t, renditions, canon.TextForm)
		if other, ok := ids[id]; ok {
			t.Errorf("%s and %s are one artifact", l.name, other)
		}
		ids[id] = l.name
		total += len(renditions)
		t.Logf("%-12s %3d encodings, %3d different files, one artifact %s; charsets beside Unicode: %s",
			l.name, len(renditions), distinct(renditions), id, strings.Join(l.charsets, " "))
	}
	t.Logf("%d texts in %d encodings", len(languages), total)
}

// transfer encodes a mail's body.
func transfer(how string, body []byte) string {
	var b bytes.Buffer
	switch how {
	case "base64":
		s := base64.StdEncoding.EncodeToString(body)
		for len(s) > 76 {
			b.WriteString(s[:76] + "\r\n")
			s = s[76:]
		}
		b.WriteString(s + "\r\n")
	case "quoted-printable":
		w := quotedprintable.NewWriter(&b)
		_, err := w.Write(body)
		must(err)
		must(w.Close())
	default:
		b.Write(body)
	}
	return b.String()
}

// One mail has one ID in every charset and transfer encoding.
func TestOneMailHasOneID(t *testing.T) {
	var renditions []rendition
	for _, l := range languages[:1] {
		for _, charset := range append([]string{"utf-8"}, l.charsets...) {
			for _, how := range []string{"8bit", "quoted-printable", "base64"} {
				for _, end := range []string{"\n", "\r\n"} {
					body := transfer(how, encode(charset, withEnds(l.text, end)))
					word := base64.StdEncoding.EncodeToString(encode(charset, "Où étais-tu ?"))
					head := "Received: by " + how + "\nFrom: zoe@example.net\nDate: Fri, 3 Mar 2023 10:00:00 +0100\nSubject: =?" + charset + "?b?" + word + "?=\nMIME-Version: 1.0\n" +
						"Content-Type: text/plain; charset=" + charset + "\nContent-Transfer-Encoding: " + how + "\n\n"
					renditions = append(renditions, rendition{fmt.Sprintf("%s %s %q", charset, how, end), read.Input{Name: "a.eml", Data: []byte(withEnds(head, end) + body)}})
				}
			}
		}
	}
	id := sameID(t, renditions, "mail@3")
	if n := distinct(renditions); n < minEncodings {
		t.Errorf("%d different files, want at least %d", n, minEncodings)
	}
	t.Logf("a mail  %3d encodings, %3d different files, one artifact %s", len(renditions), distinct(renditions), id)
}

// One document has one ID however it is zipped.
func TestOneDocumentHasOneID(t *testing.T) {
	texts := strings.Split(strings.TrimSuffix(languages[0].text, "\n"), "\n\n")
	cases := []struct {
		name, form string
		entries    []entry
	}{
		{"a.docx", "docx@3", docxParagraphs(texts)}, {"a.odt", "odt@3", odtParagraphs(texts)}, {"a.epub", "epub@2", epubChapters(htmlParagraphs(texts), "<p>Fin</p>")},
	}
	for _, c := range cases {
		var renditions []rendition
		for _, method := range []uint16{zip.Store, zip.Deflate} {
			for _, year := range []int{1985, 2001, 2026} {
				for _, comment := range []string{"", "zipped anew"} {
					for _, order := range []string{"as written", "backwards"} {
						entries := slices.Clone(c.entries)
						if order == "backwards" {
							slices.Reverse(entries[1:]) // mimetype stays first
						}
						data := pack(entries, packing{method, time.Date(year, 2, 3, 4, 5, 6, 0, time.UTC), comment})
						renditions = append(renditions, rendition{fmt.Sprintf("%s method %d, %d, %q, %s", c.name, method, year, comment, order), read.Input{Name: c.name, Data: data}})
					}
				}
			}
		}
		for _, nfd := range []bool{false, true} {
			entries := slices.Clone(c.entries)
			for i, e := range entries {
				if nfd && i >= 2 {
					entries[i].content = norm.NFD.String(e.content)
				}
			}
			for _, end := range []string{"\n", "\r\n"} {
				again := slices.Clone(entries)
				for i := range again[2:] {
					again[i+2].content = withEnds(again[i+2].content, end)
				}
				renditions = append(renditions, rendition{fmt.Sprintf("%s nfd %t, ends %q", c.name, nfd, end), read.Input{Name: c.name, Data: pack(again, packing{method: zip.Deflate})}})
			}
		}
		id := sameID(t, renditions, c.form)
		t.Logf("%-7s %3d packings, %3d different files, one artifact %s", c.name, len(renditions), distinct(renditions), id)
	}
}

// One page, table, value, list of cues and answer has one ID in every charset
// and in the spellings that its form calls equal.
func TestOneStructureHasOneID(t *testing.T) {
	const minFiles = 20 // most charsets write a few accented letters alike
	paragraphs := strings.Split(strings.TrimSuffix(languages[0].text, "\n"), "\n\n")
	charsets := append([]string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"}, languages[0].charsets...)
	cases := []struct {
		name, mediaType, form string
		spellings             []string
	}{
		{"a.html", "text/html", "html@2", []string{
			"<!doctype html><title>a</title><body>" + htmlParagraphs(paragraphs),
			"<html><head><title>b</title></head><body><div>" + strings.ReplaceAll(htmlParagraphs(paragraphs), " ", "\n  ") + "</div><!-- c --></body></html>",
			"<p>" + strings.NewReplacer("é", "&eacute;", "à", "&#xE0;", "è", "&#232;").Replace(strings.Join(paragraphs, "<p>")),
			strings.ReplaceAll(strings.ToUpper("<html><body>")+htmlParagraphs(paragraphs), "p>", "P>"),
		}},
		{"a.csv", "text/csv", "csv@1", []string{
			"née,où,somme\r\nÀ Noël,\"a, b\",007\r\n", "\"née\",\"où\",\"somme\"\n\"À Noël\",\"a, b\",\"007\"\n", "née;où;somme\nÀ Noël;a, b;007\n", "née\toù\tsomme\nÀ Noël\ta, b\t007\n",
		}},
		{"a.json", "application/json", "json@1", []string{
			`{"é":[1.20,"où"],"a":null}`, "{\n  \"a\" : null,\n \"\\u00e9\": [ 1.20, \"o\\u00f9\" ] }\n", `{"a":null,"e\u0301":[1.20,"ou\u0300"]}`,
		}},
		{"a.srt", "application/x-subrip", "srt@1", []string{
			"1\n00:00:01,000 --> 00:00:02,500\nOù étais-tu ?\n", "7\n00:00:01.000 --> 00:00:02.500\n<i>Où</i>\nétais-tu ?\n\n", "1\n0:00:01,000  -->  0:00:02,500\n{\\an8}Où  étais-tu ?\n",
		}},
		{"a.vtt", "text/vtt", "vtt@1", []string{
			"WEBVTT\n\n00:01.000 --> 00:02.500\n<v Zoé>Où étais-tu ?\n", "WEBVTT - x\n\nNOTE nothing\n\nc1\n00:00:01.000 --> 00:00:02.500 align:start\n<v Zoé>Où <b>étais</b>-tu ?</v>\n",
		}},
	}
	for _, c := range cases {
		var renditions []rendition
		for _, charset := range charsets {
			for i, s := range c.spellings {
				for _, end := range []string{"\n", "\r\n"} {
					data := encode(charset, withEnds(withEnds(s, "\n"), end))
					renditions = append(renditions, rendition{fmt.Sprintf("%s %s spelling %d, ends %q", c.name, charset, i, end), read.Input{Name: c.name, MediaType: c.mediaType + "; charset=" + charset, Data: data}})
				}
			}
		}
		id := sameID(t, renditions, c.form)
		if n := distinct(renditions); n < minFiles {
			t.Errorf("%s: %d different files, want at least %d", c.name, n, minFiles)
		}
		t.Logf("%-7s %3d encodings of %d spellings, %3d different files, one artifact %s", c.name, len(renditions), len(c.spellings), distinct(renditions), id)
	}
}
