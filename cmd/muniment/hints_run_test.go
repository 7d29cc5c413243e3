package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muniment/archive/problem"
	"muniment/engine"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/sign/spare"
	"muniment/sign/sshkey"
)

// minHints is how many calls TestHintsRun finds at least in the tables and the
// sources of this program.
const minHints = 100

// unknownValue stands in a hint for what only a run of the program knows.
const unknownValue = "VALUE"

// TestHere requires that each call in a text that works on an archive, and no
// other, names the folder of -C.
func TestHere(t *testing.T) {
	p := &program{}
	p.tree = p.root()
	for _, c := range []struct{ dir, text, want string }{
		{"", "muniment status", "muniment status"},
		{".", "muniment status", "muniment status"},
		{"a", "muniment log; muniment verify", "muniment -C a log; muniment -C a verify"},
		{"a b", "see muniment ls, then muniment snapshot -m TEXT", "see muniment -C 'a b' ls, then muniment -C 'a b' snapshot -m TEXT"},
		{"it's", "muniment status", `muniment -C 'it'\''s' status`},
		{"a", "muniment verify answer.zip --trust allowed_signers", "muniment verify answer.zip --trust allowed_signers"},
		{"a", "muniment verify FILE", "muniment verify FILE"},
		{"a", "muniment verify --help lists what each axis needs", "muniment verify --help lists what each axis needs"},
		{"a", "muniment key new makes one; muniment key new --auditor SCOPE", "muniment key new makes one; muniment -C a key new --auditor SCOPE"},
		{"a", "muniment key trust > allowed_signers", "muniment key trust > allowed_signers"},
		{"a", "muniment init DIR, muniment clone URL DIR, muniment demo, muniment version", "muniment init DIR, muniment clone URL DIR, muniment demo, muniment version"},
		{"a", "muniment help spans; muniment exit-codes", "muniment help spans; muniment exit-codes"},
		{"a", "muniment remote add NAME URL makes one", "muniment -C a remote add NAME URL makes one"},
		{"a", `muniment cite --quote "run muniment add x" --claim 'muniment ls'`, `muniment -C a cite --quote "run muniment add x" --claim 'muniment ls'`},
		{"a", "the archive's muniment: note: muniment -C b ls", "the archive's muniment: note: muniment -C b ls"},
	} {
		p.dir = c.dir
		if got := p.here(c.text); got != c.want {
			t.Errorf("-C %s: %s\ngives %s\nwant  %s", c.dir, c.text, got, c.want)
		}
	}
}

// TestMarksOfCommands compares what the command tree says of commands that open
// no archive with what their sources do.
func TestMarksOfCommands(t *testing.T) {
	uses, made := map[string]map[string]bool{}, map[string]string{} // names in a function; the function that makes a command
	for _, file := range sourceFiles(t, "*.go") {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			key := fn.Name.Name
			if fn.Recv != nil && key == "run" { // every command has one
				key = fn.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name + ".run"
			}
			names := uses[key] // of all functions and methods of that name
			if names == nil {
				names = map[string]bool{}
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && (x.Name == "p" || x.Name == "f") {
						names[n.Sel.Name] = true
						if made := strings.TrimPrefix(key, "new"); made != key && n.Sel.Name == "run" {
							names[strings.ToLower(made[:1])+made[1:]+".run"] = true
						}
					}
				case *ast.CallExpr:
					if called, ok := n.Fun.(*ast.Ident); ok {
						names[called.Name] = true
					}
					if called, ok := n.Fun.(*ast.Ident); ok && called.Name == "command" && len(n.Args) == 7 {
						made[text(n.Args[1])+"|"+text(n.Args[2])] = fn.Name.Name
					}
				}
				return true
			})
			uses[key] = names
		}
	}
	opens := func(name string) bool {
		seen := map[string]bool{}
		var reaches func(string) bool
		reaches = func(name string) bool {
			if seen[name] || len(seen) > 0 && strings.HasSuffix(name, "Command") || name == "execute" {
				return false
			}
			seen[name] = true
			if uses[name]["open"] || uses[name]["archiveDir"] {
				return true
			}
			for next := range uses[name] {
				if uses[next] != nil && reaches(next) {
					return true
				}
			}
			return false
		}
		return reaches(name)
	}
	checked := 0
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		fn, ours := made[cmd.Use+"|"+cmd.Short]
		if !ours || cmd.GroupID == "tool" {
			return
		}
		checked++
		flags, marked := cmd.Annotations[noArchive]
		if want := !marked || flags != ""; opens(fn) != want {
			t.Errorf("%s: opens an archive: %t by its source, %t by its mark", cmd.CommandPath(), !want, want)
		}
	}
	walk((&program{}).root())
	if checked < 60 {
		t.Errorf("%d commands were looked at, want more", checked)
	}
}

