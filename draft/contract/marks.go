package contract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A sentence is a run of claims that were cut out of one sentence.
type sentence struct {
	claims     []segment.Claim
	start, end int
	text       string
	tail       bool // a clause of it stands behind its last mark
}

// A piece is a claim of a block; with apart it begins a sentence whatever precedes it.
type piece struct {
	segment.Claim
	apart bool
}

// sentences returns the sentences of a block. A mark ends the sentence before it, also where the
// next word is in lower case or the mark stands on the next line; marks at the head of a block, which
// cover nothing, are returned as stray.
func sentences(draft string, claims []segment.Claim) (out []sentence, stray []segment.Marker) {
	var pieces []piece
	for _, c := range claims {
		if c.Kind == segment.Heading && len(segment.Sentences(draft[c.Start:c.End], "en")) > 1 {
			for _, one := range reread(draft, c.Start, c.End, c) { // prose in the form of a heading
				pieces = append(pieces, cutBehindMarks(draft, one, true)...)
			}
			continue
		}
		pieces = append(pieces, cutBehindMarks(draft, c, false)...)
	}
	for i := range pieces {
		p := &pieces[i]
		lead := leadingMarks(draft, p.Claim)
		if lead == 0 || p.Kind == segment.Table || p.Kind == segment.Code {
			continue
		}
		moved := p.Markers[:lead]
		if i == 0 {
			stray = slices.Clone(moved)
		} else {
			last := &pieces[i-1]
			last.Markers, last.End = append(slices.Clip(last.Markers), moved...), moved[lead-1].End
			p.Start, p.apart = last.End, true
			for p.Start < p.End && white(draft[p.Start]) {
				p.Start++
			}
		}
		p.Markers = p.Markers[lead:]
	}
	for i, p := range pieces {
		if len(out) > 0 && !p.apart && !markedEnd(draft, pieces[i-1].Claim, p.End) {
			last := &out[len(out)-1]
			between := draft[last.end:max(last.end, p.Start)]
			if p.Subject != "" || strings.ContainsFunc(between, func(r rune) bool { return r == ';' || unicode.IsLetter(r) }) {
				last.tail = len(p.Markers) == 0 && !isHedgeTail(p.Text) && (last.tail || slices.ContainsFunc(last.claims, func(c segment.Claim) bool { return len(c.Markers) > 0 }))
				last.claims, last.end = append(last.claims, p.Claim), p.End
				last.text += strings.TrimRight(between, " \t\n") + " " + strings.TrimPrefix(p.Text, p.Subject+" ")
				continue
			}
		}
		out = append(out, sentence{[]segment.Claim{p.Claim}, p.Start, p.End, p.Text, tailed(draft, p.Claim)})
	}
	return out, stray
}

// tailed reports whether a clause or a cell with a statement of its own follows the last mark of a
// claim. Whose words they are, as in "rates rose [1], the bank said", is nothing of its own.
func tailed(draft string, c segment.Claim) bool {
	n := len(c.Markers)
	if n == 0 || c.Markers[n-1].End >= c.End || c.Kind == segment.Code || c.Kind == segment.Heading {
		return false
	}
	right := draft[c.Markers[n-1].End:c.End]
	if isHedgeTail(right) {
		return false
	}
	if c.Kind == segment.Table {
		_, right, _ = strings.Cut(right, "|")
		return hasVerb(right)
	}
	rest := strings.TrimLeft(right, " \t\n*_`")
	body := strings.TrimLeft(rest, ",;:—–-(")
	words := segment.Words(body)
	if left := draft[c.Start:c.Markers[n-1].Start]; !opensPhrase(left) {
		for i, w := range words {
			if slices.Contains(joints, w.Lower) && hasVerb(left+" "+body[:w.Start]) && (ownClause(words[i+1:]) || ownClause(behindPhrase(words[i+1:]))) {
				return true
			}
		}
	}
	return body != rest && ownClause(words)
}

// opensPhrase reports whether a text without a verb opens as a phrase does that leads a claim in: "According to the
// minutes [12] …". A mark behind it covers what follows.
func opensPhrase(text string) bool {
	words := segment.Words(text)
	if len(words) == 0 || hasVerb(text) {
		return len(words) == 0
	}
	w := words[0].Lower
	return w == "according" || segment.Function(w) && !segment.Determiner(w) && !segment.Pronoun(w)
}

// joints are words by which a clause is added to one that is complete.
var joints = []string{"and", "but", "yet", "so", "while", "although", "though", "whereas", "because"}

// behindPhrase returns the words after a phrase of time or place at the head of a clause, "in
// April": nil where there is none, or where too few words precede the verb for a subject besides
// the phrase.
func behindPhrase(words []segment.Word) []segment.Word {
	const phrase = 2 // words of it
	verb := slices.IndexFunc(words, func(w segment.Word) bool { return segment.FiniteVerb(w.Lower) })
	if verb <= phrase+1 || !segment.Function(words[0].Lower) || segment.Determiner(words[0].Lower) || segment.Pronoun(words[0].Lower) {
		return nil
	}
	return words[phrase:]
}

// ownClause reports whether words are a clause with a subject and a verb of its own, which depends
// on nothing before it and attributes nothing.
func ownClause(words []segment.Word) bool {
	if len(words) < 2 {
		return false
	}
	const subject = 4 // words of who says it, and the verb
	head := words[:min(len(words), subject)]
	first := words[0].Lower
	switch {
	case segment.Function(first) && !segment.Determiner(first) && !segment.Pronoun(first), first == "that", first == "which", first == "who":
		return false // it depends on what stands before
	case slices.ContainsFunc(head, func(w segment.Word) bool { return slices.Contains(attributions, w.Lower) }):
		return false
	}
	return verbIn(words) > 0
}

