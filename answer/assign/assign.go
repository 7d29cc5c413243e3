package assign

import (
	"fmt"

	"muniment/answer/follow"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/canon"
	"muniment/cite"
)

const (
	// inferenceOverlap is the share of a marked claim's content words that one or two sentences must
	// hold for an inference. Half is a judgement, not a measurement: below it sentences that merely
	// share a topic would pass; above it an inference, which by its nature adds a word or two, would
	// rarely do.
	inferenceOverlap = 0.5
	// inferenceWords is the least number of content words they must share: one word is a topic.
	inferenceWords = 2
	// quoteWords is the least number of words for a claim without quotation marks to be taken for a
	// quotation as a whole.
	quoteWords = 3
)

// Opener returns the text of an artifact.
type Opener = func(artifact string) (*canon.Document, error)

// Assign looks for the evidence of a claim in passages, best relation first: a direct quotation,
// a paraphrase, an inference; the zero relation when there is none, with the tests that failed on the
// nearest candidate. subject are the names of the archive's subject, for whom the first person of a
// text stands. An error is one of doc.
func Assign(claim segment.Claim, passages []retrieve.Passage, doc Opener, subject ...string) (Evidence, error) {
	a := assigner{claim: claim, names: subject, self: words(subject), marked: len(segment.Hedges(claim.Text)) > 0}
	docs := map[string]*canon.Document{}
	for i := range passages {
		p := &passages[i]
		d, ok := docs[p.Artifact]
		if !ok {
			var err error
			if d, err = doc(p.Artifact); err != nil {
				return Evidence{}, fmt.Errorf("artifact %s: %w", p.Artifact, err)
			}
			docs[p.Artifact] = d
		}
		if err := a.passage(p, d); err != nil {
			return Evidence{}, fmt.Errorf("artifact %s: %w", p.Artifact, err)
		}
		if a.best.Relation == cite.DirectQuote {
			break
		}
	}
	a.best.Marker = a.marked
	return a.best, nil
}

func words(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		for _, w := range segment.Words(n) {
			if !segment.Function(w.Lower) {
				m[w.Lower] = true
			}
		}
	}
	return m
}

type assigner struct {
	claim  segment.Claim
	names  []string        // of the archive's subject
	self   map[string]bool // the words of names
	marked bool
	best   Evidence
}

// rank orders relations. Of two candidates of one rank the larger share wins, then the earlier.
func rank(e Evidence) int {
	switch e.Relation {
	default:
		return 0
	case cite.InferenceFrom:
		return 1
	case cite.Paraphrase:
		return 2
	case cite.DirectQuote:
		return 3
	}
}

// passage tries one passage.
func (a *assigner) passage(p *retrieve.Passage, d *canon.Document) error {
	sentences, err := nearbySentences(p, d)
	if err != nil {
		return err
	}
	quoted, err := a.quotation(p, d, sentences)
	if err != nil || quoted {
		return err
	}
	for i, s := range sentences {
		if err := a.tryParaphrase(p, d, sentences, s); err != nil {
			return err
		}
		if i+1 < len(sentences) {
			if err := a.tryInference(p, d, sentences, segment.Range{Start: s.Start, End: sentences[i+1].End}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tryParaphrase compares the claim with one sentence, and takes the sentence for an inference where the claim does
// not align with it.
func (a *assigner) tryParaphrase(p *retrieve.Passage, d *canon.Document, sentences []segment.Range, r segment.Range) error {
	payload := string(d.Payload())
	quoted := follow.Passage{Words: payload[r.Start:r.End], Date: p.Date, Names: append([]string{p.Author}, a.names...)}
	quoted.Before, quoted.After = payload[sentences[0].Start:r.Start], payload[r.End:sentences[len(sentences)-1].End]
	al := align(a.claim.Text, quoted, p, a.self)
	if al.failed == "" && len(a.claim.Quotes) > 0 {
		al.failed = "quote" // the words are there, but not as the quotation says they were written
	}
	if al.failed == "" && takenBackAfter(payload, sentences, r) {
		a.offer(Evidence{Artifact: p.Artifact, Similarity: al.share, Tests: []string{"context"}})
		return nil
	}
	if al.failed == "" {
		return a.keep(Evidence{Relation: cite.Paraphrase, Aligned: true, Artifact: p.Artifact, Similarity: al.share}, d, p.Span.Kind, r)
	}
	a.offer(Evidence{Artifact: p.Artifact, Similarity: al.share, Tests: []string{al.failed}})
	return a.tryInference(p, d, sentences, r)
}

// tryInference takes a text for what a claim with an epistemic marker is inferred from.
func (a *assigner) tryInference(p *retrieve.Passage, d *canon.Document, sentences []segment.Range, r segment.Range) error {
	payload := string(d.Payload())
	text := payload[r.Start:r.End]
	if !a.marked || a.claim.Kind == segment.Table || len(a.claim.Quotes) > 0 || !infers(a.claim.Text, text, p, a.self) ||
		isTurned(payload, sentences, r, a.claim.Text, false) {
		return nil
	}
	words := compareWords(a.claim.Text, text, p, a.self)
	e := Evidence{Relation: cite.InferenceFrom, Artifact: p.Artifact, Similarity: words.share, Tests: []string{first(words.failed, "order")}}
	return a.keep(e, d, p.Span.Kind, r)
}

// keep gives evidence its span, if it is better than what there is.
func (a *assigner) keep(e Evidence, d *canon.Document, kind byte, r segment.Range) error {
	if rank(e) < rank(a.best) || rank(e) == rank(a.best) && e.Similarity <= a.best.Similarity {
		return nil
	}
	span, err := cite.SpanIn(d, kind, r.Start, r.End)
	if err != nil {
		return err
	}
	e.Span, e.Quote = span, string(d.Payload()[r.Start:r.End])
	a.best = e
	return nil
}

// offer remembers the nearest candidate of a claim that has no evidence yet.
func (a *assigner) offer(e Evidence) {
	if rank(a.best) == 0 && (a.best.Artifact == "" || e.Similarity > a.best.Similarity) {
		a.best = e
	}
}
