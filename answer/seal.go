package answer

import (
	"fmt"

	"muniment/answer/enforce"
	"muniment/answer/gate"
	"muniment/bundle"
	"muniment/cite"
	"muniment/snapshot/record"
)

// minSealed makes room in every sealed file for three sources with long
// paragraphs, so that the size of an answer does not show whether one was
// withheld.
const minSealed = 256 << 10

// assemble turns what the gates left into leaves, has them signed, sealed and
// logged, and describes the result. refusal is nil for an answer.
func (r *run) assemble(refusal *gate.Refusal, kind gate.Kind, stage bundle.Stage) (*Response, error) {
	res := &Response{Refusal: refusal, TrueKind: kind, TrueStage: stage, Removed: r.removed, Withheld: r.withheld,
		Type: enforce.TypeOf(r.query), Enforced: r.enforced, Decision: r.decision, TopK: passagesPerPart}
	var rungs []cite.Rung
	for i := range r.claims {
		rungs = append(rungs, r.claims[i].verdict.Rung)
	}
	res.Outcome = gate.ResponseRung(rungs, len(r.removed) > 0)
	if r.decision.Action == gate.ArchiveOnly {
		res.Notices = append(res.Notices, gate.ArchiveOnlyNotice)
	}
	res.Notices = append(append(res.Notices, r.notices...), r.passedOver()...)
	res.Freeform = r.free
	if n := r.unquoted(); n > 0 {
		res.Notices = append(res.Notices, fmt.Sprintf(gate.BudgetNotice, n))
	}
	if refusal != nil && r.decision.Action == gate.Refuse {
		res.Category = r.decision.Category
	}

	a := bundle.Answer{Tier: r.tier(), MinSealed: minSealed}
	a.Add(&bundle.Gate{Stage: bundle.StageCategory, Query: r.query, TrueKind: string(categoryKind(r.decision)), Notes: r.notes()}, false)
	for i := range r.claims {
		if err := r.addClaim(&a, i+1, &r.claims[i], res); err != nil {
			return nil, err
		}
	}
	for _, c := range r.failed {
		r.addFailed(&a, c)
	}
	r.attest(&a)
	if refusal != nil {
		a.Add(&bundle.Refusal{RefusalKind: string(refusal.Kind), Message: refusal.Message, Suggestions: refusal.Suggestions}, true)
		if stage != bundle.StageCategory {
			a.Add(&bundle.Gate{Stage: bundle.StageConsent, TrueKind: string(kind)}, false)
		}
	}
	for _, x := range r.removed {
		a.Add(&bundle.Removed{Topic: x.Topic, Reason: x.Reason}, true)
	}
	a.MinLeaves = min(a.Len()-min(2*r.secret, hiddenRoom)+hiddenRoom, bundle.MaxLeaves)
	env := r.p.Env
	if env.RequestMAC = bundle.RequestMAC(r.request.Nonce, []byte(r.query)); r.request.MAC != nil {
		env.RequestMAC = *r.request.MAC
	}
	b, err := bundle.Assemble(a, env)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAssembly, err)
	}
	res.Bundle = b
	return res, nil
}

// tier is the requestor's tier as the display leaf shows it.
func (r *run) tier() string {
	if r.request.Requestor.Name == "" || r.request.Requestor.Tier == "" {
		return r.p.Policy.Lowest()
	}
	return r.request.Requestor.Tier
}

func categoryKind(d gate.Decision) gate.Kind {
	if d.Action == gate.Refuse {
		return d.Kind()
	}
	return ""
}

// addClaim adds the leaves of one delivered claim: its source for auditors,
// the pieces of its excerpt, its citation, its gate and the claim itself.
func (r *run) addClaim(a *bundle.Answer, ordinal int, c *candidate, res *Response) error {
	if len(c.facts) > 0 {
		return r.addFacts(a, ordinal, c, res)
	}
	src, err := r.source(c)
	if err != nil {
		return err
	}
	source := a.Add(src, false)
	shown := bundle.Cite{Claim: ordinal, Relation: c.ev.Relation, Restricted: c.view.Restricted, Chunks: []int{}, Source: source}
	for _, piece := range c.view.Excerpt.Pieces {
		at := a.Add(&bundle.Chunk{Text: piece.Text}, piece.Shown)
		if !c.view.Restricted {
			shown.Chunks = append(shown.Chunks, at)
		}
	}
	claim := bundle.Claim{Claim: ordinal, Text: c.text, Rung: c.verdict.Rung, Restricted: c.view.Restricted}
	claim.Gate = a.Add(coverage(ordinal, c, ""), true)
	if len(c.reasons) > 0 {
		a.Add(&bundle.Gate{Stage: bundle.StageConsent, Claim: ordinal, Notes: c.reasons}, false)
	}
	claim.Cites = []int{a.Add(&shown, true)}
	a.Add(&claim, true)
	res.Claims = append(res.Claims, Claim{Text: c.text, Rung: c.verdict.Rung, Restricted: c.view.Restricted,
		Citation: Citation{Relation: c.ev.Relation, Excerpt: c.view.Excerpt, Notice: c.view.Notice, Artifact: c.art, Span: c.ev.Span, Quote: c.ev.Quote, Similarity: c.ev.Similarity,
			Passage: c.passage, Fresh: c.taken.Fresh}})
	return nil
}

// addFailed keeps, for auditors, why a claim was not delivered.
func (r *run) addFailed(a *bundle.Answer, c candidate) {
	kind := gate.KindCoverage
	if c.view.Blocked {
		kind = gate.KindConsent
	}
	a.Add(coverage(0, &c, kind), false)
	if len(c.reasons) > 0 {
		a.Add(&bundle.Gate{Stage: bundle.StageConsent, TrueKind: string(kind), Notes: c.reasons}, false)
	}
}

// coverage is the gate leaf of the rung table: inputs, rung, failed tests.
func coverage(ordinal int, c *candidate, kind gate.Kind) *bundle.Gate {
	g := &bundle.Gate{Stage: bundle.StageCoverage, Claim: ordinal, Inputs: c.input, Rung: c.verdict.Rung, Failed: c.verdict.Failed, TrueKind: string(kind), Notes: []string{}}
	if ordinal == 0 {
		g.Notes = append(g.Notes, "topic: "+c.topic)
		for _, t := range c.ev.Tests {
			g.Notes = append(g.Notes, "failed test: "+t)
		}
	}
	return g
}

// source is everything an auditor needs to follow one citation to a signed
// snapshot, with no archive at hand.
func (r *run) source(c *candidate) (*bundle.Source, error) {
	held, err := r.p.View.Record(c.art)
	if err != nil {
		return nil, err
	}
	doc, err := r.document(c.art.String())
	if err != nil {
		return nil, err
	}
	anchor, err := cite.AnchorOf(doc, c.ev.Span)
	if err != nil {
		return nil, err
	}
	s := r.p.View.Snapshot
	length := len([]rune(c.ev.Quote))
	citation := &cite.Citation{Type: cite.CitationType, Artifact: c.art.String(), Record: held.ID.String(), Snapshot: s.ID.String(), Seq: s.Seq,
		Span: c.ev.Span.String(), Relation: c.ev.Relation, Claim: c.text,
		QuoteSHA256: anchor.SHA256, Prefix: anchor.Prefix, Suffix: anchor.Suffix, Match: cite.Exact, Length: length}
	proof, err := r.p.View.Proof(record.RecordPath(c.art, held.ID))
	if err != nil {
		return nil, err
	}
	return bundle.NewSource(citation, doc, held.JSON, proof, s.Content)
}
