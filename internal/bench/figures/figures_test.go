package figures

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var (
	write = flag.Bool("write", false, "write the tables of the pages")
	set   = flag.String("set", "", "with -write: record `NAME=VALUE` first")
)

const (
	root     = "../../.."
	dataFile = "docs/figures.tsv"
)

var pages = []string{"docs/evidence.md", "docs/performance.md"}

// tableMarks matches the two lines around a table and the table.
var tableMarks = regexp.MustCompile(`(?ms)^<!-- figures (\S+) -->\n.*?^<!-- end -->$`)

// readData returns the lines of the data file without its heading.
func readData(t *testing.T) (heading string, lines []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, dataFile))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	return all[0], all[1:]
}

// record gives the figure of a name a new value and day in the data file.
func record(t *testing.T, name, value string) {
	heading, lines := readData(t)
	found := false
	for i, line := range lines {
		if f := strings.Split(line, "\t"); f[0] == name && len(f) == 7 {
			f[2], f[5], found = value, time.Now().Format(time.DateOnly), true
			lines[i] = strings.Join(f, "\t")
		}
	}
	if !found {
		t.Fatalf("%s has no figure %s: add its line", dataFile, name)
	}
	text := heading + "\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(root, dataFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tablesOf returns the tables, by name, of the lines of the data file.
func tablesOf(lines []string) (map[string]string, error) {
	tables, seen, before := map[string]string{}, map[string]bool{}, ""
	for _, line := range lines {
		f := strings.Split(line, "\t")
		table, _, ok := strings.Cut(f[0], "/")
		if len(f) != 7 || !ok || seen[f[0]] {
			return nil, fmt.Errorf("%s: %q is no line of seven fields with a name TABLE/ROW of its own", dataFile, line)
		}
		seen[f[0]] = true
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
	return tables, nil
}

// fillPages returns the texts of pages with their tables; each table has one place.
func fillPages(texts map[string]string, tables map[string]string) (out map[string]string, err error) {
	out, placed := map[string]string{}, map[string]bool{}
	for page, text := range texts {
		out[page] = tableMarks.ReplaceAllStringFunc(text, func(marked string) string {
			name := tableMarks.FindStringSubmatch(marked)[1]
			if tables[name] == "" || placed[name] {
				err = fmt.Errorf("%s: table %s has no figures or two places", page, name)
			}
			placed[name] = true
			return "<!-- figures " + name + " -->\n" + tables[name] + "<!-- end -->"
		})
	}
	for name := range tables {
		if !placed[name] && err == nil {
			err = fmt.Errorf("no page has the line <!-- figures %s -->", name)
		}
	}
	return out, err
}

// The tables of the pages are those of the data file.
func TestPages(t *testing.T) {
	if name, value, ok := strings.Cut(*set, "="); ok && *write {
		record(t, name, value)
	}
	_, lines := readData(t)
	if len(lines) < 100 {
		t.Fatalf("%s has %d figures", dataFile, len(lines))
	}
	tables, err := tablesOf(lines)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		texts[page] = string(text)
	}
	want, err := fillPages(texts, tables)
	if err != nil {
		t.Fatal(err)
	}
	for page, text := range want {
		switch {
		case text == texts[page]:
		case *write:
			if err := os.WriteFile(filepath.Join(root, page), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s differs from %s; write it: go test ./internal/bench/figures -write", page, dataFile)
		}
	}
}

// A script or folder that a command of the data file names exists.
func TestCommandsExist(t *testing.T) {
	n := 0
	_, lines := readData(t)
	for _, line := range lines {
		for word := range strings.FieldsSeq(strings.ReplaceAll(strings.Split(line, "\t")[4], "`", " ")) {
			if path := strings.TrimPrefix(word, "./"); strings.Contains(path, "/") && !strings.HasPrefix(path, "/") {
				n++
				if _, err := os.Stat(filepath.Join(root, path)); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d paths in commands", n)
	}
}

// Bad lines, tables without a place and places without a table are errors.
func TestRefused(t *testing.T) {
	good := "a/b\twhat\t1\ts\t`x`\tday\tmachine"
	for _, bad := range [][]string{{"a/b\twhat"}, {"ab" + good[3:]}, {good, good}} {
		if _, err := tablesOf(bad); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
	tables, err := tablesOf([]string{good})
	if err != nil {
		t.Fatal(err)
	}
	mark := func(name string) string { return "<!-- figures " + name + " -->\nold\n<!-- end -->\n" }
	for _, text := range []string{"", mark("a") + mark("a"), mark("a") + mark("c")} {
		if _, err := fillPages(map[string]string{"p.md": text}, tables); err == nil {
			t.Errorf("%q passes", text)
		}
	}
	out, err := fillPages(map[string]string{"p.md": mark("a")}, tables)
	if want := "| what | 1 s | `x` | day, machine |"; err != nil || !strings.Contains(out["p.md"], want) || strings.Contains(out["p.md"], "old") {
		t.Errorf("%q, %v", out["p.md"], err)
	}
}
