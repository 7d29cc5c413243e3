package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/text/legible"
)

// A program is one run of the command: its surroundings and global flags.
type program struct {
	world archive.World
	env   func(string) string
	// environ lists the environment as NAME=value; nil for none.
	environ func() []string
	stdin   *os.File
	stdout  *os.File
	stderr  *os.File

	// aside starts another run that outlives this one; nil starts none.
	aside func(args ...string) error
	// serves says that this run goes on after the call that needs an index.
	serves bool
	// stopTime is how many nanoseconds serve gives the calls under way after a signal.
	stopTime atomic.Int64

	tree *cobra.Command // the commands there are
	args []string       // this call

	dir    string   // -C, the last one
	dirs   []string // every -C: examine takes several
	json   bool
	quiet  bool
	author string

	printed     bool            // a document went to stdout
	unprinted   error           // the first failure to write to stdout
	interrupted <-chan struct{} // closed when the user wants to stop
}

// execute runs one command line.
func (p *program) execute(ctx context.Context, args []string) int {
	root := p.root()
	p.tree = root
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // cobra keeps completions until the process ends
		p.addCompletions(root)
	}
	p.args = args
	root.SetArgs(args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	p.interrupted = ctx.Done()
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil && p.unprinted == nil:
		return exitOK
	case err == nil:
		err = &problem.Error{Kind: problem.Environment, Message: "writing the result: " + p.unprinted.Error(),
			Next: problem.Advise("what was done is done; check the disk or the reader of this output"), Err: p.unprinted}
	}
	var failure *problem.Error
	if !errors.As(err, &failure) {
		failure = usageError(err, cmd)
		// The flag parser stops at the first wrong flag and may not have come
		// to this one.
		p.json = p.json || slices.Contains(args, "--json")
	}
	return p.fail(failure)
}

// interruptedError is the error of a command that was stopped from outside.
func interruptedError() *problem.Error {
	return &problem.Error{Kind: problem.Interrupted, Message: "interrupted", Next: problem.Advise("run the same command again")}
}

// misuse returns the error of a wrong call; the hint says which call is right.
func misuse(message, hint string) *problem.Error {
	return &problem.Error{Kind: problem.Usage, Message: message, Next: problem.Advise(hint)}
}

// usageError wraps what the flag parser says.
func usageError(err error, cmd *cobra.Command) *problem.Error {
	hint := "muniment help commands lists the commands"
	if cmd.HasParent() {
		hint = cmd.CommandPath() + " --help shows its flags and an example"
	}
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 && callFor(args[0]) != "" {
		hint = callFor(args[0])
	} else if meant := likely(cmd, err); meant != "" {
		hint = "did you mean " + meant + "? " + hint
	}
	return &problem.Error{Kind: problem.Usage, Message: firstLine(err.Error()), Next: problem.Advise(hint), Err: err}
}

// overview lists the sub-commands of a command that only has sub-commands.
func (p *program) overview(cmd *cobra.Command, _ []string) error {
	if !p.json {
		return cmd.Help()
	}
	lines := []commandLine{}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			lines = append(lines, commandLine{c.CommandPath(), c.Short})
		}
	}
	p.document("help", commandList{lines})
	return nil
}

