package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// parsed returns a source file of the given name and text.
func parsed(t *testing.T, name, text string) source {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return source{name: name, lines: strings.Count(text, "\n"), file: file, set: set}
}

func TestFigures(t *testing.T) {
	sources := []source{
		parsed(t, "front.go", "package p\n\ntype A struct{ B int }\n\nfunc (A) C() {}\n\nfunc D() {\n\t_ = 1\n}\n\nconst E, f, G = 1, 2, 3\n"),
		parsed(t, "in/one.go", "package in\n\nfunc H() {}\n"),
		parsed(t, "in/two.go", "package in\n"),
	}
	packages := map[string]goPackage{
		"m":   {"m", []string{"fmt", "m/a", "m/c"}},
		"m/a": {"m/a", []string{"m/b"}},
		"m/b": {"m/b", []string{"os"}},
		"m/c": {"m/c", nil},
	}
	for _, c := range []struct {
		got   figure
		n     int
		where string
	}{
		{rootEntries([]string{".gitignore", ".ci/run", "front.go", "in/one.go", "in/two.go"}), 4, ""},
		{exportedNames(sources), 4, ""}, // A, D, E and G
		{sourceFiles(sources), 2, "in"},
		{importDepth(packages), 3, "m → m/a → m/b"},
		{goLines(sources), 15, ""},
		{longestFunction(sources), 3, "D in front.go:7"},
	} {
		if c.got.n != c.n || c.got.where != c.where {
			t.Errorf("%s: %d %q, want %d %q", c.got.what, c.got.n, c.got.where, c.n, c.where)
		}
	}
}

// TestCheckout measures this checkout: every figure is there, whatever its limit.
func TestCheckout(t *testing.T) {
	if _, err := output("../..", "git", "ls-files", "-z"); err != nil {
		t.Skipf("skipped: git does not list the files of this checkout: %v", err)
	}
	figures, err := measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if f.n <= 0 || f.limit <= 0 {
			t.Errorf("%s: %d of %d", f.what, f.n, f.limit)
		}
	}
	if len(figures) != 6 {
		t.Errorf("%d figures, want 6", len(figures))
	}
}
