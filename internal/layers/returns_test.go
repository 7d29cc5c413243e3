package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// returnFolders are the folders whose return statements TestReturns reads.
var returnFolders = []string{"server", "answer", "engine", "archive", "custody", "cmd", "accession", "audit", "history", "ledger"}

// The language does not order the reading of a variable and a call in one return statement.
// No return statement may therefore read a variable that a function literal in it sets:
// return out, run(func() error { out = … }) may return the value from before the call.
func TestReturns(t *testing.T) {
	files := 0
	for _, folder := range returnFolders {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			files++
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, found := range unorderedReturns(f) {
				t.Errorf("%s: the statement returns %s, which its function literal sets: use a result of the call", set.Position(found.Pos()), found.Name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 {
		t.Errorf("%d files were read", files)
	}
}

// The check finds each way in which a function literal sets a variable of its statement.
func TestUnorderedReturns(t *testing.T) {
	const count = 7
	found := 0
	for body, want := range map[string]int{
		"var out *T; return out, run(func() { out = get() })":              1,
		"var n int; return n, run(func() { n++ })":                         1,
		"var d T; return d, run(func() { d.n += 1 })":                      1,
		"var d T; return d.n, run(func() { fill(&d) })":                    1,
		"var d T; return f(d), run(func() { a, d = get() })":               1,
		"var d T; return d, run(func() { for d = range all { } })":         1,
		"var d, e T; return d, run(func() { d, e = get(); g(e) })":         1,
		"var d T; return &d, run(func() { d = get() })":                    0,
		"out := &T{}; return out, run(func() { out.n = 1 })":               0,
		"out := new(T); return out, run(func() { out.n++ })":               0,
		"var d T; return d, run(func() { d := get(); use(d) })":            0,
		"var d T; return d, run(func(d *T) { d.n = 1 })":                   0,
		"var out *T; err := run(func() { out = get() }); return out, err":  0,
		"rows := make([]T, 1); return rows, run(func() { rows[0].n = 1 })": 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() (any, error) { "+body+" }", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(unorderedReturns(f)); n != want {
			t.Errorf("%s: %d, want %d", body, n, want)
		}
		found += want
	}
	if found != count {
		t.Errorf("%d cases to be found, want %d", found, count)
	}
}

// unorderedReturns returns the identifiers of return statements that a function literal in
// the same statement sets.
func unorderedReturns(f *ast.File) []*ast.Ident {
	var found []*ast.Ident
	references := map[string]bool{} // variables whose value is a pointer, a slice or a map
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			clear(references)
			noteParameters(n, references)
		case *ast.AssignStmt:
			noteReferences(n, references)
		case *ast.ReturnStmt:
			reads, sets := map[string]*ast.Ident{}, map[string]bool{}
			for _, result := range n.Results {
				readNames(result, reads)
				ast.Inspect(result, func(inner ast.Node) bool {
					if lit, ok := inner.(*ast.FuncLit); ok {
						setNames(lit, sets, references)
						return false
					}
					return true
				})
			}
			for name, at := range reads {
				if sets[name] {
					found = append(found, at)
				}
			}
		}
		return true
	})
	return found
}

// noteParameters enters the receiver and the parameters that are pointers.
func noteParameters(f *ast.FuncDecl, references map[string]bool) {
	fields := f.Type.Params.List
	if f.Recv != nil {
		fields = append(fields, f.Recv.List...)
	}
	for _, field := range fields {
		_, isPointer := field.Type.(*ast.StarExpr)
		for _, name := range field.Names {
			references[name.Name] = isPointer
		}
	}
}

// noteReferences enters the variables that a statement sets to a pointer or a made value.
func noteReferences(s *ast.AssignStmt, references map[string]bool) {
	for i, left := range s.Lhs {
		name, ok := left.(*ast.Ident)
		if !ok || len(s.Rhs) != len(s.Lhs) {
			continue
		}
		references[name.Name] = false
		switch right := s.Rhs[i].(type) {
		case *ast.UnaryExpr:
			references[name.Name] = right.Op == token.AND
		case *ast.CallExpr:
			if fn, ok := right.Fun.(*ast.Ident); ok {
				references[name.Name] = fn.Name == "new" || fn.Name == "make"
			}
		}
	}
}

// readNames enters the variables that an expression reads, those outside function literals
// and not behind an address operator.
func readNames(e ast.Expr, reads map[string]*ast.Ident) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if _, isName := n.X.(*ast.Ident); isName && n.Op == token.AND {
				return false
			}
		case *ast.SelectorExpr:
			readNames(n.X, reads)
			return false
		case *ast.Ident:
			reads[n.Name] = n
		}
		return true
	})
}

// setNames enters the variables from outside that a function literal sets, or whose address
// it takes.
func setNames(lit *ast.FuncLit, sets, references map[string]bool) {
	own, all := map[string]bool{}, map[string]bool{}
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			own[name.Name] = true
		}
	}
	set := func(e ast.Expr) {
		through := false
		for {
			switch x := e.(type) {
			case *ast.SelectorExpr:
				e, through = x.X, true
				continue
			case *ast.IndexExpr:
				e, through = x.X, true
				continue
			case *ast.Ident:
				if !through || !references[x.Name] {
					all[x.Name] = true
				}
			}
			return
		}
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
					own[name.Name] = true
					continue
				}
				set(left)
			}
		case *ast.IncDecStmt:
			set(n.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && n.Tok == token.ASSIGN {
					set(e)
				}
			}
		case *ast.UnaryExpr:
			if name, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
				all[name.Name] = true
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				own[name.Name] = true
			}
		}
		return true
	})
	for name := range all {
		if !own[name] {
			sets[name] = true
		}
	}
}
