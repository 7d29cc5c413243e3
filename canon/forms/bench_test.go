package forms

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
)

// benchSize is about how many bytes each benchmark reads: enough that starting
// costs nothing beside it, and a limit of no reader.
const benchSize = 1 << 20

// benchInputs are a file of each form. Containers are measured by what is in
// them: their entries are stored.
func benchInputs() []input {
	sentence := "The water was as grey as slate, and you would have liked it: 3 m above the mark. "
	accented := "Où étais-tu ? Le garçon a dit « à bientôt », voilà tout, près de la rivière. "
	var paragraphs []string
	for i := range benchSize / 400 {
		paragraphs = append(paragraphs, fmt.Sprintf("%d. ", i)+strings.Repeat(sentence, 4)+accented)
	}
	text := strings.Join(paragraphs, "\n\n")
	var table, values, cues, captions strings.Builder
	captions.WriteString("WEBVTT\n\n")
	var rows [][]any
	for i := range benchSize / 80 {
		fmt.Fprintf(&table, "%d,1911-03-%02d,\"ferry, both ways and back again the same evening\",Zoé,%d.50\n", i, i%28+1, i)
		fmt.Fprintf(&values, "{\"day\":\"1911-03-%02d\",\"what\":\"ferry, both ways\",\"who\":\"Zo\\u00eb\",\"sum\":%d.50}\n", i%28+1, i)
		fmt.Fprintf(&cues, "%d\n%02d:%02d:%02d,000 --> %02d:%02d:%02d,900\nOù étais-tu cette nuit-là ?\n\n", i+1, i/3600, i/60%60, i%60, i/3600, i/60%60, i%60)
		fmt.Fprintf(&captions, "%02d:%02d:%02d.000 --> %02d:%02d:%02d.900\n<v Zoé>Où étais-tu cette nuit-là ?\n\n", i/3600, i/60%60, i%60, i/3600, i/60%60, i%60)
		rows = append(rows, []any{fmt.Sprint(i), "1911-03-03", "ferry, both ways and back again", nil})
	}
	lines := strings.Split(strings.TrimSpace(values.String()), "\n")
	const head = "From: Zoé <zoe@example.net>\nDate: Fri, 3 Mar 2023 10:00:00 +0100\nSubject: =?utf-8?q?Caf=C3=A9?=\n"
	letter := head + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" + transfer("quoted-printable", []byte(strings.Join(paragraphs[:10], "\n\n")))
	box := strings.Repeat("From zoe@example.net Fri Mar  3 10:00:00 2023\n"+strings.ReplaceAll(letter, "\r\n", "\n")+"\n\n", benchSize/len(letter))
	var pages [][]string
	for i := range 100 {
		pages = append(pages, strings.SplitAfter(strings.Repeat(strings.TrimSpace(sentence)+"\n", 40), "\n")[:40])
		for j, line := range pages[i] {
			pages[i][j] = strings.TrimSuffix(line, "\n")
		}
	}
	in := func(label, name, mediaType string, data []byte) input {
		return input{label, read.Input{Name: name, MediaType: mediaType, Data: data}}
	}
	return []input{
		in("text-ascii", "a.txt", "", []byte(strings.Repeat(strings.Repeat(sentence, 5)+"\n\n", benchSize/400))),
		in("text-utf-8", "a.txt", "", []byte(text)),
		in("text-utf-8-crlf", "a.txt", "", []byte(withEnds(text, "\r\n"))),
		in("text-windows-1252", "a.txt", "text/plain; charset=windows-1252", encode("windows-1252", text)),
		in("text-windows-1252-guessed", "a.txt", "", encode("windows-1252", text)),
		in("text-utf-16", "a.txt", "", encode("utf-16le", "\uFEFF"+text)),
		in("text-chinese", "a.txt", "", []byte(strings.Repeat(languages[len(languages)-3].text, benchSize/200))),
		in("html", "a.html", "", []byte("<!doctype html><meta charset=utf-8>"+htmlParagraphs(paragraphs))),
		in("csv", "a.csv", "", []byte(table.String())),
		in("json", "a.json", "", []byte("["+strings.Join(lines, ",\n")+"]")),
		in("jsonl", "a.jsonl", "", []byte(values.String())),
		in("dbresult", "a", "application/vnd.muniment.dbresult+json", resultOf("SELECT *", true, []column{{"n", "integer"}, {"d", "date"}, {"s", "text"}, {"x", "text"}}, rows)),
		in("mail", "a.eml", "", []byte(head+"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"+transfer("base64", []byte(text)))),
		in("mbox", "a.mbox", "", []byte(box)),
		in("docx", "a.docx", "", pack(docxParagraphs(paragraphs), packing{})),
		in("odt", "a.odt", "", pack(odtParagraphs(paragraphs), packing{})),
		in("epub", "a.epub", "", pack(epubChapters(htmlParagraphs(paragraphs)), packing{})),
		in("pdf", "a.pdf", "", pdfOf(pages...)),
		in("srt", "a.srt", "", []byte(cues.String())),
		in("vtt", "a.vtt", "", []byte(captions.String())),
		in("picture", "a.png", "", append(pngOf(64), make([]byte, benchSize)...)),
		in("recording", "a.wav", "", wavOf(benchSize)),
	}
}

// BenchmarkForm goes from a file's bytes to its artifact ID, its paragraphs and
// lines, and the roots over both.
func BenchmarkForm(b *testing.B) {
	for _, in := range benchInputs() {
		b.Run(in.label, func(b *testing.B) {
			if in.label == "pdf" {
				if _, err := exec.LookPath("pdftotext"); err != nil {
					b.Skip("skipped: pdftotext is missing: install the Debian package poppler-utils")
				}
			}
			b.SetBytes(int64(len(in.Data)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := all.Canonicalize(in.Input)
				if err != nil {
					b.Fatal(err)
				}
				if f.Canonicalizer == canon.BytesForm && f.Unicode == "" && in.label != "picture" && in.label != "recording" {
					b.Fatalf("%s: %s", in.label, f.Reason)
				}
				cid.Of(f.Payload)
				if f.Canonicalizer != canon.BytesForm {
					d := canon.NewDocument(f.Payload)
					d.Root(canon.Paragraphs)
					d.Root(canon.Lines)
				}
			}
		})
	}
}

// BenchmarkTextToUnits goes from bytes to ID and paragraphs, without the roots
// over them.
func BenchmarkTextToUnits(b *testing.B) {
	for _, in := range benchInputs()[:7] {
		b.Run(in.label, func(b *testing.B) {
			b.SetBytes(int64(len(in.Data)))
			for b.Loop() {
				f, err := all.Canonicalize(in.Input)
				if err != nil {
					b.Fatal(err)
				}
				cid.Of(f.Payload)
				canon.NewDocument(f.Payload)
			}
		})
	}
}
