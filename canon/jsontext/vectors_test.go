package jsontext_test

import (
	"muniment/canon/read"
	"strings"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/jsontext"
	"muniment/cid"
)

const vectorDir = "../../testvectors/canon-json"

var registry = read.NewRegistry(jsontext.Reader(), jsontext.LinesReader())

var vectors = map[string]formstest.Case{
	"document":             formstest.NewCase("a.json", "", "{\"levels\": [1.20, 9007199254740993, 9007199254740992], \"day\": \"1910-06-15\",\n \"note\": null, \"Z\": {}}\n", "text"),
	"document-reordered":   formstest.NewCase("a.json", "", "{\"Z\":{},\"day\":\"\\u0031910-06-15\",\"levels\":[1.20,9007199254740993,9007199254740992],\"note\":null}", "text"),
	"document-utf16":       formstest.NewCase("a.json", "", string([]byte{0xFF, 0xFE, '[', 0, '1', 0, ']', 0}), "text"),
	"numbers":              formstest.NewCase("a.json", "", "[1,1.0,1e0,1E+0,-0,0.10,1e400,18446744073709551616]", "text"),
	"names-by-code-point":  formstest.NewCase("a.json", "", "{\"\u00e9\":1,\"z\":2,\"Z\":3,\"\U0001d11e\":4,\"\uFB00\":5,\"\\n\":6,\"!\":7}", "text"),
	"escapes":              formstest.NewCase("a.json", "", `"\u0041\/\"\\\b\f\n\r\t\u0000\u001F\u007f\ud834\udd1e"`, "text"),
	"line-breaks":          formstest.NewCase("a.json", "", "\"a\u0085b\\u2028c\u2029d\\r\\n\"", "text"),
	"normal-form":          formstest.NewCase("a.json", "", "{\"e\\u0301\":\"e\u0301\"}", "text"),
	"mark-behind-escape":   formstest.NewCase("a.json", "", "\"\\n\u0303\u0345x\\u001f\\u0307\u0416\"", "text"),
	"scalar":               formstest.NewCase("a.json", "", "\"\"", "text"),
	"no-name":              formstest.NewCase("data", "", "{\"a\": [true, false]}", "text"),
	"deepest":              formstest.NewCase("a.json", "", strings.Repeat("[", 100)+strings.Repeat("]", 100), "text"),
	"lines":                formstest.NewCase("a.jsonl", "", "{\"b\" : 1.0, \"a\":[1, 2]}\r\n\n \"x\"\n[ ]", "text"),
	"lines-break-in-value": formstest.NewCase("a.jsonl", "", "{\"a\":\n1}\n", "bytes"),
	"duplicate-name":       formstest.NewCase("a.json", "", "{\"a\":1,\n\"a\":1}", "bytes"),
	"duplicate-normal":     formstest.NewCase("a.json", "", "{\"\u00e9\":1,\"e\u0301\":1}", "bytes"),
	"lone-surrogate":       formstest.NewCase("a.json", "", `"\ud800"`, "bytes"),
	"raw-control":          formstest.NewCase("a.json", "", "\"a\tb\"", "bytes"),
	"leading-zero":         formstest.NewCase("a.json", "", "[01]", "bytes"),
	"trailing-comma":       formstest.NewCase("a.json", "", "[1,]", "bytes"),
	"two-values":           formstest.NewCase("a.json", "", "1\n2", "bytes"),
	"lines-named-json":     formstest.NewCase("a.json", "", "{\"b\":1, \"a\":2}\n{\"a\":1.0}\n", "text"),
	"comment":              formstest.NewCase("a.json", "", "[1] // one", "bytes"),
	"cut":                  formstest.NewCase("a.json", "", "{\"a\":[1,", "bytes"),
	"nothing":              formstest.NewCase("a.json", "", " \n", "bytes"),
	"too-deep":             formstest.NewCase("a.json", "", strings.Repeat("[", 101)+strings.Repeat("]", 101), "bytes"),
}

// Every vector gives exactly what its file says, and the files are those of
// the table.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: registry, Table: vectors}
	set.Run(t, 26)
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
