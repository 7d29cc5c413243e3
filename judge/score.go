package judge

import (
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// Likely is the score from which a claim that is not shown is close to the words: most such claims follow. It and the weights are fitted by
// `go run ./internal/bench/judge` on labelled pairs.
const Likely = 620

// The weights of the features, in thousandths.
const (
	weightShare    = 780 // of the claim's weight that the sentence holds
	weightOrder    = 160 // of neighbouring content words whose order is kept
	weightBase     = 40
	weightNumber   = -450 // a number or date of the claim is not there
	weightName     = -260 // a name of the claim is not there
	weightNegation = -380 // one of the two denies
	weightScope    = -220 // the sentence has a scope that the claim leaves out
)

// score returns how near a sentence is to a claim, 0 to 999.
func score(c, s *clause.Sentence, r *referents) int {
	have := map[string]int{} // first place of a stem
	for j := len(s.Tokens) - 1; j >= 0; j-- {
		have[segment.Stem(s.Words[j])] = j + 1
	}
	total, found, last, pairs, kept := 0, 0, 0, 0, 0
	noNumber, noName := false, false
	for i, t := range c.Tokens {
		if !t.Content() {
			continue
		}
		w := 2
		if t.Number || t.Date || t.Upper && i > 0 {
			w = 3
		}
		total += w
		j := have[segment.Stem(t.Text)]
		who := strings.HasPrefix(t.Text, writer)
		switch {
		case j > 0 || who:
			found += w
			if last > 0 && j > 0 {
				pairs++
				if j > last {
					kept++
				}
			}
			last = max(j, 1)
		case t.Number || t.Date:
			noNumber = true
		case t.Upper && i > 0:
			noName = true
		}
	}
	if total == 0 {
		return 0
	}
	n := weightBase + weightShare*found/total
	if pairs == 0 {
		n += weightOrder / 2
	} else {
		n += weightOrder * kept / pairs
	}
	for _, f := range []struct {
		is     bool
		weight int
	}{
		{noNumber, weightNumber}, {noName, weightName},
		{(lexicon.Negation.In(c.Words) == "") != (lexicon.Negation.In(s.Words) == ""), weightNegation},
		{scopedBy(c, s, 0, 0), weightScope},
	} {
		if f.is {
			n += f.weight
		}
	}
	return min(max(n, 0), 999)
}
