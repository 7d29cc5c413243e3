package clause

import (
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Verb is the verb by which a question asks for an event: cut in "Who cut down the apple trees?".
type Verb struct {
	Word    string // in lower case, as the question has it
	Start   int    // bytes of the question
	Passive bool   // the question asks in the passive: "By whom were the trees cut down?"
}

// QuestionVerb returns the verb of a question in English or German. ok is false where it has none that names an event:
// "Who was the mayor?", "What happened to the mill?", and where the verb cannot be told from a noun.
func QuestionVerb(question string) (v Verb, ok bool) {
	words := segment.Words(question)
	at := slices.IndexFunc(words, func(w segment.Word) bool { return lexicon.QuestionWord.Has(w.Lower) })
	if at < 0 || len(words) > maxQuestionWords {
		return v, false
	}
	i, passive := verbAt(words, at+1)
	if i < 0 || lexicon.LightVerb.Has(words[i].Lower) {
		return v, false
	}
	return Verb{words[i].Lower, words[i].Start, passive}, true
}

// maxQuestionWords is how many words a question has at most whose verb is looked for: a longer text is a story.
const maxQuestionWords = 60

// verbAt returns the index of the verb among the words after a question word, -1 for none.
func verbAt(words []segment.Word, from int) (at int, passive bool) {
	i := from
	for i < len(words) && !isAuxiliary(words[i].Lower) && !isFinite(words[i]) && !(i == from && opensVerb(words, i)) {
		i++
	}
	if i == len(words) {
		return -1, false
	}
	if !isAuxiliary(words[i].Lower) {
		return i, false
	}
	auxiliary := words[i].Lower
	be := slices.Contains(passives, auxiliary)
	switch {
	case slices.Contains(supports, auxiliary), lexicon.Modal.Has(auxiliary) && !isGerman(auxiliary):
		return baseAfter(words, i+1), false
	case isGerman(auxiliary):
		return lastLower(words, i+1), be
	}
	for k := i + 1; k < len(words); k++ {
		if isParticiple(words[k].Lower) && !words[k].Upper && !lexicon.Determiner.Has(words[k-1].Lower) && !isAuxiliary(words[k].Lower) {
			return k, be
		}
	}
	return -1, false
}

var (
	supports = []string{"do", "does", "did"}
	passives = []string{"is", "are", "was", "were", "been", "be", "wird", "werden", "wurde", "wurden", "worden"}
)

func isAuxiliary(w string) bool { return lexicon.Auxiliary.Has(w) || lexicon.Modal.Has(w) }

// isGerman reports whether a word is a German auxiliary, after which the verb ends the question.
func isGerman(w string) bool {
	return isAuxiliary(w) && !segment.Auxiliary(w) || slices.Contains([]string{"hat", "haben", "hatte", "hatten", "wurde", "wurden", "wird", "werden", "ist", "sind", "war", "waren"}, w) && w != "was"
}

func isFinite(w segment.Word) bool {
	return !w.Upper && (lexicon.Past.Has(w.Lower) || segment.FiniteVerb(w.Lower) || germanPast(w.Lower))
}

func isParticiple(w string) bool {
	return lexicon.Past.Has(w) || segment.FiniteVerb(w) || strings.HasSuffix(w, "wn") || strings.HasSuffix(w, "en") && segment.Stem(w) != w ||
		strings.HasPrefix(w, "ge") && len(w) > 5 && (strings.HasSuffix(w, "t") || strings.HasSuffix(w, "en"))
}

// opensVerb reports whether the word directly after who or what is its verb in the present or without a known form.
func opensVerb(words []segment.Word, i int) bool {
	asks, w := words[i-1].Lower, words[i]
	return slices.Contains([]string{"who", "wer", "wann", "wo", "wen", "wem", "warum"}, asks) && !w.Upper && !lexicon.Function.Has(w.Lower) && !segment.Function(w.Lower) &&
		!strings.HasSuffix(w.Lower, "ly")
}

// baseAfter returns the index of the verb without an ending that follows a subject: sell in "did the owner of the mill sell the land".
func baseAfter(words []segment.Word, i int) int {
	subject := i // the subject has at least one word
	for k := i; k < len(words); k++ {
		w := words[k]
		function := lexicon.Function.Has(w.Lower) || segment.Function(w.Lower) || lexicon.Determiner.Has(w.Lower) || lexicon.Preposition.Has(w.Lower)
		switch {
		case lexicon.Pronoun.Has(w.Lower) && k == i:
			subject = k + 1
			continue
		case function || w.Upper || strings.HasSuffix(w.Lower, "ly") || k == i:
			continue
		case k == subject && k > i, words[k-1].Upper && !words[k-1].Possessive:
			return k // after a pronoun or a name
		case lexicon.Determiner.Has(words[k-1].Lower):
			continue
		}
		if k+1 == len(words) || words[k+1].Lower != "of" && endsVerb(words[k+1]) {
			return k
		}
	}
	return -1
}

// endsVerb reports whether a word marks the word before it as a verb: an article, a name, to, there.
func endsVerb(next segment.Word) bool {
	return next.Upper || lexicon.Determiner.Has(next.Lower) || lexicon.Pronoun.Has(next.Lower) || lexicon.ThirdPerson.Has(next.Lower) ||
		lexicon.Preposition.Has(next.Lower) || segment.Function(next.Lower) || strings.HasSuffix(next.Lower, "ly") || next.Lower[0] <= '9'
}

// lastLower returns the index of the last word in small letters that has a topic: the verb of a German question.
func lastLower(words []segment.Word, from int) int {
	for k := len(words) - 1; k >= from; k-- {
		w := words[k]
		if !w.Upper && !isAuxiliary(w.Lower) && !segment.Function(w.Lower) && !lexicon.Function.Has(w.Lower) && !lexicon.Preposition.Has(w.Lower) {
			return k
		}
	}
	return -1
}
