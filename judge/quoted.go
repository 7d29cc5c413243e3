package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// LeftOut returns the denial, condition or report that governs the words of a quotation in their paper and that the
// quotation leaves out; "" where there is none, or the sentence that uses the quotation says so itself.
//
// It is narrower than ScopeOfQuote, which asks whether words can be used as a statement. Here the quotation stands as
// one already, and what is sought is a reader who is misled:
//
//   - a denial beside the quotation in its clause, or in the words that introduce it: we do not hold that “…”;
//   - a condition in its sentence, where the quotation is a clause or the predicate of one;
//   - the report of another than the writer that introduces it, The bank argues that “…”, or marks of quotation around it;
//   - a short sentence after it that takes it back: That is not so;
//   - where the quotation stands as a statement, also an exception, a doubt, a report without a that, and the scope that Judge finds above it
//     or at the end of its sentence.
func LeftOut(w Passage, u Use) string {
	w, isContent := w.withoutThat()
	text := w.Before + w.Words + w.After
	if len(text) > MaxText {
		return ""
	}
	q := usage{words: clause.Parse(w.Words), said: clause.Parse(u.Said), own: clause.Parse(governingClause(u)), around: u.Around, mark: u.Mark, isContent: isContent, lang: language(w, u.Said)}
	q.others, q.attributes = q.withoutSource(u.Source), q.attributesTo(u.Source)
	from, to := len(w.Before), len(w.Before)+len(w.Words)
	sentences := segment.Sentences(text, q.lang)
	for i, r := range sentences {
		if r.End <= from || r.Start >= to {
			continue
		}
		before, after := "", ""
		if r.Start < from {
			before = text[r.Start:from]
			before = before[strings.LastIndexByte(before, ';')+1:]
		}
		if r.End > to {
			after = firstPart(text[to:r.End])
		}
		next := ""
		if i+1 < len(sentences) && r.End >= to {
			next = text[sentences[i+1].Start:sentences[i+1].End]
		} else if r.End >= to && len(w.Below) <= maxLabel {
			next = w.Below // Withdrawn before the vote.
		}
		if who := q.otherSpeaker(text, u.Source, from, r.Start); who != "" {
			return limit{"the words are somebody else's", who}.String()
		}
		if l := q.leftOut(&w, before, after, next); l.reason != "" && !q.repeats(l.words) {
			return l.String()
		}
	}
	return ""
}

// otherSpeaker returns the words that say that another than the writer speaks at a place: a quotation that an earlier sentence opens, or a line that is
// marked as a quotation; "" where none does or the sentence that quotes from there says so.
func (q *usage) otherSpeaker(text, source string, at, sentence int) string {
	if isQuotedLine(text, at) && !q.passesOn(&clause.Sentence{}, 0, 0) && !q.namesAnother(source) {
		return clip(text[strings.LastIndexByte(text[:at], '\n')+1:])
	}
	begins, ends := openQuotation(text[:at])
	all := segment.Sentences(text[:begins], q.lang)
	if ends == "" || begins >= sentence || len(all) == 0 {
		return ""
	}
	if b := clause.Parse(text[all[len(all)-1].Start:begins]); !q.ownWords(b.Words) && !q.namesReporter(&b, len(b.Words)-1) && !q.passesOn(&b, 0, 0) {
		return b.Raw
	}
	return ""
}

// namesAnother reports whether the sentence that uses a quotation names somebody whom its paper is not called by, and not as the one who is written to, or
// says that the paper quotes.
func (q *usage) namesAnother(source string) bool {
	name, words := stems(source), q.said.Words
	for i, t := range q.said.Tokens {
		named := t.Upper && t.Content() && !t.Date && !lexicon.SourceNoun.Has(words[i]) && !slices.Contains(name, segment.Stem(strings.TrimSuffix(words[i], "'s")))
		if named && !(i > 0 && (hasWord(words[i-1:i], "to", "an", "for") || q.said.Tokens[i-1].Upper)) || hasWord(words[i:i+1], "quotes", "quoted", "quoting", "zitiert", "zitierte") {
			return true
		}
	}
	return false
}

// estranging are the lists by whose words the end of a sentence takes from the writer what is before it: or so the Gazette has it, I should hope.
var estranging = []lexicon.List{lexicon.Report, lexicon.Hearsay, lexicon.Doubt, lexicon.Wish, lexicon.Fiction, lexicon.Partial}

