package release

import (
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

// TestPage compares the table of docs/formats.md with formats.txt.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, f := range Formats() {
		want = append(want, "| "+f.Name+" | `"+f.Written+"` | "+strings.Join(f.Read, ", ")+" | "+f.Promise+" |")
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
