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
	for _, t := range tokens {
		w := t.word.Lower
		if before := r.text[:t.word.Start]; hasDigit(w) && (strings.HasSuffix(before, "£") || strings.HasSuffix(before, "$") || strings.HasSuffix(before, "€")) {
			return true
		}
		if t.term < 0 && lexicon.Money.Has(strings.TrimLeft(w, "0123456789½¼¾")) && (number || len(w) > 4) {
			return true
		}
	}
	return false
}

// fillsPlace reports whether tokens hold a name, a noun of a place, or a noun after a preposition.
func (r *reading) fillsPlace(tokens []token) bool {
	if r.hasOther(tokens, func(t token) bool { return r.isName(t) || lexicon.PlaceNoun.Has(t.word.Lower) }) {
		return true
	}
	for i, t := range tokens {
		if !lexicon.Preposition.Has(t.word.Lower) {
			continue
		}
		for _, n := range tokens[i+1 : min(len(tokens), i+4)] {
			if n.term < 0 && !segment.Function(n.word.Lower) && !lexicon.Function.Has(n.word.Lower) {
				return true
			}
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
	subject := r.q.verb >= 0 && at >= 0 && !r.hasAgent()
	if subject {
		for k := at - 1; k >= 0; k-- {
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
			if filled {
				break
			}
		}
	}
	if owner := r.ownerIn(main, at, subject); owner != "" {
		return r.namesOne(other, owner), true
	}
	return filled || r.hasOther(main, r.isPerson), false
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

// hasAgent reports whether the question says who does it.
func (r *reading) hasAgent() bool {
	for i, t := range r.q.terms {
		if i != r.q.verb && t.role == agent {
			return true
		}
	}
	return false
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
	his, her := slices.Contains([]string{"he", "er", "his"}, pronoun), pronoun == "she" || pronoun == "her"
	return slices.ContainsFunc(tokens, func(t token) bool {
		return his && lexicon.Female.Has(t.word.Lower) || her && lexicon.Male.Has(t.word.Lower)
	})
}

// namesPerson reports whether a token that is no term of the question may name a person; a verb that opens a sentence does not.
func (r *reading) namesPerson(t token) bool {
	w := t.word.Lower
	return t.term < 0 && r.isPerson(t) && !(t.head && (lexicon.Past.Has(w) || segment.FiniteVerb(w)))
}