// findScope returns the scope that the judge finds above words that are quoted as a statement, or at the end of their sentence.
func (q *usage) findScope(w *Passage, before, after string) limit {
	if !q.isClause() || lexicon.Partial.In(q.own.Words) != "" || lexicon.Fiction.In(q.said.Words) != "" {
		return limit{}
	}
	for head := range strings.Lines(w.Above) {
		if (disowns(head) || announces(head, true)) && !tellsDenial(&q.words, head) {
			return limit{"what is above the words says in what sense they hold", head}
		}
	}
	s := clause.Parse(before + w.Words + after)
	m := match{c: &q.words, s: &s, words: *w}
	for i, t := range s.Tokens {
		if t.Start >= len(before) && t.End <= len(before)+len(w.Words) {
			m.at = append(m.at, i)
		}
	}
	to := len(s.Tokens)
	if len(m.at) == 0 || m.at[len(m.at)-1]+1 == to {
		return limit{}
	}
	from := m.at[len(m.at)-1] + 1
	f, said := m.trail(gap{from, to}), q.passesOn(&s, from, to)
	isIn := max(lexicon.InView.At(s.Words, from), lexicon.Partial.At(s.Words, from)) > 0 // on paper, in the eyes of his mother
	tellsThen := to > from+1 && s.Words[from] == "to" && says(s.Words[from+1])           // she called us, to tell us of a fire
	switch {
	case isIn && !said:
		return limit{"the words hold only in a sense", m.rawOf(from, to)}
	case !isIn && f.rule != "" && m.narrows(from) && q.endsSentence() && !q.tells(m.rawOf(f.from, f.to)):
		return limit{"the words hold only with a limit", m.rawOf(f.from, f.to)}
	case said || tellsThen || !strings.ContainsAny(s.Tokens[from].Gap, ",–—(") || q.passesOn(&s, 0, m.at[0]):
		return limit{}
	}
	_, strange := m.find(f.from, f.to, estranging...)
	if _, assures := m.find(from, min(to, from+5), lexicon.Assurance); f.rule == Scope && strange || assures && !lexicon.Coordinator.Has(s.Words[from]) {
		return limit{"the words hold only in a sense", m.rawOf(from, to)}
	}
	return limit{}
}

// endsSentence reports whether a statement of the sentence that uses a quotation ends with it: nothing or only who wrote it follows.
func (q *usage) endsSentence() bool {
	after := strings.TrimLeft(q.said.Raw[max(0, nthMark(q.said.Raw, q.mark)):], "… \n“„»«›‹‚‘’”\"'")
	words := clause.Parse(after).Words
	return after == "" || strings.ContainsAny(after[:1], ".;!?([") || slices.ContainsFunc(words[:min(3, len(words))], says)
}

// narrows reports whether the words after a statement, from a token of its clause on, say where, when, for whom or with what exception it is so. What
// happened once stays true without them; what is, has become, may or must be, and what is compared or denied does not.
func (m *match) narrows(from int) bool {
	words := m.s.Words
	if max(lexicon.Exception.At(words, from), lexicon.Proviso.At(words, from), lexicon.Condition.At(words, from), lexicon.Only.At(words, from)) > 0 || limits(words[from]) || hasWord(words[from:from+1], "without", "ohne", "alone", "allein") {
		return true
	}
	first, next, lasts := m.at[0], words[from:from+1], false
	for _, i := range m.at {
		lasts = lasts || hasWord(words[i:i+1], "has", "have", "hat", "haben", "ist", "sind", "more", "less", "fewer", "mehr", "weniger", "against")
	}
	if strings.ContainsAny(m.s.Tokens[from].Gap, ",–—(") || m.event() && !lasts || hasWord(next, "of", "to", "at", "by", "with") {
		return false
	}
	whole := first == 0 || strings.ContainsAny(m.s.Tokens[first].Gap, ",:;–—(") || lexicon.Complementizer.Has(words[first-1]) || lexicon.Coordinator.Has(words[first-1])
	return whole && (lexicon.Preposition.Has(next[0]) || lexicon.Subordinator.Has(next[0]) || lexicon.Relative.Has(next[0]) || hasWord(next, "than", "but", "bis", "where", "wo"))
}

