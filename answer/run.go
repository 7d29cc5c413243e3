package answer

import (
	"context"
	"fmt"
	"slices"

	"muniment/answer/assign"
	"muniment/answer/budget"
	"muniment/answer/enforce"
	"muniment/answer/gate"
	"muniment/answer/model"
	"muniment/answer/policy"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
)

// A Claim is one delivered claim.
type Claim struct {
	Text       string
	Rung       cite.Rung
	Restricted bool
	Citation   Citation
	Records    []Citation // all citations of a claim that rests on records, in the order of the bundle's
}

// A Citation is the evidence of a delivered claim: what its reader may see,
// and where it is.
type Citation struct {
	Relation cite.Relation
	Excerpt  gate.Excerpt
	Notice   string

	Artifact cid.ID
	Span     cite.Span
	Meta     string // in the place of Span, where Artifact is a record
	Quote    string

	Passage budget.Range // what is shown of the artifact, in code points of its text
	Fresh   int          // of them, not shown to the requestor before

	Similarity float64 // of the cited words to the question or the claim, 0 to 1
}

// Removed is a topic that is not delivered.
type Removed struct {
	Topic, Reason string
}

// A candidate is a claim on its way through the gates.
type candidate struct {
	text    string // as delivered, unless consent withholds it
	topic   string // what was asked or drafted
	cut     string // what narrowing cut off
	own     bool   // the words are the archive's: they are shown only where display is allowed
	context bool   // more context was asked for: it may be longer
	drafted bool   // a model wrote it, for this question
	facts   []fact // it rests on records, not on texts
	ev      assign.Evidence
	input   cite.GateInput
	verdict cite.Verdict
	need    []string // words that the excerpt should keep
	view    gate.View
	excerpt gate.Excerpt
	art     cid.ID
	reasons []string // of the policy
	passage budget.Range
	taken   budget.Taken
}

// A run is one question or draft in the pipeline.
type run struct {
	p       *Pipeline
	query   string
	draft   bool // the query is a draft
	more    bool // the query is for more context
	request Request
	facts   gate.Facts

	decision gate.Decision
	sorted   *sorting // nil where no model was asked for the category
	enforced *enforce.Decision
	claims   []candidate // delivered
	removed  []Removed
	passed   map[segment.Kind]int // parts of a draft that assert nothing
	kinds    []gate.Kind          // true kinds of what was removed, in order
	hidden   []bool               // whether their existence may not show
	failed   []candidate          // what was removed, for the gate leaves
	docs     map[cid.ID]*canon.Document
	lengths  map[cid.ID]int // of the documents, in code points
	exists   map[string]bool
	unknown  []string // artifacts that the requestor may not know of
	withheld []Withheld
	writings []writing
	notices  []string
	free     []string // text that cites nothing, let through
	secret   int      // candidates that the requestor may not know of
}

func (p *Pipeline) start(query string, r Request) *run {
	return &run{p: p, query: query, request: r, docs: map[cid.ID]*canon.Document{}, lengths: map[cid.ID]int{}, exists: map[string]bool{},
		facts: gate.Facts{Subject: p.Policy.Subject, Persons: p.Policy.Persons, CoversTo: p.View.CoversTo, Names: p.View.Names}}
}

// filter is the category filter. It reads the policy and nothing else; for a
// borderline question the metadata too; of one that the rules passed with a
// doubt a model may be asked.
func (r *run) filter(ctx context.Context, question string) (gate.Decision, error) {
	r.decision = gate.Category(question, r.facts)
	if len(r.decision.Lookup) > 0 && r.p.View.Mentions != nil {
		found, err := r.p.View.Mentions(r.decision.Lookup)
		if err != nil {
			return gate.Decision{}, err
		}
		r.decision = r.decision.Found(found)
	}
	if r.decision.Doubt == "" || r.p.Classify == nil {
		return r.decision, nil
	}
	until := r.facts.Subject.Died
	if until == "" {
		until = r.facts.CoversTo
	}
	said, err := r.p.Classify(ctx, model.Sorted{Question: question, Subject: r.facts.Subject.Name, Until: until, Categories: gate.Categories()})
	r.sorted = &sorting{said, err}
	switch {
	case ctx.Err() != nil:
		return gate.Decision{}, ctx.Err()
	case err == nil: // what does not count changes nothing
		r.decision = r.decision.Judged(r.facts, said.Category)
	}
	return r.decision, nil
}

