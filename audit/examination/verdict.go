package examination

import (
	"fmt"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/draft/examine"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// The least shares of the words of a quotation that a place of a paper has, below which it is another text.
const (
	alteredShare   = 0.58 // in the paper that is named
	elsewhereShare = 0.70 // in another
	shortShare     = 0.66 // of a quotation of at most shortWords words
	shortWords     = 5
	// surelyNamed is the score of a source from which on words such as “the same court” do not lead back to the one before.
	surelyNamed = 1.5
	// triedPapers is how many papers are compared with a quotation, those named not counted.
	triedPapers = 10
)

// A meaning is what a document says of the source of a quotation.
type meaning struct {
	cards   []int // papers that may be meant, the likeliest first
	named   *NamedSource
	missing bool // a source is named, and it is not here
	again   bool // it is the source named before
	firm    bool // an earlier sentence names it, and this one speaks of it
	match   examine.Match
}

// conflicts reports whether the source that is named cannot be a paper. What only an earlier sentence names decides nothing.
func (m *meaning) conflicts(card int) bool {
	switch {
	case m.named == nil || m.named.Where == string(examine.Preceding) && !m.firm:
		return false
	case m.again:
		return !slices.Contains(m.cards, card)
	}
	return m.match.Conflicts(card)
}

// meaningOf returns the source that the mentions of a quotation name: the first that names one decides.
func (x *examiner) meaningOf(q *examine.Quotation) meaning {
	for i, m := range q.Mentions {
		got := x.library.matchOf(m)
		switch {
		case (m.Again || got.OnlyDay && x.last >= 0) && (len(got.Cards) == 0 || got.Score < surelyNamed || slices.Contains(got.Cards, x.last)):
			if x.last >= 0 {
				out := x.meaningAs([]int{x.last}, m, got)
				out.again = m.Again
				return out
			}
			if x.lastNamed != nil {
				n := *x.lastNamed
				return meaning{named: &n, missing: !n.Here, match: got}
			}
		case len(got.Cards) > 0:
			cards := got.Cards
			if at := slices.Index(cards, x.last); at >= 0 && m.Where == examine.Preceding {
				cards = cards[at : at+1]
			} else if at > 0 {
				cards = append([]int{x.last}, slices.Delete(slices.Clone(cards), at, at+1)...)
			}
			out := x.meaningAs(cards, m, got)
			out.firm = got.Firm && (m.Near || pointsBack(q.Said))
			return out
		case got.Missing && (m.Where != examine.Preceding || i > 0 && pointsBack(q.Said) && q.Mentions[i-1].Where != examine.Preceding):
			return meaning{named: &NamedSource{Text: m.Text, Where: string(m.Where)}, missing: true, match: got}
		}
	}
	if !pointsBack(q.Said) {
		if x.last >= 0 {
			return meaning{cards: []int{x.last}}
		}
		return meaning{}
	}
	m := examine.Mention{Text: q.Said, Where: examine.Preceding}
	if x.last >= 0 {
		out := x.meaningAs([]int{x.last}, m, examine.Match{})
		out.firm, out.again = true, true
		return out
	}
	if x.lastNamed != nil {
		n := *x.lastNamed
		return meaning{named: &n, missing: true}
	}
	return meaning{}
}

// pointsBack reports whether a sentence speaks of somebody or of a paper that was named before: she, the letter.
func pointsBack(said string) bool {
	words := clause.Parse(said).Words
	for i, w := range words {
		if lexicon.ThirdPerson.Has(w) || lexicon.SourceNoun.Has(w) || i > 0 && (words[i-1] == "the" || words[i-1] == "der" || words[i-1] == "die" || words[i-1] == "das") && (w == "court" || w == "author" || w == "writer" || w == "authors" || w == "gericht" || w == "verfasser" || w == "autor") {
			return true
		}
	}
	return false
}

func (x *examiner) meaningAs(cards []int, m examine.Mention, got examine.Match) meaning {
	n := &NamedSource{Text: m.Text, Where: string(m.Where), Here: true, Others: len(cards) - 1}
	x.describe(n, cards[0])
	return meaning{cards: cards, named: n, match: got}
}

// describe puts the paper of a card into a NamedSource.
func (x *examiner) describe(n *NamedSource, card int) {
	p := x.library.papers[card]
	n.Artifact, n.Name, n.Title, n.Creator, n.Date = p.art.ID.String(), p.card.Name, p.card.Title, p.creator(), p.card.Date
}

// A hit is a place of a paper that is like a quotation.
type hit struct {
	card int
	examine.Finding
}

func (h hit) good() bool { return h.Words > 0 && !h.IsAltered() && h.Share >= 0.95 }

// isSource reports whether a place has enough of a quotation's words to be where it is from.
func (h hit) isSource(least float64) bool {
	if h.Words == 0 {
		return false
	}
	if h.Words <= shortWords {
		least = max(least, shortShare)
	}
	return h.Share >= least
}

// sharedMargin is by how much fewer of a quotation's words than another a paper may have anywhere and be compared
// still: words in another spelling are not counted.
const sharedMargin = 0.35

// bestIn returns the place of some papers that is most like a text. A paper that has far fewer of its words than another is not compared.
func (x *examiner) bestIn(cards []int, text string) (hit, error) {
	best, q, most := hit{card: -1}, examine.NewQuery(text), 0.0
	shared := make([]float64, len(cards))
	for i, c := range cards {
		p, err := x.library.words(c)
		if err != nil {
			return best, err
		}
		shared[i] = p.Overlap(q)
		most = max(most, shared[i])
	}
	for i, c := range cards {
		if shared[i]+sharedMargin < most {
			continue
		}
		p, err := x.library.words(c)
		if err != nil {
			return best, err
		}
		if f := p.Find(q); f.Better(best.Finding) {
			best = hit{c, f}
		}
		if best.good() && len(best.Changes) == 0 {
			break
		}
	}
	return best, nil
}

// add examines a quotation and appends its item to the report.
func (x *examiner) add(doc *document, q *examine.Quotation, searched []int) error {
	m := x.meaningOf(q)
	inNamed, err := x.bestIn(m.cards, q.Words())
	if err != nil {
		return err
	}
	var others []int
	var other hit
	if !inNamed.good() {
		if others, err = x.otherPapers(q, m, searched); err != nil {
			return err
		}
		if other, err = x.bestIn(others, q.Words()); err != nil {
			return err
		}
	} else {
		other.card = -1
	}
	item, keep, err := x.decide(q, m, inNamed, other, others)
	if err == nil && keep {
		x.append(doc, q, "quotation", item)
	} else if q.Short {
		x.report.Short++
	}
	return err
}

// otherPapers returns the papers that may have the words of a quotation and are not named for it. searched has the
// result of an earlier search for the words; nil starts one.
func (x *examiner) otherPapers(q *examine.Quotation, m meaning, searched []int) ([]int, error) {
	if searched == nil {
		var err error
		if searched, err = x.library.search(q.Words()); err != nil {
			return nil, err
		}
	}
	x.library.fillShelf()
	others := slices.DeleteFunc(slices.Clone(searched), func(c int) bool { return slices.Contains(m.cards, c) })
	return others[:min(len(others), triedPapers)], nil
}

// decide returns the verdict on a quotation, and whether it is one: a word in marks that no paper has is none.
func (x *examiner) decide(q *examine.Quotation, m meaning, inNamed, other hit, others []int) (Item, bool, error) {
	switch {
	case inNamed.good():
		return x.unchangedItem(q, m, inNamed, false)
	case q.Short:
		if other.good() && m.named == nil && len(m.cards) == 0 && !q.Unmarked {
			return x.unchangedItem(q, m, other, false)
		}
		return Item{}, false, nil
	case other.good():
		conflict := m.conflicts(other.card) && !x.isSpeaker(m.named, other) && !(m.named.Where == string(examine.Preceding) && (other.card == x.last || x.isMeant(q, other.card) || x.calls(q.Said, other.card) && !x.calls(q.Said, m.cards[0])))
		if m.named != nil && !m.missing && m.named.Where != string(examine.Preceding) && inNamed.isSource(0.9) && conflict {
			return x.alteredItem(q, m, inNamed, others)
		}
		if names := q.Speaker(); !conflict && len(names) > 0 && x.last != other.card && !x.isMeant(q, other.card) && !x.library.mentions(other.card, names) {
			conflict = true
			m.named = &NamedSource{Text: clip(strings.TrimSpace(q.Said)), Where: string(examine.InSentence)}
		}
		return x.unchangedItem(q, m, other, conflict)
	case inNamed.isSource(alteredShare) && !(other.isSource(elsewhereShare) && other.Share > inNamed.Share+0.15):
		return x.alteredItem(q, m, inNamed, others)
	case inNamed.Second != [2]int{}, inNamed.Rest != "" && inNamed.Share >= 0.4 && x.secondOf(inNamed, m, others).Words > 0:
		return x.alteredItem(q, m, inNamed, others)
	case other.isSource(elsewhereShare), other.Second != [2]int{}:
		return x.alteredItem(q, m, other, others)
	case q.Unmarked:
		return Item{}, false, nil
	}
	best := inNamed
	if other.Better(best.Finding) {
		best = other
	}
	return x.lost(m, best)
}

// secondOf returns the place that has the rest of a stitched quotation, a hit without words for none.
func (x *examiner) secondOf(h hit, m meaning, others []int) hit {
	if len(strings.Fields(h.Rest)) < 3 {
		return hit{}
	}
	found, err := x.bestIn(append(slices.Clone(m.cards), others...), h.Rest)
	if err == nil && !found.good() {
		if more, e := x.library.search(h.Rest); e == nil {
			found, err = x.bestIn(more[:min(len(more), triedPapers)], h.Rest)
		}
	}
	if err != nil || !found.good() {
		return hit{}
	}
	return found
}

// unchangedItem returns the item of a quotation whose words a paper has, but for what scholars may change.
func (x *examiner) unchangedItem(q *examine.Quotation, m meaning, h hit, conflict bool) (Item, bool, error) {
	place, err := x.placeOf(h)
	if err != nil {
		return Item{}, false, err
	}
	item := Item{Verdict: Scholarly, Named: m.named, Found: place.found, Difference: h.Changes, Reason: "the paper has the words but for " + listKinds(h.Changes)}
	if exact, err := place.isExact(q.Parts); err != nil {
		return Item{}, false, err
	} else if exact {
		item.Verdict, item.Difference, item.Reason = Exact, nil, "the paper has these words"
	} else if len(h.Changes) == 0 {
		item.Difference, item.Reason = []examine.Change{{Kind: cite.ChangedPunctuation, Quoted: q.Text, Paper: place.found.Text}}, "the paper has the words but for the signs between them"
		if strings.Contains(q.Text, "[") {
			item.Difference[0].Kind, item.Reason = examine.ChangedBrackets, "the paper has the words but for brackets"
		}
	}
	item.Claim = place.judge(q)
	if item.Claim != nil && item.Claim.limited {
		item.Reason += ", but its sentence says more: " + item.Claim.Reason
	}
	var verdicts []Verdict
	if !q.Short {
		if why := place.cut(q, h); why != "" {
			verdicts = append(verdicts, Cut)
			item.Reason = why
		}
	}
	if second := h.Second; second != [2]int{} {
		verdicts = append(verdicts, Stitched)
	}
	if conflict {
		verdicts = append(verdicts, Elsewhere)
		if len(verdicts) == 1 {
			item.Reason = "the words are in " + place.found.Label() + ", not in " + nameOf(m.named)
		}
	} else if m.named == nil || !m.named.Here || m.cards[0] != h.card {
		item.Named = x.settle(m, h.card)
	}
	if len(verdicts) > 0 {
		item.Verdict, item.Also = verdicts[0], verdicts[1:]
	}
	if !conflict {
		x.remember(item.Named, h.card)
	} else {
		x.rememberMeaning(m)
	}
	return item, true, nil
}

// nameOf returns the source that a document names as its record describes it, or as the document does where it is not here.
func nameOf(n *NamedSource) string {
	if n.Here {
		return n.Label()
	}
	return "the source that is named: " + clip(n.Text)
}

// settle returns the source that a document names where the words themselves decide which of several is meant.
func (x *examiner) settle(m meaning, card int) *NamedSource {
	n := &NamedSource{Where: string(examine.InSentence)}
	if m.named != nil {
		*n = *m.named
	}
	n.Here = true
	x.describe(n, card)
	return n
}

func (x *examiner) remember(n *NamedSource, card int) { x.last, x.lastNamed = card, n }

func (x *examiner) rememberMeaning(m meaning) {
	switch {
	case m.named == nil:
	case m.named.Here && len(m.cards) > 0:
		x.remember(m.named, m.cards[0])
	case m.named.Where != string(examine.Preceding):
		x.last, x.lastNamed = -1, m.named
	}
}

// alteredItem returns the item of a quotation that differs from its paper by more than scholars may change, or runs two places together.
func (x *examiner) alteredItem(q *examine.Quotation, m meaning, h hit, others []int) (Item, bool, error) {
	place, err := x.placeOf(h)
	if err != nil {
		return Item{}, false, err
	}
	item := Item{Named: m.named, Found: place.found, Difference: h.Changes, Claim: place.judge(q)}
	var verdicts []Verdict
	second := x.secondOf(h, m, others)
	switch {
	case h.Second != [2]int{}:
		verdicts = append(verdicts, Stitched)
		item.Found.Second = place.spanOf(h.Second[0], h.Second[1])
		item.Reason = "two places of the paper are run together as one"
	case second.Words > 0:
		verdicts = append(verdicts, Stitched)
		if other, err := x.placeOf(second); err == nil {
			item.Found.Second, item.Found.SecondIn = other.found.Span, other.found.Name
			item.Reason = "words of " + place.name() + " and of " + other.name() + " are run together as one"
		}
	default:
		verdicts = append(verdicts, Altered)
		item.Reason = describeChanges(h.Changes)
		item.Suggestion = place.found.Text
	}
	if why := place.cut(q, h); why != "" && verdicts[0] == Altered {
		verdicts, item.Reason = append(verdicts, Cut), item.Reason+"; "+why
	}
	if m.conflicts(h.card) {
		verdicts = append(verdicts, Elsewhere)
		x.rememberMeaning(m)
	} else {
		if m.named == nil || !m.named.Here || m.cards[0] != h.card {
			item.Named = x.settle(m, h.card)
		}
		x.remember(item.Named, h.card)
	}
	item.Verdict, item.Also = verdicts[0], verdicts[1:]
	return item, true, nil
}

// lost returns the item of a quotation that no paper has.
func (x *examiner) lost(m meaning, nearest hit) (Item, bool, error) {
	item := Item{Verdict: Nowhere, Named: m.named}
	x.rememberMeaning(m)
	papers := 0
	for _, h := range x.library.halls {
		papers += h.papers
	}
	said := ""
	if m.named != nil {
		said = m.named.Text
	}
	switch scope := x.complete(said); {
	case m.named != nil && m.named.Here, scope != "":
		item.Reason = fmt.Sprintf("none of the %d papers open to you has these words", papers)
	case m.named == nil:
		item.Verdict, item.Reason = Uncheckable, "no source is named, and none of the papers has these words"
	default:
		item.Verdict, item.Reason = Uncheckable, "the source named is not here: "+clip(m.named.Text)
	}
	if nearest.Words > 0 && nearest.Share >= 0.3 {
		place, err := x.placeOf(nearest)
		if err != nil {
			return Item{}, false, err
		}
		item.Nearest = place.found
	}
	return item, true, nil
}

// complete returns the scope that is declared complete and covers what a document says of a source, "" for none.
func (x *examiner) complete(said string) string {
	words := clause.Parse(strings.ToLower(said)).Words
	for _, scope := range x.options.Complete {
		if scope == "all" {
			return scope
		}
		all := true
		for _, w := range clause.Parse(strings.ToLower(scope)).Words {
			all = all && slices.ContainsFunc(words, func(v string) bool { return v == w || strings.TrimSuffix(v, "s") == strings.TrimSuffix(w, "s") })
		}
		if all && said != "" {
			return scope
		}
	}
	return ""
}

// listKinds returns the kinds of some changes in words.
func listKinds(changes []examine.Change) string {
	var kinds []string
	for _, c := range changes {
		if !slices.Contains(kinds, c.Kind) {
			kinds = append(kinds, c.Kind)
		}
	}
	return strings.Join(kinds, ", ")
}

// describeChanges returns the first of the changes that are more than scholars may make, as a reader tells them.
func describeChanges(changes []examine.Change) string {
	var out []string
	for _, c := range changes {
		switch {
		case c.Scholarly():
			continue
		case c.Quoted == "":
			out = append(out, fmt.Sprintf("the text leaves out “%s”", clip(c.Paper)))
		case c.Paper == "":
			out = append(out, fmt.Sprintf("the text adds “%s”", clip(c.Quoted)))
		default:
			out = append(out, fmt.Sprintf("the paper says “%s”, the text says “%s”", clip(c.Paper), clip(c.Quoted)))
		}
	}
	return strings.Join(out[:min(len(out), 4)], "; ")
}

// clip shortens a text for a reason.
func clip(s string) string {
	const most = 90
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + " …"
	}
	return s
}

