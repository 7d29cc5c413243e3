package rank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// fills reports whether the answering sentence holds what the question asks for, or a pronoun for a person whom its neighbour names. at is the
// index of its verb, other the neighbour, -1 for none.
func (r *reading) fills(main []token, other, at int) (filled, byOther bool) {
	if !r.q.slotted {
		return true, false
	}
	switch r.q.asks {
	case person:
		return r.fillsPerson(main, other, at)
	case place:
		return r.fillsPlace(main), false
	case time:
		return r.hasOther(main, r.isTime), false
	case count:
		return r.hasOther(main, r.isNumber), false
	case price:
		return r.fillsPrice(main), false
	}
	return true, false
}

// hasOther reports whether a token that is no term of the question fulfils a test.
func (r *reading) hasOther(tokens []token, test func(token) bool) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.term < 0 && test(t) })
}

func (r *reading) isTime(t token) bool {
	w := t.word.Lower
	return hasDigit(w) || r.table.months[w] || lexicon.Month.Has(w) || lexicon.Ordinal.Has(w) || lexicon.Weekday.Has(w) || lexicon.TimeNoun.Has(w) || lexicon.TimeUnit.Has(w)
}

func (r *reading) isNumber(t token) bool {
	w := t.word.Lower
	return hasDigit(w) || r.table.numerals[w] || w == "one" || w == "once" || w == "twice" || w == "both" || w == "ein" || w == "eine"
}

// fillsPrice reports whether tokens hold an amount of money.
func (r *reading) fillsPrice(tokens []token) bool {
	number := r.hasOther(tokens, r.isNumber)
	return slices.ContainsFunc(tokens, func(t token) bool {
		w, before := t.word.Lower, r.text[:t.word.Start]
		return hasDigit(w) && (strings.HasSuffix(before, "£") || strings.HasSuffix(before, "$") || strings.HasSuffix(before, "€")) ||
			t.term < 0 && lexicon.Money.Has(strings.TrimLeft(w, "0123456789½¼¾")) && (number || len(w) > 4)
	})
}

// fillsPlace reports whether tokens hold a name, a noun of a place, or a noun after a preposition.
func (r *reading) fillsPlace(tokens []token) bool {
	if r.hasOther(tokens, func(t token) bool { return r.isName(t) || lexicon.PlaceNoun.Has(t.word.Lower) }) {
		return true
	}
	for i, t := range tokens {
		if lexicon.Preposition.Has(t.word.Lower) && r.hasOther(tokens[i+1:min(len(tokens), i+4)], func(n token) bool { return !segment.Function(n.word.Lower) && !lexicon.Function.Has(n.word.Lower) }) {
			return true
		}
	}
	return false
}

// isName reports whether a token is a name: a capital within a sentence, or at its head where no function word has it.
func (r *reading) isName(t token) bool {
	w := t.word
	if !w.Upper || utf8.RuneCountInString(w.Lower) < 2 || r.table.months[w.Lower] || lexicon.Month.Has(w.Lower) || lexicon.Weekday.Has(w.Lower) {
		return false
	}
	return !t.head || !segment.Function(w.Lower) && !lexicon.Function.Has(w.Lower) && !lexicon.Determiner.Has(w.Lower) && !lexicon.Preposition.Has(w.Lower) &&
		!lexicon.TimeNoun.Has(w.Lower) && !lexicon.Opener.Has(w.Lower) && !strings.HasSuffix(w.Lower, "ly")
}

func (r *reading) isPerson(t token) bool { return r.isName(t) || r.table.relatives[t.word.Lower] }

// fillsPerson reports whether the answering sentence names somebody. Where a pronoun of the third person does what the question asks
// for, or somebody whom it names only as his or hers, its neighbour has to name one person, and no more.
func (r *reading) fillsPerson(main []token, other, at int) (filled, byOther bool) {
	found := r.q.verb >= 0 && at >= 0
	acts := found && !r.has(agent) && (!r.q.passive || r.has(patient)) // the question asks who does it
	passive := found && isPassive(main, at)
	switch {
	case acts && passive: // whoever does it comes after by, or nowhere
		if by := r.agentIn(main, at); by < 0 {
			return false, false
		} else if w := main[by].word.Lower; lexicon.ThirdPerson.Has(w) && !isOwner(w) {
			return r.namesOne(other, w), true
		}
		filled = true
	case acts, found && passive && r.q.passive:
		for k := at - 1; k >= 0 && !filled; k-- {
			t := main[k]
			w := t.word.Lower
			switch {
			case t.term >= 0:
			case lexicon.FirstPerson.Has(w) && lexicon.Pronoun.Has(w):
				return true, false // the writer of the paper
			case w == "he" || w == "she" || w == "they" || w == "er" || w == "sie" || w == "it":
				return w != "it" && r.namesOne(other, w), true
			case !segment.Function(w) && !lexicon.Function.Has(w) && !strings.HasSuffix(w, "ly"):
				filled = true
			}
		}
	}
	if owner := r.ownerIn(main, at, acts); owner != "" {
		return r.namesOne(other, owner), true
	}
	return filled || r.hasOther(main, r.isPerson), false
}

