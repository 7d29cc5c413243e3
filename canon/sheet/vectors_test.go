package sheet_test

import (
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/read"
	"muniment/canon/sheet"
)

// Every vector gives exactly what its file says, and the files are those of the
// table.
func TestVectors(t *testing.T) {
	x := func(expect, rows string) formstest.Case {
		return formstest.NewCase("a.xlsx", "", string(xlsx(t, rows)), expect)
	}
	o := func(expect, tables string) formstest.Case {
		return formstest.NewCase("a.ods", "", string(ods(t, tables)), expect)
	}
	const row = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>`
	const flour = `<table:table table:name="Flour"><table:table-row><table:table-cell><text:p>a<text:s/>b</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="1931-05-04"><text:p>4 May</text:p></table:table-cell></table:table-row></table:table>`
	table := map[string]formstest.Case{
		"xlsx-texts":        x("text", row),
		"xlsx-values":       x("text", `<row r="3"><c r="A3" s="1"><v>11447</v></c><c r="B3" s="2"><v>11447.5</v></c><c r="C3" s="3"><v>12.50</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><v>#DIV/0!</v></c><c r="F3" t="str"><f>A1</f><v>a	b</v></c></row>`),
		"xlsx-missing-text": x("bytes", `<row r="1"><c r="A1" t="s"><v>9</v></c></row>`),
		"xlsx-rows-order":   x("bytes", `<row r="2"/><row r="1"/>`),
		"xlsx-cells-order":  x("bytes", `<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>`),
		"xlsx-column-far":   x("bytes", `<row r="1"><c r="ZZZZ1"><v>1</v></c></row>`),
		"xlsx-truncated":    formstest.NewCase("a.xlsx", "", string(xlsx(t, row)[:400]), "bytes"),
		"ods-rows":          o("text", flour),
		"ods-repeated":      o("text", `<table:table table:name="F"><table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="1234.5"><text:p>1,234.50</text:p></table:table-cell></table:table-row></table:table>`),
		"ods-columns-far":   o("bytes", `<table:table table:name="W"><table:table-row><table:table-cell table:number-columns-repeated="99999"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`),
		"ods-entity":        o("bytes", `<table:table table:name="W"><table:table-row><table:table-cell><text:p>&x;</text:p></table:table-cell></table:table-row></table:table>`),
		"ods-truncated":     formstest.NewCase("a.ods", "", string(ods(t, flour)[:300]), "bytes"),
	}
	set := formstest.Set{Dir: "../../testvectors/canon-sheet", Registry: read.NewRegistry(sheet.Xlsx(), sheet.Ods()), Table: table, OwnInput: true}
	set.Run(t, 12)
}
