package gate

import (
	"slices"
	"strings"

	"muniment/text/segment"
)

// The lists of rules/words.txt of the parts of a sentence that may be shown alone; each list is
// explained there.
var (
	subordinators = wordLists.Set("subordinators")
	openers       = wordLists.Set("openers")
	correlatives  = wordLists.Set("correlatives")
	prepositional = wordLists.Set("prepositional")
	places        = wordLists.Set("places")
	connectives   = wordLists.Set("connectives")
	ambiguous     = wordLists.Set("ambiguous")
	dangling      = wordLists.Set("dangling")
	amounts       = wordLists.Set("amounts")
	titles        = wordLists.Set("titles")
	numerals      = wordLists.Set("numerals")
	carriers      = wordLists.Set("carriers")
	purposes      = wordLists.Set("purposes")
	cataphors     = wordLists.Set("cataphors")
	anaphors      = wordLists.Set("anaphors")
	exactBars     = wordLists.Set("exact bars")
	stemBars      = wordLists.Set("stem bars")
	innocent      = wordLists.Set("innocent")
)

// isBarred reports whether a word may not be withheld while another part of its
// sentence is shown. It may not if it negates, conditions, limits, doubts,
// reports or invents something, for what it bears on may be the shown part,
// on either side. A word too many in these lists withholds an excerpt; a word
// too few lets one say what its author did not.
func isBarred(w segment.Word) bool {
	l := w.Lower
	if exactBars[l] || strings.HasSuffix(l, "n't") || strings.HasPrefix(l, "n'") {
		return l != "may" || !w.Upper // the month
	}
	for n := shortestStem; n <= min(len(l), longestStem); n++ {
		if stemBars[l[:n]] && !innocent[l] {
			return true
		}
	}
	return false
}

// bearsOnWhatFollows reports whether the barred word i, which follows the shown text, leaves it
// alone: a letter or a talk that nothing ties to the text before.
func bearsOnWhatFollows(ws []segment.Word, i int) bool {
	const before, after = 6, 3 // words in which "so", "as", "this" … tie it
	purpose := i > 0 && ws[i-1].Lower == "to" && purposes[ws[i].Lower]
	if !carriers[ws[i].Lower] && !purpose {
		return false
	}
	return !slices.ContainsFunc(ws[max(0, i-before):min(len(ws), i+after+1)], func(w segment.Word) bool { return anaphors[w.Lower] })
}

// The lengths of the stems in stemBars, in bytes.
const shortestStem, longestStem = 3, 10
