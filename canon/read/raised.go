package read

import (
	"strings"
	"unicode"
)

// The characters that have a raised and a lowered form of their own, in the same
// order. A hyphen is a minus here.
var (
	plainForms   = []rune("0123456789+-−=()ni")
	raisedForms  = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
	loweredForms = []rune("₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙᵢ")
)

// Superscript returns a run of text as it is written where it is raised above
// the line, as in 10⁶: in raised characters if all of it has them. Another run
// stays as it is, since words must be found (1st, Mme), unless it holds a number
// or one of + - − =, with which it would join the number before it: that is set
// off as in 2^(3/4). What stands in square brackets, like the mark of a note, is
// set off already. A run ends at a line's end and at a tab; white space at its
// edges is not of it.
func Superscript(run string) string { return setRuns(run, raisedForms, "^(") }

// Subscript is Superscript for what is lowered below the line, as in H₂O and
// x_(2a).
func Subscript(run string) string { return setRuns(run, loweredForms, "_(") }

// setRuns sets every run of a text between line ends and tabs in raised or
// lowered forms.
func setRuns(s string, forms []rune, open string) string {
	var out strings.Builder
	for s != "" {
		end := strings.IndexAny(s, "\n\t")
		if end < 0 {
			end = len(s)
		}
		run := strings.TrimLeftFunc(s[:end], unicode.IsSpace)
		out.WriteString(s[:end-len(run)])
		inner := strings.TrimRightFunc(run, unicode.IsSpace)
		setRun(&out, inner, forms, open)
		out.WriteString(run[len(inner):])
		if end < len(s) {
			out.WriteByte(s[end])
			end++
		}
		s = s[end:]
	}
	return out.String()
}

// setRun writes one run in raised or lowered forms, or set off by open and a
// parenthesis.
func setRun(out *strings.Builder, run string, forms []rune, open string) {
	whole, number := make([]rune, 0, 8), false
	for _, r := range run {
		at := indexRune(r)
		number = number || unicode.IsNumber(r) || at >= 0 && strings.ContainsRune("+-−=", r)
		switch {
		case at >= 0 && whole != nil:
			whole = append(whole, forms[at])
		default:
			whole = nil
		}
	}
	switch {
	case whole != nil:
		out.WriteString(string(whole))
	case number && !(strings.HasPrefix(run, "[") && strings.HasSuffix(run, "]")):
		out.WriteString(open)
		out.WriteString(run)
		out.WriteByte(')')
	default:
		out.WriteString(run)
	}
}

// indexRune returns the place of a character in plainForms, or -1.
func indexRune(r rune) int {
	for i, c := range plainForms {
		if c == r {
			return i
		}
	}
	return -1
}
