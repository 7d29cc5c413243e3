package examine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/cite"
)

// Kinds of change that scholars may make, in addition to those of cite.Compare, which are alterations but for case and punctuation.
const (
	ChangedSpelling = "spelling" // one word in an older and a newer spelling, or a number in digits and in letters
	ChangedBrackets = "brackets" // words in square brackets, put in or in place of others
	ChangedEllipsis = "ellipsis" // words left out, with a mark
	ChangedOmission = "omission" // words left out without a mark
	ChangedAddition = "addition" // words that the paper does not have
)

// A Change is a difference between a quotation and its paper.
type Change struct {
	Kind   string `json:"kind"`
	Quoted string `json:"quoted"`
	Paper  string `json:"paper"`
}

// Scholarly reports whether an editor may make the change.
func (c Change) Scholarly() bool {
	switch c.Kind {
	case ChangedSpelling, ChangedBrackets, ChangedEllipsis, cite.ChangedCase, cite.ChangedPunctuation:
		return true
	}
	return false
}

// A Finding is the place of a paper that is most like a quotation. The zero Finding is none.
type Finding struct {
	Start, End int      // bytes of the paper
	Changes    []Change // in the order of the quotation
	Share      float64  // of the quotation's words that the paper has there, 0 to 1
	Words      int      // of the quotation, without those in brackets
	Second     [2]int   // another place, bytes, where the quotation runs two places together; zero where it does not
	Rest       string   // words at the beginning or the end of the quotation that are not at the place; "" where fewer than minRest
	cost       float64  // per word
}

// IsAltered reports whether a change is more than an editor may make.
func (f Finding) IsAltered() bool {
	for _, c := range f.Changes {
		if !c.Scholarly() {
			return true
		}
	}
	return false
}

// Better reports whether f is more like the quotation than g.
func (f Finding) Better(g Finding) bool {
	switch {
	case f.Words == 0 || g.Words == 0:
		return f.Words > 0
	case f.IsAltered() != g.IsAltered():
		return !f.IsAltered() && f.Share >= 0.9
	}
	return f.cost < g.cost
}

const (
	// minRest is how many words the parts of a quotation have at least that runs two places together.
	minRest = 3
	// windowsTried is how many places of a paper are compared.
	windowsTried = 4
)

// A Query is a quotation taken apart, to be looked for in several papers.
type Query struct {
	text string
	quote
}

// NewQuery takes a quotation apart.
func NewQuery(text string) Query { return Query{text, parseQuote(text)} }

// Find returns the place of the paper that is most like a quotation.
func (p *Paper) Find(q Query) Finding {
	if len(q.words) == 0 {
		return Finding{}
	}
	f, best := p.find(q.text, q.quote)
	if f.IsAltered() && p.free == nil && p.freeLanguage() != "" {
		f, best = p.find(q.text, q.quote)
	}
	if f.Words == 0 || !f.IsAltered() {
		return f
	}
	p.findSecond(q.text, q.quote, best, &f)
	return f
}

// Overlap returns the share of the words of a quotation that the paper has anywhere. It costs little, and no place of
// the paper has more of them, but for words in another spelling.
func (p *Paper) Overlap(q Query) float64 {
	here, all := 0, 0
	for _, w := range q.words {
		if w.bracket {
			continue
		}
		all++
		if len(p.at[w.text]) > 0 {
			here++
		}
	}
	return float64(here) / float64(max(all, 1))
}

// exact returns the first place that has words as they are, without an alignment; ok is false where none does, or the writer marked a change.
func (p *Paper) exact(words []quoteWord) (r run, ok bool) {
	rarest := -1
	for i, w := range words {
		if w.bracket || w.partly || w.gap {
			return run{}, false
		}
		if rarest < 0 || len(p.at[w.text]) < len(p.at[words[rarest].text]) {
			rarest = i
		}
	}
	if rarest < 0 {
		return run{}, false
	}
	for _, at := range p.at[words[rarest].text] {
		from := int(at) - rarest
		if from < 0 || from+len(words) > len(p.words) {
			continue
		}
		k := 0
		for k < len(words) && p.words[from+k].text == words[k].text {
			k++
		}
		if k < len(words) {
			continue
		}
		r := run{from: from, to: from + len(words), equal: len(words), ops: make([]op, len(words))}
		for k := range words {
			r.ops[k] = op{same, k, from + k, 1, 1}
		}
		return r, true
	}
	return run{}, false
}

