package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muniment/archive/problem"
)

// Every act that the library names has words of this program, and no two acts
// of the library have one name.
func TestEveryActionHasWords(t *testing.T) {
	prog := &program{}
	flags := flagsOf(prog.root(), map[string]bool{})
	given := regexp.MustCompile(`problem\.DoGive((?:, (?:"[^"]*"|\w[\w.()]*))+)\)`)
	options := 0
	declared := regexp.MustCompile(`(?m)^(?:const)?\s*Do\w+\s+(?:problem\.)?Action = "([^"]+)"`)
	seen := map[problem.Action]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			do := problem.Action(m[1])
			if at, ok := seen[do]; ok {
				t.Errorf("the action %q is declared in %s and in %s", do, at, path)
			}
			seen[do] = path
			if commandWords(do, nil) == "" {
				t.Errorf("%s: the action %q has no words", path, do)
			}
		}
		for _, m := range given.FindAllStringSubmatch(string(source), -1) {
			for i, arg := range argOfGive.FindAllString(m[1], -1) {
				if i%2 != 0 {
					continue
				}
				if options++; !flags[strings.Trim(arg, `"`)] {
					t.Errorf("%s: no command has the option %s", path, arg)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 50 || options < 30 {
		t.Errorf("%d actions and %d options found, want at least 50 and 30", len(seen), options)
	}
}

// argOfGive matches an argument of problem.DoGive.
var argOfGive = regexp.MustCompile(`"[^"]*"|\w[\w.()]*`)

// flagsOf adds the names of the flags of a command, and of those below it, to a set.
func flagsOf(cmd *cobra.Command, names map[string]bool) map[string]bool {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
	cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
	for _, sub := range cmd.Commands() {
		flagsOf(sub, names)
	}
	return names
}

// TestAgain: a hint repeats the call with what it lacks, and repeats no address.
func TestAgain(t *testing.T) {
	for _, c := range []struct{ call, options, want string }{
		{"-C,piped,add,-", "name,FILE", "muniment -C piped add - --name FILE"},
		{"draft,pack,what moved?,--on,monday", "on,2026-02-11", "muniment draft pack 'what moved?' --on 2026-02-11"},
		{"draft,pack,--on=monday,x", "on,2026-02-11", "muniment draft pack x --on 2026-02-11"},
		{"-C,one/archive.git,ls", "dir,one", "muniment ls --dir one"},
		{"snapshot,-m,more is seen", "widen,", "muniment snapshot -m 'more is seen' --widen"},
		{"add,https://ada:secret@example.org/a", "keep-query,", ""},
		{"cite,--quote," + strings.Repeat("long ", 50), "reasoning,TEXT", ""},
	} {
		p := &program{args: strings.Split(c.call, ",")}
		if got := p.again(strings.Split(c.options, ",")); got != c.want {
			t.Errorf("%s with %s:\n%s\nwant\n%s", c.call, c.options, got, c.want)
		}
	}
}
