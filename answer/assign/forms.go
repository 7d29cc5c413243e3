package assign

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/answer/segment"
)

// A form is one word, number or sign of a text as claims and evidence are compared: inflection, order,
// articles and signs all count.
type form struct {
	text  string // lower case, numbers in digits, contractions undone; "," for what parts clauses
	upper bool   // written with a capital, though not first in the sentence
	begin bool   // first in the sentence: its capital says nothing
	stop  rune   // of a comma: which stop it was, ',' ';' ':' or '.'
	// parted is set where a comma stood behind the word that joinPhrases took out.
	parted bool
}

const (
	comma   = ","     // the form of , ; : ( ) and dashes
	subject = "@self" // the form of the names of the archive's subject
)

// signs are characters that change what a number or word beside them says.
const signs = "$£€¥%‰°+±<>=~≈≤≥×/§#&*½¼¾"

// forms analyses a text.
func forms(text string, self map[string]bool) []form {
	ws := segment.Words(text)
	out := make([]form, 0, len(ws)+4)
	end := 0
	begin := true
	for i, w := range ws {
		for _, f := range between(text[end:w.Start], i == 0, text[w.Start:]) {
			out = append(out, form{text: f, stop: stopOf(f, text[end:w.Start])})
			begin = false
		}
		end = w.End
		f := form{text: w.Lower, upper: w.Upper && !begin, begin: begin}
		begin = false
		if self[w.Lower] && w.Upper {
			f = form{text: subject}
			if n := len(out); n > 0 && out[n-1].text == subject {
				out = out[:n-1]
			}
		}
		if w.Possessive {
			f.text += "'s"
		}
		out = append(out, expand(f)...)
	}
	for _, f := range between(text[end:], false, "") {
		if f != comma {
			out = append(out, form{text: f})
		}
	}
	return out
}

// stopOf returns the strongest stop of the text between two words.
func stopOf(f, gap string) rune {
	if f != comma {
		return 0
	}
	for _, s := range ";:.!?—–|" {
		if strings.ContainsRune(gap, s) {
			return s
		}
	}
	return ','
}

// between returns the signs of the text between two words; next is what follows it.
func between(gap string, first bool, next string) []string {
	var out []string
	parted := false
	for i, r := range gap {
		switch {
		case strings.ContainsRune(signs, r):
			out = append(out, string(r))
		case strings.ContainsRune("-–−", r) && i+utf8.RuneLen(r) == len(gap) && startsDigit(next):
			out = append(out, "-")
		case strings.ContainsRune(",;:()[]–—|", r), strings.ContainsRune(".!?…", r) && !first, r == '-' && strings.HasPrefix(gap[i:], "- ") && i > 0:
			parted = true
		}
	}
	if parted && !first {
		return append([]string{comma}, out...)
	}
	return out
}

func startsDigit(s string) bool { return s != "" && s[0]-'0' <= 9 }

// expand undoes a contraction and writes numbers in digits.
func expand(f form) []form {
	w := f.text
	join := func(words ...string) []form {
		out := []form{f}
		out[0].text = words[0]
		for _, x := range words[1:] {
			out = append(out, form{text: x})
		}
		return out
	}
	switch w {
	case "an":
		return join("a")
	case "cannot", "can't":
		return join("can", "not")
	case "won't":
		return join("will", "not")
	case "shan't":
		return join("shall", "not")
	case "i'm":
		return join("i", "am")
	}
	for _, c := range [...][2]string{{"n't", "not"}, {"'ve", "have"}, {"'ll", "will"}, {"'re", "are"}} {
		if base, ok := strings.CutSuffix(w, c[0]); ok && base != "" {
			return join(base, c[1])
		}
	}
	if n := cardinal(w); n != "" {
		return join(n)
	}
	return []form{f}
}

// cardinal returns the digits of a number, "" for other words. Ordinals are words.
func cardinal(w string) string {
	if w == "one" {
		return "1"
	}
	if cardinals[w] {
		return numberWords[w]
	}
	if !startsDigit(w) || strings.ContainsFunc(w, unicode.IsLetter) {
		return ""
	}
	return ungroup(w)
}

// ungroup takes the commas out of 8,252; a decimal comma stays.
func ungroup(w string) string {
	groups := strings.Split(w, ",")
	if len(groups[0]) > 3 {
		return w
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return w
		}
	}
	return strings.Join(groups, "")
}
