package engine

import (
	"fmt"
	"strings"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/judge"
	"muniment/ledger"
)

// examineRecord looks up a metadata_fact: words of a field of a record, such as the
// title. Of a source without a body nothing else can be cited.
func (e *Engine) examineRecord(t *target, given locator.Given, o CiteOptions) (*Candidate, error) {
	if strings.TrimSpace(o.Quote) == "" && o.Span == "" {
		o.Quote = o.Context
	}
	h, name, err := t.catalog.ResolveRecord(o.Artifact)
	if err != nil {
		return nil, err
	}
	data, err := h.Record.Encode()
	if err != nil {
		return nil, problem.Wrap(err, "record")
	}
	m, places, err := findInRecord(data, o)
	if err != nil {
		return nil, err
	}
	if t.source.ID == 0 {
		if t.source, err = e.Sources().findSource(describeRecord(h, name), true); err != nil {
			return nil, err
		}
	}
	r := &CiteResult{Match: string(m.Status), Edits: m.Edits, Length: m.Length, Difference: string(m.Difference), Similarity: measureSimilarity(m),
		Relation: string(cite.MetadataFact), Artifact: h.ID.String(), Name: name, SourceID: t.source.ID, SourceRegistered: t.registered}
	ev := evidence{artifact: h.ID, source: t.source.ID, work: h.Record}
	if h.Record.Source != nil {
		ev.published = h.Record.Source.PublishedAt
	}
	words := m.Found
	switch {
	case len(places) == 1 && m.Verifies():
		r.Span, r.Quote = places[0].Span, places[0].Text
		again := func(claim string) judge.Judgement { return judgeFact(claim, r.Quote) }
		j := again(o.Claim)
		if err := r.applyClaim(j, func() (problem.Step, error) { return r.correctFact(o, j, again), nil }); err != nil {
			return nil, err
		}
		span, err := cite.ParseMetaSpan(r.Span)
		if err == nil {
			ev.anchor, err = cite.AnchorOfMeta(data, span)
		}
		if err != nil {
			return nil, problem.Wrap(err, "citation")
		}
	case len(places) > 1:
		r.VerificationStatus, r.Places = string(ledger.Unverified), places
		r.VerificationNotes = fmt.Sprintf("the words are in %d fields of the record of %s", len(places), name)
		r.Next = problem.Next(problem.DoGive, "span", places[0].Span).With("say which field")
	default:
		r.VerificationStatus = string(ledger.Failed)
		r.VerificationNotes = "the words are not in the record of " + name
		r.Next = problem.Next(problem.DoShow, name)
		if len(places) == 1 {
			r.Nearest = &places[0]
			r.Next = problem.Advise(fmt.Sprintf("the nearest words are at %s: %s", places[0].Span, places[0].Text))
		}
	}
	r.note(locator.Disagreements(given, nil)...)
	r.Checks = []ledger.Check{{Step: "registry", Result: "pass", Expected: "a registered source", Found: "the record of " + name}}
	if r.Span == "" {
		r.Checks = append(r.Checks, ledger.Check{Step: "match", Result: "fail", Expected: clip(o.Quote), Found: clip(r.Match + ": " + words)})
	} else {
		r.Checks = append(r.Checks, ledger.Check{Step: "match", Result: "pass", Expected: clip(o.Quote), Found: clip(r.Match + ": " + r.Quote)},
			ledger.Check{Step: "span", Result: "pass", Expected: "a field of the record", Found: r.Span},
			ledger.Check{Step: "hash", Result: "pass", Expected: ev.anchor.SHA256, Found: hashHex(r.Quote)})
	}
	return e.candidate(t, r, ev, m, cite.MetadataFact, o), nil
}

