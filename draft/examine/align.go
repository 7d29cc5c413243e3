package examine

import (
	"cmp"
	"slices"
	"strings"

	"muniment/cite"
)

// A Paper is a text that quotations are looked for in.
type Paper struct {
	text  string
	words []word
	at    map[string][]int32 // the places of a word, in order
	spell *Speller
	free  *string // what freeLanguage returns, nil before a quotation needed it
}

// NewPaper indexes the words of a text. Papers that one Speller is given for share what it knows, and are for use by one goroutine; nil is one of its own.
func NewPaper(text string, s *Speller) *Paper {
	if s == nil {
		s = &Speller{}
	}
	p := &Paper{text: text, words: joinNumbers(text, wordsOf(text)), at: map[string][]int32{}, spell: s}
	for i, w := range p.words {
		p.at[w.text] = append(p.at[w.text], int32(i))
	}
	return p
}

// Text returns the text of the paper.
func (p *Paper) Text() string { return p.text }

// An op is a step of an alignment.
type op struct {
	kind           opKind
	quote, paper   int // first word of each side
	quoted, papers int // how many words
}

type opKind byte

const (
	same     opKind = iota
	spelled         // one word in two spellings, or joined and divided
	replaced        // another word
	added           // a word that the paper does not have
	omitted         // words of the paper that the quotation does not have
)

// The costs of an alignment, in hundredths of a word. Omitted words cost little after the first, so that a quotation
// that runs two places together is found as one.
const (
	costSpelled  = 8
	costReplaced = 94
	costNumber   = 80  // a number by another
	costUnlike   = 110 // a number by a word
	costAdded    = 96
	costOmit     = 90
	costOmitMore = 12
	costBracket  = 4
)

// A run is the alignment of some words of a quotation with a window of a paper.
type run struct {
	from, to int // words of the paper
	cost     int
	ops      []op
	equal    int // words of the quotation that the paper has
}

