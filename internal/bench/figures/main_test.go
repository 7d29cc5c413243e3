package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

func dataLines(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, dataFile))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// The tables of the pages are those of the data file, each figure once.
func TestPagesHaveFigures(t *testing.T) {
	lines := dataLines(t)
	if len(lines) < 100 {
		t.Fatalf("%s has %d lines", dataFile, len(lines))
	}
	want, err := renderPages(root, lines)
	if err != nil {
		t.Fatal(err)
	}
	for page, text := range want {
		if got, err := os.ReadFile(filepath.Join(root, page)); err != nil || string(got) != text {
			t.Errorf("%s differs from %s (%v); write it: go run ./internal/bench/figures", page, dataFile, err)
		}
	}
	seen := map[string]bool{}
	for _, line := range lines {
		name, _, _ := strings.Cut(line, "\t")
		if seen[name] {
			t.Errorf("%s has two lines of %s", dataFile, name)
		}
		seen[name] = true
	}
}

// A script or folder that a command of the data file names exists.
func TestCommandsExist(t *testing.T) {
	n := 0
	for _, line := range dataLines(t)[1:] {
		for word := range strings.FieldsSeq(strings.ReplaceAll(strings.Split(line, "\t")[4], "`", " ")) {
			if path := strings.TrimPrefix(word, "./"); strings.Contains(path, "/") && !strings.HasPrefix(path, "/") && !strings.Contains(path, "(") {
				n++
				if _, err := os.Stat(filepath.Join(root, path)); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d paths in commands", n)
	}
}

// A line that is short of a field, a table without a page and a page without figures are errors.
func TestRenderPagesRefuses(t *testing.T) {
	lines := dataLines(t)
	for name, bad := range map[string][]string{
		"no line of seven fields": append(lines[:len(lines):len(lines)], "a/b\tc"),
		"no page has the line":    append(lines[:len(lines):len(lines)], "a/b\tc\t1\ts\t`x`\td\tm"),
		"has no figures of table": lines[:2],
	} {
		if _, err := renderPages(root, bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
