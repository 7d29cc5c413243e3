package assign

import (
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// A token is one word of a claim or of evidence.
type token struct {
	segment.Word
	stem     string
	number   string // value, "" for other words
	content  bool   // must align: no function word, not part of a date that holds, not the subject's name
	name     bool   // a capital inside a sentence
	negation bool
	modal    bool
	self     bool // the subject's own name
}

// tokens analyses a text. self are words of the subject's names. held are dates of the claim that need no words.
func tokens(text string, self map[string]bool, held []retrieve.DateRange) []token {
	words := segment.Words(text)
	out := make([]token, len(words))
	end := 0
	for i, w := range words {
		t := token{Word: w, stem: segment.Stem(w.Lower)}
		gap := text[end:w.Start]
		end = w.End
		t.number = number(w.Lower)
		if w.Lower == "one" && i+1 < len(words) && !segment.Function(words[i+1].Lower) && text[w.End:words[i+1].Start] == " " {
			t.number = "1"
		}
		t.negation = negations[w.Lower] || strings.HasSuffix(w.Lower, "n't")
		first := i == 0 || strings.ContainsAny(gap, ".!?")
		t.modal = (modals[t.stem] || modals[w.Lower]) && !within(w, held) && (first || !w.Upper) // not May, Will
		t.self = self[w.Lower]
		t.name = w.Upper && !first && !segment.Function(w.Lower) && !t.self
		t.content = (t.number != "" || !segment.Function(w.Lower)) && !t.self && !t.negation && !within(w, held)
		out[i] = t
	}
	return out
}

func within(w segment.Word, dates []retrieve.DateRange) bool {
	for _, d := range dates {
		if w.Start >= d.Start && w.End <= d.End {
			return true
		}
	}
	return false
}
