package examine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/clause"
	"muniment/text/segment"
)

// A Reading is what a text quotes and of whom.
type Reading struct {
	Quotations []Quotation
	Statements []Quotation // sentences in the writer's own words that name a source and say a number, a date or a name
	Skipped    int         // quotations beyond MaxQuotations
	Lang       string
}

// MaxQuotations is how many quotations of a text are read: a long book has some thousand.
const MaxQuotations = 20_000

// A Quotation is a run of a text that says it is somebody's words.
type Quotation struct {
	Text       string   // as written, without the marks around it
	Parts      []string // the words themselves: one, or those of an interrupted quotation, without marks of notes
	Start, End int      // bytes of the text
	Block      bool     // a paragraph of its own
	Unmarked   bool     // nothing but its place says that it is a quotation
	Bare       bool     // of a statement: it only names a source, to which a later ibid. leads
	Vague      bool     // of a statement: a writer and a year alone name its source, and may as well be what it tells of
	Short      bool     // may be a word in a sense of its own, or a title
	Sentence   string   // that uses it
	Said       string   // the sentence without the quotations in it, each of which is …
	Mark       int      // which … of Said the quotation is, from 0
	Around     string   // the text around it, of at most aroundBytes on either side
	Mentions   []Mention
}

// Read finds the quotations of a text, which may be markdown, in its order. lang is a BCP 47 tag, "" to have it recognised.
func Read(text, lang string) *Reading {
	if lang == "" {
		lang = segment.Detect(text)
	}
	r := &reader{text: text, lang: lang, blocks: blocksOf(text)}
	r.notes = readNotes(r.blocks)
	r.entries = entriesByYear(r.notes)
	out := &Reading{Lang: lang}
	for i := range r.blocks {
		r.block(i)
	}
	out.Quotations, out.Statements = r.quotations, r.statements
	if n := len(out.Quotations); n > MaxQuotations {
		out.Quotations, out.Skipped = out.Quotations[:MaxQuotations], n-MaxQuotations
	}
	return out
}

type reader struct {
	text, lang string
	blocks     []block
	notes      map[string]*note
	entries    map[string][]*note // of a list without numbers, by year
	quotations []Quotation
	statements []Quotation
	heading    string // above the block
	before     string // the text of the block before, of the same section
}

// block reads one block.
func (r *reader) block(i int) {
	b := &r.blocks[i]
	switch b.kind {
	case headingBlock:
		r.heading, r.before = b.text, ""
		return
	case codeBlock:
		return
	case quoteBlock:
		r.blockQuote(i)
		return
	}
	marks := joinInterrupted(b.text, quotedIn(b.text))
	if b.kind == bodyBlock && len(marks) == 0 && strings.HasSuffix(strings.TrimSpace(r.before), ":") && r.afterColon(i) && r.blocks[i-1].kind != quoteBlock {
		r.blockQuote(i)
		return
	}
	r.paragraph(b, marks)
	if b.kind == bodyBlock {
		r.before = b.text
	}
}

// afterColon reports whether an unmarked paragraph after a colon can be a quotation: no item of a list, and of some length.
func (r *reader) afterColon(i int) bool {
	b := &r.blocks[i]
	return !itemStart.MatchString(b.text) && len(strings.Fields(b.text)) >= 8
}

// blockQuote reads a quotation that is a paragraph of its own; a line of attribution at its end names its source.
func (r *reader) blockQuote(i int) {
	b := &r.blocks[i]
	if i > 0 && r.blocks[i-1].kind == quoteBlock && attributes(b.text) {
		return // the source of the block before
	}
	body, source := cutAttribution(strings.TrimSpace(b.text))
	if whole := quotedIn(body); len(whole) == 1 && whole[0].outer.start == 0 && len(strings.TrimSpace(body[whole[0].outer.end:])) <= 8 {
		source += " " + body[whole[0].outer.end:]
		body = body[whole[0].inner.start:whole[0].inner.end]
	}
	body, marks := r.cutMarks(body)
	if len(strings.Fields(body)) < 3 {
		return
	}
	q := Quotation{Text: body, Parts: []string{body}, Start: b.start, End: b.end, Block: true, Unmarked: b.kind == bodyBlock}
	intro := lastSentence(r.before, r.lang)
	q.Sentence, q.Said = strings.TrimSpace(intro), strings.TrimSpace(intro)
	for _, m := range marks {
		q.add(r.followMark(m, nil)...)
	}
	if source != "" {
		q.add(r.mention(source, AfterQuote)...)
	}
	if after := r.attributionAfter(i); source == "" && after != "" {
		q.links(after)
		q.add(r.mention(after, AfterQuote)...)
	}
	_, cites := mask(intro, nil)
	for k := len(cites) - 1; k >= 0; k-- {
		q.add(r.followMark(cites[k].text, nil)...)
	}
	if intro != "" {
		q.add(r.mention(intro, InSentence)...)
	}
	r.earlier(&q, cutSuffix(r.before, intro))
	r.quotations = append(r.quotations, q)
}

