package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/custody"
	"muniment/draft"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
)

// commandOf says how this program does every act of the library, but for the few whose
// options depend on their arguments (see commandWords). A word in braces is filled with the
// next argument of the act, as one word of a shell, or keeps the word; {} is left out
// without one.
var commandOf = map[problem.Action]string{
	problem.DoInit:             "muniment init DIR, or muniment init . for this folder",
	problem.DoClone:            "muniment clone REMOTE DIR makes one",
	problem.DoFindArchive:      "muniment init DIR makes one; -C DIR or MUNIMENT_DIR names one",
	problem.DoLookInto:         "muniment -C {DIR} status shows it",
	problem.DoAdd:              "muniment add {PATH} takes it in",
	problem.DoReadOptions:      "muniment {COMMAND} --help",
	problem.DoSnapshot:         "muniment snapshot -m TEXT signs what was added",
	problem.DoStatus:           "muniment status shows what is staged",
	problem.DoLog:              "muniment log lists the snapshots",
	problem.DoTags:             "muniment tag lists the tags",
	problem.DoList:             "muniment ls lists what is here",
	problem.DoShow:             "muniment show {NAME} prints its record",
	problem.DoCat:              "muniment cat prints the text",
	problem.DoSpans:            "muniment help spans explains addresses",
	problem.DoVerify:           "muniment verify says more",
	problem.DoListDamage:       "muniment verify lists every damaged object",
	problem.DoRepair:           "muniment repair mends what this copy alone can; with --from REMOTE it brings back what is damaged or absent",
	problem.DoMend:             "muniment doctor --fix shows what is left behind, and removes it when you say so",
	problem.DoDoctor:           "muniment doctor checks the disk, the store and the ledger",
	problem.DoIndex:            "muniment index waits until everything can be searched",
	problem.DoFetch:            "muniment fetch {} brings an existing copy up to date",
	problem.DoCheckLog:         "muniment log check says more",
	problem.DoProveLog:         "muniment log prove writes one",
	problem.DoListKeys:         "muniment key list shows the keys that can sign",
	problem.DoTrustKey:         "muniment key trust FILE.pub --enrol trusts a key, from the next snapshot on",
	problem.DoNewAuditor:       "muniment key new --auditor {SCOPE} makes one",
	problem.DoMakeTrust:        "muniment key trust makes them",
	problem.DoDraftRoot:        "muniment key trust --root DIR begins one for this archive",
	problem.DoNamePayloadStore: "muniment remote payloads s3://BUCKET/PREFIX --endpoint URL names it",
	problem.DoCheckPayloads:    "muniment verify --remote-payloads lists what is absent or wrong there",

	accession.DoAddSource:      `muniment source add --url https://example.org/a --title "…" keeps a record alone`,
	accession.DoUnstage:        "muniment unstage NAME, or muniment unstage --all",
	history.DoListHolds:        "muniment hold lists what is held",
	history.DoReleaseHold:      "muniment hold --release {NAME} takes the hold away, when its authority agrees",
	history.DoAwaitCountersign: "take a key that may withdraw; or give --await-countersign, and let its custodian countersign: muniment snapshot --countersign --key FILE",
	history.DoShowPolicy:       "muniment draft profile policy prints the text in force, to begin from",

	engine.DoCiteNegative:  `muniment cite --negative --claim TEXT --query "words searched" [--artifact NAME --span p1…]`,
	engine.DoSearch:        "muniment search {WORDS} finds where it may be",
	engine.DoListCitations: "muniment citations lists them",
	engine.DoVerifyPending: "muniment citations --pending --verify asks again",
	engine.DoLink:          "muniment link {CITATION} {TYPE} {CITATION}",
	engine.DoListWorks:     "muniment bib NUMBER… lists citations by number, muniment bib --all every one; muniment citations lists them",
	engine.DoAddDoc:        "muniment source add-doc {FILE} registers it",
	engine.DoAddWeb:        "muniment source add-web {URL} registers it",
	engine.DoAddDB:         "muniment source add-db NAME --query SQL --content FILE",
	engine.DoAddCustom:     "muniment source add-custom NAME --content FILE --derived-from NAME",
	engine.DoShowSource:    "muniment source show {NUMBER}",
	engine.DoListSources:   "muniment source list lists them; muniment source add-doc FILE registers one",

	custody.DoListRemotes:  "muniment remote list shows them; muniment remote add NAME URL makes one",
	custody.DoRemakeRemote: "muniment remote remove {NAME}, then add it again",
	custody.DoJoin:         "muniment join {DIR}",

	draft.DoCheck:         "muniment draft check DRAFT.md --profile {NAME} says what is missing",
	engine.DoListProfiles: "muniment draft profile list names them; muniment draft profile show engine > mine.json writes one",
	engine.DoAddProfile:   "muniment draft profile add FILE.json writes it under its name",
	draft.DoReadBullet:    "muniment citations --synthesis 0 lists the checked texts; muniment citations --synthesis 1 --section prevailing --bullet 2, one bullet",
	answer.DoAskFirst:     `ask first, in this copy of the archive: muniment ask "QUESTION"`,
	answer.DoMore:         "muniment more {NUMBER}, or the number before a claim",

	audit.DoListClaims:    "muniment bundle show lists the claims with their numbers",
	audit.DoNarrowBundle:  "muniment bundle disclose {FILE.zip} --claims 1 -o part.zip makes it smaller",
	audit.DoFixity:        "muniment fixity",
	audit.DoForgetLost:    "put it back from a backup; muniment doctor --fix --forget goes on without it",
	audit.DoSecondKey:     "muniment key second --paper second-key.txt makes one to print",
	audit.DoRestoreLedger: "move archive.local/ledger.db and its -wal and -shm away and keep them; muniment ledger import FILE then fills a new ledger from a backup, and muniment ledger rebuild without one from the snapshot",
	server.DoListTokens:   "muniment token list lists them",
}

