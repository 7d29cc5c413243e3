package jsontext

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/canon/read"
)

func form1(t *testing.T, data string) read.Form {
	t.Helper()
	f, err := readValue(read.Input{Name: "a.json", Data: []byte(data)})
	if err != nil {
		t.Fatalf("%.80q: %v", data, err)
	}
	return f
}

func TestPayload(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"document", `{"b":[1, {"y":true,"x":null}],"a":{}}`, "{\n  \"a\": {},\n  \"b\": [\n    1,\n    {\n      \"x\": null,\n      \"y\": true\n    }\n  ]\n}\n"},
		{"numbers", `[9007199254740993,9007199254740992,1,1.0,1e0,1E+0,-0,0.10]`, "[\n  9007199254740993,\n  9007199254740992,\n  1,\n  1.0,\n  1e0,\n  1E+0,\n  -0,\n  0.10\n]\n"},
		{"scalar", " true\r\n", "true\n"},
		{"empty", "[ \n ]", "[]\n"},
		{"empty string", `""`, "\"\"\n"},
		{"names by code point", `{"é":1,"z":2,"Z":3,"𝄞":4,"":5,"ﬀ":6}`, "{\n  \"\": 5,\n  \"Z\": 3,\n  \"z\": 2,\n  \"é\": 1,\n  \"ﬀ\": 6,\n  \"𝄞\": 4\n}\n"},
		{"sorted by value, not by escape", `{"\n":1,"!":2,"\u0001":3}`, "{\n  \"\\u0001\": 3,\n  \"\\n\": 1,\n  \"!\": 2\n}\n"},
		{"escapes", `"\u0041\/\"\\\b\f\n\r\t\u0000\u001F\u007f\u00e9\ud834\udd1e"`, `"A/\"\\\b\f\n\r\t\u0000\u001f` + "\u007fé𝄞\"\n"},
		{"line breaks", "\"a\u0085b\u2028c\\u2029d\"", `"a\u0085b\u2028c\u2029d"` + "\n"},
		{"normal form", "\"e\u0301 e\\u0301\"", "\"é é\"\n"},
		{"mark behind an escape", "\"\\n\u0303\u0345x\\n\u0416\u0303\\u001f\u0307\"", "\"\\n\\u0303\\u0345x\\n\u0416\u0303\\u001f\\u0307\"\n"},
		{"mark at the beginning", "\"\u0338\u0301\"", "\"\u0338\u0301\"\n"},
		{"blanks in strings", `[" a ","b\t"]`, "[\n  \" a \",\n  \"b\\t\"\n]\n"},
		{"mark of byte order within", "\"\uFEFF\"", "\"\uFEFF\"\n"},
	}
	for _, c := range cases {
		f := form1(t, c.data)
		if got := string(f.Payload); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if again := form1(t, c.want); string(again.Payload) != c.want {
			t.Errorf("%s: read again %q", c.name, again.Payload)
		}
	}
}

