package engine

import (
	"fmt"
	"slices"
	"time"

	"muniment/archive/problem"
	"muniment/ledger"
	"muniment/text/legible"
)

// A LinkResult is a link between two citations.
type LinkResult struct {
	From      int64  `json:"from"`
	Type      string `json:"type"` // supports, contradicts, extends, supersedes
	To        int64  `json:"to"`
	CreatedAt string `json:"created_at"`
}

// Link links the citation from, a number or ID, to another one: supports,
// contradicts, extends or supersedes. Links are append-only; an equal one again
// adds nothing.
func (e *Engine) Link(from, typ, to string) (*LinkResult, error) {
	a, l, err := e.Citations().Find(from)
	if err != nil {
		return nil, err
	}
	b, _, err := e.Citations().Find(to)
	if err != nil {
		return nil, err
	}
	if err := e.caller.Require(ActCreate, Owner{a.Project, e.caller.Session, a.Agent}); err != nil {
		return nil, err
	}
	if a.Project != b.Project {
		return nil, problem.New(problem.NotPermitted, problem.Advise("link citations of one project"), "citations %d and %d are of different projects", a.Ordinal, b.Ordinal)
	}
	if !slices.Contains(ledger.LinkTypes[:], typ) {
		return nil, problem.New(problem.Usage, problem.Advise("supports, contradicts, extends or supersedes"), "link %q", legible.Printable(typ))
	}
	k := ledger.Link{Time: e.arch.World().Now(), From: a.Ordinal, To: b.Ordinal, Type: typ, Agent: e.caller.Agent, Session: e.caller.Session}
	switch {
	case k.From == k.To:
		return nil, problem.New(problem.Usage, problem.Advise("name two citations"), "citation %d cannot be linked to itself", k.From)
	case typ == "supersedes" && k.From < k.To:
		return nil, problem.New(problem.Usage, problem.Next(DoLink, fmt.Sprint(k.To), typ, fmt.Sprint(k.From)), "citation %d is older than %d and cannot supersede it", k.From, k.To)
	}
	if err := l.AddLink(k); err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	return &LinkResult{From: k.From, Type: typ, To: k.To, CreatedAt: k.Time.UTC().Format(time.RFC3339)}, nil
}
