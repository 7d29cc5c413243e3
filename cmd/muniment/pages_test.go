package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxParagraph is how many words a paragraph of the specification or of the
// limits may have: a longer one states more than a reader can hold.
const maxParagraph = 120

// listItem matches the first line of an item of a list or of a row of a table.
var listItem = regexp.MustCompile(`^(?:[-*|]|\d+\.) `)

// measured matches a figure that somebody measured: a time below a minute, a
// speed, or an amount of memory in MB. Limits of the formats are in MiB and KiB,
// which are not matched.
var measured = regexp.MustCompile(`\b\d[\d.,]* ?(?:ns|µs|ms|s|MB/s|[MG]B)\b`)

// allowedFigures are limits and waits that the program keeps to, not measurements.
var allowedFigures = []string{
	"60 s, 768 MiB",                  // how long a PDF may be read
	"whole number of steps of 50 ms", // how long an answer waits
	"within 128 MB of memory",        // the promise for large inputs
}

// TestPages reads the pages of the specification, the limits and the
// architecture: paragraphs are short, and measured figures are in docs/performance.md and docs/evidence.md.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/spec/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../../docs/limits.md", "../../docs/architecture.md")
	n := 0
	for _, page := range pages {
		for _, p := range paragraphs(t, page) {
			n++
			if words := len(strings.Fields(p.text)); words > maxParagraph {
				t.Errorf("%s:%d: a paragraph of %d words, at most %d: %.60s…", page, p.line, words, maxParagraph, p.text)
			}
			text := p.text
			for _, allowed := range allowedFigures {
				text = strings.ReplaceAll(text, allowed, "")
			}
			if figure := measured.FindString(text); figure != "" {
				t.Errorf("%s:%d: %q is a measured figure: it belongs to docs/performance.md or docs/evidence.md, with its command", page, p.line, figure)
			}
		}
	}
	if len(pages) < 14 || n < 500 {
		t.Errorf("%d paragraphs of %d pages, want all", n, len(pages))
	}
}

// packageList matches a sentence that names packages of this module, and
// packageName each of them.
var (
	packageList = regexp.MustCompile("[Pp]ackages? (?:`[a-z/]+`(?: \\([^)]*\\))?(?:, | and )?)+")
	packageName = regexp.MustCompile("`([a-z/]+)`")
)

// TestPackagesOfPages requires that the packages that pages name exist.
func TestPackagesOfPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/spec/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, page := range append(pages, "../../docs/evidence.md", "../../docs/limits.md") {
		for _, p := range paragraphs(t, page) {
			for _, list := range packageList.FindAllString(p.text, -1) {
				for _, name := range packageName.FindAllStringSubmatch(list, -1) {
					n++
					if files, err := filepath.Glob("../../" + name[1] + "/*.go"); err != nil || len(files) == 0 {
						t.Errorf("%s:%d: there is no package %s", page, p.line, name[1])
					}
				}
			}
		}
	}
	if n < 15 {
		t.Errorf("%d packages found in the pages, want more", n)
	}
}

// codeWords matches the words of a page in backticks, the next three what such a
// word may name, and placedFunction a function with the file beside it.
var (
	codeWords      = regexp.MustCompile("`([^`]+)`")
	functionName   = regexp.MustCompile(`^([a-z/]+)\.([A-Z]\w*(?:\.[A-Z]\w*)?)$`)
	fileName       = regexp.MustCompile(`^[a-z][\w/-]*\.(?:go|md|txt)$`)
	packageWord    = regexp.MustCompile(`^[a-z][a-z/-]*$`)
	placedFunction = regexp.MustCompile("`([a-z/]+)\\.([A-Z][\\w.]*)` \\(`([^`]+\\.go)`\\)")
)

// notCode are the words in backticks of the architecture that name no code.
var notCode = []string{"go doc", "archive.local", "refs/muniment/staged", "srt@1", "srt@2"}

// TestArchitecture requires that the packages, files and exported functions that
// docs/architecture.md names exist, and that each function is in the file beside
// it.
func TestArchitecture(t *testing.T) {
	const page = "../../docs/architecture.md"
	packages, functions, placed := 0, 0, 0
	for _, p := range paragraphs(t, page) {
		for _, m := range codeWords.FindAllStringSubmatch(p.text, -1) {
			word := m[1]
			f := functionName.FindStringSubmatch(word)
			switch {
			default:
				t.Errorf("%s:%d: %s is no package, file or exported function", page, p.line, word)
			case slices.Contains(notCode, word):
			case f != nil:
				functions++
				if !slices.Contains(declaredNames(t, "../../"+f[1]+"/*.go"), f[2]) {
					t.Errorf("%s:%d: package %s has no %s", page, p.line, f[1], f[2])
				}
			case fileName.MatchString(word):
				if _, err := os.Stat("../../" + word); err != nil {
					t.Errorf("%s:%d: %v", page, p.line, err)
				}
			case word == "muniment" || packageWord.MatchString(word):
				packages++
				if _, err := os.ReadDir("../../" + strings.TrimPrefix(word, "muniment")); err != nil {
					t.Errorf("%s:%d: there is no package %s", page, p.line, word)
				}
			}
		}
		for _, m := range placedFunction.FindAllStringSubmatch(p.text, -1) {
			placed++
			if path.Dir(m[3]) != m[1] || !slices.Contains(declaredNames(t, "../../"+m[3]), m[2]) {
				t.Errorf("%s:%d: %s.%s is not in %s", page, p.line, m[1], m[2], m[3])
			}
		}
	}
	if packages < 80 || functions < 50 || placed < 50 {
		t.Errorf("%d packages, %d functions, %d of them with a file: want all", packages, functions, placed)
	}
}

