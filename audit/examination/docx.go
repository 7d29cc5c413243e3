package examination

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"muniment/archive/problem"
)

// maxPart is the most bytes of a part of a DOCX that is read to be marked: a long book.
const maxPart = 64 << 20

// MarkDOCX returns a copy of a DOCX with a comment at each quotation. Every other part stays as it is; quotations that
// the document divides in ways that their words cannot be found by are commented at its beginning.
func (r *Report) MarkDOCX(data []byte) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || r.Document.MediaType != "application/vnd.openxmlformats-officedocument.wordprocessingml.document" {
		return nil, problem.New(problem.Usage, problem.Advise("--docx takes a DOCX; --html writes an annotated copy of any form"), "%s is no DOCX", r.Document.Name)
	}
	parts := map[string]string{}
	for _, name := range []string{"word/document.xml", "word/_rels/document.xml.rels", "[Content_Types].xml", "word/comments.xml"} {
		if parts[name], err = readPart(in, name); err != nil {
			return nil, problem.Wrap(err, "DOCX")
		}
	}
	if parts["word/comments.xml"] != "" {
		return nil, problem.New(problem.Usage, problem.Advise("accept or remove its comments first, or use --html"), "%s has comments already", r.Document.Name)
	}
	body := markParagraphs(parts["word/document.xml"], r.Items)
	changed := map[string]string{
		"word/document.xml":            body,
		"word/comments.xml":            commentsPart(r.Items),
		"word/_rels/document.xml.rels": strings.Replace(parts["word/_rels/document.xml.rels"], "</Relationships>", `<Relationship Id="rIdExamination" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="comments.xml"/></Relationships>`, 1),
		"[Content_Types].xml":          strings.Replace(parts["[Content_Types].xml"], "</Types>", `<Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/></Types>`, 1),
	}
	return rewriteZip(in, changed)
}

func readPart(in *zip.Reader, name string) (string, error) {
	for _, f := range in.File {
		if f.Name != name {
			continue
		}
		rc, err := f.Open()
		if err != nil {
			return "", err
		}
		defer rc.Close()
		data, err := io.ReadAll(io.LimitReader(rc, maxPart+1))
		if err == nil && len(data) > maxPart {
			err = fmt.Errorf("%s has more than %d bytes", name, maxPart)
		}
		return string(data), err
	}
	return "", nil
}

// rewriteZip copies an archive with some parts changed or added.
func rewriteZip(in *zip.Reader, changed map[string]string) ([]byte, error) {
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	done := map[string]bool{}
	for _, f := range in.File {
		text, isChanged := changed[f.Name]
		if !isChanged {
			if err := out.Copy(f); err != nil {
				return nil, err
			}
			continue
		}
		done[f.Name] = true
		w, err := out.Create(f.Name)
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return nil, err
		}
	}
	if text := changed["word/comments.xml"]; text != "" && !done["word/comments.xml"] {
		w, err := out.Create("word/comments.xml")
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return nil, err
		}
	}
	err := out.Close()
	return b.Bytes(), err
}

const wordSpace = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

// commentsPart returns the comments of a document, one for each item.
func commentsPart(items []Item) string {
	var b strings.Builder
	b.WriteString(xml.Header + `<w:comments ` + wordSpace + `>`)
	for k := range items {
		i := &items[k]
		lines := []string{i.Verdict.Words() + ": " + i.Reason}
		if i.Found != nil {
			lines = append(lines, i.Found.reference()+": “"+i.Found.Text+"”")
		}
		fmt.Fprintf(&b, `<w:comment w:id="%d" w:author="Muniment" w:initials="M">`, i.Item)
		for _, l := range lines {
			b.WriteString(`<w:p><w:r><w:t xml:space="preserve">`)
			_ = xml.EscapeText(&b, []byte(l))
			b.WriteString(`</w:t></w:r></w:p>`)
		}
		b.WriteString(`</w:comment>`)
	}
	b.WriteString(`</w:comments>`)
	return b.String()
}

// markParagraphs puts a reference to the comment of each item at the end of the paragraph that has its words, in the order of the document.
func markParagraphs(body string, items []Item) string {
	var b strings.Builder
	rest, next := body, 0
	for next < len(items) {
		end := strings.Index(rest, "</w:p>")
		if end < 0 {
			break
		}
		par := rest[:end]
		words := key(textOfRuns(par))
		refs := ""
		for next < len(items) && strings.Contains(words, firstWords(items[next].Text)) {
			refs += reference(items[next].Item)
			next++
		}
		if refs == "" && next < len(items) { // one that the document divides is passed over when the one after it is here
			for k := next + 1; k < min(len(items), next+4); k++ {
				if strings.Contains(words, firstWords(items[k].Text)) {
					for ; next <= k; next++ {
						refs += reference(items[next].Item)
					}
					break
				}
			}
		}
		b.WriteString(par + refs + "</w:p>")
		rest = rest[end+len("</w:p>"):]
	}
	left := ""
	for ; next < len(items); next++ {
		left += reference(items[next].Item)
	}
	out := b.String() + rest
	if left != "" {
		if at := strings.Index(out, "</w:p>"); at >= 0 {
			out = out[:at] + left + out[at:]
		}
	}
	return out
}

func reference(id int) string {
	return fmt.Sprintf(`<w:r><w:commentReference w:id="%d"/></w:r>`, id)
}

// firstWords returns the beginning of a quotation, as much as marks of notes inside it leave whole.
func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 4)], " ")
}

// textOfRuns returns the text of a paragraph.
func textOfRuns(par string) string {
	var b strings.Builder
	for {
		at := strings.Index(par, "<w:t")
		if at < 0 {
			return b.String()
		}
		par = par[at+4:]
		if !strings.HasPrefix(par, ">") && !strings.HasPrefix(par, " ") {
			if strings.HasPrefix(par, "ab/") {
				b.WriteByte(' ')
			}
			continue
		}
		from := strings.IndexByte(par, '>') + 1
		to := strings.Index(par, "</w:t>")
		if to < from {
			return b.String()
		}
		b.WriteString(unescape.Replace(par[from:to]))
		par = par[to:]
	}
}

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&#34;", `"`, "&amp;", "&")
