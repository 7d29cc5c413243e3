package assign

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"muniment/answer/segment"
)

//go:embed words.txt
var wordsText string

// wordLists are the lists of words.txt by name.
var wordLists = func() map[string]map[string]bool {
	lists, err := parseWordLists(wordsText)
	if err != nil {
		panic("words.txt:" + err.Error())
	}
	return lists
}()

// parseWordLists reads word lists in the format that words.txt describes; an error begins with the number of
// the wrong line.
func parseWordLists(text string) (map[string]map[string]bool, error) {
	lists := map[string]map[string]bool{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, words, ok := strings.Cut(line, ":")
		name, byStem := strings.CutSuffix(name, " by stem")
		if !ok || name == "" || strings.ContainsAny(name, " \t") || strings.TrimSpace(words) == "" {
			return nil, fmt.Errorf("%d: %q, want a name, a colon and words", n, line)
		}
		if lists[name] == nil {
			lists[name] = map[string]bool{}
		}
		for w := range strings.FieldsSeq(words) {
			if byStem {
				w = segment.Stem(w)
			}
			lists[name][w] = true
		}
	}
	return lists, nil
}

//go:embed wordnet.txt
var wordnetText string

// wordnetLists are the lists of wordnet.txt, which are read when the first claim needs them.
var wordnetLists = sync.OnceValue(func() map[string]map[string]bool {
	lists, err := parseWordLists(wordnetText)
	if err != nil {
		panic("wordnet.txt:" + err.Error())
	}
	return lists
})

// isPerson reports whether a noun, in the singular or the plural, is one of a person or of persons that act as one.
func isPerson(noun string) bool {
	l := wordnetLists()["persons"]
	return bodies[noun] || l[noun] || l[singular(noun)]
}

// isDeed reports whether a noun, in the singular or the plural, is one of what takes place at a time.
func isDeed(noun string) bool {
	l := wordnetLists()["deeds"]
	return deeds[noun] || l[noun] || l[singular(noun)]
}

// verbList returns the lemmas of the verbs of a list of words.txt, as the normal form of a text has them.
func verbList(name string) map[string]bool {
	out := map[string]bool{}
	for verb := range wordList(name) {
		ws := replaceSynonyms([]form{{text: "to"}, {text: verb}})
		out[lemma(verb)], out[lemma(ws[1].text)] = true, true
	}
	return out
}

var (
	// placed are the verbs whose deed is done where and when their object is.
	placed = sync.OnceValue(func() map[string]bool { return verbList("placed") })
	// transfers are the verbs of bringing something to somebody or to a place.
	transfers = sync.OnceValue(func() map[string]bool { return verbList("transfers") })
)

// wordList returns the list of words.txt with a name.
func wordList(name string) map[string]bool {
	l := wordLists[name]
	if l == nil {
		panic("words.txt: no list " + name)
	}
	return l
}

// The word lists of this package; words.txt says what each is for.
var (
	adverbs             = wordList("adverbs")
	ambiguousPasts      = wordList("ambiguousPasts")
	approximations      = wordList("approximations")
	attributions        = wordList("attributions")
	attributive         = wordList("attributive")
	beForms             = wordList("beForms")
	beliefs             = wordList("beliefs")
	withdrawals         = wordList("withdrawals")
	boundTo             = wordList("boundTo")
	othersPapers        = wordList("othersPapers")
	bodies              = wordList("bodies")
	cardinals           = wordList("cardinals")
	clauseJoiners       = wordList("clauseJoiners")
	conditions          = wordList("conditions")
	dateOpeners         = wordList("dateOpeners")
	dayMarks            = wordList("dayMarks")
	dayParts            = wordList("dayParts")
	deeds               = wordList("deeds")
	directions          = wordList("directions")
	directive           = wordList("directive")
	doForms             = wordList("doForms")
	doubling            = wordList("doubling")
	doubts              = wordList("doubts")
	fictionPrepositions = wordList("fictionPrepositions")
	fictions            = wordList("fictions")
	forces              = wordList("forces")
	freePhrases         = wordList("freePhrases")
	functionNouns       = wordList("functionNouns")
	germanVerbs         = wordList("germanVerbs")
	givers              = wordList("givers")
	haveForms           = wordList("haveForms")
	heardBy             = wordList("heardBy")
	hearsayAdverbs      = wordList("hearsayAdverbs")
	hearsays            = wordList("hearsays")
	herWords            = wordList("herWords")
	hisWords            = wordList("hisWords")
	infinitiveVerbs     = wordList("infinitiveVerbs")
	intransitive        = wordList("intransitive")
	inversions          = wordList("inversions")
	irregularPlural     = wordList("irregularPlural")
	kin                 = wordList("kin")
	lasting             = wordList("lasting")
	leading             = wordList("leading")
	limitingAdverbs     = wordList("limitingAdverbs")
	locating            = wordList("locating")
	manner              = wordList("manner")
	measures            = wordList("measures")
	mobile              = wordList("mobile")
	modalVerbs          = wordList("modalVerbs")
	modals              = wordList("modals")
	narrated            = wordList("narrated")
	negations           = wordList("negations")
	notAdverbs          = wordList("notAdverbs")
	objectVerbs         = wordList("objectVerbs")
	opaque              = wordList("opaque")
	optionalPhrases     = wordList("optionalPhrases")
	orderAdverbs        = wordList("orderAdverbs")
	ordinal             = wordList("ordinal")
	participles         = wordList("participles")
	particles           = wordList("particles")
	pastOnly            = wordList("pastOnly")
	pastToo             = wordList("pastToo")
	periods             = wordList("periods")
	phrasePrepositions  = wordList("phrasePrepositions")
	placeNames          = wordList("placeNames")
	placeOpeners        = wordList("placeOpeners")
	plainAdjectives     = wordList("plainAdjectives")
	prepositions        = wordList("prepositions")
	presents            = wordList("presents")
	privatives          = wordList("privatives")
	quantifiers         = wordList("quantifiers")
	quantities          = wordList("quantities")
	ranks               = wordList("ranks")
	relativeDays        = wordList("relativeDays")
	relatives           = wordList("relatives")
	remarks             = wordList("remarks")
	reported            = wordList("reported")
	scoping             = wordList("scoping")
	scopingTail         = wordList("scopingTail")
	seasons             = wordList("seasons")
	spots               = wordList("spots")
	temporal            = wordList("temporal")
	theirWords          = wordList("theirWords")
	ties                = wordList("ties")
	timePrepositions    = wordList("timePrepositions")
	titles              = wordList("titles")
	turning             = wordList("turning")
	weekdays            = wordList("weekdays")
	wishVerbs           = wordList("wishVerbs")
)
