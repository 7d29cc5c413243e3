package sheet_test

import (
	"bytes"
	"maps"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/read"
	"muniment/canon/sheet"
	"muniment/testvectors"
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
	maps.Copy(table, xlsVectors(t))
	set := formstest.Set{Dir: "../../testvectors/canon-sheet", Registry: read.NewRegistry(sheet.Xlsx(), sheet.Ods(), sheet.Xls()), Table: table, OwnInput: true}
	set.Run(t, 18)
}

// xlsVectors are the workbooks of Excel before 2007. One is kept in its vector, as
// another program wrote it; each of the others has one defect.
func xlsVectors(t *testing.T) map[string]formstest.Case {
	accounts := testvectors.ReadFile(t, "../../testvectors/canon-sheet/xls-accounts").Body
	change := func(from, to string) []byte {
		if !bytes.Contains(accounts, []byte(from)) {
			t.Fatalf("the workbook has no %x", from)
		}
		return bytes.Replace(accounts, []byte(from), []byte(to), 1)
	}
	c := func(data []byte, expect string) formstest.Case {
		return formstest.NewCase("a.xls", "", string(data), expect)
	}
	return map[string]formstest.Case{
		"xls-accounts":    c(accounts, formstest.Text),
		"xls-encrypted":   c(change("\x42\x00\x02\x00\xB0\x04", "\x2F\x00\x02\x00\x00\x00"), formstest.Bytes),
		"xls-excel4":      c(change("\x09\x08\x10\x00\x00\x06", "\x09\x08\x10\x00\x00\x04"), formstest.Bytes),
		"xls-text-absent": c(change("\xFD\x00\x0A\x00\x00\x00\x00\x00", "\xFD\x00\x08\x00\x00\x00\x00\x00"), formstest.Bytes),
		"xls-record-far":  c(change("\x42\x00\x02\x00\xB0\x04", "\x42\x00\xFF\xFF\xB0\x04"), formstest.Bytes),
		"xls-truncated":   c(accounts[:2000], formstest.Bytes),
	}
}
