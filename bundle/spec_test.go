package bundle

import (
	"fmt"
	"muniment/bundle/leaf"
	"os"
	"strings"
	"testing"

	"muniment/cid/jcs"
	"muniment/cite"
	"muniment/sign"
	"muniment/testvectors"
)

// The example in the specification is that of a vector.
func TestSpecExample(t *testing.T) {
	page, err := os.ReadFile("../docs/spec/bundle.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := unzip(testvectors.ReadFile(t, vectorDir+"/zip-good").Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{nameStatement, "leaves/00011.json"} {
		want := "```\n" + strings.TrimSuffix(string(files[name]), "\n") + "\n```\n"
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/spec/bundle.md does not show %s of zip-good:\n%s", name, want)
		}
	}
}

// The numbers and closed sets in the specification are those of the code.
func TestSpecNumbers(t *testing.T) {
	raw, err := os.ReadFile("../docs/spec/bundle.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	steps := fmt.Sprintf("%d, %d, %d or %d", leaf.Steps[0], leaf.Steps[1], leaf.Steps[2], leaf.Steps[3])
	for _, want := range []string{
		fmt.Sprintf("at most %d bytes: a person can read it", MaxStatement),
		fmt.Sprintf("Limits: %d bytes", MaxZip),
		fmt.Sprintf("at most %d files", zipMaxNames),
		fmt.Sprintf("1 to %d: more than any threshold", maxSignatures),
		fmt.Sprintf("1 to %d lines, sorted by the bytes of the scope", MaxScopes),
		fmt.Sprintf("line of %d bytes per leaf", sumsLine),
		fmt.Sprintf("at most %d bytes: a verifier may hold %d", leaf.MaxSize, leaf.MaxCount),
		fmt.Sprintf("An index is 0 to %d", leaf.MaxCount-1),
		fmt.Sprintf("numbers are at most %d |", jcs.MaxInt),
		"| `leaves` | " + steps,
		fmt.Sprintf("zero bytes up to %d times a power of two, at most %d", sealUnit, maxSealedPlain),
		fmt.Sprintf("in one form, at most %d bytes", sign.MaxSignature),
		fmt.Sprintf("the namespace, 1 to %d bytes", sign.MaxNamespace),
		fmt.Sprintf("application of 1 to %d bytes", sign.MaxApplication),
		fmt.Sprintf("UTF-8, at most %d bytes", sign.MaxLogProof),
		fmt.Sprintf("at most %d hashes", sign.MaxLogHashes),
		fmt.Sprintf("of at most %d bytes and exactly three lines", sign.MaxNote),
		fmt.Sprintf("the origin, 1 to %d bytes", sign.MaxOrigin),
		fmt.Sprintf("1 to %d signature lines", sign.MaxNoteSignatures),
		fmt.Sprintf("each 1 to %d bytes after an optional", sign.MaxPattern),
		fmt.Sprintf("one HTML page, at most %d bytes", MaxPage),
		"The table `" + cite.GateTableVersion + "`",
		"The axes, in this order: " + strings.Join(AxisNames, ", ") + ".",
		"Kinds are `" + strings.Join(leaf.RefusalKinds, "`, `") + "`",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("docs/spec/bundle.md does not say %q", want)
		}
	}
	for _, r := range cite.Relations {
		if !strings.Contains(page, fmt.Sprintf("| `%s` | %s |", r, leaf.Label(r))) {
			t.Errorf("docs/spec/bundle.md does not give the label of %s", r)
		}
	}
	for _, in := range []cite.GateInput{{}, {Relation: cite.InferenceFrom}, {Relation: cite.Paraphrase, SpanResolves: true, Match: cite.Fuzzy}} {
		for _, f := range cite.Judge(in).Failed {
			if !strings.Contains(page, "| `"+f.Test+"` |") {
				t.Errorf("docs/spec/bundle.md does not say when %s holds", f.Test)
			}
		}
	}
}
