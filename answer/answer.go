// Package answer is the pipeline from a question to a signed bundle.
//
//	query → category filter → retrieval → draft → claim segmentation →
//	citation assignment → coverage gate → display gates → bundle → log
//
// Most people need two calls:
//
//	result, err := answer.Ask(ctx, a, "Who repaired the mill?", answer.AskOptions{Signer: signer})
//	result, err := answer.Bind(ctx, a, draft, answer.AskOptions{Signer: signer})
//
// Ask answers a question from an open archive; Bind gives the claims of a draft
// from outside the same treatment. Both sign, log and keep the bundle. Behind them
// stands a Pipeline, whose methods of the same names read like the line above:
// each stage is a function from the value of the stage before to a value of its
// own, and the values are declared in stages.go. Bind enters at claim
// segmentation, More at the coverage gate.
//
// A part of a question that asks for a field of a record, or for a number of
// records, is answered from the records (package catalogue). For the others the
// draft is in the archive's own words, or a model's, whose every sentence is held
// against the passages that the model saw. Nothing is added to the words: what is
// delivered is a quote of the archive, or a claim of the draft that passed the
// same gates.
//
// Failures, stage by stage: a question out of scope is refused before
// anything is read; a part of the question without evidence becomes a removed
// topic; a claim that no passage supports is cut, or removed; what consent
// withholds is delivered as a notice, removed, or treated as if it were not
// there, as the artifact's consent says; an assembly that fails delivers
// nothing. A refusal is signed and logged like an answer, and is no error.
//
// Limits: a bundle takes at most MaxClaims claims of a draft; at most 32 passages
// are looked at for each topic.
//
// The package also counts refusals (Refusals). Package draft checks drafts without
// sealing them.
package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"muniment/answer/gate"
	"muniment/archive/problem"
	bundledisplay "muniment/bundle/display"
	"muniment/cite"
	"muniment/draft"
	"muniment/judge/assign"
	"muniment/search/catalogue"
	"muniment/text/segment"
)

// check reports a Pipeline that NewPipeline did not make.
func (p *Pipeline) check() error {
	if p == nil || p.Policy == nil || p.View.Snapshot == nil {
		return errors.New("answer: the pipeline has no policy or no snapshot: use NewPipeline")
	}
	return nil
}

// Ask answers a question from the snapshot's records and texts.
func (p *Pipeline) Ask(ctx context.Context, text string, r Request) (*Response, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if bundledisplay.IsExamination(text) {
		return nil, problem.New(problem.Usage, problem.Advise("muniment examine FILE examines a text"), "a question that names the examination of a text would make a bundle that reads as one")
	}
	q := p.question(text, asked, r)
	read, err := p.readCreative(q)
	if err != nil {
		return nil, err
	}
	q.lines = read.lines
	scope, err := p.filter(ctx, read)
	if err != nil {
		return nil, err
	}
	if scope.Action == gate.Refuse {
		return p.refuse(q, scope)
	}
	known, topics, err := p.lookUp(q, scope, segment.QuestionParts(catalogue.WithoutOpening(read.text)))
	if err != nil {
		return nil, err
	}
	found, err := p.retrieve(ctx, q, topics)
	if err != nil {
		return nil, err
	}
	admitted, sufficiency, err := p.enforce(q, known, found)
	if err != nil {
		return nil, err
	}
	if err := p.rerank(ctx, q, admitted, &known); err != nil {
		return nil, err
	}
	drafts, err := p.draft(ctx, q, scope, admitted)
	if err != nil {
		return nil, err
	}
	cut, unclear := splitDrafts(drafts)
	supported, err := p.assign(ctx, q, cut)
	if err != nil {
		return nil, err
	}
	rungs, err := p.cover(q, scope, supported)
	if err != nil {
		return nil, err
	}
	shown, err := p.display(q, known, rungs)
	if err != nil {
		return nil, err
	}
	if len(shown.claims) == 0 {
		if shown.nearby, err = p.neighbours(q, found); err != nil {
			return nil, err
		}
	}
	leaves, err := p.assemble(q, scope, sufficiency, shown)
	if err != nil {
		return nil, err
	}
	leaves.response.Segmentation = unclear
	return p.log(q, leaves)
}

