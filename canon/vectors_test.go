package canon_test

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
	"muniment/canon/csvtable"
	"muniment/canon/html"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write testvectors/canon anew")

const vectorDir = "../testvectors/canon"

// A vector is one input and all that follows from it.
type vector struct {
	name, mediaType string
	data            []byte
	expect          string // text, bytes or refused
}

func registry() *canon.Registry {
	return canon.NewRegistry(html.Reader(), csvtable.Reader())
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
	put("media_type_hint", v.mediaType)
	form, err := registry().Canonicalize(canon.Input{Name: v.name, MediaType: v.mediaType, Data: v.data})
	switch {
	case err != nil:
		put("expect", "refused")
		put("reason", err.Error())
	case form.Canonicalizer == canon.BytesForm:
		put("expect", "bytes")
		put("canonicalizer", form.Canonicalizer)
		put("media_type", form.MediaType)
		put("reason", form.Reason)
		put("artifact", cid.Of(form.Payload).String())
		if !bytes.Equal(form.Payload, v.data) {
			return nil, fmt.Errorf("%s: the payload is not the original", v.name)
		}
	default:
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
		put("artifact", cid.Of(form.Payload).String())
		d := canon.NewDocument(form.Payload)
		for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
			root := d.Root(kind)
			put(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
			put(string(kind)+"_root", hex.EncodeToString(root[:]))
		}
		payload, err := quote(form.Payload)
		if err != nil {
			return nil, err
		}
		put("payload", payload)
	}
	w.WriteByte('\n')
	w.Write(v.data)
	return w.Bytes(), nil
}

// quote returns a text as a JSON string.
func quote(text []byte) (string, error) {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(text)); err != nil {
		return "", err
	}
	return strings.TrimSuffix(w.String(), "\n"), nil
}

// parseVector reads what goes in, and what is expected, from a vector's file.
func parseVector(file []byte) (vector, error) {
	head, data, ok := bytes.Cut(file, []byte("\n\n"))
	if !ok {
		return vector{}, fmt.Errorf("no blank line behind the head")
	}
	v := vector{data: data}
	for line := range strings.SplitSeq(string(head), "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return vector{}, fmt.Errorf("head line %q is not a key and a value", line)
		}
		switch key {
		case "name":
			v.name = value
		case "media_type_hint":
			v.mediaType = value
		case "expect":
			v.expect = value
		}
	}
	if v.expect != "text" && v.expect != "bytes" && v.expect != "refused" {
		return vector{}, fmt.Errorf("expect: %q, want text, bytes or refused", v.expect)
	}
	return v, nil
}

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	if *update {
		writeVectors(t)
	}
	files, err := os.ReadDir(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(vectors) {
		t.Errorf("%d files in %s, want %d", len(files), vectorDir, len(vectors))
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
		made, ok := vectors[f.Name()]
		if !ok || made.name != v.name || made.mediaType != v.mediaType || made.expect != v.expect || !bytes.Equal(made.data, v.data) {
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

func writeVectors(t *testing.T) {
	for name, v := range vectors {
		file, err := v.encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(file, []byte("\nexpect: "+v.expect+"\n")) {
			t.Fatalf("%s does not give %s:\n%s", name, v.expect, file)
		}
		if err := os.WriteFile(filepath.Join(vectorDir, name), file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The vectors of one letter in many encodings are one artifact.
func TestVectorsOfOneLetter(t *testing.T) {
	ids := map[cid.ID]int{}
	for name, v := range vectors {
		if !strings.HasPrefix(name, "letter-") {
			continue
		}
		form, err := registry().Canonicalize(canon.Input{Name: v.name, MediaType: v.mediaType, Data: v.data})
		if err != nil {
			t.Fatal(err)
		}
		ids[cid.Of(form.Payload)]++
	}
	if len(ids) != 1 {
		t.Errorf("%d artifacts, want one: %v", len(ids), ids)
	}
	for id, n := range ids {
		if n < 10 {
			t.Errorf("%d vectors of %s, want at least 10", n, id)
		}
	}
}