// calls reports whether a text calls a paper what its record or its first lines do: the minutes, the report.
func (x *examiner) calls(text string, card int) bool {
	c := &x.library.papers[card].card
	written := topicOf(strings.NewReplacer("_", " ", "-", " ").Replace(c.Name) + " " + c.Title + " " + c.Head)
	return slices.ContainsFunc(clause.Parse(text).Words, func(w string) bool { return lexicon.SourceNoun.Has(w) && written[segment.Stem(w)] })
}

// isSpeaker reports whether a document names no paper but a person, of whom the sentence around the words of a hit tells: she asked it to be recorded.
func (x *examiner) isSpeaker(n *NamedSource, h hit) bool {
	words := clause.Parse(n.Text).Words
	if n.Where != string(examine.InSentence) && n.Where != string(examine.Preceding) || lexicon.SourceNoun.In(words) != "" || strings.ContainsAny(n.Text, "0123456789*_") {
		return false
	}
	place, err := x.placeOf(h)
	if err != nil {
		return false
	}
	from, to := place.sentence()
	tells := clause.Parse(string(place.doc.Payload()[from:to])).Words
	return slices.ContainsFunc(examine.Mention{Text: n.Text}.Keys(), func(name string) bool { return slices.Contains(tells, strings.ToLower(name)) })
}

// isMeant reports whether anything that is said of the source of a quotation, however weak, fits a paper.
func (x *examiner) isMeant(q *examine.Quotation, card int) bool {
	return slices.ContainsFunc(q.Mentions, func(m examine.Mention) bool { return slices.Contains(x.library.matchOf(m).Cards, card) })
}
