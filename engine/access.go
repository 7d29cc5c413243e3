package engine

import (
	"muniment/archive"
	"muniment/ledger"
)

// A Role says what a caller of the engine may do.
type Role string

// The four roles. Whoever holds the archive's folder is its administrator;
// the others are for servers that admit strangers.
const (
	RoleAgent   Role = "agent"
	RoleUser    Role = "user"
	RoleAuditor Role = "auditor"
	RoleAdmin   Role = "admin"
)

// A Caller is on whose behalf the engine works. The zero value is an
// administrator without a project.
//
// A caller with a project sees that project and no other, whatever its role:
// projects are separate namespaces of one ledger.
type Caller struct {
	Role    Role   // RoleAdmin when empty
	Session string // conversation or task
	Agent   string // the program; the archivist when empty
	User    string // on whose behalf
	Project string
}

// An act is something that a role may or may not do.
type Act string

const (
	ActCreate       Act = "create"        // register sources and citations, link, verify
	ActReadSource   Act = "read source"   // and list
	ActReadCitation Act = "read citation" // and list, claims and searches too
	ActAdmin        Act = "administer"    // sources of others, settings
)

// Owner is what an act is done to.
type Owner struct{ Project, Session, Agent string }

// access is the table of roles. Every method of the engine asks it, through
// may; nothing else decides.
var access = map[Role]map[Act]func(Caller, Owner) bool{
	RoleAgent: {
		ActCreate:       Caller.ownSession,
		ActReadSource:   Caller.sharedProject,
		ActReadCitation: Caller.ownCitation,
	},
	RoleUser: {
		ActReadSource:   Caller.sharedProject,
		ActReadCitation: Caller.ownProject,
	},
	RoleAuditor: {
		ActReadSource:   Caller.anyOf,
		ActReadCitation: Caller.anyOf,
	},
	RoleAdmin: {
		ActCreate:       Caller.anyOf,
		ActReadSource:   Caller.anyOf,
		ActReadCitation: Caller.anyOf,
		ActAdmin:        Caller.anyOf,
	},
}

// anyOf holds for everything in the caller's project, or in all without one.
func (c Caller) anyOf(o Owner) bool { return c.Project == "" || o.Project == c.Project }

// ownProject holds in the caller's project alone.
func (c Caller) ownProject(o Owner) bool { return o.Project == c.Project }

// sharedProject holds in the caller's project and for what belongs to none.
func (c Caller) sharedProject(o Owner) bool { return o.Project == c.Project || o.Project == "" }

// ownSession holds in the caller's own session of its project.
func (c Caller) ownSession(o Owner) bool {
	return o.Project == c.Project && c.Session != "" && o.Session == c.Session
}

// ownCitation holds for what the agent itself registered in its project: by
// name where it has one, else in its session.
func (c Caller) ownCitation(o Owner) bool {
	if o.Project != c.Project {
		return false
	}
	if c.Agent != "" {
		return o.Agent == c.Agent
	}
	return c.Session != "" && o.Session == c.Session
}

// May reports whether the caller may do something to something.
func (c Caller) May(what Act, to Owner) bool {
	rule := access[c.Role][what]
	return rule != nil && rule(c, to)
}

// Require is may as an error.
func (c Caller) Require(what Act, to Owner) error {
	if c.May(what, to) {
		return nil
	}
	hint := "an agent creates in its own session and reads its own citations, a user reads a project, an auditor reads all, an admin does all"
	if c.Role == RoleAgent && what == ActCreate && c.Session == "" {
		hint = "an agent needs a session: --session NAME"
	}
	return archive.Problem(archive.TypeNotPermitted, archive.Advise(hint), "role %s may not %s here", c.Role, what)
}

// Self is what the caller makes.
func (c Caller) Self() Owner { return Owner{c.Project, c.Session, c.Agent} }

// Narrow makes a filter of citations no wider than what the caller may read,
// so that pages are full. What comes out is asked of may all the same.
func (c Caller) Narrow(f ledger.Filter) ledger.Filter {
	if c.Project != "" {
		f.Project = c.Project
	}
	if c.Role == RoleAgent {
		if c.Agent != "" {
			f.Agent = c.Agent
		} else {
			f.Session = c.Session
		}
	}
	return f
}

func OwnerOf(c *ledger.Citation) Owner { return Owner{c.Project, c.Session, c.Agent} }
