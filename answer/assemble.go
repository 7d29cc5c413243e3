package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/bundle"
	bundledisplay "muniment/bundle/display"
	"muniment/bundle/leaf"
	"muniment/cite"
	"muniment/draft/enforce"
	"muniment/judge"
	"muniment/judge/model"
	"muniment/snapshot/layout"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// minSealed makes room in every sealed file for three sources with long
// paragraphs, so that the size of an answer does not show whether one was
// withheld.
const minSealed = 256 << 10

// assemble makes the leaves of a bundle from the claims that passed the gates.
func (p *Pipeline) assemble(q question, s scope, enough *enforce.Decision, d display) (leaves, error) {
	end := p.conclude(q, s, enough, d)
	res := p.describeResponse(q, s, enough, d, end)
	a := bundle.Answer{Tier: q.viewer.tier(), MinSealed: minSealed}
	if p.Stranger {
		a.Add(&leaf.Gate{Stage: leaf.StageConsent, Notes: []string{bundledisplay.StrangerNote}}, true)
	}
	if (q.origin == asked || q.origin == examination) && !q.request.Private {
		a.Add(&leaf.Question{Text: q.text}, true)
	}
	a.Add(&leaf.Gate{Stage: leaf.StageCategory, Query: q.text, TrueKind: string(s.categoryKind()), Notes: s.notes(q)}, false)
	for i := range d.claims {
		claim, err := q.viewer.addClaim(&a, i+1, &d.claims[i])
		if err != nil {
			return leaves{}, err
		}
		res.Claims = append(res.Claims, claim)
	}
	for i := range d.failed {
		if err := q.viewer.addFailed(&a, len(d.claims)+i+1, &d.failed[i]); err != nil {
			return leaves{}, err
		}
	}
	for _, w := range d.writings { // a draft as a whole rests on nothing: its rung is that of no evidence
		addExchange(&a, "drafted by a model", w.draft.Exchange, w.err)
	}
	if q.judge != nil && q.judge.Failed != nil {
		addExchange(&a, "judged by a model", q.judge.Last, q.judge.Failed)
	}
	if end.refusal != nil {
		a.Add(&leaf.Refusal{RefusalKind: string(end.refusal.Kind), Message: end.refusal.Message, Suggestions: end.refusal.Suggestions}, true)
		if end.stage != leaf.StageCategory {
			a.Add(&leaf.Gate{Stage: leaf.StageConsent, TrueKind: string(end.kind)}, false)
		}
	}
	for _, x := range d.removed {
		a.Add(&leaf.Removed{Topic: x.Topic, Reason: x.Reason}, true)
		addRemoval(&a, x)
	}
	a.MinLeaves = min(a.Len()-min(leavesOfHidden*d.secrets, hiddenRoom)+hiddenRoom, leaf.MaxCount)
	return leaves{a, res}, nil
}

// log signs, seals and logs a bundle. Where any of it fails nothing is
// delivered; the error wraps ErrAssembly. Nothing is signed that says of words that they
// are not in the snapshot where a part of it was not searched.
func (p *Pipeline) log(q question, l leaves) (*Response, error) {
	if r := l.response; p.Searched != nil && (r.Refusal != nil || r.Unanswered || len(r.Removed) > 0 || r.Outcome == cite.Narrowed) { // it says that something is absent
		if err := p.Searched.NotSearched(); err != nil {
			return nil, err
		}
	}
	env := p.Env
	if env.RequestMAC = bundle.RequestMAC(q.request.Nonce, []byte(q.text)); q.request.MAC != nil {
		env.RequestMAC = *q.request.MAC
	}
	b, err := bundle.Assemble(l.answer, env)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAssembly, err)
	}
	l.response.Bundle = b
	return l.response, nil
}

// An ending is how an answer ends: delivered where refusal is nil, else refused.
type ending struct {
	refusal *gate.Refusal
	kind    gate.Kind  // the true kind
	stage   leaf.Stage // the gate that refused
}

