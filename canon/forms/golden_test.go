package forms

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/canon/pdf"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/testvectors"
)

const (
	goldenFile = "../../testvectors/golden/golden.txt"
	// Fewer would leave some form, charset or script out.
	minGolden    = 500
	minArtifacts = 300
)

// An input of the golden corpus.
type input struct {
	label string // in golden.txt
	read.Input
}

// line says what an input gives; units only where the form has some.
func (in input) line() (line, extractor string, err error) {
	f, err := all.Canonicalize(in.Input)
	if err != nil {
		return "", "", err
	}
	fields := []string{in.label, f.Canonicalizer, cid.Of(f.Payload).String()}
	d := canon.NewDocument(f.Payload)
	for _, kind := range []byte{canon.Paragraphs, canon.Lines} {
		if f.Canonicalizer == canon.BytesForm {
			fields = append(fields, "-", "-")
			continue
		}
		root := d.Root(kind)
		fields = append(fields, fmt.Sprint(len(d.Units(kind))), hex.EncodeToString(root[:]))
	}
	return strings.Join(fields, "\t"), f.Extractor, nil
}

// goldenPoppler is the program that the PDFs of golden.txt were read with.
// Another version may find another text.
const goldenPoppler = "pdftotext 22.12.0 (poppler)"

// Every input gives what it gave when golden.txt was written.
func TestGolden(t *testing.T) {
	inputs := goldenInputs()
	var written strings.Builder
	if testvectors.Update() {
		for _, in := range inputs {
			line, _, err := in.line()
			if err != nil {
				t.Fatalf("%s: %v", in.label, err)
			}
			fmt.Fprintln(&written, line)
		}
		if err := os.WriteFile(goldenFile, []byte(written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	if len(lines) < minGolden || len(lines) != len(inputs) {
		t.Fatalf("%d lines and %d inputs, want as many of both and at least %d", len(lines), len(inputs), minGolden)
	}
	forms, labels, ids := map[string]int{}, map[string]bool{}, map[string]bool{}
	notCompared := 0
	for i, in := range inputs {
		if labels[in.label] {
			t.Errorf("two inputs are named %s", in.label)
		}
		labels[in.label] = true
		got, extractor, err := in.line()
		if err != nil {
			t.Errorf("%s: %v", in.label, err)
			continue
		}
		form := strings.Split(lines[i], "\t")[1]
		forms[form]++
		ids[strings.Split(lines[i], "\t")[2]] = true
		if form == pdf.Name && extractor != goldenPoppler {
			notCompared++
			continue
		}
		if got != lines[i] {
			t.Errorf("the canonical form has changed:\n was %s\n is  %s", lines[i], got)
		}
	}
	if notCompared > 0 {
		t.Logf("%d PDFs not compared: %s is missing: install the Debian package poppler-utils of that version", notCompared, goldenPoppler)
	}
	for _, form := range []string{"text@1", "html@2", "csv@1", "json@1", "jsonl@1", "dbresult@1", "mail@3", "mbox@3", "docx@3", "odt@3", "epub@2", "pdf@1", "srt@1", "vtt@1", "bytes@1"} {
		if forms[form] < 3 {
			t.Errorf("%d inputs of %s, want at least 3", forms[form], form)
		}
	}
	if len(ids) < minArtifacts {
		t.Errorf("%d artifacts, want at least %d", len(ids), minArtifacts)
	}
	t.Logf("%d inputs, %d artifacts, by form %v", len(inputs), len(ids), forms)
}
