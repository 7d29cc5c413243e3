package dbresult_test

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
	"muniment/canon/dbresult"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

const vectorDir = "../../testvectors/canon-dbresult"

var registry = canon.NewRegistry(dbresult.Reader())

// A vector is one input and the kind of form it has; the rest follows.
type vector struct{ name, mediaType, data, expect string }

var vectors = func() map[string]vector {
	const head, tail = `{"columns":[`, `,"type":"muniment/dbresult/v1"}`
	const two = head + `{"name":"name","type":"text"},{"name":"born","type":"integer"}],"ordered":`
	const one = head + `{"name":"a","type":"text"}],"ordered":false,"query":"q","rows":[`
	result := func(data string) vector { return vector{"result", dbresult.MediaType, data, "text"} }
	refused := func(data string) vector { return vector{"result", dbresult.MediaType, data, "bytes"} }
	const query = `"query":"SELECT name, born FROM people"`
	typed := func(kind, cell string) string {
		return head + `{"name":"a","type":"` + kind + `"}],"ordered":false,"query":"q","rows":[["` + cell + `"]]` + tail
	}
	return map[string]vector{
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
