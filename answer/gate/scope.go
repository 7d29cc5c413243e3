package gate

import (
	"strings"

	"muniment/answer/segment"
)

// subordinators begin clauses that depend on another one.
var subordinators = wordLists.Set("subordinators")

// openers, at the head of what would be withheld, change or complete what
// stands before.
var openers = wordLists.Set("openers")

// correlatives reach over a comma to what follows "and".
var correlatives = wordLists.Set("correlatives")

// prepositional words begin clauses or, before a noun, phrases.
var prepositional = wordLists.Set("prepositional")

// places, after a comma and "and", add where something was, too.
var places = wordLists.Set("places")

// connectives may stand before the subject of an independent clause.
var connectives = wordLists.Set("connectives")

// ambiguous determiners may as well be pronouns, complementizers or relatives.
var ambiguous = wordLists.Set("ambiguous")

// dangling words, at the end of a run, wait for what they govern.
var dangling = wordLists.Set("dangling")

// amounts wait for a number.
var amounts = wordLists.Set("amounts")

// titles are titles and abbreviations after which a name or a number follows.
var titles = wordLists.Set("titles")

// numerals are numbers in words, and what stands before one.
var numerals = wordLists.Set("numerals")

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

// bearsOnWhatFollows reports whether the barred word i, which stands after what is shown,
// leaves it alone: a letter or a talk that nothing ties to what came before.
func bearsOnWhatFollows(ws []segment.Word, i int) bool {
	const before, after = 6, 3 // words in which "so", "as", "this" … tie it
	purpose := i > 0 && ws[i-1].Lower == "to" && purposes[ws[i].Lower]
	if !carriers[ws[i].Lower] && !purpose {
		return false
	}
	for _, w := range ws[max(0, i-before):min(len(ws), i+after+1)] {
		if anaphors[w.Lower] {
			return false
		}
	}
	return true
}

// carriers are barred words that bear on what follows them only, unless an
// anaphor refers back.
var carriers = wordLists.Set("carriers")

// purposes are verbs that, after "to", say what something was done for.
var purposes = wordLists.Set("purposes")

// cataphors announce what follows them.
var cataphors = wordLists.Set("cataphors")

// anaphors point to what was said before.
var anaphors = wordLists.Set("anaphors")

var exactBars = wordLists.Set("exact bars")

var stemBars = wordLists.Set("stem bars")

// innocent words begin as a word of stemBars does and bar nothing.
var innocent = wordLists.Set("innocent")

var shortestStem, longestStem = 3, 10
