package rank

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A role is what a term of the question is to its verb.
type role int

const (
	patient role = iota // what something happens to, and everything that is neither of the others
	agent               // who does it
	oblique             // after a preposition: to Ruth, in the garden
)

// roleAt returns the role of word i of a question.
func roleAt(words []segment.Word, i int, verb clause.Verb) role {
	if verb.Word == "" {
		return patient
	}
	for k := i - 1; k >= 0; k-- {
		w := words[k]
		if lexicon.Preposition.Has(w.Lower) && w.Lower != "of" && (k == 0 || words[k-1].Start != verb.Start) {
			if w.Lower == "by" && verb.Passive {
				return agent
			}
			return oblique
		}
		if w.Start == verb.Start || lexicon.Determiner.Has(w.Lower) && (k == 0 || !lexicon.Preposition.Has(words[k-1].Lower)) || segment.QuestionWord(w.Lower) {
			break
		}
	}
	if (words[i].Start < verb.Start) != verb.Passive {
		return agent
	}
	return patient
}

// asksAmount reports whether a question with a word of a price asks for the amount: "what did it cost", "how much was paid", "what
// price", and not "what did she pay for".
func (q *Question) asksAmount(words []segment.Word) bool {
	at := slices.IndexFunc(words, func(w segment.Word) bool { return segment.QuestionWord(w.Lower) })
	if at < 0 || lexicon.Preposition.Has(words[len(words)-1].Lower) {
		return false
	}
	switch asks := words[at].Lower; asks {
	case "what", "which", "was", "welcher", "welche", "welchen":
		return true
	case "how", "wie":
		return at+1 < len(words) && slices.Contains([]string{"much", "high", "large", "viel", "hoch", "teuer"}, words[at+1].Lower)
	}
	return q.asks == count && strings.HasPrefix(words[at].Lower, "wieviel")
}

// whole computes the features of the sentence of a stretch that answers, and writes into s which one it is, and whether its
// neighbour is needed to say who a pronoun is.
func (r *reading) whole(f *Features, s *stretch) {
	s.main, s.both = s.index, false
	other := -1
	if s.pair {
		if r.isAnswered(s.index) || r.leads(s.index+1, s.index) {
			s.main = s.index + 1
		}
		other = s.index + (s.index + 1 - s.main)
	}
	before := other // a pronoun means somebody named before it
	if other > s.main {
		before = -1
	}
	main := r.sentence(s.main)
	at := r.verbIn(main)
	if r.q.verb >= 0 && at < 0 {
		f.Verbless = 1000
	}
	f.Apart, s.both = r.shareApart(main, other, before >= 0, at, s.found)
	f.Apart = max(f.Apart, r.shareBeside(main, at))
	filled, byOther := r.fills(main, before, at)
	if !filled {
		f.Slotless = 1000
	}
	s.both = s.both || byOther
}

// sentence returns the tokens of a sentence.
func (r *reading) sentence(i int) []token { return r.tokens[r.first[i]:r.first[i+1]] }

// clauseOfVerb returns the byte range of the clause, or the cell of a table, that holds the verb of the question, or its last word without it. The words that
// govern it are left out, so that package judge says in what sense it is so: the ferry sank, of "He writes that the ferry sank".
func (r *reading) clauseOfVerb(i int) segment.Range {
	main := r.sentence(i)
	at := r.verbIn(main)
	for k := len(main) - 1; at < 0 && k >= 0; k-- {
		if main[k].term >= 0 {
			at = k
		}
	}
	if at < 0 {
		return r.sentences[i]
	}
	part, index := r.partOf(main, at)
	from, words := 0, clause.Parse(r.text[part[0].word.Start:part[index].word.End]).Words
	for k := 1; k <= index; k++ {
		w, before := part[k-1].word, main[max(0, at-index+k-2)]
		if lexicon.Complementizer.Has(w.Lower) && (isFinite(before) || lexicon.Report.Has(before.word.Lower) || r.table.negations[before.word.Lower]) || !w.Upper && lexicon.Report.Has(w.Lower) && !r.isAskedSaying(part[from:k]) || k <= len(words) && lexicon.Hearsay.In(words[:k]) != "" && lexicon.Hearsay.In(words[:k-1]) == "" {
			from = k
		}
	}
	if cells := r.text[r.sentences[i].Start:part[0].word.Start]; from == 0 && len(part) == len(main) && !strings.ContainsAny(cells, "|\t") {
		return r.sentences[i]
	}
	return segment.Range{Start: part[from].word.Start, End: part[len(part)-1].word.End}
}