// Bind gives the claims of a draft the treatment of an answer.
func (p *Pipeline) Bind(ctx context.Context, text string, r Request) (*Response, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	q := p.question(text, fromOutside, r)
	topics, unasserted, unclear, err := splitText(text)
	if err != nil {
		return nil, err
	}
	found, err := p.retrieve(ctx, q, topics)
	if err != nil {
		return nil, err
	}
	if found, err = p.wholeSentences(ctx, q, found); err != nil {
		return nil, err
	}
	supported, err := p.assign(ctx, q, asClaims(found))
	if err != nil {
		return nil, err
	}
	rungs, err := p.cover(q, scope{}, supported)
	if err != nil {
		return nil, err
	}
	shown, err := p.display(q, display{notices: unasserted}, rungs)
	if err != nil {
		return nil, err
	}
	leaves, err := p.assemble(q, scope{}, nil, shown)
	if err != nil {
		return nil, err
	}
	leaves.response.Segmentation = unclear
	return p.log(q, leaves)
}

// More answers a request for more context: the sentences around a citation,
// within its paragraph, as one quote of at most gate.ContextFactor excerpts.
// It goes through the display gates and the budget like an answer. More of
// what More showed is no more than that, so that nobody walks through a text.
func (p *Pipeline) More(ctx context.Context, at Place, r Request) (*Response, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	topic := "more of " + at.Handle
	q := p.question(topic+" of answer "+at.Answer, moreContext, r)
	quote, err := q.viewer.quoteAround(topic, at)
	if err != nil {
		return nil, err
	}
	if at.Nearest {
		if err := p.rankAgain(ctx, &quote, at, r); err != nil {
			return nil, err
		}
	}
	rungs, err := p.cover(q, scope{}, []evidence{{topic: topic, found: []candidate{quote}}})
	if err != nil {
		return nil, err
	}
	shown, err := p.display(q, display{}, rungs)
	if err != nil {
		return nil, err
	}
	leaves, err := p.assemble(q, scope{}, nil, shown)
	if err != nil {
		return nil, err
	}
	return p.log(q, leaves)
}

// refuse signs and logs a question that the category filter refused, before
// anything was read.
func (p *Pipeline) refuse(q question, s scope) (*Response, error) {
	leaves, err := p.assemble(q, s, nil, display{})
	if err != nil {
		return nil, err
	}
	return p.log(q, leaves)
}

// splitText cuts a draft from outside into one topic for each claim, and returns
// the notices about its parts that assert nothing and its segmentation errors.
func splitText(text string) (topics []topic, notices []string, unclear map[string]int, err error) {
	unasserted := map[segment.Kind]int{}
	unclear = map[string]int{}
	for _, claim := range segment.Claims(text, "en") {
		draft.CountUnclear(unclear, claim)
		if asserts(claim) {
			if quoted, _ := json.Marshal(claim.Text); len(quoted) > maxClaim {
				return nil, nil, nil, fmt.Errorf("%w: sentence %d of the draft has %d bytes, at most %d are bound", ErrLongClaim, len(topics)+1, len(quoted), maxClaim)
			}
			topics = append(topics, topic{text: claim.Text, query: claim.Text, claim: claim})
		} else {
			unasserted[claim.Kind]++
		}
	}
	if n := len(topics); n > MaxClaims {
		return nil, nil, nil, fmt.Errorf("%w: the draft has %d, one bundle holds at most %d", ErrTooManyClaims, n, MaxClaims)
	}
	for _, k := range []segment.Kind{segment.Heading, segment.Question, segment.Code, segment.Caveat} {
		if n := unasserted[k]; n > 0 {
			notices = append(notices, fmt.Sprintf("not delivered, because it asserts nothing: %d of the draft's parts of kind %s", n, k))
		}
	}
	return topics, notices, unclear, nil
}

