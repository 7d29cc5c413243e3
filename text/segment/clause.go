package segment

import (
	"slices"
	"strings"
)

// maxDivided is how many bytes a sentence that is cut into propositions may have. What is longer is
// not the prose of a draft, and stays whole.
const maxDivided = 2000

// A proposition is a part of a sentence that asserts one thing.
type proposition struct {
	Range
	subject string // words of the sentence's subject that this part goes on with, "" when it has its own
	doubts  []Ambiguity
}

// propositions cuts a sentence into ranges of one proposition each, where that is clearly safe. The conjunction between
// two of them belongs to none. Where a cut was possible and not safe, the proposition that stays whole says so.
func propositions(sentence string) []proposition {
	if len(sentence) > maxDivided {
		return []proposition{{Range: Range{0, len(sentence)}, doubts: []Ambiguity{{0, "longer than a sentence of a draft, kept whole"}}}}
	}
	var out []proposition
	cur := proposition{}
	for _, c := range cuts(sentence) {
		left, right := sentence[cur.Start:c.Start], sentence[c.End:]
		if strings.TrimSpace(left) == "" {
			continue
		}
		subject, reason := dividesClauses(left, right, c.comma, cur.subject)
		switch {
		case reason == notClauses:
			continue
		case reason != "":
			cur.doubts = append(cur.doubts, Ambiguity{c.Start, reason})
			continue
		}
		cur.End = c.Start
		out = append(out, cur)
		cur = proposition{Range: Range{Start: c.End}, subject: subject}
	}
	cur.End = len(sentence)
	return append(out, cur)
}

// A cut is a place where two propositions may meet.
type cut struct {
	Range
	comma bool // , or ; stands before the conjunction
}

// joiners join two propositions of which both are asserted.
var joiners = [...]string{"and", "but", "yet", "und", "aber", "doch"}

// cuts returns the places "; ", ", and ", " and " outside quotations, brackets, code and markers.
func cuts(s string) []cut {
	var out []cut
	depth, quoted, code := 0, false, false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		case '"':
			quoted = !quoted
		case '`':
			code = !code
		case 0xE2:
			switch {
			case strings.HasPrefix(s[i:], "“"), strings.HasPrefix(s[i:], "„"):
				depth++
			case strings.HasPrefix(s[i:], "”"):
				depth = max(0, depth-1)
			}
		case ';', ',', ' ', '\n':
			if depth > 0 || quoted || code {
				continue
			}
			if n := cutLen(s[i:]); n > 0 {
				out = append(out, cut{Range{i, i + n}, s[i] == ',' || s[i] == ';'})
				i += n - 1
			}
		}
	}
	return out
}

func cutLen(t string) int {
	n := 1
	for n < len(t) && isSpace(t[n]) {
		n++
	}
	if n == 1 && !isSpace(t[0]) {
		return 0
	}
	for _, c := range joiners {
		if strings.HasPrefix(t[n:], c) && n+len(c) < len(t) && isSpace(t[n+len(c)]) {
			return n + len(c) + 1
		}
	}
	if t[0] == ';' {
		return n
	}
	return 0
}

// notClauses is the reason why a place is no cut: a list of nouns, say.
const notClauses = "no clause on both sides"

// dividesClauses decides whether a cut parts two propositions: both sides are clauses and nothing on the
// left reaches into the right. It returns the subject that the right side goes on with, when it has
// none of its own, or the reason why the sides stay together.
func dividesClauses(left, right string, comma bool, inherited string) (subject, reason string) {
	l, r := Words(left), Words(right)
	if inherited == "" && !hasFinite(l) || len(r) == 0 {
		return "", notClauses
	}
	own := opensClause(r)
	if !own && !continuesSubject(r, comma) {
		return "", notClauses
	}
	switch {
	case hasEntangling(l):
		return "", "the first clause may govern the second"
	case len(Hedges(left)) > 0:
		return "", "the mark of doubt may be about both clauses"
	case own:
		return "", ""
	}
	if inherited != "" {
		return inherited, ""
	}
	subject = subjectOf(left, l)
	if subject == "" || hasEntangling(r[:min(len(r), 3)]) {
		return "", "the second verb may have the subject of the first or be its object"
	}
	return subject, ""
}

// continuesSubject reports whether words begin with a past form that has no subject: "sold the cow".
func continuesSubject(ws []Word, comma bool) bool {
	if comma || len(ws) < 2 {
		return false
	}
	w := ws[0].Lower
	return !ws[0].Upper && finiteVerb(w) && !auxiliaries[w]
}

// subjectOf returns the words before the first verb of a clause, when that verb is no auxiliary, no
// other verb or negation follows, and the words are a plain subject.
func subjectOf(clause string, ws []Word) string {
	for i, w := range ws {
		if i > maxSubject {
			return ""
		}
		if i == 0 || !finiteVerb(w.Lower) {
			if i > 0 && Function(w.Lower) && w.Lower != "of" && !determiners[w.Lower] {
				return ""
			}
			continue
		}
		if auxiliaries[w.Lower] {
			return ""
		}
		for _, o := range ws[i+1:] {
			if finiteVerb(o.Lower) || negations[o.Lower] {
				return ""
			}
		}
		first := ws[0]
		if subjectPronouns[first.Lower] && i == 1 || determiners[first.Lower] && i > 1 || first.Upper && !Function(first.Lower) {
			return clause[ws[0].Start:ws[i-1].End]
		}
		return ""
	}
	return ""
}

var negations = wordLists.Set("negations")

func hasEntangling(ws []Word) bool {
	return slices.ContainsFunc(ws, func(w Word) bool { return entangling[w.Lower] })
}

func hasFinite(ws []Word) bool {
	return len(ws) > 1 && slices.ContainsFunc(ws[1:], func(w Word) bool { return finiteVerb(w.Lower) })
}

// maxSubject is the most words of a subject before its verb.
const maxSubject = 4

// opensClause reports whether words begin with a subject and then a finite verb.
func opensClause(ws []Word) bool {
	if len(ws) < 2 {
		return false
	}
	first := ws[0]
	if subjectPronouns[first.Lower] {
		return finiteVerb(ws[1].Lower) || len(ws) > 2 && finiteVerb(ws[2].Lower)
	}
	if !determiners[first.Lower] && !(first.Upper && !Function(first.Lower)) {
		return false
	}
	for i := 1; i < len(ws) && i <= maxSubject; i++ {
		if finiteVerb(ws[i].Lower) {
			return true
		}
		if Function(ws[i].Lower) && ws[i].Lower != "of" && !determiners[ws[i].Lower] {
			return false
		}
	}
	return false
}
