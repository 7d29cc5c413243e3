package answer

import (
	"fmt"
	"slices"

	"muniment/answer/gate"
	"muniment/cite"
	"muniment/judge/hedge"
	"muniment/judge/model"
	"muniment/text/segment"
)

// NotFromArchive is the reason with which text that cites nothing is listed, where a profile and the
// archive's policy both let it through.
const NotFromArchive = "not from the archive"

// cover is the coverage gate: it gives every claim its rung. Where a model wrote,
// its draft stands if any of its sentences reaches a rung, else the archive's own
// words.
func (p *Pipeline) cover(q question, s scope, all []evidence) ([]rungs, error) {
	out := make([]rungs, len(all))
	for i, e := range all {
		r := rungs{topic: e.topic, sits: segment.Range{Start: e.claim.Start, End: e.claim.End}, absent: e.absent, hidden: e.hidden, written: e.written}
		found := e.found
		switch {
		case e.written != nil:
			if written := p.coverWritten(s, e, &r); len(written) > 0 {
				found = written
			}
		case q.origin == fromOutside && p.Freeform && !slices.ContainsFunc(found, isCovered) && citesNothing(e.claim):
			out[i] = rungs{removed: []removal{p.removeUncited(e.claim.Text)}, settled: true}
			continue
		}
		for _, c := range found {
			j, err := q.viewer.judge(s, c)
			if err != nil {
				return nil, err
			}
			r.claims = append(r.claims, j)
		}
		out[i] = r
	}
	return out, nil
}

// isCovered reports whether the coverage gate lets a candidate through.
func isCovered(c candidate) bool { return cite.Judge(c.input).Rung != cite.Refused }

// judge gives a candidate its rung.
func (v *viewer) judge(s scope, c candidate) (judged, error) {
	j := judged{candidate: c, verdict: cite.Judge(c.input)}
	if c.gone != nil {
		return j.lose(*c.gone), nil
	}
	switch j.verdict.Rung {
	case cite.Labeled:
		if test, why := unlabelable(c.text, s.Decision); test != "" {
			return j.lose(loss{kind: gate.KindCoverage, reason: why, test: test}), nil
		}
	case cite.Refused:
		return j.lose(loss{kind: gate.KindCoverage}), nil
	}
	ok, err := v.provable(&c)
	if err == nil && !ok {
		j = j.lose(loss{kind: gate.KindCoverage, test: "provable"})
	}
	return j, err
}

// lose returns the claim with why it is not delivered, and the test it failed: of
// a loss that names none the last one that it failed when evidence was sought, or
// the one that kept it from the lowest rung.
func (j judged) lose(l loss) judged {
	switch {
	case l.test != "":
		j.ev.Tests = append(slices.Clip(j.ev.Tests), l.test)
	case len(j.ev.Tests) > 0:
		l.test = j.ev.Tests[len(j.ev.Tests)-1]
	case len(j.verdict.Failed) > 0:
		l.test = j.verdict.Failed[len(j.verdict.Failed)-1].Test
	}
	j.loss = &l
	return j
}

// maxProvable is the most bytes of text that a source leaf can carry to prove a
// citation: a leaf holds 64 KiB, and the record, the commit and the proofs need
// some of it.
const maxProvable = 40 << 10

// provable reports whether the paragraphs that a candidate cites fit into a
// source leaf.
func (v *viewer) provable(c *candidate) (bool, error) {
	doc, err := v.document(c.ev.Artifact)
	if err != nil {
		return false, err
	}
	units := doc.Units(c.ev.Span.Kind)
	first, last := units[c.ev.Span.From.Unit-1], units[c.ev.Span.To.Unit-1]
	return last.End-first.Start <= maxProvable, nil
}

// coverWritten returns the candidates of a model's draft that reach a rung; none
// if the archive's own words are delivered instead. What does not reach a rung is
// kept for auditors and counted, never listed: a removed topic is in nobody's
// words but the requestor's.
func (p *Pipeline) coverWritten(s scope, e evidence, r *rungs) []candidate {
	if e.written.err != nil {
		r.notices = append(r.notices, "no model's draft was used: "+model.Explain(e.written.err))
		return nil
	}
	var firm, labeled []candidate
	var free []string
	unsupported := 0
	for _, one := range e.sentences {
		passed := false
		for _, c := range one.found {
			switch verdict := cite.Judge(c.input); {
			case verdict.Rung == cite.Labeled && isLabelable(c.text, s.Decision):
				labeled, passed = append(labeled, c), true
			case verdict.Rung == cite.Supported || verdict.Rung == cite.Narrowed:
				if c.cut != "" {
					unsupported++ // in a model's words, which nobody asked for
					c.cut = ""
				}
				firm, passed = append(firm, c), true
			default:
				r.dropped = append(r.dropped, judged{candidate: c, verdict: verdict})
			}
		}
		switch {
		case passed:
		case p.Freeform && citesNothing(one.claim):
			free = append(free, one.claim.Text)
		default:
			unsupported++
		}
	}
	if slices.ContainsFunc(r.dropped, func(j judged) bool { return slices.Contains(j.ev.Tests, testOwnDraft) }) {
		r.notices = append(r.notices, "what the model drafted in its own words is not judged, as there is no other model: see MUNIMENT_JUDGE_URL")
	}
	if len(firm) == 0 && len(labeled) > 0 && slices.ContainsFunc(e.found, func(c candidate) bool { return c.gone == nil && c.role != cite.RoleNearest }) { // an inference does not take a quotation's place
		r.notices = append(r.notices, "the model's draft was an inference: the archive's own words stand in its place")
		return nil
	}
	for _, text := range free {
		r.removed = append(r.removed, p.removeUncited(text))
	}
	standing := append(firm, labeled...)
	switch {
	case len(standing) > 0:
		r.notices = append(r.notices, fmt.Sprintf("drafted by the model %s; every sentence was checked against the archive", e.written.draft.Model))
		if unsupported > 0 {
			r.removed = append(r.removed, removal{kind: gate.KindCoverage, RemovedTopic: RemovedTopic{Topic: e.topic,
				Reason: fmt.Sprintf("%d of the drafted sentences, or parts of them, are not supported by the archive", unsupported)}})
		}
	case e.written.draft.Text() == "":
		r.notices = append(r.notices, "no model's draft was used: it is empty")
	case len(free) == 0:
		r.notices = append(r.notices, "no model's draft was used: the archive supports no sentence of it")
	}
	return standing
}

// removeUncited returns the removal of a sentence that cites nothing and is let
// through. It is no claim and has no rung.
func (p *Pipeline) removeUncited(text string) removal {
	return removal{RemovedTopic: RemovedTopic{Topic: p.Policy.Veiled(text), Reason: NotFromArchive}, kind: gate.KindCoverage}
}

// unlabelable returns the test that keeps an inference from being shown as one, and
// the reason that its reader gets; "" where it may be shown. It must say how sure
// it is without piling hedges on each other, it must be possible to show that it is
// wrong, and the question must not have been downgraded to the archive's own words.
func unlabelable(text string, d gate.Decision) (test, reason string) {
	switch {
	case d.Action == gate.ArchiveOnly:
		return "archive_only", ""
	case !hedge.IsFalsifiable(text):
		return "falsifiable", "an inference that nothing could show to be wrong"
	case hedge.IsStacked(text):
		return "hedges", "an inference that stacks hedges; say once how sure it is"
	}
	return "", ""
}

// isLabelable reports whether an inference may be shown as one.
func isLabelable(text string, d gate.Decision) bool {
	test, _ := unlabelable(text, d)
	return test == ""
}
