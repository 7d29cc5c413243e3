package engine

import (
	"fmt"
	"slices"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/follow"
	"muniment/answer/segment"
	"muniment/archive"
	"muniment/canon"
	"muniment/cite"
	"muniment/ledger"
	"muniment/snapshot/record"
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
		return nil, archive.Environment(err, record.PathSubject)
	}
	return append(append(names, s.Name), s.Aliases...), nil
}

// quotedPassage returns words of a text with what stands around them in their
// paragraphs, without the marks of emphasis.
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
	units := doc.Units(span.Kind)
	first := units[span.From.Unit-1].Start
	text := string(doc.Payload()[first:units[span.To.Unit-1].End])
	from, to := start, end
	for _, s := range segment.Sentences(text, "en") {
		if s.End+first > start && s.Start+first < end {
			from, to = min(from, s.Start+first), max(to, s.End+first)
		}
	}
	return cite.SpanIn(doc, span.Kind, from, to)
}

// judgeClaim returns how a claim stands to a passage under a relation. What is
// inferred or reckoned from words may hold numbers and quantities that they do not,
// but no other share than "42 of 60" gives.
func judgeClaim(claim string, relation cite.Relation, p follow.Passage) assign.Judgement {
	j := assign.Judge(claim, p)
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
// status, why it is not verified, and what would be true.
func (r *CiteResult) applyClaim(j assign.Judgement, o CiteOptions, again func(claim string) assign.Judgement) {
	r.ClaimVerdict, r.Findings = string(j.Verdict), j.Findings
	r.VerificationStatus = string(ledger.StatusOf(cite.Status(r.Match), j.Verdict))
	switch j.Verdict {
	case cite.ClaimContradicted:
		r.VerificationNotes = "the words are there, and contradict the claim: " + explain(j.Findings)
		r.Next = r.correct(o, r.Span, r.Quote, j, again)
	case cite.ClaimNotShown:
		r.VerificationNotes = fmt.Sprintf("the words are at %s; nothing shows that the claim follows from them", r.Span)
		if len(j.Findings) > 0 {
			r.VerificationNotes += ": " + explain(j.Findings)
		}
		r.Next = archive.Next(DoClaimWords)
	}
}

// correct returns the step to a citation whose claim says what the words say: the
// claim with the number, unit, date or name of the words in place of its own, where
// that claim is not contradicted any more; else the advice to claim what the words
// say. A shorter quote is never offered, for it might hide the contradiction.
func (r *CiteResult) correct(o CiteOptions, span, quote string, j assign.Judgement, again func(claim string) assign.Judgement) archive.Step {
	advice := explain(j.Findings)
	claim := o.Claim
	for _, f := range j.Findings {
		fixable := f.Test == follow.Number || f.Test == follow.Unit || f.Test == follow.Date || f.Test == follow.Name
		if !fixable || f.Claim == "" || f.Words == "" || strings.Contains(f.Words, ", ") || !strings.Contains(claim, f.Claim) {
			return archive.Next(DoClaimWords).With(advice)
		}
		claim = strings.Replace(claim, f.Claim, f.Words, 1)
	}
	if again(claim).Verdict == cite.ClaimContradicted {
		return archive.Next(DoClaimWords).With(advice)
	}
	o.Claim = claim
	return citeAgain(r, o, span, quote).With(advice)
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
	case follow.Question:
		return "the words are a question"
	case follow.Marked:
		return fmt.Sprintf("the source shows words of the quotation as %s", f.Words)
	}
	return fmt.Sprintf("the quotation is cut inside “%s”", f.Words)
}
