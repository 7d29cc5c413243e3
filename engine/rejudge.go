package engine

import (
	"muniment/archive/problem"
	"muniment/cite"
	"muniment/judge"
	"muniment/ledger"
)

// A ChangedVerdict is a citation whose claim the rules of today judge otherwise than those by
// which it was registered.
type ChangedVerdict struct {
	Ordinal     int64
	Claim       string
	Before, Now cite.ClaimVerdict
}

// ChangedVerdicts returns the citations whose verdict was given by rules and would be another one by
// the rules of today. It writes nothing: a verdict that was given stays until the citation is
// verified again. Citations of records, and those that a model or a person judged, are left out.
func (cs Citations) ChangedVerdicts() ([]ChangedVerdict, error) {
	if cs.e == nil || cs.e.arch == nil {
		return nil, errNoArchive()
	}
	l, err := ledger.Find(cs.e.arch)
	if l == nil || err != nil {
		return nil, err
	}
	all, err := l.List(ledger.Filter{})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	var out []ChangedVerdict
	for i := range all {
		c := &all[i]
		if c.Verdict == "" || c.Judge != "" || c.Span == "" || c.Match == cite.NoWords || c.Relation == cite.MetadataFact || len(c.Inputs) > 0 {
			continue
		}
		now, known, err := cs.verdictNow(c)
		if err != nil {
			return nil, err
		}
		if known && now != c.Verdict {
			out = append(out, ChangedVerdict{c.Ordinal, c.Claim, c.Verdict, now})
		}
	}
	return out, nil
}

// verdictNow returns the verdict of today's rules on a citation's claim; false where its words
// are not there to be judged.
func (cs Citations) verdictNow(c *ledger.Citation) (cite.ClaimVerdict, bool, error) {
	_, ev, err := cs.recheck(c)
	if err != nil || ev.doc == nil || ev.span.IsZero() {
		return "", false, err
	}
	paper, err := cs.paperOfArtifact(c.Artifact)
	if err != nil {
		return "", false, err
	}
	p, err := judge.At(ev.doc, ev.span, paper)
	if err != nil {
		return "", false, problem.Wrap(err, "citation")
	}
	return judgeClaim(c.Claim, c.Relation, p).Verdict, true, nil
}
