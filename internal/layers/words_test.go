package layers

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var lowerWords = flag.Bool("lower-words", false, "lower the counts of words.txt to those of today")

// Phrases that avoid the noun, or say time, addition or being by a place.
var (
	noNoun  = regexp.MustCompile(`^(?:\w+ )?(?:is|are|returns|reports|tells|says|holds|reads|writes|takes|gives|adds|finds|checks|names|keeps|makes|counts|lists|turns|sets|puts)? ?(?:what|those|that which|whatever|whose)\b`)
	byPlace = regexp.MustCompile(`\b(?:behind|beside|anew|stands?|in the place of|is told|of which it says|what came in)\b`)
)

// participle matches a name that is one word in the form of a participle.
var participle = regexp.MustCompile(`^(?:[a-zA-Z][a-z]+(?:ed|ing|en)|told|held|known|kept|sent|found|left|meant|shown|said)$`)

// participleNouns are nouns, verbs and adjectives in that form.
var participleNouns = strings.Fields(`string thing king ring heading listing binding meaning spelling embedding setting holding
	encoding finding reading writing standing string token when then open seven children even listen written need seed feed embed
	exceed succeed red bed speed pseudonymed screen golden hidden`)

// wordDefects returns the defects of the top-level declarations of a file.
func wordDefects(f *ast.File) []string {
	var found []string
	check := func(name string, kind token.Token, doc *ast.CommentGroup) {
		if kind != token.VAR && participle.MatchString(name) && !slices.Contains(participleNouns, strings.ToLower(name)) {
			found = append(found, name+" is a bare participle")
		}
		first, _, _ := strings.Cut(strings.Join(strings.Fields(doc.Text()), " ")+" ", ". ")
		if noNoun.MatchString(first) || byPlace.MatchString(first) {
			found = append(found, fmt.Sprintf("%s: %q", name, first))
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			check(d.Name.Name, token.FUNC, d.Doc)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					check(spec.Name.Name, token.TYPE, d.Doc)
				case *ast.ValueSpec:
					check(spec.Names[0].Name, token.VAR, d.Doc)
				}
			}
		}
	}
	return found
}

// TestWords counts, package by package, first sentences of comments without a noun or with a
// place for a time, and bare participles as names of functions and types. No package may have
// more than words.txt says, which only falls: go test ./internal/layers -run TestWords
// -lower-words writes the counts of today.
func TestWords(t *testing.T) {
	budget := map[string]int{}
	text, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(strings.NewReader(string(text))); s.Scan(); {
		var n int
		var name string
		if _, err := fmt.Sscan(s.Text(), &n, &name); err != nil {
			t.Fatalf("words.txt: %q: %v", s.Text(), err)
		}
		budget[name] = n
	}
	defects, files := map[string][]string{}, 0
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			folder := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, "../../")))
			defects[folder] = append(defects[folder], wordDefects(f)...)
		}
		return err
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files were read: %v", files, err)
	}
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(defects)) {
		n := len(defects[name])
		if n > budget[name] {
			t.Errorf("%s has %d defects of words, at most %d:\n\t%s", name, n, budget[name], strings.Join(defects[name], "\n\t"))
		}
		if n = min(n, budget[name]); n > 0 {
			fmt.Fprintf(&lines, "%d %s\n", n, name)
		}
	}
	if *lowerWords {
		if err := os.WriteFile("words.txt", []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The lint finds each kind of defect and passes sentences with nouns.
func TestWordDefects(t *testing.T) {
	for text, want := range map[string]int{
		"// fetching returns those of some terms.\nfunc fetching() {}":                 2,
		"// told turns files into changes.\nfunc told() {}":                            1,
		"// weigh tells what a query asks.\nfunc weigh() {}":                           1,
		"// A plan stands behind a query.\ntype plan int":                              1,
		"// byArtifact merges the changes of an artifact.\nfunc byArtifact() {}":       0,
		"// A heading is the text above a section. It stands above.\ntype heading int": 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n\n"+text+"\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := wordDefects(f); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}