// TestHintsRun runs the calls that hints and lines of talk of this program name, every
// fourth of them but where MUNIMENT_LONG is set, in a sample archive: each works, or says
// what is still missing.
func TestHintsRun(t *testing.T) {
	sample := hintPlace(t)
	prog := &program{}
	prog.tree = prog.root()
	prog.dir = "letters"
	missing := regexp.MustCompile(`\b(needs?|wants?|name|give|given|takes|required|missing|go together|no artifact was named|no draft is named|the address of a payload store is|has entries already|nothing of \S+ is staged|there is no model|there is no page from the web|no terminal|has no bullet|to itself)\b`)
	calls := map[string]string{} // a call, and the hint it is from
	for _, hint := range hintTexts(t) {
		for _, args := range callsIn(t, prog, prog.here(hint)) {
			calls[strings.Join(args, "\x00")] = hint
		}
	}
	for i, key := range slices.Sorted(maps.Keys(calls)) {
		if i%casecount.Of(8, 1) != 0 { // all of them take a quarter of a minute
			continue
		}
		args := strings.Split(key, "\x00")
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			p := sample
			if !slices.Contains(args, "--help") { // help changes nothing
				p = newPlace(t)
				if err := os.CopyFS(p.dir, os.DirFS(sample.dir)); err != nil {
					t.Fatal(err)
				}
			}
			if slices.Equal(args, []string{"key", "new"}) { // a hint to those who have none
				if err := os.RemoveAll(p.path(".keys")); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(p.dir)
			ctx := t.Context()
			if slices.Contains(args, "serve") { // until it is stopped
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, time.Second)
				defer stop()
			}
			r := p.callIn(ctx, args...)
			switch first, _, _ := strings.Cut(r.stderr[max(0, strings.Index(r.stderr, "muniment: error:")):], "\n"); {
			case r.code == exitOK || r.code == exitNo || r.code == exitPartly:
			case r.code == exitUsage && missing.MatchString(first):
			case strings.Contains(first, "nobody reviews a claim of their own"): // who makes the sample registered it
			default:
				t.Errorf("of the hint %q: exit %d\n%s", calls[key], r.code, r.stderr)
			}
		})
	}
	t.Logf("%d calls, of which %d ran", len(calls), (len(calls)+casecount.Of(7, 0))/casecount.Of(8, 1))
	if len(calls) < minHints {
		t.Errorf("%d calls, want at least %d", len(calls), minHints)
	}
}

// hintPlace makes an archive with five snapshots, citations, a remote and a
// bundle, and the files that hints name.
func hintPlace(t *testing.T) *place {
	p := sampleBundle(t)
	p.must("clone", "letters/archive.git", "joined") // which forks
	p.write("three.txt", "The reading room has a letter of its own.\n")
	p.must("-C", "joined", "add", "three.txt")
	p.must("-C", "joined", "snapshot", "-m", "reading room")
	p.write("two.txt", "Harrow, 3 April 1931\n\nAgnes wrote of the mill wheel.\n\nIt turns again.\n")
	p.must("-C", "letters", "add", "two.txt")
	p.must("-C", "letters", "snapshot", "-m", "second box")
	for _, name := range []string{"three", "four", "five"} {
		p.write(name+".txt", "Letter number "+name+".\n")
		p.must("-C", "letters", "add", name+".txt")
		p.must("-C", "letters", "snapshot", "-m", name)
	}
	p.must("-C", "letters", "cite", "--artifact", "two.txt", "--quote", "Agnes wrote of the mill wheel.", "--claim", "Agnes wrote of the mill wheel.")
	p.must("-C", "letters", "bundle", "export", "answer.zip", "--html", "answer-page.html")
	p.must("-C", "letters", "key", "trust", "--root", "next-root")
	p.write("draft.md", "Agnes wrote of the mill wheel. [1]\n")
	p.write("drafts.jsonl", `{"draft":"Agnes wrote of the mill wheel. [1]"}`+"\n")
	p.write("described.csv", "file,title\ntwo.txt,The mill wheel\n")
	p.must("-C", "letters", "ledger", "export", "ledger.jsonl")
	p.write("mine.json", strings.Replace(p.must("-C", "letters", "profile", "show", "engine").stdout, `"engine"`, `"mine"`, 1))
	if out := p.must("key", "trust").stdout; out != "" {
		p.write("allowed_signers", out)
	}
	if _, err := objects.InitWith(p.path("remote.git"), objects.Hooks{}); err != nil {
		t.Fatal(err)
	}
	p.must("-C", "letters", "remote", "add", "museum", "remote.git")
	p.must("-C", "letters", "push", "museum")
	p.must("-C", "letters", "export", "--bag", "bag")
	p.run("-C", "letters", "check", "draft.md") // the verdict is another test's matter
	_, private, err := sshkey.New(rand.Reader, "second")
	if err != nil {
		t.Fatal(err)
	}
	p.write("kept-key.txt", string(spare.Paper(private, nil)))
	if err := os.Remove(p.path("shown.zip")); err != nil {
		t.Fatal(err)
	}
	return p
}

