package csvtable

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/canon/read"
)

func form(t *testing.T, name, data string) read.Form {
	t.Helper()
	f, err := readTable(read.Input{Name: name, Data: []byte(data)})
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	return f
}

func TestPayload(t *testing.T) {
	cases := []struct{ name, data, want, dialect string }{
		{"commas", "a,b\r\n1,2\r\n", "a\tb\n1\t2\n", "comma rfc4180"},
		{"semicolons", "a;b\n1,5;2,5\n3,5;4,5\n", "a\tb\n1,5\t2,5\n3,5\t4,5\n", "semicolon rfc4180"},
		{"tabs", "a\tb\n1, 2\t3\n", "a\tb\n1, 2\t3\n", "tab rfc4180"},
		{"nothing is coerced", "n,d,x\n007,1/2/03,1e5\n+1,TRUE, 2 \n", "n\td\tx\n007\t1/2/03\t1e5\n+1\tTRUE\t 2 \\\n", "comma rfc4180"},
		{"quoted", "a,\"b, \"\"c\"\"\"\n\"d\",e\n", "a\tb, \"c\"\nd\te\n", "comma rfc4180"},
		{"line break in a cell", "a,\"b\r\nc\u2028d\"\ne,f\n", "a\tb\\012c\\012d\ne\tf\n", "comma rfc4180"},
		{"mark behind a break", "a,\"b\n\u0301c\"\ne,f\n", "a\tb\\012\u0301c\ne\tf\n", "comma rfc4180"},
		{"tab and backslash in cells", "\"a\tb\",c\\d\ne,f\n", "a\\011b\tc\\\\d\ne\tf\n", "comma rfc4180"},
		{"empty cells", ",,\na,,\n,b,\n,,c\n", "\t\t\\\na\t\t\\\n\tb\t\\\n\t\tc\n", "comma rfc4180"},
		{"empty lines", "\n\na,b\n\nc,d\n\n", "a\tb\nc\td\n", "comma rfc4180"},
		{"one column", "a\nb\n", "a\nb\n", "comma rfc4180"},
		{"no final line break", "a,b\nc,d", "a\tb\nc\td\n", "comma rfc4180"},
		{"empty cell at the very end", "a,b\nc,", "a\tb\nc\t\\\n", "comma rfc4180"},
		{"stray marks", "size,what\n5\" disk,old\n\"x, \"y\" z\",new\n", "size\twhat\n5\" disk\told\nx, \"y\" z\tnew\n", "comma lenient"},
		{"never closed", "a,b\n\"c,d\ne,f\ng,h\n", "a\tb\n\"c\td\ne\tf\ng\th\n", "comma none"},
		{"byte order mark", "\uFEFFa,b\n", "a\tb\n", "comma rfc4180"},
		{"byte order mark in quotes", "\"\uFEFF\"\nb\n", "\\\nb\n", "comma rfc4180"},
		{"decomposed", "e\u0301,b\n", "é\tb\n", "comma rfc4180"},
	}
	for _, c := range cases {
		f := form(t, "a.csv", c.data)
		if got := string(f.Payload); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := f.Facts["delimiter"] + " " + f.Facts["quoting"]; got != c.dialect {
			t.Errorf("%s: dialect %q, want %q", c.name, got, c.dialect)
		}
		if rows, err := readBack(f.Payload); err != nil {
			t.Errorf("%s: %v of %q", c.name, err, rows)
		}
	}
}