// conclude derives the ending from what the gates left.
func (p *Pipeline) conclude(q question, s scope, enough *enforce.Decision, d display) ending {
	if s.Action == gate.Refuse {
		return ending{&gate.Refusal{Kind: s.Kind(), Message: s.Message, Suggestions: s.Suggestions}, s.Kind(), leaf.StageCategory}
	}
	switch {
	case areNearest(d.claims): // delivered, and counted as a refusal
		return ending{kind: gate.KindCoverage, stage: leaf.StageRank}
	case len(d.claims) > 0:
		return ending{}
	}
	kind, hidden, stage := gate.KindRetrieval, false, leaf.StageCoverage
	for _, x := range d.removed {
		switch {
		case x.kind == gate.KindConsent && (kind != gate.KindConsent || !x.hidden):
			kind, hidden, stage = x.kind, x.hidden, leaf.StageConsent
		case x.kind == gate.KindCoverage && kind == gate.KindRetrieval:
			kind = x.kind
		}
	}
	refusal := p.explainCoverage(gate.RefusalOf(gate.Shown(kind, !hidden)), enough)
	if q.origin == fromOutside && slices.ContainsFunc(d.removed, func(x removal) bool { return x.Reason != notSupported && x.Reason != RestrictedReason }) {
		refusal.Message, refusal.Suggestions = gate.MessageUndelivered, []string{gate.SuggestInventory}
	}
	if refusal.Kind == gate.KindCoverage {
		if refusal.Message == gate.RefusalOf(gate.KindCoverage).Message && len(d.nearby) > 0 {
			refusal.Message = gate.MessageUnanswered
		}
		refusal.Suggestions = append(slices.Clone(refusal.Suggestions), d.nearby...)
	}
	byConsent := slices.ContainsFunc(d.removed, func(x removal) bool { return x.Reason == RestrictedReason })
	switch {
	case kind != gate.KindConsent || hidden || byConsent:
	case len(d.withheld) > 0:
		refusal = gate.BudgetRefusal(d.withheld[0].Taken)
	}
	return ending{&refusal, kind, stage}
}

// explainCoverage gives a coverage refusal the words of the profile's decision,
// where that refused and the profile asks for more than the coverage gate does.
func (p *Pipeline) explainCoverage(refusal gate.Refusal, enough *enforce.Decision) gate.Refusal {
	if enough == nil || !enough.Refuse || refusal.Kind != gate.KindCoverage || !p.demandsMore() {
		return refusal
	}
	refusal.Message = enough.Message
	refusal.Suggestions = append(append([]string{}, enough.Suggestions...), refusal.Suggestions...)
	return refusal
}

// describeResponse returns the response without its claims and its bundle.
func (p *Pipeline) describeResponse(q question, s scope, enough *enforce.Decision, d display, end ending) *Response {
	res := &Response{Refusal: end.refusal, TrueKind: end.kind, TrueStage: end.stage, Withheld: d.withheld,
		Type: enforce.TypeOf(q.text), Enforced: enough, Decision: s.Decision, TopK: passagesPerPart}
	var ladder []cite.Rung
	for i := range d.claims {
		if d.claims[i].role == cite.RoleNearest {
			ladder = append(ladder, cite.Narrowed) // of what was asked it is not the whole
			continue
		}
		ladder = append(ladder, d.claims[i].verdict.Rung)
	}
	res.Unanswered = end.refusal != nil || areNearest(d.claims)
	if res.Unanswered && len(d.removed) > 0 {
		res.FailedTest = d.removed[0].test
	}
	res.Outcome = gate.ResponseRung(ladder, len(d.removed) > 0)
	for _, x := range d.removed {
		res.Removed = append(res.Removed, x.RemovedTopic)
		if x.Reason == NotFromArchive {
			res.Freeform = append(res.Freeform, x.Topic)
		}
	}
	if q.origin == fromOutside {
		res.Counts = countClaims(d)
	}
	if s.Action == gate.ArchiveOnly {
		res.Notices = append(res.Notices, gate.ArchiveOnlyNotice)
	}
	res.Notices = append(res.Notices, d.notices...)
	if n := d.countUnquoted(); n > 0 {
		res.Notices = append(res.Notices, fmt.Sprintf(gate.BudgetNotice, n))
	}
	if s.Action == gate.Refuse {
		res.Category = s.Category
	}
	return res
}

