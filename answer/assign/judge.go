package assign

import (
	"slices"
	"strings"

	"muniment/answer/follow"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/cite"
)

// A Judgement is a verdict with the vetoes that led to it.
type Judgement struct {
	Verdict  cite.ClaimVerdict // follows, contradicted or not shown
	Findings []follow.Finding
	Share    float64 // of the claim's content words that the words hold, 0 to 1
}

// contradictionShare is the share of a claim's content words that the words must hold for a veto to be a
// contradiction: below it the two speak of different things.
const contradictionShare = 0.5

// Judge returns the verdict on a claim that rests on passages.
func Judge(claim string, passages ...follow.Passage) Judgement {
	d, ok := follow.Compare(claim, passages...)
	if !ok {
		return Judgement{Verdict: cite.ClaimNotShown}
	}
	j := Judgement{Findings: d.Findings, Share: d.Share}
	switch {
	case len(j.Findings) > 0 && j.Share >= contradictionShare, d.Struck: // what is struck supports nothing
		j.Verdict = cite.ClaimContradicted
	case len(j.Findings) == 0 && isStated(claim, passages):
		j.Verdict = cite.ClaimFollows
	default:
		j.Verdict = cite.ClaimNotShown
	}
	return j
}

// isStated reports whether the quoted words of one passage, or the passages together clause by clause, state a claim.
func isStated(claim string, passages []follow.Passage) bool {
	parts := segment.Claims(claim, "en")
	if len(parts) == 0 {
		return false
	}
	for _, part := range parts {
		if slices.ContainsFunc(passages, func(p follow.Passage) bool { return repeatsWords(part.Text, p) }) {
			continue
		}
		if !slices.ContainsFunc(passages, func(p follow.Passage) bool {
			return statesWithin(part.Text, p) || statesWithin(inPresent(part.Text), p)
		}) {
			return false
		}
	}
	return true
}

// statesWithin reports whether the quoted words state a claim, and still do within their paragraph.
func statesWithin(claim string, p follow.Passage) bool {
	return claim != "" && statesText(claim, p.Words, p.Names) && statesText(claim, p.Before+p.Words+p.After, p.Names)
}

// statesText reports whether one of the sentences of a text states a claim as a fact. names are those of the writer, for whom the first
// person stands.
func statesText(claim, text string, names []string) bool {
	self := words(names)
	if anotherSpeaks(text, self) {
		self = nil
	}
	sentences := segment.Sentences(text, "en")
	return slices.ContainsFunc(sentences, func(s segment.Range) bool {
		if takenBackAfter(text, sentences, s) {
			return false
		}
		c := newComparedSentence(claim, text[s.Start:s.End], &retrieve.Passage{}, self)
		return c != nil && (c.repeats() || c.restates())
	})
}

// present are the forms of be and have that a document uses for what a claim about it puts in the past.
var present = map[string]string{"was": "is", "were": "are", "had": "has"}

// inPresent returns a claim with was, were and had in the present, as a letter of the day would have it; "" where it
// has none of them.
func inPresent(claim string) string {
	var b strings.Builder
	end := 0
	for _, w := range segment.Words(claim) {
		if now := present[w.Lower]; now != "" && !w.Upper {
			b.WriteString(claim[end:w.Start] + now)
			end = w.End
		}
	}
	if end == 0 {
		return ""
	}
	return b.String() + claim[end:]
}

// repeatsWords reports whether quoted words hold a claim as it stands, up to case, typography and the stop at its end, and no
// sentence behind takes it back; it must have a verb to be a claim.
func repeatsWords(claim string, p follow.Passage) bool {
	plain := func(s string) string {
		var b strings.Builder
		for _, w := range segment.Words(s) {
			b.WriteString(" " + w.Lower)
			if w.Possessive {
				b.WriteString("'s")
			}
		}
		return b.String() + " "
	}
	said := slices.ContainsFunc(segment.Words(claim), func(w segment.Word) bool { return segment.FiniteVerb(w.Lower) })
	text := p.Words + p.After
	sentences := segment.Sentences(text, "en")
	for _, s := range segment.Sentences(p.Words, "en") {
		if said && plain(p.Words[s.Start:s.End]) == plain(claim) && !takenBackAfter(text, sentences, s) {
			return true
		}
	}
	return false
}