// A Use is how a text uses a quotation.
type Use struct {
	Said   string // the sentence that uses it, without the quotations in it, each of which is …
	Around string // the text around it, quotations included
	Mark   int    // which … of Said it is, from 0
	Source string // what the paper is called: its title, its makers, its first lines
}

// A usage is a quotation with the sentence that uses it.
type usage struct {
	words, said clause.Sentence
	own, before clause.Sentence // the statement of said that uses it; the words before it in its sentence of the paper
	others      []string        // the words of said but those that name the paper
	around      string
	mark        int
	lang        string
	attributes  bool // said gives the words to somebody else than the paper
	isContent   bool // the quotation begins with a that, which words does not have
}

// A limit is why words do not hold as they are quoted, with the words that say so.
type limit struct{ reason, words string }

func (l limit) String() string {
	if l.words == "" {
		return l.reason
	}
	return l.reason + ": “" + clip(l.words) + "”"
}

// leastRepeated is the least share of the words of a limit that a sentence has which tells it.
const leastRepeated = 0.7

// repeats reports whether a sentence around a quotation tells a limit of its words, in a quotation of its own or
// without marks: it has most of the words, and half of them in their order.
func (q *usage) repeats(words string) bool {
	of := stems(words)
	if len(of) < 2 {
		return false
	}
	quoted := stems(q.words.Raw)
	for _, r := range segment.Sentences(q.around, "") {
		single, pairs := map[string]bool{}, map[[2]string]bool{}
		here := stems(q.around[r.Start:r.End])
		if len(quoted) > 2 && indexOf(here, strings.Join(quoted, " ")) >= 0 {
			continue // another use of the words, which tells nothing of this one
		}
		for i, w := range here {
			single[w] = true
			if i > 0 {
				pairs[[2]string{here[i-1], w}] = true
			}
		}
		has, inOrder := 0, 0
		for i, w := range of {
			if single[w] {
				has++
			}
			if i > 0 && pairs[[2]string{of[i-1], w}] {
				inOrder++
			}
		}
		if float64(has) >= leastRepeated*float64(len(of)) && 2*inOrder >= len(of)-1 {
			return true
		}
	}
	return false
}

// withoutSource returns the words of the sentence that uses a quotation without the runs of content words that name its paper. The canal
// company of Brand v. Canal Company is not who speaks in it.
func (q *usage) withoutSource(source string) []string {
	name, words := stems(source), q.said.Words
	names := func(i int) bool {
		return i >= 0 && i < len(words) && q.said.Tokens[i].Content() && slices.Contains(name, segment.Stem(words[i]))
	}
	var out []string
	for i, w := range words {
		if !names(i) || !names(i-1) && !names(i+1) {
			out = append(out, w)
		}
	}
	return out
}

// stems returns the stems of the words of a text, in order.
func stems(text string) []string {
	words := clause.Parse(text).Words
	for i, w := range words {
		words[i] = segment.Stem(w)
	}
	return words
}

// firstPart returns the rest of a statement: after a semicolon another begins.
func firstPart(text string) string {
	first, _, _ := strings.Cut(text, ";")
	return first
}

func (q *usage) leftOut(w *Passage, before, after, next string) limit {
	b, a := clause.Parse(before), clause.Parse(after)
	q.before = b
	if why := q.denial(&b, &a, after); why != "" {
		return limit{"the words are denied in their paper", why}
	}
	if why := q.condition(&b, &a, before); why != "" && !q.tells(why) {
		return limit{"the words hold only on a condition", why}
	}
	if l := q.unsaid(&b, &a, after); l.reason != "" {
		return l
	}
	reported := q.report(&b, before)
	if reported != "" {
		return limit{"the words are somebody else's", reported}
	}
	if q.asserts() {
		if l := q.findSpeaker(&b, &a); l.reason != "" {
			return l
		}
		if l := q.scopeOfAssertion(&b, &a); l.reason != "" {
			return l
		}
		if l := q.findScope(w, before, after); l.reason != "" {
			return l
		}
	}
	if n := clause.Parse(next); len(n.Words) > 0 && len(n.Words) <= 12 && strings.TrimSpace(after) == strings.Trim(after, " ") && len(a.Words) == 0 && q.takenBack(&n, next) {
		return limit{"the next sentence takes it back", next}
	}
	return limit{}
}

