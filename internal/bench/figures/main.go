// Command figures writes the tables of docs/evidence.md and docs/performance.md from
// docs/figures.tsv, which has a line for each figure: name, what was measured, value, unit,
// command, day and machine, separated by tabs. Figures named TABLE/… go between the page's lines
// "<!-- figures TABLE -->" and "<!-- end -->". It runs in the root of a checkout.
//
//	go run ./internal/bench/figures                    writes the tables
//	go run ./internal/bench/figures -set NAME VALUE    records a value with today's day first
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const dataFile = "docs/figures.tsv"

var pages = []string{"docs/evidence.md", "docs/performance.md"}

// tableMarks matches the two lines around a table and the table.
var tableMarks = regexp.MustCompile(`(?ms)^<!-- figures (\S+) -->\n.*?^<!-- end -->$`)

func main() {
	name := flag.String("set", "", "record VALUE, the argument, for the figure of this name")
	flag.Parse()
	if err := run(*name, flag.Arg(0), time.Now().Format(time.DateOnly)); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(name, value, day string) error {
	data, err := os.ReadFile(dataFile)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	changed := name == ""
	for i, line := range lines {
		if f := strings.Split(line, "\t"); f[0] == name && len(f) == 7 {
			f[2], f[5], changed = value, day, true
			lines[i] = strings.Join(f, "\t")
		}
	}
	if !changed {
		return fmt.Errorf("%s has no figure %s\nadd its line", dataFile, name)
	}
	written, err := renderPages(".", lines)
	if err != nil {
		return err
	}
	written[dataFile] = strings.Join(lines, "\n") + "\n"
	for path, text := range written {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// renderPages returns the pages of the checkout dir with their tables made from the lines of the data file.
func renderPages(dir string, lines []string) (map[string]string, error) {
	tables, before := map[string]string{}, ""
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		table, _, ok := strings.Cut(f[0], "/")
		if len(f) != 7 || !ok {
			return nil, fmt.Errorf("%s:%d: %q is no line of seven fields with a name TABLE/ROW", dataFile, i+2, line)
		}
		if tables[table] == "" {
			tables[table], before = "| what | figure | command | day, machine |\n|---|---|---|---|\n", ""
		}
		command, taken := f[4], f[5]+", "+f[6]
		if command+taken == before {
			command, taken = "the same", ""
		}
		before = f[4] + f[5] + ", " + f[6]
		tables[table] += fmt.Sprintf("| %s | %s | %s | %s |\n", f[1], strings.TrimSpace(f[2]+" "+f[3]), command, taken)
	}
	out := map[string]string{}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			return nil, err
		}
		out[page] = tableMarks.ReplaceAllStringFunc(string(text), func(marked string) string {
			name := tableMarks.FindStringSubmatch(marked)[1]
			if tables[name] == "" {
				err = fmt.Errorf("%s: %s has no figures of table %s", page, dataFile, name)
			}
			rows := tables[name]
			tables[name] = "" // a table has one place
			return "<!-- figures " + name + " -->\n" + rows + "<!-- end -->"
		})
		if err != nil {
			return nil, err
		}
	}
	for name, rows := range tables {
		if rows != "" {
			return nil, fmt.Errorf("no page has the line <!-- figures %s -->", name)
		}
	}
	return out, nil
}
