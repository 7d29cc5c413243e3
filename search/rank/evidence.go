package rank

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Evidence says how much of a question an archive holds, whatever sentence of it answers: the words of a question to this archive meet
// in one paper, and those of a question to another one are scattered or missing. Shares are in thousandths of the weights of the
// question's words: their idf, and of common words leastWeight. Nothing is asserted by it: it decides whether passages are shown as the nearest, or nothing is.
type Evidence struct {
	Likely   int32 // most that one stretch holds, with words like them and words that may stand for them at a part of their idf
	Together int32 // most that one stretch holds of the names and numbers, as a share of their own idf; 0 where the question has none, or the stretch no other word of it
	Strange  int32 // share of the names and numbers, of their own idf, that no stretch holds
	Held     int32 // idf of the words themselves that the stretch of Likely holds, in thousandths: how little chance brings them together
	Size     int32 // Features.Size
}

// evidenceFields lists the weighed parts in the order of evidence.txt.
var evidenceFields = []struct {
	name string
	of   func(*Evidence) int32
}{
	{"likely", func(e *Evidence) int32 { return e.Likely }},
	{"together", func(e *Evidence) int32 { return e.Together }},
	{"strange", func(e *Evidence) int32 { return e.Strange }},
	{"held", func(e *Evidence) int32 { return e.Held }},
	{"size", func(e *Evidence) int32 { return e.Size }},
}

var (
	//go:embed evidence.txt
	evidenceFile string

	// A test demands that the file is read without an error.
	leastEvidence, evidenceWeights, evidenceError = parseEvidence(evidenceFile)
)

// parseEvidence reads the least sum and the weights.
func parseEvidence(text string) (least int, weights []int, err error) {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || name == "#" {
			continue
		}
		n, err := strconv.Atoi(value)
		switch {
		case err == nil && name == "least" && len(weights) == 0:
			least = n
		case err == nil && len(weights) < len(evidenceFields) && name == evidenceFields[len(weights)].name:
			weights = append(weights, n)
		default:
			return 0, nil, fmt.Errorf("evidence: %q does not belong there", line)
		}
	}
	if len(weights) != len(evidenceFields) {
		return 0, nil, fmt.Errorf("evidence: %d weights, want %d", len(weights), len(evidenceFields))
	}
	return least, weights, nil
}

// Values returns the parts in the order of evidence.txt.
func (e Evidence) Values() []int {
	out := make([]int, len(evidenceFields))
	for i, f := range evidenceFields {
		out[i] = int(f.of(&e))
	}
	return out
}

// Names returns the names of the parts in the order of evidence.txt.
func (Evidence) Names() []string {
	var out []string
	for _, f := range evidenceFields {
		out = append(out, f.name)
	}
	return out
}

// Suffices reports whether the archive holds enough of the question for its nearest passages to be shown.
func (e Evidence) Suffices() bool {
	sum := 0
	for i, v := range e.Values() {
		sum += v * evidenceWeights[i]
	}
	return sum >= leastEvidence
}

const (
	// stretchBytes is how much text before and after a passage belongs to its stretch: two or three passages on either side.
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
	strange := 0
	for t, much := range anywhere {
		if q.terms[t].named && much < 1000 {
			strange += weights[t]
		}
	}
	e.Strange = share(strange, named)
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
