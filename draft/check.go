package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"muniment/bundle/display"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cite"
	"muniment/draft/contract"
	"muniment/draft/pack"
	"muniment/draft/profile"
	"muniment/draft/repair"
	"muniment/engine"
	"muniment/judge/model"
	"muniment/ledger"
	"muniment/policy"
	"muniment/text/legible"
	"muniment/text/segment"
)

// CheckOptions say how a draft is checked.
type CheckOptions struct {
	Profile  string // chosen by the draft's shape when empty
	Second   string // the draft that is taken when the first one fails; "" asks a model, where there is one
	NoRepair bool
	Query    string // what the draft answers: evidence is chosen for it first; "" chooses none
	On       string // the day of the draft, YYYY-MM-DD; that of the draft's first heading, else today, when empty
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
	Decision  string                  `json:"decision"` // deliver, retry, abstain, flagged
	Attempt   int                     `json:"attempt"`
	Report    contract.Report         `json:"report"`
	Text      string                  `json:"text"`
	Sections  []contract.SectionState `json:"sections"`
	Bullets   []CheckedBullet         `json:"bullets"`
	Findings  []contract.Finding      `json:"findings"`
	Citations []contract.Citation     `json:"citations"`

	RemovedSentences int     `json:"removed_sentences"` // of bullets that stay, and lines of a list of references that are none; each is a finding
	Unverified       []int64 `json:"unverified"`        // citations that the draft names and that are not verified, so that their marks were taken out

	Claims cite.ClaimCounts `json:"claims"` // of the draft after repair, before anything is removed

	CoverageBefore float64         `json:"coverage_before"` // share of claims that stand: as drafted
	CoverageAfter  float64         `json:"coverage_after"`  // after repair
	CoverageGain   float64         `json:"coverage_gain"`
	Passes         []repair.Record `json:"passes"`

	ProfileChosen string `json:"profile_chosen,omitempty"` // why it is this profile, where none was named

	Instruction string         `json:"instruction,omitempty"` // for the next draft
	Pack        *pack.Metadata `json:"pack,omitempty"`
	PackFailure string         `json:"pack_failure,omitempty"` // why no evidence could be chosen
	Freeform    []string       `json:"freeform,omitempty"`     // claims that cite nothing, and may
	Warnings    []string       `json:"warnings"`
}

// UnverifiedNotice returns a sentence that says which citations of the draft count for nothing because they are not verified, "" for none.
func (r *CheckResult) UnverifiedNotice() string {
	if len(r.Unverified) == 0 {
		return ""
	}
	const most = 10 // numbers that a line of text has room for
	var numbers []string
	for _, n := range r.Unverified[:min(len(r.Unverified), most)] {
		numbers = append(numbers, fmt.Sprint(n))
	}
	if len(r.Unverified) > most {
		numbers = append(numbers, "…")
	}
	return fmt.Sprintf("%s for nothing, not verified: %s", display.CountOf(len(r.Unverified), "citation of the draft counts", "citations of the draft count"), strings.Join(numbers, ", "))
}

