package rtf_test

import (
	"strings"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/read"
	"muniment/canon/rtf"
)

// Every vector gives exactly what its file says, and the files are those of the
// table.
func TestVectors(t *testing.T) {
	text := func(data string) formstest.Case { return formstest.NewCase("a.rtf", "", data, "text") }
	bytes := func(data string) formstest.Case { return formstest.NewCase("a.rtf", "", data, "bytes") }
	table := map[string]formstest.Case{
		"rtf-paragraphs":    text(`{\rtf1\ansi\ansicpg1252 Dear Ben,\par the harbour froze.\line On Tuesday.}`),
		"rtf-charsets":      text(`{\rtf1\ansi\ansicpg1250{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}caf\'e9 {\f1 \'cc\'e8\'f0} \'9aum}`),
		"rtf-unicode":       text(`{\rtf1\ansi\uc1 \u1052?\u-10179?\u-8704? x\uc0\u233 t}`),
		"rtf-substitutes":   text(`{\rtf1\ansi\uc2 \u8364\'80\'80y}`),
		"rtf-table":         text(`{\rtf1\trowd\intbl a\par b\cell c\cell\row\trowd\intbl 1\cell 2\cell\row\pard end}`),
		"rtf-struck":        text(`{\rtf1 kept {\strike gone on} x\striked1 y\striked0 z\par\strike one\par two}`),
		"rtf-raised":        text(`{\rtf1 10{\super 6} and H{\sub 2}O, x\up6 2\up0 y\dn4 3\nosupersub z}`),
		"rtf-left-out":      text(`{\rtf1{\header top}{\*\generator G;}{\v secret}{\deleted gone}{\pict 0a0b}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}} stays}`),
		"rtf-margins":       text(`{\rtf1\facingp\titlepg{\headerl Mill House}{\headerr Mill House}{\headerf Thornby, 4 May 1998}{\footer page {\field{\*\fldinst PAGE}{\fldrslt 1}}}The mill burnt.\sect Again.}`),
		"rtf-margins-first": text(`{\rtf1{\headerl left}{\headerf first}{\header all}The mill burnt.}`),
		"rtf-notes":         text(`{\rtf1 A word{\footnote \pard the note} goes on.\par End.}`),
		"rtf-source":        text(`{\rtf1{\info{\title The mill}{\author Ada Vale}{\operator x}}text}`),
		"rtf-binary":        text(`{\rtf1 a{\pict\bin4 }}}}}b}`),
		"rtf-no-head":       bytes(`{\rt1 a}`),
		"rtf-unclosed":      bytes(`{\rtf1 a {b}`),
		"rtf-deep":          bytes(`{\rtf1 ` + strings.Repeat("{", 1000) + strings.Repeat("}", 1000) + `}`),
		"rtf-half-hex":      bytes(`{\rtf1 a\'zz}`),
		"rtf-binary-beyond": bytes(`{\rtf1 a\bin99 b}`),
		"rtf-nothing":       bytes(`{\rtf1 {\v secret}}`),
	}
	set := formstest.Set{Dir: "../../testvectors/canon-rtf", Registry: read.NewRegistry(rtf.Reader()), Table: table}
	set.Run(t, 19)
}