// declaredNames returns the exported functions, methods and types that the Go
// files of a pattern declare, tests left out. A method is Type.Method.
func declaredNames(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
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
				name := d.Name.Name
				if d.Recv != nil {
					name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
				}
				names = append(names, name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						names = append(names, s.Name.Name)
					}
				}
			}
		}
	}
	return names
}

// testCommand matches a command that runs tests, up to its end.
var testCommand = regexp.MustCompile("go test ((?:'[^']*'|\"[^\"]*\"|[^`|>&;)\n'\"])*)")

// TestTestCommands requires that the tests and benchmarks exist which the
// documents and the scripts run by name, in the packages that they name.
func TestTestCommands(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md", "../../internal/bench/*.md", "../../internal/bench/*.sh", "../../testvectors/*.md",
		"../../testvectors/*/*.md", "../../verifiers/*.sh", "../../.ci/run"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	n := 0
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testCommand.FindAllStringSubmatch(string(data), -1) {
			for _, fault := range faultsOfTestCommand(t, strings.Fields(m[1])) {
				t.Errorf("%s: go test %s: %s", page, m[1], fault)
			}
			n++
		}
	}
	if n < 40 {
		t.Errorf("%d commands found, want all", n)
	}
}

// faultsOfTestCommand returns what a go test command names and is not there:
// packages, and tests or benchmarks of them.
func faultsOfTestCommand(t *testing.T, args []string) []string {
	t.Helper()
	var faults, packages, patterns []string
	for i := 0; i < len(args); i++ {
		switch arg := strings.Trim(args[i], `'"`); {
		case (arg == "-run" || arg == "-bench") && i+1 < len(args):
			i++
			pattern, _, _ := strings.Cut(strings.Trim(args[i], `'"`), "/")
			if pattern != "^$" && pattern != "." {
				patterns = append(patterns, map[string]string{"-run": "(Test|Fuzz)", "-bench": "(Benchmark)"}[arg]+" "+pattern)
			}
		case arg == "-C" && i+1 < len(args): // a module of its own
			i++
			packages = append(packages, "./"+args[i])
		case arg == "." || strings.HasPrefix(arg, "./"):
			packages = append(packages, arg)
		}
	}
	var names []string
	for _, p := range packages {
		below := strings.HasSuffix(p, "/...")
		dir := filepath.Join("../..", strings.TrimSuffix(p, "/..."))
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			faults = append(faults, "there is no package "+p)
		} else if !below {
			names = append(names, testNames(t, dir)...)
		}
	}
	for _, p := range patterns {
		kind, pattern, _ := strings.Cut(p, " ")
		of, err := regexp.Compile(pattern)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		isKind := regexp.MustCompile("^" + kind)
		for alternative := range strings.SplitSeq(pattern, "|") {
			if one, err := regexp.Compile(alternative); err == nil { // not part of a group
				of = one
			}
			if !slices.ContainsFunc(names, func(name string) bool { return isKind.MatchString(name) && of.MatchString(name) }) {
				faults = append(faults, "no test matches "+of.String())
			}
		}
	}
	return faults
}

// testNames returns the tests, fuzz targets and benchmarks of a folder.
func testNames(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(dir + "/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`).FindAllStringSubmatch(string(data), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// A paragraph is a run of lines of a page, an item of a list or a row of a table.
type paragraph struct {
	line int
	text string
}

// paragraphs returns the paragraphs of a page, without headings and examples.
func paragraphs(t *testing.T, page string) []paragraph {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []paragraph
	open, example := false, false
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			open, example = false, !example
		case example:
		case line == "" || strings.HasPrefix(line, "#"):
			open = false
		case open && !listItem.MatchString(line):
			all[len(all)-1].text += " " + line
		default:
			all = append(all, paragraph{i + 1, line})
			open = true
		}
	}
	return all
}

// TestBenchPage requires a row in internal/bench/README.md for each script and program
// of bench, and no row for another.
func TestBenchPage(t *testing.T) {
	data, err := os.ReadFile("../../internal/bench/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z.]+)[ `]").FindAllStringSubmatch(string(data), -1) {
		rows[m[1]] = true
	}
	entries, err := os.ReadDir("../../internal/bench")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "README.md" && !rows[e.Name()] {
			t.Errorf("internal/bench/README.md does not list %s", e.Name())
		}
		delete(rows, e.Name())
	}
	for name := range rows {
		t.Errorf("internal/bench/README.md lists %s, which is not there", name)
	}
}

// TestLinks requires that the files to which the documents link exist.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	var pages []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md", "../../internal/bench/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	n := 0
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			n++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d links found, want all", n)
	}
}
