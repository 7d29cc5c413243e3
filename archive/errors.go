package archive

import (
	"errors"
	"fmt"
	"syscall"

	"muniment/answer/retrieve"
	"muniment/ledger"
	"muniment/objects"
	"muniment/objects/disk"
)

// InterruptedError returns the error of a call that its context ended.
func InterruptedError() error {
	return &Error{Kind: TypeInterrupted, Message: "interrupted; nothing was staged",
		Next: Advise("run the same command again; what is already in is recognised")}
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
	TypeUnverified      Kind = "Unverified" // nothing shows what has to be shown: that a claim follows from words, that a key signed before its end
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

// Environment returns the *Error of a failure of the disk, the store or the
// database; doing names what was under way. It returns nil for nil, and an error
// that is or wraps an *Error unchanged.
func Environment(err error, doing string) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	var away *ledger.UnavailableError
	var newer *ledger.NewerSchemaError
	var unreachable *retrieve.UnavailableError
	var row *ledger.DamagedRowError
	switch {
	case errors.As(err, &away), errors.As(err, &unreachable):
		return &Error{Kind: TypeDatabase, Err: err, Message: err.Error(),
			Next: Advise("check that the database runs and CITATION_DB_URL names it, then run the same command again; nothing was registered")}
	case errors.As(err, &row):
		return &Error{Kind: TypeDamaged, Err: err, Message: err.Error(), Next: Next(DoDoctor)}
	case errors.As(err, &newer):
		return &Error{Kind: TypeEnvironment, Err: err, Message: err.Error(), Next: Advise(newer.Hint())}
	}
	if e := refusalOfDisk(err, doing); e != nil {
		return e
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

// refusalOfDisk returns the *Error of a disk that is full, cannot be written or
// cannot be read, and nil where err is of something else.
func refusalOfDisk(err error, doing string) *Error {
	refused := func(message string, next Step) *Error {
		return &Error{Kind: TypeEnvironment, Err: err, Message: message, Next: next}
	}
	switch {
	case disk.IsFull(err), ledger.IsFull(err):
		return refused(doing+": the disk is full: "+err.Error(), Advise("make room on the disk, then run the same command again; what was acknowledged before is safe"))
	case errors.Is(err, ledger.ErrReadOnly):
		return refused(err.Error(), Advise(adviceReadOnly))
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

// A CheckProblem is a finding of a verification: a path that does not verify.
type CheckProblem struct {
	Seq    int64  `json:"seq"`
	Path   string `json:"path"`
	State  string `json:"state"` // failed, absent or not checked
	Reason string `json:"reason"`
}