// isAskedSaying reports whether the last of some tokens is the verb of a question for what somebody says, and who is asked about is among them: Dr. Marsh told, for
// "What did Dr. Marsh tell her?"
func (r *reading) isAskedSaying(tokens []token) bool {
	last := tokens[len(tokens)-1].word.Lower
	if !lexicon.Report.Has(r.q.saying) || !lexicon.Attribution.Has(last) && segment.Stem(last) != segment.Stem(r.q.saying) {
		return false
	}
	return !slices.ContainsFunc(r.q.terms, func(t term) bool { return t.role == agent }) || slices.ContainsFunc(tokens, func(t token) bool {
		return lexicon.ThirdPerson.Has(t.word.Lower) || slices.ContainsFunc(append(t.means, t.term), func(i int) bool { return i >= 0 && r.q.terms[i].role == agent })
	})
}

// isAnswered reports whether a sentence is a question and the next one is none.
func (r *reading) isAnswered(i int) bool {
	text := func(i int) string { return r.text[r.sentences[i].Start:r.sentences[i].End] }
	return i+1 < len(r.sentences) && isQuestion(text(i)) && !isQuestion(text(i+1))
}

// leads reports whether sentence i rather than sentence k answers: it holds the verb, or more of the question.
func (r *reading) leads(i, k int) bool {
	a, b := r.sentence(i), r.sentence(k)
	if va, vb := r.verbIn(a) >= 0, r.verbIn(b) >= 0; va != vb {
		return va
	}
	return r.weight(a) > r.weight(b)
}

// weight returns the idf of the terms that tokens hold.
func (r *reading) weight(tokens []token) (sum int) {
	seen := map[int]bool{}
	for _, t := range tokens {
		if t.term >= 0 && !seen[t.term] {
			seen[t.term] = true
			sum += r.q.terms[t.term].idf
		}
	}
	return sum
}

// leastKin is how much a word is like the verb of the question at least that counts as a form of it, in thousandths.
const leastKin = 700

// verbIn returns the index of the token that is the verb of the question, or its kin; -1 for none, and where the question has no
// verb.
func (r *reading) verbIn(tokens []token) int {
	verb := r.q.verb
	if verb < 0 {
		return -1
	}
	if i := slices.IndexFunc(tokens, func(t token) bool { return t.term == verb }); i >= 0 {
		return i
	}
	return slices.IndexFunc(tokens, func(t token) bool {
		return slices.Contains(t.kin, verb) || slices.ContainsFunc(t.alike, func(l likeness) bool { return l.term == verb && l.much >= leastKin })
	})
}

// leastApart is the share of the question, in thousandths, below which words of the neighbour alone decide nothing.
const leastApart = 100

// shareApart returns the share of the terms that only the neighbour holds and no pronoun of the answering sentence refers to; by reports
// whether a pronoun refers to one. named says that the neighbour comes before, and at is the index of the verb.
func (r *reading) shareApart(main []token, other int, named bool, at int, found []bool) (missed int32, by bool) {
	if other < 0 {
		return 0, false
	}
	held := make([]bool, len(found))
	for _, t := range main {
		if t.term >= 0 {
			held[t.term] = true
		}
		for _, i := range slices.Concat(t.kin, t.means) {
			held[i] = true
		}
	}
	var missing []int
	for i, there := range found {
		if there && !held[i] && i != r.q.verb && !(r.dated && r.q.terms[i].date) {
			missing = append(missing, i)
		}
	}
	sum := 0
	for _, i := range missing {
		if named && (r.refersTo(main, at, missing, i) || r.modifies(i, held)) {
			by = true
			continue
		}
		sum += r.q.terms[i].idf
	}
	if missed = share(sum, r.all); missed < leastApart {
		missed = 0
	}
	return missed, by
}

