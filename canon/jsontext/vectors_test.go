package jsontext_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/jsontext"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

const vectorDir = "../../testvectors/canon-json"

var registry = canon.NewRegistry(jsontext.Reader(), jsontext.LinesReader())

// A vector is one input and the kind of form it has; the rest follows.
type vector struct{ name, mediaType, data, expect string }

var vectors = map[string]vector{
	"document":             {"a.json", "", "{\"levels\": [1.20, 9007199254740993, 9007199254740992], \"day\": \"1910-06-15\",\n \"note\": null, \"Z\": {}}\n", "text"},
	"document-reordered":   {"a.json", "", "{\"Z\":{},\"day\":\"\\u0031910-06-15\",\"levels\":[1.20,9007199254740993,9007199254740992],\"note\":null}", "text"},
	"document-utf16":       {"a.json", "", string([]byte{0xFF, 0xFE, '[', 0, '1', 0, ']', 0}), "text"},
	"numbers":              {"a.json", "", "[1,1.0,1e0,1E+0,-0,0.10,1e400,18446744073709551616]", "text"},
	"names-by-code-point":  {"a.json", "", "{\"\u00e9\":1,\"z\":2,\"Z\":3,\"\U0001d11e\":4,\"\uFB00\":5,\"\\n\":6,\"!\":7}", "text"},
	"escapes":              {"a.json", "", `"\u0041\/\"\\\b\f\n\r\t\u0000\u001F\u007f\ud834\udd1e"`, "text"},
	"line-breaks":          {"a.json", "", "\"a\u0085b\\u2028c\u2029d\\r\\n\"", "text"},
	"normal-form":          {"a.json", "", "{\"e\\u0301\":\"e\u0301\"}", "text"},
	"mark-behind-escape":   {"a.json", "", "\"\\n\u0303\u0345x\\u001f\\u0307\u0416\"", "text"},
	"scalar":               {"a.json", "", "\"\"", "text"},
	"no-name":              {"data", "", "{\"a\": [true, false]}", "text"},
	"deepest":              {"a.json", "", strings.Repeat("[", 100) + strings.Repeat("]", 100), "text"},
	"lines":                {"a.jsonl", "", "{\"b\" : 1.0, \"a\":[1, 2]}\r\n\n \"x\"\n[ ]", "text"},
	"lines-break-in-value": {"a.jsonl", "", "{\"a\":\n1}\n", "bytes"},
	"duplicate-name":       {"a.json", "", "{\"a\":1,\n\"a\":1}", "bytes"},
	"duplicate-normal":     {"a.json", "", "{\"\u00e9\":1,\"e\u0301\":1}", "bytes"},
	"lone-surrogate":       {"a.json", "", `"\ud800"`, "bytes"},
	"raw-control":          {"a.json", "", "\"a\tb\"", "bytes"},
	"leading-zero":         {"a.json", "", "[01]", "bytes"},
	"trailing-comma":       {"a.json", "", "[1,]", "bytes"},
	"two-values":           {"a.json", "", "1\n2", "bytes"},
	"lines-named-json":     {"a.json", "", "{\"b\":1, \"a\":2}\n{\"a\":1.0}\n", "text"},
	"comment":              {"a.json", "", "[1] // one", "bytes"},
	"cut":                  {"a.json", "", "{\"a\":[1,", "bytes"},
	"nothing":              {"a.json", "", " \n", "bytes"},
	"too-deep":             {"a.json", "", strings.Repeat("[", 101) + strings.Repeat("]", 101), "bytes"},
}

// encode writes the vector's file: what goes in, what follows from it, a blank
// line, and the bytes.
func (v vector) encode(t *testing.T) string {
	var w strings.Builder
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&w, "%s: %s\n", key, value)
		}
	}
	form, err := registry.Canonicalize(canon.Input{Name: v.name, MediaType: v.mediaType, Data: []byte(v.data)})
	if err != nil {
		t.Fatal(err)
	}
	expect := "text"
	if form.Canonicalizer == canon.BytesForm {
		expect = "bytes"
	}
	put("name", v.name)
	put("media_type_hint", v.mediaType)
	put("expect", expect)
	put("canonicalizer", form.Canonicalizer)
	put("unicode", form.Unicode)
	put("media_type", form.MediaType)
	put("charset", form.Charset)
	put("reason", form.Reason)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		put("fact_"+key, form.Facts[key])
	}
	put("artifact", cid.Of(form.Payload).String())
	if expect == "text" {
		d := canon.NewDocument(form.Payload)
		for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
			root := d.Root(kind)
			put(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
			put(string(kind)+"_root", hex.EncodeToString(root[:]))
		}
		var payload bytes.Buffer
		e := json.NewEncoder(&payload)
		e.SetEscapeHTML(false)
		if err := e.Encode(string(form.Payload)); err != nil {
			t.Fatal(err)
		}
		put("payload", strings.TrimSuffix(payload.String(), "\n"))
	}
	return w.String() + "\n" + v.data
}

// Every vector gives exactly what its file says.
func TestVectors(t *testing.T) {
	if *update {
		for name, v := range vectors {
			if err := os.WriteFile(filepath.Join(vectorDir, name), []byte(v.encode(t)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(vectors) || len(files) == 0 {
		t.Errorf("%d files in %s, want %d", len(files), vectorDir, len(vectors))
	}
	for _, f := range files {
		file, err := os.ReadFile(filepath.Join(vectorDir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		v, ok := vectors[f.Name()]
		if !ok {
			t.Errorf("%s is not in the table", f.Name())
			continue
		}
		made := v.encode(t)
		if diff := cmp.Diff(string(file), made); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name(), diff)
		}
		if !strings.Contains(made, "\nexpect: "+v.expect+"\n") {
			t.Errorf("%s does not give %s", f.Name(), v.expect)
		}
	}
}

// A document whose members, white space and escapes differ is one artifact.
func TestOneDocument(t *testing.T) {
	a, b := vectors["document"], vectors["document-reordered"]
	one, err := registry.Canonicalize(canon.Input{Name: a.name, Data: []byte(a.data)})
	if err != nil {
		t.Fatal(err)
	}
	other, err := registry.Canonicalize(canon.Input{Name: b.name, Data: []byte(b.data)})
	if err != nil {
		t.Fatal(err)
	}
	if cid.Of(one.Payload) != cid.Of(other.Payload) {
		t.Errorf("%q and %q are two artifacts", one.Payload, other.Payload)
	}
}