func (p *Paper) find(text string, q quote) (Finding, run) {
	if r, ok := p.exact(q.words); ok {
		return p.newFinding(text, q, r), r
	}
	var best run
	found := false
	words := q.words
	first := words[:min(len(words), maxWords)]
	for _, w := range p.windows(first, windowsTried) {
		if r := p.align(first, w[0], w[1]); !found || r.cost < best.cost {
			best, found = r, true
		}
	}
	if !found {
		return Finding{}, run{}
	}
	last := best.equal
	for done := len(first); done < len(words); { // a long quotation goes on where its last part ended
		next := words[done:min(len(words), done+maxWords)]
		if 2*last < maxWords { // no more of it is here
			best.cost += costAdded * (len(words) - done)
			best.ops = append(best.ops, op{added, done, best.to, len(words) - done, 0})
			break
		}
		r := p.align(next, max(0, best.to-8), min(len(p.words), best.to+len(next)+64+spread(next)))
		for i := range r.ops {
			r.ops[i].quote += done
		}
		best.to, best.cost, best.equal, best.ops = r.to, best.cost+r.cost, best.equal+r.equal, append(best.ops, r.ops...)
		done, last = done+len(next), r.equal
	}
	return p.newFinding(text, q, best), best
}

// newFinding returns the place and the changes of an alignment.
func (p *Paper) newFinding(text string, q quote, r run) Finding {
	var f Finding
	free := 0
	for _, w := range q.words {
		if w.bracket {
			free++
		}
	}
	f.Words = len(q.words) - free
	if r.from >= r.to || f.Words == 0 || r.equal == 0 {
		return Finding{}
	}
	equal := 0
	for _, o := range r.ops {
		if o.kind == same || o.kind == spelled {
			for k := range o.quoted {
				if !q.words[o.quote+k].bracket {
					equal++
				}
			}
		}
	}
	f.Share, f.cost = float64(equal)/float64(f.Words), float64(r.cost)/float64(f.Words)
	f.Start, f.End = p.words[r.from].start, p.words[r.to-1].end
	f.Changes = p.changes(text, q, r)
	return f
}

// changes returns the differences of an alignment, neighbours of one kind as one.
func (p *Paper) changes(text string, q quote, r run) []Change {
	var out []Change
	for i := 0; i < len(r.ops); i++ {
		o := r.ops[i]
		switch {
		case o.kind == same && q.words[o.quote].partly, o.kind == spelled && o.quoted == 1 && q.words[o.quote].partly && !negates(text[q.words[o.quote].start:q.words[o.quote].end], p.raw(o)):
			out = append(out, Change{ChangedBrackets, text[q.words[o.quote].start:q.words[o.quote].end], p.raw(o)})
			continue
		case o.kind == same:
			quoted, paper := text[q.words[o.quote].start:q.words[o.quote].end], p.text[p.words[o.paper].start:p.words[o.paper].end]
			if cite.Compare(quoted, paper) == cite.ChangedCase && !q.words[o.quote].bracket {
				out = append(out, Change{cite.ChangedCase, quoted, paper})
			}
			continue
		case o.kind == spelled && o.quoted == 1 && q.words[o.quote].partly:
			out = append(out, Change{cite.ChangedNegation, text[q.words[o.quote].start:q.words[o.quote].end], p.raw(o)})
			continue
		case o.kind == spelled:
			out = append(out, Change{ChangedSpelling, rawQuote(text, q, o), p.raw(o)})
			continue
		}
		j := i + 1
		all := o
		for j < len(r.ops) && r.ops[j].kind != same && r.ops[j].kind != spelled && marksOf(q, r.ops[j]) == marksOf(q, o) {
			all.quoted, all.papers = all.quoted+r.ops[j].quoted, all.papers+r.ops[j].papers
			j++
		}
		i = j - 1
		out = append(out, p.change(text, q, all))
	}
	return out
}

// negates reports whether letters in brackets turn a word of the paper round: [un]sound for sound.
func negates(quoted, paper string) bool {
	plain := strings.NewReplacer("[", "", "]", "").Replace(quoted)
	return cite.Compare("x "+strings.ToLower(plain), "x "+strings.ToLower(paper)) == cite.ChangedNegation
}

// A markKind says which sign of the writer covers a step.
type markKind byte

const (
	unmarked markKind = iota
	inBrackets
	byEllipsis
)

