package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// small is a module with everything that has to change and some of what must not.
var small = map[string]string{
	"go.mod":           "module small\n\ngo 1.26.0\n",
	"small.go":         "package small\n\nimport (\n\t\"small/leaf\"\n\t\"strings\"\n)\n\n// Name is a format and no package.\nconst Name = \"small/record/v1\"\n\nvar Packages = []string{\"small/leaf\", `\"small/leaf\"`, \"small\", \"smaller/leaf\"}\n\nvar _ = strings.ToUpper(leaf.Text)\n",
	"leaf/leaf.go":     "// Package leaf belongs to small/leaf.\npackage leaf\n\nconst Text = \"leaf\"\n",
	"cmd/tool/main.go": "package main\n\nimport (\n\tfront \"small\"\n\t. \"small/leaf\"\n)\n\nfunc main() { println(front.Name, Text) }\n",
	".ci/dead.allow":   "# small\nsmall/leaf Text  # why\nsmall   # the root\nsmall/record gone\n",
	"nested/go.mod":    "module small/nested\n",
	"nested/n.go":      "package nested\n\nimport _ \"small/leaf\"\n",
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRename(t *testing.T) {
	dir := write(t, small)
	changed, err := rename(dir, "example.org/a/big")
	if err != nil || len(changed) != 4 {
		t.Fatalf("%q, %v", changed, err)
	}
	for name, want := range map[string][]string{
		"go.mod":           {"module example.org/a/big\n"},
		"small.go":         {"\"example.org/a/big/leaf\"\n", "Name = \"small/record/v1\"", "{\"example.org/a/big/leaf\", `\"example.org/a/big/leaf\"`, \"small\", \"smaller/leaf\"}"},
		"cmd/tool/main.go": {"front \"example.org/a/big\"", ". \"example.org/a/big/leaf\""},
		".ci/dead.allow":   {"# small\nexample.org/a/big/leaf Text  # why\nexample.org/a/big   # the root\nsmall/record gone\n"},
		"nested/n.go":      {small["nested/n.go"]},
		"leaf/leaf.go":     {small["leaf/leaf.go"]},
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		for _, w := range want {
			if err != nil || !strings.Contains(string(got), w) {
				t.Errorf("%s lacks %q: %v\n%s", name, w, err, got)
			}
		}
	}
	build := exec.Command("go", "build", "./...")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("the renamed module does not build: %v\n%s", err, out)
	}
	if changed, err := rename(dir, "example.org/a/big"); err != nil || len(changed) != 0 {
		t.Errorf("again: %q, %v", changed, err)
	}
}

func TestRenameRefuses(t *testing.T) {
	for name, c := range map[string]struct{ to, file, text string }{
		"no dot":       {"big", "", ""},
		"a space":      {"example.org/a b", "", ""},
		"broken file":  {"example.org/big", "leaf/broken.go", "package leaf\n\nfunc {\n"},
		"no go.mod":    {"example.org/big", "go.mod", "nonsense\n"},
		"empty go.mod": {"example.org/big", "go.mod", ""},
	} {
		files := map[string]string{}
		for n, text := range small {
			files[n] = text
		}
		if c.file != "" {
			files[c.file] = c.text
		}
		dir := write(t, files)
		if changed, err := rename(dir, c.to); err == nil || len(changed) != 0 {
			t.Errorf("%s: %q, %v", name, changed, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "small.go")); err != nil || string(got) != small["small.go"] {
			t.Errorf("%s: a file was changed: %v", name, err)
		}
	}
}
