package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

const schemaFolder = "../../docs/schema"

var updateSchemas = flag.Bool("update-schemas", false, "write docs/schema from the types of the messages")

// TestSchemas compares docs/schema with what muniment help json NAME prints.
func TestSchemas(t *testing.T) {
	if *updateSchemas {
		if err := os.RemoveAll(schemaFolder); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(schemaFolder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for _, name := range slices.Sorted(maps.Keys(messages)) {
		schema, err := messageSchema(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := resolveSchema(schema); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		file := name + ".json"
		want = append(want, file)
		if *updateSchemas {
			if err := os.WriteFile(filepath.Join(schemaFolder, file), schema, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(filepath.Join(schemaFolder, file)); err != nil || string(got) != string(schema) {
			t.Errorf("docs/schema/%s is not what muniment help json %s prints: go test ./cmd/muniment -run TestSchemas -update-schemas writes it", file, name)
		}
	}
	if len(want) < 80 {
		t.Fatalf("%d messages, want all", len(want))
	}
	var got []string
	entries, err := os.ReadDir(schemaFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("docs/schema has %v, want %v", got, want)
	}
}

func resolveSchema(text []byte) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// checkMessage returns an error where a document is a message and is not as the schema
// of its name says.
func checkMessage(doc string) error {
	var v map[string]any
	if json.Unmarshal([]byte(doc), &v) != nil {
		return nil // no object
	}
	full, _ := v["schema"].(string)
	name := strings.TrimSuffix(strings.TrimPrefix(full, "muniment."), ".v1")
	if messages[name] == nil || schemaName(name) != full {
		return nil // a document of another kind
	}
	text, err := messageSchema(name)
	if err != nil {
		return err
	}
	schema, err := resolveSchema(text)
	if err != nil {
		return err
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("a document is not as muniment help json %s says: %w", name, err)
	}
	return nil
}

// Documents that are not as their schema says do not pass.
func TestCheckMessage(t *testing.T) {
	for doc, valid := range map[string]bool{
		`{"schema":"muniment.link.v1","from":1,"type":"supports","to":2,"created_at":"2026-01-02T00:00:00Z"}`: true,
		`{"schema":"muniment.link.v1","from":1,"type":"supports","to":"2","created_at":""}`:                   false,
		`{"schema":"muniment.link.v1","from":1,"type":"supports","created_at":""}`:                            false,
		`{"schema":"muniment.link.v1","from":1,"type":"supports","to":2,"created_at":"","more":true}`:         false,
		`{"schema":"muniment.token.v1","revoked":"a"}`:                                                        true,
		`{"schema":"muniment.token.v1"}`:                                                                      false,
		`{"schema":"muniment.tools.v1","items":[{"name":"cite"}]}`:                                            true,
		`{"schema":"muniment.page.ask.v1"}`:                                                                   true,
	} {
		if err := checkMessage(doc); (err == nil) != valid {
			t.Errorf("%s: %v, want valid %v", doc, err, valid)
		}
	}
}

// TestMessages compares the table of messages with the calls that print documents.
func TestMessages(t *testing.T) {
	printed, anyName := printedTypes(t)
	if len(printed) < 80 {
		t.Fatalf("%d names of documents in the program, want all", len(printed))
	}
	elsewhere := map[string]bool{"muniment/bundle.Report": true, "[]map[string]interface {}": true, "muniment/cmd/muniment.errorMessage": true}
	for name, kinds := range printed {
		for kind := range kinds {
			if kind != "" && !slices.ContainsFunc(messages[name], func(t reflect.Type) bool { return typeName(t) == kind }) {
				t.Errorf("%s is printed as %s, which the table of messages does not say", kind, name)
			}
		}
		if messages[name] == nil {
			t.Errorf("the table of messages has no %s", name)
		}
	}
	for name, kinds := range messages {
		for _, kind := range kinds {
			if full := typeName(kind); !printed[name][full] && !printed[name][""] && !anyName[full] && !elsewhere[full] {
				t.Errorf("no call prints %s as %s", full, name)
			}
		}
	}
	for kind := range anyName {
		if !slices.ContainsFunc(slices.Collect(maps.Values(messages)), func(kinds []reflect.Type) bool {
			return slices.ContainsFunc(kinds, func(t reflect.Type) bool { return typeName(t) == kind })
		}) {
			t.Errorf("the table of messages has no %s", kind)
		}
	}
}

// typeName returns the name of a type with the path of its package.
func typeName(t reflect.Type) string {
	if t.Name() == "" {
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

// printedTypes returns the types of the documents that show and document print in this
// package, by name, "" for an interface; and the types whose name is a variable.
func printedTypes(t *testing.T) (byName map[string]map[string]bool, anyName map[string]bool) {
	t.Helper()
	fset, files, info := checkedProgram(t)
	byName, anyName = map[string]map[string]bool{}, map[string]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "show" && sel.Sel.Name != "document" {
				return true
			}
			kind := types.Unalias(info.Types[call.Args[1]].Type)
			if p, ok := kind.(*types.Pointer); ok {
				kind = types.Unalias(p.Elem())
			}
			full := kind.String()
			switch kind.Underlying().(type) {
			case *types.Interface:
				full = ""
			case *types.Struct:
				if _, named := kind.(*types.Named); !named {
					t.Errorf("%s: a document of a type without a name; messages.go has the others", fset.Position(call.Pos()))
				}
			}
			if v := info.Types[call.Args[0]].Value; v == nil {
				if full != "" {
					anyName[full] = true
				}
			} else {
				name := constant.StringVal(v)
				if byName[name] == nil {
					byName[name] = map[string]bool{}
				}
				byName[name][full] = true
			}
			return true
		})
	}
	return byName, anyName
}

// checkedProgram returns the files of this package with the types of their expressions.
func checkedProgram(t *testing.T) (*token.FileSet, []*ast.File, *types.Info) {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.SplitSeq(string(out), "\n") {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	if _, err := conf.Check("muniment/cmd/muniment", fset, files, info); err != nil {
		t.Fatal(err)
	}
	return fset, files, info
}
