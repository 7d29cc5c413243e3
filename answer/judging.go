package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge"
	"muniment/judge/assign"
	"muniment/judge/model"
	"muniment/judge/model/entail"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

const (
	// maxJudged is how many places one claim of a draft is judged on: what does not follow
	// from the two nearest seldom follows from the third, and each costs a request.
	maxJudged = 2
	// judgedShare is the least share of a claim's content words in the sentences that it is
	// judged on where nobody named them: with fewer they speak of something else.
	judgedShare = 0.34
)

// testQuoted is the test that a sentence fails before a judge decides, as the sealed layer names it, where the draft
// names no words that are in the passages.
const testQuoted = "quoted"

// testOwnDraft is the test that a sentence fails which the rules leave open where the only model is the one that wrote it.
const testOwnDraft = "own draft"

// newJudge returns the judge of one answer; it asks nobody where the profile forbids it.
func (p *Pipeline) newJudge() *entail.Judge {
	if p.Profile.JudgedClaims() == policy.JudgedNever {
		return &entail.Judge{}
	}
	return &entail.Judge{Ask: p.Judge}
}

// judgeName returns the model that judged that a claim follows, or "".
func (c *candidate) judgeName() string {
	if c.judge == nil || c.judge.Verdict != "yes" {
		return ""
	}
	return c.judge.Model
}

// A wordsAt is words that a claim may rest on.
type wordsAt struct {
	artifact string
	span     cite.Span // whole sentences of one unit
	match    cite.Status
	passage  judge.Passage
}

// around returns the whole sentences that hold the words at a span of a passage's text,
// with what stands around them in their unit.
func (v *viewer) around(p *retrieve.Passage, span cite.Span, status cite.Status) (wordsAt, error) {
	doc, err := v.document(p.Artifact)
	if err != nil {
		return wordsAt{}, err
	}
	start, end, err := cite.Resolve(doc, span)
	if err != nil {
		return wordsAt{}, err
	}
	units := doc.Units(span.Kind)
	first, last := units[span.From.Unit-1].Start, units[span.To.Unit-1].End
	text := string(doc.Payload()[first:last])
	from, to := start-first, end-first
	for _, s := range segment.Sentences(text, p.Lang) {
		if s.End > start-first && s.Start < end-first {
			from, to = min(from, s.Start), max(to, s.End)
		}
	}
	whole, err := cite.SpanIn(doc, span.Kind, first+from, first+to)
	if err != nil {
		return wordsAt{}, err
	}
	words, err := judge.At(doc, whole, assign.PaperOf(p, v.subject()))
	return wordsAt{p.Artifact, whole, status, words}, err
}

// findQuotes returns the places of the words that a model names for a sentence; those in one
// unit are one place. ok is false where a quote is not there: then none counts.
func (v *viewer) findQuotes(quotes []model.Quote, read []retrieve.Passage) (out []wordsAt, ok bool, err error) {
	for _, q := range quotes {
		if q.Passage < 1 || q.Passage > len(read) || len(segment.Words(q.Words)) == 0 {
			return nil, false, nil
		}
		p := &read[q.Passage-1]
		doc, err := v.document(p.Artifact)
		if err != nil {
			return nil, false, err
		}
		m, err := cite.Find(doc, q.Words, &p.Span)
		if err != nil || !m.Verifies() && m.Status != cite.Ambiguous {
			return nil, false, nil // no text that can be looked for, or not there
		}
		status := m.Status
		if status == cite.Ambiguous {
			status = cite.Normalized // twice in the passage that was named
		}
		if out, err = v.join(out, p, m.Span, status); err != nil {
			return nil, false, err
		}
	}
	return out, len(out) > 0, nil
}