// addClaim adds the leaves of one delivered claim: its source for auditors,
// the pieces of its excerpt, its citation, its gate and the claim itself.
func (v *viewer) addClaim(a *bundle.Answer, ordinal int, s *shown) (Claim, error) {
	if len(s.facts) > 0 {
		return v.addFacts(a, ordinal, s)
	}
	cited, err := v.addCite(a, ordinal, s)
	if err != nil {
		return Claim{}, err
	}
	claim := leaf.Claim{Claim: ordinal, Text: s.text, Rung: s.verdict.Rung, Role: s.role, Restricted: s.view.Restricted}
	if s.role == cite.RoleNearest {
		claim.Rung = "" // it stands in the gate leaf
	}
	claim.Gate = a.Add(coverageGate(ordinal, s, ""), true)
	if err := addRank(a, ordinal, s); err != nil {
		return Claim{}, err
	}
	if len(s.reasons) > 0 {
		a.Add(&leaf.Gate{Stage: leaf.StageConsent, Claim: ordinal, Notes: s.reasons}, false)
	}
	claim.Cites = []int{cited}
	if s.people != nil {
		title, date, err := v.nameSource(s)
		if err != nil {
			return Claim{}, err
		}
		said, disclosed, err := v.reviewsLeaf(ordinal, cited, title+date != "", s)
		if err != nil {
			return Claim{}, err
		}
		a.Add(said, disclosed)
	}
	out := Claim{Text: s.text, Rung: claim.Rung, Role: s.role, Restricted: s.view.Restricted, Judge: s.judgeName(), Citation: s.citation()}
	if out.Notes, err = v.notesOn(s); err != nil {
		return Claim{}, err
	}
	for i := range s.others {
		other := &s.others[i]
		other.text = s.text // it is the claim that they are cited for
		at, err := v.addCite(a, ordinal, other)
		if err != nil {
			return Claim{}, err
		}
		claim.Cites, out.Also = append(claim.Cites, at), append(out.Also, other.citation())
	}
	a.Add(&claim, true)
	return out, nil
}

// notesOn returns the notes on a quote: the other papers with it, the text around it that governs it and, if it says
// I, its writer by the signature or the record, with place and date.
func (v *viewer) notesOn(s *shown) (out []string, err error) {
	if s.view.Restricted {
		return nil, nil
	}
	if s.agreement != "" {
		out = append(out, s.agreement)
	}
	if said := s.governed; said != "" { // its words for those who may read them
		open, err := v.namesNobody(s.ev.Artifact)
		if err != nil {
			return nil, err
		}
		if !open || !v.readsWhole(s.ev.Artifact) {
			said = "what is around these words says in what sense they hold"
		}
		out = append(out, said)
	}
	stored, err := v.view.Record(s.artifact)
	says := func(w segment.Word) bool { return lexicon.FirstPerson.Has(w.Lower) }
	if err != nil || !s.own || !stored.Record.Textual() || !slices.ContainsFunc(segment.Words(s.text), says) {
		return out, err
	}
	x, err := v.readPaper(s.artifact, stored.Record)
	if err != nil || x == nil || x.writer() == "" {
		return out, err
	}
	said := "the writer is " + x.writer()
	if x.writer() == x.head.Signature {
		said = "the writer signs “" + x.writer() + "”"
	}
	place, _, _ := strings.Cut(strings.TrimSuffix(x.head.Heading, ", den"), "\n")
	if at := strings.Trim(place+", "+x.head.DateText, ", "); at != "" && len(at) <= longestPlace {
		said += ": " + at
	}
	if perm, err := v.permission(s.artifact, said); err != nil || perm.Piece() == 0 {
		return out, err
	} else if open, err := v.namesNobody(s.ev.Artifact); err != nil || !open {
		return out, err
	}
	return append(out, said), nil
}

