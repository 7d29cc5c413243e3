package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/bundle"
	"muniment/testvectors"
)

// writeFile writes a file into a new folder and returns its path.
func writeFile(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// vector unpacks a vector of testvectors/bundle: it returns the paths of the
// bundle, the trust file and the identity file, as far as the vector has them.
func vector(t *testing.T, name string) (zip, trust, identity string) {
	t.Helper()
	v := testvectors.ReadFile(t, "../../testvectors/bundle/"+name)
	if line := v.Get("trust"); line != "" {
		trust = writeFile(t, "trust", []byte(line+"\n"))
	}
	if line := v.Get("identity"); line != "" {
		identity = writeFile(t, "identity", []byte(line+"\n"))
	}
	return writeFile(t, "answer.zip", v.Body), trust, identity
}

// paragraph unpacks a vector of testvectors/paragraph, and an allowed_signers
// file with the key that signed it, where it is sound.
func paragraph(t *testing.T, name string) (proof, allowed string) {
	t.Helper()
	data := testvectors.ReadFile(t, "../../testvectors/paragraph/"+name).Body
	if _, s, err := bundle.VerifyParagraph(data, bundle.Requirements{}); err == nil {
		allowed = writeFile(t, "allowed", []byte("ada@example.org "+s.Key.Authorized()+"\n"))
	}
	return writeFile(t, "p.json", data), allowed
}

func TestRun(t *testing.T) {
	sound, allowed := paragraph(t, "good")
	changed, _ := paragraph(t, "text")
	otherJSON := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(otherJSON, []byte(`{"type":"other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	zip, trust, _ := vector(t, "zip-good")
	sealed, _, identity := vector(t, "zip-sealed")
	bad, _, _ := vector(t, "zip-gate-rung")
	hostile, _, _ := vector(t, "zip-name-bidi")
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("not a line of a trust file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	nonce := filepath.Join(t.TempDir(), "nonce")
	if err := os.WriteFile(nonce, []byte(hex.EncodeToString([]byte("nonce"))+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const question = "How far was the barn from the stackyard, and what did it cost?"
	cases := []struct {
		args   []string
		code   int
		stdout string // a part of it
		stderr string
	}{
		{[]string{zip, "--trust", trust}, 0, "VALID\n  ", ""},
		{[]string{"--trust", trust, zip}, 0, "about seven rods", ""},
		{[]string{zip}, 3, "INCOMPLETE\n  ", ""},
		{[]string{zip, "--trust", trust, "--require", "sealed-layer"}, 3, "INCOMPLETE\n  ", ""},
		{[]string{sealed, "--trust", trust, "--identity", identity, "--require", "sealed layer"}, 0, "record complete", ""},
		{[]string{bad, "--trust", trust}, 1, "FAIL         gate re-evaluation", ""},
		{[]string{hostile}, 1, `\u{202E}`, ""},
		{[]string{trust}, 1, "not a zip", ""},
		{[]string{zip, "--trust", trust, "--question", question, "--nonce-file", nonce, "--require", "request-binding"}, 0, "PASS         request binding", ""},
		{[]string{zip, "--trust", trust, "--question", "another", "--nonce-file", nonce}, 1, "FAIL         request binding", ""},
		{[]string{zip, "--trust", trust, "--nonce-file", nonce}, 2, "", "go together"},
		{[]string{zip, "--nonce-file", filepath.Join(t.TempDir(), "none")}, 6, "", "none"},
		{[]string{sound, "--trust", allowed}, 0, "VALID\n  ", ""},
		{[]string{sound, "--trust", allowed, "--json"}, 0, "\"schema\": \"muniment.verify.v1\"", ""},
		{[]string{sound}, 3, "INCOMPLETE\n  ", ""},
		{[]string{changed, "--trust", allowed}, 1, "INVALID\n  ", ""},
		{[]string{otherJSON}, 6, "", "no proof of a paragraph"},
		{[]string{"--help"}, 0, "Exit codes:", ""},
		{nil, 2, "", "no bundle is given"},
		{[]string{zip, zip}, 2, "", "two bundles"},
		{[]string{zip, "--require", "charm"}, 2, "", `axis "charm"`},
		{[]string{zip, "--skip"}, 2, "", "skip"},
		{[]string{zip, "--trust", garbage}, 2, "", "garbage"},
		{[]string{zip, "--identity", garbage}, 2, "", "garbage"},
		{[]string{zip, "--trust", filepath.Join(t.TempDir(), "none")}, 6, "", "none"},
		{[]string{filepath.Join(t.TempDir(), "none.zip")}, 6, "", "none.zip"},
	}
	for _, c := range cases {
		var stdout, stderr strings.Builder
		if code := run(c.args, &stdout, &stderr); code != c.code {
			t.Errorf("%q: exit code %d, want %d\n%s%s", c.args, code, c.code, stdout.String(), stderr.String())
		}
		if !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%q: stdout\n%s\nstderr\n%s", c.args, stdout.String(), stderr.String())
		}
		if c.stderr == "" {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[0], "muniment-verify: error: ") || !strings.HasPrefix(lines[1], "muniment-verify: hint: ") {
			t.Errorf("%q: error is not two lines:\n%s", c.args, stderr.String())
		}
	}
}

func TestJSON(t *testing.T) {
	zip, trust, _ := vector(t, "zip-good")
	var stdout, stderr strings.Builder
	if code := run([]string{zip, "--trust", trust, "--json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var r bundle.Report
	if err := json.Unmarshal([]byte(stdout.String()), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != "muniment.verify.v1" || r.Verdict != bundle.Valid || len(r.Axes) != len(bundle.AxisNames) || len(r.Claims) != 4 {
		t.Errorf("report %+v", r)
	}
}

// The command links the verification core and nothing that could reach out.
func TestLinksOnlyTheCore(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is missing: it is not checked what the command links")
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for p := range strings.Lines(string(out)) {
		p = strings.TrimSpace(p)
		n++
		top, _, _ := strings.Cut(p, "/")
		if top == "net" || top == "database" || p == "os/exec" || strings.Contains(p, "bleve") || strings.Contains(p, "go-git") {
			t.Errorf("the command links %s", p)
		}
	}
	if n < 50 {
		t.Errorf("%d packages listed", n)
	}
}

// TestVersion asks for the version in each way there is.
func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		var out, errs strings.Builder
		if code := run(args, &out, &errs); code != 0 || !strings.HasPrefix(out.String(), "muniment-verify ") || !strings.Contains(out.String(), "\n  statement muniment/answer/v1\n") {
			t.Errorf("%v: exit %d, %s%s", args, code, out.String(), errs.String())
		}
		out.Reset()
		code := run(append(args, "--json"), &out, &errs)
		var v struct {
			Schema string
			Reads  map[string][]string
		}
		if err := json.Unmarshal([]byte(out.String()), &v); code != 0 || err != nil || v.Schema != "muniment.version.v1" || len(v.Reads["leaf"]) != 3 {
			t.Errorf("%v --json: exit %d, %v, %+v", args, code, err, v)
		}
	}
}