// placeholders gives a value for each word in capitals that hints and usage
// lines have, and for some by the command, as "command WORD".
var placeholders = map[string]string{
	"REMOTE": "museum", "URL": "remote.git", "NAME": "two.txt", "ID": "two.txt", "ARTIFACT": "two.txt", "PATH": "two.txt",
	"TEXT": "Agnes wrote of the mill wheel.", "QUESTION": "Who wrote of the mill wheel?", "WORDS": "mill",
	"FILE": "answer.zip", "examine FILE": "draft.md", "FILE.zip": "answer.zip", "DRAFT.md": "draft.md", "FIRST.md": "draft.md", "SECOND.md": "draft.md",
	"DIR": "new-folder", "NUMBER": "1", "CITATION": "1", "SCOPE": "court", "SNAPSHOT": "HEAD", "HANDLE": "1",
	"remote add NAME": "attic", "tag NAME": "first", "FILE.pub": ".keys/default.pub",
	"key sign-root DIR": "next-root", "key second FILE": "new-key.txt", "key recover FILE": "kept-key.txt", "key rotate DIR": "next-root", "snapshot FILE": ".keys/default", "int": "1",
	"WHO": "the family", "TIER": "public", "BAG": "bag", "link TYPE": "extends", "remote remove NAME": "museum", "repair NAME": "museum", "source add-web URL": "http://127.0.0.1:1/page", "export FILE": "new-file", "clone REMOTE": "remote.git",
	"join DIR": "joined", "draft profile show NAME": "market-brief", "log SEQ": "2",
	"draft check NAME": "market-brief", "muniment DIR": "letters", "draft profile add FILE.json": "mine.json", "describe FILE.csv": "described.csv", "ledger FILE": "ledger.jsonl", "bundle open FILE": "letters/archive.local/audit.key",
}

// sampleOf returns the value for a word in capitals of a command.
func sampleOf(cmd *cobra.Command, word string) string {
	path := strings.TrimPrefix(cmd.CommandPath(), "muniment ")
	word, _, _ = strings.Cut(strings.TrimRight(word, "…"), "|")
	for _, key := range []string{path + " " + word, word} {
		if v, ok := placeholders[key]; ok {
			return v
		}
	}
	return word
}

// callsIn cuts the calls of this program out of a hint and puts sample values
// for what is missing.
func callsIn(t *testing.T, p *program, hint string) [][]string {
	t.Helper()
	var calls [][]string
	for i, part := range regexp.MustCompile(`(^|[ (=\n])muniment `).Split(hint, -1) {
		if i == 0 {
			continue
		}
		if args := callOf(p.tree, splitWords(part)); args != nil {
			calls = append(calls, args)
		}
	}
	return calls
}

var (
	capitals = regexp.MustCompile(`^[A-Z][A-Z-]*(\.[a-z]+)?…?$`)
	argument = regexp.MustCompile(`[./0-9]`)
)

