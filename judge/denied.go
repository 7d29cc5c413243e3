package judge

import (
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// governReach is how many words before a quotation a denial may be that governs it.
const governReach = 10

// denial returns the words that deny a quotation; "" where it, or the sentence that uses it, denies too.
func (q *usage) denial(b, a *clause.Sentence, after string) string {
	if q.warns() || lexicon.ImplicitNegation.In(q.own.Words) != "" && !deniesTwice(q.own.Words) {
		return ""
	}
	if at := findRefusal(b, q.words.Words); at >= 0 {
		return rawOf(b, at, len(b.Words))
	}
	if denies(q.words.Words) {
		return ""
	}
	for i := len(b.Words) - 1; i >= 0 && i >= len(b.Words)-governReach; i-- {
		if n := lexicon.Negation.At(b.Words, i); n > 0 && !crosses(b, i, len(b.Words)) && lexicon.IdleNegation.At(b.Words, i) == 0 && !deniesTwice(b.Words) && !inRelative(b, i) {
			return rawOf(b, i, len(b.Words))
		}
	}
	if n := len(a.Words); n > 0 && lexicon.Auxiliary.Has(a.Words[0]) && lexicon.Falsehood.In(a.Words[:min(n, 5)]) != "" {
		return rawOf(a, 0, min(n, 5)) // that I drank is a lie
	}
	const near = 3 // words after which a denial belongs to another clause
	for i := range min(len(a.Words), near) {
		if i > 0 && hasWord(a.Words[:1], "and", "und") {
			break // eleven cows and nowhere to milk them
		}
		if lexicon.Negation.At(a.Words, i) > 0 && !crosses(a, 0, i+1) && !strings.HasPrefix(strings.TrimSpace(after), ",") {
			return rawOf(a, 0, min(len(a.Words), i+3))
		}
	}
	return ""
}

// warns reports whether the sentence that uses a quotation denies it or warns against it.
func (q *usage) warns() bool {
	return q.refutes() || hasWord(q.own.Words, "against", "mistake", "gegen")
}

// findRefusal returns the first token of a verb of refusing or failing whose object the words after it are, -1 for
// none: refused to “pay the men”, far from “being the ablest”, weigerte sich, “den Lohn zu zahlen”.
func findRefusal(b *clause.Sentence, words []string) int {
	n := len(b.Words)
	if n > 1 && opensThat(b.Words[n-1]) && !deniesTwice(b.Words) {
		for i := n - 2; i >= max(0, n-6) && !crosses(b, i, n); i-- {
			if w := b.Words[i]; lexicon.Retraction.Has(w) || lexicon.Falsehood.Has(w) || w == "short" {
				return max(0, i-1) // I deny that, it would be wrong to conclude that, stopped short of saying that
			}
		}
	}
	joined := n > 0 && (hasWord(words[:min(1, len(words))], "to") || hasWord(b.Words[n-1:], "to", "from", "of", "sich", "saying", "being", "having"))
	for i := n - 1; joined && i >= max(0, n-4); i-- {
		if w := b.Words[i]; lexicon.ImplicitNegation.Has(w) && w != "without" && w != "except" || w == "far" && i+1 < n && b.Words[i+1] == "from" {
			return max(0, i-1)
		}
	}
	return -1
}

// deniesTwice reports whether words deny a denial, and so affirm: it cannot be denied that; there is no doubt that.
func deniesTwice(words []string) bool {
	w := lexicon.Negation.In(words)
	at := indexOf(words, w)
	for i, v := range words {
		denies := lexicon.Retraction.Has(v) || lexicon.Refusal.Has(v) || hasWord([]string{v}, "doubt", "question", "zweifel")
		forgets := lexicon.ImplicitNegation.Has(v) && (i == at+1 || i+1 < len(words) && opensThat(words[i+1]))
		if w != "" && (i > at && (denies || forgets) || i == at-1 && (denies || forgets) && w == "nicht") {
			return true // it cannot be denied that; he did not forget that; er vergaß nicht, dass
		}
	}
	return false
}

// inRelative reports whether a token is of a clause about a noun before it, which ends where the words begin: The wall, which had never been repaired, “was sound”.
func inRelative(b *clause.Sentence, i int) bool {
	if !strings.Contains(b.Tail, ",") {
		return false
	}
	for k := i; k > 0; k-- {
		if strings.Contains(b.Tokens[k].Gap, ",") {
			return lexicon.Relative.Has(b.Words[k])
		}
	}
	return false
}

// denies reports whether words deny, by a negation or by a verb of refusing, and do not deny that.
func denies(words []string) bool {
	for i := range words {
		if lexicon.Negation.At(words, i) > 0 && lexicon.IdleNegation.At(words, i) == 0 && !deniesTwice(words) {
			return true
		}
	}
	return !deniesTwice(words) && (lexicon.Retraction.In(words) != "" || lexicon.Revocation.In(words) != "" || lexicon.Falsehood.In(words) != "" || lexicon.Refusal.In(words) != "")
}
