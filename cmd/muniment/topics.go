package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"muniment/archive"
	"muniment/archive/problem"
)

// helpTopics are pages of help that belong to no command.
func helpTopics() []*cobra.Command {
	topic := func(name, short, text string) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Long: text}
	}
	return []*cobra.Command{
		topic("exit-codes", "what exit codes mean", `   0  done and fine
   1  it worked and the verdict is no: a quote that does not verify, an INVALID
      bundle, nothing found, nothing to snapshot
   2  the call is wrong
   3  partly done (inputs that could not be taken), not checked (INCOMPLETE) or not
      searched yet
   4  not permitted
   5  the answer is a refusal, with --fail-on-refusal
   6  disk, database, git or model
  10  no archive here
  11  another process writes the archive
  12  no key, wrong key or wrong passphrase
  70  a bug
 130  interrupted`),
		topic("environment", "environment variables", `  MUNIMENT_DIR              the archive's folder, when -C is not given
  MUNIMENT_KEY              the private key to sign with, when --key is not given
  MUNIMENT_HOME             the folder of your keys; else XDG_DATA_HOME/muniment,
                            else ~/.local/share/muniment
  MUNIMENT_AUTHOR           "Name <email>" of the archivist
  MUNIMENT_INDEX            ask: a search or question updates the search index, and not
                            every snapshot
  MUNIMENT_PASSPHRASE_FILE  a file that holds the passphrase of the private key
  SSH_AUTH_SOCK             the ssh-agent, used when no key file is found
  CITATION_REASONING_REQUIRED  when cite asks for --reasoning: none, low (only
                            with --confidence low; the default), medium, high
  CITATION_DB_URL           a PostgreSQL address that keeps the ledger; its search_path
                            names the schema. Without it: a file in the archive's folder
  CITATION_LLM_URL          an OpenAI-compatible endpoint that drafts answers, and judges
                            whether claims follow from words: http://127.0.0.1:8080/v1
  MUNIMENT_LLM_MODEL        the model to ask for
  MUNIMENT_LLM_KEY_FILE     a file that holds the endpoint's key
  MUNIMENT_LLM_TIMEOUT      how long to wait for an answer, such as 30s; 60s by default
  MUNIMENT_JUDGE_URL        another endpoint for judging only; MUNIMENT_JUDGE_MODEL,
                            _KEY_FILE and _TIMEOUT as above
  MUNIMENT_RERANK_URL       an endpoint with POST /rerank that orders the passages which
                            a question finds; MUNIMENT_RERANK_MODEL and so on as above
  MUNIMENT_EMBED_URL        an OpenAI-compatible endpoint for vectors of texts: searches
                            also find the same meaning in other words;
                            MUNIMENT_EMBED_MODEL, _KEY_FILE and _TIMEOUT as above
  NO_COLOR                  verdicts and rungs have no colour, as on a pipe
  TERM=dumb                 no progress bar, no colour`),
		topic("spans", "how places in a text are written", `A span is half open and counts Unicode code points inside a paragraph of the
canonical text, the one that muniment cat prints. Ordinals start at 1.

  p4:0-41        paragraph 4, code points 0 to 41
  p4:10-p6:3     from paragraph 4 into paragraph 6
  l118:0-20      line 118: tables and transcripts are cited by line
  p4             with --span: anywhere in paragraph 4
  meta:title:0-9 a field of the record
  time:2-4.5     of a recording, from 2 to 4.5 seconds
  region:xywh=10,20,300,40          pixels of a picture: x, y, width, height
  region:xywh=percent:5,5,20,20     the same in percent of its size
  time:2-4&xywh=10,20,300,40        both, in a moving picture

Paragraphs are separated by one or more empty lines. A time ends before its second
number, and a region is inside its picture as it is shown. Clock times (time:1:02-1:05)
and the fragment of an address (t=2,4&xywh=10,20,300,40) are read too, and kept in the
spelling above.`),
		topic("json", "what --json prints", `Every command takes --json and prints one document on stdout. Its first member is
"schema": "muniment.<name>.v1"; times are RFC 3339 UTC, ids are CIDs, offsets are
code points. A command that fails before it has a result prints
{"schema":"muniment.error.v1", "error_type", "message", "suggestion",
"partial_result", "exit_code"}; the two lines on stderr are always there.

muniment help json NAME prints the JSON Schema (2020-12) of the message NAME, with
all its members; docs/schema of the source holds them too. The names:

`+messageNames()),
	}
}

