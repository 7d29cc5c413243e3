package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Comparison says how much of a claim a text holds, word by word and whatever it says with them.
type Comparison struct {
	Content int     // content words of the claim
	Found   int     // of these, in the text by stem
	Absent  string  // the first number, date or name that the text does not have, as the claim writes it; else ""
	Share   float64 // Found of Content, 0 to 1
}

// Compare counts the content words of a claim in a text. names are of the writer; they and the ranges of the claim in skip are not counted.
func Compare(claim, text string, names []string, skip []segment.Range) Comparison {
	c, s := clause.Parse(claim), clause.Parse(text)
	own := clause.Parse(strings.Join(names, " ")).Words
	have, out := stemsOf(&s), Comparison{}
	for i, t := range c.Tokens {
		base := strings.TrimSuffix(t.Text, "'s")
		if !t.Content() || slices.Contains(own, base) || slices.ContainsFunc(skip, func(r segment.Range) bool { return t.Start >= r.Start && t.End <= r.End }) {
			continue
		}
		out.Content++
		switch {
		case have[segment.Stem(base)]:
			out.Found++
		case (t.Number || t.Date || t.Upper && i > 0) && out.Absent == "":
			out.Absent = raw(&c, i)
		}
	}
	if out.Content > 0 {
		out.Share = float64(out.Found) / float64(out.Content)
	}
	return out
}

// ScopeOfQuote returns why words that are quoted as they are, a phrase or a clause, do not state in their place what
// they seem to: what governs them in the rest of their sentence or around it. "" where nothing does. Words that are
// said in the claim that quotes them, as that claim repeats them, are not held against it.
func ScopeOfQuote(w Passage, claim string) string {
	text := w.Before + w.Words + w.After
	if len(text) > MaxText {
		return ""
	}
	from, to := len(w.Before), len(w.Before)+len(w.Words)
	said, quoted := clause.Parse(claim), clause.Parse(w.Words)
	sentences := segment.Sentences(text, language(w, claim))
	for i, r := range sentences {
		if r.End <= from || r.Start >= to {
			continue
		}
		s := clause.Parse(text[r.Start:r.End])
		p := place{text: text, sentences: sentences, at: i, words: &w}
		m := match{c: &quoted, s: &s}
		for k, t := range s.Tokens {
			if r.Start+t.Start >= from && r.Start+t.End <= to {
				m.at = append(m.at, k)
			}
		}
		if reason, _ := p.scopeAround(&m); reason != "" {
			return reason
		}
		if m.c = &s; len(m.at) == 0 {
			continue
		}
		if s.Asks() && !said.Asks() && len(m.gaps()) > 0 {
			return "the words are part of a question"
		}
		for _, g := range m.gaps() {
			f := m.classify(g)
			if f.rule == Scope && f.to-f.from > 1 && m.saidByWriter(f) {
				continue
			}
			if not := m.deniesBeside(g); not >= 0 && !hasWords(&said, m.s.Words[not:not+1]) {
				return "the words are denied by “" + m.rawOf(not, not+1) + "”"
			}
			if (f.rule == Scope || f.rule == Contradiction) && !hasWords(&said, m.s.Words[f.from:f.to]) {
				return "the words hold only with “" + m.rawOf(f.from, f.to) + "”"
			}
		}
	}
	return ""
}

// saidByWriter reports whether a scope is the writer's own saying so: I told Ruth that.
func (m *match) saidByWriter(f finding) bool {
	for i := f.from; i < f.to; i++ {
		if m.ownWord(i) {
			return true
		}
	}
	return false
}

// deniesBeside returns the negation in a gap that no punctuation and no coordinator divides from the quoted words, -1 for none.
func (m *match) deniesBeside(g gap) int {
	for i := g.from; i < g.to; i++ {
		if !lexicon.Negation.Has(m.s.Words[i]) {
			continue
		}
		between := m.s.Tokens[g.from : i+1]
		if g.from < m.at[0] {
			between = m.s.Tokens[i+1 : min(g.to+1, len(m.s.Tokens))]
		}
		if !slices.ContainsFunc(between, func(t clause.Token) bool { return strings.ContainsAny(t.Gap, ",;:") || lexicon.Coordinator.Has(t.Text) }) {
			return i
		}
	}
	return -1
}

