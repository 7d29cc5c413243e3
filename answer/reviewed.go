package answer

import (
	"strings"

	"muniment/answer/gate"
	"muniment/bundle/leaf"
	"muniment/cite"
	"muniment/engine"
	"muniment/judge"
	"muniment/judge/assign"
	"muniment/search/retrieve"
)

// testReview is the test that a claim fails, as the sealed layer names it, because of what persons said of it, or because a
// profile asks for a review that is not there.
const testReview = "review"

// disputedPrefix begins a claim that persons disagree about: it is shown as an inference, never as verified.
const disputedPrefix = "People disagree whether this follows from these words: "

// findReviewed returns the candidate for a claim that persons judged. decided is false where they decided nothing, and the rules
// and models are asked; the candidate then says what is lost where these show nothing.
func (q question) findReviewed(claim string) (found candidate, decided bool, err error) {
	lost := candidate{topic: claim, text: claim}
	if q.reviews == nil {
		return lost, false, nil
	}
	all, err := q.reviews(strings.TrimSpace(claim))
	if err != nil {
		return lost, false, err
	}
	missing := ""
	for i := range all {
		one := &all[i]
		if known, err := q.viewer.knows(one.Artifact); err != nil {
			return lost, false, err
		} else if !known {
			continue
		}
		switch d := one.Decision; {
		case d.Verdict == cite.ClaimFollows || d.Disputed:
			found, err := q.viewer.candidateOf(one)
			return found, err == nil, err
		case d.Settles():
			lost.gone = newReviewLoss(d.Sentence())
			return lost, true, nil
		case one.Unsealed != "" && (one.Ledger.Disputed || one.Ledger.Settles() && one.Ledger.Verdict != cite.ClaimFollows):
			lost.gone = newReviewLoss(one.Ledger.Sentence() + "; " + one.Unsealed)
			return lost, true, nil
		case one.Unsealed != "":
			missing = one.Unsealed
		case q.least > 0:
			missing = d.Sentence()
		}
	}
	if q.least > 0 && missing == "" {
		missing = "unverified: no person checked it, and the profile asks for it"
	}
	if missing != "" {
		lost.gone = newReviewLoss(missing)
	}
	return lost, q.least > 0, nil
}

// newReviewLoss returns the loss of a claim because of what persons said of it, or have yet to say.
func newReviewLoss(reason string) *loss {
	return &loss{kind: gate.KindCoverage, test: testReview, reason: reason}
}

// candidateOf returns the candidate of a claim that persons say follows, or about which they disagree.
func (v *viewer) candidateOf(one *engine.ReviewedClaim) (candidate, error) {
	span, err := cite.ParseSpan(one.Span)
	if err != nil {
		return candidate{}, err
	}
	c := candidate{topic: one.Claim, text: one.Claim, people: one, need: retrieve.ContentWords(one.Words, nil)}
	c.ev = assign.Evidence{Relation: cite.Paraphrase, Match: cite.Exact, Artifact: one.Artifact, Span: span, Quote: one.Words,
		Similarity: judge.Judge(one.Claim, judge.Passage{Words: one.Words}).Share}
	entailed := cite.EntailedYes
	if one.Decision.Disputed {
		c.text, entailed = disputedPrefix+one.Claim, cite.EntailedNo
		c.ev.Relation, c.ev.Marker = cite.InferenceFrom, true
	}
	c.input = c.ev.Input()
	c.input.Entailed = entailed
	return c, nil
}

// reviewsLeaf returns the reviews of a delivered claim, and whether its reader may have them: a review names its paper by its ID.
func (v *viewer) reviewsLeaf(ordinal, cited int, named bool, s *shown) (out *leaf.Reviews, disclosed bool, err error) {
	p := s.people
	out = &leaf.Reviews{Cite: cited, Claim: ordinal, Needed: p.Needed, Outcome: leaf.OutcomeOf(p.Decision), Quote: p.Words, Span: p.Span, Text: p.Claim}
	for _, r := range p.Sealed {
		proof, err := v.view.ProofIn(r.Snapshot, r.Path)
		if err != nil {
			return nil, false, err
		}
		out.Reviews = append(out.Reviews, leaf.Review{Commit: string(r.Snapshot.Content), Not: r.Not, Organisation: r.Organisation, Proof: *proof, Review: string(r.JSON),
			Seq: r.Snapshot.Seq, Snapshot: r.Snapshot.ID.String()})
	}
	var words strings.Builder
	for _, piece := range s.view.Excerpt.Pieces {
		if piece.Shown {
			words.WriteString(piece.Text)
		} else {
			words.WriteString("\x00")
		}
	}
	return out, named && !s.view.Restricted && strings.Contains(words.String(), p.Words), nil
}
