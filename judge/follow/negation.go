package follow

import (
	"slices"
	"strings"

	"muniment/text/segment"
)

// negates reports whether a piece of the text is turned round by a negation or by a verb such as failed.
func (t *text) negates(piece int) bool {
	skip := 0
	for i, w := range t.words {
		if w.piece == piece && i > 0 && t.words[i-1].piece != piece && w.Lower == "that" && lists.implicit[t.words[i-1].stem] {
			return true
		}
		if w.piece != piece {
			continue
		}
		for _, p := range lists.idle {
			if t.phraseAt(i, p) {
				skip = i + len(p)
			}
		}
		if i >= skip && lists.implicit[w.stem] && i+1 < len(t.words) && t.words[i+1].Lower == "that" {
			continue // denied that he came: what follows is denied
		}
		if i >= skip && (lists.negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || lists.implicit[w.stem] && !lists.titles[w.Lower]) {
			return true
		}
	}
	return false
}

// comparable is the share of the content words of a claim's piece that a piece of the evidence must hold for the two to
// be about one thing.
const comparable = 0.4

// match returns the piece of a sentence that holds most of what a piece of the claim says, and the sentence; -1 where
// none holds enough. Of equal ones the first is taken whose negation agrees with the claim's.
func (e *evidence) match(c text, piece int) (int, *text) {
	total := 0
	for i := range c.words {
		if c.words[i].piece == piece && (c.words[i].content() || c.words[i].number != "") {
			total++
		}
	}
	best, most := -1, 0
	var in *text
	for k := range e.sentences {
		s := &e.sentences[k]
		counts := make([]int, s.pieces)
		for i := range c.words {
			w := &c.words[i]
			if w.piece != piece || !w.content() && w.number == "" {
				continue
			}
			seen := map[int]bool{}
			for j := range s.words {
				if o := &s.words[j]; same(w, o) && !seen[o.piece] {
					seen[o.piece] = true
					counts[o.piece]++
				}
			}
		}
		for p, n := range counts {
			if n > most || n == most && n > 0 && in.negates(best) != c.negates(piece) && s.negates(p) == c.negates(piece) {
				best, most, in = p, n, s
			}
		}
	}
	if most == 0 || float64(most) < comparable*float64(total) {
		return -1, nil
	}
	return best, in
}

// negation finds a piece of the claim that denies what the words state, or states what they deny.
func negation(c text, e evidence) (Finding, bool) {
	if f, found := deniedVerb(c, e); found {
		return f, true
	}
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		if w := c.lacks(*s, p); w != "" {
			return Finding{Negation, w, s.pieceText(p)}, true
		}
		stated, denied := c.denies(piece), s.denies(p)
		if s.lastVerb(p) < 0 { // the chairman, Dr Amin, did not vote
			for q := range s.pieces {
				denied = denied || c.countShared(piece, *s, q) > 0 && s.denies(q)
			}
		}
		switch {
		case haveOpposites(c, piece, *s, p):
			continue
		case stated == denied && (s.refuses(p, c) == "" || c.hasImplicit()):
			continue
		case stated && !denied && s.hasImplicit(), denied && !stated && (c.hasImplicit() || c.lacksAny()):
			continue
		}
		return Finding{Negation, c.pieceText(piece), s.pieceText(p)}, true
	}
	return Finding{}, false
}

// reach is the largest number of words between a denying word and its verb.
const reach = 5

// deniedVerb finds a verb that the claim denies, by not or never before it, and that the words have without a denial before
// it: what else they deny does not count.
func deniedVerb(c text, e evidence) (Finding, bool) {
	for i, w := range c.words {
		if w.Lower != "not" && w.Lower != "never" && !strings.HasSuffix(w.Lower, "n't") {
			continue
		}
		v := i + 1
		if v < len(c.words) && segment.Determiner(c.words[v].Lower) {
			continue // not the church
		}
		for v < len(c.words) && v < i+3 && !c.words[v].content() {
			v++
		}
		if v == len(c.words) || !c.words[v].content() || c.words[v].piece != w.piece {
			continue
		}
		stated := ""
		for k := range e.sentences {
			s := &e.sentences[k]
			for j := range s.words {
				if !same(&c.words[v], &s.words[j]) {
					continue
				}
				if s.deniedAt(j) {
					return Finding{}, false
				}
				stated = s.pieceText(s.words[j].piece)
			}
		}
		if stated != "" {
			return Finding{Negation, c.pieceText(w.piece), stated}, true
		}
	}
	return Finding{}, false
}