// manResult lists the pages that man wrote.
type manResult struct {
	Dir   string   `json:"dir"`
	Pages []string `json:"pages"`
}

func newManCommand(p *program) *cobra.Command {
	return withoutArchive(command("tool", "man DIR", "Write the manual pages into a folder",
		`Writes one page for each command and topic, in roff, made from the help texts:
man DIR/muniment-ask.1 shows one. A package puts them into share/man/man1.`,
		"muniment man pages", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			return writeManual(p, cmd.Root(), args[0])
		}))
}

// writeManual writes the manual pages of all commands and topics into a folder.
func writeManual(p *program, root *cobra.Command, dir string) error {
	r := manResult{Dir: dir, Pages: []string{}}
	err := os.MkdirAll(r.Dir, 0o755)
	var write func(c *cobra.Command) error
	write = func(c *cobra.Command) error {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		if err := (archive.NewFile{Path: filepath.Join(r.Dir, name)}).Write([]byte(manPage(c))); err != nil {
			return err
		}
		r.Pages = append(r.Pages, name)
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
				continue
			}
			if err := write(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil {
		err = write(root)
	}
	if err != nil {
		return problem.Wrap(err, "manual pages")
	}
	p.show("man", r, func() { p.out("%s in %s", count(len(r.Pages), "page"), r.Dir) })
	return nil
}

// manPage returns the manual page of a command or topic in roff. Help texts have their
// lines as they are to be read, so they are not filled.
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	b.WriteString(`.TH "` + strings.ToUpper(name) + "\" 1 \"\" \"Muniment\" \"Muniment manual\"\n")
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			b.WriteString(".SH " + title + "\n.nf\n" + roff(text) + "\n.fi\n")
		}
	}
	b.WriteString(".SH NAME\n" + roff(name) + ` \- ` + roff(c.Short) + "\n")
	if !c.IsAdditionalHelpTopicCommand() {
		section("SYNOPSIS", c.UseLine())
	}
	long := cmp.Or(c.Long, c.Short)
	section("DESCRIPTION", strings.TrimSuffix(long, exitCodes))
	section("OPTIONS", c.LocalNonPersistentFlags().FlagUsages())
	if !c.HasParent() {
		section("OPTIONS OF EVERY COMMAND", c.PersistentFlags().FlagUsages())
	}
	section("EXAMPLES", c.Example)
	var others []string
	if c.HasParent() {
		others = append(others, strings.ReplaceAll(c.Parent().CommandPath(), " ", "-")+"(1)")
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			others = append(others, strings.ReplaceAll(sub.CommandPath(), " ", "-")+"(1)")
		}
	}
	if name != "muniment-exit-codes" {
		section("EXIT STATUS", "See muniment-exit-codes(1).")
	}
	section("SEE ALSO", strings.Join(others, "\n"))
	return b.String()
}

// roff returns a text so that no line of it is a request and no letter an escape.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// Widths of help pages in characters: what fits everywhere, what a terminal is used up
// to, as longer lines are hard to read, and how narrow it is obeyed.
const (
	helpWidth = 80
	mostWidth = 100
	leastHelp = 40
	wideHang  = 10 // where the right column begins that stands below a left one too wide
)

// columns returns the width of the terminal that stdout is, or 0 where it is none or has
// none.
func (p *program) columns() int {
	if p.stdout == nil || !term.IsTerminal(int(p.stdout.Fd())) {
		return 0
	}
	width, _, _ := term.GetSize(int(p.stdout.Fd()))
	return width
}

// readable returns how many characters a line of prose has on a terminal of this width.
func readable(width int) int { return min(max(width, leastHelp), mostWidth) }

// helpColumns returns how many characters a line of help has.
func (p *program) helpColumns() int {
	if width := p.columns(); width > 0 {
		return readable(width)
	}
	return helpWidth
}

