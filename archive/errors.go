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

func More(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return ", and 1 more"
	}
	return ", and " + strconv.Itoa(n) + " more"
}

func Interrupted() error {
	return &Error{Type: TypeInterrupted, Code: ExitInterrupted, Message: "interrupted; nothing was staged",
		Suggestion: "run the same command again; what is already in is recognised"}
}

func OneLineOf(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// Exit codes of the command line; the same numbers in every error document.
const (
	ExitOK          = 0
	ExitNo          = 1   // it worked and the verdict is no
	ExitUsage       = 2   // the call is wrong
	ExitPartly      = 3   // partly done, or not checked
	ExitNotAllowed  = 4   // not permitted
	ExitRefused     = 5   // answer refused, with --fail-on-refusal
	ExitEnvironment = 6   // disk, database, git, model
	ExitNoArchive   = 10  // no archive here
	ExitBusy        = 11  // another writer holds the archive
	ExitKey         = 12  // no key, wrong key or wrong passphrase
	ExitBug         = 70  // a defect of the program
	ExitInterrupted = 130 // interrupted by the user
)

// Error types, the closed set a program may branch on.
const (
	TypeUsage           = "Usage"
	TypeNoArchive       = "NoArchive"
	TypeArchiveExists   = "ArchiveExists"
	TypeBusy            = "Busy"
	TypeKey             = "KeyUnusable"
	TypeEnvironment     = "Environment"
	TypeNotFound        = "NotFound"
	TypeAmbiguous       = "Ambiguous"
	TypePartlyDone      = "PartlyDone"
	TypeNothingToDo     = "NothingToDo"
	TypeNoSnapshot      = "NoSnapshot"
	TypeSourceNotFound  = "SourceNotFound"
	TypeInvalidLocator  = "InvalidLocator"
	TypeVerification    = "VerificationFailed"
	TypeReasoning       = "ReasoningRequired"
	TypeInvalidBundle   = "InvalidBundle"
	TypeDamaged         = "Damaged"
	TypeAssemblyFailed  = "AssemblyFailed"
	TypeInterrupted     = "Interrupted"
	TypeNotPermitted    = "NotPermitted"
	TypeNoAuditor       = "NoAuditor"
	TypeInternal        = "Internal"
	TypeAnswerRefused   = "AnswerRefused"
	TypeVerdictNegative = "VerdictNegative"
	TypeTimeout         = "VerificationTimeout"
	TypeDatabase        = "DatabaseUnavailable"
	TypeQuoteTooLong    = "QuoteTooLong" // a warning, never a refusal
	TypeRemote          = "RemoteUnreachable"
	TypeHistory         = "HistoriesDisagree"
)

// An Error is a failure that a person is told of: what is wrong, where, and
// what to do next.
type Error struct {
	Type       string // one of the Type constants
	Message    string // one line: what, where, saw against wanted
	Suggestion string // one line: the next command; never empty
	Code       int    // one of the Exit constants
	Partial    any    // what was done before the failure, or nil
	Err        error  // the cause, or nil
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Problem builds an Error.
func Problem(typ string, code int, suggestion, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Type: typ, Code: code, Message: err.Error(), Suggestion: suggestion, Err: errors.Unwrap(err)}
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
		return &Error{Type: TypeDatabase, Code: ExitEnvironment, Err: err, Message: err.Error(),
			Suggestion: "check that the database runs and CITATION_DB_URL names it, then run the same command again; nothing was registered"}
	case errors.As(err, &newer):
		return &Error{Type: TypeEnvironment, Code: ExitEnvironment, Err: err, Message: err.Error(), Suggestion: newer.Hint()}
	}
	if errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrCorrupt) {
		return &Error{Type: TypeDamaged, Code: ExitEnvironment, Err: err,
			Message:    doing + ": " + err.Error(),
			Suggestion: "muniment repair --from REMOTE brings back what is damaged or absent; muniment verify lists it"}
	}
	return &Error{Type: TypeEnvironment, Code: ExitEnvironment, Err: err,
		Message:    doing + ": " + err.Error(),
		Suggestion: "muniment doctor checks the disk, the store and the ledger"}
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
