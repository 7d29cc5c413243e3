package assign

import "strings"

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
	return ungroup(w)
}
