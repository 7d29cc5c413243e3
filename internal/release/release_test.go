package release

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/snapshot/access"
)

// names finds the format that a string of the source begins with. Vectors, kits and
// gates of tests are no formats of the programs.
var names = regexp.MustCompile(`^muniment/[a-z-]+/v[0-9]+`)

// TestImageUser requires that the image runs its programs as a numbered user without
// rights: an image from scratch has no names of users.
func TestImageUser(t *testing.T) {
	data, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^USER (.*)$`).FindAllStringSubmatch(string(data), -1)
	if len(all) == 0 {
		t.Fatal("the Dockerfile names no user: the programs run as root")
	}
	if last := all[len(all)-1][1]; !regexp.MustCompile(`^[1-9][0-9]{3,}:[1-9][0-9]{3,}$`).MatchString(last) {
		t.Errorf("the programs run as %q, want the numbers of a user and a group without rights", last)
	}
}

// TestFormats requires a line of formats.txt for each format that the source names,
// and the reverse.
func TestFormats(t *testing.T) {
	listed := map[string]bool{}
	for _, f := range Formats() {
		if !slices.Contains([]string{"always", "files", "copies"}, f.Promise) {
			t.Errorf("%s: promise %q", f.Name, f.Promise)
		}
		for _, r := range f.Readers {
			if !slices.Contains([]string{"go", "python", "node", "browser"}, r) {
				t.Errorf("%s: reader %q", f.Name, r)
			}
		}
		if len(f.Since) != 1+len(f.Read) || len(f.Readers) == 0 || f.Readers[0] != "go" {
			t.Errorf("%s: since %v, readers %v", f.Name, f.Since, f.Readers)
		}
		for _, v := range append([]string{f.Written}, f.Read...) {
			if listed[v] {
				t.Errorf("%s has two lines", v)
			}
			listed[v] = true
		}
	}
	if !listed[canon.UnicodeVersion] {
		t.Errorf("Unicode %s is not listed", canon.UnicodeVersion)
	}
	delete(listed, canon.UnicodeVersion)
	for _, table := range cite.RankTables() {
		if !listed[table] {
			t.Errorf("%s is not listed", table)
		}
		delete(listed, table)
	}
	if len(listed) < 30 {
		t.Fatalf("%d formats, want all", len(listed))
	}
	found := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testvectors" || d.Name() == "testdata" || d.Name() == ".git") {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, err := strconv.Unquote(lit.Value)
				if m := names.FindString(s); err == nil && m != "" {
					found[m] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for format, path := range found {
		if !listed[format] {
			t.Errorf("%s names %s, which has no line in formats.txt", path, format)
		}
	}
	for format := range listed {
		if found[format] == "" {
			t.Errorf("formats.txt lists %s, which no package names", format)
		}
	}
}

// withoutVectors are the types of which no vector is good, each for a reason.
var withoutVectors = map[string]string{
	"muniment/auditors/v2": "made below", "muniment/freeform/v1": "made below",
	"muniment/profile/v4": "its members are those of a program's own pack", "muniment/profile/v3": "likewise", "muniment/profile/v2": "likewise",
	"muniment/snapshot/v1": "five lines of a snapshot's own members", "muniment/artifact-proof/v1": "it is written from an archive",
	"muniment/review-subject/v1":  "it is hashed and nowhere kept; the vectors of reviews have its hash",
	"muniment/handed-citation/v1": "it is written from an archive", "muniment/site/v1": "it is written from an archive", "muniment/ledger/v1": "it is written from a ledger",
	"muniment/journal/v1": "a copy writes it for itself; archive/journal has its bytes in a test",
}

// made are good examples that this test makes, by type, with the sha256 that they keep.
func made(t *testing.T) map[string][2]string {
	t.Helper()
	auditors, err1 := access.Auditors{Scopes: []access.Scope{{Name: "auditor", Recipients: []string{"age1a", "age1b", "age1c"}, Threshold: 2}}}.Encode()
	freeform, err2 := access.Freeform{Tiers: []string{"staff"}}.Encode()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return map[string][2]string{
		"muniment/auditors/v2": {string(auditors), "81d8412155388dcc58178abd974d7374080824b972f1554fca3e9fba3457b411"},
		"muniment/freeform/v1": {string(freeform), "4684296680d5abc07187e2ed3316c8faa1370e748938b8ed13e88bbc13c357ca"},
	}
}

// TestGolden requires that the bytes of each version of each type are what they were: a
// vector that changes under its old type name is one that an old reader calls forged.
func TestGolden(t *testing.T) {
	table, err := os.ReadFile("golden.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		seen[fields[0]]++
		data, err := os.ReadFile(filepath.Join("../../testvectors", fields[1]))
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); err != nil || sum != fields[2] {
			t.Errorf("%s: %s has the sha256 %s, and had %s (%v): other bytes are another version of the type", fields[0], fields[1], sum, fields[2], err)
		}
	}
	for typ, example := range made(t) {
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(example[0]))); sum != example[1] || !strings.Contains(example[0], typ) {
			t.Errorf("%s: %s has the sha256 %s, and had %s: other bytes are another version of the type", typ, example[0], sum, example[1])
		}
	}
	for _, f := range Formats() {
		for _, typ := range append([]string{f.Written}, f.Read...) {
			if f.Promise != "copies" && typ != canon.UnicodeVersion && seen[typ] == 0 && withoutVectors[typ] == "" {
				t.Errorf("%s has no example in golden.tsv", typ)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("examples of %d types, want 30", len(seen))
	}
}

// TestPage compares the table of docs/formats.md with formats.txt.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, f := range Formats() {
		want = append(want, "| "+f.Name+" | `"+f.Written+"` | "+strings.Join(f.Read, ", ")+" | "+f.Promise+" | "+strings.Join(f.Since, ", ")+" | "+strings.Join(f.Readers, ", ")+" |")
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| ") && strings.Contains(line, "` |") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/formats.md has the rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDescribe(t *testing.T) {
	tagged := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "false"}}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "built without a commit"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "muniment devel go1"},
		{tagged, "muniment v1.2.3 go1"},
		{tagged, "\n  commit 0123abcd of 2026-01-02T03:04:05Z\n"},
		{&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "ab"}, {Key: "vcs.modified", Value: "true"}}}, "with changes since"},
	} {
		if text := describe("muniment", c.info).Text(); !strings.Contains(text, c.want) {
			t.Errorf("no %q in\n%s", c.want, text)
		}
	}
}