// Check gates a draft without sealing it: its gaps are repaired from
// evidence on file, what still breaks the rules of the profile is removed, and
// what is left is kept in the ledger, bullet by bullet, with its citations. A
// draft that does not suffice is drafted again once, by Second or by a model;
// then a report stands in its place that says what was missing.
func Check(ctx context.Context, e *engine.Engine, draft string, o CheckOptions) (*CheckResult, error) {
	for _, text := range []string{draft, o.Second} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return nil, problem.New(problem.Usage, problem.Advise("give a plain text or markdown file in UTF-8"), "the draft is not UTF-8 text")
		}
	}
	if strings.TrimSpace(draft) == "" {
		return nil, problem.New(problem.Usage, problem.Advise("give a text with at least one sentence"), "the draft is empty")
	}
	if o.On == "" {
		o.On = contract.DayOf(draft)
	}
	if o.On == "" {
		o.On = e.Archive().World().Now().UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, o.On); err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "on", "2026-02-11"), "%q is no day", legible.Printable(o.On))
	}
	if err := e.Caller().Require(engine.ActCreate, e.Caller().Self()); err != nil {
		return nil, err
	}
	chosen := ""
	if o.Profile == "" {
		o.Profile, chosen = profileOf(draft)
	}
	rules, err := FindProfile(e.Archive(), o.Profile)
	if err != nil {
		return nil, err
	}
	k, err := newChecker(e, rules, o)
	if err != nil {
		return nil, err
	}
	if rules.JudgedClaims() != policy.JudgedNever {
		k.context.Support = k.supportOrJudge(ctx)
	}
	if err := k.choosePack(ctx); err != nil {
		return nil, err
	}
	unclear := map[string]int{}
	for _, c := range segment.Claims(draft, "en") {
		CountUnclear(unclear, c)
	}
	if err := NoteUnclear(e.Archive(), "check", unclear); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		r, v, err := k.tryDraft(ctx, draft, attempt)
		if err != nil {
			return nil, err
		}
		r.ProfileChosen = chosen
		next := ""
		if r.Decision == string(contract.Retry) {
			if next = o.Second; next == "" && e.Archive().World().Drafter != nil {
				next, err = e.Archive().World().Drafter.Redraft(ctx, model.RepairRequest{Draft: draft, Flagged: []string{r.Instruction}, Evidence: k.markedEvidence()})
				if err != nil {
					k.warn("a model was asked for the next draft: " + err.Error())
				}
			}
		}
		if err := k.store(r, v); err != nil {
			return nil, err
		}
		if strings.TrimSpace(next) == "" || !utf8.ValidString(next) {
			return r, nil
		}
		draft = next
	}
}

// profileOf returns the profile that a draft has the shape of, and why: one that has at least two of the
// sections of a shipped profile goes by that one, any other is a note.
func profileOf(draft string) (name, why string) {
	const least = 2 // headings that one and the same word would not give by chance
	for _, name := range profile.Names {
		p, _ := profile.Find(name)
		if n := contract.HeadingsOf(draft, p.Draft); n >= least {
			return name, fmt.Sprintf("the text has %d of its %d sections", n, len(p.Draft.Sections))
		}
	}
	return "notes", "the text has the sections of no other profile"
}

