package gate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/segment"
)

// Trim is the minimum span gate: the smallest passage of a quote that supports
// a claim, at most limit code points. A quote that fits is shown whole.
//
// Of a longer one Trim shows a run of clauses that says, alone, what it says in
// its place, and of these the one with most words of need (compared without
// case, and by a common beginning of four letters or more), then the shortest.
// Where the quote holds words of need, a run must hold half of them; where it
// holds none, Trim shows the longest run from its beginning. Where no run is
// safe Trim shows nothing: see Excerpt.Empty.
//
// A run is safe when
//   - it begins where the quote does or where an independent clause of English
//     or German begins, subject and finite verb, after a semicolon, after a
//     sentence end, or with "and" after a comma;
//   - it ends where the quote does or before another clause in such a place, or
//     at a colon, or before a place ("where …"), a purpose ("to …") or a
//     circumstance ("it being …") that adds to a full sentence, and not before a complement, an amount, a condition, a
//     concession or an alternative;
//   - nothing withheld, on either side, negates, doubts, denies, conditions,
//     reports or invents: see isBarred;
//   - the quote asks nothing and holds no quotation marks, and the run divides
//     no brackets and no pair of dashes.
//
// The lists behind these rules are English and German, with the negations of
// some neighbours; a text in another language is shown whole or not at all.
func Trim(quote string, need []string, limit int) Excerpt {
	if limit <= 0 {
		return excerptOf(quote, 0, 0)
	}
	if utf8.RuneCountInString(quote) <= limit {
		return excerptOf(quote, 0, len(quote))
	}
	wanted := distinctWords(need)
	all := countFound(quote, wanted)
	best, score := passage{}, 0
	for _, p := range passages(quote, limit) {
		n := countFound(quote[p.start:p.end], wanted)
		switch {
		case all > 0 && 2*n < all, all == 0 && (p.start > 0 || p.end < best.end):
			continue
		case all == 0 || best.end == 0 || n > score || n == score && p.end-p.start < best.end-best.start:
			best, score = p, n
		}
	}
	return excerptOf(quote, best.start, best.end)
}

// distinctWords lists the distinct words of need.
func distinctWords(need []string) []string {
	var out []string
	for _, term := range need {
		for _, w := range segment.Words(term) {
			if !slices.Contains(out, w.Lower) {
				out = append(out, w.Lower)
			}
		}
	}
	return out
}

// countFound counts the wanted words that occur in a text.
func countFound(text string, wanted []string) int {
	if len(wanted) == 0 {
		return 0
	}
	have := make([]bool, len(wanted))
	for _, w := range segment.Words(text) {
		for i := range wanted {
			have[i] = have[i] || sharesStem(w.Lower, wanted[i])
		}
	}
	n := 0
	for _, h := range have {
		if h {
			n++
		}
	}
	return n
}

// sharesStem reports whether two words are one, or one is the other with an ending.
func sharesStem(a, b string) bool {
	if a == b {
		return true
	}
	const stem = 4 // letters; shorter beginnings are shared by chance
	if min(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) < stem {
		return false
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// A passage is a run of a text that may be shown alone, in bytes.
type passage struct{ start, end int }

// A gap is the separator before a word of a text: the place of a possible cut.
type gap uint8

const (
	noCut gap = iota
	aside     // a comma, then "where" or "it being": an end, no beginning
	soft      // a comma, then "and"
	colon
	strong // a semicolon or the end of a sentence
)

// A parsedText is a text with its words and the places where it may be cut.
type parsedText struct {
	text  string
	words []segment.Word
	gaps  []gap // before each word
	first int   // the first word that may not be withheld before a run
	last  int   // the last word that may not be withheld after one, or -1
}

// passages lists the safe runs of a text of at most limit code points, other
// than the whole, in order of their starts and ends.
func passages(text string, limit int) []passage {
	if limit <= 0 || !isDivisible(text) {
		return nil
	}
	t := parsedText{text: text, words: segment.Words(text)}
	if len(t.words) == 0 {
		return nil
	}
	t.gaps = gaps(text, t.words)
	t.first, t.last = len(t.words), -1
	for i, w := range t.words {
		if !isBarred(w) {
			continue
		}
		t.first = min(t.first, i)
		if !bearsOnWhatFollows(t.words, i) {
			t.last = i
		}
	}
	var out []passage
	for i := range t.words {
		if i > t.first {
			break // every later run withholds it
		}
		if !t.begins(i) {
			continue
		}
		start := t.words[i].Start
		if i == 0 {
			start = 0
		}
		for j := i + 1; j <= len(t.words); j++ {
			end := t.end(j)
			if end-start > limit*utf8.UTFMax || j < len(t.words) && t.words[j-1].End-start > limit*utf8.UTFMax {
				break
			}
			if i == 0 && j == len(t.words) || j <= t.last || !t.ends(i, j) || utf8.RuneCountInString(text[start:end]) > limit {
				continue
			}
			out = append(out, passage{start, end})
		}
	}
	return out
}

// isDivisible reports whether a text may be cut at all. A question loses its mark
// with its end, quoted speech its speaker, a text with a stray bracket its
// structure.
func isDivisible(text string) bool {
	if !utf8.ValidString(text) || strings.ContainsAny(text, "?？\u037e؟¿\"“”„‟«»‹›‘‚‛`") || strings.Contains(text, "''") {
		return false
	}
	depth := 0
	before := ' '
	for _, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\'', '’':
			if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				return false // opens a quotation, or may
			}
		}
		if depth < 0 {
			return false
		}
		before = r
	}
	return depth == 0
}

