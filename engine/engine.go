package engine

import (
	"cmp"
	"context"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
	"muniment/text/legible"
)

// An Engine registers citations for one caller; its Sources, Citations and Reviews are what else the
// caller may do. Its zero value answers every call with an error.
type Engine struct {
	arch   *archive.Archive
	caller Caller
	reader search.Reader // whom searches and look-ups are for
	group  *Group        // of the registrations, nil for each a transaction of its own
}

// Sources are the sources of an archive for one caller: registered, described and listed.
type Sources struct{ e *Engine }

// Citations are the registered citations that a caller may see: found, listed, shown and judged by
// the rules of today.
type Citations struct{ e *Engine }

// Reviews are the signed words of persons on the citations that a caller may see: the queue of
// citations to review, the reviews themselves, and their weight.
type Reviews struct{ e *Engine }

// Sources returns the sources of the archive.
func (e *Engine) Sources() Sources { return Sources{e} }

// Citations returns the citations of the ledger and of the newest snapshot.
func (e *Engine) Citations() Citations { return Citations{e} }

// Reviews returns the reviews of citations.
func (e *Engine) Reviews() Reviews { return Reviews{e} }

// New returns the engine of an archive for a caller. The zero Caller is an
// administrator who acts as the archive's author.
func New(a *archive.Archive, c Caller) (*Engine, error) {
	if a == nil {
		return nil, errNoArchive()
	}
	c.Role = cmp.Or(c.Role, RoleAdmin)
	if rules[c.Role] == nil {
		return nil, problem.New(problem.Usage, problem.Advise("agent, user, auditor or admin"), "role %q", legible.Printable(string(c.Role)))
	}
	if c.Role == RoleUser && c.Project == "" {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "project", "NAME"), "a user reads the citations of a project, and none is named")
	}
	for _, name := range []string{c.Session, c.Agent, c.User, c.Project} {
		if len(name) > ledger.MaxName {
			return nil, problem.New(problem.Usage, problem.Advise("shorten the name"), "a name of %d bytes, want at most %d", len(name), ledger.MaxName)
		}
	}
	if c.Agent == "" && c.Role == RoleAdmin {
		c.Agent = a.World().Author
	}
	return &Engine{arch: a, caller: c}, nil
}

// A Group is registrations in the ledger of an archive that are one transaction. It is
// for one goroutine.
type Group struct {
	archive *archive.Archive
	ledger  *ledger.Ledger // nil for that of the archive: each call is a transaction
}

// Together runs fn with a group: all that fn registers in it is on disk when Together
// returns nil, nothing where it returns an error. The group ends with fn. While a model
// judges, which takes long, each call has a transaction of its own.
func Together(a *archive.Archive, fn func(*Group) error) error {
	if a.World().Judge != nil {
		return fn(&Group{archive: a})
	}
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	return problem.Wrap(l.Together(func(l *ledger.Ledger) error { return fn(&Group{archive: a, ledger: l}) }), "ledger")
}

// In returns the engine of the same caller and reader that registers in a group, or the
// engine itself for nil.
func (e *Engine) In(g *Group) *Engine {
	if e == nil || g == nil {
		return e
	}
	return &Engine{arch: g.archive, caller: e.caller, reader: e.reader, group: g}
}

// For returns the engine of the same caller whose searches and references are
// those of a reader: what the reader may not know of is answered like what is not there.
func (e *Engine) For(r search.Reader) *Engine {
	if e == nil {
		return nil
	}
	return &Engine{arch: e.arch, caller: e.caller, reader: r, group: e.group}
}

// Reader returns the reader of the engine, the zero one unless For set it.
func (e *Engine) Reader() search.Reader {
	if e == nil {
		return search.Reader{}
	}
	return e.reader
}

// Catalog returns the catalogue of a tree as the reader of the engine may know it.
func (e *Engine) Catalog(tree objects.Hash) *holdings.Catalog {
	if e == nil {
		return &holdings.Catalog{}
	}
	return e.arch.CatalogFor(tree, e.reader.Door())
}

// SeesCitation reports whether the reader of the engine may see words of the artifact that
// a citation cites, as a catalogue has it.
func (e *Engine) SeesCitation(c *holdings.Catalog, one *ledger.Citation) (bool, error) {
	if e == nil || c == nil || one == nil {
		return false, nil
	}
	return e.permits(c, one, func(p policy.Permission) bool { return p.Display })
}

// permits reports whether the reader of the engine has a permission of the artifact that a
// citation cites.
func (e *Engine) permits(c *holdings.Catalog, one *ledger.Citation, has func(policy.Permission) bool) (bool, error) {
	id, err := cid.Parse(one.Artifact)
	if e.reader.Door().SeesAll() || err != nil {
		return true, nil
	}
	art, err := c.Artifact(id)
	if err == nil && art == nil { // a fact of a record is cited by the record's id
		var at holdings.Place
		at, _, err = c.FindPlace(id)
		art = at.Artifact
	}
	if err != nil || art == nil {
		return err == nil && id.Codec() == cid.JSON, err
	}
	perm, err := e.reader.View.Permission(art.ID, "")
	return has(perm), problem.Wrap(err, "policy")
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

// ledger returns the ledger of the archive, or that of the group.
func (e *Engine) ledger() (*ledger.Ledger, error) {
	if e == nil || e.arch == nil {
		return nil, errNoArchive()
	}
	if e.group != nil && e.group.ledger != nil {
		return e.group.ledger, nil
	}
	return ledger.Of(e.arch)
}

// Ping returns an error if the ledger of an archive cannot be asked.
func Ping(ctx context.Context, a *archive.Archive) error {
	if a == nil {
		return errNoArchive()
	}
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	return l.Ping(ctx)
}

// errNoArchive returns the error of an engine that New did not make.
func errNoArchive() error {
	return problem.New(problem.NoArchive, problem.Advise("open an archive and make the engine with New"), "the citation engine has no archive")
}
