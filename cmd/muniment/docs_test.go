package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A call is one command of a session in a document and what it printed.
type call struct {
	line    int
	command string
	want    []string
	exit    int
}

// sessions reads the ```console blocks of a document. A line that begins with
// "$ " is a command, "> " continues it; the lines after it are its output, on
// stdout and stderr together, where … stands for anything. A comment "# exit 1"
// after a command is its exit code.
func sessions(t *testing.T, file string) []call {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var calls []call
	in := false
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "```console"):
			in = true
		case strings.HasPrefix(line, "```"):
			in = false
		case !in:
		case strings.HasPrefix(line, "$ "):
			c := call{line: i + 1, command: line[2:]}
			if at := strings.LastIndex(c.command, "# exit "); at >= 0 {
				if _, err := fmt.Sscanf(c.command[at:], "# exit %d", &c.exit); err != nil {
					t.Fatalf("%s:%d: %v", file, i+1, err)
				}
			}
			calls = append(calls, c)
		case strings.HasPrefix(line, "> ") && len(calls) > 0 && len(calls[len(calls)-1].want) == 0:
			calls[len(calls)-1].command += "\n" + line[2:]
		case len(calls) > 0:
			last := &calls[len(calls)-1]
			last.want = append(last.want, line)
		}
	}
	return calls
}

// TestDocuments runs every session of the README, the tours, the recipes, the transcripts, the page about verdicts and two
// pages of the specification, each document in one fresh folder, and compares what is printed.
func TestDocuments(t *testing.T) {
	docs := []string{"../../README.md", "../../docs/tour.md", "../../docs/transcripts.md", "../../docs/verdicts.md", "../../docs/spec/engine.md", "../../docs/spec/draft.md"}
	for folder, least := range map[string]int{"tours": 3, "recipes": 4} {
		found, err := filepath.Glob("../../docs/" + folder + "/*.md")
		if err != nil || len(found) < least {
			t.Fatalf("%d pages in docs/%s, want %d: %v", len(found), folder, least, err)
		}
		docs = append(docs, found...)
	}
	for _, doc := range docs {
		calls := sessions(t, doc)
		t.Run(filepath.Base(doc), func(t *testing.T) {
			t.Parallel()
			if len(calls) < 5 {
				t.Fatalf("%d commands found, want a session", len(calls))
			}
			dir := t.TempDir()
			for _, c := range calls {
				cmd := exec.Command("sh", "-c", c.command)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "MUNIMENT_HOME="+filepath.Join(dir, ".keys"), "SSH_AUTH_SOCK=", "MUNIMENT_DIR=", "MUNIMENT_KEY=", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
				out, _ := cmd.CombinedOutput()
				if got := cmd.ProcessState.ExitCode(); got != c.exit {
					t.Fatalf("%s:%d: $ %s\nexit %d, want %d\n%s", doc, c.line, c.command, got, c.exit, out)
				}
				if !matches(string(out), c.want) {
					t.Fatalf("%s:%d: $ %s\nprinted:\n%s\nthe document says:\n%s", doc, c.line, c.command, out, strings.Join(c.want, "\n"))
				}
			}
		})
	}
}

// matches compares output with a document's lines, where … stands for anything.
func matches(out string, want []string) bool {
	for len(want) > 0 && want[len(want)-1] == "" {
		want = want[:len(want)-1]
	}
	pattern := regexp.QuoteMeta(strings.Join(want, "\n"))
	pattern = strings.ReplaceAll(pattern, "…", `[\s\S]*?`)
	return regexp.MustCompile(`^` + pattern + `\s*$`).MatchString(strings.TrimRight(out, "\n"))
}