// tryDraft repairs and validates one draft.
func (k *checker) tryDraft(ctx context.Context, draft string, attempt int) (*CheckResult, *contract.Validation, error) {
	o := &repair.Outcome{Draft: draft}
	passes := k.repairPasses()
	if k.options.NoRepair || k.rules.RepairPasses == 0 {
		passes = nil
	}
	gate := func(text string) *contract.Examination { return contract.Examine(text, k.context, k.rules.Draft) }
	k.standing = slices.DeleteFunc(gate(draft).Claims, func(c contract.Claim) bool { return c.Fault != "" || c.Free })
	o, err := repair.Run(ctx, draft, gate, k.judgeAttached(ctx), passes[:min(len(passes), k.rules.RepairPasses)]...)
	if err != nil {
		return nil, nil, &problem.Error{Kind: problem.Interrupted, Message: "interrupted", Next: problem.Advise("run the same command again; nothing was kept")}
	}
	v, claims := contract.Validate(o.Draft, k.context, k.rules.Draft), gate(o.Draft).Claims
	r := &CheckResult{Profile: k.rules.Name, Decision: string(contract.Decide(v, attempt, k.rules.Draft)), Attempt: attempt, Report: v.Report, Text: v.Text,
		Sections: append([]contract.SectionState{}, v.Sections...), Bullets: []CheckedBullet{}, Findings: append([]contract.Finding{}, v.Findings...), Citations: []contract.Citation{}, Passes: append([]repair.Record{}, o.Passes...),
		Claims: countClaims(claims), CoverageBefore: o.Before.Share(), CoverageAfter: o.After.Share(), CoverageGain: o.Gain(), Pack: k.pack, PackFailure: k.packFailure, Freeform: v.Free,
		Warnings: append(append([]string{}, k.warnings...), v.Warnings...), RemovedSentences: v.Cut, Unverified: k.unverifiedCitations(o.Draft)}
	bullets, cited := v.Bullets, v.Cited
	switch contract.Decision(r.Decision) {
	case contract.Retry:
		r.Instruction = contract.Instruction(v, k.rules.Draft)
	case contract.Abstain:
		cited = k.availableFor(claims, r.Unverified)
		r.Text, bullets = contract.Failed{Day: k.options.On, Last: v, Available: cited, Tried: k.listAttempts(attempt, o)}.Report(k.rules.Draft)
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
	return r, v, nil
}

// unverifiedCitations returns the citations that a draft names and that are not verified, in the order of their numbers.
func (k *checker) unverifiedCitations(draft string) []int64 {
	out := []int64{}
	for _, m := range contract.Examine(draft, k.context, k.rules.Draft).BadMarks {
		if m.Fault == contract.Unverified {
			out = append(out, k.numbers[m.ID])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// listAttempts returns a line for each attempt to save a draft.
func (k *checker) listAttempts(attempt int, o *repair.Outcome) []string {
	out := []string{fmt.Sprintf("%d of %d drafts were checked under the profile %s", attempt, max(1, k.rules.Draft.Attempts), k.rules.Name)}
	if k.options.Query != "" {
		line := fmt.Sprintf("Evidence was looked for: “%s”", legible.Printable(k.options.Query))
		if k.pack != nil {
			line += "; " + display.CountOf(len(k.pack.Chunks), "passage was found", "passages were found")
		} else if k.packFailure != "" {
			line += "; " + k.packFailure
		}
		out = append(out, line)
	}
	out = append(out, display.CountOf(len(k.citations), "citation on file was looked at", "citations on file were looked at"))
	for _, p := range o.Passes {
		line := fmt.Sprintf("Repair by %s of %s: ", p.By, display.Count(p.Flagged, "sentence"))
		if p.Accepted {
			line += fmt.Sprintf("%d of %d claims stand after it", p.After.Covered, p.After.Claims)
		} else {
			line += "nothing was taken"
		}
		out = append(out, line)
	}
	return out
}

// store writes a checked draft to the ledger and numbers it.
func (k *checker) store(r *CheckResult, v *contract.Validation) error {
	s := ledger.Synthesis{Time: k.engine.Archive().World().Now(), Profile: r.Profile, Decision: r.Decision, Attempt: r.Attempt, Text: r.Text,
		Claims: v.Claims, CoveredBefore: k.before, CoveredAfter: v.Covered,
		Project: k.engine.Caller().Project, Session: k.engine.Caller().Session, Agent: k.engine.Caller().Agent, User: k.engine.Caller().User}
	if r.Decision == string(contract.Flagged) {
		s.Decision = string(contract.Retry) // the ledger's word for a draft that another one has to follow
	}
	if r.Pack != nil {
		s.Pack = r.Pack.PackID
	}
	for _, part := range []struct {
		to *string
		v  any
	}{{&s.Report, r.Report}, {&s.Findings, r.Findings}, {&s.Passes, r.Passes}} {
		data, err := json.Marshal(part.v)
		if err != nil {
			return problem.Wrap(err, "report")
		}
		*part.to = string(data)
	}
	for _, b := range r.Bullets {
		s.Bullets = append(s.Bullets, ledger.Bullet{Section: b.Section, Number: b.Bullet, Text: b.Text, Citations: b.Citations})
	}
	id, err := k.ledger.AddSynthesis(s)
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	r.Synthesis = id
	return nil
}

// choosePack chooses the evidence for the question that the draft answers.
func (k *checker) choosePack(ctx context.Context) error {
	if k.options.Query == "" {
		return nil
	}
	p, err := Pack(ctx, k.engine, PackOptions{Query: k.options.Query, Profile: k.rules.Name, On: k.options.On})
	var failure *problem.Error
	switch {
	case err == nil:
		k.pack = &p.Metadata
		k.addPackSources(p)
	case errors.As(err, &failure) && failure.Kind == problem.VerdictNegative:
		k.packFailure = failure.Message
		k.warn(failure.Message)
	default:
		return err
	}
	return nil
}

// warn adds a warning to the results.
func (k *checker) warn(text string) { k.warnings = append(k.warnings, text) }

// allowsFreeform reports whether claims that cite nothing may stay: the profile says
// so, and the signed policy names the tier.
func allowsFreeform(a *archive.Archive, rules *profile.Profile, who policy.Requestor) (bool, error) {
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
