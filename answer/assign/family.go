package assign

import (
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// families are words of a text, by stem, that answer a question's word: who asks what something cost is
// told what was given for it. They serve the choice of sentences only; what a claim says is not read by them.
var families = familyTable(`
	die: dead death
	death: die dead
	pay: cost give price
	cost: pay give price
	price: cost pay give
	hear: tell news
	marry: marriage wedding wed
	wedding: marry marriage
	marriage: marry wedding
	bury: burial funeral
	burial: bury
	funeral: bury burial
	crown: coronation
	coronation: crown
	kill: slay
	sick: ill
	ill: sick
	preach: sermon
	sermon: preach
	week: weekly weekely
	dinner: dine
	dine: dinner
	supper: sup
	sup: supper
	begin: begun
	buy: bought
	aboard: board
`)

func familyTable(table string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		word, others, _ := strings.Cut(strings.TrimSpace(line), ":")
		out[segment.Stem(word)] = stemmed(others)
	}
	return out
}

// related tells whether a stem of a text is a question's, or one that answers it.
func related(asked, stem string) bool { return asked == stem || families[asked][stem] }

// widened counts words of a family as found.
func widened(passages []retrieve.Passage) []retrieve.Passage {
	out := slices.Clone(passages)
	for i := range out {
		p := &out[i]
		if !slices.ContainsFunc(p.Terms, func(t retrieve.Term) bool { return !t.Found && (families[t.Stem] != nil || t.Joint) }) {
			continue
		}
		p.Terms = slices.Clone(p.Terms)
		there := map[int]bool{}
		for _, here := range places(p.Terms, p.Text) {
			for _, k := range here {
				there[k] = true
			}
		}
		found, all := 0.0, 0.0
		for k := range p.Terms {
			t := &p.Terms[k]
			t.Found = t.Found || there[k]
			all += t.IDF
			if t.Found {
				found += t.IDF
			}
		}
		p.Share = found / all
	}
	return out
}
