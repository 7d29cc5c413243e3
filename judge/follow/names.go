package follow

import (
	"strings"

	"muniment/text/segment"
)

// names finds a name of the claim that is not in the words, nor, in place of a pronoun, in the paragraph or the
// document's names.
func names(c text, e evidence) (Finding, bool) {
	if segment.Detect(c.raw) == "de" {
		return Finding{}, false // every noun has a capital there
	}
	for i, w := range c.words {
		if !w.name && !c.opensWithName(i, e) || lists.months[w.Lower] || lists.weekdays[w.Lower] || lists.titles[w.Lower] || w.number != "" ||
			e.has(&w) || e.derives(w) || e.names[w.stem] && (e.pronouns || e.subjectless()) {
			continue
		}
		var others []string
		for _, s := range e.sentences {
			for _, o := range s.words {
				if o.name && !c.has(&o) {
					others = append(others, s.raw[o.Start:o.End])
				}
			}
		}
		return Finding{Name, c.raw[w.Start:w.End], strings.Join(others, ", ")}, true
	}
	return Finding{}, false
}

// opensWithName reports whether word i begins a sentence and is a name: another name, or a verb where the words begin with a
// name that the claim does not have, follows.
func (t *text) opensWithName(i int, e evidence) bool {
	w := t.words[i]
	if !w.first || !w.Upper || segment.Function(w.Lower) || i+1 >= len(t.words) {
		return false
	}
	next := t.words[i+1]
	if next.name && t.raw[w.End:next.Start] == " " && !lists.titles[next.Lower] || w.Possessive {
		return true
	}
	if !segment.FiniteVerb(next.Lower) {
		return false
	}
	for _, s := range e.sentences {
		for k, o := range s.words {
			if o.Upper && !segment.Function(o.Lower) && !t.has(&o) && k+1 < len(s.words) && s.words[k+1].stem == next.stem {
				return true
			}
		}
	}
	return false
}

// subjectless reports whether no sentence has a name for its subject, as those of a diary do not.
func (e *evidence) subjectless() bool {
	for _, s := range e.sentences {
		for i, w := range s.words {
			if i+1 < len(s.words) && w.Upper && !segment.Function(w.Lower) && !lists.months[w.Lower] && segment.FiniteVerb(s.words[i+1].Lower) && !segment.FiniteVerb(w.Lower) {
				return false
			}
		}
	}
	return true
}

// minCommon is how many letters a name and the word derived from it have in common at least: Norway, Norwegian.
const minCommon = 4

// derives reports whether the sentences hold a capitalised word that begins as a name does.
func (e *evidence) derives(w word) bool {
	for _, s := range e.sentences {
		for _, o := range s.words {
			n := 0
			for n < min(len(w.Lower), len(o.Lower)) && w.Lower[n] == o.Lower[n] {
				n++
			}
			if o.Upper && n >= minCommon && n >= min(len(w.Lower), len(o.Lower))-3 && n*3 >= 2*min(len(w.Lower), len(o.Lower)) {
				return true
			}
		}
	}
	return false
}