func TestLines(t *testing.T) {
	f, err := readLines(read.Input{Data: []byte("{\"b\" : 1.0, \"a\":[1, 2]}\r\n\n \"x\\n\u0301\"\n\t[ ]")})
	if err != nil {
		t.Fatal(err)
	}
	if want := "{\"a\":[1,2],\"b\":1.0}\n\"x\\n\\u0301\"\n[]\n"; string(f.Payload) != want {
		t.Errorf("got %q, want %q", f.Payload, want)
	}
	if diff := cmp.Diff(map[string]string{"values": "3"}, f.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestFacts(t *testing.T) {
	want := map[string]string{"root": "object", "values": "3"}
	if diff := cmp.Diff(want, form1(t, ` {"a":[1,true],"b":{"c":"d"}}`).Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestRefused(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"duplicate", "{\n\"a\":1,\n\"b\":2,\n\"a\":3}", `json@1: line 4: two members of one object have the name "a"`},
		{"duplicate by escape", `{"a":1,"\u0061":1}`, `json@1: line 1: two members of one object have the name "a"`},
		{"duplicate in normal form", "{\"é\":1,\"e\u0301\":1}", `json@1: line 1: two members of one object have the name "é"`},
		{"lone surrogate", `"\ud800x"`, `json@1: line 1: the escape \ud800 is half of a pair of surrogates`},
		{"low before high", `"\udc00\ud800"`, `json@1: line 1: the escape \udc00 is half of a pair of surrogates`},
		{"control", "\"a\nb\"", `json@1: line 1: the control '\n' stands in a string without an escape`},
		{"trailing comma", "[1,\n]", `json@1: line 2: saw ']', want a value`},
		{"comment", "// a\n1", `json@1: line 1: saw '/', want a value`},
		{"two values", "1\n2", `json@1: line 2: '2' follows the value`},
		{"leading zero", "[01]", `json@1: line 1: saw '1', want a comma or ']'`},
		{"no digit", "1.e5", `json@1: line 1: saw 'e', want a digit`},
		{"plus", "+1", `json@1: line 1: saw '+', want a value`},
		{"not a number", "NaN", `json@1: line 1: saw 'N', want a value`},
		{"name", "{a:1}", `json@1: line 1: saw 'a', want a member's name in quotation marks`},
		{"no colon", `{"a" 1}`, `json@1: line 1: saw '1', want a colon behind the name "a"`},
		{"cut", `{"a":[1,"b`, `json@1: line 1: saw the end within a string`},
		{"cut escape", `"\u12`, `json@1: line 1: want four hexadecimal digits behind \u`},
		{"unknown escape", `"\x"`, `json@1: line 1: saw 'x' behind a backslash`},
		{"nothing", " \n", `json@1: line 2: saw the end, want a value`},
		{"depth", strings.Repeat("[", MaxDepth+1), `json@1: line 1: arrays and objects lie more than 100 levels deep`},
		{"zero", "\"\x00\"", `json@1: byte 1 is zero, which no text holds`},
	}
	for _, c := range cases {
		f, err := readValue(read.Input{Data: []byte(c.data)})
		if err == nil || err.Error() != c.want || f.Payload != nil || f.Facts != nil {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	f, err := readLines(read.Input{Data: []byte("1\n{\n\"a\":1}\n")})
	if want := `jsonl@1: line 2: saw the end of the line, want a member's name in quotation marks`; err == nil || err.Error() != want || f.Payload != nil {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Forms that would be far longer than their documents, and objects of millions
// of members, are refused or read without taking a gigabyte.
func TestLimits(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("1,", 1_000_000) + "1" + strings.Repeat("]", MaxDepth)
	if _, err := readValue(read.Input{Data: []byte(deep)}); err == nil || err.Error() != "json@1: the form is longer than 134217728 bytes" {
		t.Errorf("deep: %v", err)
	}
	if _, err := readValue(read.Input{Data: make([]byte, MaxInput+1)}); err == nil {
		t.Error("a document beyond the limit was read")
	}
	turned := strings.Repeat(`{"b":0,"a":`, MaxDepth) + `"` + strings.Repeat("x", 16<<20) + `"` + strings.Repeat("}", MaxDepth)
	if _, err := readValue(read.Input{Data: []byte(turned)}); err == nil || err.Error() != "json@1: line 1: sorting the members moves more than 1073741824 bytes" {
		t.Errorf("turned over: %v", err)
	}
	wide := "{" + strings.Repeat(`"a":1,`, 500_000) + `"a":1}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readValue(read.Input{Data: []byte(wide)}); err == nil || !strings.Contains(err.Error(), "two members") {
		t.Errorf("wide: %v", err)
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 {
		t.Errorf("half a million members took %d MB", mb)
	}
}

// The form holds the same values as the document, whatever they are.
func TestSameValues(t *testing.T) {
	name := rapid.StringOf(rapid.SampledFrom([]rune("ab\n\"\\é\u0301\u2028\u0000天")))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		kinds := []*rapid.Generator[any]{
			rapid.Map(name, func(s string) any { return string(canon.NFC([]byte(s))) }),
			rapid.Map(rapid.SampledFrom([]string{"1", "1.0", "-0", "9007199254740993", "1e400"}), func(s string) any { return json.Number(s) }),
			rapid.SampledFrom([]any{true, false, nil}),
		}
		if depth > 0 {
			kinds = append(kinds,
				rapid.Map(rapid.SliceOfN(value(depth-1), 0, 4), func(v []any) any { return v }),
				rapid.Map(rapid.MapOfN(rapid.Map(name, func(s string) string { return string(canon.NFC([]byte(s))) }), value(depth-1), 0, 4),
					func(v map[string]any) any { return v }))
		}
		return rapid.OneOf(kinds...)
	}
	rapid.Check(t, func(t *rapid.T) {
		want := value(3).Draw(t, "value")
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		f, err := readValue(read.Input{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		var got any
		d := json.NewDecoder(bytes.NewReader(f.Payload))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", f.Payload, diff)
		}
	})
}

// check holds for whatever bytes are read.
func check(t *testing.T, data []byte, parse func(read.Input) (read.Form, error)) {
	t.Helper()
	f, err := parse(read.Input{Data: data})
	if err != nil {
		if f.Payload != nil || f.Facts != nil {
			t.Fatalf("an error with a form: %q", f.Payload)
		}
		return
	}
	if again, err := parse(read.Input{Data: f.Payload, MediaType: "text/plain; charset=utf-8"}); f.Payload != nil && (err != nil || !bytes.Equal(again.Payload, f.Payload)) {
		t.Fatalf("%q read again is %q, %v", f.Payload, again.Payload, err)
	}
	if !bytes.Equal(canon.Text(f.Payload), f.Payload) {
		t.Fatalf("%q is not in the form of the text step", f.Payload)
	}
}

// Truncated and damaged documents give a form or an error.
func TestDamaged(t *testing.T) {
	const whole = "{\"title\": \"caf\u00e9 \\n\u0301\", \"levels\": [1.20, -3e-4, 9007199254740993], \"ok\": true, \"none\": null,\r\n \"in\": {\"b\": [], \"a\": {\"x\": \"\\ud83d\\ude00\"}}}\n"
	rng := rand.New(rand.NewPCG(1, 2))
	count := 0
	for _, r := range []func(read.Input) (read.Form, error){readValue, readLines} {
		for range 1000 {
			// On two lines for the lines' reader.
			data := []byte(strings.ReplaceAll(whole, "\r\n", ""))
			if count >= 1000 {
				data = append(data, data...)
			}
			for range 1 + rng.IntN(3) {
				data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
			}
			if count%2 == 0 {
				data = data[:rng.IntN(len(data))]
			}
			check(t, data, r)
			count++
		}
	}
	if count != 2000 {
		t.Errorf("%d variants, want 2000", count)
	}
}

func TestRegistry(t *testing.T) {
	r := read.NewRegistry(Reader(), LinesReader())
	cases := []struct{ name, mediaType, data, canonicalizer, typ string }{
		{"a.json", "", "[1]", Name, "application/json"},
		{"a.geojson", "", "{}", Name, "application/geo+json"},
		{"a.jsonl", "", "1\n2\n", LinesName, "application/jsonl"},
		{"a.json", "", "{}\n\n{\"a\":1}\n", LinesName, "application/jsonl"},
		{"a.json", "", "{}\n1\n", canon.BytesForm, "application/x-ndjson"},
		{"a.ndjson", "", "1\n2\n", LinesName, "application/x-ndjson"},
		{"a", "application/ld+json; charset=utf-8", "{}", Name, "application/ld+json"},
		{"a", "", `{"a": [1, 2]}`, Name, "application/json"},
		{"a.txt", "", "[1]", canon.TextForm, "text/plain"},
		{"a.json", "", "[1", canon.BytesForm, "text/plain"},
	}
	for _, c := range cases {
		f, err := r.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil || f.Canonicalizer != c.canonicalizer || f.MediaType != c.typ {
			t.Errorf("%s %s: %s of %s, %v", c.name, c.mediaType, f.Canonicalizer, f.MediaType, err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"b":[1,1.0],"a":{}}`, "\"\\n\u0301\\ud83d\\ude00\"", "[[],{}]\n{}", `{"a":1,"a":2}`, "\"\u2028\\u0085\"", "1e5\n\n-0"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, data, readValue)
		check(t, data, readLines)
		if form, err := readValue(read.Input{Data: data}); err == nil && form.Canonicalizer == Name && !json.Valid(form.Payload) {
			t.Fatalf("%q is not JSON", form.Payload)
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	data := []byte("[" + strings.Repeat(`{"id": 1842, "name": "Zoë", "note": "went by water", "sum": 12.50, "tags": ["a", "b"]},`, 20_000) + "1]")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := readValue(read.Input{Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
