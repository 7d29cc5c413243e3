package assign

import (
	"slices"
	"strings"

	"muniment/answer/follow"
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

// align compares a claim with a sentence of a passage. quoted holds the sentence, and what stands around it, for the vetoes of package follow,
// which a claim in another order or voice must pass.
func align(claim string, quoted follow.Passage, p *retrieve.Passage, self map[string]bool) alignment {
	if anotherSpeaks(quoted.Before+quoted.Words+quoted.After, self) {
		self = nil
	}
	a := compareWords(claim, quoted.Words, p, self)
	c := newComparedSentence(claim, quoted.Words, p, self)
	switch {
	case len(segment.Words(claim)) > maxTokens || len(segment.Words(quoted.Words)) > maxTokens:
		return alignment{failed: "words"}
	case c != nil && (c.repeats() || c.restates() && !isVetoed(claim, quoted, self)):
		a.failed = ""
	default:
		a.failed = first(a.failed, "order")
	}
	return a
}

// isVetoed reports whether package follow finds what keeps a claim from following from a sentence; the name of the writer, for whom a verb without
// a subject may stand, is no such thing.
func isVetoed(claim string, quoted follow.Passage, self map[string]bool) bool {
	return slices.ContainsFunc(follow.Vetoes(claim, quoted), func(f follow.Finding) bool {
		return f.Test != follow.Name || !self[strings.ToLower(f.Claim)]
	})
}

// A comparedSentence is a claim and a sentence in normal form.
type comparedSentence struct {
	matcher
	claim, sentence []form
	diary           bool // clauses without a subject tell what the writer did
}

// newComparedSentence returns nil where the sentence states nothing by itself, or holds too few of the claim's words.
func newComparedSentence(claim, sentence string, p *retrieve.Passage, self map[string]bool) *comparedSentence {
	if isUnread(sentence) {
		return nil
	}
	c := &comparedSentence{matcher: matcher{subjectWrites: bySubject(p, self)}, claim: normal(forms(claim, self)), sentence: normal(forms(sentence, self))}
	c.diary = len(self) > 0 && c.subjectWrites
	if len(c.claim) == 0 || len(c.sentence) == 0 || len(c.sentence) > maxTokens || !sharesMost(c.claim, c.sentence) {
		return nil
	}
	return c
}

// repeats reports whether the claim repeats a clause that the sentence states as a fact.
func (c *comparedSentence) repeats() bool {
	return slices.ContainsFunc(factualClauses(c.sentence, c.diary), func(clause []form) bool { return c.repeatsClause(c.claim, clause) })
}

// restates reports whether the sentence states the clauses of the claim in another order or voice.
func (c *comparedSentence) restates() bool { return c.restatesSentence(c.claim, c.sentence, c.diary) }

// isUnread reports whether a sentence is one that states nothing by itself: a question, one with quotation marks or
// brackets, or what a paper says: "Complaint of the widow: the bailiff stole the cow".
func isUnread(sentence string) bool {
	if head, _, ok := strings.Cut(sentence, ":"); ok && isOthersPaper(head) {
		return true
	}
	return hasQuotes(sentence) || strings.ContainsAny(sentence, "()[]{}") || strings.HasSuffix(strings.TrimRight(sentence, "”“»«\"')] "), "?")
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
