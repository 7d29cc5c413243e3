package muniment

import (
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
type act string

const (
	actCreate       act = "create"        // register sources and citations, link, verify
	actReadSource   act = "read source"   // and list
	actReadCitation act = "read citation" // and list, claims and searches too
	actAdmin        act = "administer"    // sources of others, settings
)

// owned is what an act is done to.
type owned struct{ project, session, agent string }

// access is the table of roles. Every method of the engine asks it, through
// may; nothing else decides.
var access = map[Role]map[act]func(Caller, owned) bool{
	RoleAgent: {
		actCreate:       Caller.ownSession,
		actReadSource:   Caller.sharedProject,
		actReadCitation: Caller.ownCitation,
	},
	RoleUser: {
		actReadSource:   Caller.sharedProject,
		actReadCitation: Caller.ownProject,
	},
	RoleAuditor: {
		actReadSource:   Caller.anyOf,
		actReadCitation: Caller.anyOf,
	},
	RoleAdmin: {
		actCreate:       Caller.anyOf,
		actReadSource:   Caller.anyOf,
		actReadCitation: Caller.anyOf,
		actAdmin:        Caller.anyOf,
	},
}

// anyOf holds for everything in the caller's project, or in all without one.
func (c Caller) anyOf(o owned) bool { return c.Project == "" || o.project == c.Project }

// ownProject holds in the caller's project alone.
func (c Caller) ownProject(o owned) bool { return o.project == c.Project }

// sharedProject holds in the caller's project and for what belongs to none.
func (c Caller) sharedProject(o owned) bool { return o.project == c.Project || o.project == "" }

// ownSession holds in the caller's own session of its project.
func (c Caller) ownSession(o owned) bool {
	return o.project == c.Project && c.Session != "" && o.session == c.Session
}

// ownCitation holds for what the agent itself registered in its project: by
// name where it has one, else in its session.
func (c Caller) ownCitation(o owned) bool {
	if o.project != c.Project {
		return false
	}
	if c.Agent != "" {
		return o.agent == c.Agent
	}
	return c.Session != "" && o.session == c.Session
}

// may reports whether the caller may do something to something.
func (c Caller) may(what act, to owned) bool {
	rule := access[c.Role][what]
	return rule != nil && rule(c, to)
}

// must is may as an error.
func (c Caller) must(what act, to owned) error {
	if c.may(what, to) {
		return nil
	}
	hint := "an agent creates in its own session and reads its own citations, a user reads a project, an auditor reads all, an admin does all"
	if c.Role == RoleAgent && what == actCreate && c.Session == "" {
		hint = "an agent needs a session: --session NAME"
	}
	return problem(TypeNotPermitted, ExitNotAllowed, hint, "role %s may not %s here", c.Role, what)
}

// self is what the caller makes.
func (c Caller) self() owned { return owned{c.Project, c.Session, c.Agent} }

// narrow makes a filter of citations no wider than what the caller may read,
// so that pages are full. What comes out is asked of may all the same.
func (c Caller) narrow(f ledger.Filter) ledger.Filter {
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

func ownerOf(c *ledger.Citation) owned { return owned{c.Project, c.Session, c.Agent} }
