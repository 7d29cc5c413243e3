package engine

import (
	"fmt"
	"slices"
	"time"

	"muniment/archive/problem"
	"muniment/ledger"
	"muniment/text/legible"
)

// A ClaimInfo is a claim with the number of its citations.
type ClaimInfo struct {
	ClaimID   int64  `json:"claim_id"`        // 0 for one that only the snapshot has
	Place     int64  `json:"place,omitempty"` // of one without a number in the order of lists
	Claim     string `json:"claim"`
	Citations int    `json:"citations"`
	Verified  int    `json:"verified"` // of these, verified and not superseded
	Project   string `json:"project,omitempty"`
	CreatedAt string `json:"created_at"`

	Support []ClaimSupport `json:"support"` // the first maxSupport citations that the caller may read
}

// maxSupport is how many citations a claim lists: a text cites one claim seldom more
// than twice, and citations has them all.
const maxSupport = 20

// A ClaimSupport is a citation of a claim.
type ClaimSupport struct {
	CitationID int64  `json:"citation_id"`        // 0 for one that only the snapshot has
	Citation   string `json:"citation,omitempty"` // content id of such a one
	Support
}

// Support is the state of a citation and its two verdicts.
type Support struct {
	VerificationStatus string `json:"verification_status"`
	Match              string `json:"match"`                   // the verdict on the words
	ClaimVerdict       string `json:"claim_verdict,omitempty"` // that on the claim; none before claims were judged
	Judge              string `json:"judge,omitempty"`         // the model that judged the claim
}

// supportOf returns the state of a citation and its verdicts.
func supportOf(c *ledger.Citation) Support {
	return Support{string(c.Status), string(c.Match), string(c.Verdict), c.Judge}
}

// Claims returns the claims of which the caller may read citations, those of a
// session or all for "": at most limit (0 is no limit) with numbers or places above after.
// The counts are those of the caller's project. Claims that only the newest snapshot has
// follow those of the ledger.
func (cs Citations) Claims(session string, after int64, limit int) ([]ClaimInfo, error) {
	l, err := cs.e.ledger()
	if err != nil {
		return nil, err
	}
	f := cs.e.caller.Narrow(ledger.Filter{Session: session})
	all, err := l.Claims(ledger.ClaimFilter{Project: f.Project, Session: f.Session, Agent: f.Agent, After: after, Limit: limit})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := []ClaimInfo{}
	for _, k := range all {
		if !cs.e.caller.May(ActReadCitation, Owner{k.Project, cs.e.caller.Session, cs.e.caller.Agent}) {
			continue
		}
		one := ClaimInfo{ClaimID: k.ID, Claim: k.Claim, Citations: k.Citations, Verified: k.Verified, Project: k.Project, CreatedAt: k.Time.UTC().Format(time.RFC3339), Support: []ClaimSupport{}}
		cited, err := l.List(cs.e.caller.Narrow(ledger.Filter{Claim: k.ID, Session: session, Limit: maxSupport}))
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		for i := range cited {
			if cs.e.caller.May(ActReadCitation, OwnerOf(&cited[i])) {
				one.Support = append(one.Support, ClaimSupport{CitationID: cited[i].Ordinal, Support: supportOf(&cited[i])})
			}
		}
		out = append(out, one)
	}
	if limit > 0 && len(all) >= limit {
		return out, nil
	}
	return cs.addSealedClaims(l, out, f, after, limit)
}

// addSealedClaims adds to a page of claims those of the citations that only the newest
// snapshot has, by place.
func (cs Citations) addSealedClaims(l *ledger.Ledger, page []ClaimInfo, f ledger.Filter, after int64, limit int) ([]ClaimInfo, error) {
	cited, err := cs.addSealed(l, nil, f, "")
	if err != nil {
		return nil, err
	}
	byClaim := map[string]*ClaimInfo{}
	for i := range cited {
		c := &cited[i]
		k := byClaim[c.Claim]
		if k == nil {
			k = &ClaimInfo{Place: placeOfText(c.Claim), Claim: c.Claim, Support: []ClaimSupport{}}
			byClaim[c.Claim] = k
		}
		k.Citations++
		if c.Status == ledger.Verified {
			k.Verified++
		}
		if len(k.Support) < maxSupport {
			k.Support = append(k.Support, ClaimSupport{Citation: sealedRef(c), Support: supportOf(c)})
		}
	}
	var sealed []ClaimInfo
	for _, k := range byClaim {
		if k.Place > after {
			sealed = append(sealed, *k)
		}
	}
	slices.SortFunc(sealed, func(a, b ClaimInfo) int { return int(a.Place - b.Place) })
	if limit > 0 && len(sealed) > limit-len(page) {
		sealed = sealed[:limit-len(page)]
	}
	return append(page, sealed...), nil
}

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
