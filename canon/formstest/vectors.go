package formstest

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
	"testing"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/testvectors"
)

// The outcomes of an input.
const (
	Text    = "text"    // a form
	Bytes   = "bytes"   // the input's bytes, with a reason
	Refused = "refused" // an error
)

// A Case is one input and its outcome, from which a test vector is made.
type Case struct {
	Name, MediaType string // go in with the bytes
	Data            string
	Expect          string // Text, Bytes or Refused
}

// NewCase returns a case, for tables of them.
func NewCase(name, mediaType, data, expect string) Case {
	return Case{Name: name, MediaType: mediaType, Data: data, Expect: expect}
}

// Input returns the input of a registry.
func (c Case) Input() read.Input {
	return read.Input{Name: c.Name, MediaType: c.MediaType, Data: []byte(c.Data)}
}

// A Set is the folder of vectors of some forms, and the table of their cases.
type Set struct {
	Dir      string
	Registry *read.Registry
	Table    map[string]Case // by the name of the file
	// OwnInput has the inputs taken from the files: the table makes them with
	// an encoder, such as a deflater, another version of which makes others.
	OwnInput bool
}

// Run requires the files of the folder to be the vectors of the table, and the
// folder to have want of them. With -update it writes them anew.
func (s Set) Run(t *testing.T, want int) {
	t.Helper()
	made, err := s.vectors(t)
	if err != nil {
		t.Fatal(err)
	}
	testvectors.Generate(t, s.Dir, made)
	testvectors.Run(t, s.Dir, want, func(t *testing.T, v testvectors.Vector) {
		if got := s.Table[v.Name].Expect; got != v.Get("expect") {
			t.Errorf("expect is %s, want %s", v.Get("expect"), got)
		}
	})
}

// vectors makes the vectors of the table.
func (s Set) vectors(t testing.TB) ([]testvectors.Vector, error) {
	t.Helper()
	var made []testvectors.Vector
	for _, name := range slices.Sorted(maps.Keys(s.Table)) {
		c := s.Table[name]
		path := filepath.Join(s.Dir, name)
		if _, err := os.Stat(path); err == nil && s.OwnInput && !testvectors.Update() {
			c.Data = string(testvectors.ReadFile(t, path).Body)
		}
		v, err := c.vector(name, s.Registry)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		made = append(made, v)
	}
	return made, nil
}

// vector returns the vector of a case: the header describes what r makes of the
// input.
func (c Case) vector(file string, r *read.Registry) (testvectors.Vector, error) {
	v := testvectors.New(file, []byte(c.Data))
	v.AddIf("name", c.Name)
	v.AddIf("media_type_hint", c.MediaType)
	form, err := r.Canonicalize(c.Input())
	outcome := Text
	switch {
	case err != nil:
		outcome = Refused
	case form.Canonicalizer == canon.BytesForm:
		outcome = Bytes
	}
	if outcome != c.Expect {
		return testvectors.Vector{}, fmt.Errorf("the outcome is %s (%s%v), want %s", outcome, form.Reason, err, c.Expect)
	}
	v.Add("expect", outcome)
	switch outcome {
	case Refused:
		v.AddIf("reason", err.Error())
	case Bytes:
		if string(form.Payload) != c.Data {
			return testvectors.Vector{}, fmt.Errorf("%s: the payload is not the original", c.Name)
		}
		describe(&v, form)
	case Text:
		describe(&v, form)
		err = describeText(&v, form.Payload)
		return v, err
	}
	return v, nil
}

// describe adds the header lines of a form, but those of its text.
func describe(v *testvectors.Vector, form read.Form) {
	v.AddIf("canonicalizer", form.Canonicalizer)
	v.AddIf("unicode", form.Unicode)
	v.AddIf("media_type", form.MediaType)
	v.AddIf("charset", form.Charset)
	v.AddIf("reason", form.Reason)
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		v.AddIf("fact_"+key, form.Facts[key])
	}
	v.AddIf("title", form.Source.Title)
	v.AddIf("creators", strings.Join(form.Source.Creators, "; "))
	v.AddIf("publisher", form.Source.Publisher)
	v.AddIf("url", form.Source.URL)
	v.AddIf("published_at", form.Source.PublishedAt)
	v.AddIf("language", form.Source.Language)
	for _, p := range form.Parts {
		v.Add("part", fmt.Sprintf("%s %s %s", cid.Of(p.Data), strings.ReplaceAll(p.MediaType, " ", ""), p.Name))
	}
	v.Add("artifact", cid.Of(form.Payload).String())
}

// describeText adds the header lines of a text: counts, roots and the payload.
func describeText(v *testvectors.Vector, payload []byte) error {
	d := canon.NewDocument(payload)
	for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
		root := d.Root(kind)
		v.Add(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
		v.Add(string(kind)+"_root", hex.EncodeToString(root[:]))
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(payload)); err != nil {
		return err
	}
	v.Add("payload", strings.TrimSuffix(quoted.String(), "\n"))
	return nil
}
