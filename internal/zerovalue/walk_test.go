// Package zerovalue calls the exported API with zero values: every exported
// function of every package that a program may import, and every method of
// every exported type, of its zero value and, of a handle, of a nil pointer. No
// call may panic. The test lists the names from the source, so that a new one is
// called without anybody's doing; what is left out is in skip, with its reason.
package zerovalue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/sign"
)

// An entry is an exported type or function with its name, such as cite.Find.
type entry struct {
	name  string
	typ   reflect.Type  // of a type
	value reflect.Value // of a function
}

// entries is empty in the test that is in the repository. That test writes the
// list from the source and runs itself once more with it.
var entries []entry

// skip lists what is not called, with its reason: a name, or the beginning of
// one that ends in "*".
var skip = map[string]string{
	"archive/archivetest.*":      "makes archives for tests, and ends the test that it is given",
	"canon/formstest.*":          "runs vectors for tests, and ends the test that it is given",
	"objects/powercut.*":         "replays a crash for tests, and ends the test that it is given",
	"ledger/cluster.*":           "starts a database server for tests",
	"testvectors.*":              "runs vectors for tests, and ends the test that it is given",
	"archive/payloads/gateway.*": "starts an S3 server for tests",
	"verifiers.*":                "the text of an independent verifier",

	"cid/merkle.Prove":              "its page says that it panics for a leaf that is not there, as an index outside of a slice does",
	"cid/merkle.ProveRange":         "its page says that it panics for leaves that are not there",
	"canon.Document.Units":          "its page says that it panics for a kind other than 'p' and 'l'",
	"canon.Document.Root":           "its page says that it panics for a kind other than 'p' and 'l'",
	"canon.Document.Prove":          "its page says that it panics for a unit that is not there",
	"archive/search.Opened.*":       "passes calls on to the Index that it embeds, which its maker gives",
	"search/retrieve.Embedded.*":    "passes calls on to the Index that it embeds, which its maker gives",
	"search/retrieve.Joined.*":      "searches the index and the texts that its maker gives",
	"archive/answerlog.Stored.Heal": "mends the files of an epoch that List found",
	"objects/pack.*":                "the inside of objects, which alone makes and holds its values: they are read for every object",
	"objects/flate.*":               "the inside of objects, which alone makes and holds its values: they are read for every object",
	"objects/disk.*":                "operations on an open file, as those of package os; a zero os.File is none",
}

// handles are the types whose methods are called of a nil pointer, too: the library's
// own, which programs keep and may find unset.
var handles = []string{"answer.Pipeline", "archive.Repository", "engine.Engine", "ledger.Ledger", "objects.Store"}

// skipped reports whether a name is in skip.
func skipped(name string) bool {
	for rule := range skip {
		if begin, ok := strings.CutSuffix(rule, "*"); rule == name || ok && strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// callTime is how long one call with zero values may take: they hold no work.
const callTime = 10 * time.Second

// TestExportedAPI lists the exported names from the source and calls them.
func TestExportedAPI(t *testing.T) {
	if len(entries) > 0 {
		walk(t)
		return
	}
	list, names := writeList(t)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(folder(), "list_test.go"): list}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-vet=off", "-count=1", "-v", "-overlay="+file, "-run=^TestExportedAPI$", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "calls of") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if names < 800 {
		t.Errorf("%d names were listed, want more", names)
	}
}

// folder returns the folder of this package.
func folder() string {
	_, file, _, _ := runtime.Caller(0)
	if !filepath.IsAbs(file) {
		file, _ = filepath.Abs(filepath.Base(file))
	}
	return filepath.Dir(file)
}

// A goPackage is what go list knows of a package of the module.
type goPackage struct {
	ImportPath, Name, Dir string
	GoFiles               []string
}

// writeList writes a Go file that fills entries, and returns its path with the
// number of names in it.
func writeList(t *testing.T) (file string, names int) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles", "../../...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var imports, lines bytes.Buffer
	for n, dec := 0, json.NewDecoder(bytes.NewReader(out)); ; n++ {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Name == "main" || strings.Contains(p.ImportPath, "/internal/") {
			continue
		}
		alias, before := fmt.Sprintf("p%d", n), lines.Len()
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				names += writeEntries(&lines, alias, p.Name, p.ImportPath, d)
			}
		}
		if lines.Len() > before {
			fmt.Fprintf(&imports, "\t%s %q\n", alias, p.ImportPath)
		}
	}
	file = filepath.Join(t.TempDir(), "list_test.go")
	text := fmt.Sprintf("package zerovalue\n\nimport (\n\t\"reflect\"\n%s)\n\nfunc init() {\n\tentries = []entry{\n%s\t}\n}\n", &imports, &lines)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file, names
}

