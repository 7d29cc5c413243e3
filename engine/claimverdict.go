package engine

import (
	"fmt"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/segment"
)

// paperOfArtifact is paperOf for an artifact of the newest tree.
func (cs Citations) paperOfArtifact(artifact string) (judge.Paper, error) {
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return judge.Paper{}, nil
	}
	tree, err := cs.e.arch.NewestTree()
	if err != nil {
		return judge.Paper{}, err
	}
	art, err := cs.e.arch.Catalog(tree).Artifact(id)
	if err != nil {
		return judge.Paper{}, err
	}
	return cs.paperOf(tree, art)
}

// paperOf returns title, date and names from the record of an artifact, which may be nil, and from the archive's subject.
func (cs Citations) paperOf(tree objects.Hash, art *holdings.Artifact) (judge.Paper, error) {
	var rec *record.Record
	if art != nil {
		if h, ok := art.FirstRecord(); ok {
			rec = h.Record
		}
	}
	data, err := cs.e.arch.File(tree, layout.PathSubject)
	if err != nil || data == nil {
		return PaperOf(rec, nil), err
	}
	s, err := access.ParseSubject(data)
	if err != nil {
		return judge.Paper{}, problem.Wrap(err, layout.PathSubject)
	}
	return PaperOf(rec, s.Names()), nil
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

// setJudgement fills in the verdict on the claim, by whom it is and why.
func (r *CiteResult) setJudgement(j judge.Judgement) {
	r.judgement, r.ClaimVerdict, r.Findings = j, string(j.Verdict), j.Findings
	r.JudgedBy, r.Reason, r.Missing = j.By, j.Reason, j.Missing
	r.Likely = j.IsLikely()
}

// applyClaim fills in the verdict on the claim, where the words are there: the
// status, and why it is not verified. correct returns what would be true.
func (r *CiteResult) applyClaim(j judge.Judgement, correct func() (problem.Step, error)) (err error) {
	r.setJudgement(j)
	r.VerificationStatus = string(ledger.StatusOf(cite.Status(r.Match), j.Verdict))
	switch j.Verdict {
	case cite.ClaimContradicted:
		r.VerificationNotes = "the words are there, and contradict the claim: " + j.Reason
		if r.Next, err = correct(); err == nil {
			r.Next = r.Next.With(j.Reason)
		}
	case cite.ClaimNotShown:
		r.VerificationNotes = fmt.Sprintf("the words are at %s; whether the claim follows from them is not shown: %s", r.Span, j.Reason)
		if r.Likely {
			r.VerificationNotes += "; it is close to the words, and nobody judged it"
		}
		if r.Next, err = correct(); err == nil && r.Next.Do == DoCite {
			r.Next = r.Next.With("claim what the words say")
		}
	}
	return err
}
