package assign

import (
	_ "embed"
	"fmt"
	"strings"

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
	cardinals           = wordList("cardinals")
	clauseJoiners       = wordList("clauseJoiners")
	conditions          = wordList("conditions")
	dateOpeners         = wordList("dateOpeners")
	dayMarks            = wordList("dayMarks")
	dayParts            = wordList("dayParts")
	directions          = wordList("directions")
	directive           = wordList("directive")
	doForms             = wordList("doForms")
	doubling            = wordList("doubling")
	doubts              = wordList("doubts")
	fictionPrepositions = wordList("fictionPrepositions")
	fictions            = wordList("fictions")
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
	limitingAdverbs     = wordList("limitingAdverbs")
	locating            = wordList("locating")
	manner              = wordList("manner")
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
	pastOnly            = wordList("pastOnly")
	pastToo             = wordList("pastToo")
	periods             = wordList("periods")
	phrasePrepositions  = wordList("phrasePrepositions")
	plainAdjectives     = wordList("plainAdjectives")
	prepositions        = wordList("prepositions")
	presents            = wordList("presents")
	privatives          = wordList("privatives")
	quantifiers         = wordList("quantifiers")
	quantities          = wordList("quantities")
	relativeDays        = wordList("relativeDays")
	relatives           = wordList("relatives")
	remarks             = wordList("remarks")
	reported            = wordList("reported")
	scoping             = wordList("scoping")
	scopingTail         = wordList("scopingTail")
	seasons             = wordList("seasons")
	temporal            = wordList("temporal")
	theirWords          = wordList("theirWords")
	ties                = wordList("ties")
	timePrepositions    = wordList("timePrepositions")
	titles              = wordList("titles")
	turning             = wordList("turning")
	weekdays            = wordList("weekdays")
	wishVerbs           = wordList("wishVerbs")
)