// longestPlace is the longest place and date of a letter that a note has, in bytes; a longer one is a sentence.
const longestPlace = 80

// citation returns the evidence of a shown claim.
func (s *shown) citation() Citation {
	return Citation{Relation: s.ev.Relation, Excerpt: s.view.Excerpt, Notice: s.view.Notice, Artifact: s.artifact, Span: s.ev.Span, Quote: s.ev.Quote, Similarity: s.ev.Similarity,
		Passage: s.passage, Fresh: s.taken.Fresh}
}

// addCite adds a citation with its source for auditors and the pieces of its excerpt, and returns the index of the cite leaf.
func (v *viewer) addCite(a *bundle.Answer, ordinal int, s *shown) (int, error) {
	src, err := v.source(s)
	if err != nil {
		return 0, err
	}
	citation := leaf.Cite{Claim: ordinal, Relation: s.ev.Relation, Restricted: s.view.Restricted, Chunks: []int{}, Source: a.Add(src, false)}
	if citation.Title, citation.Date, err = v.nameSource(s); err != nil {
		return 0, err
	}
	for _, piece := range s.view.Excerpt.Pieces {
		at := a.Add(&leaf.Chunk{Text: piece.Text}, piece.Shown)
		if !s.view.Restricted {
			citation.Chunks = append(citation.Chunks, at)
		}
	}
	return a.Add(&citation, true), nil
}

// nameSource returns the title and the date of a claim's paper: the title of its record, or the
// last part of the name it was added under, and its date. Both are "" if the requestor may not be
// shown them.
func (v *viewer) nameSource(s *shown) (title, date string, err error) {
	stored, err := v.view.Record(s.artifact)
	if err != nil || s.view.Restricted {
		return "", "", err
	}
	title, date = bundledisplay.SourceOf(stored.Record)
	perm, err := v.permission(s.artifact, title)
	if err != nil || !perm.Display || len(v.policy.Veils(title)) > 0 {
		return "", "", err
	}
	return title, date, nil
}

// addRank adds the score of a claim, sealed: it is computed from words around the
// excerpt, which its reader need not be shown. The ordinal is 0 for a claim that is
// not delivered.
func addRank(a *bundle.Answer, ordinal int, s *shown) error {
	if s.ranking == nil {
		return nil
	}
	role, err := s.ranking.Role()
	if err != nil {
		return err
	}
	a.Add(&leaf.Gate{Stage: leaf.StageRank, Claim: ordinal, Role: role, Rank: s.ranking}, false)
	return nil
}

// leavesOfHidden is how many leaves addFailed makes at most of a candidate that the
// requestor may not know of.
const leavesOfHidden = 3

// addFailed keeps, for auditors, why a claim was not delivered. One that the display
// gates withheld keeps its citation; of one that the requestor may not know of only
// its place is noted, so that the size of an answer does not show it.
func (v *viewer) addFailed(a *bundle.Answer, ordinal int, s *shown) error {
	kind := gate.KindCoverage
	if s.view.Blocked || s.loss != nil && s.loss.kind == gate.KindConsent {
		kind = gate.KindConsent
	}
	if s.unknown || s.verdict.Rung == cite.Refused || kind != gate.KindConsent || len(s.facts) > 0 {
		g := coverageGate(0, s, kind)
		if s.ev.Artifact != "" {
			g.Notes = append(g.Notes, "place: "+s.ev.Span.String()+" of "+s.ev.Artifact)
		}
		a.Add(g, false)
		if err := addRank(a, 0, s); err != nil {
			return err
		}
	} else if err := v.addWithheld(a, ordinal, s, kind); err != nil {
		return err
	}
	if len(s.reasons) > 0 {
		a.Add(&leaf.Gate{Stage: leaf.StageConsent, TrueKind: string(kind), Notes: s.reasons}, false)
	}
	return nil
}

