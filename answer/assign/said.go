package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// A piece is what stands between two commas or other stops of a sentence.
type piece struct {
	words []form
	stop  rune // the stop before it; 0 for the first
}

func pieces(ws []form) []piece {
	var out []piece
	start, stop := 0, rune(0)
	for i, w := range ws {
		if w.text == comma {
			out = append(out, piece{ws[start:i], stop})
			start, stop = i+1, w.stop
		}
	}
	out = append(out, piece{ws[start:], stop})
	return slices.DeleteFunc(out, func(p piece) bool { return len(p.words) == 0 })
}

// maxPieces bounds the pieces of a sentence that are looked at; one with more is a list or a table.
const maxPieces = 24

// factual returns the clauses that a sentence says as facts, each able to stand alone: what leads to it,
// what is thrown in and what follows may be missing, as long as none of that governs it. A clause without
// a subject takes that of the clause before, or the writer where the text is a diary.
func factual(ws []form, diary bool) [][]form {
	ps := pieces(ws)
	if len(ps) > maxPieces {
		return nil
	}
	var out [][]form
	var last []form // the clause before, for its subject
	bare := diary && len(ps) > 0 && subjectless(ps, 0)
	for i, p := range ps {
		if i > 0 && governsRight(ps[i-1].words, p) {
			return out
		}
		body := p.words
		if n := factive(body); n > 0 {
			if !governedAfter(ps, i) {
				out = append(out, body)
			}
			body = body[n:]
		} else if reports(body) {
			if !governedAfter(ps, i) {
				out = append(out, body)
			}
			last = nil
			continue
		}
		joined := len(body) > 1 && joining[body[0].text]
		for len(body) > 1 && joining[body[0].text] {
			body = body[1:]
		}
		if len(body) == 0 || conditional(body) {
			return out
		}
		if opensBeside(body) {
			continue
		}
		if !verbal(body) && predicate(body) < 0 {
			if c := interrupted(ps, i); c != nil && !governedAfter(ps, i+2) {
				out = append(out, c)
				last = c
			}
			continue
		}
		if (i > 0 && !joined && ps[i].stop == ',' || last == nil && !bare) && startsVerb(body) && !bare {
			last = nil
			continue // it goes on from what stands before
		}
		cs := [][]form{body}
		if !tied(body) && !reduced(body) {
			cs = coordinated(body)
		}
		for k, c := range cs {
			whole := c
			switch {
			case bare && headless(c) && (i == 0 || last != nil):
				whole = append([]form{{text: "i"}}, c...)
			case startsVerb(c):
				if last == nil || bound(last) {
					whole = nil
				} else {
					whole = inherit(c, last)
				}
			}
			last = whole
			if whole == nil || governedAfter(ps, i) || k+1 < len(cs) && slices.ContainsFunc(cs[k+1:], endsAbout) {
				continue
			}
			out = append(out, whole)
			if i > 0 && k == 0 {
				if lead := ps[i-1].words; !verbal(lead) && !curbed(lead) {
					out = append(out, slices.Concat(lead, whole))
				}
			}
			if k+1 == len(cs) {
				for j := i + 1; j < len(ps) && j <= i+3 && !verbal(ps[j].words); j++ {
					out = append(out, slices.Concat(whole, ps[j].words))
				}
			}
		}
	}
	return out
}

// sayings returns what a sentence says as facts: its clauses, and what is said beside them. he is the one
// person whom the sentence before names, it the one thing of which it speaks.
func (m *matcher) sayings(ws []form, he *noun, it []form, diary bool) []saying {
	if len(ws) > maxTokens {
		return nil
	}
	if diary {
		ws = authored(ws)
	}
	main, beside := unfold(ws)
	all := factual(ws, diary)
	if len(beside) > 0 && !curbedAround(ws) || len(main) > 1 {
		for _, s := range main {
			all = append(all, factual(s, diary)...)
		}
		for _, b := range beside {
			all = append(all, factual(b, false)...)
		}
	}
	all = append(all, m.shaped(ws)...)
	for _, c := range all {
		all = append(all, m.lighter(c)...)
	}
	var out []saying
	for _, c := range all {
		one := newSaying(c)
		out = append(out, one)
		named := named(c, he)
		if len(it) > 0 && len(c) > 1 && !beForms[c[1].text] && !curbed(c) && (c[0].text == "it" && !plural(lastOf(it)) || c[0].text == "they" && plural(lastOf(it))) {
			named = slices.Concat(it, c[1:])
		}
		if named != nil {
			with := newSaying(named)
			with.resolved = true
			out = append(out, with)
		}
	}
	return out
}

