package examination

import (
	"archive/zip"
	"bytes"
	"path"
	"regexp"
	"strings"
)

// withMarks returns the bytes of a document in which signs that its form loses are words, as markdown writes them:
// block quotes, marks of notes, addresses of links. A document that cannot be read in this way stays as it is.
func withMarks(in Input) []byte {
	switch strings.ToLower(path.Ext(in.Name)) {
	case ".html", ".htm", ".xhtml":
		return []byte(markHTML(string(in.Data)))
	case ".docx":
		if marked, err := markedDOCX(in.Data); err == nil {
			return marked
		}
	}
	return in.Data
}

// htmlMarks are the elements of a page that are written as words, and how.
var htmlMarks = []struct {
	element *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`(?is)<(?:sup|span)[^>]*>\s*<a\s[^>]*href="#[^"]*"[^>]*>\s*\[?(\d{1,4})\]?\s*</a>\s*</(?:sup|span)>`), `[^$1]`},
	{regexp.MustCompile(`(?is)<a\s[^>]*href="#(?:fn|note|cite_note|footnote)[^"]*"[^>]*>\s*(?:<sup>)?\s*\[?(\d{1,4})\]?\s*(?:</sup>)?\s*</a>`), `[^$1]`},
	{regexp.MustCompile(`(?is)(<(?:li|p|div)\s[^>]*id="(?:fn|note|cite_note|footnote)[^"\d]*(\d{1,4})"[^>]*>\s*(?:<p[^>]*>)?)`), `$1[^$2]: `},
	{regexp.MustCompile(`(?is)(<blockquote[^>]*>\s*(?:<p[^>]*>)?)`), `$1&gt; `},
	{regexp.MustCompile(`(?i)<q(?:\s[^>]*)?>`), `“`},
	{regexp.MustCompile(`(?i)</q>`), `”`},
	{regexp.MustCompile(`(?is)(<a\s[^>]*href="(https?://[^"\s]+)"[^>]*>.{0,300}?)</a>`), `$1</a> &lt;$2&gt;`},
}

func markHTML(page string) string {
	for _, m := range htmlMarks {
		page = m.element.ReplaceAllString(page, m.words)
	}
	return page
}

var (
	docxReference = regexp.MustCompile(`<w:(?:foot|end)noteReference\s[^>]*w:id="(\d+)"[^>]*/>`)
	docxNote      = regexp.MustCompile(`<w:(?:foot|end)note\s[^>]*w:id="(\d+)"[^>]*>`)
	docxQuote     = regexp.MustCompile(`<w:pStyle\s+w:val="[^"]*(?i:quote|zitat|blocktext|citation)[^"]*"\s*/>`)
	docxText      = regexp.MustCompile(`<w:t(?:\s[^>]*)?>`)
)

// markedDOCX writes the marks of notes and of block quotes into the text of a DOCX.
func markedDOCX(data []byte) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	changed := map[string]string{}
	for _, name := range []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"} {
		text, err := readPart(in, name)
		if err != nil {
			return nil, err
		}
		switch {
		case text == "":
		case name == "word/document.xml":
			text = docxReference.ReplaceAllString(text, `<w:t>[^$1]</w:t>$0`)
			changed[name] = quoteParagraphs(text)
		default:
			changed[name] = labelNotes(text)
		}
	}
	return rewriteZip(in, changed)
}

// quoteParagraphs puts the mark of a block quote before each paragraph with a style of quotations.
func quoteParagraphs(body string) string {
	parts := strings.SplitAfter(body, "</w:p>")
	for i, p := range parts {
		if docxQuote.MatchString(p) {
			parts[i] = insertAtText(p, "&gt; ")
		}
	}
	return strings.Join(parts, "")
}

// labelNotes puts the label of each note before its text.
func labelNotes(text string) string {
	var b strings.Builder
	for {
		m := docxNote.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		b.WriteString(text[:m[1]])
		label := "[^" + text[m[2]:m[3]] + "]: "
		text = text[m[1]:]
		next := docxNote.FindStringIndex(text)
		end := len(text)
		if next != nil {
			end = next[0]
		}
		b.WriteString(insertAtText(text[:end], label))
		text = text[end:]
	}
	return b.String() + text
}

// insertAtText puts words at the beginning of the first text of some runs.
func insertAtText(runs, words string) string {
	at := docxText.FindStringIndex(runs)
	if at == nil {
		return runs
	}
	return runs[:at[0]] + `<w:t xml:space="preserve">` + words + runs[at[1]:]
}
