package follow

import (
	"strings"
)

// opposites finds a word of the claim whose opposite the words have in its place.
func opposites(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.negates(piece) != s.negates(p) {
			continue
		}
		if a, b := opposite(c, piece, *s, p); a != "" {
			return Finding{Opposite, a, b}, true
		}
	}
	return Finding{}, false
}

// opposite returns a word of a claim's piece and its opposite in a piece of the words, where neither text has both; "" for none.
func opposite(c text, piece int, s text, p int) (claimed, written string) {
	for i := range c.words {
		w := &c.words[i]
		if w.piece < piece-1 || w.piece > piece || w.number != "" || s.has(w) || lists.negations[w.Lower] {
			continue
		}
		for j := range s.words {
			o := &s.words[j]
			if o.piece < p-1 || o.piece > p || o.number != "" || c.has(o) || lists.negations[o.Lower] {
				continue
			}
			if lists.converses[w.stem][o.stem] {
				continue
			}
			if other := contraries(); other[w.stem][o.stem] || other[w.Lower][o.Lower] || other[positive(w.Lower)][positive(o.Lower)] {
				return w.Lower, o.Lower
			}
		}
	}
	return "", ""
}

// positive returns the form that a comparative or superlative in -er or -est is made of, and other words as they are.
func positive(w string) string {
	for _, end := range []string{"er", "est"} {
		base, ok := strings.CutSuffix(w, end)
		if !ok || len(base) < 3 {
			continue
		}
		if b, ok := strings.CutSuffix(base, "i"); ok {
			return b + "y"
		}
		if n := len(base); base[n-1] == base[n-2] && base[n-1] != 'l' && base[n-1] != 's' {
			return base[:n-1]
		}
		return base
	}
	return w
}
