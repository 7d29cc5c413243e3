package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cedar-policy/cedar-go"

	"muniment/cid"
	"muniment/snapshot/access"
)

// MaxRequestor is the longest name of a requestor, in code points.
const MaxRequestor = 200

// The actions, each stricter than the one before it.
const (
	actionExistence = "existence"
	actionSurface   = "surface"
	actionDisplay   = "display"
)

var actions = []string{actionExistence, actionSurface, actionDisplay}

// facts are the attributes of a resource.
type facts struct {
	inclusion, surfacing, display, existence bool
	sealed, anonymized                       bool // persons mentioned
	minRank                                  int  // len(Tiers) for a tier that does not exist
	sensitive                                []string
}

// Decide returns the permission of a requestor for a resource. An unknown tier, an unusable name
// and a consent that is another artifact's are errors; on error the permission is zero.
func (p *Policy) Decide(who Requestor, what Resource) (Permission, error) {
	rank, err := p.rank(who)
	if err != nil {
		return Permission{}, err
	}
	if p.holder {
		return unlimited, nil
	}
	f, err := p.facts(what)
	if err != nil {
		return Permission{}, err
	}
	allowed, reasons := p.permits(who, rank, what.Artifact, f)
	perm := Permission{Existence: allowed[0], Surface: allowed[1], Display: allowed[2], Sealed: f.sealed}
	if perm.Display {
		perm.Excerpt, perm.Reading = p.Tiers[rank].Limit(), p.readingOf(what.Consent, rank)
	}
	perm.Reasons = reasons
	return perm, nil
}

// DecideWords decides as Decide does for words of an artifact that are to be shown: the
// persons whom they name, in the widest sense, and those whose the paper is count as mentioned. A nil paper is not known.
func (p *Policy) DecideWords(who Requestor, artifact cid.ID, consent *access.Consent, paper *Paper, words string) (Permission, error) {
	return p.Decide(who, Resource{Artifact: artifact, Consent: consent, Persons: append(p.mentions(words, true, paper), p.PersonsOf(paper)...)})
}

// Stricter returns the intersection of two permissions, with the reasons of both.
func (p Permission) Stricter(q Permission) Permission {
	return Permission{Surface: p.Surface && q.Surface, Display: p.Display && q.Display, Existence: p.Existence && q.Existence, Sealed: p.Sealed || q.Sealed,
		Excerpt: min(p.Excerpt, q.Excerpt), Reading: access.StricterReading(p.Reading, q.Reading), Reasons: slices.Concat(p.Reasons, q.Reasons)}
}

// Actions about no artifact. They need no permit: what no policy forbids is allowed.
const (
	actionCompose    = "compose"     // a request for a text that is made up, which only quotes what the other actions let through
	actionLogRefusal = "log_refusal" // to count a refusal, with its reason, for later
)

// Composes reports whether a requestor may ask for lines for a creative text: nothing in the archive's
// policy forbids it.
func (p *Policy) Composes(who Requestor) (bool, error) { return p.unforbidden(who, actionCompose) }

// LogsRefusals reports whether the ledger keeps that a requestor was refused, and why: nothing in the
// archive's policy forbids it. The answer log has every refusal in any case.
func (p *Policy) LogsRefusals(who Requestor) (bool, error) {
	return p.unforbidden(who, actionLogRefusal)
}

// unforbidden reports whether no policy forbids a requestor an action about no artifact.
func (p *Policy) unforbidden(who Requestor, action string) (bool, error) {
	rank, err := p.rank(who)
	if err != nil {
		return false, err
	}
	open := facts{inclusion: true, surfacing: true, display: true, existence: true}
	decision, diag := p.evaluate(who, rank, cid.ID{}, open, action)
	return decision == cedar.Allow || len(diag.Reasons) == 0 && len(diag.Errors) == 0, nil
}

// rank returns the rank of a requestor's tier.
func (p *Policy) rank(who Requestor) (int, error) {
	if utf8.RuneCountInString(who.Name) > MaxRequestor || !utf8.ValidString(who.Name) || strings.ContainsFunc(who.Name, unicode.IsControl) {
		return 0, fmt.Errorf("requestor %.40q: want at most %d characters of printable text", who.Name, MaxRequestor)
	}
	if len(p.Tiers) == 0 {
		return 0, errors.New("the policy has no tiers: Parse reads one")
	}
	if who.Tier == "" {
		return 0, nil
	}
	at := p.tierIndex(who.Tier)
	if at < 0 {
		return 0, fmt.Errorf("tier %.40q, want one of %s", who.Tier, p.TierNames())
	}
	if who.Name == "" {
		return 0, nil
	}
	return at, nil
}

// Tier returns the name of the tier that a requestor is treated as.
func (p *Policy) Tier(who Requestor) (string, error) {
	rank, err := p.rank(who)
	if err != nil {
		return "", err
	}
	return p.Tiers[rank].Name, nil
}

// facts gathers the attributes of a resource.
func (p *Policy) facts(what Resource) (facts, error) {
	f := dimensions(p.consent)
	mentioned := what.Persons
	if c := what.Consent; c != nil {
		if c.Artifact != what.Artifact.String() {
			return facts{}, fmt.Errorf("consent of %.80q for artifact %s", c.Artifact, what.Artifact)
		}
		f = p.factsOf(*c)
		mentioned = slices.Concat(mentioned, c.Persons)
	}
	for _, name := range mentioned {
		switch Protection(name, p.Persons) {
		case access.PersonSealed:
			f.sealed = true
		case access.PersonAnonymized:
			f.anonymized = true
		}
	}
	return f, nil
}

