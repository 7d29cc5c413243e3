package verifiers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"muniment/bundle/leaf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muniment/bundle"
	"muniment/cid"
	"muniment/internal/casecount"
	"muniment/sign"
)

// agreeVariable sets how many bundles TestAgree makes, and agreeFrom the number
// of the first. verifiers/agree.sh asks for ten thousand.
const (
	agreeVariable, agreeFrom = "MUNIMENT_AGREE", "MUNIMENT_AGREE_FROM"
	agreeBatch               = 500 // bundles that lie on the disk at a time
)

// A sample is one generated bundle.
type sample struct {
	number       uint64
	defect, path string
	zip          []byte
}

// A judgement is what is compared: the verdict, and the results of the axes
// that every verifier decides, in the order of decided.
type judgement struct {
	verdict string
	results string
}

func (r report) judgement() judgement {
	j := judgement{verdict: r.Verdict}
	for _, name := range decided {
		i := slices.IndexFunc(r.Axes, func(a reportAxis) bool { return a.Name == name })
		if i < 0 {
			return judgement{verdict: "no axis " + name}
		}
		j.results += " " + r.Axes[i].Result
	}
	return j
}

// A given is what a verifier is called with: the path of a trust file and the ID of
// an archive, each "" for none.
type given struct{ trust, archive string }

// must returns v; a test that cannot make its own values is broken.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// judge is the library's judgement. Where nothing fails but axes that the
// others do not decide, beyond is the first of these.
func judge(zip []byte, q bundle.Requirements) (j judgement, beyond string) {
	var v *bundle.Verdict
	b, err := bundle.Read(bytes.NewReader(zip))
	if bad := (*bundle.InvalidError)(nil); errors.As(err, &bad) {
		v = bundle.InvalidVerdict(bad)
	} else {
		v = bundle.Verify(b, q)
	}
	r := report{Verdict: v.Verdict}
	failed := ""
	for _, a := range v.Axes {
		r.Axes = append(r.Axes, reportAxis{a.Name, string(a.Result), a.Reason})
		if a.Result != bundle.Fail {
			continue
		}
		if slices.Contains(decided, a.Name) {
			failed = a.Name
		} else if beyond == "" {
			beyond = a.Name
		}
	}
	if failed != "" {
		beyond = ""
	}
	return r.judgement(), beyond
}

// TestAgree makes bundles, good and bad, and requires that the library,
// verify.py, verify.js in Node and verify.html in a browser judge them alike.
func TestAgree(t *testing.T) {
	count, from := number(t, agreeVariable, casecount.Of(40, 300)), number(t, agreeFrom, 0)
	judges := map[string]func(t *testing.T, with given, batch []sample) []judgement{
		"verify.py": byPython(t), "verify.js": byNode(t), "verify.html": byBrowser(t),
	}
	sources := sourcesOfVectors(t)
	all := defects()
	names := slices.Sorted(maps.Keys(trusts))
	verdicts, beyonds, seen := map[string]int{}, map[string]int{}, map[string]int{}
	disagreements := 0
	for start := from; start < from+count; start += agreeBatch {
		dir := t.TempDir()
		byTrust := map[string][]sample{}
		for n := start; n < min(start+agreeBatch, from+count); n++ {
			s, name := generate(uint64(n), sources, all)
			x := sample{number: uint64(n), defect: name, zip: s.build(t), path: filepath.Join(dir, strconv.Itoa(n)+".zip")}
			write(t, x.path, x.zip)
			trust := "all"
			if n%3 == 0 {
				trust = names[n/3%len(names)]
			}
			byTrust[trust] = append(byTrust[trust], x)
			seen[name]++
		}
		for _, name := range names {
			batch, trust, with := byTrust[name], trusts[name], given{archive: pins[name]}
			var q bundle.Requirements
			if with.archive != "" {
				q.Archive = must(cid.ParseAs(cid.JSON, with.archive))
			}
			if trust != "" {
				var err error
				if q.Allowed, err = sign.ParseAllowedSigners([]byte(trust)); err != nil {
					t.Fatal(err)
				}
				with.trust = filepath.Join(dir, "trust-"+strings.ReplaceAll(name, " ", "-"))
				write(t, with.trust, []byte(trust))
			}
			if len(batch) == 0 {
				continue
			}
			theirs := map[string][]judgement{}
			for who, judges := range judges {
				if theirs[who] = judges(t, with, batch); len(theirs[who]) != len(batch) {
					t.Fatalf("%s: %d judgements of %d bundles", who, len(theirs[who]), len(batch))
				}
			}
			for i, x := range batch {
				ours, beyond := judge(x.zip, q)
				verdicts[ours.verdict]++
				if beyond != "" {
					beyonds[beyond]++
				}
				for who := range judges {
					got := theirs[who][i]
					if beyond != "" {
						got.verdict = ours.verdict // of an axis that they leave open
					}
					if got != ours {
						disagreements++
						keep(t, x)
						t.Errorf("bundle %d (%s, trust %s): %s says %v, the library %v", x.number, x.defect, name, who, got, ours)
					}
				}
			}
		}
		os.RemoveAll(dir)
	}
	t.Logf("%d bundles with %d of %d defects: %v; %v fail on another axis alone; %d disagreements", count, len(seen)-1, len(all), verdicts, beyonds, disagreements)
	if verdicts[bundle.Valid] < count/20 || verdicts[bundle.Invalid] < count/4 {
		t.Errorf("the bundles are not both good and bad: %v", verdicts)
	}
	if count >= 20*len(all) && len(seen) != len(all)+1 {
		t.Errorf("%d of %d defects were made", len(seen)-1, len(all))
	}
}

