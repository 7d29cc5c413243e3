package answer

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/cid"
	"muniment/cite"
	"muniment/judge"
	"muniment/judge/assign"
	"muniment/judge/hedge"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// assign returns the evidence for the claims of each topic: sentences are held
// against passages, and the archive's own words are their own evidence.
func (p *Pipeline) assign(ctx context.Context, q question, all []claims) ([]evidence, error) {
	out := make([]evidence, len(all))
	for i, c := range all {
		out[i] = evidence{topic: c.topic.text, absent: c.absent, found: c.quotes, hidden: c.hidden, claim: c.topic.claim, written: c.written}
		for _, s := range c.sentences {
			if q.origin == fromOutside {
				if err := q.assignOutside(ctx, &out[i], s.claim, c.passages); err != nil {
					return nil, err
				}
				continue
			}
			found, err := q.assignWritten(ctx, s, c.read)
			if err != nil {
				return nil, err
			}
			out[i].sentences = append(out[i].sentences, sentence{s.claim, found})
		}
	}
	return out, nil
}

// assignOutside fills in the evidence for a claim of a draft from outside.
func (q question) assignOutside(ctx context.Context, e *evidence, claim segment.Claim, found passages) (err error) {
	v := q.viewer
	said, decided, err := q.findReviewed(claim.Text)
	switch {
	case err != nil:
		return err
	case decided:
		e.found = []candidate{said}
		return nil
	}
	if e.found, err = v.match(claim, found.open); err != nil {
		return err
	}
	if !slices.ContainsFunc(e.found, isCovered) && q.judge.Asks() && !slices.ContainsFunc(e.found, func(c candidate) bool { return c.ev.Contradicts() }) {
		places, err := v.searchPassages(claim.Text, found.open)
		if err != nil {
			return err
		}
		judged, lost, err := q.judgeOn(ctx, claim, places)
		switch {
		case err != nil:
			return err
		case judged != nil:
			e.found = []candidate{*judged}
		case lost.judge != nil:
			e.found = []candidate{lost}
		}
	}
	if said.gone != nil && !slices.ContainsFunc(e.found, isCovered) {
		e.found = []candidate{said}
	}
	if len(found.open) == len(found.all) {
		return nil
	}
	others, err := v.match(claim, found.all)
	e.hidden = v.unknown(others)
	return err
}

// match returns the candidates for one claim of a draft, whole or narrowed; none
// where no passage bears on it.
func (v *viewer) match(claim segment.Claim, passages []retrieve.Passage) ([]candidate, error) {
	ev, err := assign.Assign(claim, passages, v.document, v.subject()...)
	if err != nil {
		return nil, err
	}
	whole := candidate{topic: claim.Text, text: claim.Text, ev: ev, input: ev.Input(), need: retrieve.ContentWords(claim.Text, nil)}
	if assign.VetoesElided(claim, ev, v.subject()) {
		whole.ev.Relation, whole.ev.Tests = "", append(whole.ev.Tests, "veto of words left out")
		whole.input = whole.ev.Input()
		return []candidate{whole}, nil
	}
	verdict := cite.Judge(whole.input)
	if verdict.Rung == cite.Labeled && !hedge.IsStacked(claim.Text) && !hedge.InfersNothingNew(claim.Text, judge.Passage{Words: ev.Quote, Writers: v.subject()}) { // stacked hedges go with a reason of their own
		whole.ev.Relation, whole.ev.Tests = "", []string{"words"}
		whole.input = whole.ev.Input()
		verdict = cite.Judge(whole.input)
	}
	if verdict.Rung == cite.Supported || ev.Contradicts() {
		return []candidate{whole}, nil
	}
	narrowed, ok, err := assign.Narrow(claim, passages, v.document, v.subject()...)
	if err != nil {
		return nil, err
	}
	if ok { // a sentence of which a clause is denied is not half delivered
		if denied, err := v.denies(&narrowed.Rest); err != nil {
			return nil, err
		} else if denied {
			whole.ev, whole.input = narrowed.Rest, narrowed.Rest.Input()
			return []candidate{whole}, nil
		}
		in := narrowed.Evidence.Input()
		in.Narrowed = true
		return []candidate{{topic: claim.Text, text: narrowed.Text, cut: narrowed.Cut, uncut: whole.ev, ev: narrowed.Evidence, input: in, need: retrieve.ContentWords(narrowed.Text, nil)}}, nil
	}
	if verdict.Rung == cite.Refused && ev.Artifact == "" {
		return nil, nil
	}
	return []candidate{whole}, nil
}

