package engine

import (
	"muniment/archive"
	"muniment/ledger"
)

// An Engine registers sources and citations for one caller. Its zero value
// answers every call with an error.
type Engine struct {
	arch   *archive.Archive
	caller Caller
}

// New returns the engine of an archive for a caller. The zero Caller is an
// administrator who acts as the archive's author.
func New(a *archive.Archive, c Caller) (*Engine, error) {
	if a == nil {
		return nil, errNoArchive()
	}
	if c.Role == "" {
		c.Role = RoleAdmin
	}
	if access[c.Role] == nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("agent, user, auditor or admin"), "role %q", archive.Printable(string(c.Role)))
	}
	if c.Role == RoleUser && c.Project == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Next(DoNameProject), "a user reads the citations of a project, and none is named")
	}
	for _, name := range []string{c.Session, c.Agent, c.User, c.Project} {
		if len(name) > ledger.MaxName {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("shorten the name"), "a name of %d bytes, want at most %d", len(name), ledger.MaxName)
		}
	}
	if c.Agent == "" && c.Role == RoleAdmin {
		c.Agent = a.World().Author
	}
	return &Engine{arch: a, caller: c}, nil
}

// Together runs fn with a copy of the archive, all of whose registrations are one
// transaction of the ledger. While a model judges, which takes long, each call has a
// transaction of its own, and fn gets the archive itself.
func Together(a *archive.Archive, fn func(*archive.Archive) error) error {
	if a.World().Judge != nil {
		return fn(a)
	}
	return a.LedgerTogether(fn)
}

// On returns the engine of the same caller on another archive, such as the copy that
// Together makes.
func (e *Engine) On(a *archive.Archive) *Engine {
	if e == nil {
		return nil
	}
	return &Engine{arch: a, caller: e.caller}
}

// Archive returns the archive that the engine cites.
func (e *Engine) Archive() *archive.Archive {
	if e == nil {
		return nil
	}
	return e.arch
}

// Caller returns who calls the engine.
func (e *Engine) Caller() Caller {
	if e == nil {
		return Caller{}
	}
	return e.caller
}

// require returns an error for an Engine that New did not make, and for what the
// caller's role does not permit.
func (e *Engine) require(what Act, to Owner) error {
	if e == nil || e.arch == nil {
		return errNoArchive()
	}
	return e.caller.Require(what, to)
}

// ledger returns the ledger of the archive.
func (e *Engine) ledger() (*ledger.Ledger, error) {
	if e == nil || e.arch == nil {
		return nil, errNoArchive()
	}
	return e.arch.Ledger()
}

// errNoArchive returns the error of an engine that New did not make.
func errNoArchive() error {
	return archive.Problem(archive.TypeNoArchive, archive.Advise("open an archive and make the engine with New"), "the citation engine has no archive")
}