// keep writes a bundle on which verifiers disagree where it can be looked at.
func keep(t *testing.T, x sample) {
	if dir := os.Getenv("MUNIMENT_AGREE_KEEP"); dir != "" {
		write(t, filepath.Join(dir, fmt.Sprintf("%d.zip", x.number)), x.zip)
	}
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s=%q is no number", variable, text)
	}
	return n
}

// sourcesOfVectors are source leaves that hold.
func sourcesOfVectors(t *testing.T) []*leaf.Source {
	t.Helper()
	var out []*leaf.Source
	for _, v := range readVectors(t) {
		if !strings.HasPrefix(v.name, "zip-source-") || v.expect != "valid" {
			continue
		}
		b, err := bundle.Read(bytes.NewReader(v.body))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Leaves() {
			if s, ok := l.(*leaf.Source); ok {
				out = append(out, s)
			}
		}
	}
	if len(out) < 3 {
		t.Fatalf("%d source leaves in the vectors, want 3", len(out))
	}
	return out
}

func byPython(t *testing.T) func(t *testing.T, with given, batch []sample) []judgement {
	python(t)
	return func(t *testing.T, with given, batch []sample) []judgement {
		reports, _ := run(t, commandLine(with, batch)...)
		return judgements(reports)
	}
}

func commandLine(with given, batch []sample) []string {
	var args []string
	if with.trust != "" {
		args = append(args, "--trust", with.trust)
	}
	if with.archive != "" {
		args = append(args, "--archive", with.archive)
	}
	for _, x := range batch {
		args = append(args, x.path)
	}
	return args
}

func judgements(reports []report) []judgement {
	var out []judgement
	for _, r := range reports {
		out = append(out, r.judgement())
	}
	return out
}

// node is the program, without which the test is skipped.
func node(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: verify.js was not run: there is no node")
	}
	return path
}

func byNode(t *testing.T) func(t *testing.T, with given, batch []sample) []judgement {
	program := node(t)
	return func(t *testing.T, with given, batch []sample) []judgement {
		t.Helper()
		cmd := exec.Command(program, append([]string{"verify.js", "--json"}, commandLine(with, batch)...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || stderr.Len() > 0 {
			t.Fatalf("verify.js: %v: %s", err, &stderr)
		}
		var reports []report
		for l := range bytes.Lines(out) {
			reports = append(reports, parseReport(t, l))
		}
		return judgements(reports)
	}
}

func parseReport(t *testing.T, raw []byte) report {
	t.Helper()
	var r report
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return r
}

// TestDefectNames: a count of defects counts different ones.
func TestDefectNames(t *testing.T) {
	seen := map[string]bool{"good": true}
	for _, d := range defects() {
		if seen[d.name] {
			t.Errorf("two defects are named %q", d.name)
		}
		seen[d.name] = true
	}
}
