package segment

import "strings"

// auxiliaries are finite verbs that may open a question.
var auxiliaries = wordSet(`am is are was were do does did have has had can could may might must shall should will
	would hath doth isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't can't couldn't
	wouldn't shouldn't ist sind bin bist war waren hat haben hatte hatten wird wurde wurden kann konnte
	muss musste soll sollte will wollte darf durfte`)

var questionWords = wordSet(`who whom whose which what when where why how wer wen wem wessen wann wo wie warum wieso
	weshalb welche welcher welches welchen welchem wohin woher wovon womit`)

var subjectPronouns = wordSet(`i he she it we they you there ich du er sie es wir ihr man`)

var determiners = wordSet(`the a an his her its their our my your this that these those some no every each all both
	der die das ein eine sein seine ihre mein meine unser unsere dieser diese dieses`)

// entangling words tie a clause to another one: what they introduce must not be cut off.
var entangling = wordSet(`that if whether when while whilst because although though unless until till since as who
	which whom whose where whereas lest than so such either neither both not only between
	said says say told tells thought thinks believed believes wrote writes heard hears knew hoped feared claimed
	dass daß ob wenn weil obwohl während bis der sagte schrieb glaubte`)

// finiteVerb tells words that can only or mostly be a verb with a tense.
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
var nounForms = wordSet(`been men women children feet teeth mice geese wives knives lives wolves shelves loaves halves
	calves thieves oxen brethren pence gentlemen dying lying agreeing seen gone done written writ given taken
	driven ridden hidden chosen frozen broken spoken stolen worn torn sworn fallen shaken beaten drawn flown blown
	grown known thrown sung sunk begun swum bitten forgiven forbidden risen arisen eaten mistaken forgotten gotten
	woken sown shown mown sewn`)

// epistemic markers of one word and of several.
var (
	hedgeWords = wordSet(`probably perhaps maybe possibly presumably apparently seemingly evidently likely unlikely
		suggests suggest suggested seems seem seemed appears appear appeared might implies imply implied
		indicates indicate indicated supposedly conceivably plausibly allegedly reportedly
		vermutlich wahrscheinlich vielleicht möglicherweise anscheinend offenbar scheint wohl`)
	hedgePhrases = []string{"may have", "may be", "may well", "could have", "could be", "must have", "would have", "can be read as",
		"points to", "point to", "as if", "it may", "he may", "she may", "they may",
		"according to limited available reports", "some sources", "early indications"}
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

// FiniteVerb tells words that can only, or nearly only, be a verb with a tense: auxiliaries,
// irregular past forms, words in -ed. w is in lower case.
func FiniteVerb(w string) bool { return finiteVerb(w) }

// Pronoun tells the personal pronouns that can be a subject. w is in lower case.
func Pronoun(w string) bool { return subjectPronouns[w] && w != "there" && w != "man" }

// Determiner tells articles, possessives and demonstratives. w is in lower case.
func Determiner(w string) bool { return determiners[w] }
