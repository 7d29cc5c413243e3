package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of change between a quote and the words of the text, in the order of
// weight: Compare names the first that occurs.
const (
	ChangedNumber      = "number"      // digits, number words, Roman numerals, currency and percent signs
	ChangedNegation    = "negation"    // not, no, never, n't, without, nor, …; un-, in-, dis- and their like
	ChangedName        = "name"        // a capitalised word that does not begin a sentence
	ChangedWording     = "wording"     // any other word
	ChangedCase        = "case"        // the same words, some with other capitals
	ChangedPunctuation = "punctuation" // the same words, other signs between them
)

// isChange reports whether s is a kind of change.
func isChange(s string) bool {
	switch s {
	case ChangedNumber, ChangedNegation, ChangedName, ChangedWording, ChangedCase, ChangedPunctuation:
		return true
	}
	return false
}

// A token is a word, a number or a sign of a text.
type token struct {
	text  string // in the match view
	lower string // in lower case
	value string // of a number, in digits; of a sign that counts as one, the sign
	first bool   // begins a sentence
	sign  bool   // neither word nor number
}

// Compare aligns the words of a quote with those of the text found for it and
// returns the weightiest kind of change, or "" when both fold to the same.
func Compare(quote, found string) string {
	a, b := string(foldQuote(quote)), string(foldQuote(found))
	if a == b {
		return ""
	}
	changes := map[string]bool{ChangedPunctuation: true}
	qt, ft := tokens(a), tokens(b)
	for _, pair := range align(words(qt), words(ft)) {
		changes[change(pair.quote, pair.found)] = true
	}
	signs(changes, qt, ft)
	for _, kind := range []string{ChangedNumber, ChangedNegation, ChangedName, ChangedWording, ChangedCase} {
		if changes[kind] {
			return kind
		}
	}
	return ChangedPunctuation
}

// change classifies one aligned pair; a side that has no counterpart is nil.
func change(q, f *token) string {
	switch {
	default:
		return ChangedWording
	case q != nil && f != nil && q.text == f.text:
		return ""
	case q != nil && f != nil && q.lower == f.lower:
		return ChangedCase
	case numberOf(q) != numberOf(f):
		return ChangedNumber
	case negates(q) != negates(f):
		return ChangedNegation
	case q != nil && f != nil && (negatedForm(q.lower, f.lower) || negatedForm(f.lower, q.lower)):
		return ChangedNegation
	case isName(q) || isName(f):
		return ChangedName
	}
}

// signs compares the currency and percent signs, which are part of a number at any position.
func signs(changes map[string]bool, a, b []token) {
	values := func(tokens []token) string {
		var all strings.Builder
		for _, t := range tokens {
			if t.sign {
				all.WriteString(t.value)
			}
		}
		return all.String()
	}
	if values(a) != values(b) {
		changes[ChangedNumber] = true
	}
}

// numberOf returns the number of a token, "" for none.
func numberOf(t *token) string {
	if t == nil {
		return ""
	}
	return t.value
}

// negates reports whether a token is a negation.
func negates(t *token) bool {
	return t != nil && (negations[t.lower] || strings.HasSuffix(t.lower, "n't") || strings.HasPrefix(t.lower, "n'"))
}

// negatedForm reports whether a is b with a negating prefix: unhappy, happy.
func negatedForm(a, b string) bool {
	for _, prefix := range negatingPrefixes {
		if rest, ok := strings.CutPrefix(a, prefix); ok && rest == b {
			return true
		}
	}
	return false
}

// isName reports whether t is a capitalised word inside a sentence. The pronoun I is none.
func isName(t *token) bool {
	if t == nil || t.first || t.text == "I" || strings.HasPrefix(t.text, "I'") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(t.text)
	return unicode.IsUpper(r)
}