// A sorting is what a model said of the question, and why it does not count.
type sorting struct {
	said model.Classed
	err  error
}

// notes are those of the sealed gate of the category.
func (s *sorting) notes() []string {
	out := []string{"classified by a model", "model " + s.said.Model, "prompt_sha256 " + s.said.PromptSHA256,
		"prompt " + kept(s.said.Prompt, maxKeptPrompt), "reply " + kept(s.said.Reply, maxKeptReply)}
	if s.err != nil {
		out = append(out, "not used: "+kept(s.err.Error(), maxKeptReply))
	}
	return out
}

// retrieve finds passages, and those of artifacts that the requestor may know
// of: as many as if there were no others. The subject's names are no topic.
func (r *run) retrieve(ctx context.Context, index retrieve.Index, text string) (all, open []retrieve.Passage, err error) {
	if r.unknown == nil && r.p.View.Hidden != nil {
		if r.unknown, err = r.p.View.Hidden(r.request.Requestor); err != nil {
			return nil, nil, err
		}
	}
	q := retrieve.Query{Text: text, Ignore: r.subject(), K: passagesPerPart}
	for {
		q.Hidden = r.unknown
		if open, err = index.Search(ctx, q); err != nil {
			return nil, nil, err
		}
		known, err := r.known(open)
		if err != nil || len(known) == len(open) && len(r.unknown) == 0 {
			return open, known, err
		}
		if len(known) == len(open) {
			break
		}
		// The policy's text hides more than the view told.
		for _, p := range open {
			if !r.exists[p.Artifact] && !slices.Contains(r.unknown, p.Artifact) {
				r.unknown = append(r.unknown, p.Artifact)
			}
		}
	}
	q.Hidden = nil
	if all, err = index.Search(ctx, q); err != nil {
		return nil, nil, err
	}
	_, err = r.known(all)
	return union(all, open), open, err
}

// union is a list with those of another one that it does not have.
func union(all, more []retrieve.Passage) []retrieve.Passage {
	for _, p := range more {
		if !slices.ContainsFunc(all, func(q retrieve.Passage) bool { return q.ID == p.ID }) {
			all = append(all, p)
		}
	}
	return all
}

// limit is the longest excerpt, in code points, of the requestor's tier.
func (r *run) limit() int {
	name := r.tier()
	for _, t := range r.p.Policy.Tiers {
		if t.Name == name {
			return int(t.Excerpt)
		}
	}
	return gate.DefaultLimit
}

// subject lists the names of the subject.
func (r *run) subject() []string {
	subject := r.p.Policy.Subject
	if subject.Name == "" {
		return subject.Aliases
	}
	return append([]string{subject.Name}, subject.Aliases...)
}

// document reads an artifact's text once.
func (r *run) document(artifact string) (*canon.Document, error) {
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return nil, err
	}
	if d := r.docs[id]; d != nil {
		return d, nil
	}
	d, err := r.p.View.Document(id)
	if err != nil {
		return nil, err
	}
	r.docs[id] = d
	return d, nil
}

// reached tells whether the coverage gate lets any of the candidates through.
func reached(cs []candidate) bool {
	return slices.ContainsFunc(cs, func(c candidate) bool { return cite.Judge(c.input).Rung != cite.Refused })
}

// assigned matches one drafted claim to passages, whole or narrowed.
func (r *run) assigned(claim segment.Claim, passages []retrieve.Passage) ([]candidate, error) {
	ev, err := assign.Assign(claim, passages, r.document, r.subject()...)
	if err != nil {
		return nil, err
	}
	whole := candidate{topic: claim.Text, text: claim.Text, ev: ev, input: ev.Input(), need: retrieve.ContentWords(claim.Text, nil)}
	verdict := cite.Judge(whole.input)
	if verdict.Rung == cite.Supported {
		return []candidate{whole}, nil
	}
	narrowed, ok, err := assign.Narrow(claim, passages, r.document, r.subject()...)
	if err != nil {
		return nil, err
	}
	if ok {
		in := narrowed.Evidence.Input()
		in.Narrowed = true
		return []candidate{{topic: claim.Text, text: narrowed.Text, cut: narrowed.Cut, ev: narrowed.Evidence, input: in, need: retrieve.ContentWords(narrowed.Text, nil)}}, nil
	}
	if verdict.Rung == cite.Refused && ev.Artifact == "" {
		return nil, nil
	}
	return []candidate{whole}, nil
}

