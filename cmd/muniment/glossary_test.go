package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"muniment/bundle/leaf"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"muniment/cite"
)

// glossaryPackages are the packages whose exported types are the nouns of the
// archive: each type has its word in the glossary, or a reason not to.
var glossaryPackages = []string{"snapshot/record", "cite", "sign/trust"}

// notWords are exported types of these packages that are no words of their own.
var notWords = map[string]string{
	"snapshot/layout.Kind":  "which of the words a path belongs to",
	"cite.Bounds":           "the extent of a picture or a recording",
	"cite.FailedTest":       "an entry of a verdict",
	"cite.Feature":          "a number that a score is made of",
	"cite.GateInput":        "the facts that the coverage gate is given",
	"cite.InvalidSpanError": "an error",
	"cite.MetaField":        "a field of a record that a citation may name",
	"cite.MetaSpan":         "a span in a field of a record",
	"cite.Point":            "one end of a span",
	"cite.Status":           "how a quote was found, under the word match",
	"sign/trust.Judgment":   "the result of asking whether a key counts",
	"sign/trust.Key":        "a line of a trust root",
	"sign/trust.Signed":     "a trust root with its signatures",
	"sign/trust.Standing":   "what is known of the place of a signature",
	"sign/trust.Entry":      "a place in an answer log",
	"sign/trust.Seq":        "a place in the history",
}

// TestGlossary requires that the glossary is sorted, has each word once, names
// code that exists, and has a word for each noun and closed set of the core.
func TestGlossary(t *testing.T) {
	data, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	identifier := regexp.MustCompile("`([^`]+)`")
	var words []string
	code := map[string]bool{}
	exported := map[string][]string{} // by package
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.TrimSpace(cells[0]) == "word" {
			continue
		}
		words = append(words, strings.TrimSpace(cells[0]))
		for _, m := range identifier.FindAllStringSubmatch(cells[2], -1) {
			pkg, name := path.Split(m[1])
			last, name, _ := strings.Cut(name, ".")
			pkg += last
			if exported[pkg] == nil {
				exported[pkg] = exportedNames(t, pkg, false)
			}
			if !slices.Contains(exported[pkg], name) {
				t.Errorf("%s: package %s has no %s", words[len(words)-1], pkg, name)
			}
			code[m[1]] = true
		}
	}
	if len(words) < 80 {
		t.Fatalf("%d words, want all", len(words))
	}
	if !slices.IsSortedFunc(words, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }) {
		t.Error("the words are not sorted")
	}
	for i, word := range words[1:] {
		if words[i] == word {
			t.Errorf("%s stands twice", word)
		}
	}
	for _, pkg := range glossaryPackages {
		for _, name := range exportedNames(t, pkg, true) {
			_, excused := notWords[pkg+"."+name]
			listed := code[pkg+"."+name] || slices.Contains(words, spaced(name)) || slices.Contains(words, strings.TrimSuffix(spaced(name), "s"))
			if listed == excused {
				t.Errorf("%s.%s: in the glossary: %t, excused in this test: %t; want one of both", pkg, name, listed, excused)
			}
		}
	}
	page := string(data)
	for _, r := range cite.Relations {
		if !slices.Contains(words, string(r)) {
			t.Errorf("the glossary lacks the relation %s", r)
		}
	}
	for _, kind := range leaf.RefusalKinds {
		if !strings.Contains(page, kind) {
			t.Errorf("the glossary lacks the kind of refusal %s", kind)
		}
	}
}

// exportedNames returns the exported top-level names of a package, or its types
// alone.
func exportedNames(t *testing.T, pkg string, typesOnly bool) []string {
	t.Helper()
	files, err := filepath.Glob("../../" + pkg + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && !typesOnly {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							if !typesOnly {
								add(name)
							}
						}
					}
				}
			}
		}
	}
	if len(names) == 0 {
		t.Errorf("no exported names in package %s", pkg)
	}
	return names
}

// spaced returns the words of a Go name in lower case: ConsentDefault is
// "consent default".
func spaced(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