// wrapHelp returns a page of help with lines of at most width characters, but for words
// that are longer. Paragraphs are filled; in a list the right column is; an example is
// continued with a backslash, so that it can still be pasted.
func wrapHelp(text string, width int) string {
	lines := strings.Split(text, "\n")
	var out []string
	examples := false
	for i := 0; i < len(lines); {
		line, next := lines[i], i+1
		left, right := cutColumns(line)
		switch {
		case strings.TrimSpace(line) == "":
			out = append(out, "")
		case line[0] != ' ':
			examples = line == "Examples:"
			for next < len(lines) && lines[next] != "" && lines[next][0] != ' ' {
				next++
			}
			out = append(out, fill(strings.Join(lines[i:next], " "), "", 0, width)...)
		case examples:
			out = append(out, breakCall(line, width)...)
		case left == "":
			indent := indentOf(line)
			out = append(out, fill(line, line[:indent], indent+2, width)...)
		default:
			for next < len(lines) && indentOf(lines[next]) == len(left) {
				right += " " + lines[next]
				next++
			}
			hang := len(left)
			if hang > width/2 {
				out = append(out, strings.TrimRight(left, " "))
				hang = wideHang
				left = strings.Repeat(" ", hang)
			}
			out = append(out, fill(right, left, hang, width)...)
		}
		i = next
	}
	return strings.Join(out, "\n")
}

// cutColumns cuts an indented line of a list at the last of the blanks between its two
// columns. Without two columns both parts are "".
func cutColumns(line string) (left, right string) {
	start := indentOf(line)
	gap := strings.Index(line[start:], "  ")
	if start == 0 || gap < 0 {
		return "", ""
	}
	end := start + gap + indentOf(line[start+gap:])
	return line[:end], line[end:]
}

// indentOf returns the number of blanks at the beginning of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// fill returns the words of a text in lines of at most width characters: the first
// begins as given, the others with hang blanks.
func fill(text, first string, hang, width int) []string {
	var out []string
	line := strings.TrimRight(first, " ")
	at, empty := first, true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(at)+1+utf8.RuneCountInString(word) > width {
			out = append(out, line)
			at, empty = strings.Repeat(" ", hang), true
		}
		if !empty {
			at += " "
		}
		at += word
		line, empty = at, false
	}
	return append(out, line)
}

