package dbresult

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/canon/read"
)

var people = []Column{{"name", "text"}, {"born", "integer"}}

func textOf(t *testing.T, query string, columns []Column, rows [][]any, ordered bool) string {
	t.Helper()
	data, err := New(query, columns, rows, ordered)
	if err != nil {
		t.Fatal(err)
	}
	f, err := readResult(read.Input{Data: data})
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return string(f.Payload)
}

func TestPayload(t *testing.T) {
	cases := []struct {
		name, query string
		columns     []Column
		rows        [][]any
		ordered     bool
		want        string
	}{
		{"unordered", "SELECT name, born FROM people", people, [][]any{{"Pepys", "1633"}, {"Evelyn", nil}}, false,
			"2 rows, 2 columns, unordered\n\n> SELECT name, born FROM people\n\nname\tborn\ntext\tinteger\n\nEvelyn\t\\N\nPepys\t1633\n"},
		{"ordered", "SELECT name, born FROM people ORDER BY born", people, [][]any{{"Pepys", int64(1633)}, {"Evelyn", int64(1620)}}, true,
			"2 rows, 2 columns, ordered\n\n> SELECT name, born FROM people ORDER BY born\n\nname\tborn\ntext\tinteger\n\nPepys\t1633\nEvelyn\t1620\n"},
		{"no rows", "SELECT 1 WHERE false", people, nil, false,
			"0 rows, 2 columns, unordered\n\n> SELECT 1 WHERE false\n\nname\tborn\ntext\tinteger\n"},
		{"equal rows", "q", people[:1], [][]any{{"a"}, {"a"}}, false, "2 rows, 1 columns, unordered\n\n> q\n\nname\ntext\n\na\na\n"},
		{"null, empty, its name", "q", people[:1], [][]any{{nil}, {""}, {`\N`}, {"NULL"}}, true,
			"4 rows, 1 columns, ordered\n\n> q\n\nname\ntext\n\n\\N\n\\\n\\\\N\nNULL\n"},
		{"lines in the query", "\nSELECT 1 \r\n\r\n  -- twice\n", people[:1], nil, false,
			"0 rows, 1 columns, unordered\n\n> SELECT 1\n>\n>   -- twice\n\nname\ntext\n"},
		{"escapes", "q", people[:1], [][]any{{"a\tb\\c\r\nd\n\u0301 "}}, false, "1 rows, 1 columns, unordered\n\n> q\n\nname\ntext\n\na\\011b\\\\c\\012d\\012\u0301 \\\n"},
		{"unnamed", "q", []Column{{"", "text"}, {"", "text"}}, [][]any{{"", ""}}, false, "1 rows, 2 columns, unordered\n\n> q\n\n\t\\\ntext\ttext\n\n\t\\\n"},
		{"sorted in normal form", "q", people[:1], [][]any{{"f"}, {"e\u0301"}, {"e"}}, false, "3 rows, 1 columns, unordered\n\n> q\n\nname\ntext\n\ne\nf\né\n"},
	}
	for _, c := range cases {
		got := textOf(t, c.query, c.columns, c.rows, c.ordered)
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		r, err := readBack([]byte(got))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(r.Rows) != len(c.rows) {
			t.Errorf("%s: %d rows, want %d", c.name, len(r.Rows), len(c.rows))
		}
	}
}

// Two runs of a query that promises no order are one artifact, of one that
// does two.
func TestOrder(t *testing.T) {
	a, b := [][]any{{"x", "1"}, {"y", "2"}}, [][]any{{"y", "2"}, {"x", "1"}}
	if textOf(t, "q", people, a, false) != textOf(t, "q", people, b, false) {
		t.Error("the order of unordered rows counts")
	}
	if textOf(t, "q", people, a, true) == textOf(t, "q", people, b, true) {
		t.Error("the order of ordered rows does not count")
	}
}