// beForms are the forms of be, and got, which makes a passive too.
var beForms = []string{"was", "were", "been", "is", "are", "be", "being", "got"}

// isPassive reports whether the verb at an index of a sentence is in the passive: after a form of be and adverbs, or anywhere in a sentence with wurde.
func isPassive(main []token, at int) bool {
	k := at - 1
	for k > 0 && (strings.HasSuffix(main[k].word.Lower, "ly") || lexicon.Negation.Has(main[k].word.Lower) || lexicon.TimeNoun.Has(main[k].word.Lower)) {
		k--
	}
	return k >= 0 && !strings.HasSuffix(main[at].word.Lower, "ing") && slices.Contains(beForms, main[k].word.Lower) ||
		slices.ContainsFunc(main, func(t token) bool { return slices.Contains([]string{"wurde", "wurden", "worden"}, t.word.Lower) })
}

// agentIn returns the index of the word that says by whom something is done whose verb is at an index: the first after the article that is neither
// a time nor a place nor of the question; -1 for none.
func (r *reading) agentIn(main []token, at int) int {
	for k, t := range main {
		if w := t.word.Lower; w != "by" && w != "von" && w != "durch" || w == "by" && k < at {
			continue
		}
		n := k + 1
		for n+1 < len(main) && (lexicon.Determiner.Has(main[n].word.Lower) || isOwner(main[n].word.Lower)) {
			n++
		}
		if n < len(main) && main[n].term < 0 && !r.isTime(main[n]) && !lexicon.PlaceNoun.Has(main[n].word.Lower) && !lexicon.Preposition.Has(main[n].word.Lower) {
			return n
		}
	}
	return -1
}

// ownerIn returns the possessive by which alone an answering sentence says who it is: her in "Her sister mended the sails"; "" where a name
// comes before it or after it. subject says that whoever acts is asked for, so that an object is nobody's answer.
func (r *reading) ownerIn(main []token, at int, subject bool) string {
	if r.hasOther(main, r.isName) {
		return ""
	}
	for k, t := range main {
		w := t.word.Lower
		if !lexicon.ThirdPerson.Has(w) || !isOwner(w) {
			continue
		}
		acts := k < at || k > 0 && main[k-1].word.Lower == "by"
		for _, noun := range main[k+1 : min(len(main), k+4)] { // with two adjectives at most
			if noun.term >= 0 {
				break
			}
			if acts || !subject && r.isPerson(noun) {
				return w
			}
		}
	}
	return ""
}

// has reports whether a word of the question besides its verb has a role.
func (r *reading) has(of role) bool {
	i := slices.IndexFunc(r.q.terms, func(t term) bool { return t.role == of })
	return i >= 0 && (i != r.q.verb || slices.ContainsFunc(r.q.terms[i+1:], func(t term) bool { return t.role == of }))
}

// namesOne reports whether a sentence names one person whom a pronoun can mean, and who is in the question only where a possessive means somebody. A name after an article, or after
// a preposition of a place, is no person where there is another.
func (r *reading) namesOne(sentence int, pronoun string) bool {
	if sentence < 0 {
		return false
	}
	persons, others := 0, 0
	tokens := r.sentence(sentence)
	for k := 0; k < len(tokens); k++ {
		if !r.namesPerson(tokens[k]) && (!isOwner(pronoun) || tokens[k].term < 0 || !r.isPerson(tokens[k])) {
			continue
		}
		before := ""
		if k > 0 {
			before = tokens[k-1].word.Lower
		}
		first := k
		for k+1 < len(tokens) && (r.namesPerson(tokens[k+1]) || tokens[k+1].word.Upper) {
			k++
		}
		switch {
		case isOther(pronoun, tokens[first:k+1]):
		case lexicon.Determiner.Has(before) && r.isName(tokens[first]), lexicon.PlacePrep.Has(before), before == "from", before == "of", before == "von", before == "aus":
			others++
		default:
			persons++
		}
	}
	return persons == 1 || persons == 0 && others == 1 || persons > 1 && (pronoun == "they" || pronoun == "sie" || pronoun == "their")
}

// isOther reports whether a pronoun cannot mean the person whom tokens name, by a title.
func isOther(pronoun string, tokens []token) bool {
	his, her := slices.Contains([]string{"he", "er", "his", "him"}, pronoun), pronoun == "she" || pronoun == "her"
	return slices.ContainsFunc(tokens, func(t token) bool {
		return his && lexicon.Female.Has(t.word.Lower) || her && lexicon.Male.Has(t.word.Lower)
	})
}

// namesPerson reports whether a token that is no term of the question may name a person; a verb that opens a sentence does not.
func (r *reading) namesPerson(t token) bool {
	w := t.word.Lower
	return t.term < 0 && r.isPerson(t) && !(t.head && (lexicon.Past.Has(w) || segment.FiniteVerb(w)))
}
