package segment

import "strings"

// auxiliaries are finite verbs that may open a question.
var auxiliaries = wordLists.Set("auxiliaries")

var questionWords = wordLists.Set("question words")

var subjectPronouns = wordLists.Set("subject pronouns")

var determiners = wordLists.Set("determiners")

// entangling words tie a clause to another one: what they introduce must not be cut off.
var entangling = wordLists.Set("entangling")

// finiteVerb reports whether a word can only or mostly be a verb with a tense.
func finiteVerb(w string) bool {
	if auxiliaries[w] {
		return true
	}
	if _, ok := irregular[w]; ok {
		return Stem(w) != w && !nounForms[w]
	}
	return len(w) > 4 && strings.HasSuffix(w, "ed") && !uninflected[w] && !strings.HasSuffix(w, "eed")
}

// nounForms are the irregular forms that are plurals, participles or gerunds.
var nounForms = wordLists.Set("noun forms")

// epistemic markers of one word and of several.
var (
	hedgeWords   = wordLists.Set("hedge words")
	hedgePhrases = wordLists["hedge phrases"]
)

// Hedges returns the epistemic markers of a text in order: seems, probably, may have …
func Hedges(text string) []Range {
	ws := Words(text)
	var out []Range
	for i, w := range ws {
		if len(out) > 0 && w.Start < out[len(out)-1].End {
			continue // part of the phrase before
		}
		if hedgeWords[w.Lower] {
			out = append(out, Range{w.Start, w.End})
			continue
		}
		for _, p := range hedgePhrases {
			if n := phraseAt(ws[i:], p); n > 0 {
				out = append(out, Range{w.Start, ws[i+n-1].End})
				break
			}
		}
	}
	return out
}

// phraseAt returns how many words the phrase at the beginning of ws has, 0 when it is not there.
func phraseAt(ws []Word, phrase string) int {
	n := 0
	for p := range strings.FieldsSeq(phrase) {
		if n >= len(ws) || ws[n].Lower != p {
			return 0
		}
		n++
	}
	return n
}

// FiniteVerb reports whether a word can only, or nearly only, be a verb with a tense: auxiliaries,
// irregular past forms, words in -ed. w is in lower case.
func FiniteVerb(w string) bool { return finiteVerb(w) }

// Pronoun reports whether w is a personal pronoun that can be a subject. w is in lower case.
func Pronoun(w string) bool { return subjectPronouns[w] && w != "there" && w != "man" }

// Determiner reports whether w is an article, a possessive or a demonstrative. w is in lower case.
func Determiner(w string) bool { return determiners[w] }

// QuestionWord reports whether w is a word that opens a question: who, when, why. w is in lower case.
func QuestionWord(w string) bool { return questionWords[w] }

// Auxiliary reports whether w is a finite verb that may open a question. w is in lower case.
func Auxiliary(w string) bool { return auxiliaries[w] }
