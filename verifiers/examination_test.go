package verifiers_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"muniment/bundle"
	"muniment/bundle/display"
	"muniment/testvectors"
)

// TestExaminations holds what verifiers say of an examined text against what the library says, in words and in JSON: verify.py, verify.js in Node,
// and verify.js in the browser.
func TestExaminations(t *testing.T) {
	dir, v := t.TempDir(), testvectors.Vector{}
	for _, one := range testvectors.Read(t, "../testvectors/bundle") {
		if one.Name == "zip-examination" {
			v = one
		}
	}
	b := must(bundle.Read(bytes.NewReader(v.Body)))
	view := must(bundle.Render(b))
	want := view.Examined
	if want == nil || want.Quotations != 4 || want.Wrong != 2 || want.Open != 1 || len(want.Items) != 3 || len(want.Lines()) != 4 {
		t.Fatalf("the library says %+v", want)
	}
	file, trust := filepath.Join(dir, "examination.zip"), filepath.Join(dir, "allowed_signers")
	write(t, file, v.Body)
	write(t, trust, []byte(v.Get("trust")+"\n"))
	for _, program := range [][]string{{python(t), "-B", "verify.py"}, {node(t), "verify.js"}} {
		words := must(exec.Command(program[0], append(program[1:], file, "--trust", trust)...).Output())
		for _, line := range want.Lines() {
			if !strings.Contains(string(words), line+"\n") {
				t.Errorf("%s does not say %q:\n%s", program[len(program)-1], line, words)
			}
		}
		var got struct{ Examination *display.Examination }
		if err := json.Unmarshal(must(exec.Command(program[0], append(program[1:], file, "--trust", trust, "--json")...).Output()), &got); err != nil {
			t.Fatal(err)
		}
		if a, b := string(must(json.Marshal(got.Examination))), string(must(json.Marshal(want))); a != b {
			t.Errorf("%s: %s, want %s", program[len(program)-1], a, b)
		}
	}
	text, err := chromedp.Run(browser(t, "verify.html"), chromedp.Evaluate[string](`munimentVerify.examinedLines(munimentVerify.verify(Uint8Array.from(atob("`+
		base64.StdEncoding.EncodeToString(v.Body)+`"), (c) => c.charCodeAt(0)), null).examination).join("\n")`))
	if err != nil || text != strings.Join(want.Lines(), "\n") {
		t.Errorf("verify.html: %v, %q", err, text)
	}
}