func TestFacts(t *testing.T) {
	f := form(t, "a.csv", "a,b,c\n1,2,3\n4,5\n")
	want := map[string]string{"delimiter": "comma", "quoting": "rfc4180", "rows": "3", "columns": "3", "ragged": "1"}
	if diff := cmp.Diff(want, f.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// A name or sender that says tabs is believed where there is a tab.
func TestPreferTab(t *testing.T) {
	const data = "a,b\tc\nd,e\tf,g\n"
	if got := form(t, "a.csv", data).Facts["delimiter"]; got != "tab" {
		t.Errorf("a.csv: %s", got)
	}
	const commas = "a,b,c\td\ne,f,g\th\n"
	if got := form(t, "a.csv", commas).Facts["delimiter"]; got != "comma" {
		t.Errorf("a.csv: %s", got)
	}
	if got := form(t, "a.tsv", commas).Facts["delimiter"]; got != "tab" {
		t.Errorf("a.tsv: %s", got)
	}
}

func TestNothingVisible(t *testing.T) {
	if f := form(t, "a.csv", ",,\n , \n"); f.Payload != nil {
		t.Errorf("payload %q of nothing", f.Payload)
	}
}

// A row is a line, so that l spans cite rows.
func TestRowsAreLines(t *testing.T) {
	f := form(t, "a.csv", "a,b\n\"c\n\nd\",e\n,\nf,g\n")
	lines := canon.NewDocument(f.Payload).Units(canon.Lines)
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4: %q", len(lines), f.Payload)
	}
	if got := string(f.Payload[lines[3].Start:lines[3].End]); got != "f\tg" {
		t.Errorf("row 4 is %q", got)
	}
}

func TestRowsRefuses(t *testing.T) {
	for _, payload := range []string{"", "a", "a\\\n", "a\\n\n", "a\\\tb\n", "a \n", "a\\01\n", "a\n\n", "\na\n", "a\\0111\\\n", "e\u0301\n"} {
		if rows, err := readBack([]byte(payload)); err == nil || rows != nil {
			t.Errorf("%q was read as %q", payload, rows)
		}
	}
}

// Any rows are read back from their form cell by cell, normal form and the
// byte order mark at the very beginning apart.
func TestRoundTrip(t *testing.T) {
	cell := rapid.StringOf(rapid.SampledFrom([]rune("a1\\ \t\n\",;é\u0323天")))
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 1, 4), 1, 5).Draw(t, "rows")
		rows[0][0] = "x" + rows[0][0]
		payload := canon.Text(encode(rows))
		got, err := readBack(payload)
		if err != nil {
			t.Fatalf("%q: %v", payload, err)
		}
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = string(canon.NFC([]byte(rows[i][j])))
			}
		}
		if diff := cmp.Diff(rows, got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", payload, diff)
		}
	})
}

func TestRegistry(t *testing.T) {
	r := read.NewRegistry(Reader())
	cases := []struct{ name, mediaType, data, canonicalizer, typ string }{
		{"a.csv", "", "a,b\n", Name, "text/csv"},
		{"a.tsv", "", "a\tb\n", Name, "text/tab-separated-values"},
		{"a", "text/csv", "a,b\n", Name, "text/csv"},
		{"a", "", "a,b\nc,d\ne,f\n", canon.TextForm, "text/plain"},
		{"a.csv", "", ",\n", canon.BytesForm, "text/csv"},
	}
	for _, c := range cases {
		f, err := r.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil || f.Canonicalizer != c.canonicalizer || f.MediaType != c.typ {
			t.Errorf("%s %s: %s of %s, %v", c.name, c.mediaType, f.Canonicalizer, f.MediaType, err)
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\nb\";c\n", "a\t\\\n", ",\n\n \n", "\"\uFEFF\",b", "a,\"b", "\"a\"b,\"\"\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := readTable(read.Input{Data: data})
		if err != nil || form.Payload == nil {
			return
		}
		rows, err := readBack(form.Payload)
		if err != nil {
			t.Fatalf("%q is not read back: %v", form.Payload, err)
		}
		if n := len(canon.NewDocument(form.Payload).Units(canon.Lines)); n != len(rows) {
			t.Fatalf("%q has %d lines and %d rows", form.Payload, n, len(rows))
		}
	})
}

func FuzzRows(f *testing.F) {
	for _, s := range []string{"a\tb\n", "\\\n", "a\\012b\t\\\n", "\\\\\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		rows, err := readBack(payload)
		if err != nil {
			if rows != nil {
				t.Fatalf("an error with rows: %q", rows)
			}
			return
		}
		if !bytes.Equal(canon.Text(encode(rows)), payload) {
			t.Fatalf("%q is not written again as it was", payload)
		}
	})
}

func BenchmarkCSV(b *testing.B) {
	data := []byte(strings.Repeat("1666-09-02,\"fire, great\",Pudding Lane,100\n", 20_000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := readTable(read.Input{Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
