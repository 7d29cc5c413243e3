package ledger

import (
	"syscall"

	"muniment/archive/problem"
)

// Errors of a ledger are an *problem.Error to errors.As: each says itself what kind of failure it
// is and what to do next.

// asProblem sets target to a problem where it is asked for one.
func asProblem(target any, kind problem.Kind, err error, next problem.Step) bool {
	p, ok := target.(**problem.Error)
	if ok {
		*p = &problem.Error{Kind: kind, Err: err, Message: err.Error(), Next: next}
	}
	return ok
}

// As gives errors.As the problem: the database does not answer.
func (e *UnavailableError) As(target any) bool {
	return asProblem(target, problem.Database, e, problem.Advise("check that the database runs and CITATION_DB_URL names it, then run the same command again; nothing was registered"))
}

// As gives errors.As the problem: the ledger needs a newer program.
func (e *NewerSchemaError) As(target any) bool {
	return asProblem(target, problem.Environment, e, problem.Advise(e.Hint()))
}

// As gives errors.As the problem: a row is damaged.
func (e *DamagedRowError) As(target any) bool {
	return asProblem(target, problem.Damaged, e, problem.Next(problem.DoDoctor))
}

// readOnlyError is the type of ErrReadOnly, which is an EROFS to errors.Is.
type readOnlyError struct{}

func (readOnlyError) Error() string {
	return "it lies where nothing can be written, and can only be read"
}
func (readOnlyError) Is(target error) bool { return target == syscall.EROFS }