// attributionAfter returns the block after a block quote that only names its source, "" for none.
func (r *reader) attributionAfter(i int) string {
	if i+1 >= len(r.blocks) {
		return ""
	}
	next := &r.blocks[i+1]
	if next.kind == bodyBlock && isCitation(next.text) || next.kind != noteBlock && attributes(next.text) {
		return next.text
	}
	return ""
}

// attributes reports whether a short paragraph only names a source: a dash or a bracket and what follows, or a title with its date. It states nothing.
func attributes(text string) bool {
	t := strings.TrimSpace(text)
	first, _ := utf8.DecodeRuneInString(t)
	s := clause.Parse(t)
	if len(s.Words) == 0 || len(s.Words) > 24 || s.HasFinite(0, len(s.Tokens)) || strings.HasSuffix(t, ":") {
		return false
	}
	return first == '—' || first == '–' || first == '(' || strings.HasPrefix(t, "--") || Mention{Text: t, Where: AfterQuote}.Names()
}

func cutSuffix(text, tail string) string {
	if at := strings.LastIndex(text, tail); tail != "" && at >= 0 {
		return text[:at]
	}
	return text
}

// add appends mentions.
func (q *Quotation) add(all ...Mention) { q.Mentions = append(q.Mentions, all...) }

// A use is a sentence of a paragraph with the quotations in it.
type use struct {
	span
	marks []quoteRange
}

// paragraph reads the quotations in marks of a paragraph.
func (r *reader) paragraph(b *block, marks []quoteRange) {
	text := b.text
	hidden, cites := mask(text, marks)
	uses := r.sentences(text, hidden, marks)
	for i, u := range uses {
		if len(u.marks) == 0 {
			if b.kind != noteBlock {
				r.statement(b, text, hidden, u, cites, uses, i)
			}
			continue
		}
		for k, m := range u.marks {
			q := Quotation{Text: text[m.inner.start:m.inner.end], Start: b.start + m.outer.start, End: b.start + m.outer.end, Sentence: text[u.start:u.end]}
			if b.kind == noteBlock && !isSpeech(q.Text) {
				continue // a title
			}
			if !r.quotes(&q, text, m) {
				continue
			}
			q.Said = strings.Join(strings.Fields(unmask(hidden[u.start:u.end])), " ")
			q.Mark = strings.Count(unmask(hidden[u.start:m.outer.start]), "…")
			q.Around = around(text, m.outer)
			r.addMentions(&q, text, hidden, uses, i, k, cites)
			r.quotations = append(r.quotations, q)
		}
	}
}

// aroundBytes is how much of the text on either side of a quotation may tell what it leaves out.
const aroundBytes = 600

// around returns a paragraph without one of its quotations, as far as it is near.
func around(text string, at span) string {
	before, after := text[max(0, at.start-aroundBytes):at.start], text[at.end:min(len(text), at.end+aroundBytes)]
	return strings.ToValidUTF8(before+" … "+after, "")
}

// quotes settles the text of a quotation and reports whether it is one.
func (r *reader) quotes(q *Quotation, text string, m quoteRange) bool {
	if m.open && m.mark != '„' && m.mark != '“' && m.mark != '«' {
		return false
	}
	q.Text, _ = r.cutMarks(q.Text)
	q.Parts = partsOf(q.Text, m.mark)
	words := wordsOf(q.Words())
	if len(words) == 0 {
		return false
	}
	q.Short = (len(words) <= 2 || isTitle(q.Text) || contentWords(q.Text) < 2 && len(words) <= 3) && !hasNumber(words)
	return !isMeasure(text, m)
}

// isMeasure reports whether marks are those of feet and inches: 5' 10".
func isMeasure(text string, m quoteRange) bool {
	if m.mark != '"' && m.mark != '\'' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:m.outer.start])
	return unicode.IsDigit(before)
}