// callOf returns the arguments of a call, up to where the sentence goes on; nil
// where the words are no call.
func callOf(root *cobra.Command, words []string) []string {
	var args []string
	cmd, positional := root, 0
	for len(words) > 0 {
		word, ended := words[0], false
		if trimmed := strings.TrimRight(word, ";,:)"); trimmed != word || strings.HasSuffix(word, ".") && len(word) > 1 {
			word, ended = strings.TrimSuffix(trimmed, "."), true
		}
		words = words[1:]
		sub := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
		switch {
		case strings.HasPrefix(word, "-") && word != "-":
			args = append(args, word)
			if f := flagNamed(cmd, strings.TrimLeft(word, "-")); f != nil && f.NoOptDefVal == "" && len(words) > 0 && !ended {
				value := strings.TrimRight(words[0], ";,:)")
				ended = value != words[0]
				switch {
				case value == unknownValue && f.Name == "dir":
					value = "letters"
				case value == unknownValue:
					value, _ = pflag.UnquoteUsage(f)
				}
				args, words = append(args, sampleOf(cmd, value)), words[1:]
			}
		case sub >= 0 && positional == 0:
			cmd, args = cmd.Commands()[sub], append(args, word)
		case cmd == root:
			return nil
		case word == unknownValue:
			args = append(args, sampleOf(cmd, usageWord(cmd, positional)))
			positional++
		case capitals.MatchString(word):
			args = append(args, sampleOf(cmd, word))
			positional++
		case argument.MatchString(word) || strings.Contains(word, " "):
			args = append(args, word)
			positional++
		default:
			ended = true // the sentence goes on
		}
		if ended {
			break
		}
	}
	return args
}

// flagNamed returns a flag of a command by its name or its letter.
func flagNamed(cmd *cobra.Command, name string) *pflag.Flag {
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.Root().PersistentFlags()} {
		if f := set.Lookup(name); f != nil {
			return f
		}
		if len(name) == 1 {
			if f := set.ShorthandLookup(name); f != nil {
				return f
			}
		}
	}
	return nil
}

// usageWord returns what the usage line of a command calls its nth argument.
func usageWord(cmd *cobra.Command, n int) string {
	words := strings.Fields(cmd.Use)[1:]
	if n >= len(words) {
		return unknownValue
	}
	word, _, _ := strings.Cut(strings.Trim(words[n], "[]…"), "|")
	return word
}

// splitWords splits a text at spaces; quoted words stay together, without their
// quotes.
func splitWords(s string) []string {
	var words []string
	for s = strings.TrimLeft(s, " "); s != ""; s = strings.TrimLeft(s, " ") {
		if n := quotedLen(s); n > 0 {
			words, s = append(words, strings.Trim(s[:n], `'"“”`)), s[n:]
			continue
		}
		word, rest, _ := strings.Cut(s, " ")
		words, s = append(words, word), rest
	}
	return words
}

// hintTexts returns the entries of the tables of commands and the strings of
// this program's sources that name a call, help texts aside.
func hintTexts(t *testing.T) []string {
	t.Helper()
	var hints []string
	for do := range commandOf {
		hints = append(hints, commandWords(do, nil))
	}
	hints = append(hints, commandWords(engine.DoCite, []string{"artifact", "", "quote", "", "claim", ""}), // in no table
		commandWords(problem.DoDescribe, nil))
	tables := len(hints)
	for name, file := range sourceFiles(t, "*.go") {
		if name == "hints.go" || strings.HasPrefix(name, "demo") || name == "topics.go" {
			continue // the tables; the demo runs what it shows
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.Ident); ok && fn.Name == "command" && len(n.Args) == 7 {
					ast.Inspect(n.Args[6], func(inner ast.Node) bool { return addHint(&hints, inner) })
					return false // help is compared with the reference
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Long" {
					return false
				}
			}
			return addHint(&hints, n)
		})
	}
	if tables == 0 || len(hints) == tables {
		t.Fatalf("%d hints in the tables, %d in all", tables, len(hints))
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}

// addHint adds the text of a string expression that names a call, and reports
// whether its parts are to be looked at.
func addHint(hints *[]string, n ast.Node) bool {
	expr, ok := n.(ast.Expr)
	if !ok {
		return true
	}
	switch expr.(type) {
	case *ast.BinaryExpr, *ast.BasicLit:
	default:
		return true
	}
	s := withoutVerbs(text(expr))
	if strings.Contains(s, "muniment ") {
		*hints = append(*hints, s)
		return false
	}
	return true
}

// text returns the value of a string expression; what only a run knows is
// unknownValue.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return text(e.X) + text(e.Y)
		}
	}
	return unknownValue
}

var verbs = regexp.MustCompile(`%(\[\d\])?[sdqv]`)

func withoutVerbs(format string) string { return verbs.ReplaceAllString(format, unknownValue) }

// sourceFiles parses the sources of this package that are no tests.
func sourceFiles(t *testing.T, pattern string) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		files[name] = file
	}
	if len(files) == 0 {
		t.Fatal("no sources here")
	}
	return files
}
