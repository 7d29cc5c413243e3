package dbresult_test

import (
	"muniment/canon/read"
	"testing"

	"muniment/canon/dbresult"
	"muniment/canon/formstest"
)

const vectorDir = "../../testvectors/canon-dbresult"

var registry = read.NewRegistry(dbresult.Reader())

var vectors = func() map[string]formstest.Case {
	const head, tail = `{"columns":[`, `,"type":"muniment/dbresult/v1"}`
	const two = head + `{"name":"name","type":"text"},{"name":"born","type":"integer"}],"ordered":`
	const one = head + `{"name":"a","type":"text"}],"ordered":false,"query":"q","rows":[`
	result := func(data string) formstest.Case { return formstest.NewCase("result", dbresult.MediaType, data, "text") }
	refused := func(data string) formstest.Case {
		return formstest.NewCase("result", dbresult.MediaType, data, "bytes")
	}
	const query = `"query":"SELECT name, born FROM people"`
	typed := func(kind, cell string) string {
		return head + `{"name":"a","type":"` + kind + `"}],"ordered":false,"query":"q","rows":[["` + cell + `"]]` + tail
	}
	return map[string]formstest.Case{
		"unordered":         result(two + `false,` + query + `,"rows":[["Pepys","1633"],["Evelyn",null]]` + tail),
		"unordered-again":   result(two + `false,` + query + `,"rows":[["Evelyn",null],["Pepys","1633"]]` + tail),
		"ordered":           result(two + `true,` + query + `,"rows":[["Pepys","1633"],["Evelyn",null]]` + tail),
		"no-rows":           result(two + `false,` + query + `,"rows":[]` + tail),
		"null-and-empty":    result(one + `[null],[""],["\\N"],["NULL"]]` + tail),
		"equal-rows":        result(one + `["a"],["b"],["a"]]` + tail),
		"escapes":           result(one + `["a\tb\\c\r\nd\ń "]]` + tail),
		"decomposed":        result(one + `["é"],["f"],["e"]]` + tail),
		"query-of-lines":    result(head + `{"name":"","type":"text"}],"ordered":false,"query":"\nSELECT 1 \r\n\n  -- twice\n","rows":[[""]]` + tail),
		"decimal":           result(typed("decimal", "-1.50")),
		"float":             result(typed("float", "-Infinity")),
		"bytes":             result(typed("bytes", "00ff")),
		"timestamp":         result(typed("timestamp", "1666-09-02T03:00:00.5+01:00")),
		"bad-integer":       refused(typed("integer", "007")),
		"bad-date":          refused(typed("date", "2020-13-01")),
		"unknown-type":      refused(typed("varchar", "a")),
		"missing-cell":      refused(two + `false,` + query + `,"rows":[["Pepys"]]` + tail),
		"no-columns":        refused(head + `],"ordered":false,"query":"q","rows":[]` + tail),
		"no-query":          refused(head + `{"name":"a","type":"text"}],"ordered":false,"query":" ","rows":[]` + tail),
		"number-cell":       refused(one + `[1]]` + tail),
		"blank-in-original": refused(one + ` ["a"]]` + tail),
		"needless-escape":   refused(one + `["\u0061"]]` + tail),
		"zero-in-cell":      refused(one + `["\u0000"]]` + tail),
		"other-version":     refused(one + `["a"]],"type":"muniment/dbresult/v2"}`),
		"cut":               refused(one + `["a"`),
	}
}()

// Every vector gives exactly what its file says, and the files are those of
// the table.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: registry, Table: vectors}
	set.Run(t, 25)
}