// judgeFact judges a claim by the words of a field: it follows where it repeats them, as "the
// letter is titled …" does.
func judgeFact(claim, words string) judge.Judgement {
	j := judge.Judge(claim, judge.Passage{Words: words})
	if strings.Contains(strings.ToLower(strings.Join(strings.Fields(claim), " ")), strings.ToLower(strings.Join(strings.Fields(words), " "))) {
		j = judge.Judgement{Verdict: cite.ClaimFollows, Share: 1}
	}
	return j
}

// citeBodiless returns the step that cites the same words of a record alone,
// with their span where they are in one field; ok is false where o names no
// source without a body.
func citeBodiless(c *holdings.Catalog, o CiteOptions) (next problem.Step, ok bool) {
	h, _, err := c.ResolveRecord(o.Artifact)
	if err != nil || h.Record.Artifact != "" {
		return problem.Step{}, false
	}
	o.Span = ""
	next = problem.Next(DoCite, "relation", string(cite.MetadataFact), "artifact", h.ID.String())
	claim := func(words string) string { // that the words support
		if judgeFact(o.Claim, words).Verdict == cite.ClaimFollows {
			return o.Claim
		}
		return words
	}
	data, err := h.Record.Encode()
	if err != nil {
		next.Args = append(next.Args, "quote", "", "claim", "")
		return next, true
	}
	source := h.Record.Source
	if m, places, err := findInRecord(data, o); err == nil && m.Verifies() && len(places) == 1 {
		next.Args = append(next.Args, "span", places[0].Span, "claim", claim(places[0].Text))
	} else if title := []rune(source.Title); len(title) > 0 {
		next.Args = append(next.Args, "span", cite.MetaSpan{Field: "source.title", End: len(title)}.String(), "claim", claim(source.Title))
	} else {
		next.Args = append(next.Args, "quote", source.URL, "claim", claim(source.URL))
	}
	return next, true
}

// findInRecord looks up the quote in the fields of a record, or in the one that the
// span names. It returns the match and the places that verify, else the nearest.
func findInRecord(data []byte, o CiteOptions) (cite.Match, []Place, error) {
	fields, err := cite.MetaFields(data)
	if err != nil {
		return cite.Match{}, nil, problem.Wrap(err, "record")
	}
	field := strings.TrimPrefix(o.Span, cite.MetaPrefix)
	if span, err := cite.ParseMetaSpan(o.Span); err == nil {
		if strings.TrimSpace(o.Quote) == "" {
			words, err := cite.QuoteMeta(data, span)
			if err != nil {
				return cite.Match{}, nil, problem.New(problem.InvalidLocator, problem.Next(problem.DoShow), "%w", err)
			}
			return cite.Match{Status: cite.Exact, Found: words, Length: len([]rune(words))}, []Place{{Span: o.Span, Text: words}}, nil
		}
		field = span.Field
	}
	best, near := cite.Match{Status: cite.Absent, Length: len([]rune(o.Quote))}, []Place(nil)
	var places []Place
	for _, f := range fields {
		if field != "" && f.Path != field {
			continue
		}
		m, err := cite.Find(canon.NewDocument([]byte(f.Value+"\n")), o.Quote, nil)
		if err != nil {
			return cite.Match{}, nil, problem.New(problem.Usage, problem.Next(problem.DoShow).With("quote words of a field"), "quote: %w", err)
		}
		at := m.Span
		if m.Nearest != nil && !m.Verifies() {
			at = *m.Nearest
		}
		if at.IsZero() {
			continue
		}
		place := Place{Span: cite.MetaSpan{Field: f.Path, Start: at.From.Offset, End: at.To.Offset}.String(), Text: m.Found}
		switch {
		case m.Verifies():
			places = append(places, place)
			best = m
		case len(places) == 0 && (near == nil || measureSimilarity(m) > measureSimilarity(best)):
			best, near = m, []Place{place}
		}
	}
	if len(places) > 1 {
		best.Status = cite.Ambiguous
	}
	if len(places) > 0 {
		return best, places, nil
	}
	return best, near, nil
}