// breakCall returns an example in lines of at most width characters, each but the last
// ending in a backslash. Nothing is broken inside quotation marks.
func breakCall(line string, width int) []string {
	if utf8.RuneCountInString(line) <= width {
		return []string{line}
	}
	var words []string
	quote, from := rune(0), indentOf(line)
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == ' ' && i > from:
			words = append(words, line[from:i])
			from = i + 1
		}
	}
	words = append(words, line[from:])
	var out []string
	at := line[:indentOf(line)] + words[0]
	for _, w := range words[1:] {
		if utf8.RuneCountInString(at)+1+utf8.RuneCountInString(w)+2 > width {
			out = append(out, at+` \`)
			at = strings.Repeat(" ", indentOf(line)+4) + w
			continue
		}
		at += " " + w
	}
	return append(out, at)
}

// trades are the groups of the commands, in the order in which an archive is used.
var trades = []string{"Start", "Papers", "Claims", "Texts", "Answers", "Proof", "Copies", "Keys", "Serve", "Tool"}

// oldNames is the group of the hidden commands that have moved.
const oldNames = "old-names"

// firstCommands are the twelve that most people need: the first screen of help
// has no other.
var firstCommands = []string{"demo", "init", "add", "describe", "snapshot", "status", "search", "ask", "examine", "cite", "verify", "serve"}

// firstScreen returns the usage template of the program itself.
func firstScreen(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:\n  muniment COMMAND [flags]\n\nThe commands most needed:\n")
	for _, path := range firstCommands {
		if c, _, err := root.Find(strings.Fields(path)); err == nil {
			writeCommand(&b, path, c.Short)
		}
	}
	b.WriteString(`
Help:
  muniment help commands  all commands, by trade
  muniment help COMMAND   a command, or exit-codes, environment, spans, json

Flags:
{{.LocalFlags.FlagUsages}}`)
	return b.String()
}

// byTrade returns the commands of the tree in groups, one line each.
func byTrade(root *cobra.Command) string {
	var b strings.Builder
	for i, trade := range trades {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(trade + "\n")
		for _, c := range root.Commands() {
			if c.GroupID == strings.ToLower(trade) && c.IsAvailableCommand() {
				writeCommand(&b, c.Name(), c.Short)
			}
		}
	}
	writeCommand(&b, "completion", "Write the completion script of a shell")
	writeCommand(&b, "help", "Help on a command or a topic")
	b.WriteString("\nmuniment help COMMAND shows more, with the commands that each of these holds.")
	return b.String()
}

func writeCommand(b *strings.Builder, name, short string) {
	fmt.Fprintf(b, "  %-12s %s\n", name, short)
}

// renamed returns a command under its name of before: hidden, and it says the new
// name on stderr, except with --json.
func (p *program) renamed(cmd *cobra.Command, now string) *cobra.Command {
	cmd.Hidden, cmd.GroupID = true, oldNames
	cmd.PersistentPreRun = func(*cobra.Command, []string) {
		if !p.json {
			p.say("note: %q is now %q", "muniment "+cmd.Name(), "muniment "+now)
		}
	}
	return cmd
}

// wordsOfOthers are words that newcomers type, and the call that does what they most
// likely mean here.
var wordsOfOthers = map[string]string{
	"undo rm remove reset discard":     "muniment unstage NAME takes back what is not yet signed; muniment withdraw NAME takes out what is",
	"delete":                           `muniment withdraw NAME --reason "asked by the family" --authority "board, 3 May" takes a paper out; muniment unstage NAME, what is not yet signed`,
	"edit rename correct update":       `muniment describe NAME --title "To Ben Ost" corrects what is said of a paper`,
	"publish website site":             "muniment export --site DIR writes the pages of an archive; muniment push brings the archive to a remote",
	"backup copy mirror":               "muniment remote add NAME URL, then muniment push keeps a copy; muniment fixity checks the disk",
	"restore heal":                     "muniment repair --from REMOTE brings back what is damaged; muniment clone REMOTE DIR makes a copy",
	"share send":                       "muniment bundle disclose FILE.zip -o shown.zip makes a bundle to hand on; muniment export --site DIR, pages for all",
	"login signin register account":    "muniment key new makes the key that signs; muniment token new NAME lets a program in",
	"commit save sign":                 "muniment snapshot -m TEXT signs what was added",
	"upload ingest take":               "muniment add PATH takes papers in; muniment push brings them to a remote",
	"download pull":                    "muniment fetch brings what is newer there; muniment clone REMOTE DIR makes a copy",
	"find grep query":                  "muniment search WORDS finds passages; muniment ask QUESTION answers with citations",
	"create new start begin":           "muniment init DIR makes an archive; muniment demo shows one",
	"list dir files":                   "muniment ls lists what is here",
	"open read view print":             "muniment show NAME prints what is known of a paper; muniment cat NAME, its text",
	"history versions":                 "muniment log lists the snapshots",
	"merge":                            "muniment join DIR -m TEXT joins two histories of one archive",
	"fsck audit prove validate":        "muniment verify checks the archive, or the FILE.zip of an answer; muniment fixity, the disk",
	"unlock fix clean prune":           "muniment doctor --fix mends what it can, and removes the lock of a process that has ended",
	"proofread quotes":                 "muniment examine FILE says what each quotation of a text is worth; muniment draft check DRAFT.md, its citations on file",
	"quote citation footnote":          `muniment cite --artifact NAME --quote "WORDS" --claim "WORDS" cites; muniment citations lists them`,
	"config settings policy":           "muniment draft profile policy prints the policy; muniment help environment, the settings",
	"permissions access restrict hide": "muniment consent NAME shows who may see a paper; muniment consent --help says how to set it",
	"server web start-server ui":       "muniment serve shows the archive in a browser",
	"migrate":                          "muniment upgrade says what this version of the program changes for an archive",
	"exit quit":                        "muniment help lists the first commands",
}

// callFor returns the hint for a word that a newcomer typed, or "".
func callFor(word string) string {
	for words, hint := range wordsOfOthers {
		if slices.Contains(strings.Fields(words), strings.ToLower(word)) {
			return hint
		}
	}
	return ""
}
