package bundle

import (
	"os"
	"strings"
	"testing"
)

// The example in the specification is that of a vector.
func TestSpecExample(t *testing.T) {
	page, err := os.ReadFile("../docs/spec/bundle.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(vectorDir + "/zip-good")
	if err != nil {
		t.Fatal(err)
	}
	files, err := readZip(parseVector(t, "zip-good", file).data)
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