// wholeSentences puts one topic instead of the claims that a sentence was cut into, if the archive
// has the whole sentence or denies it: it is not delivered without what is denied.
func (p *Pipeline) wholeSentences(ctx context.Context, q question, found []passages) ([]passages, error) {
	var whole []topic
	parts := map[int][]int{} // of a sentence, by its place in whole
	for _, s := range segment.Sentences(q.text, "en") {
		var in []int
		for i, f := range found {
			if f.topic.claim.Start >= s.Start && f.topic.claim.End <= s.End {
				in = append(in, i)
			}
		}
		if len(in) > 1 {
			text := q.text[s.Start:s.End]
			parts[len(whole)] = in
			whole = append(whole, topic{text: text, query: text, claim: segment.Claim{Text: text, Kind: segment.Assertion, Start: s.Start, End: s.End}})
		}
	}
	sentences, err := p.retrieve(ctx, q, whole)
	if err != nil {
		return nil, err
	}
	gone := map[int]bool{}
	for k, f := range sentences {
		candidates, err := q.viewer.match(f.topic.claim, f.open)
		if err != nil {
			return nil, err
		}
		if len(candidates) != 1 || candidates[0].cut != "" {
			continue
		}
		if held := candidates[0].ev.Relation == cite.DirectQuote; !held {
			if held, err = q.deniesWhole(candidates[0].ev, parts[k], found); err != nil {
				return nil, err
			} else if !held {
				continue
			}
		}
		found[parts[k][0]] = f
		for _, i := range parts[k][1:] {
			gone[i] = true
		}
	}
	var out []passages
	for i, f := range found {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return p.dividedSentences(q, out)
}

// deniesWhole reports whether words deny a sentence of which not each part follows from some words.
func (q question) deniesWhole(ev assign.Evidence, parts []int, found []passages) (bool, error) {
	if denied, err := q.viewer.denies(&ev); err != nil || !denied {
		return false, err
	}
	for _, i := range parts {
		candidates, err := q.viewer.match(found[i].topic.claim, found[i].open)
		if err != nil || !slices.ContainsFunc(candidates, func(c candidate) bool { return isCovered(c) && c.cut == "" }) {
			return err == nil, err
		}
	}
	return false, nil
}

// splitDrafts cuts the drafts of a model into claims, and returns its segmentation
// errors too. The archive's own words are claims as they are.
func splitDrafts(drafts []topicDraft) ([]claims, map[string]int) {
	out, unclear := make([]claims, len(drafts)), map[string]int{}
	for i, d := range drafts {
		out[i] = claims{topicDraft: d}
		if d.written == nil || d.written.err != nil {
			continue
		}
		for _, s := range d.written.draft.Sentences {
			for _, c := range segment.Claims(s.Text, "en") {
				draft.CountUnclear(unclear, c)
				switch {
				case !asserts(c):
				case len(out[i].sentences) == maxSentences:
					unclear[draft.TooManyClaims]++
				default:
					out[i].sentences = append(out[i].sentences, drafted{c, s.Quotes})
				}
			}
		}
	}
	return out, unclear
}

// asClaims makes one claim of each topic of a draft from outside.
func asClaims(found []passages) []claims {
	out := make([]claims, len(found))
	for i, f := range found {
		out[i] = claims{topicDraft: topicDraft{passages: f}, sentences: []drafted{{claim: f.topic.claim}}}
	}
	return out
}

// asserts reports whether a claim has to be supported: headings, questions, code
// and remarks on the text itself do not.
func asserts(c segment.Claim) bool {
	return c.Kind == segment.Assertion || c.Kind == segment.Table
}
