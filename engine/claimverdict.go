package engine

import (
	"fmt"

	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
	"muniment/ledger"
	"muniment/snapshot/record"
	"muniment/text/segment"
)

// paperOf returns title, date and names from the record of a target.
func (e *Engine) paperOf(t *target) (judge.Paper, error) {
	var rec *record.Record
	if t.art != nil {
		if h, ok := t.art.FirstRecord(); ok {
			rec = h.Record
		}
	}
	data, err := e.arch.File(t.tree, record.PathSubject)
	if err != nil || data == nil {
		return PaperOf(rec, nil), err
	}
	s, err := record.ParseSubject(data)
	if err != nil {
		return judge.Paper{}, problem.Wrap(err, record.PathSubject)
	}
	var subject []string
	if s.Name != "" {
		subject = append([]string{s.Name}, s.Aliases...)
	}
	return PaperOf(rec, subject), nil
}

// PaperOf returns title, date and names from a record, which may be nil. subject are the names of whom the archive is about.
func PaperOf(r *record.Record, subject []string) judge.Paper {
	paper := judge.Paper{Subject: subject}
	if r == nil {
		return paper
	}
	paper.Date = r.Date()
	if s := r.Source; s != nil {
		paper.Title, paper.Lang = s.Title, s.Language
		if len(s.Creators) > 0 {
			paper.Creator = s.Creators[0]
		}
	}
	return paper
}

// sentencesAround returns the sentences that hold the words at a span, as one span.
func sentencesAround(doc *canon.Document, span cite.Span) (cite.Span, error) {
	start, end, err := cite.Resolve(doc, span)
	if err != nil {
		return cite.Span{}, err
	}
	all := sentencesIn(doc, span, start, end)
	if len(all) == 0 {
		return span, nil
	}
	return cite.SpanIn(doc, span.Kind, min(start, all[0].Start), max(end, all[len(all)-1].End))
}

// sentencesIn returns the sentences of the units of a span that have a byte of [start, end), as bytes of the text.
func sentencesIn(doc *canon.Document, span cite.Span, start, end int) []segment.Range {
	units := doc.Units(span.Kind)
	first := units[span.From.Unit-1].Start
	var out []segment.Range
	for _, s := range segment.Sentences(string(doc.Payload()[first:units[span.To.Unit-1].End]), "en") {
		if s.End+first > start && s.Start+first < end {
			out = append(out, segment.Range{Start: s.Start + first, End: s.End + first})
		}
	}
	return out
}

// judgeClaim judges a claim by a passage under a relation.
func judgeClaim(claim string, relation cite.Relation, p judge.Passage) judge.Judgement {
	j := judge.Judge(claim, p)
	if relation == cite.InferenceFrom || relation == cite.Aggregation {
		return j.OfComputed()
	}
	return j
}

// applyClaim fills in the verdict on the claim, where the words are there: the
// status, and why it is not verified. correct returns what would be true.
func (r *CiteResult) applyClaim(j judge.Judgement, correct func() (problem.Step, error)) (err error) {
	r.ClaimVerdict, r.Findings = string(j.Verdict), j.Findings
	r.VerificationStatus = string(ledger.StatusOf(cite.Status(r.Match), j.Verdict))
	switch j.Verdict {
	case cite.ClaimContradicted:
		r.VerificationNotes = "the words are there, and contradict the claim: " + j.Reason
		if r.Next, err = correct(); err == nil {
			r.Next = r.Next.With(j.Reason)
		}
	case cite.ClaimNotShown:
		r.VerificationNotes = fmt.Sprintf("the words are at %s; nothing shows that the claim follows from them: %s", r.Span, j.Reason)
		r.Next = problem.Advise("claim what the words say, or quote words that say it; with CITATION_LLM_URL a model judges")
	}
	return err
}
