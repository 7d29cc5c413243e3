// Command muniment keeps an archive whose citations can be proved.
//
// It is a thin surface over package muniment: every command reads its flags,
// calls one or two methods and prints the result, for people or with --json.
// Time, randomness, the environment and the terminal enter here and nowhere
// else. What it says on errors, and how, is in tui.go; where keys come from is
// in key.go.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cmd/muniment/background"
)

// How much garbage is let grow, in percent of what is in use, before it is
// collected. Fewer take less memory: a push of 100,000 artifacts has 64 MB.
// An add of 50,000 letters takes 190 MB at 120 and 160 MB at 60, but a tenth
// less processor time. A question in an archive of 1,000 letters takes 91 MB and 0.13 s at
// 400, 76 MB and 0.17 s at 60. GOGC, where it is set, has the last word.
const (
	gcPercent       = 60
	gcPercentAdd    = 120
	gcPercentAnswer = 400
)

func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// readerMemory is how much memory the collector lets a command use that reads a
// file from anybody: with the program itself, which takes 40 MB, it stays below
// 64 MB on the project's own bombs. Beyond it the collector only works harder.
const readerMemory = 20 << 20

// addMemory is the same for an add: a zip of 120,000 letters takes 265 MB and 13 s with it, 511 MB and 8 s without.
const addMemory = 190 << 20

// examineMemory is the same for an examination: with what is mapped of an archive of 10,000 letters a book of 600 pages stays below 256 MB.
const examineMemory = 150 << 20

// readsForeignFile makes the collector spare memory rather than time, and returns how that ends.
func readsForeignFile() (end func()) { return spareMemory(readerMemory) }

// spareMemory sets how many bytes the collector lets a command use, and returns how that ends. GOMEMLIMIT, where it is set, has the
// last word.
func spareMemory(limit int64) (end func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(before) }
}

func main() {
	collectAt(gcPercent)
	os.Exit(run(os.Args[1:]))
}

// run executes one command line and returns its exit code.
func run(args []string) (code int) {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	p := &program{
		world:   archive.World{Now: time.Now, Sleep: time.Sleep, Rand: rand.Reader, PID: os.Getpid(), Host: host},
		env:     os.Getenv,
		environ: os.Environ,
		stdin:   os.Stdin,
		stdout:  os.Stdout,
		stderr:  os.Stderr,
		aside:   background.Start,
	}
	defer func() {
		if v := recover(); v != nil {
			if os.Getenv("MUNIMENT_TRACE") != "" {
				panic(v)
			}
			code = p.fail(&problem.Error{Kind: problem.Internal, Message: fmt.Sprintf("a bug: %v", v),
				Next: problem.Advise("report it with the output of muniment version; MUNIMENT_TRACE=1 shows where it happened")})
		}
	}()
	ctx, stop := p.untilInterrupted()
	defer stop()
	return p.execute(ctx, args)
}

// grace is how long a command that was interrupted may take to end by itself:
// enough to remove its temporary files. Stopping it at any other moment loses
// nothing either, because an archive changes by the rename of one ref.
const grace = 2 * time.Second

// untilInterrupted returns a context that ends with the first signal. A
// command that does not watch it is stopped after the grace, or by a second
// signal.
func (p *program) untilInterrupted() (ctx context.Context, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-signals:
			cancel()
		}
		select {
		case <-ended:
		case <-signals:
			os.Exit(p.fail(interruptedError()))
		case <-time.After(grace + time.Duration(p.stopTime.Load())):
			os.Exit(p.fail(interruptedError()))
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(ended)
		cancel()
	}
}

// Exit codes of the command line; the same numbers in every error document.
const (
	exitOK          = 0
	exitNo          = 1   // it worked and the verdict is no
	exitUsage       = 2   // the call is wrong
	exitPartly      = 3   // partly done, or not checked
	exitNotAllowed  = 4   // not permitted
	exitRefused     = 5   // answer refused, with --fail-on-refusal
	exitEnvironment = 6   // disk, database, git, model
	exitNoArchive   = 10  // no archive here
	exitBusy        = 11  // another writer holds the archive
	exitKey         = 12  // no key, wrong key or wrong passphrase
	exitBug         = 70  // a defect of the program
	exitInterrupted = 130 // interrupted by the user
)

// codeOf gives the exit code of each kind of error that HasFound leaves open. An error
// that names its outcome exits by that, whatever its kind.
var codeOf = map[problem.Kind]int{
	problem.Usage: exitUsage, problem.ArchiveExists: exitUsage, problem.NotFound: exitUsage, problem.Ambiguous: exitUsage,
	problem.NoSnapshot: exitUsage, problem.SourceNotFound: exitUsage, problem.InvalidLocator: exitUsage, problem.Reasoning: exitUsage,
	problem.NoAuditor: exitUsage, problem.QuoteTooLong: exitUsage,
	problem.NoArchive: exitNoArchive, problem.Busy: exitBusy, problem.Key: exitKey, problem.NotPermitted: exitNotAllowed,
	problem.Environment: exitEnvironment, problem.Damaged: exitEnvironment, problem.AssemblyFailed: exitEnvironment,
	problem.Database: exitEnvironment, problem.Remote: exitEnvironment,
	problem.PartlyDone: exitPartly, problem.Timeout: exitPartly, problem.Unverified: exitPartly, problem.NotSearched: exitPartly,
	problem.Interrupted: exitInterrupted, problem.Internal: exitBug, problem.AnswerRefused: exitRefused,
}

// exitCode returns the exit code of an error.
func exitCode(e *problem.Error) int {
	switch {
	case e.HasFound():
		return exitNo
	case e.Outcome == problem.Misused:
		return exitUsage
	case e.Outcome == problem.Incomplete:
		return exitPartly
	}
	if code, known := codeOf[e.Kind]; known {
		return code
	}
	return exitBug
}