func marksOf(q quote, o op) markKind {
	switch {
	case o.kind == omitted && o.quote < len(q.words) && q.words[o.quote].gap:
		return byEllipsis
	case o.kind != omitted && q.words[o.quote].bracket,
		o.kind == omitted && (o.quote < len(q.words) && q.words[o.quote].bracket || o.quote > 0 && q.words[o.quote-1].bracket):
		return inBrackets
	}
	return unmarked
}

// maxReplaced is the most words of a paper that an insertion in brackets replaces.
const maxReplaced = 8

// change returns the change of a group of steps.
func (p *Paper) change(text string, q quote, o op) Change {
	c := Change{Quoted: rawQuote(text, q, o), Paper: p.raw(o)}
	switch marks := marksOf(q, o); {
	case marks == byEllipsis:
		c.Kind = ChangedEllipsis
	case marks == inBrackets:
		c.Kind = bracketKind(c)
		if o.papers > maxReplaced {
			c.Kind = ChangedOmission
		}
	case o.quoted == 0 && p.isSign(o):
		c.Kind = cite.ChangedPunctuation
	default:
		c.Kind = cite.Compare("x "+c.Quoted, "x "+c.Paper)
		if c.Kind == cite.ChangedName && len(properNames(c.Quoted))+len(properNames(c.Paper)) == 0 {
			c.Kind = cite.ChangedWording // The
		}
		switch {
		case c.Kind != cite.ChangedWording:
		case o.quoted == 0:
			c.Kind = ChangedOmission
		case o.papers == 0:
			c.Kind = ChangedAddition
		}
	}
	return c
}

// pageOrNote matches what an edition puts among the words of a paper: the mark of a note, a number of a page.
var pageOrNote = regexp.MustCompile(`^(?:[\[{(|]\s*(?:\^|(?:p|pp|S|fol|f|fn|n|Anm)\.?\s*)?\d{1,4}[rvab]?\s*[\]})|]|[¹²³⁰⁴-⁹]+)$`)

// markEnds and markBegins match what is around words that interrupt a quotation of the paper: “The wheel,” she wrote, “has stopped.”
var markEnds, markBegins = regexp.MustCompile(`[”"’'“»«‹›][,–—]?\s*$`), regexp.MustCompile(`^[,.–—]?\s*[“"„‘'‚»«‹›]`)

// isSign reports whether words of the paper that a quotation leaves out are none of its text: the mark of a note, the
// number of a page, the STOP of a telegram, who says what the paper quotes itself.
func (p *Paper) isSign(o op) bool {
	first, last := p.words[o.paper], p.words[o.paper+o.papers-1]
	words := p.text[first.start:last.end]
	before, after := p.text[:first.start], p.text[last.end:]
	if words == "STOP" || len(words) <= maxInterruption && reports(words) && markEnds.MatchString(before[max(0, len(before)-6):]) && markBegins.MatchString(after) {
		return true
	}
	if i := strings.LastIndexAny(before[max(0, len(before)-6):], "[{(|"); i >= 0 && strings.ContainsAny(after[:min(len(after), 2)], "]})|") {
		start := max(0, len(before)-6) + i
		return pageOrNote.MatchString(p.text[start : last.end+strings.IndexAny(after, "]})|")+1])
	}
	glued := before != "" && strings.ContainsAny(before[len(before)-1:], ".,;:!?\"") && len(words) <= 3 // fields.12 Nobody
	return pageOrNote.MatchString(words) || glued && strings.Trim(words, "0123456789") == ""
}

// bracketKind returns the kind of a change in brackets: that of an alteration where another number, another name or a
// denial replaces the paper's. Who is meant by he, what a number counts and a modern word may be put in.
func bracketKind(c Change) string {
	inner := strings.Trim(c.Quoted, "[]")
	switch kind := cite.Compare("x "+inner, "x "+c.Paper); kind {
	case cite.ChangedNegation:
		return kind
	case cite.ChangedNumber:
		if hasNumeral(inner) && hasNumeral(c.Paper) {
			return kind
		}
	case cite.ChangedName:
		if a, b := properNames(inner), properNames(c.Paper); len(a) > 0 && len(b) > 0 && isPerson(c.Paper) && !sharesName(a, b) {
			return kind
		}
	}
	return ChangedBrackets
}

// hasNumeral reports whether a text has a number, in digits or in letters.
func hasNumeral(text string) bool {
	for _, w := range wordsOf(text) {
		if numberValue(w.text) != "" {
			return true
		}
	}
	return false
}

