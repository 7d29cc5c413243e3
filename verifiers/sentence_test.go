package verifiers_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/audit"
	"muniment/bundle"
	"muniment/sign"
)

// TestSentence compares the sentence that the program says of each bundle in testvectors with that
// of the verifier in a browser, and what each of them says was changed.
func TestSentence(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: sentence.js was not run, because node is not installed")
	}
	cmd := exec.Command(node, "says.js")
	cmd.Dir = "js"
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]struct {
		Kind         string
		Open, Bundle bool
		Own, Said    string
		Changes      []bundle.Change
	}
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatal(err)
	}
	compared, sentences, changed := 0, map[string]bool{}, 0
	for name, js := range said {
		data, err := os.ReadFile(filepath.Join("..", "testvectors", "bundle", name))
		if err != nil {
			t.Fatal(err)
		}
		head, body, _ := bytes.Cut(data, []byte("\n\n"))
		var o audit.VerifyOptions
		for line := range strings.Lines(string(head)) {
			if trust, ok := strings.CutPrefix(strings.TrimSpace(line), "trust: "); ok {
				if o.Allowed, err = sign.ParseAllowedSigners([]byte(trust + "\n")); err != nil {
					t.Fatal(err)
				}
			}
		}
		file := filepath.Join(t.TempDir(), "bundle")
		if err := os.WriteFile(file, body, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := audit.VerifyBundle(file, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if bundle.IsBundle(body) != js.Bundle {
			t.Errorf("%s: IsBundle %v, in the browser %v", name, bundle.IsBundle(body), js.Bundle)
		}
		if js.Open { // an axis that the browser leaves open
			continue
		}
		compared++
		sentences[v.Sentence(false)] = true
		for own, words := range map[bool]string{true: js.Own, false: js.Said} {
			if got := v.Sentence(own); got != words {
				t.Errorf("%s: the program says %q, the browser %q", name, got, words)
			}
		}
		if js.Kind == "zip" && len(js.Changes) > 0 {
			got := bundle.Changes(body)
			if changed++; len(got) != len(js.Changes) || got[0].Now != js.Changes[0].Now || got[0].Where != js.Changes[0].Where {
				t.Errorf("%s: the program says that %+v was changed, the browser %+v", name, got, js.Changes)
			}
		}
	}
	if compared < 100 || len(sentences) < 5 || changed < 1 {
		t.Errorf("%d bundles compared, %d sentences, %d with changed words", compared, len(sentences), changed)
	}
	t.Logf("%d bundles, %d sentences, %d with changed words", compared, len(sentences), changed)
}