// helpCommand is help COMMAND; unlike cobra's own it is an error to ask for
// help on what is not there.
func newHelpCommand(p *program) *cobra.Command {
	var manual string
	help := &cobra.Command{
		Use: "help [COMMAND|TOPIC]", Short: "Help on a command or a topic",
		Long: "Topics: commands, exit-codes, environment, spans, json.", DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if manual != "" && len(args) == 0 {
				return writeManual(p, cmd.Root(), manual)
			}
			if len(args) == 2 && args[0] == "json" {
				schema, err := messageSchema(args[1])
				if err != nil {
					return err
				}
				p.raw(schema)
				return nil
			}
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return misuse("no command or topic is named "+strings.Join(args, " "), "muniment help commands lists them")
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
	help.Flags().StringVar(&manual, "man", "", "write the manual pages, in roff, into the folder `DIR`, which a package puts into share/man/man1")
	return help
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// exitCodes is the one line about them in the help of each command.
const exitCodes = "Exit codes: muniment help exit-codes"

// root builds the command tree.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "muniment",
		Short:         "an archive whose citations can be proved",
		Long:          "Muniment keeps artifacts under their hashes in signed snapshots, and answers\nquestions with citations that anybody can verify offline.\n\nBegin with: muniment demo",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
	}
	version := root.Flags().Bool("version", false, "print the version, as muniment version does")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version {
			showVersion(p)
			return nil
		}
		return p.overview(cmd, args)
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	cobra.EnableCommandSorting = false // the order below is that of the work
	f := root.PersistentFlags()
	f.VarP((*archiveDirs)(p), "dir", "C", "the archive's `DIR`; else MUNIMENT_DIR, else the nearest folder upwards")
	f.BoolVar(&p.json, "json", false, "print one JSON document on stdout")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "no progress")
	f.StringVar(&p.author, "author", "", "the archivist, \"Name <email>\"; else MUNIMENT_AUTHOR")
	for _, t := range trades {
		root.AddGroup(&cobra.Group{ID: strings.ToLower(t), Title: t})
	}
	root.AddGroup(&cobra.Group{ID: oldNames, Title: "Names of before"})
	root.AddCommand(
		newDemoCommand(p), newInitCommand(p), newDoctorCommand(p), newUpgradeCommand(p),
		newAddCommand(p), newDescribeCommand(p), newUnstageCommand(p), newSnapshotCommand(p), newStatusCommand(p), newLogCommand(p), newShowCommand(p),
		newLsCommand(p), newDiffCommand(p), newCatCommand(p), newSearchCommand(p), newIndexCommand(p), newTagCommand(p), newJoinCommand(p),
		newConsentCommand(p), newPersonsCommand(p), newWithdrawCommand(p), newHoldCommand(p), newFixityCommand(p),
		newSourceCommand(p), newCiteCommand(p), newCitationsCommand(p), newClaimsCommand(p), newLinkCommand(p), newWhyCommand(p), newReviewCommand(p), newBibCommand(p),
		newExamineCommand(p), newDraftCommand(p),
		newAskCommand(p), newBindCommand(p), newMoreCommand(p), newAnswersCommand(p),
		newVerifyCommand(p), newBundleCommand(p), newCertifyCommand(p),
		newCloneCommand(p), newRemoteCommand(p), newPushCommand(p), newFetchCommand(p), newSyncCommand(p), newRepairCommand(p),
		newImportCommand(p), newExportCommand(p), newLedgerCommand(p),
		newKeyCommand(p), newTokenCommand(p), newServeCommand(p), newMcpCommand(p),
		newVersionCommand(p),

		p.renamed(newCheckCommand(p), "draft check"), p.renamed(newSegmentCommand(p), "draft segment"),
		p.renamed(newPackCommand(p), "draft pack"), p.renamed(newProfileCommand(p), "draft profile"),
		p.renamed(newRefusalsCommand(p), "answers refusals"), p.renamed(newBudgetCommand(p), "answers budget"),
		p.renamed(newReceiptsCommand(p), "remote receipts"), p.renamed(newRereadCommand(p), "describe --reread"), p.renamed(newGcCommand(p), "doctor --fix"),
		p.renamed(newManCommand(p), "help --man"),
	)
	root.SetHelpCommand(newHelpCommand(p))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if !p.json {
			text := strings.Trim(cmd.Long, "\n") + "\n\n" // the first line of a list is indented
			if cmd.Runnable() || cmd.HasSubCommands() {
				text += cmd.UsageString()
			}
			fmt.Fprintln(cmd.OutOrStdout(), strings.TrimRight(wrapHelp(text, p.helpColumns()), "\n"))
			return
		}
		p.document("help", helpPage{cmd.CommandPath(), cmd.Long, cmd.UsageString()})
	})
	root.SetHelpCommandGroupID("tool")
	root.SetCompletionCommandGroupID("tool")
	for _, topic := range helpTopics() {
		root.AddCommand(topic)
	}
	root.AddCommand(&cobra.Command{Use: "commands", Short: "all commands, by trade", Long: byTrade(root)})
	root.SetUsageTemplate("{{if .HasParent}}" + root.UsageTemplate() + "{{else}}" + firstScreen(root) + "{{end}}")
	return root
}