// unsaid returns why words are asked, wished, imagined or nearly so, and not stated; the zero limit where they are, or
// the sentence that uses them says so too.
func (q *usage) unsaid(b, a *clause.Sentence, after string) limit {
	if len(q.words.Words) < 3 || q.reportsReport() || q.refutes() {
		return limit{}
	}
	if n := len(b.Words); n > 2 && hasWord(b.Words[:1], "in", "im") && (lexicon.Genre.Has(b.Words[n-1]) && lexicon.Genre.In(q.said.Words) == "" || lexicon.Dream.Has(b.Words[n-1]) && lexicon.Dream.In(q.said.Words) == "") && !q.said.Asks() {
		return limit{"the words hold only in a sense", rawOf(b, 0, n)} // In the play “the king …”
	}
	if strings.HasSuffix(strings.TrimRight(strings.TrimSpace(after), "\"”’'“»"), "?") && len(b.Words) > 0 && !crosses(b, openingOf(b, len(b.Words)-1), len(b.Words)) && (q.isClause() || q.predicates() || opensThat(b.Words[len(b.Words)-1])) && !q.said.Asks() && !asks(q.said.Words) {
		return limit{reason: "the words are part of a question"}
	}
	if n := len(b.Words); n > 1 && q.predicates() && hasWord(append(slices.Clone(b.Words[n-1:]), q.words.Words[0]), "to", "zu", "be", "have") && lexicon.Wish.In(q.said.Words) == "" && lexicon.Modal.In(q.said.Words) == "" {
		for i := n - 1; i >= max(0, n-subjectReach-1) && !crosses(b, i, n); i-- {
			if lexicon.Wish.Has(b.Words[i]) {
				return limit{"the words tell what was wanted", rawOf(b, i, n)}
			}
			if w := b.Words[i]; i+2 < n && (w == "was" || w == "were") && b.Words[i+1] == "to" && lexicon.Auxiliary.Has(b.Words[i+2]) {
				return limit{"the words tell what was to be", rawOf(b, i, n)}
			}
		}
	}
	for i := len(b.Words) - 1; i >= 0 && i >= len(b.Words)-governReach; i-- {
		for k, l := range []lexicon.List{lexicon.Hearsay, lexicon.Fiction, lexicon.Wish, lexicon.Dream} {
			n := l.At(b.Words, i)
			opens := slices.ContainsFunc(b.Words[i+n:], opensThat) || k == 3 && strings.Contains(b.Tail, ",")
			if n == 0 || crosses(b, i, len(b.Words)) || l.In(q.own.Words) != "" || l.In(q.words.Words) != "" || n > 1 && saysName(q.said.Words, b.Words[i+n-1]) || !opens && (k > 0 || len(b.Words)-i-n > 2) {
				continue
			}
			return limit{"the words hold only in a sense", rawOf(b, i, len(b.Words))}
		}
	}
	return limit{}
}

// asks reports whether words pass on a question.
func asks(words []string) bool {
	return hasWord(words, "ask", "asks", "asked", "asking", "question", "questions", "wonder", "wonders", "wondered", "whether", "ob", "fragt", "fragte", "frage", "fragen", "gefragt")
}

// crosses reports whether a new statement begins between two tokens: after a comma with but, and, as, or after a colon or dash.
func crosses(s *clause.Sentence, from, to int) bool {
	for i := from + 1; i < to && i < len(s.Tokens); i++ {
		gap := s.Tokens[i].Gap
		if strings.ContainsAny(gap, ":;—–") || strings.Contains(gap, "(") || strings.ContainsAny(gap, ",") && (lexicon.Coordinator.Has(s.Words[i]) || lexicon.Subordinator.Has(s.Words[i]) || s.HasFinite(i, to) && !opensThat(s.Words[i])) {
			return true
		}
		if lexicon.Coordinator.Has(s.Words[i]) && s.HasFinite(i, to) {
			return true
		}
	}
	return false
}

// opensThat reports whether a word opens what is said, held or feared.
func opensThat(w string) bool {
	return lexicon.Complementizer.Has(w)
}

