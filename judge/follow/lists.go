package follow

import (
	_ "embed"
	"maps"
	"strconv"
	"strings"
	"sync"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

var (
	//go:embed words.txt
	wordsFile string
)

// The lists of words.txt. A test demands that the file is read without an error.
var lists, listsError = readLists(wordsFile)

// contraries returns the opposites of words.txt and of the lexicon, by stem. The thousands of pairs are read when the
// first claim needs them, and not by every command.
var contraries = sync.OnceValue(func() map[string]map[string]bool {
	out := maps.Clone(lists.opposites)
	for a, b := range lexicon.Antonyms() {
		pairUp(out, a, b)
	}
	return out
})

// PastForm reports whether a word in lower case is the past form of a verb that is as often another word: rose, fell.
func PastForm(w string) bool { return lists.verbs[w] }

type wordLists struct {
	negations, implicit, reports, conditions, strong, weak, about, symmetrical map[string]bool
	prepositions, be, joiners, months, weekdays, titles, pronouns              map[string]bool
	only, contentNouns, negationPhrases, deeds                                 map[string]bool
	verbs, privatives, lacking, knowing, ordering, reportPhrases               map[string]bool
	idle, phrases, alike                                                       [][]string
	modal                                                                      map[string]string // word: its class
	numbers, scales, ordinals                                                  map[string]float64
	units                                                                      map[string]string
	opposites, converses                                                       map[string]map[string]bool // by stem
}

// readLists parses the text of words.txt.
func readLists(words string) (wordLists, error) {
	l, err := segment.ReadLists("words.txt", words)
	w := wordLists{
		negations: l.Set("negations"), implicit: stems(l["implicit negations"]), reports: stems(l["reports"]), conditions: l.Set("conditions"),
		strong: l.Set("strong quantities"), weak: l.Set("weak quantities"), about: l.Set("about"), symmetrical: stems(l["symmetrical"]),
		prepositions: l.Set("prepositions"), be: l.Set("be"), joiners: l.Set("joiners"), months: l.Set("months"), weekdays: l.Set("weekdays"),
		titles: l.Set("titles"), pronouns: l.Set("pronouns"), modal: map[string]string{}, numbers: values(l["numbers"]), scales: values(l["scales"]), ordinals: values(l["ordinals"]),
		only: l.Set("only"), contentNouns: stems(l["content nouns"]), negationPhrases: l.Set("negation phrases"), verbs: l.Set("verbs"), privatives: l.Set("privatives"), lacking: l.Set("lacking"), knowing: l.Set("knowing"), ordering: l.Set("ordering"), deeds: stems(l["deeds"]), reportPhrases: map[string]bool{}, units: map[string]string{}, opposites: map[string]map[string]bool{}, converses: map[string]map[string]bool{},
	}
	for _, class := range []string{"possible", "due", "intended", "able"} {
		for _, m := range l[class] {
			w.modal[m] = class
		}
	}
	for _, g := range l["alike"] {
		w.alike = append(w.alike, strings.Split(g, "="))
	}
	for _, p := range l["idle negations"] {
		w.idle = append(w.idle, strings.Fields(p))
	}
	for _, p := range l["reports"] {
		if strings.Contains(p, " ") {
			w.reportPhrases[p] = true
		}
	}
	for _, list := range []string{"conditions", "weak quantities", "reports", "intended", "due", "negation phrases"} {
		for _, p := range l[list] {
			if f := strings.Fields(p); len(f) > 1 {
				w.phrases = append(w.phrases, f)
			}
		}
	}
	for _, line := range l["units"] {
		names := strings.Split(line, "=")
		for _, n := range names {
			w.units[n] = names[0]
		}
	}
	for _, pair := range l["opposites"] {
		if a, b, ok := strings.Cut(pair, "/"); ok {
			pairUp(w.opposites, a, b)
		}
	}
	for _, pair := range l["converses"] {
		if a, b, ok := strings.Cut(pair, "/"); ok {
			pairUp(w.converses, a, b)
		}
	}
	return w, err
}

// pairUp enters two words under each other's stems.
func pairUp(pairs map[string]map[string]bool, a, b string) {
	for _, p := range [][2]string{{a, b}, {b, a}} {
		from, to := segment.Stem(p[0]), segment.Stem(p[1])
		if from == to {
			continue
		}
		if pairs[from] == nil {
			pairs[from] = map[string]bool{}
		}
		pairs[from][to] = true
	}
}

// stems returns the stems of words as a set.
func stems(words []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[segment.Stem(w)] = true
	}
	return set
}

// values returns the numbers of lines "word=value".
func values(lines []string) map[string]float64 {
	out := map[string]float64{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			out[name] = v
		}
	}
	return out
}