// denies reports whether words that the requestor may read contradict a claim or deny what it states.
func (v *viewer) denies(ev *assign.Evidence) (bool, error) {
	if !ev.Denied {
		return false, nil
	}
	id, err := cid.ParseAs(cid.Raw, ev.Artifact)
	if err != nil {
		return false, err
	}
	perm, err := v.permission(id, ev.Quote)
	return perm.Display && perm.Excerpt > 0, err
}

// assignWritten returns the candidates for a sentence of a model's draft. One that names a source, an id or a
// mark is not from the archive: the model was given none. One that is longer than an excerpt would show more
// than one.
func (q question) assignWritten(ctx context.Context, s drafted, read []retrieve.Passage) ([]candidate, error) {
	v, claim := q.viewer, s.claim
	failing := func(test string) []candidate {
		c := candidate{topic: claim.Text, text: claim.Text, written: true}
		c.ev.Tests = []string{test}
		return []candidate{c}
	}
	switch {
	case identifiers.MatchString(claim.Text) || len(claim.Markers) > 0:
		return failing("identifier"), nil
	case utf8.RuneCountInString(claim.Text) > v.limit():
		return failing("excerpt"), nil
	}
	if said, decided, err := q.findReviewed(claim.Text); err != nil || decided {
		said.written = true
		return []candidate{said}, err
	}
	places, quoted, err := v.findQuotes(s.quotes, read)
	switch {
	case err != nil:
		return nil, err
	case !quoted:
		return failing(testQuoted), nil
	}
	found, err := v.matchQuoted(claim, places, read)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(found, isCovered) {
		if q.ownDraft {
			return failing(testOwnDraft), nil
		}
		judged, lost, err := q.judgeOn(ctx, claim, places)
		if err != nil {
			return nil, err
		}
		if found = []candidate{lost}; judged != nil {
			found = []candidate{*judged}
		}
	}
	for i := range found {
		c := &found[i]
		c.written = true
		if c.ev.Relation == "" {
			continue
		}
		if !sharesWord(read[0].Terms, c.ev.Quote) {
			return failing("question"), nil
		}
		c.own = c.ev.Relation == cite.DirectQuote && strings.Trim(c.text, "“”\"' ") == strings.TrimSpace(c.ev.Quote)
	}
	return found, nil
}

// matchQuoted returns the candidates for a sentence of a model's draft by the rules of
// assignment, on the passages that hold its quotes. A veto over any of these removes them.
func (v *viewer) matchQuoted(claim segment.Claim, places []wordsAt, read []retrieve.Passage) ([]candidate, error) {
	var named []retrieve.Passage
	var words []judge.Passage
	for _, at := range places {
		words = append(words, at.passage)
		for _, p := range read {
			if p.Artifact == at.artifact && p.Span.From.Unit == at.span.From.Unit && !slices.ContainsFunc(named, func(o retrieve.Passage) bool { return o.ID == p.ID }) {
				named = append(named, p)
			}
		}
	}
	if len(judge.Against(claim.Text, words...)) > 0 {
		return nil, nil
	}
	return v.match(claim, named)
}

// identifiers are what looks like a reference: a model that is shown no ids can only invent them.
var identifiers = regexp.MustCompile(`(?i)\bsources? [a-z]{1,3}\b|\bbaf[ky][a-z0-9]{8,}|\bcite[_:-]|\bpassages? \d|[\[(](?:\^|g)?\d{1,4}[\])]|https?:|\bdoi\b|§`)

// sharesWord reports whether a quote holds a word of the question's terms, where they have any but a date.
func sharesWord(terms []retrieve.Term, quote string) bool {
	stems := map[string]bool{}
	for _, w := range segment.Words(quote) {
		stems[segment.Stem(w.Lower)] = true
	}
	words := 0
	for _, t := range terms {
		if t.Stem == "" {
			continue
		}
		if words++; stems[t.Stem] {
			return true
		}
	}
	return words == 0
}

// citesNothing reports whether a claim may pass as text that is not from the archive: it does not pretend to be.
func citesNothing(c segment.Claim) bool {
	return len(c.Quotes) == 0 && len(c.Markers) == 0 && !strings.ContainsAny(c.Text, "“”\"„«»") && !identifiers.MatchString(c.Text)
}
