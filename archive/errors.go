package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"muniment/answer/retrieve"
	"muniment/ledger"
	"muniment/objects"
)

func AndMore(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return ", and 1 more"
	}
	return ", and " + strconv.Itoa(n) + " more"
}

func InterruptedError() error {
	return &Error{Kind: TypeInterrupted, Message: "interrupted; nothing was staged",
		Next: Advise("run the same command again; what is already in is recognised")}
}

func OneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// The kinds of errors, the closed set a program may branch on.
const (
	TypeUsage           Kind = "Usage"
	TypeNoArchive       Kind = "NoArchive"
	TypeArchiveExists   Kind = "ArchiveExists"
	TypeBusy            Kind = "Busy"
	TypeKey             Kind = "KeyUnusable"
	TypeEnvironment     Kind = "Environment"
	TypeNotFound        Kind = "NotFound"
	TypeAmbiguous       Kind = "Ambiguous"
	TypePartlyDone      Kind = "PartlyDone"
	TypeNothingToDo     Kind = "NothingToDo"
	TypeNoSnapshot      Kind = "NoSnapshot"
	TypeSourceNotFound  Kind = "SourceNotFound"
	TypeInvalidLocator  Kind = "InvalidLocator"
	TypeVerification    Kind = "VerificationFailed"
	TypeReasoning       Kind = "ReasoningRequired"
	TypeInvalidBundle   Kind = "InvalidBundle"
	TypeDamaged         Kind = "Damaged"
	TypeAssemblyFailed  Kind = "AssemblyFailed"
	TypeInterrupted     Kind = "Interrupted"
	TypeNotPermitted    Kind = "NotPermitted"
	TypeNoAuditor       Kind = "NoAuditor"
	TypeInternal        Kind = "Internal"
	TypeAnswerRefused   Kind = "AnswerRefused"
	TypeVerdictNegative Kind = "VerdictNegative"
	TypeTimeout         Kind = "VerificationTimeout"
	TypeDatabase        Kind = "DatabaseUnavailable"
	TypeQuoteTooLong    Kind = "QuoteTooLong" // a warning, never a refusal
	TypeRemote          Kind = "RemoteUnreachable"
	TypeHistory         Kind = "HistoriesDisagree"
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
	Message string  // one line: what, where, saw against wanted
	Next    Step    // never empty
	Outcome Outcome // how the call ended, where the kind alone does not say
	Partial any     // what was done before the failure, or nil
	Err     error   // the cause, or nil
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// HasFound reports whether the call did its work and found something wrong: by
// its outcome, or by a kind that means just that.
func (e *Error) HasFound() bool {
	switch e.Kind {
	case TypeNothingToDo, TypeVerification, TypeInvalidBundle, TypeVerdictNegative, TypeHistory:
		return e.Outcome == "" || e.Outcome == Found
	}
	return e.Outcome == Found
}

// Problem returns an Error with the message that format and args give; %w wraps
// the cause.
func Problem(kind Kind, next Step, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Next: next, Err: errors.Unwrap(err)}
}

// Negative returns a Problem of a call that did its work: a check that found
// damage, a search that found nothing.
func Negative(kind Kind, next Step, format string, args ...any) *Error {
	e := Problem(kind, next, format, args...)
	e.Outcome = Found
	return e
}

// Environment wraps an error of the disk, the store or the database. An error
// that already speaks to people passes unchanged.
func Environment(err error, doing string) error {
	if err == nil {
		return nil
	}
	var told *Error
	if errors.As(err, &told) {
		return err
	}
	var away *ledger.UnavailableError
	var newer *ledger.NewerSchemaError
	var unreachable *retrieve.UnavailableError
	switch {
	case errors.As(err, &away), errors.As(err, &unreachable):
		return &Error{Kind: TypeDatabase, Err: err, Message: err.Error(),
			Next: Advise("check that the database runs and CITATION_DB_URL names it, then run the same command again; nothing was registered")}
	case errors.As(err, &newer):
		return &Error{Kind: TypeEnvironment, Err: err, Message: err.Error(), Next: Advise(newer.Hint())}
	}
	if errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrCorrupt) {
		return &Error{Kind: TypeDamaged, Err: err,
			Message: doing + ": " + err.Error(),
			Next:    Next(DoRepair).Or(DoListDamage)}
	}
	return &Error{Kind: TypeEnvironment, Err: err,
		Message: doing + ": " + err.Error(),
		Next:    Next(DoDoctor)}
}

// Reason says in a few words why a file could not be read.
func Reason(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}