// windows returns the windows of the paper in which words of a quotation lie closest, the best first. It looks at the
// words that are rarest in the paper.
func (p *Paper) windows(words []quoteWord, most int) [][2]int {
	type seed struct {
		at    int
		score float64
	}
	const bucket = 16
	votes := map[int]float64{}
	for i, w := range words {
		if w.bracket {
			continue
		}
		places := p.at[w.text]
		if len(places) == 0 || len(places) > maxPlaces {
			continue
		}
		weight := 1 / (1 + float64(len(places))/8)
		for _, at := range places {
			b := (int(at) - i) / bucket
			votes[b] += weight
			votes[b+1] += weight / 2
			votes[b-1] += weight / 2
		}
	}
	var seeds []seed
	for b, v := range votes {
		seeds = append(seeds, seed{b * bucket, v})
	}
	slices.SortFunc(seeds, func(a, b seed) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	var out [][2]int
	for _, s := range seeds {
		slack := 24 + len(words)/4
		from, to := max(0, s.at-slack), min(len(p.words), s.at+bucket+len(words)+slack+spread(words))
		if from >= to || slices.ContainsFunc(out, func(w [2]int) bool { return w[0]-slack <= from && from <= w[0]+slack }) {
			continue
		}
		if out = append(out, [2]int{from, to}); len(out) == most {
			break
		}
	}
	return out
}

// Near returns the runs of bytes of the paper in which words of a text lie closest, the best first, at most windowsTried.
func (p *Paper) Near(q Query) [][2]int {
	out := p.windows(q.words[:min(len(q.words), maxWords)], windowsTried)
	for i, w := range out {
		out[i] = [2]int{p.words[w[0]].start, p.words[w[1]-1].end}
	}
	return out
}

// maxPlaces is how often a word is in a paper at most that a window is looked for by.
const maxPlaces = 400

// spread returns about how many words the ellipses of a quotation leave out.
func spread(words []quoteWord) int {
	n := 0
	for _, w := range words {
		if w.gap {
			n += cite.MaxElision / 5
		}
	}
	return n
}

// align aligns words with a window of the paper; it begins and ends at any place in the window.
func (p *Paper) align(words []quoteWord, from, to int) run {
	n, m := len(words), to-from
	qk, pk := make([]spelling, n), make([]spelling, m)
	qn, pn := make([]bool, n), make([]bool, m)
	free := p.free != nil && *p.free != ""
	for i, w := range words {
		qk[i] = p.spell.key(w.text)
		qn[i] = isNumberKey(qk[i].modern)
		if free {
			qk[i].free = p.spell.freeKey(w.text, *p.free)
		}
	}
	for j := range m {
		pk[j] = p.spell.key(p.words[from+j].text)
		pn[j] = isNumberKey(pk[j].modern)
		if free {
			pk[j].free = p.spell.freeKey(p.words[from+j].text, *p.free)
		}
	}
	t := newTable(n, m)
	for i := 1; i <= n; i++ {
		w := &words[i-1]
		add := int32(costAdded)
		if w.bracket {
			add = costBracket
		}
		more := int32(costOmitMore)
		open := int32(costOmit)
		switch next := i < n; {
		case next && words[i].gap:
			open, more = costBracket, 0
		case w.bracket || next && words[i].bracket:
			open, more = costBracket, costBracket
		}
		t.set(i, 0, t.cost(i-1, 0)+add, stepAdd)
		for j := 1; j <= m; j++ {
			pw := &p.words[from+j-1]
			best, how := t.cost(i-1, j)+add, stepAdd
			try := func(c int32, s step) {
				if c < best {
					best, how = c, s
				}
			}
			switch {
			case w.text == pw.text:
				try(t.cost(i-1, j-1), stepSame)
			case w.partly && w.fits(pw.text):
				try(t.cost(i-1, j-1)+costBracket, stepSpelled)
			case qk[i-1].modern == pk[j-1].modern, qk[i-1].letters == pk[j-1].letters, free && qk[i-1].free == pk[j-1].free:
				try(t.cost(i-1, j-1)+costSpelled, stepSpelled)
			case w.bracket:
				try(t.cost(i-1, j-1)+costBracket, stepReplace)
			default:
				try(t.cost(i-1, j-1)+costOfReplacing(qn[i-1], pn[j-1]), stepReplace)
			}
			if j > 1 && joins(p.words[from+j-2].text, pw.text, w.text) {
				try(t.cost(i-1, j-2)+costSpelled, stepDivide)
			}
			if i > 1 && joins(words[i-2].text, w.text, pw.text) {
				try(t.cost(i-2, j-1)+costSpelled, stepJoin)
			}
			if i < n {
				if o := t.omit(i, j, open, more); o < best {
					best, how = o, stepOmit
				}
			}
			t.set(i, j, best, how)
		}
	}
	return t.trace(from)
}

// joins reports whether two words are the halves of a third.
func joins(a, b, whole string) bool {
	return len(a)+len(b) == len(whole) && strings.HasPrefix(whole, a) && strings.HasSuffix(whole, b)
}

// costOfReplacing returns the cost of one word in place of another, each of which may be a number.
func costOfReplacing(a, b bool) int32 {
	switch {
	case a && b:
		return costNumber
	case a != b:
		return costUnlike
	}
	return costReplaced
}

func isNumberKey(key string) bool {
	d := strings.TrimLeft(key, "$£€")
	return d != "" && d[0] >= '0' && d[0] <= '9'
}

// fits reports whether a word of a paper is one whose letters the writer changed in brackets.
func (w *quoteWord) fits(paper string) bool {
	stem := func(s string) bool { return len(s) >= 2 }
	switch {
	case w.text == paper:
		return true
	case len(w.prefix)+len(w.suffix) > len(paper) || !stem(w.prefix) && !stem(w.suffix):
		return false
	}
	return paper[:len(w.prefix)] == w.prefix && paper[len(paper)-len(w.suffix):] == w.suffix
}