// leads are the acts whose words come after the advice.
var leads = map[problem.Action]bool{problem.DoGive: true, problem.DoDescribe: true, custody.DoJoin: true, engine.DoCite: true, engine.DoSearch: true, engine.DoShowSource: true}

// hintOf returns the words of a step: how to do it, and what to mind. A step
// that is empty leads to the list of commands.
func hintOf(s problem.Step) string {
	if s.IsZero() {
		return "muniment help"
	}
	return stepWords(s)
}

// stepWords returns the words of a step, "" for none.
func stepWords(s problem.Step) string {
	words := commandWords(s.Do, s.Args)
	if s.Other != nil {
		words = join(words, "; ", stepWords(*s.Other))
	}
	if leads[s.Do] {
		return join(s.Advice, ": ", words)
	}
	return join(words, "; ", s.Advice)
}

// join returns a and b with the joint between them, or the one that is not "".
func join(a, joint, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + joint + b
}

// commandWords returns the words of this program for an action on args, or ""
// where the program has none.
func commandWords(do problem.Action, args []string) string {
	switch do {
	case problem.DoGive:
		return "give" + flagWords(args)
	case engine.DoCite:
		return "muniment cite" + flagWords(withPlaceholders(args))
	case problem.DoReadOptions:
		return strings.Replace(commandOf[do], "{COMMAND}", strings.Join(args, " "), 1)
	case problem.DoDescribe:
		if len(args) == 0 {
			args = []string{"NAME", "title"}
		}
		return "muniment describe " + quoteArg(args[0]) + " " + describeFlags(args[1:]) + ", then muniment snapshot -m TEXT"
	}
	words := slot.ReplaceAllStringFunc(commandOf[do], func(word string) string {
		if len(args) == 0 {
			return strings.Trim(word, " {}")
		}
		filled := quoteArg(args[0])
		args = args[1:]
		return filled
	})
	return strings.ReplaceAll(words, "  ", " ")
}

// maxAgain is the longest call, in bytes, that a hint repeats.
const maxAgain = 200

// again returns this call with the options that it lacks, ready to be pasted: "" where it is
// long, or names an address, which may hold a secret.
func (p *program) again(options []string) string {
	call := "muniment"
	for i := 0; i < len(p.args); i++ {
		name, _, whole := strings.Cut(strings.TrimPrefix(p.args[i], "--"), "=")
		if name == "-C" {
			name = "dir"
		}
		at := slices.Index(options, name)
		switch {
		case strings.Contains(p.args[i], "://"):
			return ""
		case at < 0 || at%2 != 0 || !strings.HasPrefix(p.args[i], "-"):
			call += " " + shellWord(p.args[i])
		case !whole && options[at+1] != "":
			i++ // the value goes with its option
		}
	}
	if call += flagWords(options); len(call) > maxAgain {
		return ""
	}
	return call
}

var slot = regexp.MustCompile(`\{[A-Za-z.]*\}`)

// flagWords returns names and values in turn as flags; a value that the caller has to fill
// in is in capitals. DoGive has flags without a value: they are given alone.
func flagWords(args []string) string {
	var line strings.Builder
	for i := 0; i+1 < len(args); i += 2 {
		line.WriteString(" --" + args[i])
		if args[i+1] != "" {
			line.WriteString(" " + quoteArg(args[i+1]))
		}
	}
	return line.String()
}

// withPlaceholders returns names and values with a word in capitals for each empty value.
func withPlaceholders(args []string) []string {
	args = slices.Clone(args)
	for i := 0; i+1 < len(args); i += 2 {
		if args[i+1] == "" && args[i] == "artifact" {
			args[i+1] = "NAME"
		} else if args[i+1] == "" {
			args[i+1] = "TEXT"
		}
	}
	return args
}

