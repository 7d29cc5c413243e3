package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// trail classifies the tokens after the claim in its sentence.
func (m *match) trail(g gap) finding {
	parts := m.s.Parts(g.from, g.to)
	own := false // a clause that is joined to the claim has begun, and what restricts is part of it
	for k, p := range parts {
		if strings.ContainsAny(p.Stop, ";:") {
			return m.trailClauses(parts[k:])
		}
		if f := m.trailPart(p, k == 0); f.rule == Scope || f.rule != "" && !own {
			return f
		}
		own = own || lexicon.Coordinator.Has(m.s.Words[p.From]) && p.Stop != ""
	}
	return nothing
}

// trailClauses classifies what a semicolon or a colon divides from the claim, up to the end: clauses of their own, of
// which each may take the claim back or hold it to a case.
func (m *match) trailClauses(parts []clause.Part) finding {
	says := match{c: m.c, s: m.c}
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && !strings.ContainsAny(parts[n].Stop, ";:") {
			n++
		}
		whole := clause.Part{From: parts[0].From, To: parts[n-1].To, Stop: parts[0].Stop}
		all := finding{Scope, whole.From, whole.To}
		if _, found := m.find(whole.From, parts[0].To, turns...); found && m.refersBack(parts[0]) || m.tellsOfIt(whole.From) || lexicon.Hearsay.At(m.s.Words, whole.From) > 0 {
			return all
		}
		if !says.isScoped() && takesBack(m.rawOf(whole.From, whole.To), m.s.Raw) {
			return all
		}
		if f := m.limit(parts[0]); f.rule != "" {
			return f
		}
		clause := m.s.HasFinite(whole.From, whole.To) && (whole.Stop != ":" || m.event()) // not: on Sundays, in winter
		for _, p := range parts[1:n] {
			if f := m.trailPart(p, false); f.rule != "" && !clause && !m.counts(parts[0].From) {
				return f
			}
		}
		if m.excepts(whole) {
			return finding{Restriction, whole.From, whole.To}
		}
		parts = parts[n:]
	}
	return nothing
}

// tellsOfIt reports whether a clause that begins at a token says what the claim is, or when it was so: that was before the war, such is the tale.
func (m *match) tellsOfIt(i int) bool {
	n := lexicon.Anaphor.At(m.s.Words, i)
	return n > 0 && i+n < len(m.s.Words) && lexicon.Auxiliary.Has(m.s.Words[i+n])
}

// counts reports whether a list of things begins at a token: three folders, two rolls and an atlas.
func (m *match) counts(i int) bool {
	return m.s.Tokens[i].Number || lexicon.Determiner.Has(m.s.Words[i]) && !m.s.HasFinite(i, len(m.s.Tokens))
}

// excepts reports whether a clause after the claim names an exception to the state, habit or rule that the claim tells: with wet samples it fails.
func (m *match) excepts(p clause.Part) bool {
	if m.event() {
		return false
	}
	words := m.s.Words[p.From:p.To]
	denies := lexicon.Negation.In(words) != "" || lexicon.ImplicitNegation.In(words) != ""
	if !denies {
		return false
	}
	claimed := stemsOf(m.c)
	for k := p.From; k < p.To; k++ {
		if w := m.s.Words[k]; lexicon.ThirdPerson.Has(w) && lexicon.Pronoun.Has(w) || m.s.Tokens[k].Content() && claimed[segment.Stem(w)] && m.isVerb(k) {
			return true
		}
	}
	return false
}

// isVerb reports whether the token before one is a noun, a name or a pronoun, and no preposition or article.
func (m *match) isVerb(k int) bool {
	w := m.s.Words[k-1]
	return !lexicon.Determiner.Has(w) && !lexicon.Preposition.Has(w) && !m.s.Tokens[k-1].Number
}