func TestCellOf(t *testing.T) {
	at := time.Date(1666, 9, 2, 3, 0, 0, 500_000_000, time.FixedZone("", 3600))
	cases := []struct {
		v          any
		columnType string
		want       string
	}{
		{int64(math.MinInt64), "integer", "-9223372036854775808"}, {true, "boolean", "true"}, {0.1, "float", "0.1"},
		{1e100, "float", "1e+100"}, {math.NaN(), "float", "NaN"}, {math.Inf(-1), "float", "-Infinity"}, {math.Copysign(0, -1), "float", "-0"},
		{[]byte{0, 255}, "bytes", "00ff"}, {[]byte("1.50"), "decimal", "1.50"}, {at, "timestamp", "1666-09-02T03:00:00.5+01:00"},
		{at, "date", "1666-09-02"}, {at, "time", "03:00:00.5+01:00"}, {"x", "text", "x"},
	}
	for _, c := range cases {
		cell, err := CellOf(c.v, c.columnType)
		if err != nil || cell.Null || cell.Text != c.want {
			t.Errorf("%v: %+v, %v, want %s", c.v, cell, err, c.want)
		}
		if _, err := New("q", []Column{{"a", c.columnType}}, [][]any{{c.v}}, false); err != nil {
			t.Errorf("%v: %v", c.v, err)
		}
	}
	if _, err := CellOf(int32(1), "integer"); err == nil {
		t.Error("an int32 has a cell")
	}
}

