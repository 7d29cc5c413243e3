package read_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"muniment/canon/read"
	"muniment/cid"
)

const specPage = "../../docs/spec/canonical-forms.md"

// The example that the specification begins with is true.
func TestSpecExample(t *testing.T) {
	page, err := os.ReadFile(specPage)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```\n")
	const received, form, follows = 1, 3, 5
	if len(blocks) <= follows {
		t.Fatalf("%s has %d blocks", specPage, len(blocks)/2)
	}
	text := strings.NewReplacer("␠", " ", "↵\n", "\r\n").Replace(blocks[received])
	data := in(charmap.Windows1252, text)
	f, err := registry().Canonicalize(read.Input{Name: "letter.txt", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	if string(f.Payload) != blocks[form] {
		t.Errorf("the form is %q, the page has %q", f.Payload, blocks[form])
	}
	if digest := cid.Of(f.Payload).Hex(); !strings.Contains(blocks[follows], digest) {
		t.Errorf("the page has another sha256 than %s", digest)
	}
	file, err := os.ReadFile(vectorDir + "/letter-windows1252-guess")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"artifact: ", "p_root: ", "l_root: "} {
		_, value, _ := bytes.Cut(file, []byte("\n"+key))
		value, _, _ = bytes.Cut(value, []byte("\n"))
		if len(value) == 0 || !strings.Contains(blocks[follows], string(value)) {
			t.Errorf("the page has another %s%s", key, value)
		}
	}
}