// shareBeside returns the share of the terms in clauses of the answering sentence that have verbs of their own, where the clause of the verb at an
// index has a subject of its own and neither another term nor a pronoun for one: paid in "We paid six shillings for the duck, the turkey was a gift".
func (r *reading) shareBeside(main []token, at int) (sum int32) {
	if at < 0 {
		return 0
	}
	part, i := r.partOf(main, at)
	first, isTerm := part[0].word.Lower, func(t token) bool { return t.term >= 0 && t.term != r.q.verb }
	if i == 0 || segment.QuestionWord(first) || first == "that" || slices.ContainsFunc(part, func(t token) bool { return isTerm(t) || lexicon.ThirdPerson.Has(t.word.Lower) }) {
		return 0
	}
	for k, t := range main {
		if clause, n := r.partOf(main, k); isTerm(t) && (slices.ContainsFunc(clause[:n], isFinite) || slices.ContainsFunc(clause[n+1:], isFinite)) {
			sum += share(r.q.terms[t.term].idf, r.all)
		}
	}
	return min(sum, 1000)
}

// isFinite reports whether a token is a verb in the past, or an auxiliary.
func isFinite(t token) bool {
	return !t.word.Upper && (lexicon.Past.Has(t.word.Lower) || lexicon.Auxiliary.Has(t.word.Lower) || segment.FiniteVerb(t.word.Lower))
}

// modifies reports whether term i is the first part of a compound whose last part the answering sentence holds: it says the wheel, its
// neighbour the mill, and the question the mill wheel.
func (r *reading) modifies(i int, held []bool) bool {
	t := r.q.terms[i]
	return t.joined && !t.named && held[t.next]
}

// refersTo reports whether a pronoun of the answering sentence may refer to term i, which is missing there: the pronoun has the role of the
// term, and the same number.
func (r *reading) refersTo(main []token, at int, missing []int, i int) bool {
	t := r.q.terms[i]
	if r.q.verb >= 0 && at < 0 || strings.ContainsFunc(t.lower, func(c rune) bool { return c <= '9' && c >= '0' }) {
		return false
	}
	plural := slices.ContainsFunc(missing, func(k int) bool { return r.q.terms[k].role == t.role && isPlural(r.q.terms[k]) })
	for k, token := range main {
		w := token.word.Lower
		if !lexicon.ThirdPerson.Has(w) || isPossessive(w) && !t.owner || plural != isPluralPronoun(w) && !isGermanPronoun(w) {
			continue
		}
		if r.q.verb < 0 || r.roleIn(main, k, at) == t.role {
			return true
		}
	}
	return false
}

// roleIn returns the role of a pronoun at index k of a sentence whose verb is at another index.
func (r *reading) roleIn(main []token, k, at int) role {
	if k > 0 && lexicon.Preposition.Has(main[k-1].word.Lower) && k-1 != at+1 {
		return oblique
	}
	if (k < at) != isPassive(main, at) {
		return agent
	}
	return patient
}

func isPlural(t term) bool {
	return !t.named && len(t.lower) > 3 && strings.HasSuffix(t.lower, "s") && !strings.HasSuffix(t.lower, "ss")
}

func isPluralPronoun(w string) bool {
	return slices.Contains([]string{"they", "them", "their", "theirs", "themselves"}, w)
}

func isPossessive(w string) bool {
	return slices.Contains([]string{"his", "hers", "their", "theirs", "its", "sein", "seine", "seinen", "seinem", "seiner", "ihre", "ihren", "ihrem"}, w)
}

// isOwner reports whether a word may say whose somebody is: a possessive before a noun.
func isOwner(w string) bool { return isPossessive(w) || w == "her" || w == "ihr" }

// isGermanPronoun reports whether a pronoun is of the language in which number does not show in it.
func isGermanPronoun(w string) bool {
	return slices.Contains([]string{"er", "ihn", "ihm", "sie", "ihr", "ihrer", "es"}, w)
}