// hasWords reports whether a claim has all words of a scope.
func hasWords(claim *clause.Sentence, words []string) bool {
	have := stemsOf(claim)
	return !slices.ContainsFunc(words, func(w string) bool { return !have[segment.Stem(w)] })
}

// ScopeWord returns the first word or phrase of sentences by which they do not state what they hold, a condition, a
// report, a denial, a fiction, and that the claim does not have; "" where there is none. It is stricter than Judge, for
// claims that are only inferred.
func ScopeWord(text, claim string) string {
	c := clause.Parse(claim)
	for _, r := range segment.Sentences(text, "en") {
		s := clause.Parse(text[r.Start:r.End])
		if word := scopeWord(s, c); word != "" {
			return word
		}
	}
	return ""
}

// scopeWord is ScopeWord for one sentence.
func scopeWord(s, c clause.Sentence) string {
	if len(s.Words) == 0 || len(c.Words) == 0 {
		return ""
	}
	if s.Asks() && !c.Asks() {
		return "?"
	}
	m := match{c: &c, s: &s}
	if first := s.Words[0]; invertsClause(first) && !hasWords(&c, []string{first}) || invertsClause(first) && !hasWords(&c, []string{"if"}) && c.Words[0] != first {
		return first
	}
	for i := range s.Words {
		f, found := m.findFrom(i, slices.Concat(scopes, turns, []lexicon.List{lexicon.Negation}))
		if !found {
			continue
		}
		denies := lexicon.Negation.Has(s.Words[i])
		if (!denies || m.nearClaim(i)) && !hasWords(&c, s.Words[f.from:f.to]) && (denies || !m.ownWord(i)) {
			return strings.Join(s.Words[f.from:f.to], " ")
		}
	}
	return ""
}

// ownWord reports whether a verb of saying is the writer's own, who says so: I wrote, I believe.
func (m *match) ownWord(i int) bool {
	w := m.s.Words[i]
	return i > 0 && (m.s.Words[i-1] == "i" || m.s.Words[i-1] == "ich") && (lexicon.Attribution.Has(w) || w == "think" || w == "thought" || w == "believe" || w == "believed")
}

// nearClaim reports whether the part of a sentence that holds a token has a content word of the claim.
func (m *match) nearClaim(i int) bool {
	for _, p := range m.s.Parts(0, len(m.s.Tokens)) {
		if i >= p.From && i < p.To {
			return p.To == p.From+1 || names(m.s.Tokens[p.From:p.To], m.c)
		}
	}
	return false
}

// findFrom returns the entry of any of the lists that begins at a token.
func (m *match) findFrom(i int, in []lexicon.List) (finding, bool) {
	for _, l := range in {
		if n := l.At(m.s.Words, i); n > 0 && !(i > 0 && m.s.Tokens[i].Upper && lexicon.Modal.Has(m.s.Words[i])) {
			return finding{Scope, i, i + n}, true
		}
	}
	return nothing, false
}

// invertsClause reports whether a verb that opens a sentence makes a condition of it: had he come.
func invertsClause(w string) bool {
	return hasWord([]string{w}, "had", "were", "should", "hätte", "hätten", "wäre", "wären", "sollte", "sollten")
}

// startsInverted reports whether a sentence begins with the verb of a condition: Had the Authority, Sollte der Sand; and is no question.
func startsInverted(s *clause.Sentence) bool {
	return len(s.Words) >= 4 && invertsClause(s.Words[0]) && !s.Asks()
}

// Denies reports whether a text has a negation.
func Denies(text string) bool { return lexicon.Negation.In(clause.Parse(text).Words) != "" }