// archiveDirs is the flag -C of a program.
type archiveDirs program

func (d *archiveDirs) String() string { return d.dir }
func (d *archiveDirs) Type() string   { return "string" }
func (d *archiveDirs) Set(dir string) error {
	d.dir, d.dirs = dir, append(d.dirs, dir)
	return nil
}

// command fills in what every command has: its group, where its help
// says what exit codes mean, and a check that no argument is left over.
func command(group, use, short, long, example string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	return &cobra.Command{
		GroupID: group, Use: use, Short: short,
		Long:    short + ".\n\n" + strings.TrimSpace(long) + "\n\n" + exitCodes,
		Example: indent(example), Args: withUsage(args), RunE: run,
		DisableFlagsInUseLine: true,
	}
}

// withUsage says in the words of the usage line what is wrong with the number of
// arguments.
func withUsage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil || cmd.HasSubCommands() {
			return err
		}
		return fmt.Errorf("%s was given %s; the call is: %s", cmd.CommandPath(), count(len(args), "argument"), cmd.UseLine())
	}
}

func indent(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = "  " + strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// archiveDir finds the archive: -C, MUNIMENT_DIR, or the nearest folder
// upwards that holds archive.git.
func (p *program) archiveDir() (string, error) {
	if p.dir != "" {
		return p.dir, nil
	}
	if dir := p.env("MUNIMENT_DIR"); dir != "" {
		return dir, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", &problem.Error{Kind: problem.Environment, Message: "the current folder: " + err.Error(), Next: problem.Advise("name the archive with -C DIR"), Err: err}
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, archive.StoreDir)); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", &problem.Error{Kind: problem.NoArchive,
				Message: "no archive here: no " + archive.StoreDir + " in this folder or above it",
				Next:    problem.Advise("muniment init DIR makes one; -C DIR or MUNIMENT_DIR names one")}
		}
	}
}

// open opens the archive that the flags, the environment or the place name.
func (p *program) open() (*archive.Archive, error) {
	dir, err := p.archiveDir()
	if err != nil {
		return nil, err
	}
	w := p.surroundings()
	w.LedgerURL = p.env("CITATION_DB_URL")
	if err := p.addModels(&w); err != nil {
		return nil, err
	}
	update, end := p.progress("holdings index")
	w.Indexing = func(done, total int) {
		if update(done, total); done == total {
			end()
		}
	}
	w.IndexAside = p.indexBeside()
	w.Migrating = func(m archive.Migration) {
		p.say("note: the ledger %s is brought from schema %d to %d; as it was it is kept in %s until this change is on disk", legible.Printable(m.Path), m.From, m.To, legible.Printable(m.Copy))
	}
	a, err := archive.Open(dir, w)
	if err != nil {
		return nil, err
	}
	if _, err := engine.FinishSnapshot(a); err != nil {
		p.say("note: the ledger has not noted the newest snapshot yet: %s", legible.OneLine(err))
	}
	return a, nil
}

// surroundings is the world with the archivist's name filled in.
func (p *program) surroundings() archive.World {
	w := p.world
	if w.Author = p.author; w.Author == "" {
		w.Author = p.env("MUNIMENT_AUTHOR")
	}
	w.Author = cmp.Or(w.Author, "Archivist <archivist@archive.invalid>")
	return w
}
