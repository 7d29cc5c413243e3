package jsontext_test

import (
	"flag"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/jsontext"
	"muniment/canon/vector"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

const vectorDir = "../../testvectors/canon-json"

var registry = canon.NewRegistry(jsontext.Reader(), jsontext.LinesReader())

var vectors = map[string]vector.Vector{
	"document":             vector.New("a.json", "", "{\"levels\": [1.20, 9007199254740993, 9007199254740992], \"day\": \"1910-06-15\",\n \"note\": null, \"Z\": {}}\n", "text"),
	"document-reordered":   vector.New("a.json", "", "{\"Z\":{},\"day\":\"\\u0031910-06-15\",\"levels\":[1.20,9007199254740993,9007199254740992],\"note\":null}", "text"),
	"document-utf16":       vector.New("a.json", "", string([]byte{0xFF, 0xFE, '[', 0, '1', 0, ']', 0}), "text"),
	"numbers":              vector.New("a.json", "", "[1,1.0,1e0,1E+0,-0,0.10,1e400,18446744073709551616]", "text"),
	"names-by-code-point":  vector.New("a.json", "", "{\"\u00e9\":1,\"z\":2,\"Z\":3,\"\U0001d11e\":4,\"\uFB00\":5,\"\\n\":6,\"!\":7}", "text"),
	"escapes":              vector.New("a.json", "", `"\u0041\/\"\\\b\f\n\r\t\u0000\u001F\u007f\ud834\udd1e"`, "text"),
	"line-breaks":          vector.New("a.json", "", "\"a\u0085b\\u2028c\u2029d\\r\\n\"", "text"),
	"normal-form":          vector.New("a.json", "", "{\"e\\u0301\":\"e\u0301\"}", "text"),
	"mark-behind-escape":   vector.New("a.json", "", "\"\\n\u0303\u0345x\\u001f\\u0307\u0416\"", "text"),
	"scalar":               vector.New("a.json", "", "\"\"", "text"),
	"no-name":              vector.New("data", "", "{\"a\": [true, false]}", "text"),
	"deepest":              vector.New("a.json", "", strings.Repeat("[", 100)+strings.Repeat("]", 100), "text"),
	"lines":                vector.New("a.jsonl", "", "{\"b\" : 1.0, \"a\":[1, 2]}\r\n\n \"x\"\n[ ]", "text"),
	"lines-break-in-value": vector.New("a.jsonl", "", "{\"a\":\n1}\n", "bytes"),
	"duplicate-name":       vector.New("a.json", "", "{\"a\":1,\n\"a\":1}", "bytes"),
	"duplicate-normal":     vector.New("a.json", "", "{\"\u00e9\":1,\"e\u0301\":1}", "bytes"),
	"lone-surrogate":       vector.New("a.json", "", `"\ud800"`, "bytes"),
	"raw-control":          vector.New("a.json", "", "\"a\tb\"", "bytes"),
	"leading-zero":         vector.New("a.json", "", "[01]", "bytes"),
	"trailing-comma":       vector.New("a.json", "", "[1,]", "bytes"),
	"two-values":           vector.New("a.json", "", "1\n2", "bytes"),
	"lines-named-json":     vector.New("a.json", "", "{\"b\":1, \"a\":2}\n{\"a\":1.0}\n", "text"),
	"comment":              vector.New("a.json", "", "[1] // one", "bytes"),
	"cut":                  vector.New("a.json", "", "{\"a\":[1,", "bytes"),
	"nothing":              vector.New("a.json", "", " \n", "bytes"),
	"too-deep":             vector.New("a.json", "", strings.Repeat("[", 101)+strings.Repeat("]", 101), "bytes"),
}

// Every vector gives exactly what its file says, and the files are those of
// the table.
func TestVectors(t *testing.T) {
	set := vector.Set{Dir: vectorDir, Registry: registry, Table: vectors}
	if *update {
		if err := set.Write(); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range set.Check() {
		t.Error(err)
	}
}

// A document whose members, white space and escapes differ is one artifact.
func TestOneDocument(t *testing.T) {
	a, b := vectors["document"], vectors["document-reordered"]
	one, err := registry.Canonicalize(a.Input())
	if err != nil {
		t.Fatal(err)
	}
	other, err := registry.Canonicalize(b.Input())
	if err != nil {
		t.Fatal(err)
	}
	if cid.Of(one.Payload) != cid.Of(other.Payload) {
		t.Errorf("%q and %q are two artifacts", one.Payload, other.Payload)
	}
}
