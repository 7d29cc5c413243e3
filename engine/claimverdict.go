package engine

import (
	"fmt"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
	"muniment/judge/follow"
	"muniment/ledger"
	"muniment/snapshot/record"
	"muniment/text/segment"
)

// namesOf returns the names that a claim may use for a pronoun of a source: its
// creators, its title, and the subject of the archive.
func (e *Engine) namesOf(t *target) ([]string, error) {
	var names []string
	if t.art != nil {
		if h, ok := t.art.FirstRecord(); ok && h.Record.Source != nil {
			names = append(slices.Clone(h.Record.Source.Creators), h.Record.Source.Title)
		}
	}
	data, err := e.arch.File(t.tree, record.PathSubject)
	if err != nil || data == nil {
		return names, err
	}
	s, err := record.ParseSubject(data)
	if err != nil {
		return nil, problem.Wrap(err, record.PathSubject)
	}
	return append(append(names, s.Name), s.Aliases...), nil
}

// quotedPassage returns words of a text with the rest of their paragraphs, without the marks of
// emphasis.
func quotedPassage(doc *canon.Document, span cite.Span, date string, names []string) (follow.Passage, error) {
	start, end, err := cite.Resolve(doc, span)
	if err != nil {
		return follow.Passage{}, err
	}
	units := doc.Units(span.Kind)
	first, last := units[span.From.Unit-1], units[span.To.Unit-1]
	text := doc.Payload()
	plain := func(part []byte) string { return string(cite.DropEmphasis(part)) }
	return follow.Passage{Before: plain(text[first.Start:start]), Words: plain(text[start:end]), After: plain(text[end:last.End]), Date: date, Names: names}, nil
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

// judgeClaim judges a claim by a passage under a relation. Inferences and aggregations may have
// numbers and quantities that the words lack, but of shares only one such as "42 of 60" gives.
func judgeClaim(claim string, relation cite.Relation, p follow.Passage) judge.Judgement {
	j := judge.Judge(claim, p)
	if relation == cite.InferenceFrom || relation == cite.Aggregation {
		j.Findings = slices.DeleteFunc(j.Findings, func(f follow.Finding) bool {
			return (f.Test == follow.Number || f.Test == follow.Unit || f.Test == follow.Quantity) && !strings.HasSuffix(f.Words, "%")
		})
		if len(j.Findings) == 0 && j.Verdict == cite.ClaimContradicted {
			j.Verdict = cite.ClaimNotShown
		}
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

// explain returns findings in words.
func explain(findings []follow.Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, explainOne(f))
	}
	return strings.Join(out, "; ")
}

// explainOne returns a finding in words.
func explainOne(f follow.Finding) string {
	switch f.Test {
	case follow.Number, follow.Unit, follow.Date, follow.Name, follow.Opposite:
		if f.Words == "" {
			return fmt.Sprintf("the claim says “%s”, which the words do not", f.Claim)
		}
		return fmt.Sprintf("the words say “%s”, the claim says “%s”", f.Words, f.Claim)
	case follow.Negation:
		return fmt.Sprintf("one of the two denies: the words say “%s”", f.Words)
	case follow.Quantity, follow.Modality:
		if f.Claim == "" {
			return fmt.Sprintf("the words say “%s”, which the claim leaves out", f.Words)
		}
		return fmt.Sprintf("the claim says “%s”, which the words do not", f.Claim)
	case follow.Order:
		return fmt.Sprintf("who or what is meant has changed places: the words say “%s”", f.Words)
	case follow.Hearsay:
		return fmt.Sprintf("the words are somebody's report (“%s”), and the claim does not say so", f.Words)
	case follow.Condition:
		return fmt.Sprintf("the words hold on a condition (“%s”) that the claim leaves out", f.Words)
	case follow.Scope:
		return fmt.Sprintf("the words say it only with “%s”, which the claim leaves out", f.Words)
	case follow.Restriction:
		return fmt.Sprintf("the words add “%s”", f.Words)
	case follow.Question:
		return "the words are a question"
	case follow.Marked:
		return fmt.Sprintf("the source shows words of the quotation as %s", f.Words)
	}
	return fmt.Sprintf("the quotation is cut inside “%s”", f.Words)
}
