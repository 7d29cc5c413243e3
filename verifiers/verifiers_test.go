package verifiers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"muniment/bundle"
	"muniment/testvectors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bundles and pages are the numbers of vectors that are whole bundles, as zips and
// as pages.
const bundles, pages = 154, 22

// decided are the axes that verify.py decides.
var decided = []string{"integrity", "signer threshold", "archive", "log inclusion", "witnesses", "consistency", "display completeness", "gate re-evaluation"}

type vector struct {
	name, expect, axis, trust string
	body                      []byte
}

type report struct {
	File    string
	Verdict string
	Axes    []reportAxis
	Proves  string // of evidence
}

// evidence is the number of vectors of evidence.
const evidence = 53

type reportAxis struct{ Name, Result, Reason string }

// failed is the first axis that fails, or nothing.
func (r report) failed() string {
	for _, a := range r.Axes {
		if a.Result == "FAIL" {
			return a.Name
		}
	}
	return ""
}

// readVectors reads the vectors that are whole bundles.
func readVectors(t *testing.T) []vector {
	t.Helper()
	var vectors []vector
	for _, v := range testvectors.Read(t, "../testvectors/bundle") {
		if v.Get("kind") == "zip" {
			vectors = append(vectors, vector{v.Name, v.Get("expect"), v.Get("axis"), v.Get("trust"), v.Body})
		}
	}
	return vectors
}

// readPages reads the vectors that are pages.
func readPages(t *testing.T) []vector {
	t.Helper()
	var vectors []vector
	for _, v := range testvectors.Read(t, "../testvectors/bundle") {
		if v.Get("kind") == "page" {
			vectors = append(vectors, vector{v.Name, v.Get("expect"), v.Get("axis"), v.Get("trust"), v.Body})
		}
	}
	return vectors
}

// python is the interpreter; without one the test is skipped.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: verify.py was not run: there is no python3")
	}
	return path
}

// run runs verify.py, and returns its reports and its exit code.
func run(t *testing.T, args ...string) ([]report, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python(t), append([]string{"-B", "verify.py", "--json"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(stderr.String(), "Traceback") {
		t.Fatalf("verify.py: %s", &stderr)
	}
	var reports []report
	for line := range bytes.Lines(stdout.Bytes()) {
		var r report
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("verify.py: %q: %v", line, err)
		}
		reports = append(reports, r)
	}
	return reports, cmd.ProcessState.ExitCode()
}

// TestVerify runs verify.py.
func TestVerify(t *testing.T) {
	python(t)
	t.Run("vectors", testVectors)
	t.Run("exit codes", testExitCodes)
}

// testVectors compares every verdict, and the first axis that fails, with what
// the vector expects. A defect on an axis that verify.py does not decide is one
// that it must not see elsewhere.
func testVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) != bundles {
		t.Errorf("%d vectors are whole bundles, want %d", len(vectors), bundles)
	}
	inPages := readPages(t)
	if len(inPages) != pages {
		t.Errorf("%d vectors are pages, want %d", len(inPages), pages)
	}
	vectors = append(vectors, inPages...)
	byTrust := map[string][]vector{}
	for _, v := range vectors {
		byTrust[v.trust] = append(byTrust[v.trust], v)
	}
	compared, left := 0, 0
	for trust, group := range byTrust {
		dir := t.TempDir()
		var args []string
		if trust != "" {
			path := filepath.Join(dir, "allowed_signers")
			write(t, path, []byte(trust+"\n"))
			args = append(args, "--trust", path)
		}
		for _, v := range group {
			path := filepath.Join(dir, v.name+".zip")
			write(t, path, v.body)
			args = append(args, path)
		}
		reports, _ := run(t, args...)
		if len(reports) != len(group) {
			t.Fatalf("verify.py: %d reports of %d bundles", len(reports), len(group))
		}
		for i, v := range group {
			compared++
			r := reports[i]
			verdict, axis := strings.ToUpper(v.expect), v.axis
			switch {
			case v.expect == "malformed":
				verdict, axis = "INVALID", "integrity"
			case v.expect == "invalid" && !slices.Contains(decided, v.axis):
				left++
				verdict, axis = "VALID", ""
			}
			if v.expect == "reduced" && strings.HasPrefix(r.Verdict, bundle.Reduced+" ") {
				verdict = r.Verdict
			}
			if filepath.Base(r.File) != v.name+".zip" || r.Verdict != verdict || r.failed() != axis {
				t.Errorf("%s: %s, failed %q, want %s, %q (%+v)", v.name, r.Verdict, r.failed(), verdict, axis, r)
			}
			for _, a := range r.Axes {
				if !slices.Contains(decided, a.Name) && a.Result != "NOT-CHECKED" {
					t.Errorf("%s: %s is %s, want NOT-CHECKED", v.name, a.Name, a.Result)
				}
			}
			if len(r.Axes) != len(bundle.AxisNames) {
				t.Errorf("%s: %d axes, want %d", v.name, len(r.Axes), len(bundle.AxisNames))
			}
		}
	}
	t.Logf("%d bundles compared, of which %d are bad on an axis that verify.py does not decide", compared, left)
}

