package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// maxPhrases is how many phrases at the end of a clause are looked at.
const maxPhrases = 3

// A phrase is a run of words at an edge of a clause that says when or where.
type phrase struct {
	words    []form
	temporal bool
	loose    bool // may be left out
}

// wordings returns the clause as it may be repeated: as it is; without an adverb or phrase of time or
// place at its edges where nothing else in it depends on that; and with a phrase of time moved from one edge
// to the other.
func wordings(c []form) [][]form {
	out := [][]form{c}
	core := c
	for len(core) > 2 && (conjunction(core[0].text) || loosely[core[0].text]) && core[0].text != comma {
		core = core[1:]
		if core[0].text == comma {
			core = core[1:]
		}
		out = append(out, core)
	}
	scoped := slices.ContainsFunc(c, func(w form) bool { return negations[w.text] || scoping[w.text] })
	var lead *phrase
	if n := leading(core); n > 0 && n < len(core)-1 {
		lead = &phrase{words: core[:n], temporal: temporalAt(core) == n}
		lead.loose = !scoped && !vague(lead.words)
		core = core[n:]
		if core[0].text == comma {
			core = core[1:]
		}
	}
	var tail []phrase
	for len(tail) < maxPhrases {
		at := trailing(core)
		if at < 2 {
			break
		}
		ph := phrase{words: core[at:], temporal: temporalAt(core[at:]) == len(core)-at}
		rest := core[:at]
		if rest[len(rest)-1].text == comma {
			rest = rest[:len(rest)-1]
		}
		ph.loose = !scoped && !vague(ph.words) && detachable(rest, ph)
		tail = append([]phrase{ph}, tail...)
		core = rest
	}
	if !event(core) {
		if lead != nil {
			lead.loose = false
		}
		for i := range tail {
			tail[i].loose = false
		}
	}
	for keep := range 1 << len(tail) {
		var kept []phrase
		ok := true
		for i, ph := range tail {
			if keep&(1<<i) == 0 {
				kept = append(kept, ph)
			} else if !ph.loose {
				ok = false
			}
		}
		if ok {
			out = append(out, arrangements(lead, core, kept)...)
		}
	}
	return out
}

// arrangements returns the orders of a core with a phrase before it and some behind it.
func arrangements(lead *phrase, core []form, tail []phrase) [][]form {
	var behind []form
	for _, ph := range tail {
		behind = append(behind, ph.words...)
	}
	var out [][]form
	if lead == nil {
		out = append(out, slices.Concat(core, behind))
		for i, ph := range tail {
			if !ph.temporal {
				continue
			}
			var others []form
			for j, o := range tail {
				if j != i {
					others = append(others, o.words...)
				}
			}
			out = append(out, slices.Concat(ph.words, core, others), slices.Concat(ph.words, []form{{text: comma}}, core, others))
		}
		return out
	}
	out = append(out, slices.Concat(lead.words, core, behind), slices.Concat(lead.words, []form{{text: comma}}, core, behind),
		slices.Concat(core, behind, lead.words), slices.Concat(core, lead.words, behind))
	if lead.loose {
		out = append(out, slices.Concat(core, behind))
	}
	return out
}

// leading returns how many words a phrase of time or place before the subject has.
func leading(ws []form) int {
	if n := temporalAt(ws); n > 0 {
		return n
	}
	if len(ws) < 4 || !placing[ws[0].text] || !segment.Determiner(ws[1].text) {
		return 0
	}
	for i := 3; i < len(ws) && i <= 4; i++ {
		if w := ws[i]; w.text == comma || person(w.text) != "" || w.text == subject || segment.Determiner(w.text) {
			return i
		}
	}
	return 0
}

