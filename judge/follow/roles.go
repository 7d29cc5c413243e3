package follow

import (
	"slices"
	"strings"

	"muniment/text/segment"
)

// roles maps the stems of the content words of a piece to the places they have in it: "subject", "object", or the
// preposition before them. In a passive the subject is the object, and what follows by is the subject.
func (t *text) roles(piece int) (places map[string]string, verbs map[string]bool) {
	places, verbs = map[string]string{}, map[string]bool{}
	at, core := "subject", "subject" // core is the place of a noun phrase without a preposition
	passive, filled := false, false  // filled: the phrase of the preposition has its noun
	for i, w := range t.words {
		if w.piece != piece {
			continue
		}
		switch {
		case lists.prepositions[w.Lower]:
			at, filled = w.Lower, false
		case !w.Upper && w.isVerb() && len(places) > 0 && lists.modal[w.Lower] == "":
			if i > 0 && lists.be[t.words[i-1].Lower] && !lists.be[w.Lower] || i > 1 && lists.be[t.words[i-2].Lower] && segment.Function(t.words[i-1].Lower) {
				passive = true
			}
			if !segment.Function(w.Lower) {
				verbs[w.stem] = true
			}
			at, core = "object", "object"
		case segment.Determiner(w.Lower) && filled:
			at = core
		case w.content() || w.number != "":
			key := w.stem
			if w.number != "" {
				key = w.number
			}
			if filled && lists.titles[w.Lower] && i > 0 && !t.words[i-1].Upper && t.words[i-1].content() {
				at = core // in command of the station Captain Meller; not: to her brother Josiah
			}
			if _, twice := places[key]; !twice {
				places[key] = at
			}
			filled = at != core
		}
	}
	if passive {
		for key, place := range places {
			switch place {
			case "subject":
				places[key] = "object"
			case "by":
				places[key] = "subject"
			}
		}
	}
	return places, verbs
}

// isVerb reports whether a word is a verb with a tense, or a form that is one after a subject.
func (w *word) isVerb() bool {
	short := len(w.Lower) == 4 && strings.HasSuffix(w.Lower, "ed") && !strings.HasSuffix(w.Lower, "eed")
	return segment.FiniteVerb(w.Lower) || lists.verbs[w.Lower] || short
}

// order finds two words that have changed places between the claim and the words.
func order(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 {
			continue
		}
		claimed, verbs := c.roles(piece)
		written, others := s.roles(p)
		shared := false
		for v := range verbs {
			shared = shared || others[v] && !lists.symmetrical[v]
		}
		for a, x := range claimed {
			for b, y := range claimed {
				if a >= b || x == y || written[a] != y || written[b] != x {
					continue
				}
				core := (x == "subject" || x == "object") && (y == "subject" || y == "object")
				if core && !shared {
					continue
				}
				return Finding{Order, c.pieceText(piece), s.pieceText(p)}, true
			}
		}
		if f, found := converse(c, e, piece, *s, p); found {
			return f, true
		}
	}
	return Finding{}, false
}

// converse finds a verb that tells an event from the other side while its subject stays: sold for bought.
func converse(c text, e evidence, piece int, s text, p int) (Finding, bool) {
	claimed, mine := c.roles(piece)
	written, theirs := s.roles(p)
	for v := range mine {
		for o := range theirs {
			if !lists.converses[v][o] || theirs[v] || mine[o] {
				continue
			}
			writer := slices.ContainsFunc(s.words, func(w word) bool { return w.piece == p && (w.Lower == "i" || w.Lower == "we") })
			for key, place := range claimed {
				if place == "subject" && (written[key] == "subject" || writer && e.writers[key]) {
					return Finding{Order, v, o}, true
				}
			}
		}
	}
	return Finding{}, false
}

// findMoved finds a word of the claim that the passage has elsewhere, while another word has its
// place in the matching piece: signed by Italy, for "signed by Austria in March and by Italy in
// April".
func findMoved(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 {
			continue
		}
		claimed, _ := c.roles(piece)
		written, _ := s.roles(p)
		for i := range c.words {
			w := &c.words[i]
			if w.number != "" && i > 0 && c.words[i-1].Lower == "a" {
				continue // a third
			}
			if w.piece != piece || !w.content() && w.number == "" || !s.has(w) || s.pieceHas(p, w) || !e.elsewhere(c, piece, *s, p, w) {
				continue
			}
			place, ok := claimed[w.key()]
			if !ok {
				continue
			}
			for j := range s.words {
				o := &s.words[j]
				if o.piece == p && written[o.key()] == place && o.alike(w) && !c.has(o) && (w.Upper || w.number != "" || lists.prepositions[place]) {
					return Finding{Order, c.raw[w.Start:w.End], s.raw[o.Start:o.End]}, true
				}
			}
		}
	}
	return Finding{}, false
}

// elsewhere reports whether a word occurs in another piece of a sentence, one with more than the
// word and less of the claim than piece p: a member of a list is no such piece.
func (e *evidence) elsewhere(c text, piece int, s text, p int, w *word) bool {
	for i := range s.words {
		o := &s.words[i]
		if !same(w, o) || o.piece == p {
			continue
		}
		more := slices.ContainsFunc(s.words, func(x word) bool {
			return x.piece == o.piece && (lists.prepositions[x.Lower] || segment.FiniteVerb(x.Lower))
		})
		return more && c.countShared(piece, s, o.piece) < c.countShared(piece, s, p)
	}
	return false
}

// countShared returns the number of content words and numbers of a piece that occur in a piece of
// another text.
func (t *text) countShared(piece int, s text, p int) int {
	n := 0
	for i := range t.words {
		if w := &t.words[i]; w.piece == piece && (w.content() || w.number != "") && s.pieceHas(p, w) {
			n++
		}
	}
	return n
}

// key returns the identity of a word for roles: its number or its stem.
func (w *word) key() string {
	if w.number != "" {
		return w.number
	}
	return w.stem
}

// alike reports whether two words are both numbers, both names, or both other content words.
func (w *word) alike(o *word) bool {
	switch {
	case w.number != "" || o.number != "":
		return w.number != "" && o.number != ""
	case !w.content() || !o.content():
		return false
	}
	return w.first || o.first || w.Upper == o.Upper
}

// pieceHas reports whether a piece holds a word.
func (t *text) pieceHas(piece int, w *word) bool {
	for i := range t.words {
		if t.words[i].piece == piece && same(w, &t.words[i]) {
			return true
		}
	}
	return false
}
