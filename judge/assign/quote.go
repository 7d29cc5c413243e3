package assign

import (
	"slices"
	"strings"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
	"muniment/search/retrieve"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// quotation looks for the claim as a direct quotation and keeps it: the whole claim is a run of
// whole sentences, or its quoted runs are found and the rest only attributes them, or aligns too.
func (a *assigner) quotation(p *retrieve.Passage, d *canon.Document, sentences []segment.Range) (bool, error) {
	if found, err := a.verbatim(p, d, sentences); found || err != nil || len(a.claim.Quotes) == 0 {
		return found, err
	}
	whole := segment.Range{Start: -1}
	status := cite.Exact
	for _, q := range a.claim.Quotes {
		m, err := find(d, q.Text, p.Span)
		if err != nil {
			return false, err
		}
		if !m.Verifies() {
			a.offer(Evidence{Artifact: p.Artifact, Match: m.Status, Similarity: m.Similarity(), Tests: []string{"quote"}})
			return false, nil
		}
		if m.Status == cite.Normalized {
			status = cite.Normalized
		}
		start, end, err := cite.Resolve(d, m.Span)
		if err != nil {
			return false, err
		}
		if whole.Start < 0 {
			whole = segment.Range{Start: start, End: end}
		}
		whole.Start, whole.End = min(whole.Start, start), max(whole.End, end)
	}
	attributed := a.attributes(p)
	said := a.claim.Text
	if attributed {
		said = strings.Join(quoteTexts(a.claim), " ")
	}
	words, err := a.wordsAt(p, d, whole)
	if err != nil {
		return false, err
	}
	if clauseLike(said) && judge.ScopeOfQuote(words, a.claim.Text) != "" {
		a.offer(Evidence{Artifact: p.Artifact, Match: status, Similarity: 0, Tests: []string{string(judge.Scope)}})
		return true, nil // and no weaker relation either
	}
	if !attributed && !a.restAligns(p, d, whole, sentences) {
		a.offer(Evidence{Artifact: p.Artifact, Match: status, Similarity: 0, Tests: []string{string(judge.Missing)}})
		return false, nil
	}
	e := Evidence{Relation: cite.DirectQuote, Match: status, Aligned: true, Artifact: p.Artifact, Similarity: 1}
	return true, a.keep(e, d, p.Span.Kind, whole)
}

func quoteTexts(c segment.Claim) []string {
	var out []string
	for _, q := range c.Quotes {
		out = append(out, q.Text)
	}
	return out
}

// clauseLike reports whether words can assert something from a bare phrase such as "the old mill": they are more than
// two, and do not begin with an article or a preposition while a verb is lacking.
func clauseLike(s string) bool {
	ws := segment.Words(s)
	if len(ws) == 0 {
		return false
	}
	phrase := lexicon.Determiner.Has(ws[0].Lower) || lexicon.Preposition.Has(ws[0].Lower)
	for _, w := range ws {
		if segment.FiniteVerb(w.Lower) || lexicon.Auxiliary.Has(w.Lower) || lexicon.Past.Has(w.Lower) {
			return true
		}
	}
	return !phrase
}

// find looks inside the passage first, as a text may have a sentence in several places.
func find(d *canon.Document, quote string, span cite.Span) (cite.Match, error) {
	if len(segment.Words(quote)) == 0 {
		return cite.Match{Status: cite.Absent}, nil
	}
	m, err := cite.Find(d, quote, &span)
	if err != nil || m.Verifies() {
		return m, err
	}
	if m, err = cite.Find(d, quote, nil); err != nil || m.Verifies() {
		return m, err
	}
	// A comma or stop before the closing mark is often the claim's own.
	if bare := strings.TrimRight(quote, ",."); bare != quote {
		return find(d, bare, span)
	}
	return m, nil
}

// verbatim reports whether a claim is one or more whole sentences of the text.
func (a *assigner) verbatim(p *retrieve.Passage, d *canon.Document, sentences []segment.Range) (bool, error) {
	if len(segment.Words(a.claim.Text)) < quoteWords {
		return false, nil
	}
	m, err := cite.Find(d, a.claim.Text, &p.Span)
	if err != nil || !m.Verifies() {
		return false, nil // not text that can be looked for, or not there
	}
	start, end, err := cite.Resolve(d, m.Span)
	if err != nil {
		return false, err
	}
	begins, ends := false, false
	payload := string(d.Payload())
	for _, s := range sentences {
		begins = begins || s.Start == start
		// A claim may lack the stop, or the quotation mark after it.
		ends = ends || s.End >= end && s.End-end <= 4 && len(segment.Words(payload[end:s.End])) == 0
	}
	if !begins || !ends {
		return false, nil
	}
	whole := segment.Range{Start: start, End: end}
	words, err := a.wordsAt(p, d, whole)
	if err != nil {
		return false, err
	}
	if j := judge.Judge(a.claim.Text, words); j.Verdict != cite.ClaimFollows { // what is around the words governs them, or the draft means somebody else
		span, err := cite.SpanIn(d, p.Span.Kind, start, end)
		a.offer(Evidence{Artifact: p.Artifact, Match: m.Status, Span: span, Quote: payload[start:end], Tests: []string{string(j.Rule)}, Reason: j.Reason})
		return true, err
	}
	e := Evidence{Relation: cite.DirectQuote, Match: m.Status, Aligned: true, Artifact: p.Artifact, Similarity: 1}
	return true, a.keep(e, d, p.Span.Kind, whole)
}

// attributes reports whether the rest of the claim only says that the subject, or the
// passage's author, wrote its quotations, and when.
func (a *assigner) attributes(p *retrieve.Passage) bool {
	rest := withoutQuotes(a.claim)
	held := ownDates(rest, p)
	names := map[string]bool{}
	for _, name := range append([]string{p.Author}, a.names...) {
		for _, w := range segment.Words(name) {
			names[w.Lower] = true
		}
	}
	named, says := false, false
	for _, w := range segment.Words(rest) {
		switch {
		case slices.ContainsFunc(held, func(r segment.Range) bool { return w.Start >= r.Start && w.End <= r.End }):
		case names[w.Lower] && !segment.Function(w.Lower):
			named = true
		case lexicon.Attribution.Has(w.Lower):
			says = true
		case lexicon.Negation.Has(w.Lower), lexicon.Modal.Has(w.Lower), !lexicon.Attributive.Has(w.Lower):
			return false
		}
	}
	// "He wrote …" is the subject; a text of another known author needs that author's name.
	return !strings.ContainsFunc(rest, isLetter) || (says || named) && (named || p.Author == "" || judge.SamePerson(p.Author, a.names))
}

func isLetter(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r > 0x7F && r != '“' && r != '”' && r != '’' && r != '‘'
}

// withoutQuotes returns a claim's text without its quotations and their marks.
func withoutQuotes(c segment.Claim) string {
	var b strings.Builder
	end := 0
	for _, q := range c.Quotes {
		b.WriteString(strings.TrimRight(c.Text[end:q.Start], "“„«»‘\""))
		b.WriteByte(' ')
		end = q.End
	}
	b.WriteString(strings.TrimLeft(c.Text[end:], "”“»«’\""))
	return b.String()
}

// restAligns reports whether the claim, quotations included, aligns with the sentences that hold them.
func (a *assigner) restAligns(p *retrieve.Passage, d *canon.Document, whole segment.Range, sentences []segment.Range) bool {
	window := whole
	for _, s := range sentences {
		if s.End > whole.Start && s.Start < whole.End {
			window.Start, window.End = min(window.Start, s.Start), max(window.End, s.End)
		}
	}
	if text := string(d.Payload()[window.Start:window.End]); len(segment.Sentences(text, p.Lang)) > 2 {
		return false
	}
	words, err := a.wordsAt(p, d, window)
	return err == nil && judge.Judge(a.claim.Text, words).Verdict == cite.ClaimFollows
}
