package follow

import (
	"slices"
	"strings"

	"muniment/text/segment"
)

// hearsay finds words that are somebody's report where the claim does not say so.
func hearsay(c text, e evidence) (Finding, bool) {
	if c.reportsAny() {
		return Finding{}, false
	}
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		if w := s.complementOf(p); w != "" && !c.hasAnyOf(w) {
			return Finding{Hearsay, "", w}, true
		}
		if w := s.reporter(p); w != "" {
			return Finding{Hearsay, "", w}, true
		}
	}
	return Finding{}, false
}

// complementOf returns the words before "that" where this opens piece p and makes it what somebody says or supposes: told me
// that, the report that; "" where that opens a relative clause, or no clause.
func (t *text) complementOf(p int) string {
	for i, w := range t.words {
		if w.piece != p || i == 0 {
			continue
		}
		before := t.words[i-1]
		if w.Lower != "that" && w.Lower != "dass" && w.Lower != "daß" || i > 0 && before.piece == p {
			return ""
		}
		if t.announces(i) || lists.knowing[before.Lower] {
			return ""
		}
		verb := before.isVerb() || lists.reports[before.stem] || lists.pronouns[before.Lower] || strings.HasSuffix(before.Lower, "s") && !before.Upper || t.denies(before.piece)
		if verb || lists.contentNouns[before.stem] {
			return t.raw[t.words[max(0, i-3)].Start:before.End]
		}
		return ""
	}
	return ""
}

// hasAnyOf reports whether a text has a content word of a phrase.
func (t *text) hasAnyOf(phrase string) bool {
	p := analyse(phrase)
	return slices.ContainsFunc(p.words, func(w word) bool { return w.content() && t.has(&w) })
}

// announces reports whether the words before i only lead up to what the writer says: I am sorry to say that, you will be
// glad to hear that.
func (t *text) announces(i int) bool {
	lead := t.words[max(0, i-9):i]
	person := slices.ContainsFunc(lead, func(w word) bool { return w.Lower == "i" || w.Lower == "you" || w.Lower == "duty" })
	return person && slices.ContainsFunc(lead, func(w word) bool { return w.Lower == "to" })
}

// reportsAny reports whether a claim says whose word it is.
func (t *text) reportsAny() bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return lists.reports[w.stem] })
}

// reporter returns the word that makes a piece somebody's report, "" for none: in the piece, in the
// one before it, or in a following remark of few words. A verb of saying with a plain object
// reports nothing.
func (t *text) reporter(piece int) string {
	for i, w := range t.words {
		if p := t.phrase(i, lists.reportPhrases); lists.reportPhrases[p] {
			return p
		}
		near := w.piece == piece || w.piece == piece-1 ||
			w.piece == piece+1 && t.size(w.piece) <= 4 && !strings.HasSuffix(w.Lower, "ing") && !lists.joiners[t.firstOf(w.piece)]
		if i > 0 && t.words[i-1].Lower == "to" && slices.ContainsFunc(t.words, func(x word) bool {
			return x.piece == w.piece && (x.Lower == "i" || x.Lower == "you" || x.Lower == "duty")
		}) {
			continue // sorry to say, to tell you
		}
		if !near || !lists.reports[w.stem] || w.Upper && !w.first {
			continue
		}
		if i > 0 && (segment.Determiner(t.words[i-1].Lower) && !t.words[i-1].isThat()) {
			continue // the report, a claim
		}
		if lists.ordering[w.Lower] && slices.ContainsFunc(t.words[i+1:min(len(t.words), i+6)], func(x word) bool { return x.Lower == "to" }) {
			continue // told him to come
		}
		if lists.deeds[w.stem] && !t.clauseBehind(i) {
			continue // maintained the range
		}
		if w.piece == piece && i+1 < len(t.words) && segment.Determiner(t.words[i+1].Lower) && !t.words[i+1].isThat() && t.size(piece) <= 6 && t.lastVerb(piece) == i {
			continue // heard the bells
		}
		return w.Lower
	}
	return ""
}

// clauseBehind reports whether "that" or a verb with a tense follows word i.
func (t *text) clauseBehind(i int) bool {
	return slices.ContainsFunc(t.words[i+1:], func(w word) bool {
		return w.Lower == "that" || segment.FiniteVerb(w.Lower) || lists.modal[w.Lower] != ""
	})
}

// firstOf returns the first word of a piece.
func (t *text) firstOf(piece int) string {
	for _, w := range t.words {
		if w.piece == piece {
			return w.Lower
		}
	}
	return ""
}

// lastVerb returns the index of the last finite verb of a piece, -1 for none.
func (t *text) lastVerb(piece int) int {
	last := -1
	for i, w := range t.words {
		if w.piece == piece && segment.FiniteVerb(w.Lower) {
			last = i
		}
	}
	return last
}

// size returns how many words a piece has.
func (t *text) size(piece int) int {
	n := 0
	for _, w := range t.words {
		if w.piece == piece {
			n++
		}
	}
	return n
}