func TestNewRefuses(t *testing.T) {
	cases := []struct {
		name, query, kind string
		row               []any
		want              string
	}{
		{"no query", " \n", "text", nil, "the query is empty"},
		{"zero in query", "a\x00", "text", nil, "the query: the text holds U+0000"},
		{"type", "q", "varchar", nil, `column 1 has the type "varchar", want one of [boolean bytes date decimal float integer text time timestamp]`},
		{"cells", "q", "text", []any{"a", "b"}, "row 1 has 2 cells, want 1"},
		{"integer", "q", "integer", []any{"007"}, `row 1, column 1: "007" is no integer`},
		{"decimal", "q", "decimal", []any{"1e5"}, `row 1, column 1: "1e5" is no decimal`},
		{"float", "q", "float", []any{"nan"}, `row 1, column 1: "nan" is no float`},
		{"bytes", "q", "bytes", []any{"FF"}, `row 1, column 1: "FF" is no bytes`},
		{"boolean", "q", "boolean", []any{"t"}, `row 1, column 1: "t" is no boolean`},
		{"date", "q", "date", []any{"2020-13-01"}, `row 1, column 1: "2020-13-01" is no date`},
		{"timestamp", "q", "timestamp", []any{"2020-12-01 10:00:00"}, `row 1, column 1: "2020-12-01 10:00:00" is no timestamp`},
		{"utf-8", "q", "text", []any{"\xff"}, "row 1, column 1: the text is not valid UTF-8"},
	}
	for _, c := range cases {
		var rows [][]any
		if c.row != nil {
			rows = [][]any{c.row}
		}
		data, err := New(c.query, []Column{{"a", c.kind}}, rows, false)
		if err == nil || err.Error() != c.want || data != nil {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := New("q", nil, nil, false); err == nil || err.Error() != "the result has no columns" {
		t.Errorf("no columns: %v", err)
	}
}

const whole = `{"columns":[{"name":"a","type":"text"},{"name":"b","type":"integer"}],"ordered":false,"query":"SELECT\n1","rows":[["x","1"],["é\t",null]],"type":"muniment/dbresult/v1"}`

func TestOriginalRefused(t *testing.T) {
	if _, err := decode([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	const wrong = "the result is not canonical JSON of the kind muniment/dbresult/v1: it goes wrong at byte "
	cases := []struct{ name, from, to, want string }{
		{"blank", `,"query"`, `, "query"`, wrong + "86"},
		{"other member", `"rows"`, `"lines"`, wrong + "107"},
		{"other version", `v1"`, `v2"`, wrong + "136"},
		{"number", `"1"`, `1`, wrong + "120"},
		{"more", `v1"}`, `v1"}x`, wrong + "166"},
		{"needless escape", `"x"`, `"\u0078"`, "the result is not canonical JSON: a string has needless escapes"},
		{"surrogate", `"x"`, `"\ud800"`, "the result is not canonical JSON: a string has needless escapes"},
		{"missing cell", `"x",`, ``, "row 1 has 1 cells, want 2"},
		{"not utf-8", `é`, "\xe9", "the result is not valid UTF-8"},
	}
	for _, c := range cases {
		data := strings.Replace(whole, c.from, c.to, 1)
		r, err := decode([]byte(data))
		if err == nil || r != nil || err.Error() != c.want && !(strings.HasPrefix(c.want, wrong) && strings.HasPrefix(err.Error(), wrong)) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	text := textOf(t, "q", people, [][]any{{"a", nil}, {"b", "1"}}, false)
	cases := []struct{ name, from, to string }{
		{"count", "2 rows", "3 rows"}, {"zeros", "2 rows", "02 rows"}, {"order", "unordered", "random"}, {"rows out of order", "a\t\\N\nb\t1", "b\t1\na\t\\N"},
		{"type", "integer", "number"}, {"cell", "b\t1", "b\tx"}, {"escape", "b\t1", "\\x\t1"}, {"cells", "b\t1", "b"}, {"no prompt", "> q", "q"},
		{"end", "b\t1\n", "b\t1"}, {"blank line", "b\t1\n", "b\t1\n\n"}, {"normal form", "b\t1", "e\u0301\t1"},
	}
	for _, c := range cases {
		changed := strings.Replace(text, c.from, c.to, 1)
		if r, err := readBack([]byte(changed)); err == nil || r != nil || changed == text {
			t.Errorf("%s: %q was read", c.name, changed)
		}
	}
}

// Any result is read back from its text, normal form and line breaks apart.
func TestRoundTrip(t *testing.T) {
	cell := rapid.Custom(func(t *rapid.T) any {
		if rapid.Bool().Draw(t, "null") {
			return nil
		}
		return rapid.StringOf(rapid.SampledFrom([]rune("aN\\ \t\n\",é\u0323天>"))).Draw(t, "text")
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 2, 2), 0, 4).Draw(t, "rows")
		query := "x" + rapid.StringOf(rapid.SampledFrom([]rune("a> \n\\"))).Draw(t, "query")
		data, err := New(query, []Column{{"a\tb ", "text"}, {"", "text"}}, rows, true)
		if err != nil {
			t.Fatal(err)
		}
		f, err := readResult(read.Input{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readBack(f.Payload)
		if err != nil {
			t.Fatalf("%q: %v", f.Payload, err)
		}
		var want [][]Cell
		for _, row := range rows {
			var cells []Cell
			for _, v := range row {
				text, ok := v.(string)
				cells = append(cells, Cell{Text: string(canon.NFC([]byte(text))), Null: !ok})
			}
			want = append(want, cells)
		}
		if diff := cmp.Diff(want, got.Rows); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", f.Payload, diff)
		}
	})
}

func check(t *testing.T, data []byte) {
	t.Helper()
	f, err := readResult(read.Input{Data: data})
	if err != nil {
		if f.Payload != nil || f.Facts != nil {
			t.Fatalf("an error with a form: %q", f.Payload)
		}
		return
	}
	if _, err := readBack(f.Payload); err != nil {
		t.Fatalf("%q is not read back: %v", f.Payload, err)
	}
}

// Truncated and damaged originals give a form or an error.
func TestDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		data := []byte(whole)
		for range 1 + rng.IntN(2) {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
		if i%2 == 0 {
			data = data[:rng.IntN(len(data))]
		}
		check(t, data)
	}
}

// A million rows of almost nothing take no gigabyte.
func TestTinyRows(t *testing.T) {
	rows := strings.Repeat(`[""],`, 1_000_000) + `[""]`
	data := []byte(`{"columns":[{"name":"","type":"text"}],"ordered":false,"query":"q","rows":[` + rows + `],"type":"muniment/dbresult/v1"}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := readResult(read.Input{Data: data})
	if err != nil || f.Facts["rows"] != "1000001" {
		t.Fatalf("%v, %v", f.Facts, err)
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 400 {
		t.Errorf("a million rows took %d MB in all", mb)
	}
	if _, err := readResult(read.Input{Data: make([]byte, MaxInput+1)}); err == nil {
		t.Error("a result beyond the limit was read")
	}
}

func FuzzOriginal(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"columns":[{"name":"","type":"text"}],"ordered":true,"query":">","rows":[],"type":"muniment/dbresult/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, data)
		if r, err := decode(data); err == nil && !bytes.Equal(r.encode(), data) {
			t.Fatalf("%q is not written again as it was", data)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("2 rows, 2 columns, unordered\n\n> q\n>\n> r\n\na\tb\\\\\ntext\tinteger\n\nx\\012\t\\N\ny \t1\n"))
	f.Add([]byte("0 rows, 1 columns, ordered\n\n> q\n\n\\\ntext\n"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := readBack(payload)
		if err != nil {
			if r != nil {
				t.Fatalf("an error with a result: %v", r)
			}
			return
		}
		if !bytes.Equal(r.text(), payload) || !bytes.Equal(canon.Text(payload), payload) {
			t.Fatalf("%q is not written again as it was", payload)
		}
	})
}

func BenchmarkResult(b *testing.B) {
	var rows [][]any
	for range 20_000 {
		rows = append(rows, []any{"went by water to Whitehall", "1633"})
	}
	data, err := New("SELECT note, year FROM diary", people, rows, false)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := readResult(read.Input{Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
