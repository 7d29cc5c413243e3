package examination

import (
	"slices"
	"strings"

	"muniment/cite"
	"muniment/draft/examine"
	"muniment/judge"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// statementShare is the least share of the words of a statement that a paper has, above which it repeats the paper and
// is compared like a quotation.
const statementShare = 0.66

// longestChanged is how many words of a paper a fact of a statement replaces at most.
const longestChanged = 8

// addStatement examines a statement in the writer's own words. It is an item where it repeats words of its source,
// contradicts them, or names a source that is not here; else only a reader can say.
func (x *examiner) addStatement(doc *document, q *examine.Quotation) error {
	if x.library.ctx.Err() != nil {
		return interruption()
	}
	m := x.meaningOf(q)
	if m.named == nil || m.named.Where == string(examine.Preceding) {
		return nil
	}
	if !q.Vague {
		defer x.rememberMeaning(m)
	}
	if q.Bare {
		return nil
	}
	if len(m.cards) == 0 {
		if !q.Vague && m.missing && m.match.Sure {
			x.append(doc, q, "statement", x.missingItem(m))
		}
		return nil
	}
	text := q.Claim()
	h, err := x.bestIn(m.cards, text)
	if _, body, ok := strings.Cut(q.WithoutBrackets(), ": "); ok && err == nil && !h.good() { // Dr Wren, medical officer: Between …
		if more, e := x.bestIn(m.cards, body); e == nil && more.Better(h.Finding) {
			h, text = more, body
		}
	}
	if err != nil || h.Words == 0 {
		return err
	}
	if !h.good() {
		if near, ok := x.nearestSentence(m.cards, text); ok {
			return x.addJudged(doc, q, m, near, h, text)
		}
	}
	return x.addJudged(doc, q, m, h, h, text)
}

// addJudged adds the item of a statement by the judgement of a place: of the sentence of its paper that is most like it, or of the words that it repeats.
func (x *examiner) addJudged(doc *document, q *examine.Quotation, m meaning, at, h hit, text string) error {
	place, err := x.placeOf(at)
	if err != nil {
		return err
	}
	item := Item{Named: m.named, Found: place.found, Difference: h.Changes}
	var against judge.Finding
	if item.Claim, against = place.judgeText(text, at.Start != h.Start || at.End != h.End); against.Test == judge.Number && x.saysElsewhere(at.card, text, against.Claim) {
		against = judge.Finding{}
	}
	switch {
	case h.good():
		item.Verdict, item.Reason = Exact, "the paper says it in these words"
		if len(h.Changes) > 0 {
			item.Verdict, item.Reason = Scholarly, "the paper says it in these words but for "+listKinds(h.Changes)
		}
	case item.Claim != nil && item.Claim.Verdict == cite.ClaimContradicted:
		item.Verdict, item.Reason, item.Difference = Altered, item.Claim.Reason, nil
	case against.Test != "":
		item.Verdict, item.Reason, item.Difference = Altered, judge.Explain([]judge.Finding{against}), nil
	case place.isHeading(text):
		return nil
	case h.card == at.card && h.Share >= statementShare && h.IsAltered() && changesFact(h.Changes):
		item.Verdict, item.Reason, item.Suggestion = Altered, describeChanges(h.Changes), place.found.Text
	default:
		return nil
	}
	x.append(doc, q, "statement", item)
	return nil
}

// likeShare is the least share of the words with a topic of a statement that a sentence of its paper has, above which
// the two are about one thing and their facts are compared.
const likeShare = 0.6

// nearestSentence returns the sentence of some papers that has most of the words of a statement that are no numbers, where it has enough of them.
func (x *examiner) nearestSentence(cards []int, text string) (hit, bool) {
	stems := topicOf(text)
	best, most := hit{card: -1}, 1
	for _, c := range cards[:min(len(cards), triedPapers)] {
		p, err := x.library.words(c)
		if err != nil {
			return best, false
		}
		written := map[string]bool{} // the names by which the paper is called say nothing of its words
		card := x.library.papers[c].card
		for _, w := range clause.Parse(strings.Join(append(slices.Clone(card.Creators), card.Title, strings.NewReplacer("_", " ", "-", " ").Replace(card.Name)), " ")).Words {
			written[segment.Stem(w)] = true
		}
		asked := 0
		for w := range stems {
			if !written[strings.TrimSuffix(w, "'")] {
				asked++
			}
		}
		for _, w := range p.Near(examine.NewQuery(text)) {
			for _, r := range segment.Sentences(p.Text()[w[0]:w[1]], "") {
				n := countShared(p.Text()[w[0]+r.Start:w[0]+r.End], stems, written)
				if n > most && float64(n) >= likeShare*float64(asked) {
					best, most = hit{c, examine.Finding{Start: w[0] + r.Start, End: w[0] + r.End, Words: n}}, n
				}
			}
		}
	}
	return best, best.card >= 0
}

// isHeading reports whether what a place has of a statement is in a paragraph above that where it ends: the statement calls the paper what its heading does.
func (p *place) isHeading(text string) bool {
	words := string(p.doc.Payload()[p.start:p.end])
	at := strings.LastIndex(words, "\n\n")
	return at >= 0 && countShared(words[at:], topicOf(text), nil) < 2
}

// changesFact reports whether one of some changes is of a number, a name or a negation.
func changesFact(changes []examine.Change) bool {
	for _, c := range changes {
		if len(strings.Fields(c.Paper)) > longestChanged || lexicon.FirstPerson.In(clause.Parse(c.Paper).Words) != "" || lexicon.Pronoun.Has(strings.ToLower(c.Quoted)) {
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

// saysElsewhere reports whether another sentence of a paper has a number of a statement, with two words of its topic: a statement may pass on two.
func (x *examiner) saysElsewhere(card int, text, number string) bool {
	p, err := x.library.words(card)
	if err != nil {
		return false
	}
	stems := topicOf(text)
	for _, w := range p.Near(examine.NewQuery(number)) {
		for _, r := range segment.Sentences(p.Text()[w[0]:w[1]], "") {
			sentence := p.Text()[w[0]+r.Start : w[0]+r.End]
			if n := countShared(sentence, stems, nil); n >= 2 && strings.Contains(sentence, number) {
				return true
			}
		}
	}
	return false
}

// topicOf returns the stems of the words of a text with a topic that are no numbers.
func topicOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range clause.Parse(text).Tokens {
		if t.Content() && !t.Number && !t.Date {
			out[segment.Stem(t.Text)] = true
		}
	}
	return out
}

// countShared counts the words of a sentence whose stems are among some and not among others, each once.
func countShared(sentence string, stems, without map[string]bool) int {
	seen := map[string]bool{}
	for _, w := range clause.Parse(sentence).Words {
		if s := segment.Stem(w); stems[s] && !without[s] {
			seen[s] = true
		}
	}
	return len(seen)
}

// judgeText returns the verdict on a statement by the whole paragraph around the place, and of a statement that is
// compared fact by fact the number, day, unit or denial by which the place is against it, the zero Finding for none.
func (p *place) judgeText(claim string, facts bool) (*Claim, judge.Finding) {
	if len(claim) > judge.MaxText {
		return nil, judge.Finding{}
	}
	w := p.passage()
	var against judge.Finding
	for _, f := range judge.Against(claim, w) {
		differs := f.Words != "" && (f.Test == judge.Number || f.Test == judge.Date || f.Test == judge.Unit) || f.Test == judge.Negation || f.Test == judge.Opposite
		if facts && differs && against.Test == "" {
			against = f
		}
	}
	w.Words, w.Before, w.After = w.Before+w.Words+w.After, "", ""
	j := judge.Judge(claim, w)
	return &Claim{Text: claim, Verdict: j.Verdict, Reason: j.Reason, Claim: j.Claim, Words: j.Words}, against
}