// trailPart classifies a part after the claim: one that continues its clause, or one that a comma, a semicolon or a bracket opens.
func (m *match) trailPart(p clause.Part, continues bool) finding {
	words := m.s.Words[p.From:p.To]
	first := words[0]
	all := finding{Scope, p.From, p.To}
	if _, found := m.find(p.From, p.To, turns...); found && m.refersBack(p) {
		return all
	}
	if strings.ContainsAny(p.Stop, "([") {
		if _, found := m.find(p.From, p.To, slices.Concat(scopes, turns)...); found {
			return all
		}
		return finding{Restriction, p.From, p.To}
	}
	divided := strings.ContainsAny(p.Stop, "–—")
	says := match{c: m.c, s: m.c}
	if (divided || lexicon.Coordinator.Has(first) && p.Stop != "") && !says.isScoped() && takesBack(m.rawOf(p.From, p.To), m.s.Raw) {
		return all
	}
	if n := lexicon.Condition.At(m.s.Words[:p.To], p.From); n > 0 && !concedes(words) {
		return all
	}
	if lexicon.Coordinator.Has(first) && first != "or" && first != "oder" && first != "nor" {
		if m.tellsState() && hasWord(words[:1], "then", "but", "yet", "aber", "doch") && len(words) > 1 && !(&backward{*m.s}).opensSubject(p.From+1) {
			return finding{Restriction, p.From, p.To} // was closed, then opened again: of the same thing, what may undo it
		}
		if m.s.HasFinite(p.From, p.To) || m.s.Presents(p.From+1, p.To) || first == "denn" && p.Stop != "" || (first == "and" || first == "und") && m.goesOn(p.From+1, p.To) {
			return nothing
		}
		return finding{Restriction, p.From, p.To}
	}
	if _, found := m.find(p.From, p.To, scopes...); !found && p.Stop != "" && (m.bearsOut(p) || m.joins(p)) {
		return nothing
	}
	if n := lexicon.Subordinator.At(m.s.Words[:p.To], p.From); n > 0 && m.s.HasFinite(p.From, p.To) {
		if first != "as" && first != "wie" && m.event() || hasWord(words[:1], "because", "since", "although", "though", "whereas", "weil", "obwohl", "da") || p.Stop != "" && hasWord(words[:1], "while", "während") {
			return nothing
		}
		return all // as the agent put it
	}
	if p.Stop != "" && lexicon.Relative.Has(first) && first != "that" {
		if _, found := m.find(p.From, p.To, lexicon.Doubt, lexicon.Hearsay); found {
			return all
		}
		if m.restricts(p.From) {
			return finding{Restriction, p.From, p.To}
		}
		return nothing
	}
	if f, found := m.find(p.From, p.To, scopes...); found {
		if lexicon.Preposition.Has(first) && lexicon.Report.Has(m.s.Words[f.from]) && f.from > p.From+1 && slices.ContainsFunc(m.s.Words[f.from-2:f.from], lexicon.Determiner.Has) {
			return finding{Restriction, p.From, p.To} // within a week of a protected report
		}
		return finding{Scope, f.from, p.To}
	}
	if p.Stop != "" && !m.s.HasFinite(p.From, p.To) && lexicon.Determiner.Has(first) && !lexicon.Quantifier.Has(first) && m.endsNoun(p.From) {
		return nothing // another name of the thing before it: a town in Kent
	}
	if (first == "after" || first == "following" || first == "nach") && m.event() && !m.hasQuantifier() && !m.s.HasFinite(p.From, p.To) {
		return nothing
	}
	if n := m.phrase(p.From, p.To); n > 0 {
		if p.From+n == p.To {
			return nothing
		}
		return m.trailPart(clause.Part{From: p.From + n, To: p.To}, true)
	}
	return finding{Restriction, p.From, p.To}
}

// endsNoun reports whether the words before a token are those of a thing, which may have another name after them: to a brewer, in Ely. After a verb or
// what is said of the subject, as in was sold, is safe, the words that follow say something of the whole.
func (m *match) endsNoun(i int) bool {
	for k := i - 1; k >= 0 && !m.s.Finite(k); k-- {
		if w := m.s.Words[k]; m.s.Tokens[k].Upper || m.s.Tokens[k].Number || m.s.Tokens[k].Date || lexicon.Determiner.Has(w) || lexicon.Preposition.Has(w) {
			return true
		}
	}
	return false
}

