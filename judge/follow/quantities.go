package follow

import (
	"slices"
	"strings"
)

// quantities finds a word such as all or only that the claim adds, and one such as about or some that it drops.
func quantities(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		if !lists.strong[w.Lower] || e.hasLower(w.Lower) || c.negates(w.piece) || w.Lower == "only" && e.says(lists.only) {
			continue
		}
		if e.hasStrongLike(w.Lower) {
			continue
		}
		return Finding{Quantity, w.Lower, ""}, true
	}
	for i := range c.words {
		w := &c.words[i]
		p, s := e.match(c, w.piece)
		if p < 0 {
			continue
		}
		for k, o := range s.words {
			if o.piece == p && lists.privatives[o.Lower] {
				if next := s.after(k, o.Lower); next != nil && c.has(next) && !c.holds(o.Lower) {
					return Finding{Quantity, "", o.Lower}, true
				}
			}
			if o.piece != p || !lists.weak[s.phrase(k, lists.weak)] {
				continue
			}
			weak := s.phrase(k, lists.weak)
			next := s.after(k, weak)
			if next == nil || !c.has(next) || c.holds(weak) || lists.about[weak] && slices.ContainsFunc(c.words, func(x word) bool { return lists.about[x.Lower] }) {
				continue
			}
			if lists.prepositions[weak] && next.number == "" && !strings.Contains(weak, " ") { // around the house, over the river
				continue
			}
			return Finding{Quantity, "", weak}, true
		}
	}
	return Finding{}, false
}

// says reports whether the sentences have one of the words or phrases of a list.
func (e *evidence) says(list map[string]bool) bool {
	for phrase := range list {
		if e.hasLower(phrase) {
			return true
		}
	}
	return false
}

// hasStrongLike reports whether the sentences hold a word that says as much: every for all.
func (e *evidence) hasStrongLike(w string) bool {
	for _, group := range lists.alike {
		if slices.Contains(group, w) && slices.ContainsFunc(group, e.hasLower) {
			return true
		}
	}
	return false
}

func (e *evidence) hasLower(w string) bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool { return s.holds(w) })
}

// holds reports whether a text has a word or a phrase.
func (t *text) holds(phrase string) bool {
	f := strings.Fields(phrase)
	for i := range t.words {
		if t.phraseAt(i, f) {
			return true
		}
	}
	return false
}

// phraseAt reports whether the words begin at i.
func (t *text) phraseAt(i int, words []string) bool {
	if i+len(words) > len(t.words) {
		return false
	}
	for k, w := range words {
		if t.words[i+k].Lower != w {
			return false
		}
	}
	return true
}

// phrase returns the phrase of a list that begins at word i, else the word.
func (t *text) phrase(i int, list map[string]bool) string {
	for _, p := range lists.phrases {
		if t.phraseAt(i, p) { // few do, and joining costs more than comparing
			if joined := strings.Join(p, " "); list[joined] {
				return joined
			}
		}
	}
	return t.words[i].Lower
}

// after returns the first content word or number after a phrase at i, nil if its piece ends before.
func (t *text) after(i int, phrase string) *word {
	for k := i + len(strings.Fields(phrase)); k < len(t.words) && t.words[k].piece == t.words[i].piece; k++ {
		if t.words[k].content() || t.words[k].number != "" {
			return &t.words[k]
		}
	}
	return nil
}
