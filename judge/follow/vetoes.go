package follow

import (
	"slices"
)

// vetoes returns the findings of all tests, in their order, at most one of each test.
func vetoes(c text, e evidence) []Finding {
	var out []Finding
	for _, test := range []func(text, evidence) (Finding, bool){
		numbers, units, dates, names, findMoved, quantities, negation, modality, opposites, order, hearsay, conditions, question, findCut, marked,
	} {
		if f, found := test(c, e); found {
			out = append(out, f)
		}
	}
	return out
}

// conditions finds a condition on the words that the claim leaves out.
func conditions(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		for i, w := range s.words {
			phrase := s.phrase(i, lists.conditions)
			if lists.conditions[phrase] && !slices.ContainsFunc(c.words, func(x word) bool { return lists.conditions[x.Lower] }) && !c.holds(phrase) && w.piece <= p+1 {
				return Finding{Condition, "", phrase}, true
			}
		}
	}
	return Finding{}, false
}

// question finds words that only ask.
func question(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		if p, s := e.match(c, piece); p >= 0 && s.asks && !c.asks {
			return Finding{Question, "", s.raw}, true
		}
	}
	return Finding{}, false
}

// findCut finds a quotation whose end is inside a word.
func findCut(_ text, e evidence) (Finding, bool) { return Finding{Cut, "", e.cut}, e.cut != "" }

// marked finds quoted words that the document shows struck through or reversed.
func marked(_ text, e evidence) (Finding, bool) {
	return Finding{Marked, "", e.marked}, e.marked != ""
}
