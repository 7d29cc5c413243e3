package epub_test

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
	"muniment/canon/epub"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write testvectors/canon-epub anew")

const vectorDir = "../../testvectors/canon-epub"

// A vector is one document and all that follows from it.
type vector struct {
	name   string
	data   []byte
	expect string // text or bytes
}

// encode writes the vector's file: what goes in, what is expected, and the
// bytes. Facts are sorted by key.
func (v vector) encode() ([]byte, error) {
	var w bytes.Buffer
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&w, "%s: %s\n", key, value)
		}
	}
	put("name", v.name)
	form, err := canon.NewRegistry(epub.Reader()).Canonicalize(canon.Input{Name: v.name, Data: v.data})
	if err != nil {
		return nil, err
	}
	if form.Canonicalizer == canon.BytesForm {
		put("expect", "bytes")
		put("canonicalizer", form.Canonicalizer)
		put("media_type", form.MediaType)
		put("reason", form.Reason)
		put("artifact", cid.Of(form.Payload).String())
		w.WriteByte('\n')
		w.Write(v.data)
		return w.Bytes(), nil
	}
	put("expect", "text")
	put("canonicalizer", form.Canonicalizer)
	put("unicode", form.Unicode)
	put("media_type", form.MediaType)
	put("charset", form.Charset)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		put("fact_"+key, form.Facts[key])
	}
	put("title", form.Source.Title)
	put("creators", strings.Join(form.Source.Creators, "; "))
	put("publisher", form.Source.Publisher)
	put("url", form.Source.URL)
	put("published_at", form.Source.PublishedAt)
	put("language", form.Source.Language)
	for i, p := range form.Parts {
		put(fmt.Sprintf("part_%d", i+1), fmt.Sprintf("%s %s %s", cid.Of(p.Data), p.MediaType, p.Name))
	}
	put("artifact", cid.Of(form.Payload).String())
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
		return nil, err
	}
	put("payload", strings.TrimSuffix(payload.String(), "\n"))
	w.WriteByte('\n')
	w.Write(v.data)
	return w.Bytes(), nil
}

// parseVector reads what goes in, and what is expected, from a vector's file.
func parseVector(file []byte) (vector, error) {
	head, data, ok := bytes.Cut(file, []byte("\n\n"))
	if !ok {
		return vector{}, fmt.Errorf("no blank line behind the head")
	}
	v := vector{data: data}
	for line := range strings.SplitSeq(string(head), "\n") {
		switch key, value, _ := strings.Cut(line, ": "); key {
		case "name":
			v.name = value
		case "expect":
			v.expect = value
		}
	}
	if v.expect != "text" && v.expect != "bytes" {
		return vector{}, fmt.Errorf("expect: %q, want text or bytes", v.expect)
	}
	return v, nil
}

// Every vector gives exactly what its file says, and is one of the table in
// vectors_table_test.go. The inputs are those of the files: another version of
// the deflater would zip them otherwise.
func TestVectors(t *testing.T) {
	table := vectors()
	if *update {
		for name, v := range table {
			file, err := v.encode()
			if err != nil || !bytes.Contains(file, []byte("\nexpect: "+v.expect+"\n")) {
				t.Fatalf("%s does not give %s: %v\n%.2000s", name, v.expect, err, file)
			}
			if err := os.WriteFile(filepath.Join(vectorDir, name), file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(table) || len(files) == 0 {
		t.Errorf("%d files in %s, want %d", len(files), vectorDir, len(table))
	}
	for _, f := range files {
		file, err := os.ReadFile(filepath.Join(vectorDir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseVector(file)
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		if made, ok := table[f.Name()]; !ok || made.name != v.name || made.expect != v.expect {
			t.Errorf("%s is not what the generator makes", f.Name())
		}
		again, err := v.encode()
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if diff := cmp.Diff(string(file), string(again)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name(), diff)
		}
	}
}