// attributions are verbs of clauses that attribute the words before them to somebody.
var attributions = []string{"said", "says", "say", "wrote", "writes", "argued", "argues", "argue", "reported", "reports", "noted", "notes", "added", "adds", "told", "expected", "thought", "thinks", "believed", "claimed"}

// markedEnd reports whether the marks at the end of a claim end its sentence, before a text up to an end.
func markedEnd(draft string, c segment.Claim, end int) bool {
	n := len(c.Markers)
	if n == 0 || hasWord(draft[min(c.Markers[n-1].End, c.End):c.End]) {
		return false
	}
	first := c.Markers[together(draft, c, n-1)].Start
	return endsSentence(draft[min(c.Start, first):first], draft[c.End:max(c.End, end)])
}

// leadingMarks counts the marks before the first word of a claim.
func leadingMarks(draft string, c segment.Claim) int {
	at := c.Start
	for n, m := range c.Markers {
		if m.Start >= at && hasWord(draft[at:m.Start]) {
			return n
		}
		at = max(at, m.End)
	}
	return len(c.Markers)
}

// together returns the first of the marks that adjoin mark i of a claim, with no word between them.
func together(draft string, c segment.Claim, i int) int {
	for i > 0 && !hasWord(draft[min(c.Markers[i-1].End, c.Markers[i].Start):c.Markers[i].Start]) {
		i--
	}
	return i
}

// hasWord reports whether a text has a letter, a digit or a symbol.
func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) && r != '`'
	})
}

// cutBehindMarks cuts a claim after each mark that ends a sentence.
func cutBehindMarks(draft string, c segment.Claim, apart bool) []piece {
	if c.Kind == segment.Table || c.Kind == segment.Code || c.Kind == segment.Heading {
		return []piece{{c, apart}}
	}
	for i, m := range c.Markers {
		if i+1 < len(c.Markers) && !hasWord(draft[min(m.End, c.Markers[i+1].Start):c.Markers[i+1].Start]) {
			continue // a mark follows at once
		}
		left, right := draft[c.Start:c.Markers[together(draft, c, i)].Start], draft[m.End:c.End]
		if i < leadingMarks(draft, c) || !hasWord(right) || isHedgeTail(right) || !endsSentence(left, right) {
			continue
		}
		var out []piece
		for k, part := range []struct{ from, to int }{{c.Start, m.End}, {m.End, c.End}} {
			for j, one := range reread(draft, part.from, part.to, c) {
				out = append(out, cutBehindMarks(draft, one, apart && k == 0 || k == 1 && j == 0)...)
			}
		}
		return out
	}
	return []piece{{c, apart}}
}

// reread returns the claims of a part of a claim, with the offsets of the draft. The part is prose, as
// the whole is: a sign at its beginning makes no list and no heading of it.
func reread(draft string, from, to int, whole segment.Claim) []segment.Claim {
	for from < to && (white(draft[from]) || strings.IndexByte("#>|-+*=`~_", draft[from]) >= 0 || draft[from] == '.' || draft[from] == ',') {
		from++
	}
	if digits := len(draft[from:to]) - len(strings.TrimLeft(draft[from:to], "0123456789")); digits > 0 && from+digits < to && (draft[from+digits] == '.' || draft[from+digits] == ')') {
		// The number of a list is a sentence's first word here.
		c := whole
		c.Start, c.End, c.Text, c.Subject, c.Kind = from, to, strings.Join(strings.Fields(draft[from:to]), " "), "", segment.Assertion
		c.Markers = slices.DeleteFunc(slices.Clone(whole.Markers), func(m segment.Marker) bool { return m.Start < from || m.End > to })
		c.Quotes = nil
		return []segment.Claim{c}
	}
	var out []segment.Claim
	for _, c := range segment.Claims(draft[from:to], "en") {
		c.Start, c.End = c.Start+from, c.End+from
		for i := range c.Markers {
			c.Markers[i].Start += from
			c.Markers[i].End += from
		}
		if c.Kind != segment.Question && c.Kind != segment.Caveat {
			c.Kind = segment.Assertion
		}
		c.Item = whole.Item
		out = append(out, c)
	}
	return out
}

// endsSentence reports whether a mark between two parts of a claim ends a sentence: it follows a
// stop that belongs to no abbreviation; or both parts have a verb, and the second opens with a word
// of its own.
func endsSentence(left, right string) bool {
	left = strings.TrimRight(left, " \t\n\"'”’»)]*_`")
	right = strings.TrimLeft(right, " \t\n")
	stop, _ := utf8.DecodeLastRuneInString(left)
	stopped := strings.ContainsRune(".!?…。！？;:", stop)
	if stopped && (stop != '.' || len(segment.Sentences(left+" Zweig went.", "en")) > len(segment.Sentences(left, "en"))) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(right)
	words := segment.Words(right)
	if len(words) == 0 || strings.ContainsRune(",;:—–)", first) || !hasVerb(left) || !hasVerb(right) {
		return false
	}
	return stopped || !segment.Function(words[0].Lower) || segment.Determiner(words[0].Lower) && words[0].Lower != "that"
}

// hasVerb reports whether a text has a verb with a tense.
func hasVerb(s string) bool {
	return verbIn(segment.Words(s)) >= 0
}

// verbIn returns the index of the first verb with a tense, -1 for none. A form such as rose is one behind a noun.
func verbIn(words []segment.Word) int {
	for i, w := range words {
		if segment.FiniteVerb(w.Lower) || i > 0 && lexicon.Past.Has(w.Lower) && !segment.Function(words[i-1].Lower) {
			return i
		}
	}
	return -1
}