// join adds words to the places of a sentence, to the one in the same unit where there is
// one.
func (v *viewer) join(all []wordsAt, p *retrieve.Passage, span cite.Span, status cite.Status) ([]wordsAt, error) {
	for i := range all {
		if o := &all[i]; o.artifact == p.Artifact && o.span.From.Unit == span.From.Unit && o.span.To.Unit == span.To.Unit {
			if before(span.From, o.span.From) {
				o.span.From = span.From
			}
			if before(o.span.To, span.To) {
				o.span.To = span.To
			}
			joined, err := v.around(p, o.span, o.match)
			*o = joined
			return all, err
		}
	}
	one, err := v.around(p, span, status)
	return append(all, one), err
}

// before reports whether a point lies before another one.
func before(a, b cite.Point) bool {
	return a.Unit < b.Unit || a.Unit == b.Unit && a.Offset < b.Offset
}

// searchPassages returns the places that a claim of a draft may rest on where nobody named any:
// the sentence of a passage that shares most with it, best first. Only passages whose
// words the requestor may be shown are looked at.
func (v *viewer) searchPassages(claim string, passages []retrieve.Passage) ([]wordsAt, error) {
	need := retrieve.ContentWords(claim, nil)
	type scored struct {
		wordsAt
		share float64
	}
	var all []scored
	for i := range passages {
		p := &passages[i]
		id, err := cid.ParseAs(cid.Raw, p.Artifact)
		if err != nil {
			return nil, err
		}
		perm, err := v.permission(id, p.Text)
		if err != nil {
			return nil, err
		}
		if !perm.Display || len(v.policy.Veils(p.Text)) > 0 {
			continue
		}
		best := gate.BestSentence(p.Text, need)
		one, err := v.around(p, spanWithin(p, best), cite.Exact)
		if err != nil {
			return nil, err
		}
		if share := judge.Judge(claim, one.passage).Share; share >= judgedShare {
			all = append(all, scored{one, share})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.share, a.share) })
	var out []wordsAt
	for _, s := range all[:min(len(all), maxJudged)] {
		out = append(out, s.wordsAt)
	}
	return out, nil
}

// spanWithin returns the span of a range of a passage's text. Passages lie in one unit.
func spanWithin(p *retrieve.Passage, r segment.Range) cite.Span {
	span := p.Span
	span.To = span.From
	span.From.Offset += utf8.RuneCountInString(p.Text[:r.Start])
	span.To.Offset += utf8.RuneCountInString(p.Text[:r.End])
	return span
}

// judgeOn returns the candidate for a claim that the judge lets follow from one of the
// places, or nil, and else why it does not. Where the profile reads judged claims as
// verified the claim is a paraphrase; else it is an inference whose epistemic marker names
// the judge.
func (q question) judgeOn(ctx context.Context, claim segment.Claim, places []wordsAt) (*candidate, candidate, error) {
	lost := candidate{topic: claim.Text, text: claim.Text}
	for _, at := range places {
		if q.judge.Ask != nil {
			if may, err := q.viewer.sends(toJudge, at.artifact); err != nil {
				return nil, lost, err
			} else if !may {
				continue
			}
		}
		said, test := q.judge.Decide(ctx, claim.Text, at.passage)
		if err := ctx.Err(); err != nil {
			return nil, lost, err
		}
		c := candidate{topic: claim.Text, text: claim.Text, need: retrieve.ContentWords(at.passage.Words, nil), judge: said}
		c.ev = assign.Evidence{Relation: cite.InferenceFrom, Match: at.match, Marker: true, Artifact: at.artifact, Span: at.span, Quote: at.passage.Words, Similarity: judge.Judge(claim.Text, at.passage).Share}
		if test != "" {
			c.ev.Relation, c.ev.Marker, c.ev.Tests = "", false, []string{test}
			c.input = c.ev.Input()
			lost = c
			continue
		}
		if q.verified {
			c.ev.Relation, c.ev.Marker, c.ev.Match = cite.Paraphrase, false, cite.Exact
		} else {
			c.text = fmt.Sprintf("Judged by %s to follow from these words: %s", said.Model, claim.Text)
		}
		c.input = c.ev.Input()
		c.input.Entailed = cite.EntailedYes
		return &c, candidate{}, nil
	}
	return nil, lost, nil
}
