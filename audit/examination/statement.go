package examination

import (
	"strings"

	"muniment/cite"
	"muniment/draft/examine"
	"muniment/judge"
)

// statementShare is the least share of the words of a statement that a paper has, above which it repeats the paper and is compared like
// a quotation.
const statementShare = 0.66

// longestChanged is how many words of a paper a fact of a statement replaces at most.
const longestChanged = 8

// addStatement examines a statement in the writer's own words. It is an item where it repeats words of its source, contradicts them, or
// names a source that is not here; else only a reader can say.
func (x *examiner) addStatement(doc *document, q *examine.Quotation) error {
	if x.library.ctx.Err() != nil {
		return interruption()
	}
	m := x.meaningOf(q)
	if m.named == nil || m.named.Where == string(examine.Preceding) {
		return nil
	}
	defer x.rememberMeaning(m)
	if q.Bare {
		return nil
	}
	if len(m.cards) == 0 {
		if m.missing && m.match.Sure {
			x.append(doc, q, "statement", x.missingItem(m))
		}
		return nil
	}
	text := q.WithoutBrackets()
	h, err := x.bestIn(m.cards, text)
	if _, body, ok := strings.Cut(text, ": "); ok && err == nil && !h.good() { // Dr Wren, medical officer: Between …
		if more, e := x.bestIn(m.cards, body); e == nil && more.Better(h.Finding) {
			h, text = more, body
		}
	}
	if err != nil || h.Words == 0 {
		return err
	}
	place, err := x.placeOf(h)
	if err != nil {
		return err
	}
	item := Item{Named: m.named, Found: place.found, Difference: h.Changes, Claim: place.judgeText(text)}
	switch {
	case h.good():
		item.Verdict, item.Reason = Exact, "the paper says it in these words"
		if len(h.Changes) > 0 {
			item.Verdict, item.Reason = Scholarly, "the paper says it in these words but for "+listKinds(h.Changes)
		}
	case h.Share >= statementShare && h.IsAltered() && changesFact(h.Changes):
		item.Verdict, item.Reason, item.Suggestion = Altered, describeChanges(h.Changes), place.found.Text
	case item.Claim != nil && item.Claim.Verdict == cite.ClaimContradicted:
		item.Verdict, item.Reason = Altered, item.Claim.Reason
	default:
		return nil
	}
	x.append(doc, q, "statement", item)
	return nil
}

// changesFact reports whether one of some changes is of a number, a name or a negation.
func changesFact(changes []examine.Change) bool {
	for _, c := range changes {
		if len(strings.Fields(c.Paper)) > longestChanged {
			continue // the writer's own words pass over a sentence of the paper
		}
		if c.Kind == cite.ChangedNumber || c.Kind == cite.ChangedName || c.Kind == cite.ChangedNegation {
			return true
		}
	}
	return false
}

// missingItem returns the item of a statement whose source is not here.
func (x *examiner) missingItem(m meaning) Item {
	item := Item{Verdict: Uncheckable, Named: m.named, Reason: "the source named is not here: " + clip(m.named.Text)}
	if x.complete(m.named.Text) != "" {
		item.Verdict, item.Reason = Nowhere, "the source named is not here, and what it belongs to is declared complete: "+clip(m.named.Text)
	}
	return item
}

// judgeText returns the verdict on a statement by the whole paragraph around the place.
func (p *place) judgeText(claim string) *Claim {
	if len(claim) > judge.MaxText {
		return nil
	}
	w := p.passage()
	w.Words, w.Before, w.After = w.Before+w.Words+w.After, "", ""
	j := judge.Judge(claim, w)
	return &Claim{Text: claim, Verdict: j.Verdict, Reason: j.Reason, Claim: j.Claim, Words: j.Words}
}