// lone returns the subject of a sentence that speaks of one thing only, for which it or they of the next
// sentence then stands: The board met on Tuesday.
func lone(said []saying) []form {
	if len(said) != 1 || len(said[0].frames) != 1 {
		return nil
	}
	f := said[0].frames[0]
	if f.object != nil || f.negated || f.subject == nil || len(f.subject.and) > 0 || !f.subject.the || f.subject.of != nil || f.verb == "be" {
		return nil
	}
	if slices.ContainsFunc(f.adjuncts, func(a adjunct) bool { return a.time == "" }) {
		return nil
	}
	ws := said[0].words
	rest, ok := new(frame).fronted(ws[:max(0, predicate(ws))])
	if !ok {
		return nil
	}
	return rest
}

// named returns a clause with the person for whom its he or she stands in its place, nil where it has none.
func named(c []form, he *noun) []form {
	if he == nil || len(he.words) == 0 || len(he.and) > 0 {
		return nil
	}
	first := he.words[0].text
	if c[0].text == "he" && maleNames[first] || c[0].text == "she" && femaleNames[first] {
		return slices.Concat(he.words, c[1:])
	}
	return nil
}

// curbedAround tells a sentence in which something governs more than its own clause.
func curbedAround(ws []form) bool {
	ps := pieces(ws)
	for i, p := range ps {
		if i+1 < len(ps) && governsRight(p.words, ps[i+1]) || i > 0 && governsLeft(p.words) && !(i > 1 && finite(p.words[0]) && !verbal(ps[i-2].words)) {
			return true
		}
	}
	return false
}

// headless tells a clause of a diary that begins with its verb.
func headless(ws []form) bool {
	return len(ws) > 1 && (finite(ws[0]) || pasts[ws[0].text] && !ws[0].upper) && ws[1].text != "by" && person(nominative(ws[1].text)) != "1" &&
		(!segment.Function(ws[0].text) || ws[0].text == "had" && !segment.Determiner(ws[1].text) && !ws[1].upper && person(ws[1].text) == "")
}

// subjectless tells whether a sentence begins as those of a diary do, with a verb of the writer's.
func subjectless(ps []piece, i int) bool {
	p := ps[i].words
	if !headless(p) {
		return false
	}
	if _, n := timeAt(p, 1); n > 0 {
		return false
	}
	for _, next := range ps[i+1:] {
		if opens(next.words) && next.stop == ',' {
			return false // "Planted in rows, the trees grew"
		}
	}
	return true
}

// interrupted returns the clause that begins before what is thrown in at piece i+1 and goes on behind it.
func interrupted(ps []piece, i int) []form {
	if i+2 >= len(ps) || ps[i+1].stop != ',' || ps[i+2].stop != ',' {
		return nil
	}
	left, inner, right := ps[i].words, ps[i+1].words, ps[i+2].words
	if !finite(right[0]) && !pasts[right[0].text] || !nounLike(left) || governsLeft(inner) || curbed(inner) && !relative(inner) ||
		curbed(left) || joining[inner[0].text] {
		return nil
	}
	return slices.Concat(left, right)
}

func relative(ws []form) bool {
	switch ws[0].text {
	case "who", "which", "whom", "whose", "where":
		return true
	}
	return false
}

// opensBeside tells a piece that is no statement of its own: a relative clause, a participle, a clause of reason.
func opensBeside(ws []form) bool {
	if w := ws[0].text; (w == "after" || w == "before" || w == "since") && len(fronts(ws)) > 1 {
		return false // a phrase, and the clause behind it
	}
	return relative(ws) || ties[ws[0].text] || strings.HasSuffix(ws[0].text, "ing") && !ws[0].upper && segment.Stem(ws[0].text) != ws[0].text
}

// reduced tells a clause whose only verb may be a participle that says which: "the mayor elected by Peter".
func reduced(ws []form) bool {
	v := predicate(ws)
	return v > 0 && v+1 < len(ws) && participle(ws[v]) && !beForms[ws[v].text] && ws[v+1].text == "by"
}

// bound tells a clause that says something other than a plain fact, so that its subject does not reach on.
func bound(ws []form) bool {
	return curbed(ws) || slices.ContainsFunc(ws, func(f form) bool { return negations[f.text] })
}

// governedAfter tells whether something behind piece i governs it.
func governedAfter(ps []piece, i int) bool {
	for _, p := range ps[min(len(ps), i+1):] {
		if governsLeft(p.words) {
			return true
		}
	}
	return false
}
