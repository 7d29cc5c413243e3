package assign

import (
	"fmt"
	"slices"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

const (
	// inferenceOverlap is the share of a marked claim's content words that one or two sentences must hold for an
	// inference. Half is a judgement, not a measurement: below it sentences that merely share a topic would pass; above
	// it an inference, which by its nature adds a word or two, would rarely do.
	inferenceOverlap = 0.5
	// inferenceWords is the least number of content words they must share: one word is a topic.
	inferenceWords = 2
	// quoteWords is the least number of words for a claim without quotation marks to be taken for a
	// quotation as a whole.
	quoteWords = 3
	// paraphraseShare is the share of a claim's content words below which a sentence is not judged: a clause from which
	// a claim follows, or which it contradicts, has nearly all of them, but for a writer's name that it calls I and an
	// amount in another form.
	paraphraseShare = 1.0 / 3
)

// Opener returns the text of an artifact.
type Opener = func(artifact string) (*canon.Document, error)

// Assign looks for the evidence of a claim in passages, best relation first: a direct quotation, a paraphrase, an
// inference; the zero relation when there is none, with the tests that failed on the nearest candidate. subject are the
// names of the archive's subject, for whom the first person of a text stands. An error is one of doc.
func Assign(claim segment.Claim, passages []retrieve.Passage, doc Opener, subject ...string) (Evidence, error) {
	a := assigner{claim: claim, names: subject, marked: len(segment.Hedges(claim.Text)) > 0}
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

type assigner struct {
	claim  segment.Claim
	names  []string // of the archive's subject
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
		if err := a.tryParaphrase(p, d, s); err != nil {
			return err
		}
		if i+1 < len(sentences) {
			if err := a.tryInference(p, d, segment.Range{Start: s.Start, End: sentences[i+1].End}); err != nil {
				return err
			}
		}
	}
	return nil
}

// tryParaphrase judges the claim by one sentence in its surroundings, and takes the sentence for an inference where the claim does not follow.
func (a *assigner) tryParaphrase(p *retrieve.Passage, d *canon.Document, r segment.Range) error {
	c := judge.Compare(a.claim.Text, string(d.Payload()[r.Start:r.End]), a.names, nil)
	share := c.Share
	if c.Content > 0 && share < paraphraseShare {
		a.offer(Evidence{Artifact: p.Artifact, Similarity: share, Tests: []string{string(judge.Missing)}})
		return a.tryInference(p, d, r)
	}
	words, err := a.wordsAt(p, d, r)
	if err != nil {
		return err
	}
	j := judge.Judge(a.claim.Text, words)
	switch {
	case j.Verdict == cite.ClaimFollows && len(a.claim.Quotes) > 0: // the words are there, but not as the quotation says they were written
		a.offer(Evidence{Artifact: p.Artifact, Similarity: share, Tests: []string{"quote"}})
	case j.Verdict == cite.ClaimFollows:
		return a.keep(Evidence{Relation: cite.Paraphrase, Aligned: true, Artifact: p.Artifact, Similarity: share}, d, p.Span.Kind, r)
	default:
		span, err := cite.SpanIn(d, p.Span.Kind, r.Start, r.End)
		if err != nil {
			return err
		}
		denied := j.Rule == judge.Contradiction || slices.ContainsFunc(j.Findings, func(f judge.Finding) bool { return f.Test == judge.Negation })
		a.offer(Evidence{Artifact: p.Artifact, Span: span, Quote: string(d.Payload()[r.Start:r.End]), Similarity: share, Denied: denied, Tests: []string{string(j.Rule)}, Reason: j.Reason})
	}
	return a.tryInference(p, d, r)
}

// wordsAt returns the words at a range of a passage's text with their surroundings.
func (a *assigner) wordsAt(p *retrieve.Passage, d *canon.Document, r segment.Range) (judge.Passage, error) {
	span, err := cite.SpanIn(d, p.Span.Kind, r.Start, r.End)
	if err != nil {
		return judge.Passage{}, err
	}
	words, err := judge.At(d, span, PaperOf(p, a.names))
	words.Said = a.claim.Before
	return words, err
}

// PaperOf returns title, date and names from the index entry of a passage.
func PaperOf(p *retrieve.Passage, subject []string) judge.Paper {
	return judge.Paper{Title: p.Title, Date: p.Date, Lang: p.Lang, Creator: p.Author, Subject: subject}
}

// tryInference takes a text for what a claim with an epistemic marker is inferred from: enough of its content words are
// there, and all of its numbers, dates and names.
func (a *assigner) tryInference(p *retrieve.Passage, d *canon.Document, r segment.Range) error {
	if !a.marked || a.claim.Kind == segment.Table || len(a.claim.Quotes) > 0 {
		return nil
	}
	text := string(d.Payload()[r.Start:r.End])
	c := judge.Compare(a.claim.Text, text, a.names, slices.Concat(segment.Hedges(a.claim.Text), ownDates(a.claim.Text, p)))
	words, err := a.wordsAt(p, d, r)
	if err != nil {
		return err
	}
	if c.Absent != "" || c.Found < inferenceWords || c.Share < inferenceOverlap || judge.ScopeWord(text, a.claim.Text) != "" || judge.ScopeOfQuote(words, a.claim.Text) != "" || judge.Judge(a.claim.Text, words).Verdict == cite.ClaimContradicted {
		return nil
	}
	for _, f := range judge.Against(a.claim.Text, words) {
		if f.Test == judge.Scoped || f.Test == judge.Negation && judge.Denies(a.claim.Text) && judge.Denies(text) {
			continue // these are for ScopeWord
		}
		return nil
	}
	e := Evidence{Relation: cite.InferenceFrom, Artifact: p.Artifact, Similarity: c.Share, Tests: []string{string(judge.Missing)}}
	return a.keep(e, d, p.Span.Kind, r)
}

// ownDates returns the places of a claim's dates that contain the date of the passage's document.
func ownDates(claim string, p *retrieve.Passage) []segment.Range {
	own := retrieve.Dates(p.Date)
	if len(own) != 1 {
		return nil
	}
	var out []segment.Range
	for _, d := range retrieve.Dates(claim) {
		if own[0].From >= d.From && own[0].To <= d.To {
			out = append(out, segment.Range{Start: d.Start, End: d.End})
		}
	}
	return out
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

// offer remembers the nearest candidate of a claim that has no evidence yet, of two that are as near the one that contradicts it.
func (a *assigner) offer(e Evidence) {
	nearer := a.best.Artifact == "" || e.Similarity > a.best.Similarity || e.Similarity == a.best.Similarity && e.Contradicts() && !a.best.Contradicts()
	if rank(a.best) == 0 && nearer {
		a.best = e
	}
}

// VetoesElided reports whether words that a claim leaves out turn round what its evidence says.
func VetoesElided(claim segment.Claim, ev Evidence, subject []string) bool {
	return isElided(claim) && len(judge.Against(claim.Text, judge.Passage{Words: string(cite.DropEmphasis([]byte(ev.Quote))), Writers: subject})) > 0
}

// isElided reports whether a claim, or a quotation in it, leaves words out: what it leaves out may turn it round.
func isElided(claim segment.Claim) bool {
	return cite.IsElided(claim.Text) || slices.ContainsFunc(claim.Quotes, func(q segment.Quoted) bool { return cite.IsElided(q.Text) })
}