// testEvidence lets a verifier judge the vectors of evidence: verdict, first axis
// that fails and what is proved are those of the library.
func testEvidence(t *testing.T, judge func(t *testing.T, args ...string) []report) {
	t.Helper()
	dir, judged := t.TempDir(), 0
	byTrust := map[string][]testvectors.Vector{} // one run of the verifier for each trust
	for _, v := range testvectors.Read(t, "../testvectors/evidence") {
		byTrust[v.Get("trust")] = append(byTrust[v.Get("trust")], v)
	}
	for trust, vectors := range byTrust {
		var args []string
		for _, v := range vectors {
			path := filepath.Join(dir, v.Name)
			write(t, path, v.Body)
			args = append(args, path)
		}
		if trust != "" {
			path := filepath.Join(dir, "allowed_signers")
			write(t, path, []byte(trust+"\n"))
			args = append(args, "--trust", path)
		}
		reports := judge(t, args...)
		if len(reports) != len(vectors) {
			t.Fatalf("trust %q: %d reports of %d vectors", trust, len(reports), len(vectors))
		}
		for i, v := range vectors {
			if r := reports[i]; r.Verdict != strings.ToUpper(v.Get("expect")) || r.failed() != v.Get("axis") || r.Proves != v.Get("proves") {
				t.Errorf("%s: %+v", v.Name, r)
			}
			judged++
		}
	}
	if judged != evidence {
		t.Errorf("%d vectors of evidence, want %d", judged, evidence)
	}
}

func TestEvidenceByPython(t *testing.T) {
	python(t)
	testEvidence(t, func(t *testing.T, args ...string) []report {
		reports, _ := run(t, args...)
		return reports
	})
}

func TestEvidenceByNode(t *testing.T) {
	program := node(t)
	testEvidence(t, func(t *testing.T, args ...string) []report {
		out, err := exec.Command(program, append([]string{"verify.js", "--json"}, args...)...).Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		var reports []report
		for line := range bytes.Lines(out) {
			reports = append(reports, parseReport(t, line))
		}
		return reports
	})
}

// TestPageBytes changes single bytes of a page, one in each of its parts among
// them: verify.py reads none of these pages.
func TestPageBytes(t *testing.T) {
	python(t)
	dir := t.TempDir()
	args := []string{}
	for _, v := range readPages(t) {
		if v.name != "page-good" {
			continue
		}
		for i := 0; i < len(v.body); i += 1499 {
			body := bytes.Clone(v.body)
			body[i] ^= 1 << (i % 8)
			path := filepath.Join(dir, strconv.Itoa(i)+".html")
			write(t, path, body)
			args = append(args, path)
		}
	}
	reports, _ := run(t, args...)
	if len(reports) < 40 {
		t.Fatalf("%d pages were changed, want at least 40", len(reports))
	}
	for _, r := range reports {
		if r.Verdict != "INVALID" || r.failed() != "integrity" {
			t.Errorf("%s: %s, failed %q", r.File, r.Verdict, r.failed())
		}
	}
}

// TestLength holds verify.py to a length that a person can read.
func TestLength(t *testing.T) {
	source, err := os.ReadFile("verify.py")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(source, []byte("\n")); n >= 700 {
		t.Errorf("verify.py has %d lines, want fewer than 700", n)
	}
}

// testExitCodes takes one bundle of each verdict, and the one that is no command.
func testExitCodes(t *testing.T) {
	dir := t.TempDir()
	trust := ""
	for _, v := range readVectors(t) {
		if v.name == "zip-reduced" || v.name == "zip-good" || v.name == "zip-leaf-altered" {
			write(t, filepath.Join(dir, v.name), v.body)
			trust = v.trust
		}
	}
	signers := filepath.Join(dir, "allowed_signers")
	write(t, signers, []byte(trust+"\n"))
	good, bad, reduced := filepath.Join(dir, "zip-good"), filepath.Join(dir, "zip-leaf-altered"), filepath.Join(dir, "zip-reduced")
	for _, test := range []struct {
		name string
		args []string
		want int
	}{
		{"valid", []string{good, "--trust", signers}, 0},
		{"invalid", []string{bad, "--trust", signers}, 1},
		{"incomplete", []string{good}, 3},
		{"reduced", []string{reduced, "--trust", signers}, 0},
		{"reduced, and all of it is wanted", []string{reduced, "--trust", signers, "--require", "display"}, 3},
		{"all of it is wanted and there", []string{good, "--trust", signers, "--require", "display-completeness"}, 0},
		{"an axis not decided", []string{good, "--trust", signers, "--require", "sealed"}, 3},
		{"no axis", []string{good, "--require", "dis"}, 2},
		{"the worst of several", []string{good, bad, good}, 1},
		{"no bundle", nil, 2},
		{"unknown flag", []string{good, "--lenient"}, 2},
		{"no such trust", []string{good, "--trust", filepath.Join(dir, "nobody")}, 2},
		{"trust of another form", []string{good, "--trust", good}, 2},
		{"no such file", []string{filepath.Join(dir, "nothing")}, 1},
	} {
		if _, code := run(t, test.args...); code != test.want {
			t.Errorf("%s: exit code %d, want %d", test.name, code, test.want)
		}
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
