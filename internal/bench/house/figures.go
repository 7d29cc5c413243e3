package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// figures measures the checkout. Names are those of budgets.txt.
func (c checkout) figures(p plan) map[string]value {
	v := map[string]value{}
	c.countLines(v, p)
	c.countNames(v, p)
	c.countImports(v, p)
	v["entries of the root"] = value{n: float64(rootEntries(c.files))}
	return v
}

// countLines counts lines by floor, files by package and the longest function.
func (c checkout) countLines(v map[string]value, p plan) {
	for _, floor := range p.floors {
		v["lines of "+floor.floor] = value{}
	}
	for _, name := range []string{"lines of the product", "lines of word lists taken whole"} {
		v[name] = value{}
	}
	files := map[string]int{}
	for _, s := range c.sources {
		at, ok := p.place(path.Dir(s.name))
		switch {
		case p.words[s.name]:
			v["lines of word lists taken whole"] = value{n: v["lines of word lists taken whole"].n + float64(s.lines)}
			continue
		case !ok:
			at.floor = "no floor: " + path.Dir(s.name)
		}
		v["lines of "+at.floor] = value{n: v["lines of "+at.floor].n + float64(s.lines)}
		if at.floor == equipment {
			continue
		}
		v["lines of the product"] = value{n: v["lines of the product"].n + float64(s.lines)}
		if s.file != nil {
			files[path.Dir(s.name)]++
			longestFunction(v, s)
		}
	}
	v["files of the fullest package"] = most(files)
}

// longestFunction raises the figure of the longest function, from its name to its brace.
func longestFunction(v map[string]value, s source) {
	const name = "lines of the longest function"
	for _, d := range s.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			from, to := s.set.Position(fn.Pos()), s.set.Position(fn.End())
			if n := float64(to.Line - from.Line + 1); n > v[name].n {
				v[name] = value{n, fmt.Sprintf("%s in %s:%d", fn.Name.Name, s.name, from.Line)}
			}
		}
	}
}

// countNames counts exported names and methods by package, and methods by type.
func (c checkout) countNames(v map[string]value, p plan) {
	names, exported, methods := map[string]int{}, map[string]int{}, map[string]int{}
	for _, s := range c.sources {
		dir := path.Dir(s.name)
		if at, _ := p.place(dir); s.file == nil || at.floor == equipment {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[dir+"."+receiver(d)]++
				}
				if d.Recv == nil && d.Name.IsExported() {
					names[dir]++
				} else if d.Name.IsExported() && token.IsExported(receiver(d)) {
					exported[dir]++
				}
			case *ast.GenDecl:
				names[dir] += exportedSpecs(d)
			}
		}
	}
	v["exported names of the front package"] = value{n: float64(names["."])}
	v["exported names of the widest package"] = most(names)
	v["exported methods of the widest package"] = most(exported)
	v["methods of the widest type"] = most(methods)
}

// receiver returns the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// exportedSpecs counts the exported types, constants and variables of a declaration.
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

// countImports measures the graph of imports within the module, without test equipment.
func (c checkout) countImports(v map[string]value, p plan) {
	product := map[string][]string{}
	for dir, imports := range c.imports {
		if at, _ := p.place(dir); at.floor != equipment {
			product[dir] = imports
		}
	}
	sum, count := 0, map[string]int{}
	var against []string
	for dir, imports := range product {
		count[dir] = len(imports)
		sum += len(imports)
		from, _ := p.place(dir)
		for _, imp := range imports {
			if to, _ := p.place(imp); to.rank > from.rank && to.floor != equipment {
				against = append(against, dir+"→"+imp)
			}
		}
	}
	slices.Sort(against)
	chain := longestChain(product)
	circles := circles(product)
	v["imports of our own, average of a package"] = value{n: hundredths(float64(sum) / float64(len(product)))}
	v["imports of our own, most"] = most(count)
	v["imports against the order"] = value{float64(len(against)), strings.Join(against, " ")}
	v["folders of the root in circles of imports"] = value{float64(len(circles)), strings.Join(circles, " ")}
	v["packages in the longest chain of imports"] = value{float64(len(chain)), strings.Join(chain, " → ")}
}

// longestChain returns the longest chain of imports, the first by name among equals.
func longestChain(imports map[string][]string) []string {
	chains := map[string][]string{}
	var chain func(dir string) []string
	chain = func(dir string) []string {
		if c, ok := chains[dir]; ok {
			return c
		}
		var longest []string
		for _, imp := range imports[dir] {
			if c := chain(imp); len(c) > len(longest) {
				longest = c
			}
		}
		chains[dir] = append([]string{dir}, longest...)
		return chains[dir]
	}
	var longest []string
	for dir := range imports {
		if c := chain(dir); len(c) > len(longest) || len(c) == len(longest) && slices.Compare(c, longest) < 0 {
			longest = c
		}
	}
	return longest
}

// circles returns the folders of the root that reach themselves through the imports of the
// packages in and below them. Packages cannot; folders can.
func circles(imports map[string][]string) []string {
	root := func(dir string) string { first, _, _ := strings.Cut(dir, "/"); return first }
	reach := map[string]map[string]bool{}
	for dir, list := range imports {
		from := root(dir)
		if reach[from] == nil {
			reach[from] = map[string]bool{}
		}
		for _, imp := range list {
			if to := root(imp); to != from {
				reach[from][to] = true
			}
		}
	}
	for via := range reach {
		for from := range reach {
			if reach[from][via] {
				for to := range reach[via] {
					reach[from][to] = true
				}
			}
		}
	}
	var in []string
	for from := range reach {
		if reach[from][from] {
			in = append(in, from)
		}
	}
	slices.Sort(in)
	return in
}

// rootEntries counts the files and folders of a fresh checkout, dot files included.
func rootEntries(files []string) int {
	entries := map[string]bool{}
	for _, name := range files {
		first, _, _ := strings.Cut(name, "/")
		entries[first] = true
	}
	return len(entries)
}

// most returns the largest count and its name, the first among equals.
func most(counts map[string]int) value {
	var v value
	for name, n := range counts {
		if float64(n) > v.n || float64(n) == v.n && name < v.where {
			v = value{float64(n), name}
		}
	}
	return v
}
