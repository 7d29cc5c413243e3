package cite

// The closed word lists of Compare, English and German, in lower case. A word
// too many makes a change look graver than it is, one too few lets a change of
// meaning pass for wording.

var negations = set(
	"not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "cannot", "without",
	"hardly", "scarcely", "barely", "except", "unless",
	"nicht", "nichts", "nie", "niemals", "niemand", "niemanden", "niemandem", "nirgends", "nirgendwo",
	"kein", "keine", "keinen", "keinem", "keiner", "keines", "keinerlei", "weder", "ohne", "kaum", "außer",
)

var negatingPrefixes = []string{"un", "in", "im", "il", "ir", "dis", "non", "mis"}

// numberWords gives the digits a word stands for. Compounds are several words,
// and several numbers: "twenty-five" against "25" counts as changed.
var numberWords = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
	"fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
	"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
	"hundred": "100", "hundreds": "100s", "thousand": "1000", "thousands": "1000s", "million": "1000000",
	"millions": "1000000s", "billion": "1000000000", "billions": "1000000000s", "trillion": "1000000000000",
	"dozen": "12", "dozens": "12s", "score": "score", "half": "1/2", "quarter": "1/4", "twice": "2x", "thrice": "3x", "once": "1x",
	"double": "2x", "triple": "3x", "both": "2",
	"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
	"seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th", "twelfth": "12th",
	"null": "0", "eins": "1", "zwei": "2", "zwo": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7",
	"acht": "8", "neun": "9", "zehn": "10", "elf": "11", "zwölf": "12", "dreizehn": "13", "vierzehn": "14",
	"fünfzehn": "15", "sechzehn": "16", "siebzehn": "17", "achtzehn": "18", "neunzehn": "19", "zwanzig": "20",
	"dreißig": "30", "vierzig": "40", "fünfzig": "50", "sechzig": "60", "siebzig": "70", "achtzig": "80", "neunzig": "90",
	"hundert": "100", "tausend": "1000", "millionen": "1000000s", "milliarde": "1000000000", "milliarden": "1000000000s",
	"dutzend": "12", "halb": "1/2", "hälfte": "1/2", "viertel": "1/4", "zweimal": "2x", "dreimal": "3x", "einmal": "1x", "beide": "2",
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