// writeEntries writes the lines of one declaration, and returns their number.
func writeEntries(w io.Writer, alias, pkg, path string, d ast.Decl) int {
	_, short, found := strings.Cut(path, "/")
	if !found {
		short = pkg
	}
	n := 0
	add := func(name, format string) {
		if full := short + "." + name; token.IsExported(name) && !skipped(full) {
			n++
			fmt.Fprintf(w, "\t\t{name: %q, "+format+"},\n", full, alias+"."+name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Type.TypeParams == nil {
			add(d.Name.Name, "value: reflect.ValueOf(%s)")
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok && s.TypeParams == nil && !s.Assign.IsValid() {
				add(s.Name.Name, "typ: reflect.TypeFor[%s]()")
			}
		}
	}
	return n
}

// walk calls every entry.
func walk(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	t.Setenv("SSH_AUTH_SOCK", "")
	calls := 0
	bad := map[string]string{}
	call := func(name string, f reflect.Value) {
		if skipped(strings.TrimPrefix(name, "nil ")) {
			return
		}
		calls++
		if what := callZero(f); what != "" {
			bad[name] = what
		}
	}
	for _, e := range entries {
		if e.value.IsValid() {
			call(e.name, e.value)
			continue
		}
		if e.typ.Kind() == reflect.Interface {
			continue
		}
		p := reflect.PointerTo(e.typ)
		for i := range p.NumMethod() {
			name := e.name + "." + p.Method(i).Name
			call(name, reflect.New(e.typ).Method(i))
			if slices.Contains(handles, e.name) {
				call("nil "+name, reflect.Zero(p).Method(i))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		t.Errorf("%s: %s", name, bad[name])
	}
	t.Logf("%d calls of %d names, %d bad", calls, len(entries), len(bad))
}

// callZero calls f with zero values, and returns what is wrong with the call: a
// panic, or no end. A pointer is to a zero value.
func callZero(f reflect.Value) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	in := make([]reflect.Value, 0, f.Type().NumIn())
	for i := range f.Type().NumIn() {
		if i == f.Type().NumIn()-1 && f.Type().IsVariadic() {
			break
		}
		in = append(in, argument(ctx, f.Type().In(i)))
	}
	done := make(chan string, 1)
	go func() {
		what := ""
		defer func() {
			if r := recover(); r != nil {
				what = fmt.Sprintf("panics: %v%s", r, place(debug.Stack()))
			}
			done <- what
		}()
		for _, out := range f.Call(in) {
			drain(out)
		}
	}()
	select {
	case what := <-done:
		return what
	case <-time.After(callTime):
		return "does not return"
	}
}

// drain reads a sequence to its end: the work of an iterator is done then.
func drain(v reflect.Value) {
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumOut() > 0 || v.Type().NumIn() != 1 {
		return
	}
	yield := v.Type().In(0)
	if yield.Kind() != reflect.Func || yield.NumOut() != 1 || yield.Out(0).Kind() != reflect.Bool {
		return
	}
	n := 0
	v.Call([]reflect.Value{reflect.MakeFunc(yield, func([]reflect.Value) []reflect.Value {
		n++
		return []reflect.Value{reflect.ValueOf(n < 1000)}
	})})
}

// place returns where a panic began: the first line of ours below it.
func place(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	after := false
	for _, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			after = true
		}
		if i := strings.Index(line, ".go:"); after && i >= 0 && !strings.Contains(line, "/src/") && !strings.Contains(line, "runtime/") && !strings.HasPrefix(strings.TrimSpace(line), "reflect/") {
			return " at " + strings.TrimSpace(strings.Split(line, " +")[0])
		}
	}
	return ""
}

// argument returns what stands for a type: the zero value, something empty to
// read, write or ask for an interface, and a function that does nothing.
func argument(ctx context.Context, want reflect.Type) reflect.Value {
	for _, v := range []any{ctx, &bytes.Buffer{}, closedPipe{}, noSigner{}, httptest.NewRecorder(), noFiles{}, rand.NewPCG(0, 0)} {
		if want.Kind() == reflect.Interface && want.NumMethod() > 0 && reflect.TypeOf(v).Implements(want) {
			return reflect.ValueOf(v)
		}
	}
	switch {
	case want == reflect.TypeFor[io.ReaderAt](), want == reflect.TypeFor[io.ReadSeeker](), want == reflect.TypeFor[io.Seeker]():
		return reflect.ValueOf(bytes.NewReader(nil))
	case want == reflect.TypeFor[*http.Request]():
		return reflect.ValueOf(httptest.NewRequest("GET", "/", nil))
	case want == reflect.TypeFor[*url.URL]():
		return reflect.ValueOf(&url.URL{})
	case want.Kind() == reflect.Pointer:
		return reflect.New(want.Elem())
	case want.Kind() == reflect.Func:
		return reflect.MakeFunc(want, func([]reflect.Value) []reflect.Value {
			var out []reflect.Value
			for i := range want.NumOut() {
				if t := want.Out(i); t.Kind() == reflect.Pointer {
					out = append(out, reflect.New(t.Elem()))
				} else {
					out = append(out, reflect.Zero(t))
				}
			}
			return out
		})
	case want.Kind() == reflect.Interface:
		for _, e := range entries {
			if e.typ != nil && e.typ.Kind() != reflect.Interface && reflect.PointerTo(e.typ).Implements(want) && want.NumMethod() > 0 {
				return reflect.New(e.typ)
			}
		}
	}
	return reflect.Zero(want)
}

// closedPipe is a connection that is at its end.
type closedPipe struct{}

func (closedPipe) Read([]byte) (int, error)    { return 0, io.EOF }
func (closedPipe) Write(p []byte) (int, error) { return len(p), nil }
func (closedPipe) Close() error                { return nil }

// noSigner is a signer that has lost its key.
type noSigner struct{}

func (noSigner) Key() sign.Key                  { return sign.Key{} }
func (noSigner) SignSSH([]byte) ([]byte, error) { return nil, errors.New("no key") }

// noFiles is an empty folder.
type noFiles struct{}

func (noFiles) Open(string) (fs.File, error) { return nil, fs.ErrNotExist }
