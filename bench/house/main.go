// Command house prints how large the house is: the entries of the repository's
// root, the exported names of the front package, the source files of the
// largest package, the longest chain of imports, the lines of Go and the
// longest function. Each figure has a limit; with one above its limit the exit
// code is 1.
//
//	go run ./bench/house [DIR]
//
// DIR is the root of a checkout, the current folder if not given. Git says which
// files belong to the checkout, and go list which package imports which. Tests
// are not counted.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The limits, each with its reason. A change that needs a larger one says why here.
const (
	maxEntries  = 36     // what ls -A prints fits one screen, and shows the architecture
	maxExported = 40     // what a caller of the front package can learn in one sitting
	maxFiles    = 45     // a package of more files does more than one thing
	maxDepth    = 12     // core 6, archive, three services and what stands on them, the server, its pages and a command
	maxLines    = 162000 // no more than today; the aim for the program before the server and the issues that add to it was 95,000 (docs/decisions/0020-services.md)
	maxFunction = 80     // a function that one screen and a half shows whole
)

// A figure is one measure of the house: a number, its limit, and where it was found.
type figure struct {
	what  string
	n     int
	limit int
	where string
}

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	figures, err := measure(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(2)
	}
	code := 0
	for _, f := range figures {
		verdict := ""
		if f.n > f.limit {
			verdict, code = "  ABOVE THE LIMIT", 1
		}
		fmt.Printf("%-52s %6d of %6d  %s%s\n", f.what, f.n, f.limit, f.where, verdict)
	}
	os.Exit(code)
}

// measure returns the figures of the checkout in dir.
func measure(dir string) ([]figure, error) {
	files, err := trackedFiles(dir)
	if err != nil {
		return nil, err
	}
	packages, err := listPackages(dir)
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, name := range files {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.Contains("/"+name, "/testdata/") {
			s, err := readSource(dir, name)
			if err != nil {
				return nil, err
			}
			sources = append(sources, s)
		}
	}
	if len(sources) == 0 {
		return nil, errors.New("no Go files are tracked here")
	}
	return []figure{
		rootEntries(files),
		exportedNames(sources),
		sourceFiles(sources),
		importDepth(packages),
		goLines(sources),
		longestFunction(sources),
	}, nil
}

// trackedFiles returns the paths of the files that git keeps and that are there.
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

// A goPackage is what go list knows of a package of the module.
type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(dir string) (map[string]goPackage, error) {
	out, err := output(dir, "go", "list", "-json=ImportPath,Imports", "./...")
	if err != nil {
		return nil, err
	}
	packages := map[string]goPackage{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = p
	}
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

// A source is one Go file that is not a test.
type source struct {
	name  string
	lines int
	file  *ast.File
	set   *token.FileSet
}

func readSource(dir, name string) (source, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return source{}, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	return source{name: name, lines: bytes.Count(data, []byte("\n")), file: file, set: set}, nil
}

// rootEntries counts the files and folders of a fresh checkout, with those whose names
// begin with a dot, without git's own.
func rootEntries(files []string) figure {
	entries := map[string]bool{}
	for _, name := range files {
		first, _, _ := strings.Cut(name, "/")
		entries[first] = true
	}
	return figure{"entries of the root", len(entries), maxEntries, ""}
}

// exportedNames counts the exported functions, types, constants and variables of
// the front package; methods and fields belong to their type.
func exportedNames(sources []source) figure {
	n := 0
	for _, s := range sources {
		if path.Dir(s.name) != "." {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					n++
				}
			case *ast.GenDecl:
				n += exportedSpecs(d)
			}
		}
	}
	return figure{"exported names of the front package", n, maxExported, ""}
}

func exportedSpecs(d *ast.GenDecl) int {
	n := 0
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				n++
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() {
					n++
				}
			}
		}
	}
	return n
}

// sourceFiles returns the number of files of the package with the most.
func sourceFiles(sources []source) figure {
	f := figure{what: "source files of the largest package", limit: maxFiles}
	count := map[string]int{}
	for _, s := range sources {
		dir := path.Dir(s.name)
		count[dir]++
		if count[dir] > f.n {
			f.n, f.where = count[dir], dir
		}
	}
	return f
}

// importDepth returns the number of packages in the longest chain of imports
// within the module.
func importDepth(packages map[string]goPackage) figure {
	chains := map[string][]string{}
	var chain func(name string) []string
	chain = func(name string) []string {
		if c, ok := chains[name]; ok {
			return c
		}
		var longest []string
		for _, imp := range packages[name].Imports {
			if _, ours := packages[imp]; ours {
				if c := chain(imp); len(c) > len(longest) {
					longest = c
				}
			}
		}
		chains[name] = append([]string{name}, longest...)
		return chains[name]
	}
	var longest []string
	for name := range packages {
		if c := chain(name); len(c) > len(longest) || len(c) == len(longest) && slices.Compare(c, longest) < 0 {
			longest = c
		}
	}
	return figure{"packages in the longest chain of imports", len(longest), maxDepth, strings.Join(longest, " → ")}
}

func goLines(sources []source) figure {
	f := figure{what: "lines of Go without tests", limit: maxLines}
	for _, s := range sources {
		f.n += s.lines
	}
	return f
}

// longestFunction returns the number of lines of the longest function, from the
// line of its name to that of its closing brace.
func longestFunction(sources []source) figure {
	f := figure{what: "lines of the longest function", limit: maxFunction}
	for _, s := range sources {
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			from, to := s.set.Position(fn.Pos()), s.set.Position(fn.End())
			if n := to.Line - from.Line + 1; n > f.n {
				f.n, f.where = n, fmt.Sprintf("%s in %s:%d", fn.Name.Name, s.name, from.Line)
			}
		}
	}
	return f
}
