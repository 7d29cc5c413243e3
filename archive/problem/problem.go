// Package problem has the errors that a person reads: a closed set of kinds, what is
// wrong in one line, and the next step as data. A program that has a command, a button
// or a call for a step says how to do it in its own words.
//
//	return problem.New(problem.NotFound, problem.Next(problem.DoList), "no artifact %s", id)
package problem

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"muniment/objects"
	"muniment/objects/disk"
)

// InterruptedError returns the error of a call that its context ended.
func InterruptedError() error {
	return New(Interrupted, Advise("run the same command again; what is already in is recognised"), "interrupted; nothing was staged")
}

// The kinds of errors, the closed set a program may branch on.
const (
	Usage           Kind = "Usage"
	NoArchive       Kind = "NoArchive"
	ArchiveExists   Kind = "ArchiveExists"
	Busy            Kind = "Busy"
	Key             Kind = "KeyUnusable"
	Environment     Kind = "Environment"
	NotFound        Kind = "NotFound"
	Ambiguous       Kind = "Ambiguous"
	PartlyDone      Kind = "PartlyDone"
	NothingToDo     Kind = "NothingToDo"
	NoSnapshot      Kind = "NoSnapshot"
	SourceNotFound  Kind = "SourceNotFound"
	InvalidLocator  Kind = "InvalidLocator"
	Verification    Kind = "VerificationFailed"
	Unverified      Kind = "Unverified" // nothing shows what has to be shown: that a claim follows from words, that a key signed before its end
	Reasoning       Kind = "ReasoningRequired"
	InvalidBundle   Kind = "InvalidBundle"
	Damaged         Kind = "Damaged"
	AssemblyFailed  Kind = "AssemblyFailed"
	Interrupted     Kind = "Interrupted"
	NotPermitted    Kind = "NotPermitted"
	NoAuditor       Kind = "NoAuditor"
	Internal        Kind = "Internal"
	AnswerRefused   Kind = "AnswerRefused"
	VerdictNegative Kind = "VerdictNegative"
	Timeout         Kind = "VerificationTimeout"
	Database        Kind = "DatabaseUnavailable"
	QuoteTooLong    Kind = "QuoteTooLong" // a warning, never a refusal
	Remote          Kind = "RemoteUnreachable"
	History         Kind = "HistoriesDisagree"
	NotSearched     Kind = "NotSearched" // a part of the snapshot was not searched: no verdict
)

// A Kind says what sort of failure an Error is.
type Kind string

// An Outcome says how a call ended that gave an error.
type Outcome string

// The outcomes; the zero Outcome leaves it to the kind.
const (
	Found      Outcome = "found"      // the call did its work, and what it found is wrong
	Misused    Outcome = "misused"    // the call itself has to be changed
	Incomplete Outcome = "incomplete" // a part of the work could not be done
)

// An Error is a failure that a person is told of: what is wrong, where, and
// what to do next. Programs that run commands turn Next into one.
type Error struct {
	Kind    Kind
	Message string        // one line: what, where, saw against wanted
	Next    Step          // never empty
	Outcome Outcome       // how the call ended, where the kind alone does not say
	Partial any           // what was done before the failure, or nil
	Err     error         // the cause, or nil
	Wait    time.Duration // after which the same call may succeed; 0 where that is not known
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Hint returns the next step, in the words of no program.
func (e *Error) Hint() string { return e.Next.String() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// HasFound reports whether the call did its work and found something wrong: by
// its outcome, or by a kind that means just that.
func (e *Error) HasFound() bool {
	switch e.Kind {
	case NothingToDo, Verification, InvalidBundle, VerdictNegative, History:
		return e.Outcome == "" || e.Outcome == Found
	}
	return e.Outcome == Found
}

// New returns an Error with the message that format and args give; %w wraps
// the cause.
func New(kind Kind, next Step, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Next: next, Err: errors.Unwrap(err)}
}

// Negative returns an Error of a call that did its work: a check that found
// damage, a search that found nothing.
func Negative(kind Kind, next Step, format string, args ...any) *Error {
	e := New(kind, next, format, args...)
	e.Outcome = Found
	return e
}

// Wrap returns the *Error of a failure of the disk, the store or the
// database; doing names what was under way. It returns nil for nil, and an error
// that is or wraps an *Error unchanged.
func Wrap(err error, doing string) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	if e := refusalOfDisk(err, doing); e != nil {
		return e
	}
	if errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrCorrupt) {
		return &Error{Kind: Damaged, Err: err,
			Message: doing + ": " + err.Error(),
			Next:    Next(DoRepair).Or(DoListDamage)}
	}
	return &Error{Kind: Environment, Err: err,
		Message: doing + ": " + err.Error(),
		Next:    Next(DoDoctor)}
}

// refusalOfDisk returns the *Error of a disk that is full, cannot be written or
// cannot be read, and nil where err is of something else.
func refusalOfDisk(err error, doing string) *Error {
	refused := func(message string, next Step) *Error {
		return &Error{Kind: Environment, Err: err, Message: message, Next: next}
	}
	switch {
	case disk.IsFull(err):
		return refused(doing+": the disk is full: "+err.Error(), Advise("make room on the disk, then run the same command again; what was acknowledged before is safe"))
	case errors.Is(err, syscall.EROFS):
		return refused(doing+": the disk is read-only: "+err.Error(), Advise(adviceReadOnly))
	case disk.IsReadOnly(err):
		return refused(doing+": this user may not: "+err.Error(), Advise("run it as the user whose archive it is, or give this one permission; nothing is known to be damaged"))
	case objects.IsUnreadable(err):
		return refused(doing+": cannot be read: "+err.Error(), Next(DoDoctor).With("look at the disk, and make a copy of what it still gives"))
	}
	return nil
}

// adviceReadOnly says what to do where nothing can be written.
const adviceReadOnly = "copy the archive to a disk that can be written and work there; reading needs no write"
