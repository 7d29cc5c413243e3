// Command modpath gives the module another path: in go.mod, in every import, in
// strings of the source that name a package of the module, and in the lists of
// packages in .ci.
//
//	go run ./internal/modpath example.org/archive/muniment
//
// It changes nothing else: the names of formats (muniment/record/v1) are no package
// paths and stay. Run it in the module's folder, in a clean clone.
//
// Limits: modules below the module, and folders whose names begin with a dot or an
// underscore or are called testdata or vendor, keep their files.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/modpath NAME\nexample: go run ./internal/modpath example.org/archive/muniment")
		os.Exit(2)
	}
	changed, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modpath:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files name %s; go build ./... && go test ./... shows that nothing is left\n", len(changed), os.Args[1])
}

// A rewriter changes the path of one module.
type rewriter struct {
	from, to string
	packages map[string]bool // the import paths of the module's packages
}

// rename gives the module in dir another path and returns the files that it
// changed. Every file is parsed before the first one is written.
func rename(dir, to string) (changed []string, err error) {
	if err := module.CheckPath(to); err != nil {
		return nil, fmt.Errorf("%w; want a path such as example.org/archive/muniment", err)
	}
	modData, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", modData, nil)
	if err != nil {
		return nil, err
	}
	if mod.Module == nil {
		return nil, fmt.Errorf("go.mod names no module")
	}
	r := rewriter{from: mod.Module.Mod.Path, to: to, packages: map[string]bool{}}
	files, err := r.find(dir)
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for _, name := range files {
		before, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		after, err := r.source(name, before)
		if err != nil {
			return nil, err
		}
		contents[name] = after
	}
	lists, err := filepath.Glob(filepath.Join(dir, ".ci", "*.allow"))
	if err != nil {
		return nil, err
	}
	for _, name := range lists {
		before, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		contents[name] = r.list(before)
	}
	if err := mod.AddModuleStmt(to); err != nil {
		return nil, err
	}
	if contents[filepath.Join(dir, "go.mod")], err = mod.Format(); err != nil {
		return nil, err
	}
	for name, after := range contents {
		if before, err := os.ReadFile(name); err != nil || bytes.Equal(before, after) {
			continue
		}
		if err := os.WriteFile(name, after, 0o644); err != nil {
			return changed, err
		}
		changed = append(changed, name)
	}
	return changed, nil
}

// find returns the Go files of the module and notes its packages.
func (r *rewriter) find(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		if d.IsDir() {
			_, noModule := os.Stat(filepath.Join(name, "go.mod"))
			if base := d.Name(); noModule == nil || base[0] == '.' || base[0] == '_' || base == "testdata" || base == "vendor" {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") {
			files = append(files, name)
			rel, err := filepath.Rel(dir, filepath.Dir(name))
			if err != nil {
				return err
			}
			r.packages[path.Join(r.from, filepath.ToSlash(rel))] = true
		}
		return nil
	})
	return files, err
}

// source returns a Go file with the new path in its imports, in strings that are a
// package of the module below its root, and in strings that quote one.
func (r *rewriter) source(name string, data []byte) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	imports := map[*ast.BasicLit]bool{}
	for _, i := range file.Imports {
		imports[i.Path] = true
	}
	var out bytes.Buffer
	end := 0
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		old := strings.Trim(lit.Value, "`\"")
		if !imports[lit] && old == r.from || !r.packages[old] && !imports[lit] {
			return true
		}
		if old != r.from && !strings.HasPrefix(old, r.from+"/") {
			return true
		}
		renamed := strings.Replace(lit.Value, old, r.to+strings.TrimPrefix(old, r.from), 1)
		if _, err := strconv.Unquote(renamed); err != nil {
			return true
		}
		at := set.Position(lit.Pos()).Offset
		out.Write(data[end:at])
		out.WriteString(renamed)
		end = at + len(lit.Value)
		return true
	})
	if end == 0 {
		return data, nil
	}
	out.Write(data[end:])
	return format.Source(out.Bytes()) // imports are sorted by path
}

// list returns a list of packages, one a line with a reason, with the new path.
func (r *rewriter) list(data []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(data)) {
		first, _, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if r.packages[first] {
			line = r.to + strings.TrimPrefix(line, r.from)
		}
		out.WriteString(line)
	}
	return out.Bytes()
}
