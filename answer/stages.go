package answer

import (
	"muniment/bundle/leaf"
	"slices"

	"muniment/answer/budget"
	"muniment/answer/gate"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cite"
	"muniment/engine"
	"muniment/judge/assign"
	"muniment/judge/model"
	"muniment/judge/model/entail"
	"muniment/policy"
	"muniment/search/rank"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// This file declares what each stage hands on to the next, in their order.

// A question is the text that enters the pipeline, and who asks.
type question struct {
	text     string
	origin   origin
	request  Request
	viewer   *viewer
	judge    *entail.Judge
	ownDraft bool // the judge is the model that drafts, and judges no sentence of its own
	verified bool // a yes of the judge counts as verified, by the profile
	least    int  // organisations whose reviews the profile asks for; 0 for none
	reviews  func(claim string) ([]engine.ReviewedClaim, error)
	lines    []string // the content words of what a creative text is to be about; none of any other question
}

// An origin says what the text of a question is.
type origin int

const (
	asked       origin = iota
	fromOutside        // a draft that somebody else wrote
	moreContext        // a request for more of a citation
	examination        // the quotations of a text that was examined
)

// question returns the text as the stages of the pipeline read it.
func (p *Pipeline) question(text string, o origin, r Request) question {
	return question{text: text, origin: o, request: r, viewer: newViewer(p.View, p.Policy, r.Requestor), judge: p.newJudge(), ownDraft: p.JudgeDrafts, verified: p.Profile.JudgedClaims() == policy.JudgedVerified,
		least: p.Profile.Reviews, reviews: p.Reviewed}
}

// names reports whether the question names somebody whom the veils hide. A
// draft is written by somebody who knows the archive: its names are veiled, too.
func (q question) names(veils []policy.Veil) bool {
	if q.origin == fromOutside || q.origin == examination || len(veils) == 0 {
		return false
	}
	for _, asked := range q.viewer.policy.Veils(q.text) {
		for _, v := range veils {
			if slices.ContainsFunc(v.Persons, func(name string) bool { return slices.Contains(asked.Persons, name) }) {
				return true
			}
		}
	}
	return false
}

// A scope is the decision of the category filter.
type scope struct {
	gate.Decision
	classification *classification // nil where no model was asked
}

// A topic is a part of a question, or a claim of a draft from outside: it is
// answered or removed as one.
type topic struct {
	text  string // as asked or drafted
	query string // what to search for
	part  segment.Part
	claim segment.Claim
}

// Passages are the passages that retrieval found for one topic.
type passages struct {
	topic  topic
	open   []retrieve.Passage // of artifacts that the requestor may know of
	all    []retrieve.Passage // with those that it may not know of
	around []retrieve.Passage // before and after the best open ones in their papers, whatever words they hold; of Ask only
	copies []duplicate        // of papers with an open passage; of Ask only
	// absent is the true kind of the topic's removal where nothing is found; zero
	// is gate.KindRetrieval.
	absent gate.Kind
	asked  rank.Question // the topic as sentences are ranked for it; of Ask only
}

// A topicDraft is what may be said on one topic: the archive's own words and, where
// there is a model, what it wrote.
type topicDraft struct {
	passages
	quotes  []candidate // from the open passages
	hidden  []candidate // those that could be made of the others only
	read    []retrieve.Passage
	written *writing // from the passages in read; nil where no model was asked
}

// Claims are a draft cut into sentences that assert one thing each.
type claims struct {
	topicDraft
	sentences []drafted
}

// A drafted claim is one of a draft, with the words that its model says it rests on.
type drafted struct {
	claim  segment.Claim
	quotes []model.Quote // none in a draft from outside
}

// A candidate is a claim with the evidence for it.
type candidate struct {
	text    string          // as delivered, unless consent withholds it
	topic   string          // what was asked or drafted
	cut     string          // what narrowing cut off
	uncut   assign.Evidence // of the claim before it was narrowed
	own     bool            // the words are the archive's: they are shown only where display is allowed
	context bool            // more context was asked for: it may be longer
	written bool            // a model wrote it, for this question
	facts   []fact          // it rests on records, not on texts
	role    cite.Role
	ranking *cite.Ranking // of a quote that answers a question or is near it; else nil
	gone    *loss         // why it is kept for auditors only; nil where it may be delivered
	ev      assign.Evidence
	input   cite.GateInput
	judge   *leaf.Judge           // the model that was asked; nil where none was
	people  *engine.ReviewedClaim // what persons said of it, where they decided; else nil
	need    []string              // words that the excerpt should keep
	marked  string                // of a nearest passage, its best sentence: the claim, where all of it is shown; "" for all words

	also       []candidate // quotes of other papers that tell the same event
	agreement  string      // what is said of those papers; "" for none
	governed   string      // of a nearest passage: why its paper itself does not state it; "" where it does
	opposition string      // what is said of papers that contradict it; "" for none
}

// Evidence is the support for the claims of one topic.
type evidence struct {
	topic  string
	absent gate.Kind
	found  []candidate // for the claims of the draft from outside, or the archive's own words
	hidden []candidate // on artifacts that the requestor may not know of
	claim  segment.Claim

	written   *writing // with the evidence for each of its sentences
	sentences []sentence
}

// A sentence is one of a model's draft.
type sentence struct {
	claim segment.Claim
	found []candidate
}

// A judged claim has a rung.
type judged struct {
	candidate
	verdict cite.Verdict
	loss    *loss // why the claim is not delivered; nil while it stands
}

// A loss says why a claim is not delivered.
type loss struct {
	kind   gate.Kind // the true kind
	test   string    // the test that failed, by its name in the sealed layer
	reason string    // what the requestor is told; "" for the words of the kind
	hidden bool      // for kind consent: that the artifact is there may not show
}

// Rungs are the claims of one topic after the coverage gate.
type rungs struct {
	topic   string
	sits    segment.Range // of a draft: where the topic is in it
	absent  gate.Kind
	claims  []judged
	dropped []judged    // of a model's draft: kept for auditors and counted, never listed
	hidden  []candidate // on artifacts that the requestor may not know of
	removed []removal
	settled bool // removed says all that is said of the topic
	written *writing
	notices []string
}

// A shown claim has passed the display gates, or lost there.
type shown struct {
	judged
	artifact cid.ID
	view     gate.View
	reasons  []string // of the policy and the budget
	passage  budget.Range
	taken    budget.Taken
	withheld *Withheld // by the budget; nil where it let the passage through
	others   []shown   // the shown ones of also

	whole   bool // the requestor may read the paper whole
	unknown bool // the requestor may not know of it
}

// A removal is a removed topic with its true kind.
type removal struct {
	RemovedTopic
	kind   gate.Kind
	test   string // the test that failed, by its name in the sealed layer
	hidden bool   // that something about it is there may not show
}

// A display is the requestor's part of the response, and the further part for auditors.
type display struct {
	claims   []shown // delivered, in order
	removed  []removal
	failed   []shown // not delivered
	secrets  int     // candidates that the requestor may not know of
	withheld []Withheld
	writings []writing
	notices  []string
	nearby   []string // what a refusal names of the archive beside its suggestions
}

// note adds notices, each once.
func (d *display) note(texts ...string) {
	for _, text := range texts {
		if !slices.Contains(d.notices, text) {
			d.notices = append(d.notices, text)
		}
	}
}

// Leaves are the leaves of a bundle before it is signed, with the description of their content.
type leaves struct {
	answer   bundle.Answer
	response *Response
}

// A writing is one request for a draft, as it is kept for auditors.
type writing struct {
	draft model.Draft
	err   error // why the draft does not count
}
