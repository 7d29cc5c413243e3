package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muniment/archive/problem"
)

// Every act that the library names has words of this program, and no two acts
// of the library have one name.
func TestEveryActionHasWords(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^(?:const)?\s*Do\w+\s+(?:problem\.)?Action = "([^"]+)"`)
	seen := map[problem.Action]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			do := problem.Action(m[1])
			if at, ok := seen[do]; ok {
				t.Errorf("the action %q is declared in %s and in %s", do, at, path)
			}
			seen[do] = path
			if commandWords(do, nil) == "" {
				t.Errorf("%s: the action %q has no words", path, do)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 60 {
		t.Errorf("%d actions found, want at least 60", len(seen))
	}
}
