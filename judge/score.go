package judge

import (
	"strings"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// Likely is the score from which a claim that is not shown is close to the words: most such claims follow.
const Likely = 500

// Features are the parts of a score, each from 0 to 1000.
type Features struct {
	Share    int // of the claim's weight that the best window of one or two sentences holds
	Order    int // of neighbouring content words that keep their order there
	Absent   int // 1000 where a number, date or name of the claim is nowhere
	Negation int // 1000 where one of the two denies
	Opposite int // 1000 where a word is in place of its contrary, or two have changed places
	Scope    int // 1000 where the words hold in a sense that the claim does not say
	Copied   int // 1000 where the claim copies a sentence or a part of it but for a few words that it adds, or for their order
}

// Fields returns the features in the order of their declaration.
func (f Features) Fields() []int {
	return []int{f.Share, f.Order, f.Absent, f.Negation, f.Opposite, f.Scope, f.Copied}
}

// weights of the features, fitted by `go run ./internal/bench/judge` on labelled pairs; the last one is the score of no feature.
var weights = []int{670, 147, -664, -239, -501, -113, -267, 209}

// Measure returns the features of a claim over words.
func Measure(claim string, words ...Passage) Features {
	if len(claim) > MaxText || len(words) == 0 {
		return Features{}
	}
	c, e := clause.Parse(claim), gatherEvidence(claim, words)
	if len(c.Tokens) == 0 || len(e.sentences) == 0 {
		return Features{}
	}
	var f Features
	for i := range e.sentences {
		window := e.sentences[i : i+1]
		for range 2 {
			if share, order := compareWords(&c, window); share > f.Share || share == f.Share && order > f.Order {
				f.Share, f.Order = share, order
			}
			window = e.sentences[i:min(i+2, len(e.sentences))]
		}
	}
	set := func(at *int, find func(*clause.Sentence, *evidence) (Finding, bool)) {
		if _, found := find(&c, e); found {
			*at = 1000
		}
	}
	set(&f.Absent, findNumber)
	set(&f.Absent, findUnit)
	set(&f.Absent, findDate)
	set(&f.Absent, findName)
	set(&f.Negation, findDenial)
	set(&f.Opposite, findOpposite)
	set(&f.Scope, findScope)
	if s, _ := e.nearest(&c); isAltered(&c, s) {
		f.Copied = 1000
	}
	return f
}

// Score returns the weighted sum, 0 to 999. A claim that copies a sentence but for one thing is never likely, whatever
// the sum: that thing is what it is about.
func (f Features) Score() int {
	sum := weights[len(weights)-1]
	for i, v := range f.Fields() {
		sum += weights[i] * v / 1000
	}
	if f.Copied > 0 {
		sum = min(sum, Likely-1)
	}
	return min(max(sum, 0), 999)
}

// IsLikely reports whether a claim that is not shown is close to the words and has no finding. It is a hint for a reader, no verdict.
func (j Judgement) IsLikely() bool {
	return j.Verdict == cite.ClaimNotShown && j.Rule == Missing && len(j.Findings) == 0 && j.Score >= Likely
}

// alike is how many first letters two words have in common that may be of one root: burn, burned, burning; weigh, weight.
const alike = 5

// compareWords returns the share of a claim's weight that sentences hold, and of its neighbouring words those that keep their order.
func compareWords(c *clause.Sentence, window []clause.Sentence) (share, order int) {
	at, roots := map[string]int{}, map[string]bool{}
	n := 0
	for i := range window {
		for _, w := range window[i].Words {
			n++
			w = strings.TrimSuffix(w, "'s")
			if stem := segment.Stem(w); at[stem] == 0 {
				at[stem] = n
			}
			roots[w[:min(len(w), alike)]] = true
		}
	}
	total, found, last, pairs, kept := 0, 0, 0, 0, 0
	for i, t := range c.Tokens {
		if !t.Content() {
			continue
		}
		w := strings.TrimSuffix(t.Text, "'s")
		weight := 2
		if t.Number || t.Date || t.Upper && i > 0 {
			weight = 4
		}
		total += weight
		j := at[segment.Stem(w)]
		switch {
		case j > 0:
			found += weight
			if last > 0 {
				pairs++
				if j > last {
					kept++
				}
			}
			last = j
		case len(w) > alike && roots[w[:alike]]:
			found += weight / 2
		}
	}
	if total == 0 {
		return 0, 0
	}
	order = 500
	if pairs > 0 {
		order = 1000 * kept / pairs
	}
	return 1000 * found / total, order
}

// maxAdded is the most content words that a claim may add to a sentence and still count as its copy. A true claim in words of its own adds more, or has another order.
const maxAdded = 2

// isAltered reports whether a claim is the copy of a sentence or of a part of it, and differs in a few words that it adds, in what it leaves out, or in the
// order of its words alone. An author who writes freely changes more; the passive is no such change.
func isAltered(c, s *clause.Sentence) bool {
	claimed, have := stemsOf(c), stemsOf(s)
	shared, added, all := 0, 0, 0
	for _, t := range c.Tokens {
		switch stem := segment.Stem(strings.TrimSuffix(t.Text, "'s")); {
		case !t.Content():
		case have[stem]:
			shared++
		default:
			added++
		}
	}
	for _, t := range s.Tokens {
		if t.Content() {
			all++
		}
	}
	_, order := compareWords(c, []clause.Sentence{*s})
	passive := claimed["by"] != have["by"] || claimed["von"] != have["von"]
	switch {
	case order == 1000:
		return added <= maxAdded
	case shared < 2 || 4*shared < 3*all:
		return false
	}
	return added == 0 && !passive && lexicon.Negation.In(c.Words) == lexicon.Negation.In(s.Words)
}
