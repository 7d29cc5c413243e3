package pdf

import (
	"fmt"
	"strings"
)

// A document is what the smallest PDF needs: lines of text by page, each line
// in WinAnsi, and what it says about itself.
type document struct {
	pages     [][]string
	info      string // entries of the information dictionary
	encrypted bool
	picture   bool // each page draws one
}

// file writes the document with a table of its objects' places.
func (d document) file() string {
	var kids []string
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"", // the list of pages
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< " + d.info + " >>",
		"<< /Filter /Standard /V 1 /R 2 /P -44 /O (" + strings.Repeat("o", 32) + ") /U (" + strings.Repeat("u", 32) + ") >>",
	}
	for _, lines := range d.pages {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		var content strings.Builder
		for i, line := range lines {
			fmt.Fprintf(&content, "BT /F1 12 Tf 72 %d Td (%s) Tj ET\n", 720-16*i, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line))
		}
		if d.picture {
			content.WriteString("q 100 0 0 100 72 500 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q\n")
		}
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", content.Len(), content.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	var out strings.Builder
	out.WriteString("%PDF-1.4\n")
	var table strings.Builder
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	trailer := "/Root 1 0 R /Info 4 0 R"
	if d.encrypted {
		trailer += " /Encrypt 5 0 R /ID [(a) (a)]"
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, trailer, start)
	return out.String()
}

const info = "/Title (The flood) /Author (A. Meier) /Producer (by hand) /CreationDate (D:19110303102000+01'00')"

var (
	report   = document{pages: [][]string{{"The flood", "", "On the 15th of June the river rose.", "Nobody was hurt."}, nil, {"Caf\xE9 (closed)"}}, info: info}
	scan     = document{pages: [][]string{nil, nil}, picture: true}
	locked   = document{pages: [][]string{{"secret"}}, encrypted: true}
	oneWord  = document{pages: [][]string{{"word"}}}
	nothing  = document{pages: [][]string{nil}}
	twoPages = document{pages: [][]string{{"one"}, {"two"}}}
)