// describeFlags returns the flags of describe for the fields that a paper lacks.
func describeFlags(missing []string) string {
	var out []string
	for _, m := range missing {
		switch m {
		case "title":
			out = append(out, "--title TEXT")
		case "creator or publisher":
			out = append(out, "--creator NAME")
		case "date":
			out = append(out, "--date 1931-04-02")
		case "url":
			out = append(out, "--url https://example.org/paper")
		case accession.DateAtHead:
			out = append(out, "--take-dates")
		}
	}
	return strings.Join(out, " ")
}

// quoteArg returns an argument of a step as one word of a shell. Runs of blanks
// become one space, which means the same in quotes, claims and names.
func quoteArg(s string) string { return shellWord(strings.Join(strings.Fields(s), " ")) }

// suggest writes the suggestion of a citation's verdict, and those of its
// warnings, in the words of this program.
func suggest(r *engine.CiteResult) {
	r.Suggestion = stepWords(r.Next)
	for i := range r.Warnings {
		r.Warnings[i].Suggestion = stepWords(r.Warnings[i].Next)
	}
}

// addHints puts the words of this program into the result of an add, before it
// is printed.
func addHints(r *accession.AddResult) {
	for i := range r.Skipped {
		if s := &r.Skipped[i]; !s.Next.IsZero() {
			s.Suggestion = stepWords(s.Next)
		}
	}
	for i := range r.Artifacts {
		if one := &r.Artifacts[i]; !one.Next.IsZero() {
			one.Note += ": " + stepWords(one.Next)
		}
	}
}

// Annotations of the command tree: whether a command opens an archive, and so
// whether a hint that names the command repeats the folder of -C.
const (
	noArchive       = "no-archive"    // opens none, unless one of the flags in the value is given
	noArchiveOfFile = "file-is-alone" // opens none when the first argument is a file
)

// withoutArchive marks a command that opens no archive, unless one of flags is
// given.
func withoutArchive(cmd *cobra.Command, flags ...string) *cobra.Command {
	cmd.Annotations = map[string]string{noArchive: strings.Join(flags, " ")}
	return cmd
}

// here returns the text with every call in it ready to be pasted: each that
// works on an archive names the one that this call named with -C. Nothing is
// needed where the environment or the place names it. Quoted words stay as they
// are.
func (p *program) here(s string) string {
	const program = "muniment "
	if p.tree == nil || p.dir == "" || p.dir == "." || !strings.Contains(s, program) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		starts := i == 0 || strings.IndexByte(" (=\n", s[i-1]) >= 0
		switch {
		case starts && quotedLen(s[i:]) > 0:
			n := quotedLen(s[i:])
			b.WriteString(s[i : i+n])
			i += n
		case starts && strings.HasPrefix(s[i:], program) && p.opensArchive(s[i+len(program):]):
			b.WriteString(program + "-C " + shellWord(p.dir) + " ")
			i += len(program)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// opensArchive reports whether a call, given by what follows the program's name,
// opens an archive.
func (p *program) opensArchive(call string) bool {
	call, _, _ = strings.Cut(call, ";")
	cmd, words := p.tree, strings.Fields(call)
	for len(words) > 0 {
		word := strings.TrimRight(words[0], ",.:)")
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
		if i < 0 {
			break
		}
		cmd = cmd.Commands()[i]
		if word != words[0] { // the sentence goes on after the command
			words = nil
			break
		}
		words = words[1:]
	}
	if cmd == p.tree || cmd.Parent() == p.tree && (cmd.GroupID == "" || cmd.GroupID == "tool") || len(words) > 0 && words[0] == "--help" {
		return false // a topic, the program itself, or only help
	}
	if flags, marked := cmd.Annotations[noArchive]; marked {
		return slices.ContainsFunc(strings.Fields(flags), func(flag string) bool { return slices.Contains(words, "--"+flag) })
	}
	if _, marked := cmd.Annotations[noArchiveOfFile]; marked && len(words) > 0 {
		return words[0] != "FILE" && !looksLikePath(words[0])
	}
	return true
}

// quotedLen returns the length of the quoted words that s begins with, quotes
// included, and 0 where there are none.
func quotedLen(s string) int {
	for _, quotes := range [][2]string{{"'", "'"}, {`"`, `"`}, {"“", "”"}} {
		inner, opens := strings.CutPrefix(s, quotes[0])
		if !opens {
			continue
		}
		for i := 0; i < len(inner); i++ {
			switch {
			case quotes[0] == `"` && inner[i] == '\\':
				i++
			case strings.HasPrefix(inner[i:], quotes[1]):
				return len(quotes[0]) + i + len(quotes[1])
			}
		}
	}
	return 0
}

// shellWord returns a word as a POSIX shell reads it, quoted where it has to be.
func shellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:+@%"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// alias lets a flag be given under the name that it had in the release before.
func alias(cmd *cobra.Command, old, name string) {
	f := *cmd.Flags().Lookup(name)
	f.Name, f.Shorthand, f.Hidden = old, "", true
	cmd.Flags().AddFlag(&f)
}
