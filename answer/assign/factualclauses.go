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

// factualClauses returns the clauses that a sentence says as facts, each able to stand alone: what leads to it,
// what is thrown in and what follows may be missing, as long as none of that governs it. A clause without
// a subject takes that of the clause before, or the writer where the text is a diary.
func factualClauses(ws []form, diary bool) [][]form {
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
		if reports(body) {
			if !governedAfter(ps, i) {
				out = append(out, body)
			}
			last = nil
			continue
		}
		joined := len(body) > 1 && clauseJoiners[body[0].text]
		for len(body) > 1 && clauseJoiners[body[0].text] {
			body = body[1:]
		}
		if len(body) == 0 || conditional(body) {
			return out
		}
		if opensBeside(body) {
			continue
		}
		if !verbal(body) && predicate(body) < 0 {
			if c := joinInterrupted(ps, i); c != nil && !governedAfter(ps, i+2) {
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
		if !isTied(body) && !hasReducedClause(body) {
			cs = splitCoordinated(body)
		}
		for k, c := range cs {
			whole := c
			switch {
			case bare && headless(c) && (i == 0 || last != nil):
				whole = append([]form{{text: "i"}}, c...)
			case startsVerb(c):
				if last == nil || isNoFact(last) {
					whole = nil
				} else {
					whole = inheritSubject(c, last)
				}
			}
			last = whole
			if whole == nil || governedAfter(ps, i) || k+1 < len(cs) && slices.ContainsFunc(cs[k+1:], endsAbout) {
				continue
			}
			out = append(out, whole)
		}
	}
	return out
}

// headless reports whether words are a clause of a diary that begins with its verb.
func headless(ws []form) bool {
	return len(ws) > 1 && (finite(ws[0]) || ambiguousPasts[ws[0].text] && !ws[0].upper) && ws[1].text != "by" && person(nominative(ws[1].text)) != "1" &&
		(!segment.Function(ws[0].text) || ws[0].text == "had" && !segment.Determiner(ws[1].text) && !ws[1].upper && person(ws[1].text) == "")
}

// subjectless reports whether a sentence begins as those of a diary do, with a verb of the writer's.
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

// joinInterrupted returns the clause that begins before what is thrown in at piece i+1 and goes on behind it.
func joinInterrupted(ps []piece, i int) []form {
	if i+2 >= len(ps) || ps[i+1].stop != ',' || ps[i+2].stop != ',' {
		return nil
	}
	left, inner, right := ps[i].words, ps[i+1].words, ps[i+2].words
	if !startsVerb(right) && !ambiguousPasts[right[0].text] || !subjectPhrase(left) || governsLeft(inner) || isGoverned(inner) && !relative(inner) ||
		isGoverned(left) || clauseJoiners[inner[0].text] {
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

// opensBeside reports whether a piece is no statement of its own: a relative clause, a participle, a clause of reason.
func opensBeside(ws []form) bool {
	if w := ws[0].text; (w == "after" || w == "before" || w == "since") && len(withoutOpening(ws)) > 1 {
		return false // a phrase, and the clause behind it
	}
	return relative(ws) || ties[ws[0].text] || strings.HasSuffix(ws[0].text, "ing") && !ws[0].upper && segment.Stem(ws[0].text) != ws[0].text
}

// hasReducedClause reports whether the words are a clause whose only verb may be a participle that says which: "the mayor elected by Peter".
func hasReducedClause(ws []form) bool {
	v := predicate(ws)
	return v > 0 && v+1 < len(ws) && participle(ws[v]) && !beForms[ws[v].text] && ws[v+1].text == "by"
}

// isNoFact reports whether words are a clause that says something other than a plain fact, so that its subject does not reach on.
func isNoFact(ws []form) bool {
	return isGoverned(ws) || slices.ContainsFunc(ws, func(f form) bool { return negations[f.text] })
}

// governedAfter reports whether something behind piece i governs it.
func governedAfter(ps []piece, i int) bool {
	for _, p := range ps[min(len(ps), i+1):] {
		if governsLeft(p.words) {
			return true
		}
	}
	return false
}
