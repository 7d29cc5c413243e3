package segment

import (
	"strings"
	"unicode"
)

// maxDetect is how many bytes of a text are looked at to tell its language; more does not change it.
const maxDetect = 64 << 10

// latinLanguages are the languages of the Latin script, in the order that breaks ties.
var latinLanguages = []string{"en", "de", "fr", "es", "pt", "it", "nl", "pl"}

// Detect returns the primary BCP 47 subtag of the language of a text, one that has a table of its
// own, or "" when neither the script nor the frequent words tell it. It is a help for short drafts,
// not a judgement: give the language where it is known.
func Detect(text string) string {
	text = text[:min(len(text), maxDetect)]
	scripts := map[string]int{}
	latin := 0
	for _, r := range text {
		switch {
		case r < 0x80 || unicode.Is(unicode.Latin, r):
			if unicode.IsLetter(r) {
				latin++
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			scripts["ja"] += 4 // Japanese is mostly Han with some kana
		case unicode.Is(unicode.Han, r):
			scripts["zh"] += 2
		case unicode.Is(unicode.Cyrillic, r):
			scripts["ru"]++
		case unicode.Is(unicode.Greek, r):
			scripts["el"]++
		case unicode.Is(unicode.Arabic, r):
			scripts["ar"]++
		case unicode.Is(unicode.Devanagari, r):
			scripts["hi"]++
		}
	}
	if scripts["ja"] > 0 && 4*scripts["ja"] > scripts["zh"] {
		scripts["ja"] += scripts["zh"]
	}
	best, most := "", latin
	for _, tag := range []string{"ja", "zh", "ru", "el", "ar", "hi"} {
		if scripts[tag] > most {
			best, most = tag, scripts[tag]
		}
	}
	if best != "" {
		return best
	}
	return detectLatin(text)
}

func detectLatin(text string) string {
	score := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, tag := range latinLanguages {
			if languages[tag].frequent[w] {
				score[tag]++
			}
		}
	}
	best := ""
	for _, tag := range latinLanguages {
		if score[tag] > score[best] {
			best = tag
		}
	}
	return best
}
