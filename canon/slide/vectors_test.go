package slide_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/read"
	"muniment/canon/slide"
	"muniment/testvectors"
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
	talk := testvectors.ReadFile(t, "../../testvectors/canon-slide/ppt-talk").Body
	change := func(from, to string) []byte {
		if !bytes.Contains(talk, []byte(from)) {
			t.Fatalf("the presentation has no %x", from)
		}
		return bytes.Replace(talk, []byte(from), []byte(to), 1)
	}
	maps.Copy(table, map[string]formstest.Case{
		"ppt-talk":       makeCase("a.ppt", "text", talk),
		"ppt-encrypted":  makeCase("a.ppt", "bytes", change("\x5F\xC0\x91\xE3", "\xDF\xC4\xD1\xF3")),
		"ppt-edit-far":   makeCase("a.ppt", "bytes", change("\x00\x00\xF5\x0F\x1C\x00\x00\x00", "\x00\x00\xF5\x0F\x1C\x00\x00\x70")),
		"ppt-part-other": makeCase("a.ppt", "bytes", change("\x0F\x00\xEE\x03", "\x0F\x00\xED\x03")),
		"ppt-truncated":  makeCase("a.ppt", "bytes", talk[:4000]),
	})
	set := formstest.Set{Dir: "../../testvectors/canon-slide", Registry: read.NewRegistry(slide.Pptx(), slide.Odp(), slide.Ppt()), Table: table, OwnInput: true}
	set.Run(t, 15)
}
