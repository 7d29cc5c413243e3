package assign

import (
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// maxTokens is the largest number of words of a claim or a sentence that are compared; longer ones do not align.
const maxTokens = 200

// An alignment is the result of comparing a claim with a text.
type alignment struct {
	share  float64 // of the claim's content words that the text holds
	failed string  // the test that failed; "" when all passed
}

// align compares a claim with one sentence of a passage's text.
func align(claim, sentence string, p *retrieve.Passage, self map[string]bool) alignment {
	a := compareWords(claim, sentence, p, self)
	switch {
	case len(segment.Words(claim)) > maxTokens || len(segment.Words(sentence)) > maxTokens:
		return alignment{failed: "words"}
	case states(claim, sentence, p, self):
		a.failed = ""
	default:
		a.failed = first(a.failed, "order")
	}
	return a
}

// states reports whether a sentence states a claim as a fact.
func states(claim, sentence string, p *retrieve.Passage, self map[string]bool) bool {
	if hasQuotes(sentence) || strings.ContainsAny(sentence, "()[]{}") || strings.HasSuffix(strings.TrimRight(sentence, "”“»«\"')] "), "?") {
		return false
	}
	m := matcher{subjectWrites: bySubject(p, self)}
	c, ws := normal(forms(claim, self)), normal(forms(sentence, self))
	if len(c) == 0 || len(ws) == 0 || len(ws) > maxTokens || !sharesMost(c, ws) {
		return false
	}
	return slices.ContainsFunc(factualClauses(ws, len(self) > 0 && m.subjectWrites), func(clause []form) bool { return m.repeats(c, clause) })
}

// sharesMost reports whether a sentence holds two thirds of a claim's content words; with fewer, no clause of
// the sentence can repeat the claim.
func sharesMost(c, sentence []form) bool {
	total, found := 0, 0
	stem := func(f form) string { return segment.Stem(strings.TrimSuffix(f.text, "'s")) }
	for _, w := range c {
		if segment.Function(w.text) || w.text == comma || w.text == subject || isDate(w.text) {
			continue
		}
		total++
		if slices.ContainsFunc(sentence, func(e form) bool { return e.text == w.text || stem(e) == stem(w) }) {
			found++
		}
	}
	return 3*found >= 2*total
}

// ownDates returns the dates of a claim that contain the date of the passage's document.
func ownDates(claim string, p *retrieve.Passage) []retrieve.DateRange {
	own := retrieve.Dates(p.Date)
	if len(own) != 1 {
		return nil
	}
	return slices.DeleteFunc(retrieve.Dates(claim), func(d retrieve.DateRange) bool {
		return own[0].From < d.From || own[0].To > d.To
	})
}

// compareWords returns the share of a claim's content words that a text holds, and the test that the first
// missing word fails.
func compareWords(claim, text string, p *retrieve.Passage, self map[string]bool) alignment {
	words := tokens(text, self, nil)
	total, found, failed := 0, 0, ""
	for _, t := range tokens(claim, self, ownDates(claim, p)) {
		if quantities[t.Lower] && !slices.ContainsFunc(words, func(o token) bool { return o.Lower == t.Lower }) {
			failed = first(failed, "quantity")
		}
		if !t.content {
			continue
		}
		total++
		switch {
		case slices.ContainsFunc(words, func(o token) bool { return sameToken(t, o) }):
			found++
		case t.number != "":
			failed = "number"
		case t.name:
			failed = first(failed, "name")
		default:
			failed = first(failed, "words")
		}
	}
	if total == 0 {
		return alignment{failed: "words"}
	}
	return alignment{share: float64(found) / float64(total), failed: failed}
}

// first returns a, or b where a is empty.
func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// sameToken reports whether two words are one number, or have one stem.
func sameToken(a, b token) bool {
	if a.number != "" || b.number != "" {
		return a.number == b.number
	}
	return a.stem == b.stem
}

// hasQuotes reports whether a text has quotation marks, so that it is not known who says I.
func hasQuotes(s string) bool { return strings.ContainsAny(s, "“”„«»\"") }

// bySubject reports whether the first person of a passage is the archive's subject.
func bySubject(p *retrieve.Passage, self map[string]bool) bool {
	if p.Author == "" || len(self) == 0 {
		return true
	}
	return slices.ContainsFunc(segment.Words(p.Author), func(w segment.Word) bool { return self[w.Lower] })
}

// States reports whether one of the sentences of a text states a claim as a fact, by the rules of the package
// comment. names are those of the writer, for whom the first person stands.
func States(claim, text string, names ...string) bool {
	self := words(names)
	for _, s := range segment.Sentences(text, "en") {
		if states(claim, text[s.Start:s.End], &retrieve.Passage{}, self) {
			return true
		}
	}
	return false
}
