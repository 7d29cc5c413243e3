package verifiers_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/bundle"
	"muniment/bundle/leaf"
	"muniment/cite/review"
	"muniment/sign"
)

// Four verifiers say of each claim in the same words who judged it, and whether the reviewers may review.
func TestReviews(t *testing.T) {
	python(t)
	i := slices.IndexFunc(readVectors(t), func(v vector) bool { return v.name == "zip-v3-judged-by-six" })
	if i < 0 {
		t.Fatal("there is no vector of six claims")
	}
	v := readVectors(t)[i]
	b := must(bundle.Read(bytes.NewReader(v.body)))
	dir := t.TempDir()
	zip, some, all := filepath.Join(dir, "six.zip"), filepath.Join(dir, "some"), filepath.Join(dir, "all")
	write(t, zip, v.body)
	write(t, some, []byte(v.trust+"\n"))
	lines := v.trust + "\n"
	for _, l := range b.Leaves() {
		r, ok := l.(*leaf.Reviews)
		if !ok {
			continue
		}
		for _, one := range must(r.Parse()) {
			lines += `x@example.org namespaces="` + review.Namespace + `" ` + one.Key().Authorized() + "\n"
		}
	}
	write(t, all, []byte(lines))

	want := []string{}
	for _, c := range must(bundle.Render(b)).Claims {
		want = append(want, c.Judged)
	}
	if len(want) != 6 || !strings.HasPrefix(want[4], "disputed: ") {
		t.Fatalf("the library says %q", want)
	}
	for trust, gate := range map[string]string{some: "NOT-CHECKED", all: "PASS"} {
		allowed := must(sign.ParseAllowedSigners([]byte(map[string]string{some: v.trust + "\n", all: lines}[trust])))
		ours := bundle.Verify(b, bundle.Requirements{Allowed: allowed})
		if at := slices.IndexFunc(ours.Axes, func(a bundle.Axis) bool { return a.Name == bundle.AxisGate }); string(ours.Axes[at].Result) != gate {
			t.Errorf("the library says %+v, want %s", ours.Axes[at], gate)
		}
		for who, cmd := range map[string][]string{"verify.py": {"python3", "verify.py"}, "verify.js": {node(t), "verify.js"}} {
			out, err := exec.Command(cmd[0], append(cmd[1:], zip, "--json", "--trust", trust)...).Output()
			if err != nil {
				t.Fatalf("%s: %v", who, err)
			}
			var r struct {
				Verdict string
				Axes    []reportAxis
				Claims  []struct {
					Number int
					Judged string
				}
			}
			if err := json.Unmarshal(out, &r); err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(r.Axes, func(a reportAxis) bool { return a.Name == "gate re-evaluation" })
			if r.Verdict != "VALID" || r.Axes[at].Result != gate || len(r.Claims) != len(want) {
				t.Fatalf("%s: %s, %+v, %d claims", who, r.Verdict, r.Axes[at], len(r.Claims))
			}
			for i, c := range r.Claims {
				if c.Judged != want[i] {
					t.Errorf("%s says of claim %d %q, want %q", who, c.Number, c.Judged, want[i])
				}
			}
		}
	}
}
