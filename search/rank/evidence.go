package rank

import (
	"slices"
	"strings"
)

// Evidence says how much of a question an archive holds, whatever sentence of it answers: the words of a question to this archive meet
// in one paper, and those of a question to another one are scattered or missing. Shares are in thousandths of the weights of the
// question's words: their idf, and of common words leastWeight. Nothing is asserted by it: it decides whether passages are shown as the nearest, or nothing is.
type Evidence struct {
	Likely   int32 // most that one stretch holds, words like them and that may stand for them at a part of their idf
	Together int32 // most that one stretch holds of the names and numbers, as a share of their own idf; 0 where the question has none, or the stretch no other word of it
	Strange  int32 // share of the names and numbers, of their own idf, that no stretch holds
	Held     int32 // idf of the words themselves that the stretch of Likely holds, in thousandths: how little chance brings them together
	Size     int32 // Features.Size
	Score    int32 // Candidate.Score of the best one, divided by 1000; 0 without candidates

	// Corresponds reports whether the question names the writer or the addressee of a paper, and no name or number that the archive does not
	// have: such a question is to this archive, whatever words it has for the matter.
	Corresponds bool
}

// evidenceWeights are the weights of the parts of an Evidence, and leastEvidence is the least sum of their products with which nearest passages are shown.
// Both are fitted by `go run ./internal/bench/rank -data DIR -beside DIARY -evidence` on letters of three families and two collections in German, on
// papers of SQuAD 2.0 (see weights.txt), on the diary of Samuel Pepys and on all of them with it, with their own questions and with others. Of the
// others at most 4 of 100 pass, as the mean of the archives, and 7 of one.
var evidenceWeights = [...]int{4764, 2848, -2565, 150, -805, 394}

const leastEvidence = -1450850

// Values returns the parts in the order of Names.
func (e Evidence) Values() []int {
	return []int{int(e.Likely), int(e.Together), int(e.Strange), int(e.Held), int(e.Size), int(e.Score)}
}

// Names returns the names of the parts.
func (Evidence) Names() []string {
	return []string{"likely", "together", "strange", "held", "size", "score"}
}

// Suffices reports whether the archive holds enough of the question for its nearest passages to be shown.
func (e Evidence) Suffices() bool {
	if e.Corresponds {
		return true
	}
	sum := 0
	for i, v := range e.Values() {
		sum += v * evidenceWeights[i]
	}
	return e.Likely > 0 && sum >= leastEvidence
}

const (
	// stretchBytes is how much text before and after a passage belongs to its stretch: two or three on either side.
	stretchBytes = 1500
	// maxStretches is of how many passages, the best ones, the stretches are read.
	maxStretches = 12
	// kinWorth and likeWorth are what a word counts that may stand for one of the question, and at most what one like it counts, in thousandths.
	kinWorth = 600
	// leastWeight is what a word weighs at least, in thousandths of the idf of a word that no passage holds: copies of a paper that make its words
	// common take no evidence away.
	leastWeight = 400
	likeWorth   = 700
)

// Weigh returns the evidence for a question in the candidates that Rank returned for passages.
func (q Question) Weigh(ranked []Candidate, passages []Passage) Evidence {
	e := Evidence{Size: int32(q.rarest)}
	if len(ranked) > 0 {
		e.Score = int32(ranked[0].Score / 1000)
	}
	weights, all, named := make([]int, len(q.terms)), 0, 0
	for t, one := range q.terms {
		weights[t] = max(one.idf, q.rarest*leastWeight/1000)
		all += weights[t]
		if one.named {
			named += weights[t]
		}
	}
	anywhere := make([]int, len(q.terms))
	read := map[int]bool{}
	for i := range ranked {
		at := ranked[i].Passage
		if read[at] || len(read) == maxStretches {
			continue
		}
		read[at] = true
		var likely, together, held, met int
		for t, much := range q.readStretch(passages[at]) {
			anywhere[t] = max(anywhere[t], much)
			likely += weights[t] * much / 1000
			if much < 1000 {
				continue
			}
			met, held = met+1, held+q.terms[t].idf
			if q.terms[t].named {
				together += weights[t]
			}
		}
		if met == 1 && len(q.terms) > 1 { // a name alone meets nothing
			together = 0
		}
		e.Together = max(e.Together, share(together, named))
		if much := share(likely, all); much > e.Likely {
			e.Likely, e.Held = much, int32(held)
		}
	}
	strange, unknown := 0, false
	for t, much := range anywhere {
		if q.terms[t].named && much < 1000 {
			strange, unknown = strange+weights[t], unknown || q.terms[t].idf >= q.rarest
		}
	}
	e.Strange, e.Corresponds = share(strange, named), !unknown && len(ranked) > 0 && slices.ContainsFunc(passages, q.namesParty)
	return e
}

// readStretch returns how much of each term the text around a passage and the head of its paper hold: 1000 where they hold the word itself.
func (q *Question) readStretch(p Passage) []int {
	if at := strings.Index(p.Paper, p.Text); at >= 0 {
		p.Text = strings.ToValidUTF8(p.Paper[max(0, at-stretchBytes):min(len(p.Paper), at+len(p.Text)+stretchBytes)], "")
	}
	r := q.read(p)
	out := make([]int, len(q.terms))
	for _, t := range r.tokens {
		for _, k := range t.kin {
			out[k] = max(out[k], kinWorth)
		}
		for _, l := range t.alike {
			out[l.term] = max(out[l.term], l.much*likeWorth/1000)
		}
	}
	for i, held := range r.around {
		if held {
			out[i] = 1000
		}
	}
	return out
}
