package segment

import (
	"strings"
	"unicode"
)

// maxDetect is how many bytes of a text are looked at to tell its language; more does not change it.
const maxDetect = 64 << 10

// common are the frequent words that tell languages of the Latin script apart.
var common = map[string]map[string]bool{
	"en": wordSet(`the and of to in is that was it for with as his her be at by not are this but from or have an they which you were she he`),
	"de": wordSet(`der die und das ist nicht ein eine ich sie er es zu den dem mit auf für sich von im wir auch wie des war aber hat nach bei`),
	"fr": wordSet(`le la les et des est une un du dans que qui pour pas il elle ne sur au avec ce se par plus nous vous je sont cette mais`),
	"es": wordSet(`el la los las y de que en un una es por con no para su se del al lo como más pero sus le ya o este sí porque muy`),
	"pt": wordSet(`o a os as e de que em um uma é por com não para seu se do da no na ao como mais mas foi ele ela são muito`),
	"it": wordSet(`il lo la i gli le e di che in un una è per con non si del della al da come più ma sono ha nel anche questo suo`),
	"nl": wordSet(`de het een en van in is dat niet op te zijn voor met die er aan ik hij zij was maar ook als bij door naar om uit heeft`),
	"pl": wordSet(`i w na z do nie się że jest to o jak po za od ale co przez jego był dla czy tak już tylko ma są przy oraz`),
}

// order breaks ties.
var order = []string{"en", "de", "fr", "es", "pt", "it", "nl", "pl"}

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
		for tag, set := range common {
			if set[w] {
				score[tag]++
			}
		}
	}
	best := ""
	for _, tag := range order {
		if score[tag] > score[best] {
			best = tag
		}
	}
	return best
}
