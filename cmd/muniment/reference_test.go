package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

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