// deliver takes the candidates of one topic through the coverage gate and the
// display gates. Those that pass are delivered; a topic without any is removed.
// hidden tells that there would have been others, had the requestor been
// allowed to know of them.
func (r *run) deliver(topic string, found []candidate, hidden bool) error {
	kind, reason := gate.KindRetrieval, ""
	if hidden {
		kind = gate.KindConsent
	}
	delivered := 0
	for i := range found {
		c := &found[i]
		c.verdict = cite.Judge(c.input)
		if c.verdict.Rung == cite.Labeled {
			if test, why := unlabelable(c.text, r.decision); test != "" {
				kind, reason = gate.KindCoverage, why
				c.ev.Tests = append(c.ev.Tests, test)
				r.failed = append(r.failed, *c)
				continue
			}
		}
		if c.verdict.Rung == cite.Refused {
			kind = gate.KindCoverage
			r.failed = append(r.failed, *c)
			continue
		}
		ok, err := r.provable(c)
		if err != nil {
			return err
		}
		if !ok {
			kind = gate.KindCoverage
			c.ev.Tests = append(c.ev.Tests, "provable")
			r.failed = append(r.failed, *c)
			continue
		}
		if err := r.display(c); err != nil {
			return err
		}
		if c.drafted && c.view.Restricted {
			c.view.Blocked = true // its words would be all that is shown of what may not be shown
		}
		if c.view.Blocked {
			kind, hidden = gate.KindConsent, c.view.Hidden
			r.failed = append(r.failed, *c)
			continue
		}
		if err := r.meter(c); err != nil {
			return err
		}
		if c.taken.Denied != "" && (c.own || c.drafted || c.verdict.Rung == cite.Labeled) {
			// It is nothing without the words that it rests on.
			kind, hidden, reason = gate.KindConsent, false, gate.BudgetReason(c.taken)
			r.failed = append(r.failed, *c)
			continue
		}
		if c.own && !c.view.Restricted && c.view.Excerpt.Empty() {
			// No part that this tier may see says alone what it says in its place.
			kind = gate.KindCoverage
			c.ev.Tests = append(c.ev.Tests, "excerpt")
			r.failed = append(r.failed, *c)
			continue
		}
		delivered++
		r.claims = append(r.claims, *c)
		if c.cut != "" {
			r.remove(c.cut, "the archive supports the rest of the sentence, not this", gate.KindCoverage, false)
		}
	}
	if delivered == 0 {
		r.remove(topic, reason, kind, hidden)
	}
	return nil
}

// maxProvable is the most bytes of text that a source leaf can carry to prove a
// citation: a leaf holds 64 KiB, and the record, the commit and the proofs need
// some of it.
const maxProvable = 40 << 10

// provable reports whether the paragraphs that a candidate cites fit into a
// source leaf.
func (r *run) provable(c *candidate) (bool, error) {
	doc, err := r.document(c.ev.Artifact)
	if err != nil {
		return false, err
	}
	units := doc.Units(c.ev.Span.Kind)
	first, last := units[c.ev.Span.From.Unit-1], units[c.ev.Span.To.Unit-1]
	return last.End-first.Start <= maxProvable, nil
}

// passOver counts a part of a draft that asserts nothing and is not delivered.
func (r *run) passOver(c segment.Claim) {
	if r.passed == nil {
		r.passed = map[segment.Kind]int{}
	}
	r.passed[c.Kind]++
}

// passedOver says what was not delivered because it asserts nothing.
func (r *run) passedOver() []string {
	var out []string
	for _, k := range []segment.Kind{segment.Heading, segment.Question, segment.Code, segment.Caveat} {
		if n := r.passed[k]; n > 0 {
			out = append(out, fmt.Sprintf("not delivered, because it asserts nothing: %d of the draft's parts of kind %s", n, k))
		}
	}
	return out
}

// restricted is the reason of a topic that consent removed.
const restricted = "restricted by the person's instructions"