// isPerson reports whether words can only name somebody or some place: a run of capitalised words without an article, as a German noun is none.
func isPerson(text string) bool {
	words := strings.Fields(text)
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) {
			return false
		}
	}
	return len(words) > 0
}

// sharesName reports whether two names have a word in common, or one is of initials.
func sharesName(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if strings.EqualFold(x, y) || x[0] == y[0] && (len(x) == 1 || len(y) == 1) {
				return true
			}
		}
	}
	return false
}

func rawQuote(text string, q quote, o op) string {
	if o.quoted == 0 {
		return ""
	}
	return strings.Join(strings.Fields(text[q.words[o.quote].start:q.words[o.quote+o.quoted-1].end]), " ")
}

func (p *Paper) raw(o op) string {
	if o.papers == 0 {
		return ""
	}
	return strings.Join(strings.Fields(p.text[p.words[o.paper].start:p.words[o.paper+o.papers-1].end]), " ")
}

// findSecond looks whether a quotation that is not at one place runs two places together: words left out without a mark
// over the end of a sentence, or a beginning or an end that is at another place.
func (p *Paper) findSecond(text string, q quote, r run, f *Finding) {
	if second, ok := p.sentenceGap(q, r); ok {
		f.Second = second
		return
	}
	from, to := looseEnd(q, r)
	if to-from < minRest {
		return
	}
	for to-from > minRest && connects(q.words[from].text) {
		from++
	}
	for to-from > minRest && to < len(q.words) && connects(q.words[to-1].text) {
		to--
	}
	rest := text[q.words[from].start:q.words[to-1].end]
	f.Rest = rest
	other, _ := p.find(rest, parseQuote(rest))
	if other.Words >= minRest && other.Share >= 0.85 && other.cost < 30 && distinct(rest) && (other.Start >= f.End || other.End <= f.Start) {
		f.Second, f.Rest = [2]int{other.Start, other.End}, ""
	}
}

// sentenceGap returns the second place of an alignment that leaves words out, without a mark, across the end of a sentence.
func (p *Paper) sentenceGap(q quote, r run) ([2]int, bool) {
	for k, o := range r.ops {
		far := o.kind == omitted && marksOf(q, o) == byEllipsis && utf8.RuneCountInString(p.raw(o)) > cite.MaxElision
		if o.kind != omitted || marksOf(q, o) != unmarked && !far {
			continue
		}
		before, after := 0, 0
		for i, other := range r.ops {
			if other.kind == same && i < k {
				before++
			} else if other.kind == same {
				after++
			}
		}
		end := p.words[o.paper+o.papers-1].end
		if before < 2 || after < 2 || !far && !endsSentence(p.text[p.words[max(o.paper-1, 0)].end:min(len(p.text), end+2)]) {
			continue
		}
		return [2]int{end, p.words[r.to-1].end}, true
	}
	return [2]int{}, false
}

// endsSentence reports whether a sentence ends in a text: a stop, a space and a capital letter.
func endsSentence(text string) bool {
	for i, r := range text {
		if r != '.' && r != '!' && r != '?' && r != ';' {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], "\"'”’»)")
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(trimmed, "\"'“‘„«("))
		if len(trimmed) < len(rest) && unicode.IsUpper(next) || r == ';' || trimmed == "" {
			return true
		}
	}
	return false
}

// looseEnd returns the words at the beginning or the end of a quotation, whichever are more, from the last run of words
// on that are at the place of its alignment.
func looseEnd(q quote, r run) (from, to int) {
	matched := make([]bool, len(q.words))
	for _, o := range r.ops {
		if o.kind == same || o.kind == spelled {
			for k := range o.quoted {
				matched[o.quote+k] = true
			}
		}
	}
	solid := func(i int) bool { // two words in a row
		return matched[i] && (i+1 < len(matched) && matched[i+1] || i > 0 && matched[i-1])
	}
	head := 0
	for head < len(matched) && !solid(head) {
		head++
	}
	tail := len(matched)
	for tail > 0 && !solid(tail-1) {
		tail--
	}
	if head >= len(matched)-tail {
		return 0, head
	}
	return tail, len(matched)
}

// connects reports whether a word may only join two places that are run together.
func connects(w string) bool {
	switch w {
	case "and", "but", "that", "for", "so", "or", "und", "aber", "daß", "dass", "denn", "oder":
		return true
	}
	return false
}

// distinct reports whether words are more than a turn of phrase: two of them have a topic of their own.
func distinct(text string) bool { return contentWords(text) >= 2 }