// deniedAt reports whether a word of denial, or one such as failed or without, shortly precedes
// word i, or its clause begins with nobody or none.
func (t *text) deniedAt(i int) bool {
	for k := max(0, i-reach); k < i; k++ {
		w := t.words[k]
		if lists.negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || lists.implicit[w.stem] || lists.lacking[w.Lower] || lists.modal[w.Lower] != "" {
			return true
		}
	}
	return false
}

// lacks returns a word of the claim that follows a word such as without in piece p of s, while the
// claim has no such word; "" for none.
func (t *text) lacks(s text, p int) string {
	if slices.ContainsFunc(t.words, func(w word) bool { return lists.lacking[w.Lower] || lists.negations[w.Lower] }) {
		return ""
	}
	for i, w := range s.words {
		if w.piece != p || !lists.lacking[w.Lower] {
			continue
		}
		if next := s.after(i, w.Lower); next != nil && t.has(next) {
			return next.Lower
		}
	}
	return ""
}

// denies reports whether a piece has a word or phrase of negation.
func (t *text) denies(piece int) bool {
	skip := 0
	for i, w := range t.words {
		if w.piece != piece {
			continue
		}
		for _, p := range lists.idle {
			if t.phraseAt(i, p) {
				skip = i + len(p)
			}
		}
		if i >= skip && (lists.negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || lists.negationPhrases[t.phrase(i, lists.negationPhrases)]) {
			return true
		}
	}
	return false
}

// hasImplicit reports whether a text has a word such as failed or refused, or one that begins as unable does.
func (t *text) hasImplicit() bool {
	return slices.ContainsFunc(t.words, func(w word) bool {
		begins := len(w.Lower) > 4 && (strings.HasPrefix(w.Lower, "un") || strings.HasPrefix(w.Lower, "in") || strings.HasPrefix(w.Lower, "dis"))
		return lists.implicit[w.stem] && !lists.titles[w.Lower] || begins && w.content()
	})
}

// lacksAny reports whether a text has a negation anywhere, or a word such as without.
func (t *text) lacksAny() bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return lists.lacking[w.Lower] || lists.negations[w.Lower] })
}

// refuses returns the verb of a piece, or of the one before it, that says that what follows it was not so: failed to sell,
// denied that he sold; "" where none governs a word of the claim.
func (t *text) refuses(piece int, c text) string {
	for i, w := range t.words {
		if (w.piece != piece && w.piece != piece-1) || !lists.implicit[w.stem] || lists.titles[w.Lower] || i+2 >= len(t.words) || c.has(&t.words[i]) {
			continue
		}
		if next := t.words[i+1].Lower; next == "to" && c.has(&t.words[i+2]) || next == "that" && t.words[i+1].piece == piece {
			return w.Lower
		}
	}
	return ""
}

// topics returns how many content words a piece has that are no part of a date.
func (t *text) topics(piece int) int {
	n := 0
	for i := range t.words {
		if w := &t.words[i]; w.piece == piece && w.content() && !lists.months[w.Lower] && !lists.weekdays[w.Lower] {
			n++
		}
	}
	return n
}

// haveOpposites reports whether a piece of the claim has the opposite of a word of a piece of the words.
func haveOpposites(c text, piece int, s text, p int) bool {
	a, _ := opposite(c, piece, s, p)
	return a != ""
}

// pieceText returns the words of a piece.
func (t *text) pieceText(piece int) string {
	start, end := -1, 0
	for _, w := range t.words {
		if w.piece == piece {
			if start < 0 {
				start = w.Start
			}
			end = w.End
		}
	}
	if start < 0 {
		return ""
	}
	return t.raw[start:end]
}
