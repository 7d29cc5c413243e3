package pdf

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/testvectors"
)

const vectorDir = "../../testvectors/canon-pdf"

// A vector is one PDF and the kind of form it has. What poppler makes of
// undamaged PDFs this small is the same in every version; its complaints are
// not, and are no part of a vector.
type vector struct{ data, expect string }

var vectors = map[string]vector{
	"report":      {report.file(), "text"},
	"one-word":    {oneWord.file(), "text"},
	"two-pages":   {twoPages.file(), "text"},
	"no-table":    {oneWord.file()[:strings.Index(oneWord.file(), "xref")] + "trailer\n<< /Size 8 /Root 1 0 R >>\n", "text"},
	"scan":        {scan.file(), "bytes"},
	"empty-page":  {nothing.file(), "bytes"},
	"encrypted":   {locked.file(), "bytes"},
	"head-alone":  {"%PDF-1.4\n", "bytes"},
	"cut-in-half": {oneWord.file()[:120], "bytes"},
}

// made returns the vector as its file is: the header describes what the reader
// makes of the bytes.
func (v vector) made(t *testing.T, name string) testvectors.Vector {
	t.Helper()
	form, err := read.NewRegistry(Reader()).Canonicalize(read.Input{Name: "a.pdf", Data: []byte(v.data)})
	if err != nil {
		t.Fatal(err)
	}
	out := testvectors.New(name, []byte(v.data), "name", "a.pdf")
	if form.Canonicalizer == canon.BytesForm {
		out.Add("expect", "bytes")
		out.Add("canonicalizer", form.Canonicalizer)
		reason, _, _ := strings.Cut(strings.TrimPrefix(form.Reason, Name+": "), ":") // poppler's words follow
		out.AddIf("reason_begins", reason)
		out.Add("artifact", cid.Of(form.Payload).String())
		return out
	}
	out.Add("expect", "text")
	out.Add("canonicalizer", form.Canonicalizer)
	out.AddIf("unicode", form.Unicode)
	out.AddIf("media_type", form.MediaType)
	for _, key := range []string{"empty_pages", "page_starts", "pages"} {
		out.AddIf("fact_"+key, form.Facts[key])
	}
	out.Add("artifact", cid.Of(form.Payload).String())
	d := canon.NewDocument(form.Payload)
	for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
		root := d.Root(kind)
		out.Add(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
		out.Add(string(kind)+"_root", hex.EncodeToString(root[:]))
	}
	payload, err := json.Marshal(string(form.Payload))
	if err != nil {
		t.Fatal(err)
	}
	out.Add("payload", string(payload))
	return out
}

// Every vector gives exactly what its file says.
func TestVectors(t *testing.T) {
	tool(t)
	var made []testvectors.Vector
	for name, v := range vectors {
		made = append(made, v.made(t, name))
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 9, func(t *testing.T, v testvectors.Vector) {
		if want := vectors[v.Name].expect; v.Get("expect") != want {
			t.Errorf("expect is %s, want %s", v.Get("expect"), want)
		}
	})
}
