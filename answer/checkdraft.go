package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/accession/sourcemeta"
	"muniment/answer/contract"
	"muniment/answer/model"
	"muniment/answer/pack"
	"muniment/answer/policy"
	"muniment/answer/profile"
	"muniment/answer/repair"
	"muniment/archive"
	"muniment/engine"
	"muniment/ledger"
)

// CheckOptions say how a draft is checked.
type CheckOptions struct {
	Profile  string // DefaultProfile when empty
	Second   string // the draft that is taken when the first one fails; "" asks a model, where there is one
	NoRepair bool
	Query    string // what the draft answers: evidence is chosen for it first; "" chooses none
	On       string // the day of the draft, YYYY-MM-DD; today when empty
	Registry *sourcemeta.Registry

	Requestor, Tier string // for whom it is, where the profile lets uncited text through
}

// A CheckedBullet is one bullet of the text, with the numbers of its citations.
type CheckedBullet struct {
	Section   string  `json:"section"`
	Bullet    int     `json:"bullet"` // in its section, from 1
	Text      string  `json:"text"`
	Citations []int64 `json:"citations"`
}

// CheckResult is a draft after repair and validation.
type CheckResult struct {
	Synthesis int64                   `json:"synthesis"` // its number in the ledger
	Profile   string                  `json:"profile"`
	Decision  string                  `json:"decision"` // deliver, retry, abstain
	Attempt   int                     `json:"attempt"`
	Report    contract.Report         `json:"report"`
	Text      string                  `json:"text"`
	Sections  []contract.SectionState `json:"sections"`
	Bullets   []CheckedBullet         `json:"bullets"`
	Findings  []contract.Finding      `json:"findings"`
	Citations []contract.Citation     `json:"citations"`

	CoverageBefore float64         `json:"coverage_before"` // share of claims that stand: as drafted
	CoverageAfter  float64         `json:"coverage_after"`  // after repair
	CoverageGain   float64         `json:"coverage_gain"`
	Passes         []repair.Record `json:"passes"`

	Instruction string         `json:"instruction,omitempty"` // for the next draft
	Pack        *pack.Metadata `json:"pack,omitempty"`
	PackFailure string         `json:"pack_failure,omitempty"` // why no evidence could be chosen
	Freeform    []string       `json:"freeform,omitempty"`     // claims that cite nothing, and may
	Warnings    []string       `json:"warnings"`
}

// CheckDraft gates a draft without sealing it: its gaps are repaired from
// evidence on file, what still breaks the rules of the profile is removed, and
// what is left is kept in the ledger, bullet by bullet, with its citations. A
// draft that does not suffice is drafted again once, by Second or by a model;
// then a report stands in its place that says what was missing.
func CheckDraft(ctx context.Context, e *engine.Engine, draft string, o CheckOptions) (*CheckResult, error) {
	for _, text := range []string{draft, o.Second} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("give a plain text or markdown file in UTF-8"), "the draft is not UTF-8 text")
		}
	}
	if strings.TrimSpace(draft) == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give a text with at least one sentence"), "the draft is empty")
	}
	if o.On == "" {
		o.On = e.Archive().World().Now().UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, o.On); err != nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("--on 2026-02-11"), "%q is no day", archive.Printable(o.On))
	}
	if err := e.Caller().Require(engine.ActCreate, e.Caller().Self()); err != nil {
		return nil, err
	}
	rules, err := findProfile(e.Archive(), o.Profile)
	if err != nil {
		return nil, err
	}
	k, err := newChecker(e, rules, o)
	if err != nil {
		return nil, err
	}
	if err := k.packUp(ctx); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		r, v, err := k.attempt(ctx, draft, attempt)
		if err != nil {
			return nil, err
		}
		next := ""
		if r.Decision == string(contract.Retry) {
			if next = o.Second; next == "" && e.Archive().World().Judge != nil {
				next, err = e.Archive().World().Judge.Redraft(ctx, model.Flawed{Draft: draft, Flagged: []string{r.Instruction}, Evidence: k.marked()})
				if err != nil {
					k.warn("a model was asked for the next draft: " + err.Error())
				}
			}
		}
		if err := k.keep(r, v); err != nil {
			return nil, err
		}
		if strings.TrimSpace(next) == "" || !utf8.ValidString(next) {
			return r, nil
		}
		draft = next
	}
}

// attempt repairs and validates one draft.
func (k *checker) attempt(ctx context.Context, draft string, attempt int) (*CheckResult, *contract.Validation, error) {
	o := &repair.Outcome{Draft: draft}
	passes := k.passes(ctx)
	if k.options.NoRepair || k.rules.RepairPasses == 0 {
		passes = nil
	}
	gate := func(text string) *contract.Examination { return contract.Examine(text, k.context, k.rules.Draft) }
	o, err := repair.Run(ctx, draft, gate, k.holds(ctx), passes[:min(len(passes), k.rules.RepairPasses)]...)
	if err != nil {
		return nil, nil, &archive.Error{Kind: archive.TypeInterrupted, Message: "interrupted", Next: archive.Advise("run the same command again; nothing was kept")}
	}
	v := contract.Validate(o.Draft, k.context, k.rules.Draft)
	r := &CheckResult{Profile: k.rules.Name, Decision: string(contract.Decide(v, attempt, k.rules.Draft)), Attempt: attempt, Report: v.Report, Text: v.Text,
		Sections: v.Sections, Bullets: []CheckedBullet{}, Findings: v.Findings, Citations: []contract.Citation{}, Passes: o.Passes,
		CoverageBefore: o.Before.Share(), CoverageAfter: o.After.Share(), CoverageGain: o.Gain(), Pack: k.pack, PackFailure: k.packFailure, Freeform: v.Free,
		Warnings: append(append([]string{}, k.warnings...), v.Warnings...)}
	bullets, cited := v.Bullets, v.Cited
	switch contract.Decision(r.Decision) {
	case contract.Retry:
		r.Instruction = contract.Instruction(v, k.rules.Draft)
	case contract.Abstain:
		cited = k.available()
		r.Text, bullets = contract.Failed{Day: k.options.On, Last: v, Available: cited}.Report(k.rules.Draft)
	}
	for _, b := range bullets {
		one := CheckedBullet{b.Section, b.Index, b.Text, []int64{}}
		for _, id := range b.Citations {
			one.Citations = append(one.Citations, k.numbers[id])
		}
		r.Bullets = append(r.Bullets, one)
	}
	for i := range cited {
		r.Citations = append(r.Citations, cited[i].Citation())
	}
	v.Claims, v.Covered = o.After.Claims, o.After.Covered
	k.before = o.Before.Covered
	if r.Findings == nil {
		r.Findings = []contract.Finding{}
	}
	if r.Passes == nil {
		r.Passes = []repair.Record{}
	}
	if r.Sections == nil {
		r.Sections = []contract.SectionState{}
	}
	return r, v, nil
}