// addWithheld adds a claim that the display gates withheld, with its citation, all
// of it sealed.
func (v *viewer) addWithheld(a *bundle.Answer, ordinal int, s *shown, kind gate.Kind) error {
	src, err := v.source(s)
	if err != nil {
		return err
	}
	g := coverageGate(ordinal, s, kind)
	g.Notes = append(g.Notes, whyFailed(s)...)
	citation := leaf.Cite{Claim: ordinal, Relation: s.ev.Relation, Restricted: true, Chunks: []int{}, Source: a.Add(src, false)}
	claim := leaf.Claim{Claim: ordinal, Text: s.text, Rung: s.verdict.Rung, Role: s.role, Restricted: true, Gate: a.Add(g, false)}
	if s.role == cite.RoleNearest {
		claim.Rung = ""
	}
	claim.Cites = []int{a.Add(&citation, false)}
	a.Add(&claim, false)
	return addRank(a, ordinal, s)
}

// addRemoval keeps, for auditors, which test a removed topic failed and of which
// kind its removal is.
func addRemoval(a *bundle.Answer, x removal) {
	notes := []string{"removed topic: " + x.Topic, "reason: " + x.Reason}
	if x.test != "" {
		notes = append(notes, "failed test: "+x.test)
	}
	a.Add(&leaf.Gate{Stage: leaf.StageConsent, TrueKind: string(x.kind), Notes: notes}, false)
}

// addExchange adds an exchange with a model, sealed, and the reason why it was not used.
func addExchange(a *bundle.Answer, purpose string, x model.Exchange, unused error) {
	notes := []string{purpose, "model " + x.Model, "prompt_sha256 " + x.PromptSHA256,
		"prompt " + cutToLeaf(x.Prompt, maxKeptPrompt), "reply " + cutToLeaf(x.Reply, maxKeptReply)}
	if unused != nil {
		notes = append(notes, "not used: "+unused.Error())
	}
	var in cite.GateInput
	v := cite.Judge(in)
	a.Add(&leaf.Gate{Stage: leaf.StageCoverage, Inputs: in, Rung: v.Rung, Failed: v.Failed, Notes: notes}, false)
}

// coverageGate returns the gate leaf of the rung table: inputs, rung, failed tests.
func coverageGate(ordinal int, s *shown, kind gate.Kind) *leaf.Gate {
	g := &leaf.Gate{Stage: leaf.StageCoverage, Claim: ordinal, Inputs: s.input, Rung: s.verdict.Rung, Failed: s.verdict.Failed, TrueKind: string(kind), Notes: []string{}, Judge: s.judge}
	if ordinal == 0 {
		g.Notes = append(g.Notes, whyFailed(s)...)
	}
	return g
}

// whyFailed returns the notes about a claim that was not delivered: its topic, and
// the tests that it failed.
func whyFailed(s *shown) []string {
	notes := []string{"topic: " + s.topic}
	for _, t := range s.ev.Tests {
		notes = append(notes, "failed test: "+t)
	}
	return notes
}

// source returns everything an auditor needs to follow one citation to a signed
// snapshot, with no archive at hand.
func (v *viewer) source(s *shown) (*leaf.Source, error) {
	stored, err := v.view.Record(s.artifact)
	if err != nil {
		return nil, err
	}
	doc, err := v.document(s.artifact.String())
	if err != nil {
		return nil, err
	}
	anchor, err := cite.AnchorOf(doc, s.ev.Span)
	if err != nil {
		return nil, err
	}
	in := v.view.Snapshot
	citation := &cite.Citation{Type: cite.CitationType, Artifact: s.artifact.String(), Record: stored.ID.String(), Snapshot: in.ID.String(), Seq: in.Seq,
		Span: s.ev.Span.String(), Relation: s.ev.Relation, Claim: s.text,
		QuoteSHA256: anchor.SHA256, Prefix: anchor.Prefix, Suffix: anchor.Suffix, Match: cite.Exact, Length: utf8.RuneCountInString(s.ev.Quote)}
	citation.ClaimVerdict, citation.Judge = s.claimVerdict()
	proof, err := v.view.Proof(layout.RecordPath(s.artifact, stored.ID))
	if err != nil {
		return nil, err
	}
	return leaf.NewSource(citation, doc, stored.JSON, proof, in.Content)
}

