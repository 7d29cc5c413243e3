// Package vector reads, writes and checks the test vectors of canonical forms,
// the files in testvectors/canon and beside it.
//
//	set := vector.Set{Dir: "../../testvectors/canon-json", Registry: registry, Table: table}
//	for _, err := range set.Check() {
//		t.Error(err)
//	}
//
// A vector is a file of head lines "key: value", a blank line and the bytes of
// the input to the end. The keys, in this order and each only if it has a value:
// name and media_type_hint, which go in with the bytes; expect, which is text,
// bytes or refused; canonicalizer, unicode, media_type, charset, reason; fact_ and
// the name of each fact, in the order of the alphabet; title, creators (between
// semicolons), publisher, url, published_at, language; part for each part, with
// its ID, media type and name; artifact; p_count, p_root, l_count, l_root; and
// payload, a JSON string. With bytes the payload is the input, and there are no
// units; of what is refused there is the reason alone.
package vector

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/canon"
	"muniment/cid"
)

// What comes of an input.
const (
	Text    = "text"    // a form
	Bytes   = "bytes"   // its bytes, with a reason
	Refused = "refused" // nothing
)

// A Vector is one input and what comes of it; the rest follows.
type Vector struct {
	Name, MediaType string
	Data            string
	Expect          string // Text, Bytes or Refused
}

// New returns a vector, for tables of them.
func New(name, mediaType, data, expect string) Vector {
	return Vector{Name: name, MediaType: mediaType, Data: data, Expect: expect}
}

// Input returns what goes in.
func (v Vector) Input() canon.Input {
	return canon.Input{Name: v.Name, MediaType: v.MediaType, Data: []byte(v.Data)}
}

// Encode writes the vector's file, with what r makes of the input.
func (v Vector) Encode(r *canon.Registry) ([]byte, error) {
	var w bytes.Buffer
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&w, "%s: %s\n", key, value)
		}
	}
	put("name", v.Name)
	put("media_type_hint", v.MediaType)
	form, err := r.Canonicalize(v.Input())
	switch {
	case err != nil:
		put("expect", Refused)
		put("reason", err.Error())
	case form.Canonicalizer == canon.BytesForm && string(form.Payload) != v.Data:
		return nil, fmt.Errorf("%s: the payload is not the original", v.Name)
	case form.Canonicalizer == canon.BytesForm:
		put("expect", Bytes)
		describe(put, form)
	default:
		put("expect", Text)
		describe(put, form)
		if err := units(put, form.Payload); err != nil {
			return nil, err
		}
	}
	w.WriteByte('\n')
	w.WriteString(v.Data)
	return w.Bytes(), nil
}

// describe puts everything but units and payload.
func describe(put func(key, value string), form canon.Form) {
	put("canonicalizer", form.Canonicalizer)
	put("unicode", form.Unicode)
	put("media_type", form.MediaType)
	put("charset", form.Charset)
	put("reason", form.Reason)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		put("fact_"+key, form.Facts[key])
	}
	put("title", form.Source.Title)
	put("creators", strings.Join(form.Source.Creators, "; "))
	put("publisher", form.Source.Publisher)
	put("url", form.Source.URL)
	put("published_at", form.Source.PublishedAt)
	put("language", form.Source.Language)
	for _, p := range form.Parts {
		put("part", fmt.Sprintf("%s %s %s", cid.Of(p.Data), strings.ReplaceAll(p.MediaType, " ", ""), p.Name))
	}
	put("artifact", cid.Of(form.Payload).String())
}

// units puts counts, roots and the payload.
func units(put func(key, value string), payload []byte) error {
	d := canon.NewDocument(payload)
	for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
		root := d.Root(kind)
		put(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
		put(string(kind)+"_root", hex.EncodeToString(root[:]))
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(payload)); err != nil {
		return err
	}
	put("payload", strings.TrimSuffix(quoted.String(), "\n"))
	return nil
}

// Parse reads what goes in, and what is expected, from a vector's file.
func Parse(file []byte) (Vector, error) {
	head, data, ok := strings.Cut(string(file), "\n\n")
	if !ok {
		return Vector{}, fmt.Errorf("no blank line behind the head")
	}
	v := Vector{Data: data}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return Vector{}, fmt.Errorf("head line %q is not a key and a value", line)
		}
		switch key {
		case "name":
			v.Name = value
		case "media_type_hint":
			v.MediaType = value
		case "expect":
			v.Expect = value
		}
	}
	switch v.Expect {
	default:
		return Vector{}, fmt.Errorf("expect: %q, want %s, %s or %s", v.Expect, Text, Bytes, Refused)
	case Text, Bytes, Refused:
	}
	return v, nil
}

// A Set is the folder of vectors of some forms, and the table that makes them.
type Set struct {
	Dir      string
	Registry *canon.Registry
	Table    map[string]Vector // by the name of the file
	// OwnInput says that the inputs are those of the files: other versions of
	// what makes them, such as a deflater, would make others.
	OwnInput bool
}

// Write writes the folder's files anew.
func (s Set) Write() error {
	for name, v := range s.Table {
		file, err := v.Encode(s.Registry)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Contains(file, []byte("\nexpect: "+v.Expect+"\n")) {
			return fmt.Errorf("%s does not give %s:\n%.2000s", name, v.Expect, file)
		}
		if err := os.WriteFile(filepath.Join(s.Dir, name), file, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Check returns what is wrong with the files: one that is in the folder or in
// the table alone, or that says something else than what comes of its input.
func (s Set) Check() (wrong []error) {
	files, err := os.ReadDir(s.Dir)
	if err != nil {
		return []error{err}
	}
	if len(files) != len(s.Table) || len(files) == 0 {
		wrong = append(wrong, fmt.Errorf("%d files in %s, want %d and more than none", len(files), s.Dir, len(s.Table)))
	}
	for _, f := range files {
		if err := s.check(f.Name()); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", filepath.Join(s.Dir, f.Name()), err))
		}
	}
	return wrong
}

func (s Set) check(name string) error {
	file, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil {
		return err
	}
	v, err := Parse(file)
	if err != nil {
		return err
	}
	made, ok := s.Table[name]
	if !ok || made.Name != v.Name || made.MediaType != v.MediaType || made.Expect != v.Expect || !s.OwnInput && made.Data != v.Data {
		return fmt.Errorf("it is not what the table makes")
	}
	again, err := v.Encode(s.Registry)
	if err != nil {
		return err
	}
	was, is := strings.Split(string(file), "\n"), strings.Split(string(again), "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			return fmt.Errorf("line %d is\n %s\nand the reader makes\n %s", i+1, was[i], is[i])
		}
	}
	if len(was) != len(is) {
		return fmt.Errorf("it has %d lines, and the reader makes %d", len(was), len(is))
	}
	return nil
}
