package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/engine"
)

// A program is one run of the command: its surroundings and global flags.
type program struct {
	world  archive.World
	env    func(string) string
	stdin  *os.File
	stdout *os.File
	stderr *os.File

	// aside starts another run that outlives this one; nil starts none.
	aside func(args ...string) error
	// serves says that this run goes on after the call that needs an index.
	serves bool

	tree *cobra.Command // the commands there are

	dir    string // -C
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
	root.SetArgs(args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	p.interrupted = ctx.Done()
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil && p.unprinted == nil:
		return exitOK
	case err == nil:
		err = &archive.Error{Kind: archive.TypeEnvironment, Message: "writing the result: " + p.unprinted.Error(),
			Next: archive.Advise("what was done is done; check the disk or the reader of this output"), Err: p.unprinted}
	}
	var problem *archive.Error
	if !errors.As(err, &problem) {
		problem = usageError(err, cmd)
		// The flag parser stops at the first wrong flag and may not have come
		// to this one.
		p.json = p.json || slices.Contains(args, "--json")
	}
	return p.fail(problem)
}

// interruptedError is the error of a command that was stopped from outside.
func interruptedError() *archive.Error {
	return &archive.Error{Kind: archive.TypeInterrupted, Message: "interrupted", Next: archive.Advise("run the same command again")}
}

// usageError wraps what the flag parser says.
func usageError(err error, cmd *cobra.Command) *archive.Error {
	hint := "muniment help lists the commands"
	if cmd.HasParent() {
		hint = cmd.CommandPath() + " --help shows its flags and an example"
	}
	if meant := likely(cmd, err); meant != "" {
		hint = "did you mean " + meant + "? " + hint
	}
	return &archive.Error{Kind: archive.TypeUsage, Message: firstLine(err.Error()), Next: archive.Advise(hint), Err: err}
}

// overview is what a command that only has sub-commands does.
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
func (p *program) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND|TOPIC]", Short: "Help on a command or a topic",
		Long: "Topics: exit-codes, environment, spans, json.", DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
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
				return &archive.Error{Kind: archive.TypeUsage, Message: "no command or topic is named " + joinArgs(args), Next: archive.Advise("muniment help lists them")}
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
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
			p.showVersion()
			return nil
		}
		return p.overview(cmd, args)
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	cobra.EnableCommandSorting = false // the order below is that of the work
	f := root.PersistentFlags()
	f.StringVarP(&p.dir, "dir", "C", "", "the archive's `DIR`; else MUNIMENT_DIR, else the nearest folder upwards")
	f.BoolVar(&p.json, "json", false, "print one JSON document on stdout")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "no progress")
	f.StringVar(&p.author, "author", "", "the archivist, \"Name <email>\"; else MUNIMENT_AUTHOR")
	root.AddGroup(
		&cobra.Group{ID: "start", Title: "Start"}, &cobra.Group{ID: "archive", Title: "Archive"},
		&cobra.Group{ID: "evidence", Title: "Evidence"}, &cobra.Group{ID: "audit", Title: "Audit"}, &cobra.Group{ID: "custody", Title: "Custody"},
		&cobra.Group{ID: "keys", Title: "Keys"}, &cobra.Group{ID: "move", Title: "Move"}, &cobra.Group{ID: "tool", Title: "Tool"})
	root.AddCommand(
		p.demoCommand(), p.initCommand(), p.doctorCommand(),
		p.addCommand(), p.describeCommand(), p.unstageCommand(), p.rereadCommand(), p.snapshotCommand(), p.statusCommand(), p.logCommand(), p.showCommand(), p.lsCommand(), p.diffCommand(), p.catCommand(), p.searchCommand(), p.indexCommand(),
		p.consentCommand(), p.withdrawCommand(), p.holdCommand(), p.tagCommand(), p.joinCommand(),
		p.sourceCommand(), p.citeCommand(), p.citationsCommand(), p.ledgerCommand(), p.claimsCommand(), p.linkCommand(), p.whyCommand(), p.askCommand(), p.bindCommand(), p.moreCommand(), p.budgetCommand(), p.refusalsCommand(), p.segmentCommand(), p.bibCommand(), p.checkCommand(), p.packCommand(), p.profileCommand(), p.serveCommand(), p.mcpCommand(),
		p.bundleCommand(), p.verifyCommand(), p.fixityCommand(),
		p.cloneCommand(), p.remoteCommand(), p.pushCommand(), p.fetchCommand(), p.syncCommand(), p.repairCommand(), hidden(p.receiptsCommand()),
		p.keyCommand(), p.tokenCommand(),
		p.importCommand(), p.exportCommand(),
		p.gcCommand(), p.answersCommand(), p.unlockCommand(), p.manCommand(), p.versionCommand(),
	)
	root.SetHelpCommand(p.helpCommand())
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
	p.addCompletions(root)
	root.SetHelpCommandGroupID("tool")
	root.SetCompletionCommandGroupID("tool")
	for _, topic := range helpTopics() {
		root.AddCommand(topic)
	}
	return root
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
		return "", &archive.Error{Kind: archive.TypeEnvironment, Message: "the current folder: " + err.Error(), Next: archive.Advise("name the archive with -C DIR"), Err: err}
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, archive.StoreDir)); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", &archive.Error{Kind: archive.TypeNoArchive,
				Message: "no archive here: no " + archive.StoreDir + " in this folder or above it",
				Next:    archive.Advise("muniment init DIR makes one; -C DIR or MUNIMENT_DIR names one")}
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
	a, err := archive.Open(dir, w)
	if err != nil {
		return nil, err
	}
	if _, err := engine.FinishSnapshot(a); err != nil {
		p.say("note: the ledger has not noted the newest snapshot yet: %s", archive.OneLine(err))
	}
	return a, nil
}

// surroundings is the world with the archivist's name filled in.
func (p *program) surroundings() archive.World {
	w := p.world
	if w.Author = p.author; w.Author == "" {
		w.Author = p.env("MUNIMENT_AUTHOR")
	}
	if w.Author == "" {
		w.Author = "Archivist <archivist@archive.invalid>"
	}
	return w
}