// goesOn reports whether a token after "and" is a verb in the present with an object or a place after it: and hires a third, und mietet im Sommer eines.
func (m *match) goesOn(i, to int) bool {
	if i+1 >= to {
		return false
	}
	w, next := m.s.Words[i], m.s.Words[i+1]
	ends := strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "t")
	return ends && len(w) > 3 && !m.s.Tokens[i].Upper && !lexicon.Function.Has(w) && (lexicon.Determiner.Has(next) || m.s.Tokens[i+1].Number || strings.HasSuffix(w, "t") && lexicon.Preposition.Has(next))
}

// bearsOut reports whether a part says what shows that the claim is so: as the books show, wie die Bücher zeigen.
func (m *match) bearsOut(p clause.Part) bool {
	first := m.s.Words[p.From]
	return (first == "as" || first == "wie") && p.To > p.From+2 && lexicon.Vouching.In(m.s.Words[p.From:p.To]) != ""
}

// joins reports whether a part is a clause of its own that only a comma divides from the claim, and that says what is:
// the roof is of straw, sie hat zwölf Register. It may repeat the claim's verb. A verb of saying, which may be any
// other one, has what is said before it: the foreman explained.
func (m *match) joins(p clause.Part) bool {
	first := &m.s.Tokens[p.From]
	if first.Text == "for" {
		return m.s.HasFinite(p.From, p.To)
	}
	if first.Text == "was" && p.To > p.From+2 {
		return true // what angered the dealers
	}
	if !lexicon.Determiner.Has(first.Text) && !lexicon.Pronoun.Has(first.Text) && !isName(m.s, p.From) && !first.Upper {
		return false
	}
	claimed := stemsOf(m.c)
	for k := p.From + 1; k < p.To-1; k++ {
		w := m.s.Words[k]
		if lexicon.Auxiliary.Has(w) && !m.s.Finite(p.To-1) && !strings.HasSuffix(m.s.Words[p.To-1], "t") || m.s.Tokens[k].Content() && !m.s.Tokens[k].Upper && claimed[segment.Stem(w)] {
			return true
		}
	}
	return false
}

// limit classifies a part that a semicolon or a colon divides from the claim: a condition that governs no clause of its
// own, or words without a verb that begin by a limit, hold the claim to a case: only in March, unless it froze. A
// clause of its own leaves the claim as it is.
func (m *match) limit(p clause.Part) finding {
	words, from := m.s.Words[:p.To], p.From
	for from < p.To-1 && (lexicon.Coordinator.Has(words[from]) || words[from] == "jedoch") {
		from++
	}
	if max(lexicon.Condition.At(words, from), lexicon.Proviso.At(words, from)) > 0 && words[from] != "once" && words[from] != "otherwise" && !m.s.HasFinite(p.To, len(m.s.Tokens)) {
		return finding{Scope, p.From, p.To}
	}
	opens := max(lexicon.Only.At(words, from), lexicon.Exception.At(words, from), lexicon.Exception.At(words, p.From), lexicon.Negation.At(words, from))
	if lexicon.Exception.At(words, p.To-1) > 0 || opens > 0 && !m.s.HasFinite(from, p.To) { // students excepted; only in March
		return finding{Restriction, p.From, p.To}
	}
	return nothing
}

// restricts reports whether a relative clause that begins at a token says which things are meant. A comma in German
// does not say that it adds only: it adds where its noun is a name or has a definite article.
func (m *match) restricts(at int) bool {
	if language(m.words, m.s.Raw) != "de" || at < 1 {
		return false
	}
	if m.hasQuantifier() {
		return true
	}
	for k := at - 2; k >= max(0, at-4); k-- {
		if w := m.s.Words[k]; lexicon.Determiner.Has(w) {
			return strings.HasPrefix(w, "ein")
		}
	}
	return !m.event()
}

// refersBack reports whether a part speaks of what was said: this is false, which he denied, he withdrew it.
func (m *match) refersBack(p clause.Part) bool {
	return hasWord(m.s.Words[p.From:p.To], "this", "that", "which", "it", "these", "all", "so", "none", "das", "dies", "was", "es") || strings.ContainsAny(p.Stop, "([")
}