// claimVerdict returns the verdict on a delivered claim: judged where a model said
// yes, follows where the rules gave a higher rung than labeled, else not shown.
func (s *shown) claimVerdict() (cite.ClaimVerdict, *cite.JudgeReply) {
	switch {
	case s.judge != nil && s.judge.Verdict == leaf.JudgeVerdicts[0]:
		return cite.ClaimJudged, &cite.JudgeReply{Model: s.judge.Model, PromptSHA256: s.judge.PromptSHA256, ReplySHA256: s.judge.ReplySHA256}
	case s.verdict.Rung == cite.Supported || s.verdict.Rung == cite.Narrowed:
		return cite.ClaimFollows, nil
	}
	return cite.ClaimNotShown, nil
}

// addFacts adds the leaves of a claim that rests on records.
func (v *viewer) addFacts(a *bundle.Answer, ordinal int, s *shown) (Claim, error) {
	claim := leaf.Claim{Claim: ordinal, Text: s.text, Rung: s.verdict.Rung, Gate: a.Add(coverageGate(ordinal, s, ""), true)}
	out := Claim{Text: s.text, Rung: s.verdict.Rung}
	for _, f := range s.facts {
		src, err := v.factSource(s.text, f)
		if err != nil {
			return Claim{}, err
		}
		source := a.Add(src, false)
		citation := leaf.Cite{Claim: ordinal, Relation: cite.MetadataFact, Chunks: []int{a.Add(&leaf.Chunk{Text: f.words}, !f.silent)}, Source: source}
		claim.Cites = append(claim.Cites, a.Add(&citation, true))
		out.Records = append(out.Records, Citation{Relation: cite.MetadataFact, Artifact: f.record, Meta: f.span.String(), Quote: f.words, Similarity: 1})
	}
	a.Add(&claim, true)
	out.Citation = out.Records[len(out.Records)-1]
	if len(s.facts) > 1 && s.ev.Relation == cite.MetadataFact {
		out.Citation = out.Records[1] // the field that is charged
	}
	out.Citation.Passage, out.Citation.Fresh = s.passage, s.taken.Fresh
	return out, nil
}

// factSource returns everything an auditor needs to follow a field to a signed snapshot.
func (v *viewer) factSource(claim string, f fact) (*leaf.Source, error) {
	anchor, err := cite.AnchorOfMeta(f.stored.JSON, f.span)
	if err != nil {
		return nil, err
	}
	proof, err := v.view.Proof(layout.RecordPath(artifactOf(f.stored), f.record))
	if err != nil {
		return nil, err
	}
	in := v.view.Snapshot
	citation := &cite.Citation{Type: cite.CitationType, Artifact: f.record.String(), Snapshot: in.ID.String(), Seq: in.Seq, Span: f.span.String(), Relation: cite.MetadataFact,
		Claim: claim, QuoteSHA256: anchor.SHA256, Prefix: anchor.Prefix, Suffix: anchor.Suffix, Match: cite.Exact, Length: utf8.RuneCountInString(f.words), ClaimVerdict: cite.ClaimFollows}
	return leaf.NewSource(citation, nil, f.stored.JSON, proof, in.Content)
}

// countClaims counts the claims of a draft: what a model or a person calls an inference is not verified, and of what is kept from the
// requestor nothing is said: where its existence is hidden too, it counts like what is not there.
func countClaims(d display) cite.ClaimCounts {
	var n cite.ClaimCounts
	for i := range d.claims {
		switch d.claims[i].verdict.Rung {
		case cite.Supported, cite.Narrowed:
			n.Verified++
		default:
			n.Unverified++
		}
	}
	for _, x := range d.removed {
		switch {
		case x.test == "" || gate.Shown(x.kind, !x.hidden) == gate.KindConsent || x.Reason == NotFromArchive || x.Reason == notSupported:
			n.Unjudged++
		case x.test == string(judge.Contradiction):
			n.Contradicted++
		default:
			n.Unverified++
		}
	}
	return n
}
