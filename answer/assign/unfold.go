package assign

import (
	"slices"

	"muniment/answer/segment"
)

// unfold takes what is said beside the main sentence out of it: "X, who was ill, left" gives "X left" and
// "X was ill"; "X, the smith, left" gives "X left" (and "the smith left") and "X was the smith". main are
// wordings of one statement, of which any may be used; beside are statements of their own.
func unfold(ws []form) (main, beside [][]form) {
	main = [][]form{ws}
	for i, w := range ws {
		if w.text != comma {
			continue
		}
		end := i + 1
		for end < len(ws) && ws[end].text != comma {
			end++
		}
		inner := ws[i+1 : end]
		if len(inner) == 0 || i == 0 {
			continue
		}
		left := ws[:i]
		var right []form
		if end < len(ws) {
			right = ws[end+1:]
		}
		switch {
		case (inner[0].text == "who" || inner[0].text == "which") && len(inner) > 2 && finite(inner[1]) && !tied(inner[1:]):
			who := antecedent(left)
			if who == nil {
				continue
			}
			rest := slices.Concat(left, right)
			if len(right) > 0 && !finite(right[0]) && !verbal(left) {
				continue
			}
			return [][]form{rest}, [][]form{slices.Concat(who, inner[1:])}
		case len(right) > 0 && finite(right[0]) && !verbal(left) && participle(inner[0]) && len(inner) > 2 && preposition(inner, 1) && !verbal(inner[1:]) && !tied(inner) && parseNoun(left) != nil:
			return [][]form{slices.Concat(left, right)}, [][]form{slices.Concat(left, []form{{text: "was"}}, inner)}
		case len(right) == 0 && i > 2 && verbal(left) && !verbal(inner) && (inner[0].text == "the" || inner[0].text == "a" || inner[0].text == "1") && !tied(left) && parts(left) != nil && len(parts(left)) == 1 &&
			!slices.ContainsFunc(inner, func(f form) bool { return remarks[f.text] || unreal[f.text] || negations[f.text] || reaching[f.text] }):
			if n := names(left); n < len(left) && n > 0 && inner[0].text != "1" {
				is := form{text: "was"}
				if v := predicate(left); v > 0 && (left[v].text == "is" || left[v].text == "are") {
					is.text = "is"
				}
				return [][]form{left}, [][]form{slices.Concat(left[n:], []form{is}, inner)}
			}
			return [][]form{left}, nil
		case len(right) == 0 && len(inner) > 3 && inner[0].text == "of" && (inner[1].text == "whom" || inner[1].text == "which") && len(parts(left)) == 1 && !tied(left):
			return [][]form{left}, nil
		case len(right) > 0 && finite(right[0]) && !verbal(left) && !verbal(inner) && !tied(inner) && parseNoun(left) != nil && apposed(left, inner):
			be := form{text: "was"}
			if t := right[0].text; t == "is" || t == "are" || t == "has" || t == "have" {
				be.text = "is"
			}
			return [][]form{slices.Concat(left, right), slices.Concat(inner, right)}, [][]form{slices.Concat(left, []form{be}, inner)}
		}
	}
	return main, nil
}

// antecedent returns the noun phrase that a relative clause behind left speaks of: all of it, or the
// name at its end.
func antecedent(left []form) []form {
	if !verbal(left) && parseNoun(left) != nil {
		return left
	}
	if n := names(left); n < len(left) && n > 0 {
		return left[n:]
	}
	return nil
}

// apposed tells whether one of two phrases is a name and the other says who that is.
func apposed(left, inner []form) bool {
	named := func(ws []form) bool { return names(ws) == 0 || titles[ws[0].text] && names(ws) <= 1 }
	lower := func(ws []form) bool {
		return len(ws) > 1 && (segment.Determiner(ws[0].text) || ws[0].text == "the" || slices.ContainsFunc(ws, func(f form) bool { return len(f.text) > 2 && f.text[len(f.text)-2:] == "'s" }))
	}
	return named(left) && lower(inner) || lower(left) && named(inner)
}
