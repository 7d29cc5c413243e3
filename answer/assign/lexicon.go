package assign

import (
	"strings"

	"muniment/answer/segment"
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

func stemmed(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[segment.Stem(w)] = true
	}
	return m
}

// negations turn a statement round. hardly and scarcely all but do.
var negations = set(`not no never none nobody nothing neither nor nowhere without cannot hardly scarcely barely except
	nicht nie niemals kein keine keinen keinem keiner niemand nichts ohne weder`)

// quantities are function words that must stand in the evidence when the claim has them.
var quantities = set(`all every each both only most always more less fewer least before after until since against
	alle jeder jede nur immer mehr weniger bevor nachdem`)

// modals are words, by stem, that keep a clause from being a plain statement of the writer's.
var modals = stemmed(`if unless whether would could should might may must shall perhaps maybe probably possibly
	presumably apparently supposedly allegedly reportedly seem seems appear appears almost nearly doubt deny wish hope
	want intend pretend refuse fail forget threaten promise expect fear suppose imagine dream rumour rumor believe think
	say tell hear report claim ask suggest imply order command advise decide plan try attempt offer propose false untrue
	wenn falls ob würde könnte sollte vielleicht wahrscheinlich fast beinahe`)

// attributions are words, by stem, that only say whose words a quotation is.
var attributions = stemmed(`write say note record remark report tell put describe state add recall remember mention call
	diary letter entry journal word words day own schreiben notieren`)

// attributive are the function words that may stand beside them; would, about, that … change what is attributed.
var attributive = set(`he she i we they it er sie ich wir the a an his her my their this in on at to of from and das der die in am im an
	has have had hat habe has did do does as follows`)

// prepositions that assign roles.
var prepositions = set(`to from with without by for against before after over under into onto of in on at near about
	through during behind beside between upon towards toward`)

var numberWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
	"eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60",
	"seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000",
	"dozen": "12", "half": "1/2", "twice": "x2", "thrice": "x3", "once": "x1", "single": "1", "couple": "2", "pair": "2",
	"zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9", "zehn": "10",
	"elf": "11", "zwölf": "12", "zwanzig": "20", "dreißig": "30", "hundert": "100", "tausend": "1000",
}

// number returns the value of a number, 2nd and 8,252 and seven included, "" for other words. "one"
// is mostly a pronoun and is decided by what follows it.
func number(w string) string {
	if n, ok := numberWords[w]; ok {
		return n
	}
	if w[0]-'0' > 9 {
		return ""
	}
	for _, end := range [...]string{"st", "nd", "rd", "th"} {
		if base, ok := strings.CutSuffix(w, end); ok {
			w = base
			break
		}
	}
	return ungrouped(w)
}

// person returns the class of a pronoun: "1" for I and we, "he", "she", "they", "it"; "" for others.
func person(w string) string {
	switch w {
	default:
		return ""
	case "i", "we", "ich", "wir":
		return "1"
	case "he", "er", "thou", "you", "du":
		return w
	case "she", "they", "it":
		return w
	}
}