// remove lists a topic with the reason its reader may know.
func (r *run) remove(topic, reason string, kind gate.Kind, hidden bool) {
	if reason == "" {
		reason = "not enough in the archive"
		if gate.Shown(kind, !hidden) == gate.KindConsent {
			reason = restricted
		}
	}
	if r.draft {
		topic = r.p.Policy.Veiled(topic)
	}
	r.removed = append(r.removed, Removed{Topic: topic, Reason: reason})
	r.kinds = append(r.kinds, kind)
	r.hidden = append(r.hidden, hidden)
}

// display passes a claim through the consent, tier and minimum-span gates.
func (r *run) display(c *candidate) error {
	id, err := cid.ParseAs(cid.Raw, c.ev.Artifact)
	if err != nil {
		return err
	}
	c.art = id
	perm, err := r.permission(id, c.ev.Quote+"\n"+c.text)
	if err != nil {
		return err
	}
	if c.context {
		perm.Excerpt *= gate.ContextFactor
	}
	c.reasons = perm.Reasons
	limit := perm.Excerpt
	if limit == 0 {
		limit = gate.DefaultLimit // nothing of it is shown
	}
	c.excerpt = gate.Trim(c.ev.Quote, c.need, limit)
	if limit <= gate.DefaultLimit && !c.own && !c.context && len(c.facts) == 0 {
		c.excerpt = gate.TrimSentence(c.ev.Quote, c.need, limit)
	}
	c.view = gate.Display(c.excerpt, perm)
	veils, err := r.veils(c)
	if err != nil {
		return err
	}
	if r.names(veils) {
		// Whoever asks by a name must not be told the pseudonym that stands for it.
		c.view = gate.View{Excerpt: c.excerpt.Withhold(), Blocked: true}
		c.reasons = append(c.reasons, "surface: the question names an anonymized person")
	}
	if c.view.Blocked {
		return nil
	}
	c.view.Excerpt = c.view.Excerpt.Veil(veils)
	if !c.own {
		c.text, c.cut = r.p.Policy.Veiled(c.text), r.p.Policy.Veiled(c.cut)
		return nil
	}
	// The claim is the archive's own words: it says no more than may be shown.
	c.text = gate.RestrictedNotice
	if !c.view.Restricted {
		c.text = "“" + c.view.Excerpt.Text() + "”"
	}
	return nil
}

// permission asks the policy what may be seen of an artifact, in words that are
// to be shown of it.
func (r *run) permission(id cid.ID, words string) (policy.Permission, error) {
	consent, err := r.p.View.Consent(id)
	if err != nil {
		return policy.Permission{}, fmt.Errorf("consent of %s: %w", id, err)
	}
	return r.p.Policy.Decide(r.request.Requestor, policy.Resource{Artifact: id, Consent: consent, Persons: r.mentioned(words)})
}

// refuseCategory ends a run before anything was read.
func (r *run) refuseCategory(d gate.Decision) (*Response, error) {
	text := gate.Refusal{Kind: d.Kind(), Message: d.Message, Suggestions: d.Suggestions}
	return r.assemble(&text, d.Kind(), bundle.StageCategory)
}

// finish derives the outcome and assembles the bundle.
func (r *run) finish() (*Response, error) {
	if len(r.claims) > 0 {
		return r.assemble(nil, "", "")
	}
	kind, hidden, stage := gate.KindRetrieval, false, bundle.StageCoverage
	for i, k := range r.kinds {
		switch {
		case k == gate.KindConsent && (kind != gate.KindConsent || !r.hidden[i]):
			kind, hidden, stage = k, r.hidden[i], bundle.StageConsent
		case k == gate.KindCoverage && kind == gate.KindRetrieval:
			kind = k
		}
	}
	text := r.toldWhy(gate.RefusalOf(gate.Shown(kind, !hidden)))
	byConsent := slices.ContainsFunc(r.removed, func(x Removed) bool { return x.Reason == restricted })
	if kind == gate.KindConsent && !hidden && !byConsent && len(r.withheld) > 0 {
		text = gate.BudgetRefusal(r.withheld[0].Taken)
	}
	return r.assemble(&text, kind, stage)
}

// Place is the citation's span or meta span.
func (c Citation) Place() string {
	if c.Meta != "" {
		return c.Meta
	}
	return c.Span.String()
}
