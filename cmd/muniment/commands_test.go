package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"muniment/objects"
)

// notOurs are cobra's own commands: they print shell source, which is the data
// that was asked for.
var notOurs = []string{"muniment completion"}

// commands walks the tree and returns every command that can be run.
func commands(t *testing.T) []*cobra.Command {
	t.Helper()
	root := (&program{env: os.Getenv}).root()
	root.InitDefaultHelpCmd()
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Runnable() && !slices.ContainsFunc(notOurs, func(name string) bool { return strings.HasPrefix(c.CommandPath(), name) }) {
			all = append(all, c)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if len(all) < 25 {
		t.Fatalf("%d commands found, want all", len(all))
	}
	return all
}

// TestEveryCommandHelps requires of every command --json, a sentence, an
// example that calls it, and the exit codes.
func TestEveryCommandHelps(t *testing.T) {
	for _, c := range commands(t) {
		path := c.CommandPath()
		if c.InheritedFlags().Lookup("json") == nil && c.Flags().Lookup("json") == nil {
			t.Errorf("%s has no --json", path)
		}
		if !c.HasParent() || c.Name() == "help" {
			continue
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || strings.ToUpper(c.Short[:1]) != c.Short[:1] {
			t.Errorf("%s: short help %q: want a sentence without its full stop", path, c.Short)
		}
		if !strings.Contains(c.Long, exitCodes) {
			t.Errorf("%s: its help does not say the exit codes", path)
		}
		last := c.CommandPath()[strings.LastIndex(path, " ")+1:]
		for _, line := range strings.Split(c.Example, "\n") {
			if !strings.HasPrefix(line, "  muniment ") || !strings.Contains(line, last) {
				t.Errorf("%s: example %q does not call it", path, line)
			}
		}
		for _, line := range strings.Split(c.Long, "\n") {
			if n := len([]rune(line)); n > 100 {
				t.Errorf("%s: a line of its help has %d characters, want at most 100: %s", path, n, line)
			}
		}
		if c.GroupID == "" && !c.Parent().HasParent() {
			t.Errorf("%s is in no group", path)
		}
	}
}

// TestExamplesParse parses every example as the program would: flags that are
// not there any more are found.
func TestExamplesParse(t *testing.T) {
	n := 0
	for _, c := range commands(t) {
		for _, line := range strings.Split(c.Example, "\n") {
			words := shellWords(line)
			if len(words) == 0 {
				continue
			}
			root := (&program{env: os.Getenv}).root()
			found, rest, err := root.Find(words[1:])
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if err := found.ValidateArgs(found.Flags().Args()); err != nil {
				t.Errorf("%q: %v", line, err)
			}
			n++
		}
	}
	if n < 25 {
		t.Errorf("%d examples, want more", n)
	}
}

// wordOfShell matches a word of a shell's line: plain, or with parts in quotation marks.
var wordOfShell = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)

// shellWords splits a line of an example, up to a pipe or redirection.
func shellWords(line string) []string {
	var words []string
	for _, w := range wordOfShell.FindAllString(line, -1) {
		if w == "|" || strings.HasPrefix(w, ">") {
			return words
		}
		words = append(words, strings.NewReplacer(`"`, "", "'", "").Replace(w))
	}
	return words
}

// TestJSONEverywhere runs every command with --json and requires one document
// with its schema first, whether it succeeds or not, and no prompt: the tests'
// standard input is not a terminal.
func TestJSONEverywhere(t *testing.T) {
	p := sampleBundle(t)
	p.write("draft.md", "Tobias Lunt repaired the mill wheel.\n")
	p.write("two.txt", "Two.\n")
	p.must("key", "new", "--out", "other")
	dir, zip := p.path("letters"), p.path("answer.zip")
	copies := p.path("copies.git")
	if _, err := objects.InitWith(copies, objects.Hooks{}); err != nil {
		t.Fatal(err)
	}
	p.must("-C", dir, "remote", "add", "disk", copies)
	p.must("-C", dir, "remote", "add", "spare", copies)
	p.must("-C", dir, "push", "disk")
	// What each command is called with, and the exit code it then has.
	calls := map[string]struct {
		args []string
		code int
	}{
		"muniment":                        {nil, 0},
		"muniment help":                   {[]string{"nothing"}, 2},
		"muniment demo":                   {[]string{"--dir", p.path("demo")}, 0},
		"muniment init":                   {[]string{p.path("another")}, 0},
		"muniment certify":                {[]string{"-C", dir, "one.txt", "--to", p.path("certificate")}, 3},
		"muniment examine":                {[]string{"-C", dir, p.path("draft.md")}, 3},
		"muniment draft check":            {[]string{"-C", dir, p.path("draft.md")}, 1},
		"muniment draft pack":             {[]string{"-C", dir, "mill wheel"}, 0},
		"muniment draft profile":          {nil, 0},
		"muniment draft profile list":     {[]string{"-C", dir}, 0},
		"muniment draft profile show":     {[]string{"-C", dir, "engine"}, 0},
		"muniment draft profile add":      {[]string{"-C", dir, p.path("draft.md")}, 2},
		"muniment draft profile policy":   {[]string{"-C", dir}, 0},
		"muniment draft profile judged":   {[]string{"-C", dir, "labeled"}, 0},
		"muniment draft profile freeform": {[]string{"-C", dir, "--nobody"}, 0},
		"muniment draft segment":          {[]string{p.path("draft.md")}, 0},
		"muniment answers budget":         {[]string{"-C", dir}, 0},
		"muniment answers refusals":       {[]string{"-C", dir}, 0},
		"muniment draft":                  {nil, 0},
		"muniment answers list":           {[]string{"-C", dir}, 0},
		"muniment doctor":                 {[]string{"-C", dir}, 0},
		"muniment gc":                     {[]string{"-C", dir}, 0},
		"muniment answers":                {[]string{"-C", dir}, 0},
		"muniment answers keep":           {[]string{"-C", dir, "--days", "0"}, 0},
		"muniment answers prune":          {[]string{"-C", dir, "-n"}, 2},
		"muniment persons":                {[]string{"-C", dir}, 0},
		"muniment review":                 {[]string{"-C", dir, "--list"}, 0},
		"muniment upgrade":                {[]string{"-C", dir, "--check"}, 0},
		"muniment man":                    {[]string{p.path("man")}, 0},
		"muniment add":                    {[]string{"-C", dir, p.path("two.txt")}, 0},
		"muniment snapshot":               {[]string{"-C", dir, "-m", "two"}, 0},
		"muniment withdraw":               {[]string{"-C", dir, "two.txt", "--reason", "r", "--authority", "a"}, 0},
		"muniment hold":                   {[]string{"-C", dir}, 0},
		"muniment tag":                    {[]string{"-C", dir, "v1"}, 0},
		"muniment diff":                   {[]string{"-C", dir, "1"}, 0},
		"muniment join":                   {[]string{"-C", dir, p.path("nowhere"), "-m", "join"}, 2},
		"muniment status":                 {[]string{"-C", dir}, 0},
		"muniment log":                    {[]string{"-C", dir}, 0},
		"muniment show":                   {[]string{"-C", dir, "one.txt"}, 0},
		"muniment ls":                     {[]string{"-C", dir}, 0},
		"muniment cat":                    {[]string{"-C", dir, "one.txt"}, 0},
		"muniment search":                 {[]string{"-C", dir, "wheel"}, 0},
		"muniment index":                  {[]string{"-C", dir}, 0},
		"muniment describe":               {[]string{"-C", dir, "one.txt", "--title", "The mill wheel"}, 0},
		"muniment unstage":                {[]string{"-C", dir, "--all"}, 0},
		"muniment reread":                 {[]string{"-C", dir, "one.txt"}, 0},
		"muniment ledger":                 {nil, 0},
		"muniment ledger export":          {[]string{"-C", dir, p.path("ledger.jsonl")}, 0},
		"muniment ledger import":          {[]string{"-C", dir, p.path("draft.md")}, 2},
		"muniment ledger rebuild":         {[]string{"-C", dir}, 0},
		"muniment serve":                  {[]string{"-C", dir, "--listen", "nowhere"}, 6},
		"muniment mcp":                    {[]string{"-C", dir, "--print-tools", "openai"}, 0},
		"muniment token":                  {nil, 0},
		"muniment token new":              {[]string{"-C", dir, "analyst", "--project", "mill"}, 0},
		"muniment token list":             {[]string{"-C", dir}, 0},
		"muniment token revoke":           {[]string{"-C", dir, "none"}, 2},
		"muniment consent":                {[]string{"-C", dir, "one.txt"}, 0},
		"muniment cite":                   {[]string{"-C", dir, "--artifact", "one.txt", "--quote", "No such words.", "--claim", "x"}, 1},
		"muniment ask":                    {[]string{"-C", dir, "Who repaired the mill wheel?"}, 0},
		"muniment bib":                    {[]string{"-C", dir, "--all"}, 0},
		"muniment check":                  {[]string{"-C", dir, p.path("draft.md")}, 1},
		"muniment pack":                   {[]string{"-C", dir, "mill wheel"}, 0},
		"muniment profile":                {nil, 0},
		"muniment profile list":           {[]string{"-C", dir}, 0},
		"muniment profile show":           {[]string{"-C", dir, "engine"}, 0},
		"muniment profile add":            {[]string{"-C", dir, p.path("draft.md")}, 2},
		"muniment profile policy":         {[]string{"-C", dir}, 0},
		"muniment profile judged":         {[]string{"-C", dir, "labeled"}, 0},
		"muniment profile freeform":       {[]string{"-C", dir, "--nobody"}, 0},
		"muniment segment":                {[]string{p.path("draft.md")}, 0},
		"muniment bind":                   {[]string{"-C", dir, p.path("draft.md")}, 0},
		"muniment more":                   {[]string{"-C", dir, "Z", "--bundle", zip}, 1},
		"muniment budget":                 {[]string{"-C", dir}, 0},
		"muniment refusals":               {[]string{"-C", dir}, 0},
		"muniment bundle":                 {nil, 0},
		"muniment bundle show":            {[]string{zip}, 0},
		"muniment bundle disclose":        {[]string{zip, "-o", p.path("narrow.zip")}, 0},
		"muniment bundle export":          {[]string{zip, "--html", p.path("answer.html")}, 0},
		"muniment bundle open":            {[]string{zip, "-C", dir}, 0},
		"muniment verify":                 {[]string{zip}, 3},
		"muniment fixity":                 {[]string{"-C", dir}, 0},
		"muniment clone":                  {[]string{copies, p.path("clone")}, 0},
		"muniment remote":                 {nil, 0},
		"muniment remote add":             {[]string{"-C", dir, "second", copies}, 0},
		"muniment remote list":            {[]string{"-C", dir}, 0},
		"muniment remote payloads":        {[]string{"-C", dir}, 0},
		"muniment remote remove":          {[]string{"-C", dir, "spare"}, 0},
		"muniment push":                   {[]string{"-C", dir, "disk"}, 0},
		"muniment fetch":                  {[]string{"-C", dir, "disk"}, 0},
		"muniment sync":                   {[]string{"-C", dir}, 0},
		"muniment repair":                 {[]string{"-C", dir, "--from", "disk"}, 0},
		"muniment receipts":               {[]string{"-C", dir}, 0},
		"muniment remote receipts":        {[]string{"-C", dir}, 0},
		"muniment key":                    {nil, 0},
		"muniment key new":                {[]string{"--out", p.path("third")}, 0},
		"muniment key list":               {nil, 0},
		"muniment key trust":              {[]string{p.path("other.pub")}, 0},
		"muniment key revoke":             {[]string{"-C", dir, p.path("other.pub"), "--root", p.path("next-root")}, 2},
		"muniment key sign-root":          {[]string{p.path("next-root")}, 2},
		"muniment key rotate":             {[]string{"-C", dir, p.path("next-root")}, 2},
		"muniment key second":             {[]string{"-C", dir, "--paper", p.path("second.txt"), "--root", p.path("second-root")}, 0},
		"muniment key recover":            {[]string{p.path("second.txt"), "--out", p.path("recovered")}, 0},
		"muniment log publish":            {[]string{"-C", dir}, 0},
		"muniment log cosign":             {[]string{"-C", dir}, 0},
		"muniment log check":              {[]string{"-C", dir}, 0},
		"muniment log prove":              {[]string{zip, "-C", dir, "-o", p.path("proved.zip")}, 0},
		"muniment log keep":               {[]string{zip, "-o", p.path("kept.checkpoint")}, 0},
		"muniment bundle sign":            {[]string{zip, "-o", p.path("signed.zip")}, 0},
		"muniment source":                 {nil, 0},
		"muniment source add":             {[]string{"-C", dir, "--title", "Prices rise"}, 0},
		"muniment source set":             {[]string{"-C", dir, "77", "--title", "Mill notes"}, 2},
		"muniment source list":            {[]string{"-C", dir}, 0},
		"muniment import":                 {[]string{"-C", dir, p.path("letters")}, 1},
		"muniment export":                 {[]string{"-C", dir, "--bag", p.path("bag")}, 0},
		"muniment version":                {nil, 0},
		"muniment source add-doc":         {[]string{"-C", dir, p.path("one.txt")}, 0},
		"muniment source add-web":         {[]string{"-C", dir, "http://127.0.0.1:1/"}, 3},
		"muniment source add-db":          {[]string{"-C", dir, "db", "--result-description", "2 rows"}, 0},
		"muniment source add-custom":      {[]string{"-C", dir, "matrix", "--content", p.path("draft.md")}, 0},
		"muniment source show":            {[]string{"-C", dir, "77"}, 2},
		"muniment citations":              {[]string{"-C", dir}, 0},
		"muniment claims":                 {[]string{"-C", dir}, 0},
		"muniment link":                   {[]string{"-C", dir, "1", "supports", "77"}, 2},
		"muniment why":                    {[]string{"-C", dir, "77"}, 2},
	}
	// In the order in which an archive lives: what is staged is then signed.
	order := commands(t)
	slices.SortStableFunc(order, func(a, b *cobra.Command) int {
		rank := func(c *cobra.Command) int {
			return slices.Index([]string{"add", "snapshot"}, c.Name()) & 0xff // others last
		}
		return rank(a) - rank(b)
	})
	for _, c := range order {
		path := c.CommandPath()
		call, ok := calls[path]
		if !ok {
			t.Errorf("%s is not tried", path)
			continue
		}
		delete(calls, path)
		r := p.call(append(append(strings.Fields(path)[1:], call.args...), "--json")...)
		if r.code != call.code {
			t.Errorf("%s: exit %d, want %d\n%s%s", path, r.code, call.code, r.stdout, r.stderr)
		}
		if err := checkVoice(r.stderr, r.code); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		schema, _ := r.document(t)["schema"].(string)
		if !strings.HasPrefix(r.stdout, "{\n  \"schema\": \"muniment.") || !strings.HasSuffix(schema, ".v1") {
			t.Errorf("%s: its document does not begin with its schema: %.60s", path, r.stdout)
		}
		if strings.Contains(r.stdout, `\u003c`) {
			t.Errorf("%s: angle brackets are escaped", path)
		}
	}
	for path := range calls {
		t.Errorf("%s is tried and is not a command", path)
	}
}

// TestNoPrompt takes the paths on which a person could be asked something, off
// a terminal: each names what is missing instead.
func TestNoPrompt(t *testing.T) {
	p := newPlace(t)
	p.write("pass", "secret\n")
	p.env["MUNIMENT_PASSPHRASE_FILE"] = p.path("pass")
	p.must("key", "new", "--passphrase", "--out", "guarded")
	delete(p.env, "MUNIMENT_PASSPHRASE_FILE")
	p.must("init", "letters")
	for _, args := range [][]string{
		{"key", "new", "--passphrase", "--out", p.path("more")},
		{"-C", p.path("letters"), "snapshot", "-m", "x", "--key", p.path("guarded")},
		{"key", "trust", "--key", p.path("guarded")},
	} {
		r := p.call(args...)
		if r.code == 0 || !strings.Contains(r.stderr, "MUNIMENT_PASSPHRASE_FILE") || strings.Contains(r.stderr, "Passphrase for") {
			t.Errorf("%v: exit %d\n%s", args, r.code, r.stderr)
		}
	}
}
