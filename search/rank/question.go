package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"muniment/search/retrieve"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Question is a question as sentences are compared with it.
type Question struct {
	lang     string
	terms    []term
	all      int                     // idf of all terms
	named    int                     // idf of names and numbers
	dated    int                     // idf of the numbers of dates
	unknown  int                     // idf of words that the collection does not hold
	rarest   int                     // idf of a word that no passage holds
	focus    int                     // index of the term that names the type of thing asked for, as in "which engine"; -1 for none
	kin      func() map[string][]int // kinOf the terms
	asks     kind
	verb     int    // index of the term that is its verb; -1 where it has none that names an event
	saying   string // its verb
	slotted  bool   // what it asks for is certain, so that an answer must hold it
	passive  bool   // it asks in the passive
	negated  bool
	intended bool
}

// A term is a word of the question that has a topic.
type term struct {
	lower  string
	idf    int  // thousandths of the natural logarithm
	named  bool // a name or a number
	upper  bool // written with a capital inside the question
	date   bool // a number of a date
	turned bool // written with a reversal before its hyphen: non-slave
	role   role // what it is to the verb
	joined bool // the next term is the next word, and this one is not the verb
	owner  bool // written as a possessive: Anna's
	next   int  // index of the term that is the next word but for words without a topic; -1 for none
}

// NewQuestion reads a question in the language of a BCP 47 tag, "" for unknown. What its words weigh says an
// index from which papers are left out of which not everybody may know.
func NewQuestion(text, lang string, weighing retrieve.Weighing) Question {
	words := segment.Words(text)
	table := tableOf(lang, words)
	q := Question{lang: cmp.Or(lang, segment.Detect(text)), rarest: thousandths(weighing.Rarest()), focus: -1, verb: -1}
	verb, eventful := clause.QuestionVerb(text)
	q.passive, q.saying = verb.Passive, verb.Word
	weighed := map[string][]retrieve.Term{} // by the word of the question
	dated := false
	for _, t := range weighing.Terms {
		if dated = dated || t.Stem == ""; t.Stem != "" {
			weighed[cmp.Or(t.Of, t.Word)] = append(weighed[cmp.Or(t.Of, t.Word)], t)
		}
	}
	seen := map[string]bool{}
	for i, w := range words {
		parts, ok := weighed[w.Lower]
		number := hasDigit(w.Lower)
		if seen[w.Lower] || !ok && !(dated && number) {
			continue
		}
		seen[w.Lower] = true
		if !ok { // the number of a date
			parts = []retrieve.Term{{Word: w.Lower, Name: true, Known: true}}
		}
		for _, t := range parts {
			one := term{lower: t.Word, owner: w.Possessive, idf: thousandths(t.IDF), named: t.Name || number, upper: t.Upper, turned: table.followsReversal(text, words, i), next: -1}
			if !ok {
				one.idf, one.date = q.rarest, true
			}
			if one.idf == 0 {
				continue
			}
			if n := len(q.terms); n > 0 {
				q.terms[n-1].next = n
				q.terms[n-1].joined = n-1 != q.verb && i > 0 && words[i-1].Lower == q.terms[n-1].lower
			}
			if i > 0 && q.focus < 0 && table.asksForThing(words[i-1].Lower) {
				q.focus = len(q.terms)
			}
			if eventful && w.Start == verb.Start {
				q.verb = len(q.terms)
			}
			one.role = roleAt(words, i, verb)
			q.add(one, t.Known)
		}
	}
	if q.asks = table.asks(words); q.asks == anything || q.asks == count {
		if slices.ContainsFunc(words, func(w segment.Word) bool { return lexicon.Price.Has(w.Lower) }) && q.asksAmount(words) {
			q.asks = price
		}
	}
	q.slotted = !asksTwice(text, words)
	for _, w := range words {
		q.negated = q.negated || table.negations[w.Lower] && (q.verb < 0 || !weak[w.Lower])
		q.intended = q.intended || table.intentions[w.Lower]
	}
	q.kin = sync.OnceValue(func() map[string][]int { return kinOf(q.terms) })
	return q
}

// add adds a term.
func (q *Question) add(t term, known bool) {
	q.terms = append(q.terms, t)
	q.all += t.idf
	if t.date {
		q.dated += t.idf
	}
	if t.named {
		q.named += t.idf
	}
	if !known {
		q.unknown += t.idf
	}
}

// asksTwice reports whether a second question word follows a comma: "When cells divide, what do they become?"
func asksTwice(text string, words []segment.Word) bool {
	asked := false
	for i, w := range words {
		if asked && segment.QuestionWord(w.Lower) && strings.Contains(text[words[i-1].End:w.Start], ",") {
			return true
		}
		asked = asked || segment.QuestionWord(w.Lower)
	}
	return false
}

// asksForThing reports whether a word asks for a thing that the next word names.
func (t *table) asksForThing(word string) bool {
	k, ok := t.asking[word]
	return ok && k == anything
}

func thousandths(x float64) int { return int(math.Round(1000 * x)) }

func hasDigit(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }

// share returns part of whole in thousandths, 0 of nothing.
func share(part, whole int) int32 {
	if whole == 0 {
		return 0
	}
	return int32(min(1000, (1000*part+whole/2)/whole))
}
