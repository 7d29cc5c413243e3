package engine

import (
	"muniment/archive/problem"
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

// A Caller is the party that the engine works for. The zero value is an
// administrator without a project.
//
// Projects are separate namespaces of one ledger. An agent reads the sources of all of
// them and its own citations, a user what its project has; auditors read and
// administrators do everything, and the project that they name is the one they make
// things in and list.
type Caller struct {
	Role    Role   // RoleAdmin when empty
	Session string // conversation or task
	Agent   string // the program; the archivist when empty
	User    string // on whose behalf
	Project string

	Account string // the token or process that calls: what it adds is noted as its own, so that it may ask for a snapshot of it; empty, and nothing is noted
}

// An Act is a kind of access that a role has or does not have.
type Act string

const (
	ActCreate       Act = "create"        // register sources and citations, link, verify
	ActReadSource   Act = "read source"   // and list
	ActReadCitation Act = "read citation" // and list, claims and searches too
	ActReview       Act = "review"        // say, as a person, whether a claim follows
	ActAdmin        Act = "administer"    // sources of others, settings
)

// An Owner is whom a source, a citation or a search record belongs to: what an act
// is judged by.
type Owner struct{ Project, Session, Agent string }

// rules has a rule for each act of each role. Every method of the engine asks it,
// through May; nothing else decides.
var rules = map[Role]map[Act]func(Caller, Owner) bool{
	RoleAgent: {
		ActCreate:       Caller.isOfSession,
		ActReadSource:   Caller.reachesAll,
		ActReadCitation: Caller.isAuthor,
	},
	RoleUser: {
		ActReadSource:   Caller.sharesProject,
		ActReadCitation: Caller.isOfProject,
		ActReview:       Caller.isOfProject,
	},
	RoleAuditor: {
		ActReadSource:   Caller.reachesAll,
		ActReadCitation: Caller.reachesAll,
		ActReview:       Caller.reachesAll,
	},
	RoleAdmin: {
		ActCreate:       Caller.reachesAll,
		ActReadSource:   Caller.reachesAll,
		ActReadCitation: Caller.reachesAll,
		ActReview:       Caller.reachesAll,
		ActAdmin:        Caller.reachesAll,
	},
}

// reachesAll reports true: the role is limited by no project.
func (c Caller) reachesAll(Owner) bool { return true }

// isOfProject reports whether o is in the caller's project.
func (c Caller) isOfProject(o Owner) bool { return o.Project == c.Project }

// sharesProject reports whether o is in the caller's project or in none.
func (c Caller) sharesProject(o Owner) bool { return o.Project == c.Project || o.Project == "" }

// isOfSession reports whether o is in the caller's session of its project.
func (c Caller) isOfSession(o Owner) bool {
	return o.Project == c.Project && c.Session != "" && o.Session == c.Session
}

// isAuthor reports whether the agent itself registered o in its project: by name
// where it has one, else in its session.
func (c Caller) isAuthor(o Owner) bool {
	if o.Project != c.Project {
		return false
	}
	if c.Agent != "" {
		return o.Agent == c.Agent
	}
	return c.Session != "" && o.Session == c.Session
}

// May reports whether the caller may do an act to what an owner has.
func (c Caller) May(what Act, to Owner) bool {
	rule := rules[c.Role][what]
	return rule != nil && rule(c, to)
}

// Require returns an error of kind NotPermitted where May reports false.
func (c Caller) Require(what Act, to Owner) error {
	if c.May(what, to) {
		return nil
	}
	next := problem.Advise("an agent creates in its own session and reads its own citations, a user reads a project, an auditor reads all, an admin does all")
	if c.Role == RoleAgent && what == ActCreate && c.Session == "" {
		next = problem.Next(problem.DoGive, "session", "NAME")
	}
	return problem.New(problem.NotPermitted, next, "role %s may not %s here", c.Role, what)
}

// Self returns the owner of what the caller makes.
func (c Caller) Self() Owner { return Owner{c.Project, c.Session, c.Agent} }

// Narrow returns the filter reduced to citations that the caller may read, so that
// pages are full. Each citation that it lets through is still checked with May. An
// auditor or administrator of a project lists it, and another where the filter names
// one.
func (c Caller) Narrow(f ledger.Filter) ledger.Filter {
	if c.Project != "" && (f.Project == "" || c.Role != RoleAuditor && c.Role != RoleAdmin) {
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

// OwnerOf returns the owner of a citation.
func OwnerOf(c *ledger.Citation) Owner { return Owner{c.Project, c.Session, c.Agent} }
