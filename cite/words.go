package cite

import "regexp"

// The closed word lists of Compare, in lower case: English and German, and the
// plainest words of some others. A word too many makes a change look graver than
// it is, one too few lets a change of meaning pass for wording.

var negations = set(
	"not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "cannot", "without",
	"hardly", "scarcely", "barely", "except", "unless",
	"nicht", "nichts", "nie", "niemals", "niemand", "niemanden", "niemandem", "nirgends", "nirgendwo",
	"kein", "keine", "keinen", "keinem", "keiner", "keines", "keinerlei", "weder", "ohne", "kaum", "außer",
	"ne", "pas", "non", "ni", "jamais", "rien", "aucun", "aucune", "sans", "personne",
	"nunca", "jamás", "nada", "nadie", "ningún", "ninguno", "ninguna", "sin", "tampoco",
	"né", "senza", "nessuno", "nessuna", "niente", "nulla", "niet", "geen", "nooit", "niemand", "niets", "zonder", "noch",
	"não", "nem", "sem", "bez", "не", "нет", "ни", "никогда", "никто", "ничего", "без", "δεν", "μη", "μην", "όχι", "χωρίς",
	"不", "没", "沒", "無", "无", "非", "未", "لا", "لم", "لن", "ليس", "ليست", "غير", "नहीं", "न", "मत", "बिना",
)

var negatingPrefixes = []string{"un", "in", "im", "il", "ir", "dis", "non", "mis"}

// numberWords maps words to digits. Compounds are several words, and several numbers: "twenty-five"
// against "25" counts as changed.
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
	"deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "sept": "7", "huit": "8", "neuf": "9", "dix": "10", "douze": "12",
	"vingt": "20", "trente": "30", "cent": "100", "mille": "1000", "premier": "1st", "première": "1st",
	"dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "nueve": "9", "diez": "10", "doce": "12", "cien": "100", "mil": "1000",
	"一": "1", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9", "十": "10", "百": "100", "千": "1000", "万": "10000", "萬": "10000",
	"percent": "%", "prozent": "%", "permille": "‰",
	"dutzend": "12", "halb": "1/2", "hälfte": "1/2", "viertel": "1/4", "zweimal": "2x", "dreimal": "3x", "einmal": "1x", "beide": "2",
}

// romanNumeral matches capital Roman numerals of two digits or more. The single
// ones are words and initials too.
var romanNumeral = regexp.MustCompile(`^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$`)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
