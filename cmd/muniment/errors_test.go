package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muniment/objects"
)

// notProvoked are the error types that no call of a sound program brings
// about, with the reason.
var notProvoked = map[string]string{
	"Internal": "it stands for a defect of the program",
}

// TestEveryErrorType brings about every error type there is and requires the
// two lines, a suggestion, its exit code and its document.
func TestEveryErrorType(t *testing.T) {
	p := sampleBundle(t)
	dir := p.path("letters")
	in := func(args ...string) []string { return append([]string{"-C", dir}, args...) }
	p.must("init", "bare", "--no-auditor")
	p.must("-C", "bare", "add", "one.txt")
	p.must("-C", "bare", "snapshot", "-m", "one")
	p.must("init", "unsigned")
	p.must("init", "damaged")
	p.must("init", "logless")
	p.must("-C", "logless", "add", "one.txt")
	p.must("-C", "logless", "snapshot", "-m", "one")
	p.write("damaged/archive.git/refs/muniment/staged", strings.Repeat("12", 20)+"\n")
	p.write("logless/archive.local/log", "a file where a folder has to be")
	p.write("two/one.txt", "Another one.\n")
	p.write("forged.zip", "PK\x03\x04")
	p.write("empty.txt", "")
	p.must("-C", "unsigned", "add", "one.txt", "two/one.txt")
	blocked := p.path("one.txt") + "/below"
	// An answer log whose lock cannot be taken: nothing may be delivered.
	p.must("init", "deaf")
	p.must("-C", "deaf", "add", "one.txt")
	p.must("-C", "deaf", "snapshot", "-m", "one")
	p.must("-C", "deaf", "ask", "Who repaired the mill wheel?")
	locks, err := filepath.Glob(p.path("deaf/archive.local/log/*/*/lock"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("locks of the answer log: %v, %v", locks, err)
	}
	if err := errorsOf(os.Remove(locks[0]), os.Mkdir(locks[0], 0o777)); err != nil {
		t.Fatal(err)
	}
	// A remote that lost what it once had.
	p.must("init", "kept")
	p.must("-C", "kept", "add", "one.txt")
	p.must("-C", "kept", "snapshot", "-m", "one")
	for i, name := range []string{"first.git", "second.git"} {
		if _, err := objects.InitWith(p.path(name), objects.Hooks{}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			p.must("-C", "kept", "remote", "add", "disk", p.path(name))
			p.must("-C", "kept", "push", "disk")
		}
	}
	if err := errorsOf(os.RemoveAll(p.path("first.git")), os.Rename(p.path("second.git"), p.path("first.git"))); err != nil {
		t.Fatal(err)
	}
	kept := tree(t, p.path("deaf"))

	cases := []struct {
		constant string
		code     int
		args     []string
	}{
		{"Usage", 2, in("ask", "Who?", "--tier", "king")},
		{"Usage", 2, []string{"--no-such-flag"}},
		{"NoArchive", 10, []string{"-C", p.path("nowhere"), "status"}},
		{"ArchiveExists", 2, []string{"init", dir}},
		{"Key", 12, in("snapshot", "-m", "x", "--key", p.path("empty.txt"))},
		{"Environment", 6, []string{"init", blocked}},
		{"Environment", 6, []string{"-C", p.path("logless"), "ask", "Who repaired the mill wheel?"}},
		{"Remote", 6, in("push", p.path("no-such-repository.git"))},
		{"History", 1, []string{"-C", p.path("kept"), "fetch", "disk"}},
		{"NotFound", 2, in("show", "nothing-like-it")},
		{"Ambiguous", 2, []string{"-C", p.path("unsigned"), "show", "one.txt"}},
		{"PartlyDone", 3, in("add", p.path("empty.txt"))},
		{"NothingToDo", 1, in("snapshot", "-m", "again")},
		{"NoSnapshot", 2, []string{"-C", p.path("unsigned"), "ask", "Who?"}},
		{"SourceNotFound", 2, in("cat", "nothing-like-it")},
		{"InvalidLocator", 2, in("cat", "one.txt", "--span", "p77:0-1")},
		{"Verification", 1, in("cite", "--artifact", "one.txt", "--quote", "Nobody repaired the mill wheel.", "--claim", "x")},
		{"Reasoning", 2, in("cite", "--artifact", "one.txt", "--quote", "Tobias", "--claim", "x", "--confidence", "low")},
		{"InvalidBundle", 1, []string{"bundle", "show", p.path("forged.zip")}},
		{"InvalidBundle", 1, []string{"verify", p.path("forged.zip")}},
		{"Damaged", 6, []string{"-C", p.path("damaged"), "status"}},
		{"AssemblyFailed", 6, []string{"-C", p.path("deaf"), "ask", "Who repaired the mill wheel?"}},
		{"NotPermitted", 4, []string{"-C", p.path("bare"), "ask", "Who?", "--auditor"}},
		{"NoAuditor", 2, []string{"-C", p.path("bare"), "ask", "Who?"}},
		{"AnswerRefused", 5, in("ask", "Which painting did she buy in Vienna?", "--fail-on-refusal")},
		{"VerdictNegative", 3, []string{"verify", p.path("answer.zip")}},
		{"VerdictNegative", 1, in("search", "zebra")},
	}
	names := errorTypes(t)
	defer func() {
		if got := tree(t, p.path("deaf")); !slices.Equal(got, kept) {
			t.Errorf("an answer that failed in assembly left files:\n%s\nbefore:\n%s", strings.Join(got, "\n"), strings.Join(kept, "\n"))
		}
	}()
	seen := map[string]bool{}
	for _, c := range cases {
		seen[c.constant] = true
		r := p.call(c.args...)
		if r.code != c.code {
			t.Errorf("%s: %v: exit %d, want %d\n%s", c.constant, c.args, r.code, c.code, r.stderr)
		}
		if err := checkVoice(r.stderr, r.code); err != nil {
			t.Errorf("%s: %v", c.constant, err)
		}
		r = p.call(append(c.args, "--json")...)
		doc := r.document(t)
		if doc["schema"] != "muniment.error.v1" {
			continue // it has a result, and that is what it prints
		}
		if doc["error_type"] != names[c.constant] || doc["exit_code"] != float64(c.code) || doc["suggestion"] == "" || doc["message"] == "" {
			t.Errorf("%s: %v", c.constant, doc)
		}
		for _, member := range []string{"error_type", "message", "suggestion", "partial_result", "exit_code"} {
			if _, ok := doc[member]; !ok {
				t.Errorf("%s: its document has no %s", c.constant, member)
			}
		}
	}
	// Brought about by other tests, which look at the same two lines.
	seen["Busy"], seen["Interrupted"], seen["NotSearched"] = true, true, true
	seen["Database"], seen["Timeout"], seen["QuoteTooLong"], seen["Unverified"] = true, true, true, true // engine_test.go
	for name := range names {
		if _, excused := notProvoked[name]; !seen[name] && !excused {
			t.Errorf("no call brings about %s", name)
		}
	}
}

// errorTypes reads the constants of the error types, by name.
func errorTypes(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../archive/problem/problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && isKind(v) {
			types[v.Names[0].Name], err = strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	if len(types) < 20 || len(slices.Compact(slices.Sorted(maps.Values(types)))) != len(types) {
		t.Fatalf("error types: %v", types)
	}
	return types
}

// TestEveryErrorSuggests reads the sources of the library and the command:
// wherever an error for people is made it has a kind, a message and a next step
// that are not empty, and every kind is made somewhere.
func TestEveryErrorSuggests(t *testing.T) {
	made := map[string]bool{}
	n := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return err
		}
		ours := func(i *ast.ImportSpec) bool { return i.Path.Value == `"muniment/archive/problem"` }
		if file.Name.Name != "problem" && !slices.ContainsFunc(file.Imports, ours) {
			return nil // it has errors of its own
		}
		ast.Inspect(file, func(node ast.Node) bool {
			fields := errorFields(node)
			if fields == nil {
				return true
			}
			n++
			for _, field := range []string{"Kind", "Message", "Next"} {
				if isEmpty(fields[field]) {
					t.Errorf("%s: an error with an empty %s", fset.Position(node.Pos()), field)
				}
			}
			made[nameOf(fields["Kind"])] = true
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 200 {
		t.Errorf("%d errors found, want more", n)
	}
	for name := range errorTypes(t) {
		if !made[name] {
			t.Errorf("%s is made nowhere", name)
		}
	}
}

// errorFields returns the fields of the error for people that a node makes, nil
// where it makes none.
func errorFields(node ast.Node) map[string]ast.Expr {
	switch x := node.(type) {
	case *ast.CallExpr:
		if name := nameOf(x.Fun); (name == "New" || name == "Negative") && len(x.Args) >= 3 {
			return map[string]ast.Expr{"Kind": x.Args[0], "Next": x.Args[1], "Message": x.Args[2]}
		}
	case *ast.CompositeLit:
		if nameOf(x.Type) != "Error" {
			return nil
		}
		fields := map[string]ast.Expr{}
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				fields[nameOf(kv.Key)] = kv.Value
			}
		}
		if fields["Kind"] != nil {
			return fields
		}
	}
	return nil
}

// nameOf returns the last name of an expression such as problem.Error.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// isEmpty reports whether a field is absent, "", or the step to nothing.
func isEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case nil:
		return true
	case *ast.BasicLit:
		return len(e.Value) <= len(`""`)
	case *ast.CallExpr:
		return nameOf(e.Fun) == "Advise" && isEmpty(e.Args[0])
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// isKind reports whether a constant is declared as a kind of error.
func isKind(v *ast.ValueSpec) bool {
	typ, ok := v.Type.(*ast.Ident)
	return ok && typ.Name == "Kind"
}
