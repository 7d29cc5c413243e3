package slide_test

import (
	"strings"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/read"
	"muniment/canon/slide"
)

// Every vector gives exactly what its file says, and the files are those of the
// table.
func TestVectors(t *testing.T) {
	makeCase := func(name, expect string, data []byte) formstest.Case {
		return formstest.NewCase(name, "", string(data), expect)
	}
	table := map[string]formstest.Case{
		"pptx-talk":           makeCase("a.pptx", "text", pptx(t, first)),
		"pptx-no-text":        makeCase("a.pptx", "text", pptx(t, `<p:sld `+ns+`/>`)),
		"pptx-unclosed-slide": makeCase("a.pptx", "bytes", pptx(t, first[:len(first)-20])),
		"pptx-no-document":    makeCase("a.pptx", "bytes", pack(t, "x", "y")),
		"pptx-truncated":      makeCase("a.pptx", "bytes", pptx(t, first)[:500]),
		"odp-talk":            makeCase("a.odp", "text", odp(t, pages)),
		"odp-entity":          makeCase("a.odp", "bytes", odp(t, strings.Replace(pages, "mill", "&mill;", 1))),
		"odp-no-content":      makeCase("a.odp", "bytes", pack(t, "mimetype", "application/vnd.oasis.opendocument.presentation")),
		"odp-nothing":         makeCase("a.odp", "bytes", odp(t, "<d:page/>")),
		"odp-truncated":       makeCase("a.odp", "bytes", odp(t, pages)[:300]),
	}
	set := formstest.Set{Dir: "../../testvectors/canon-slide", Registry: read.NewRegistry(slide.Pptx(), slide.Odp()), Table: table, OwnInput: true}
	set.Run(t, 10)
}