// condition returns the condition of a quotation that is a clause, "" where it or the sentence that uses it has one.
func (q *usage) condition(b, a *clause.Sentence, before string) string {
	words := &q.words
	if isProviso(b, words) || len(words.Words) == 0 || conditional(words.Words) != "" || !q.isClause() && !q.opensWithVerb(b) && !(isUnreal(b) && lexicon.Unreal.In(q.own.Words) == "") {
		return ""
	}
	if w := conditional(b.Words); w != "" {
		at := indexOf(b.Words, w)
		german := hasWord(b.Words[at:at+1], "falls", "sofern", "wenn", "sobald", "solange") && strings.Contains(b.Tail, ",") // whose verbs are not all known
		leading := at == 0 && strings.Contains(b.Raw[b.Tokens[0].End:], ",")                                                 // If the council agrees, the bridge
		if german || leading || b.HasFinite(at, len(b.Words)) || lexicon.Condition.At(b.Words, at) > 1 {
			return rawOf(b, at, len(b.Words))
		}
	}
	if startsInverted(b) {
		return rawOf(b, 0, len(b.Words))
	}
	if w := conditional(a.Words); w != "" {
		if at := indexOf(a.Words, w); at >= 0 && at <= 6 {
			return rawOf(a, 0, len(a.Words))
		}
	}
	return ""
}

// isUnreal reports whether the clause that goes on with a quotation has the mood of what would be: so hätte das Wasser “die Stadt erreicht”.
func isUnreal(b *clause.Sentence) bool {
	parts := b.Parts(0, len(b.Tokens))
	if len(parts) < 2 {
		return false
	}
	return hasWord(b.Words[parts[len(parts)-1].From:], "would", "could", "might", "hätte", "hätten", "wäre", "wären", "würde", "würden", "könnte", "könnten")
}

// isProviso reports whether words are what a rule provides, right after the words that open it: provided that “no surgeon shall be charged”.
func isProviso(b, words *clause.Sentence) bool {
	n := len(b.Words)
	return n > 1 && lexicon.Proviso.In(b.Words[n-2:]) != "" && hasWord(words.Words, "shall", "soll", "muss", "muß")
}

// conditional returns the words of a condition, "" for none. Even if, as if and once upon a time are none.
func conditional(words []string) string {
	for i := range words {
		n := max(lexicon.Condition.At(words, i), lexicon.Proviso.At(words, i))
		if n == 0 || n == 1 && (words[i] == "once" || words[i] == "otherwise" || words[i] == "angenommen" && i+1 == len(words)) {
			continue // der Antrag wird angenommen
		}
		if i > 0 {
			switch words[i-1] {
			case "even", "as", "auch", "selbst", "what", "see", "know", "ask", "asked":
				continue
			}
		}
		return strings.Join(words[i:i+n], " ")
	}
	return ""
}

// isClause reports whether a quotation states something by itself: it has a verb, and is no relative or indirect clause.
func (q *usage) isClause() bool {
	first := q.words.Words[0]
	switch first {
	case "which", "who", "whose", "what", "where", "when", "how", "why", "as", "because", "that", "daß", "dass", "weil", "als":
		return false
	case "to", "would", "will", "shall", "should", "may", "can", "würde", "wird", "soll", "kann":
		return true
	}
	return len(q.words.Words) >= 3 && (q.words.HasFinite(0, len(q.words.Tokens)) || q.words.Presents(0, len(q.words.Tokens)))
}

// opensWithVerb reports whether a quotation goes on with a German sentence after a clause that a comma ends, or after its subject, so that its first word is the verb.
func (q *usage) opensWithVerb(b *clause.Sentence) bool {
	first := q.words.Words[0]
	subject := len(b.Words) > 0 && hasWord(b.Words[len(b.Words)-1:], "das", "dies", "es", "er", "man", "ich", "wir") && strings.HasSuffix(first, "t")
	return (subject || strings.Contains(b.Tail, ",")) && len(q.words.Words) > 1 && !q.words.Tokens[0].Upper && !lexicon.Function.Has(first) && q.lang == "de"
}

