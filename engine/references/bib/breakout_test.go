package bib

import (
	"regexp"
	"strings"
	"testing"
)

// hostile are texts that would end a field, an entry or a line.
var hostile = []string{
	"a } , } @book{evil, title = {x", `a \} @book{evil, title={x}}`, "{", "}", `\`, `\{`, `"`, "@article{x,", "%", "x\n@book{evil,\n  title = {x}\n}\n",
	"x\r\nER  - \r\n\r\nTY  - BOOK\r\nTI  - evil", "x\u2028TY  - BOOK", "x\u0085ER  - ", "x\x00y\x1b[2J\u009b2J", "=HYPERLINK(1)", "a, b and c", "a AND b", "Jr., {and",
}

var (
	risFieldLine = regexp.MustCompile(`^[A-Z][A-Z0-9]  - .*$`)
	controls     = regexp.MustCompile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f]")
)

// No text of an item ends its field, in a reader that counts braces as BibTeX
// does, without regard to backslashes, or in one that goes by lines.
func TestBreakOut(t *testing.T) {
	for _, s := range hostile {
		name := Name{Family: s, Given: s, Particle: s, Suffix: s}
		it := Item{ID: s, Type: "book", Title: s, ContainerTitle: s, Collection: s, Publisher: s, PublisherPlace: s, Volume: s, Issue: s, Number: s,
			Edition: s, Page: s, Genre: s, DOI: s, ISBN: s, ISSN: s, URL: "https://x.example/" + s, Archive: s, Language: s, Note: s,
			Author: []Name{name, {Literal: s}}, Editor: []Name{name}, Issued: Date{Year: 1931, Season: s}, Accessed: Date{Literal: s}}
		tex := string(WriteBibTeX([]Item{it, it}))
		depth, entries := 0, 0
		for _, r := range tex {
			switch {
			case r == '{':
				depth++
			case r == '}':
				depth--
			case r == '@' && depth == 0:
				entries++
			case depth == 1 && r == '"', depth < 0:
				t.Fatalf("%q breaks out:\n%s", s, tex)
			}
		}
		if depth != 0 || entries != 2 || strings.Count(tex, "\n@") != 1 || strings.Contains(tex, "@book{evil") {
			t.Errorf("%q: %d entries, %d braces open:\n%s", s, entries, depth, tex)
		}
		ris := string(WriteRIS([]Item{it, it}))
		ends := 0
		for line := range strings.SplitSeq(ris, "\r\n") {
			if line != "" && !risFieldLine.MatchString(line) {
				t.Errorf("%q: RIS line %q", s, line)
			}
			if strings.HasPrefix(line, "ER  -") {
				ends++
			}
		}
		if ends != 2 {
			t.Errorf("%q: %d RIS records", s, ends)
		}
		if bad := controls.FindString(tex + ris); bad != "" {
			t.Errorf("%q: control character %q is written", s, bad)
		}
		for format, data := range map[FileFormat]string{BibTeX: tex, RIS: ris} {
			items, bad, err := readItems(format, []byte(data))
			if err != nil || len(items) != 2 || len(bad) > 0 {
				t.Errorf("%q as %s: %d items, %v, %v", s, format, len(items), bad, err)
			} else if format == BibTeX && items[0].Title != oneLine(s) {
				t.Errorf("%q is read as %q", s, items[0].Title)
			}
		}
	}
}