// tokens cuts folded text at the word boundaries of splitsWord.
func tokens(folded string) []token {
	text := []byte(folded)
	var out []token
	first := true
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		end := i + n
		if !inWord(r) && !isUnspaced(r) && !(isDash(r) && end < len(text) && splitsWord(text, end)) {
			if !isSpace(r) {
				t := token{text: string(r), lower: string(r), sign: true}
				if r == '%' || r == '‰' || unicode.Is(unicode.Sc, r) {
					t.value = string(r)
				}
				out = append(out, t)
				first = first || r == '.' || r == '!' || r == '?'
			}
			i = end
			continue
		}
		for end < len(text) && (!utf8.RuneStart(text[end]) || splitsWord(text, end)) {
			end++
		}
		t := token{text: folded[i:end], lower: strings.ToLower(folded[i:end]), first: first}
		if t.value = numberValue(t.lower); len(t.text) > 1 && romanNumeral.MatchString(t.text) {
			t.value = t.text
		}
		out = append(out, t)
		first = false
		i = end
	}
	return out
}

// words returns the tokens that are no signs.
func words(all []token) []token {
	var out []token
	for _, t := range all {
		if !t.sign {
			out = append(out, t)
		}
	}
	return out
}

// numberValue returns the digits of a number or number word, "" for any other word. Thousands
// separators are dropped.
func numberValue(lower string) string {
	if v, ok := numberWords[lower]; ok {
		return v
	}
	if !strings.ContainsFunc(lower, unicode.IsNumber) {
		return ""
	}
	parts := strings.Split(lower, ",")
	for _, p := range parts[1:] {
		if len(p) < 3 || strings.IndexFunc(p[:3], func(r rune) bool { return !unicode.IsDigit(r) }) >= 0 {
			return lower
		}
	}
	return strings.Join(parts, "")
}

// A pair is a quote's word and the found word it is aligned with; one of them
// may be nil.
type pair struct{ quote, found *token }

// maxCells bounds the alignment matrix. Beyond it every word between the
// common beginning and the common end counts as changed, which can only make
// the verdict stricter.
const maxCells = 1 << 22

// align returns the pairs of the alignment of a with b that has the fewest
// changed words; words that differ only in case are equal.
func align(a, b []token) []pair {
	var pairs []pair
	for len(a) > 0 && len(b) > 0 && a[0].lower == b[0].lower {
		pairs = append(pairs, pair{&a[0], &b[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].lower == b[len(b)-1].lower {
		pairs = append(pairs, pair{&a[len(a)-1], &b[len(b)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if (len(a)+1)*(len(b)+1) > maxCells {
		for i := range a {
			pairs = append(pairs, pair{&a[i], nil})
		}
		for i := range b {
			pairs = append(pairs, pair{nil, &b[i]})
		}
		return pairs
	}
	return append(pairs, alignMiddle(a, b)...)
}

// alignMiddle aligns words that have no common beginning and end.
func alignMiddle(a, b []token) []pair {
	wide := len(b) + 1
	cost := make([]int32, (len(a)+1)*wide) // of aligning a[i:] with b[j:], at i*wide+j
	same := func(i, j int) int32 {
		if a[i].lower == b[j].lower {
			return 0
		}
		return 1
	}
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			default:
				cost[i*wide+j] = min(cost[(i+1)*wide+j+1]+same(i, j), cost[(i+1)*wide+j]+1, cost[i*wide+j+1]+1)
			case i == len(a):
				cost[i*wide+j] = int32(len(b) - j)
			case j == len(b):
				cost[i*wide+j] = int32(len(a) - i)
			}
		}
	}
	var pairs []pair
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch here := cost[i*wide+j]; {
		default:
			pairs = append(pairs, pair{nil, &b[j]})
			j++
		case i < len(a) && j < len(b) && here == cost[(i+1)*wide+j+1]+same(i, j):
			pairs = append(pairs, pair{&a[i], &b[j]})
			i, j = i+1, j+1
		case i < len(a) && here == cost[(i+1)*wide+j]+1:
			pairs = append(pairs, pair{&a[i], nil})
			i++
		}
	}
	return pairs
}
