package segment

import "strings"

// maxDivided is how many bytes a sentence that is cut into propositions may have. What is longer is
// not the prose of a draft, and stays whole.
const maxDivided = 2000

// propositions cuts a sentence into ranges of one proposition each, where that is clearly safe.
// The conjunction between two of them belongs to none.
func propositions(sentence string) []Range {
	var out []Range
	start := 0
	if len(sentence) > maxDivided {
		return []Range{{0, len(sentence)}}
	}
	for _, c := range cuts(sentence) {
		left, right := sentence[start:c.Start], sentence[c.End:]
		if strings.TrimSpace(left) == "" || !separable(left, right) {
			continue
		}
		out = append(out, Range{start, c.Start})
		start = c.End
	}
	return append(out, Range{start, len(sentence)})
}

// cuts returns the places "; " and ", and " outside quotations, brackets, code and markers.
func cuts(s string) []Range {
	var out []Range
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
		case ';', ',':
			if depth > 0 || quoted || code {
				continue
			}
			if n := cutLen(s[i:]); n > 0 {
				out = append(out, Range{i, i + n})
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
	if n == 1 {
		return 0
	}
	for _, c := range [...]string{"and ", "und "} {
		if strings.HasPrefix(t[n:], c) {
			return n + len(c)
		}
	}
	if t[0] == ';' {
		return n
	}
	return 0
}

// separable tells whether both halves are clauses with a subject and a verb of their own and
// nothing in the left half reaches into the right one.
func separable(left, right string) bool {
	l, r := Words(left), Words(right)
	return !entangled(l) && len(Hedges(left)) == 0 && hasFinite(l) && opensClause(r)
}

func entangled(ws []Word) bool {
	for _, w := range ws {
		if entangling[w.Lower] {
			return true
		}
	}
	return false
}

func hasFinite(ws []Word) bool {
	for i, w := range ws {
		if i > 0 && finiteVerb(w.Lower) {
			return true
		}
	}
	return false
}

// maxSubject is how many words of a subject may stand before its verb.
const maxSubject = 4

// opensClause tells whether words begin with a subject and then a finite verb.
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
