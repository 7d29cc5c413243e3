package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

const referencePage = "../../docs/commands.md"

var updateReference = flag.Bool("update-reference", false, "write docs/commands.md from the help texts")

const referenceHead = `# Commands

The help text of every command and topic, in the order of ` + "`muniment help`" + `. This page is written from the program by
` + "`go test ./cmd/muniment -run TestReference -update-reference`" + `, and the same test compares the two. Every command also takes the flags at
the end of the first text; the exit codes are given once, under [exit-codes](#muniment-help-exit-codes).
`

// TestReference compares docs/commands.md with the help texts of the program.
func TestReference(t *testing.T) {
	t.Setenv("COLUMNS", "")
	root := (&program{env: func(string) string { return "" }}).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultHelpFlag()
	var page strings.Builder
	page.WriteString(referenceHead)
	sections := 0
	var write func(c *cobra.Command)
	write = func(c *cobra.Command) {
		title := c.CommandPath()
		if c.IsAdditionalHelpTopicCommand() {
			title = strings.Replace(title, " ", " help ", 1)
		}
		level := "##"
		if c.HasParent() && c.Parent().HasParent() {
			level = "###"
		}
		fmt.Fprintf(&page, "\n%s %s\n\n```text\n%s\n```\n", level, title, helpText(t, c))
		sections++
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
				write(sub)
			}
		}
	}
	write(root)
	if sections < 80 {
		t.Fatalf("%d commands and topics, want all", sections)
	}
	if *updateReference {
		if err := os.WriteFile(referencePage, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != page.String() {
		t.Errorf("docs/commands.md is not what the program's help says: go test ./cmd/muniment -run TestReference -update-reference writes it")
	}
}

// helpText returns what "muniment help COMMAND" prints, without the flags that
// every command takes and without the exit codes. The first page keeps the flags.
func helpText(t *testing.T, c *cobra.Command) string {
	t.Helper()
	var out bytes.Buffer
	c.InitDefaultHelpFlag()
	c.SetOut(&out)
	if err := c.Help(); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if c.HasParent() {
		head, tail, found := strings.Cut(text, "\nGlobal Flags:\n")
		if found {
			_, tail, _ = strings.Cut(tail, "\n\n")
			text = head + "\n" + tail
		}
		if !c.IsAdditionalHelpTopicCommand() {
			text = strings.Replace(text, exitCodes+"\n\n", "", 1)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// TestHelpWidth: every page of help fits 60, 80 and 100 columns, but for words that are
// longer, and loses no word on the way.
func TestHelpWidth(t *testing.T) {
	root := (&program{env: func(string) string { return "" }}).root()
	pages := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		plain := c.Long + "\n\n" + c.UsageString()
		for _, width := range []int{60, 80, 100} {
			text := wrapHelp(plain, width)
			for line := range strings.SplitSeq(text, "\n") {
				if utf8.RuneCountInString(line) > width && len(strings.Fields(strings.TrimSuffix(line, ` \\`))) > 2 && !strings.ContainsAny(line, `"'`) {
					t.Errorf("%s at %d columns: %q", c.CommandPath(), width, line)
				}
			}
			if got := strings.Fields(strings.ReplaceAll(text, " \\\n", "\n")); !slices.Equal(got, strings.Fields(plain)) {
				t.Errorf("%s at %d columns has other words", c.CommandPath(), width)
			}
		}
		pages++
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if pages < 80 {
		t.Errorf("%d pages of help, want all", pages)
	}
}

// TestManPages writes the manual pages and has stock man read each, where it is there.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if out, err := exec.Command("muniment", "man", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 80 {
		t.Fatalf("%d pages, want all: %v", len(pages), err)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil || !bytes.HasPrefix(data, []byte(".TH \"MUNIMENT")) || !bytes.Contains(data, []byte(".SH NAME")) {
			t.Errorf("%s: %v: %.60s", page, err, data)
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !regexp.MustCompile(`^\.(TH |SH |nf$|fi$)`).MatchString(line) {
				t.Errorf("%s: a line of text is a request: %q", page, line)
			}
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("SKIPPED: the manual pages were not set: there is no groff")
	}
	out, err := exec.Command(groff, append([]string{"-Kutf8", "-man", "-Tutf8", "-ww", "-z"}, pages...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("groff: %v: %.500s", err, out)
	}
}

// TestPaint: colour is put around the first word of a line and changes no text.
func TestPaint(t *testing.T) {
	text := "VALID, reduced: 1 of 9\nFAIL         integrity\n  VALID here\nVALIDITY\n"
	got := paint(text)
	if n := strings.Count(got, "\x1b[0m"); n != 2 || !strings.HasPrefix(got, "\x1b[1;32mVALID\x1b[0m, reduced") {
		t.Errorf("%d words in colour: %q", n, got)
	}
	if plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(got, ""); plain != text {
		t.Errorf("without colour: %q", plain)
	}
}
