package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The form of a line: its columns, and those of a tab.
const (
	columns = 120
	tab     = 4
)

// A source is one file that counts: Go without tests, or rules in a data file.
type source struct {
	name  string
	lines int
	file  *ast.File // nil of a data file
	set   *token.FileSet
}

// A goPackage is the entry of a package in the list of go list.
type goPackage struct {
	ImportPath string
	Imports    []string
	Module     struct{ Path string }
}

// A checkout is what the figures are counted from.
type checkout struct {
	files   []string            // tracked and present
	sources []source            // in the order of files
	imports map[string][]string // folders of our own that the package of a folder imports
}

// readCheckout reads the files of the checkout in dir.
func readCheckout(dir string, p plan) (checkout, error) {
	var c checkout
	var err error
	if c.files, err = trackedFiles(dir); err != nil {
		return c, err
	}
	if c.imports, err = listImports(dir); err != nil {
		return c, err
	}
	for _, name := range c.files {
		if !counted(name, p) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return c, err
		}
		s, err := parseSource(name, data)
		if err != nil {
			return c, err
		}
		c.sources = append(c.sources, s)
	}
	if len(c.sources) == 0 {
		return c, errors.New("no Go files are tracked here")
	}
	return c, nil
}

// ruleFolders are the folders whose data files hold rules.
var ruleFolders = []string{"text/", "search/", "policy/", "judge/", "draft/", "answer/gate/"}

// counted reports whether a file counts as lines.
func counted(name string, p plan) bool {
	if strings.Contains("/"+name, "/testdata/") {
		return false
	}
	if strings.HasSuffix(name, ".txt") {
		for _, folder := range ruleFolders {
			if strings.HasPrefix(name, folder) {
				return true
			}
		}
	}
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// parseSource parses and measures a file.
func parseSource(name string, data []byte) (source, error) {
	s := source{name: name, set: token.NewFileSet()}
	if strings.HasSuffix(name, ".go") {
		var err error
		if data, err = format.Source(data); err != nil {
			return s, fmt.Errorf("%s: %w", name, err)
		}
		if s.file, err = parser.ParseFile(s.set, name, data, parser.SkipObjectResolution); err != nil {
			return s, err
		}
	}
	s.lines = wrappedLines(data)
	return s, nil
}

// wrappedLines counts lines as if those beyond the last column were wrapped.
func wrappedLines(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		width := utf8.RuneCount(line) + (tab-1)*bytes.Count(line, []byte("\t"))
		n += max(1, (width+columns-1)/columns)
	}
	return n
}

// trackedFiles returns the paths of the files in git's index that are present.
func trackedFiles(dir string) ([]string, error) {
	out, err := output(dir, "git", "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	var files []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name == "" {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			files = append(files, name)
		}
	}
	return files, nil
}

// listImports returns the imports within the module, folder by folder.
func listImports(dir string) (map[string][]string, error) {
	out, err := output(dir, "go", "list", "-json=ImportPath,Imports,Module", "./...")
	if err != nil {
		return nil, err
	}
	imports := map[string][]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return imports, nil
		} else if err != nil {
			return nil, err
		}
		folder, _ := folderOf(p.ImportPath, p.Module.Path)
		imports[folder] = []string{}
		for _, name := range p.Imports {
			if own, ok := folderOf(name, p.Module.Path); ok {
				imports[folder] = append(imports[folder], own)
			}
		}
	}
}

// folderOf returns the folder of a package and reports whether it belongs to the module.
func folderOf(importPath, module string) (string, bool) {
	rest, ok := strings.CutPrefix(importPath, module)
	return path.Clean("./" + rest), ok && (rest == "" || rest[0] == '/')
}

// output runs a program in dir and returns its standard output.
func output(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}