// report returns the words that give a quotation as somebody else's, "" where they are the writer's own or the sentence
// that uses the quotation names who says it.
func (q *usage) report(b *clause.Sentence, before string) string {
	if len(b.Words) == 0 || len(q.words.Words) < 3 || opensThat(q.words.Words[0]) {
		return ""
	}
	at := -1
	for i := range b.Words {
		if lexicon.Report.At(b.Words, i) > 0 || lexicon.Contention.At(b.Words, i) > 0 {
			at = i
		}
	}
	if at < 0 || len(b.Words)-at > governReach || deniesTwice(b.Words) || crosses(b, at, len(b.Words)) && !quoteOpens(before) {
		return ""
	}
	switch b.Words[at] { // a report that nobody disputes is as good as the writer's word
	case "testified", "reported", "stated", "noted", "recorded", "observed", "berichtet", "berichtete", "bezeugte":
		return ""
	}
	tail := b.Words[at+1:]
	introduces := quoteOpens(before) || len(tail) > 0 && opensThat(tail[len(tail)-1]) || slices.ContainsFunc(tail, opensThat) || strings.HasSuffix(strings.TrimSpace(before), ",")
	if !introduces || q.ownWords(b.Words[:at]) && !lexicon.Attitude.Has(b.Words[at]) || q.namesReporter(b, at) || q.refutes() || lexicon.Hearsay.In(q.own.Words) != "" {
		return ""
	}
	return rawOf(b, max(0, at-4), len(b.Words))
}

// quoteOpens reports whether a mark of quotation opens at the end of a text.
func quoteOpens(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(before))
	return strings.ContainsRune("“\"„»«‘", r)
}

// ownWords reports whether the words before a verb of saying have the writer as its subject, or a pronoun for somebody whom the text may name.
func (q *usage) ownWords(words []string) bool {
	words = words[max(0, len(words)-4):]
	return hasWord(words, "i", "we", "ich", "wir") || q.attributes && hasWord(words, "he", "she", "they", "er", "sie")
}

// attributesTo reports whether the clause that governs a quotation gives the words to somebody who is neither the paper nor called like its source.
func (q *usage) attributesTo(source string) bool {
	name, said := stems(source), q.own.Words
	verb := slices.IndexFunc(said, func(w string) bool { return says(w) || w == "gesagt" || w == "geschrieben" })
	for i, t := range q.own.Tokens[:min(len(said), verb+4)] {
		isName := t.Content() && !t.Date && i != verb && !lexicon.SourceNoun.Has(said[i]) && !saysName(name, said[i])
		if isName || hasWord(said[i:i+1], "he", "she", "they", "we", "you", "his", "her", "their", "er", "sie", "wir", "seiner", "ihrer", "ihren") {
			return true
		}
	}
	return false
}

// namesReporter reports whether the sentence that uses a quotation has a word of whom the paper lets say it.
func (q *usage) namesReporter(b *clause.Sentence, at int) bool {
	if q.hasSpeaker(b) {
		return true
	}
	for i := min(max(0, at-6), openingOf(b, at)); i < len(b.Words); i++ {
		if (i >= at-6 || b.Tokens[i].Upper) && b.Tokens[i].Content() && !lexicon.Attribution.Has(b.Words[i]) && !lexicon.Title.Has(b.Words[i]) && saysName(q.others, b.Words[i]) {
			return true
		}
	}
	return false
}

// takenBack reports whether a short sentence denies the one before it.
func (q *usage) takenBack(n *clause.Sentence, next string) bool {
	if q.passesOn(&clause.Sentence{}, 0, 0) {
		return false
	}
	if len(n.Words) <= 4 && lexicon.Negation.In(n.Words) != "" && pointsBackAt(n.Words[0]) {
		return true
	}
	for _, w := range []string{"but", "yet", "however", "doch", "aber", "though"} {
		if n.Words[0] == w && len(n.Words) > 1 {
			return lexicon.Negation.In(n.Words) != "" && pointsBackAt(n.Words[1]) || takesBack(next, "")
		}
	}
	first, last := n.Words[:1], n.Words[len(n.Words)-1:]
	return takesBack(next, "") && (hasWord(first, "i", "so", "such", "ich") || hasWord(last, "otherwise", "anders") || pointsBackAt(first[0]) || (&backward{*n}).isDenial())
}

func pointsBackAt(w string) bool {
	return hasWord([]string{w}, "that", "this", "it", "he", "she", "they", "das", "dies", "es", "er", "sie", "nothing", "no", "nichts")
}

func indexOf(words []string, entry string) int {
	parts := strings.Fields(entry)
	for i := range words {
		if i+len(parts) <= len(words) && strings.Join(words[i:i+len(parts)], " ") == entry {
			return i
		}
	}
	return -1
}

// rawOf returns the tokens from one to before another as they are written.
func rawOf(s *clause.Sentence, from, to int) string {
	if from < 0 || from >= to {
		return ""
	}
	return s.Raw[s.Tokens[from].Start:s.Tokens[to-1].End]
}