// trailing returns where the last phrase after a preposition begins, or the last adverb of time; -1
// when there is none.
func trailing(ws []form) int {
	n := len(ws)
	if loosely[ws[n-1].text] && !finite(ws[n-1]) && !conjunction(ws[n-1].text) {
		return n - 1
	}
	for i := n - 2; i > 1 && i >= n-6; i-- {
		w := ws[i].text
		if w == comma || finite(ws[i]) || conjunction(w) || person(w) != "" {
			return -1
		}
		if n := temporalAt(ws[i:]); n > 0 && i+n == len(ws) && (i == 0 || !prepositions[ws[i-1].text]) {
			return i
		}
		if prepositions[w] && w != "of" {
			return i
		}
	}
	return -1
}

// temporalAt returns how many words a phrase of time at the beginning has: in 1901, on Friday, in May
// 1931, in the night, this morning; 0 for none.
func temporalAt(ws []form) int {
	if len(ws) >= 2 && (ws[0].text == "this" || ws[0].text == "diesen") && (dayParts[ws[1].text] || seasons[ws[1].text]) {
		return 2
	}
	if len(ws) < 2 || !timing[ws[0].text] {
		return 0
	}
	i := 1
	if i+1 < len(ws) && (ws[i].text == "the" || ws[i].text == "jahr") {
		i++
	}
	day := false
	if i < len(ws) && number(ws[i].text) != "" && i+1 < len(ws) && months[ws[i+1].text] {
		i, day = i+1, true
	}
	switch {
	case i >= len(ws):
		return 0
	case year(ws[i].text):
		return i + 1
	case months[ws[i].text]:
		i++
		if !day && i < len(ws) && number(ws[i].text) != "" && !year(ws[i].text) {
			i++
		}
		if i+1 < len(ws) && ws[i].text == comma && year(ws[i+1].text) {
			i++
		}
		if i < len(ws) && year(ws[i].text) {
			i++
		}
		return i
	case weekdays[ws[i].text]:
		return i + 1
	case i == 2 && (dayParts[ws[i].text] || seasons[ws[i].text]):
		i++
		if i+1 < len(ws) && ws[i].text == "of" && year(ws[i+1].text) {
			i += 2
		}
		return i
	}
	return 0
}

func year(w string) bool { return len(w) == 4 && number(w) == w && w >= "1000" && w < "2100" }

// vague tells a phrase that says in what sense rather than where: in part, in the dream.
func vague(ws []form) bool {
	for i, w := range ws {
		if unreal[w.text] || negations[w.text] || scoping[w.text] || w.text == "only" {
			return true
		}
		if i > 0 && (segment.Determiner(w.text) || w.upper || year(w.text) || dayParts[w.text]) {
			return false
		}
	}
	return len(ws) > 1
}

// detachable tells whether a phrase at the end can be left out: one of time can, one of place unless
// it may say which of several things is meant.
func detachable(core []form, ph phrase) bool {
	first := ph.words[0].text
	if len(core) < 2 || segment.Function(core[len(core)-1].text) && !objective[core[len(core)-1].text] {
		return false
	}
	if ph.temporal || len(ph.words) == 1 {
		return true
	}
	verb := slices.IndexFunc(core, finite)
	if (first == "to" || first == "for") && verb >= 0 && trading[core[verb].text] && len(core) > verb+2 {
		return true
	}
	if !placing[first] || slices.ContainsFunc(ph.words, func(w form) bool { return number(w.text) != "" }) {
		return false
	}
	for i := len(core) - 1; i > verb; i-- {
		switch core[i].text {
		case "the", "those", "these", "that", "den", "die", "das", "dem":
			return false
		}
		if number(core[i].text) != "" || core[i].text == "a" {
			return true
		}
	}
	return verb == len(core)-1
}

var objective = set(`him her them it me us`)

// event tells whether a clause says what happened once, so that when and where add to it and do not
// limit it.
func event(c []form) bool {
	i := slices.IndexFunc(c, finite)
	if i < 0 {
		return false
	}
	v := c[i].text
	if (v == "was" || v == "were" || v == "wurde" || v == "wurden") && i+1 < len(c) {
		p := c[i+1].text
		return strings.HasSuffix(p, "ed") && len(p) > 4 || p == "born" || participles[p]
	}
	return !segment.Function(v) && !lasting[v]
}
