package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// maxTop is how many commands the top level may have. Six that are planned are not
// there yet: arrange, certify, witness, lock, erase, desk.
const (
	maxTop  = 60
	planned = 6
)

// TestFirstScreen requires that the first screen of help has the twelve commands that
// are listed for it and no other, and that the page by trade has every other.
func TestFirstScreen(t *testing.T) {
	p := newPlace(t)
	screen := p.run("help").stdout
	_, list, _ := strings.Cut(screen, "most needed:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	lines := strings.Split(list, "\n")
	if len(lines) != 12 || len(firstCommands) != 12 {
		t.Errorf("%d commands on the first screen, want 12:\n%s", len(lines), screen)
	}
	for i, path := range firstCommands {
		if i < len(lines) && !strings.HasPrefix(lines[i], "  "+path+"  ") {
			t.Errorf("%q on the first screen, want %s", lines[i], path)
		}
	}
	pages := p.run("help", "commands").stdout
	shown := regexp.MustCompile(`(?m)^  [a-z-]+  `).FindAllString(pages, -1)
	top := 0
	for _, c := range (&program{env: os.Getenv}).root().Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		top++
		if !strings.Contains(pages, "\n  "+c.Name()+" ") {
			t.Errorf("%s is not on the page of commands", c.Name())
		}
	}
	if len(shown) != top+2 { // completion and help
		t.Errorf("%d commands on the page, %d in the tree", len(shown), top)
	}
	if top+planned > maxTop {
		t.Errorf("%d commands at the top and %d to come, at most %d", top, planned, maxTop)
	}
}

// TestWordsOfOthers: a word of another program gets an error of two lines that names a
// command which is there, and no word is listed twice or is a command.
func TestWordsOfOthers(t *testing.T) {
	root := (&program{env: os.Getenv}).root()
	p := newPlace(t)
	seen := map[string]bool{}
	for words := range wordsOfOthers {
		for word := range strings.FieldsSeq(words) {
			if c, _, err := root.Find([]string{word}); err == nil && c != root || seen[word] {
				t.Errorf("%s is a command, or listed twice", word)
			}
			seen[word] = true
			r := p.run(word)
			call := regexp.MustCompile(`hint: muniment ([a-z]+)`).FindStringSubmatch(r.stderr)
			if r.code != exitUsage || strings.Count(r.stderr, "\n") != 2 || call == nil {
				t.Errorf("%s: exit %d\n%s", word, r.code, r.stderr)
				continue
			}
			if c, _, err := root.Find(call[1:]); call[1] != "help" && (err != nil || c == root) {
				t.Errorf("%s: there is no command %s", word, call[1])
			}
		}
	}
	for _, word := range []string{"undo", "edit", "delete", "publish", "backup", "share", "login"} {
		if !seen[word] {
			t.Errorf("%s leads nowhere", word)
		}
	}
}

// TestNamesOfBefore: a command that moved says its new name in one line, and nothing
// with --json or -q.
func TestNamesOfBefore(t *testing.T) {
	p := newPlace(t)
	p.write("text.md", "The mill stands.\n")
	n := 0
	for _, c := range (&program{env: os.Getenv}).root().Commands() {
		if c.GroupID != oldNames {
			continue
		}
		n++
		args := []string{c.Name(), "text.md"}
		if c.HasSubCommands() {
			args = []string{c.Name(), "list"}
		} else if c.ValidateArgs(args[1:]) != nil {
			args = args[:1]
		}
		note := `note: "muniment ` + c.Name() + `" is now "muniment `
		if r := p.run(args...); strings.Count(r.stderr, note) != 1 {
			t.Errorf("%v: exit %d\n%s", args, r.code, r.stderr)
		}
		for _, flag := range []string{"--json", "-q"} {
			if r := p.run(append(args, flag)...); strings.Contains(r.stderr, "note:") {
				t.Errorf("%v %s: %s", args, flag, r.stderr)
			}
		}
	}
	if n != 10 {
		t.Errorf("%d commands have moved, want 10", n)
	}
}
