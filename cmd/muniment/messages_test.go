package main

import (
	"bytes"
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
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

const schemaFolder = "../../docs/schema"

var updateSchemas = flag.Bool("update-schemas", false, "write docs/schema from the types of the messages")

// definitionsFile holds the definitions that the schemas of docs/schema share.
const definitionsFile = "definitions.json"

// TestSchemas compares docs/schema with what muniment help json NAME prints. In the folder the
// definitions of all messages are in one file.
func TestSchemas(t *testing.T) {
	want := map[string]string{}
	definitions := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(messages)) {
		schema, err := messageSchema(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := resolveSchema(schema); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		file, own := splitSchema(t, schema)
		for definition, text := range own {
			if first, ok := definitions[definition]; ok && !bytes.Equal(first, text) {
				t.Errorf("%s: the definition %s is another one elsewhere", name, definition)
			}
			definitions[definition] = text
		}
		want[name+".json"] = file
	}
	if len(want) < 80 || len(definitions) < 50 {
		t.Fatalf("%d messages and %d definitions, want all", len(want), len(definitions))
	}
	want[definitionsFile] = indented(t, map[string]any{"$defs": definitions})
	if *updateSchemas {
		if err := os.RemoveAll(schemaFolder); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(schemaFolder, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range want {
			if err := os.WriteFile(filepath.Join(schemaFolder, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	entries, err := os.ReadDir(schemaFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got, err := os.ReadFile(filepath.Join(schemaFolder, e.Name()))
		if err != nil || string(got) != want[e.Name()] {
			t.Errorf("docs/schema/%s is not what muniment help json prints: go test ./cmd/muniment -run TestSchemas -update-schemas writes it", e.Name())
		}
		delete(want, e.Name())
		if _, err := resolveFile(e.Name()); err != nil {
			t.Errorf("docs/schema/%s: %v", e.Name(), err)
		}
	}
	for file := range want {
		t.Errorf("docs/schema has no %s", file)
	}
}

// splitSchema returns the text of a schema that refers to the shared definitions, and the
// definitions that it had of its own.
func splitSchema(t *testing.T, schema []byte) (string, map[string]json.RawMessage) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(schema))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	defs := map[string]json.RawMessage{}
	var rest []string
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var member json.RawMessage
		if err := dec.Decode(&member); err != nil {
			t.Fatal(err)
		}
		if key != "$defs" {
			rest = append(rest, fmt.Sprintf("%q:%s", key, member))
		} else if err := json.Unmarshal(member, &defs); err != nil {
			t.Fatal(err)
		}
	}
	text := indented(t, json.RawMessage("{"+strings.Join(rest, ",")+"}"))
	return strings.ReplaceAll(text, `"$ref": "#/`, `"$ref": "`+definitionsFile+`#/`), defs
}

// An object of one plain member and a list of plain values take one line in docs/schema.
var (
	onePlainMember = regexp.MustCompile(`\{\n +("[^\n{}\[\]]*)\n +\}`)
	plainValues    = regexp.MustCompile(`\[\n( +[^\n{}\[\],]+(?:,\n +[^\n{}\[\],]+)*)\n +\]`)
	lineFeed       = regexp.MustCompile(`,\n +`)
)

func indented(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	text := plainValues.ReplaceAllStringFunc(b.String(), func(list string) string {
		return "[" + lineFeed.ReplaceAllString(strings.TrimSpace(list[1:len(list)-1]), ", ") + "]"
	})
	for range 2 { // the second time for an object of such an object
		text = onePlainMember.ReplaceAllString(text, "{$1}")
	}
	return text
}

// resolveFile resolves a file of docs/schema with the definitions beside it.
func resolveFile(name string) (*jsonschema.Resolved, error) {
	read := func(name string) (*jsonschema.Schema, error) {
		text, err := os.ReadFile(filepath.Join(schemaFolder, name))
		if err != nil {
			return nil, err
		}
		var s jsonschema.Schema
		return &s, json.Unmarshal(text, &s)
	}
	s, err := read(name)
	if err != nil {
		return nil, err
	}
	return s.Resolve(&jsonschema.ResolveOptions{
		BaseURI: "file:///schema/" + name,
		Loader:  func(uri *url.URL) (*jsonschema.Schema, error) { return read(path.Base(uri.Path)) },
	})
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
			if !ok || sel.Sel.Name != "show" && sel.Sel.Name != "document" && sel.Sel.Name != "conclude" {
				return true
			}
			args := call.Args
			if sel.Sel.Name == "conclude" {
				args = args[1:] // after the error
			}
			kind := types.Unalias(info.Types[args[1]].Type)
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
			if v := info.Types[args[0]].Value; v == nil {
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
