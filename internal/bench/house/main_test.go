package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const small = `# a comment
floor core   10 - cid,canon
floor upper  20 - search,policy archive
floor front   5 - .
floor test    9 - canon/kit
words search/list.txt
figure  7  5 lines of the product
`

func readSmall(t *testing.T) plan {
	t.Helper()
	p, err := readPlan([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFigures(t *testing.T) {
	p := readSmall(t)
	c := checkout{
		files: []string{".gitignore", ".ci/run", "front.go", "search/one.go", "search/two.go"},
		imports: map[string][]string{
			".": {"archive", "search"}, "archive": {"canon"}, "search": {"canon", "archive"},
			"canon": {"cid"}, "canon/html": {"canon", "archive"}, "canon/kit": {"archive"}, "cid": nil,
		},
	}
	for name, text := range map[string]string{
		"front.go":        "package p\n\ntype A struct{ B int }\n\nfunc (A) C() {}\n\nfunc (*A) d() {}\n\nfunc D() {\n\t_ = 1\n}\n\nconst E, f, G = 1, 2, 3\n",
		"search/one.go":   "package search\n\nfunc H() {}\n",
		"search/two.go":   "package search\n",
		"search/rule.txt": strings.Repeat("x", 241) + "\n",
		"search/list.txt": "a\nb\n",
		"canon/kit/k.go":  "package kit\n",
	} {
		s, err := parseSource(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		c.sources = append(c.sources, s)
	}
	got := c.figures(p)
	for name, want := range map[string]value{
		"lines of core":                             {},
		"lines of upper":                            {n: 7},
		"lines of front":                            {n: 13},
		"lines of test":                             {n: 1},
		"lines of the product":                      {n: 20},
		"lines of word lists taken whole":           {n: 2},
		"imports against the order":                 {2, "canon/html→archive search→archive"},
		"folders of the root in circles of imports": {2, "archive canon"},
		"exported names of the widest package":      {4, "."}, // A, D, E and G
		"exported names of the front package":       {n: 4},
		"exported methods of the widest package":    {1, "."},
		"methods of the widest type":                {2, "..A"},
		"imports of our own, average of a package":  {n: 1.34}, // 8 of 6
		"imports of our own, most":                  {2, "."},
		"files of the fullest package":              {2, "search"},
		"entries of the root":                       {n: 4},
		"packages in the longest chain of imports":  {5, ". → search → archive → canon → cid"},
		"lines of the longest function":             {3, "D in front.go:9"},
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also measured: %v", got)
	}
}

func TestWrappedLines(t *testing.T) {
	for text, want := range map[string]int{
		"":                                      0,
		"\n":                                    1,
		strings.Repeat("ü", 120) + "\n":         1,
		strings.Repeat("ü", 121) + "\n":         2,
		"\t" + strings.Repeat("x", 117) + "\nx": 3,
	} {
		if got := wrappedLines([]byte(text)); got != want {
			t.Errorf("%q: %d lines, want %d", text, got, want)
		}
	}
}

// Budgets fall to the figure of the day and never rise, and nothing else changes.
func TestTightened(t *testing.T) {
	p := readSmall(t)
	for i, today := range []float64{8, 25, 5, 9, 6.5} {
		p.figures[i].today = today
	}
	want := strings.NewReplacer("core   10", "core   8", "figure  7", "figure  6.5").Replace(small)
	if got := string(tightened([]byte(small), p.figures)); got != want {
		t.Errorf("tightened:\n%s\nwant:\n%s", got, want)
	}
	if row := p.figures[1].row(true); !strings.Contains(row, "ABOVE ITS BUDGET") {
		t.Errorf("a figure of 25 with a budget of 20: %s", row)
	}
}

// A budget that nothing measures, a measurement without a budget and a line that is none of
// the three are errors.
func TestPlanErrors(t *testing.T) {
	p := readSmall(t)
	values := map[string]value{}
	for _, f := range p.figures {
		values[f.name] = value{}
	}
	values["lines of nobody"] = value{}
	if _, err := p.measured(values); err == nil || !strings.Contains(err.Error(), "lines of nobody") {
		t.Errorf("a measurement without a budget: %v", err)
	}
	if _, err := p.measured(map[string]value{}); err == nil {
		t.Error("a budget that nothing measures is no error")
	}
	for _, line := range []string{"floor core", "floor core x - cid", "figure 1 2", "rule 1", "words"} {
		if _, err := readPlan([]byte(line + "\n")); err == nil {
			t.Errorf("%q is no error", line)
		}
	}
}

// TestCheckout measures this checkout: every budget has its figure and every floor its folders.
func TestCheckout(t *testing.T) {
	const dir = "../../.."
	if _, err := exec.Command("git", "-C", dir, "ls-files").Output(); err != nil {
		t.Skipf("skipped: git does not list the files of this checkout: %v", err)
	}
	p, err := readPlan(budgets)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readCheckout(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := p.measured(c.figures(p))
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != 22 {
		t.Errorf("%d figures, want 22", len(figures))
	}
	for folder := range p.floors {
		if _, err := os.Stat(dir + "/" + folder); err != nil {
			t.Errorf("budgets.txt names a folder that is not there: %s", folder)
		}
	}
	for name := range p.words {
		if !slices.ContainsFunc(c.sources, func(s source) bool { return s.name == name }) {
			t.Errorf("budgets.txt names a word list that is not there: %s", name)
		}
	}
	if !bytes.HasSuffix(budgets, []byte("\n")) {
		t.Error("budgets.txt does not end with a line feed")
	}
}