// keep stores what the run came to.
func (k *checker) keep(r *CheckResult, v *contract.Validation) error {
	s := ledger.Synthesis{Time: k.engine.Archive().World().Now(), Profile: r.Profile, Decision: r.Decision, Attempt: r.Attempt, Text: r.Text,
		Claims: v.Claims, CoveredBefore: k.before, CoveredAfter: v.Covered,
		Project: k.engine.Caller().Project, Session: k.engine.Caller().Session, Agent: k.engine.Caller().Agent, User: k.engine.Caller().User}
	if r.Pack != nil {
		s.Pack = r.Pack.PackID
	}
	for _, part := range []struct {
		to *string
		v  any
	}{{&s.Report, r.Report}, {&s.Findings, r.Findings}, {&s.Passes, r.Passes}} {
		data, err := json.Marshal(part.v)
		if err != nil {
			return archive.Environment(err, "report")
		}
		*part.to = string(data)
	}
	for _, b := range r.Bullets {
		s.Bullets = append(s.Bullets, ledger.Bullet{Section: b.Section, Number: b.Bullet, Text: b.Text, Citations: b.Citations})
	}
	id, err := k.ledger.AddSynthesis(s)
	if err != nil {
		return archive.Environment(err, "ledger")
	}
	r.Synthesis = id
	return nil
}

// underRules applies a profile's rules for drafts to one that is to be bound:
// what they remove is not bound but listed as removed, and what does not suffice is bound by nobody.
// The default profile has no rule that the pipeline has not.
func underRules(ctx context.Context, a *archive.Archive, draft string, o *AskOptions) (string, []string, error) {
	if o.Profile == "" || o.Profile == DefaultProfile {
		return draft, nil, nil
	}
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		return "", nil, err
	}
	r, err := CheckDraft(ctx, e, draft, CheckOptions{Profile: o.Profile, Requestor: o.Requestor, Tier: o.Tier})
	if err != nil {
		return "", nil, err
	}
	if r.Decision != string(contract.Deliver) {
		return "", nil, &archive.Error{Kind: archive.TypeVerdictNegative, Message: "the draft does not suffice under the profile " + r.Profile, Partial: r,
			Next: archive.Advise("muniment check DRAFT.md --profile " + r.Profile + " says what is missing")}
	}
	text := r.Text
	if at := strings.LastIndex(text, "\n## References\n"); at >= 0 {
		text = text[:at]
	}
	text = strings.ReplaceAll(text, " "+contract.NotFromArchive, "") // bind decides that for itself
	for _, f := range r.Findings {
		if f.Action == contract.ActionRemoved {
			topic := fmt.Sprintf("the draft's bullet %d", f.Bullet) // not its words, which may be why it was cut
			if f.Section != "" {
				topic += " of section " + f.Section
			}
			o.cut = append(o.cut, Removed{Topic: topic, Reason: fmt.Sprintf("%s; removed under the profile %s", f.Fault, r.Profile)})
		}
	}
	notice := fmt.Sprintf("checked under the profile %s: %d of %d bullets were bound, %d removed", r.Profile, r.Report.CitedBullets, r.Report.TotalBullets, r.Report.RemovedBullets)
	return text, []string{notice}, nil
}

// packUp chooses evidence for the question that the draft answers.
func (k *checker) packUp(ctx context.Context) error {
	if k.options.Query == "" {
		return nil
	}
	p, err := Pack(ctx, k.engine, PackOptions{Query: k.options.Query, Profile: k.rules.Name, On: k.options.On})
	var told *archive.Error
	switch {
	case err == nil:
		k.pack = &p.Metadata
		k.addPacked(p)
	case errors.As(err, &told) && told.Kind == archive.TypeVerdictNegative:
		k.packFailure = told.Message
		k.warn(told.Message)
	default:
		return err
	}
	return nil
}

func (k *checker) warn(text string) { k.warnings = append(k.warnings, text) }

// freeform reports whether claims that cite nothing may stay: the profile says
// so, and the signed policy names the tier.
func freeform(a *archive.Archive, rules *profile.Profile, who policy.Requestor) (bool, error) {
	if !rules.Freeform {
		return false, nil
	}
	head, _, err := a.Head()
	if err != nil || head == nil {
		return false, err
	}
	p, err := a.ReadPolicy(head.Tree)
	return err == nil && p.Freeform(who), err
}