// factsOf returns the attributes that a consent gives a resource.
func (p *Policy) factsOf(c access.Consent) facts {
	f := dimensions(p.sensitive.Cover(c))
	f.sensitive, f.minRank = c.Sensitive, p.minRank(c.MinTier)
	return f
}

func dimensions(c access.Consent) facts {
	return facts{inclusion: c.Inclusion, surfacing: c.Surfacing, display: c.Display, existence: c.Existence}
}

// Protection returns the state under which a person is treated: the state of
// persons.json for a name or alias, the strictest where several persons share
// it; under strict, sealed for everybody who is not cleared; else cleared for
// a person who is not listed.
func Protection(name string, persons access.Persons) string {
	state := ""
	for _, one := range persons.Persons {
		if one.Name == name || slices.Contains(one.Aliases, name) {
			state = stricter(state, one.State)
		}
	}
	switch {
	default:
		return state
	case persons.ThirdParties == access.ThirdPartiesStrict && state != access.PersonCleared:
		return access.PersonSealed
	case state == "":
		return access.PersonCleared
	}
}

// stricter returns the stricter of two states, the first of which may be "".
func stricter(a, b string) string {
	return personStates[max(slices.Index(personStates, a), slices.Index(personStates, b))]
}

// instructed applies the dimensions of consent without Cedar, in the order of
// actions.
func (p *Policy) instructed(f facts, rank int) (allowed [3]bool, reasons []string) {
	deny := func(from int, why string) {
		for i := from; i < len(actions); i++ {
			allowed[i] = false
		}
		reasons = append(reasons, actions[from]+": "+why)
	}
	allowed = [3]bool{true, true, true}
	if !f.inclusion {
		deny(0, "consent withholds inclusion")
	}
	if !f.existence {
		deny(0, "consent withholds existence")
	}
	if rank < f.minRank {
		deny(0, fmt.Sprintf("consent begins at tier rank %d, the requestor has %d", f.minRank, rank))
	}
	if !f.surfacing {
		deny(1, "consent withholds surfacing")
	}
	if f.sealed {
		deny(1, "a protected person is mentioned")
	}
	if !f.display {
		deny(2, "consent withholds display")
	}
	return allowed, reasons
}

// evaluate asks Cedar.
func (p *Policy) evaluate(who Requestor, rank int, artifact cid.ID, f facts, action string) (cedar.Decision, cedar.Diagnostic) {
	principal := cedar.NewEntityUID("Requestor", cedar.String(who.Name))
	resource := cedar.NewEntityUID("Artifact", cedar.String(artifact.String()))
	entities := cedar.EntityMap{
		principal: {
			UID:     principal,
			Parents: cedar.NewEntityUIDSet(tierUID(p.Tiers[rank])),
			Attributes: cedar.NewRecord(cedar.RecordMap{
				"tier":      cedar.String(p.Tiers[rank].Name),
				"tier_rank": cedar.Long(rank),
				"named":     cedar.Boolean(who.Name != ""),
			}),
		},
		resource: {
			UID: resource,
			Attributes: cedar.NewRecord(cedar.RecordMap{
				"inclusion":          cedar.Boolean(f.inclusion),
				"surfacing":          cedar.Boolean(f.surfacing),
				"display":            cedar.Boolean(f.display),
				"existence":          cedar.Boolean(f.existence),
				"min_tier_rank":      cedar.Long(f.minRank),
				"persons_sealed":     cedar.Boolean(f.sealed),
				"persons_anonymized": cedar.Boolean(f.anonymized),
				"sensitive":          stringSet(f.sensitive),
			}),
		},
	}
	for i := 0; i <= rank; i++ {
		tier := cedar.Entity{UID: tierUID(p.Tiers[i])}
		if i > 0 {
			tier.Parents = cedar.NewEntityUIDSet(tierUID(p.Tiers[i-1]))
		}
		entities[tier.UID] = tier
	}
	return cedar.Authorize(p.cedar, entities, cedar.Request{
		Principal: principal,
		Action:    cedar.NewEntityUID("Action", cedar.String(action)),
		Resource:  resource,
	})
}

func stringSet(list []string) cedar.Set {
	values := make([]cedar.Value, len(list))
	for i, s := range list {
		values[i] = cedar.String(s)
	}
	return cedar.NewSet(values...)
}

func tierUID(t access.Tier) cedar.EntityUID {
	return cedar.NewEntityUID("Tier", cedar.String(t.Name))
}

// because says why Cedar denied an action, in the order of the text.
func (p *Policy) because(action string, diag cedar.Diagnostic) []string {
	if len(diag.Reasons) == 0 && len(diag.Errors) == 0 {
		return []string{action + ": no Cedar policy permits it"}
	}
	type line struct {
		at   int
		text string
	}
	var lines []line
	for _, e := range diag.Errors {
		lines = append(lines, line{e.Position.Line, fmt.Sprintf("%s: Cedar policy at line %d could not be evaluated: %s", action, e.Position.Line, e.Message)})
	}
	for _, r := range diag.Reasons {
		one := p.cedar.Get(r.PolicyID)
		if one == nil || one.Effect() != cedar.Forbid {
			continue
		}
		text := fmt.Sprintf("%s: Cedar policy at line %d forbids it", action, r.Position.Line)
		if id, ok := one.Annotations()["id"]; ok {
			text = fmt.Sprintf("%s: Cedar policy %s at line %d forbids it", action, id, r.Position.Line)
		}
		lines = append(lines, line{r.Position.Line, text})
	}
	slices.SortFunc(lines, func(a, b line) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return strings.Compare(a.text, b.text)
	})
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.text
	}
	return out
}
