package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// trades are the groups of the commands, in the order in which an archive is used.
var trades = []string{"Start", "Papers", "Claims", "Texts", "Answers", "Proof", "Copies", "Keys", "Serve", "Tool"}

// oldNames is the group of the hidden commands that have moved.
const oldNames = "old-names"

// firstCommands are the twelve that most people need: the first screen of help
// has no other.
var firstCommands = []string{"demo", "init", "add", "describe", "snapshot", "status", "search", "ask", "draft check", "cite", "verify", "serve"}

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
	"examine proofread review":         "muniment draft check DRAFT.md judges the citations of a text",
	"quote citation footnote":          `muniment cite --artifact NAME --quote "WORDS" --claim "WORDS" cites; muniment citations lists them`,
	"config settings policy":           "muniment draft profile policy prints the policy; muniment help environment, the settings",
	"permissions access restrict hide": "muniment consent NAME shows who may see a paper; muniment consent --help says how to set it",
	"server web start-server ui":       "muniment serve shows the archive in a browser",
	"upgrade migrate":                  "muniment doctor says whether anything is to be done",
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