// isTitle reports whether a text is written as a title: every word of some length with a capital, and no stop at its end.
func isTitle(text string) bool {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 14 || strings.ContainsAny(text[len(text)-1:], ".!?;,") || strings.ContainsAny(text, "[…") {
		return false
	}
	small, capital := 0, 0
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		return false
	}
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "“‘\"'("))
		switch {
		case unicode.IsUpper(r) || unicode.IsDigit(r):
			capital++
		case segment.Auxiliary(strings.ToLower(w)):
			return false
		case segment.Function(strings.ToLower(w)):
		default:
			small++
		}
	}
	return small == 0 && capital >= 2
}

// isSpeech reports whether a quotation in a note can be more than a title.
func isSpeech(text string) bool {
	words := strings.Fields(text)
	return len(words) >= 4 && !isTitle(text)
}

// cutMarks removes the marks of notes from a quotation and returns them. A number in brackets that no note has, or that
// stands among the words of a clause, is the writer's: in May [1888], cleared [11] feet.
func (r *reader) cutMarks(text string) (string, []string) {
	var marks []string
	var b strings.Builder
	from := 0
	for _, at := range noteMarks(text) {
		if r.isInsertion(text, at) {
			continue
		}
		marks = append(marks, text[at[0]:at[1]])
		b.WriteString(text[from:at[0]])
		from = at[1]
	}
	b.WriteString(text[from:])
	return strings.TrimSpace(b.String()), marks
}

// isInsertion reports whether what looks like the mark of a note is a number that the writer put into a quotation.
func (r *reader) isInsertion(text string, at []int) bool {
	mark := text[at[0]:at[1]]
	if mark[0] >= '0' && mark[0] <= '9' {
		return r.notes[mark] == nil
	}
	if mark[0] != '[' || mark[1] == '^' || mark[1] == '@' {
		return false
	}
	for _, l := range labels(mark) {
		if r.notes[l] == nil {
			return true
		}
	}
	if at[0] == 0 || text[at[0]-1] != ' ' {
		return at[0] == 0
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[at[1]:], " \n"))
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text[:at[0]], " \n"))
	return unicode.IsLetter(last) && (unicode.IsLower(next) || unicode.IsDigit(next))
}

// maxInterruption is how many bytes the words have at most that interrupt a quotation.
const maxInterruption = 90

// joinInterrupted joins quotations that a few words of reporting interrupt: “The wheel,” she wrote, “has stopped.”
func joinInterrupted(text string, marks []quoteRange) []quoteRange {
	var out []quoteRange
	for _, m := range marks {
		if n := len(out); n > 0 && interrupts(text, out[n-1], m) {
			out[n-1].outer.end, out[n-1].inner.end, out[n-1].open = m.outer.end, m.inner.end, m.open
			continue
		}
		out = append(out, m)
	}
	return out
}

// interrupts reports whether the text between two quotations interrupts one.
func interrupts(text string, a, b quoteRange) bool {
	gap := text[a.outer.end:b.outer.start]
	if a.mark != b.mark || len(gap) > maxInterruption || strings.ContainsAny(gap, ".!?;:()[]\n\n") && !shortStops(gap) || strings.Contains(gap, "\n\n") {
		return false
	}
	first := text[a.inner.start:a.inner.end]
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[b.inner.start:b.inner.end], "[…. "))
	last := lastVisible(first)
	comma := last == "," || strings.HasPrefix(strings.TrimSpace(gap), ",") || last == "-" || last == "–" || last == "—"
	ends := strings.HasSuffix(strings.TrimSpace(gap), ",")
	return comma && ends && (unicode.IsLower(next) || unicode.IsUpper(next) && reports(gap) && (next == 'I' || last == "," && len(strings.Fields(first)) > 2)) && reports(gap)
}

// shortStops reports whether the stops of a text belong to abbreviations: Mr., Dr.
func shortStops(gap string) bool {
	return !strings.ContainsAny(gap, "!?;:()[]\n") && len(segment.Sentences("x"+gap+" x", "")) == 1
}

// Words returns the words of a quotation, those that interrupt it left out.
func (q *Quotation) Words() string { return strings.Join(q.Parts, " ") }

// hasNumber reports whether one of some words is a number: in marks it is no word in a sense of its own. One is a pronoun too.
func hasNumber(words []word) bool {
	for _, w := range words {
		if _, n := clause.LeadingNumber([]string{w.text}); n > 0 && w.text != "one" || strings.ContainsFunc(w.text, unicode.IsNumber) {
			return true
		}
	}
	return false
}

