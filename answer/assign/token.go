package assign

import (
	"strings"
	"unicode/utf8"

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
	self     bool   // the subject's own name
	gap      string // the text between the word before and this one
	prep     string // the preposition that governs a content word, "" for none
	head     int    // index of the token a number counts; -1
}

// tokens analyses a text. self are words of the subject's names. held tells dates that need no words.
func tokens(text string, self map[string]bool, held []retrieve.DateRange) []token {
	words := segment.Words(text)
	out := make([]token, len(words))
	end := 0
	for i, w := range words {
		t := token{Word: w, stem: segment.Stem(w.Lower), gap: text[end:w.Start], head: -1}
		end = w.End
		t.number = number(w.Lower)
		if w.Lower == "one" && i+1 < len(words) && !segment.Function(words[i+1].Lower) && text[w.End:words[i+1].Start] == " " {
			t.number = "1"
		}
		t.negation = negations[w.Lower] || strings.HasSuffix(w.Lower, "n't")
		first := i == 0 || strings.ContainsAny(t.gap, ".!?")
		t.modal = (modals[t.stem] || modals[w.Lower]) && !within(w, held) && (first || !w.Upper) // not May, Will
		t.self = self[w.Lower]
		t.name = w.Upper && !first && !segment.Function(w.Lower) && !t.self
		t.content = (t.number != "" || !segment.Function(w.Lower)) && !t.self && !t.negation && !within(w, held)
		out[i] = t
	}
	for i := range out {
		if out[i].number != "" {
			out[i].head = nextContent(out, i)
		}
		if out[i].content {
			out[i].prep = governor(out, i)
		}
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

func nextContent(ts []token, i int) int {
	for j := i + 1; j < len(ts) && j <= i+4; j++ {
		if strings.ContainsAny(ts[j].gap, ",;.:!?") {
			return -1
		}
		if ts[j].content && ts[j].number == "" {
			return j
		}
	}
	return -1
}

// governor returns the preposition before a content word, with only function words and numbers
// between, on this side of any punctuation.
func governor(ts []token, i int) string {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if ts[j+1].gap != "" && strings.ContainsAny(ts[j+1].gap, ",;.:!?") {
			return ""
		}
		if prepositions[ts[j].Lower] {
			return ts[j].Lower
		}
		if ts[j].content && ts[j].number == "" || segment.Pronoun(ts[j].Lower) || ts[j].Lower == "and" {
			return ""
		}
	}
	return ""
}

// passive tells an agent phrase: a form of be, a word or two, by.
func passive(ts []token) bool {
	for i, t := range ts {
		if t.Lower != "by" {
			continue
		}
		for j := i - 1; j >= 0 && j >= i-4; j-- {
			switch ts[j].Lower {
			case "am", "is", "are", "was", "were", "be", "been", "being", "got":
				return true
			}
		}
	}
	return false
}

func runes(s string) int { return utf8.RuneCountInString(s) }