// gaps classes the places before the words. Places within brackets or between
// two dashes are no cuts, and so is everything after an HTML entity's name.
func gaps(text string, ws []segment.Word) []gap {
	out := make([]gap, len(ws))
	sentence := map[int]bool{}
	for _, r := range segment.Sentences(text, "") {
		sentence[r.Start] = true
	}
	between := make([]string, len(ws))
	firstDash, lastDash := -1, -1
	for i := 1; i < len(ws); i++ {
		between[i] = text[ws[i-1].End:ws[i].Start]
		if slices.ContainsFunc([]string{"—", "–", "―", "--", " - "}, func(dash string) bool { return strings.Contains(between[i], dash) }) {
			if firstDash < 0 {
				firstDash = i
			}
			lastDash = i
		}
	}
	depth := 0
	for i := 1; i < len(ws); i++ {
		b := between[i]
		for _, r := range b {
			switch r {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		switch {
		case depth > 0 || firstDash < i && i < lastDash || i == firstDash || i == lastDash:
		case strings.IndexFunc(b, unicode.IsSpace) < 0 || ws[i-1].Possessive:
		case i > 0 && ws[i-1].Start > 0 && strings.ContainsRune("&#", rune(text[ws[i-1].Start-1])) && strings.HasPrefix(b, ";"):
		case strings.ContainsAny(b, ".!…"):
			if sentence[ws[i].Start] && !isAbbreviation(ws[i-1]) {
				out[i] = strong
			}
		case strings.Contains(b, ";"):
			out[i] = strong
		case strings.Contains(b, ":"):
			out[i] = colon
		case strings.Contains(b, ",") && (ws[i].Lower == "and" || ws[i].Lower == "und"):
			out[i] = soft
		case strings.Contains(b, ",") && (opensCircumstance(ws[i:]) || opensAbsolute(text, ws[i:])):
			out[i] = aside
		}
	}
	return out
}

// opensCircumstance reports whether words begin as "where …", "to see" or "at the
// bridge" do.
func opensCircumstance(ws []segment.Word) bool {
	if ws[0].Lower == "where" {
		return true
	}
	if len(ws) < 2 {
		return false
	}
	noun := ws[1].Upper || ws[1].Lower == "the" || ws[1].Lower == "a"
	return ws[0].Lower == "to" && !noun && !segment.Function(ws[1].Lower) || (ws[0].Lower == "at" || ws[0].Lower == "near") && noun
}

// opensAbsolute reports whether words begin as "it being", "my wife having" or
// "everybody running" do.
func opensAbsolute(text string, ws []segment.Word) bool {
	const most = 3 // words of the subject
	if len(ws) > 1 && (ws[0].Lower == "everybody" || segment.Pronoun(ws[0].Lower)) && strings.HasSuffix(ws[1].Lower, "ing") {
		return true
	}
	if !segment.Pronoun(ws[0].Lower) && !segment.Determiner(ws[0].Lower) && !ws[0].Upper {
		return false
	}
	for k := 1; k < len(ws) && k <= most; k++ {
		if strings.TrimFunc(text[ws[k-1].End:ws[k].Start], unicode.IsSpace) != "" {
			return false
		}
		if ws[k].Lower == "being" || ws[k].Lower == "having" {
			return true
		}
	}
	return false
}

// end returns the byte where a run of the words before j ends: the mark of a
// finished sentence belongs to it, a comma or a semicolon does not.
func (t *parsedText) end(j int) int {
	if j == len(t.words) {
		return len(t.text)
	}
	from := t.words[j-1].End
	between := t.text[from:t.words[j].Start]
	if n := strings.IndexAny(between, ",;:"); n >= 0 {
		between = between[:n]
	}
	return from + len(strings.TrimRightFunc(between, unicode.IsSpace))
}

// begins reports whether a run may begin at word i: with the text, or with an
// independent clause. After a comma no clause before it may reach over it.
func (t *parsedText) begins(i int) bool {
	switch {
	case i == 0:
		return true
	case t.gaps[i] == strong:
		return t.clause(i) && t.hasStatement(0, i) && !t.has(t.segment(i), i, cataphors)
	case t.gaps[i] == soft:
		from := t.segment(i)
		return t.clause(i) && t.hasStatement(from, i) && !t.has(from, i, subordinators) && !t.has(from, i, cataphors)
	}
	return false
}

// ends reports whether a run from word i may end before word j.
func (t *parsedText) ends(i, j int) bool {
	if j == len(t.words) {
		return true
	}
	head := t.words[t.skip(i)%len(t.words)]
	last, next := t.words[j-1], t.words[j]
	switch {
	case t.gaps[j] == noCut, j-i < minWords, subordinators[head.Lower] || openers[head.Lower],
		dangling[last.Lower], isAbbreviation(last), last.Possessive, t.amountFollows(j), openers[next.Lower]:
		return false
	case t.gaps[j] == aside && i > 0 && t.words[j].Lower == "to":
		return false
	case t.gaps[j] == aside:
		return t.hasStatement(i, j) && t.hasStatement(t.segment(j), j) && !t.has(t.segment(j), j, correlatives)
	}
	k := t.skip(j)
	if k == len(t.words) || openers[t.words[k].Lower] || subordinators[t.words[k].Lower] {
		return false
	}
	if t.gaps[j] != soft {
		return i == 0 || t.hasStatement(i, j)
	}
	// After a comma the next clause has to be one, or a further verb of this one.
	from := max(i, t.segment(j))
	switch {
	case t.has(t.segment(j), j, correlatives):
		return false
	case t.clause(j):
		return from == 0 || t.hasStatement(from, j)
	}
	if i == 0 && k == j+1 && places[t.words[k].Lower] {
		return t.hasStatement(i, j) && !t.has(i, j, amounts)
	}
	return t.hasStatement(from, j) && (k > j+1 || segment.FiniteVerb(t.words[k].Lower)) && !t.has(from, j, subordinators)
}

// minWords is the least length of a run that is not a whole quote.
const minWords = 4

// segment returns the first word of the part between strong places that the
// word before j is in.
func (t *parsedText) segment(j int) int {
	for k := j - 1; k > 0; k-- {
		if t.gaps[k] >= colon {
			return k
		}
	}
	return 0
}

// has reports whether a word of a list is among words from to j.
func (t *parsedText) has(from, j int, list map[string]bool) bool {
	return slices.ContainsFunc(t.words[from:j], func(w segment.Word) bool { return list[w.Lower] })
}

// amountFollows reports whether an amount follows at word j.
func (t *parsedText) amountFollows(j int) bool {
	const near = 3 // words before an amount: "about one hundred"
	return slices.ContainsFunc(t.words[j:min(len(t.words), j+near)], func(w segment.Word) bool {
		return strings.IndexFunc(w.Lower, unicode.IsDigit) >= 0 || numerals[w.Lower]
	})
}

// skip returns the first word from i that is no connective.
func (t *parsedText) skip(i int) int {
	const most = 3 // and so then
	for k := 0; k < most && i < len(t.words) && connectives[t.words[i].Lower]; k++ {
		i++
	}
	return i
}

// maxSubject is the most words of a subject before its verb.
const maxSubject = 5

// clause reports whether an independent clause begins at word i: connectives, a
// subject, a finite verb, nothing but spaces between them.
func (t *parsedText) clause(i int) bool {
	i = t.skip(i)
	if i >= len(t.words) {
		return false
	}
	first := t.words[i]
	pronoun := segment.Pronoun(first.Lower)
	named := first.Upper && !segment.Function(first.Lower)
	if subordinators[first.Lower] || openers[first.Lower] || !pronoun && !named && (!segment.Determiner(first.Lower) || ambiguous[first.Lower]) {
		return false
	}
	for k := i + 1; k < len(t.words) && k <= i+maxSubject; k++ {
		w := t.words[k]
		if strings.TrimFunc(t.text[t.words[k-1].End:w.Start], unicode.IsSpace) != "" && !t.words[k-1].Possessive {
			return false
		}
		switch {
		case segment.FiniteVerb(w.Lower):
			return true
		case subordinators[w.Lower] || openers[w.Lower]:
			return false
		case pronoun && k > i+2:
			return false
		case pronoun && k == i+1 && !w.Upper && !segment.Function(w.Lower) && !strings.HasSuffix(w.Lower, "ing"):
			return true // present tenses, which look like nouns
		}
	}
	return false
}

// hasStatement reports whether the words from i to j hold a finite verb before any
// word that would make it a dependent one.
func (t *parsedText) hasStatement(i, j int) bool {
	for k := t.skip(i); k < j; k++ {
		w := t.words[k]
		switch {
		case prepositional[w.Lower] && k+1 < j && !t.clause(k+1):
		case subordinators[w.Lower]:
			return false
		case k > i && segment.FiniteVerb(w.Lower):
			return true
		case k > i && segment.Pronoun(t.words[k-1].Lower) && !segment.Function(w.Lower) && !strings.HasSuffix(w.Lower, "ing"):
			return true
		}
	}
	return false
}

// isAbbreviation reports whether a word is, or may be, an abbreviation after which
// its sentence goes on.
func isAbbreviation(w segment.Word) bool {
	return titles[w.Lower] || w.Upper && utf8.RuneCountInString(w.Lower) < 2 && w.Lower != "i"
}
