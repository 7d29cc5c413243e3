package judge

import (
	"fmt"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// meansThing reports whether the first word of a claim is an “it” that means a thing: it burned, it was sold. In “it
// rained”, “it was cold” and “it seems that” the pronoun means nothing.
func meansThing(c *clause.Sentence) bool {
	if len(c.Words) < 2 || c.Words[0] != "it" || hasComplement(c, 1) || lexicon.Weather.Has(c.Words[1]) || isCleft(c.Words) {
		return false
	}
	if !lexicon.Auxiliary.Has(c.Words[1]) && !lexicon.Modal.Has(c.Words[1]) {
		return true
	}
	return slices.ContainsFunc(c.Words[2:], func(w string) bool {
		return lexicon.Past.Has(w) || segment.FiniteVerb(w) || len(w) > 4 && (strings.HasSuffix(w, "en") || strings.HasSuffix(w, "wn"))
	})
}

// isCleft reports whether words only put one part of a statement first: It was not the vicar but the miller who bought the meadow.
func isCleft(words []string) bool {
	at := 2
	if len(words) > at && lexicon.Negation.Has(words[at]) {
		at++
	}
	return len(words) > at+2 && hasWord(words[1:2], "was", "is") && (lexicon.Determiner.Has(words[at]) || lexicon.Preposition.Has(words[at])) && hasWord(words[at+1:], "who", "that", "whom")
}

// checkThing returns a judgement after a look at what a draft and the papers mean by it: the subject of the sentence before must be named by the other.
func checkThing(j Judgement, words []Passage) Judgement {
	draft, there := lastSentence(words[0].Said), clause.Sentence{}
	for i := range words {
		text := words[i].Before
		if strings.TrimSpace(text) == "" {
			text = words[i].Earlier
		}
		if there = lastSentence(text); names(subjectOf(&draft), &there) && names(subjectOf(&there), &draft) {
			return j
		}
	}
	meant := draft.Raw
	if len(there.Words) == 0 {
		j.Reason = fmt.Sprintf("the draft speaks of “%s”, and the words do not say what “it” is", clip(meant))
	} else {
		j.Reason = fmt.Sprintf("“it” is of “%s” here, and of “%s” in the draft", clip(there.Raw), clip(meant))
	}
	j.Verdict, j.Rule, j.test, j.Findings = cite.ClaimNotShown, Referent, Scoped, nil
	return j
}

// lastSentence returns the last sentence of a text.
func lastSentence(text string) clause.Sentence {
	all := segment.Sentences(text, segment.Detect(text))
	if len(all) == 0 {
		return clause.Sentence{}
	}
	r := all[len(all)-1]
	return clause.Parse(strings.TrimSpace(text[r.Start:r.End]))
}

// subjectOf returns the tokens of a sentence before its verb; all of them where nothing of these is a noun.
func subjectOf(s *clause.Sentence) []clause.Token {
	for i := range s.Tokens {
		if s.Finite(i) && slices.ContainsFunc(s.Tokens[:i], clause.Token.Content) {
			return s.Tokens[:i]
		}
	}
	return s.Tokens
}

// names reports whether a sentence has one of the content words of some tokens.
func names(of []clause.Token, s *clause.Sentence) bool {
	have := stemsOf(s)
	return slices.ContainsFunc(of, func(t clause.Token) bool { return t.Content() && have[segment.Stem(t.Text)] })
}
