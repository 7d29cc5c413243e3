package pdf

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/cid"
)

var update = flag.Bool("update", false, "write the test vectors anew")

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

// encode writes the vector's file: what goes in, what follows from it, a blank
// line, and the bytes.
func (v vector) encode(t *testing.T) string {
	t.Helper()
	var w strings.Builder
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&w, "%s: %s\n", key, value)
		}
	}
	form, err := canon.NewRegistry(Reader()).Canonicalize(canon.Input{Name: "a.pdf", Data: []byte(v.data)})
	if err != nil {
		t.Fatal(err)
	}
	put("name", "a.pdf")
	if form.Canonicalizer == canon.BytesForm {
		put("expect", "bytes")
		put("canonicalizer", form.Canonicalizer)
		reason, _, _ := strings.Cut(strings.TrimPrefix(form.Reason, Name+": "), ":") // poppler's words follow
		put("reason_begins", reason)
		put("artifact", cid.Of(form.Payload).String())
		return w.String() + "\n" + v.data
	}
	put("expect", "text")
	put("canonicalizer", form.Canonicalizer)
	put("unicode", form.Unicode)
	put("media_type", form.MediaType)
	for _, key := range []string{"empty_pages", "page_starts", "pages"} {
		put("fact_"+key, form.Facts[key])
	}
	put("artifact", cid.Of(form.Payload).String())
	d := canon.NewDocument(form.Payload)
	for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
		root := d.Root(kind)
		put(string(kind)+"_count", fmt.Sprint(len(d.Units(kind))))
		put(string(kind)+"_root", hex.EncodeToString(root[:]))
	}
	payload, err := json.Marshal(string(form.Payload))
	if err != nil {
		t.Fatal(err)
	}
	put("payload", string(payload))
	return w.String() + "\n" + v.data
}

// Every vector gives exactly what its file says.
func TestVectors(t *testing.T) {
	tool(t)
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