// partsOf returns the parts of a quotation that a mark opens.
func partsOf(text string, mark rune) []string {
	var out []string
	from := 0
	for _, m := range quotedInside(text, mark) {
		out = append(out, strings.TrimRight(strings.TrimSpace(text[from:m.start]), ",–—- "))
		from = m.end
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// quotedInside returns the interruptions of a joined quotation: a closing mark, words of reporting, an opening mark as
// the first. What interrupts a quotation inside it, in other marks, is of its words.
func quotedInside(text string, mark rune) []span {
	var out []span
	at := 0
	for at < len(text) {
		i := strings.IndexFunc(text[at:], func(r rune) bool { return strings.ContainsRune(closers[mark], r) })
		if i < 0 {
			break
		}
		i += at
		_, n := utf8.DecodeRuneInString(text[i:])
		end := min(len(text), i+n+maxInterruption+4)
		rest := text[i+n : end]
		for j, c := range rest {
			size := utf8.RuneLen(c)
			if c != mark {
				continue
			}
			if gap := rest[:j]; strings.HasSuffix(strings.TrimSpace(gap), ",") && reports(gap) && j > 2 {
				out = append(out, span{i, i + n + j + size})
				n += j + size
			}
			break
		}
		at = i + n
	}
	return out
}

// sentences returns the sentences of a paragraph with the quotations in each. Quotations are hidden from the cutter, so
// that a stop inside one ends the sentence only at its end.
func (r *reader) sentences(text, hidden string, marks []quoteRange) []use {
	var uses []use
	k := 0
	for _, s := range segment.Sentences(hidden, r.lang) {
		u := use{span: span{s.Start, s.End}}
		for k < len(marks) && marks[k].outer.start < s.End {
			u.marks = append(u.marks, marks[k])
			u.end = max(u.end, marks[k].outer.end)
			k++
		}
		uses = append(uses, u)
	}
	return uses
}

// mask returns a paragraph in which quotations are letters, but for their last stop, and marks of notes are spaces; and
// these marks with their places.
func mask(text string, marks []quoteRange) (string, []citeMark) {
	b := []byte(text)
	for _, m := range marks {
		if namesWork(text[m.inner.start:m.inner.end]) {
			continue
		}
		last := 0
		if inner := strings.TrimRight(text[m.inner.start:m.inner.end], " \n…."); len(inner) < m.inner.end-m.inner.start || strings.HasSuffix(inner, "!") || strings.HasSuffix(inner, "?") {
			last = 1
		}
		for i := m.inner.start; i < m.inner.end-last; i++ {
			b[i] = maskByte
		}
		if first, _ := utf8.DecodeRuneInString(text[m.inner.start:]); unicode.IsUpper(first) || first == '[' {
			b[m.inner.start] = maskByte - 'a' + 'A' // it may begin a sentence
		}
		if last == 1 && m.inner.end > m.inner.start && b[m.inner.end-1] >= utf8.RuneSelf {
			for i := m.inner.start; i < m.inner.end; i++ {
				b[i] = maskByte
			}
		}
	}
	var cites []citeMark
	hidden := string(b)
	for _, at := range noteMarks(hidden) {
		cites = append(cites, citeMark{span{at[0], at[1]}, text[at[0]:at[1]]})
		for i := at[0]; i < at[1]; i++ {
			b[i] = ' '
		}
	}
	return string(b), cites
}

// namesWork reports whether a quotation is the title of a work or a name, and so says which source is meant.
func namesWork(text string) bool {
	if isTitle(text) {
		return true
	}
	words := strings.Fields(text)
	r, _ := utf8.DecodeRuneInString(text)
	return len(words) == 1 && unicode.IsUpper(r) && !strings.ContainsAny(text, ".,!?…[")
}

// maskByte hides a quotation: a letter that no word of a language repeats.
const maskByte = 'q'

// unmask removes what mask hides.
func unmask(text string) string {
	return maskRun.ReplaceAllString(text, "…")
}

// lastSentence returns the last sentence of a text.
func lastSentence(text, lang string) string {
	hidden, _ := mask(text, quotedIn(text))
	all := segment.Sentences(hidden, lang)
	if len(all) == 0 {
		return ""
	}
	return text[all[len(all)-1].Start:]
}
