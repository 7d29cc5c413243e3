package examine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// Where says where a mention is, the most certain first.
type Where string

// The places of mentions.
const (
	Linked     Where = "link"
	Footnote   Where = "footnote"  // a note or an entry of the list of references that a mark after the quotation names
	AfterQuote Where = "citation"  // in brackets or a sentence of its own after the quotation
	InSentence Where = "sentence"  // in the sentence that uses the quotation
	Preceding  Where = "preceding" // in a sentence before it
)

// A Mention is what a text says of the source of a quotation.
type Mention struct {
	Text  string
	Where Where
	Near  bool // of a mention in a sentence before: the one right before
	Again bool // it points back to the source named before: ibid., the same letter
}

// A citeMark is the mark of a note in a text.
type citeMark struct {
	span
	text string
}

var (
	// noteMark matches the mark of a note or of an entry of a list of references.
	noteMark = regexp.MustCompile(`\[\^[^\]\s]{1,40}\]|\[\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*(?:,\s*(?:p|pp|S|at|para|§)\.?\s*[\d–-]+)?\]|[¹²³⁰⁴-⁹]{1,4}|\[@[^\]]{1,80}\]|\(\d{1,3}\)|(?:[”“"’»«›‹)\]][.,;:!?]?|\pL{4}[.;:!?])(\d{1,3})(?:\s|$)`)
	maskRun  = regexp.MustCompile(`["“”„‚‘’«»‹›]?[qQ]q{2,}[.!?…,]?["“”‘’«»‹›]?|["“”„‚‘’«»‹›][qQ]q?["“”‘’«»‹›]`)
	linkAt   = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]+)\)|<?(https?://[^\s<>()\]]+)>?`)
	backRef  = regexp.MustCompile(`(?i)^\W*(ibid(?:em)?|id|idem|ebd|ebenda|op\.? ?cit|loc\.? ?cit|a\. ?a\. ?O|aaO|ders|dies|same letter|same source|same)\b`)
	seeAlso  = regexp.MustCompile(`(?i)^\W*(?:see also|compare|siehe auch|vgl\. auch)\b`)
	sameRef  = regexp.MustCompile(`(?i)\b(?:the|that|this|in|his|her|of the) (?:same|very) (\w+)|\b(?:in|of) (?:that|this) (?:letter|paper|article|note|report|opinion|case|book|thesis|piece|essay|document|minutes)\b|\b(?:in (?:diesem|jenem)|aus diesem) (?:Brief|Bericht|Gutachten|Protokoll|Aufsatz|Schreiben|Buch)|\bsame (letter|source|paper|case|opinion|article|report|minutes|document|book|page|day)\b|\b(?:derselbe|dieselbe|dasselbe|demselben|derselben|desselben|im selben|gleichen|in demselben)\b`)
	noteRef  = regexp.MustCompile(`(?i)\b(?:as in|see|supra|above,?|cf\.|as|wie|s\.|siehe|vgl\.)?\s*(?:\bn\.|\bnn\.|\bnote|\bnotes|\bfn\.|\bAnm\.|\bFn\.|\bFußn\.)\s*(\d{1,4})`)
	caseName = regexp.MustCompile(`((?:[A-Z][\w.'’&,-]*\s+(?:(?:of|the|and|&|de|von|for|in|ex|rel\.)\s+)*){1,8})(?:v|vs)\.?\s+((?:[A-Z][\w.'’&-]*[\s,]*(?:(?:of|the|and|&|for)\s+)*){1,8})|\b(?:In re|Ex parte|In the Matter of|Matter of)\s+(?:the\s+)?(?:[A-Z][\w.'’&-]*\s*(?:(?:of|the|and)\s+)*){1,6}`)
	emphasis = regexp.MustCompile(`\*{1,2}([^*\n]{2,120})\*{1,2}|\b_([^_\n]{2,120})_\b`)
)

// addMentions adds the mentions of the source of quotation k of sentence i.
func (r *reader) addMentions(q *Quotation, text, hidden string, uses []use, i, k int, cites []citeMark) {
	u := uses[i]
	m := u.marks[k]
	limit := len(text)
	if i+1 < len(uses) {
		limit = uses[i+1].start
		if len(uses[i+1].marks) > 0 {
			limit = min(limit, uses[i+1].marks[0].outer.start)
		}
	}
	next := limit
	if k+1 < len(u.marks) {
		next = u.marks[k+1].outer.start
	}
	// 1. A mark, a bracket or a link that follows, before the next quotation; then further marks of the sentence.
	own := q.citesBetween(r, cites, m.outer.end, min(max(next, m.outer.end), limit))
	tail := text[m.outer.end:min(max(next, m.outer.end), limit)]
	if bracket := leadingBracket(tail); bracket != "" {
		q.add(r.mention(bracket, AfterQuote)...)
	}
	q.links(tail)
	if !own {
		q.citesBetween(r, cites, m.outer.end, limit)
	}
	// 2. The sentence, the part at the quotation first.
	u.end = statementEnd(hidden, u, k)
	around := unmask(hidden[u.start:u.end])
	q.links(text[u.start:u.end])
	// 3. A sentence of its own that cites.
	for j := i + 1; j < len(uses) && j <= i+2; j++ {
		s := text[uses[j].start:uses[j].end]
		if len(uses[j].marks) > 0 && !isCitation(unmask(hidden[uses[j].start:uses[j].end])) || !isCitation(s) {
			break
		}
		if len(uses[j].marks) > 0 && backRef.MatchString(s) || seeAlso.MatchString(s) {
			break // it names the source of the next quotation, or one more
		}
		q.add(r.mention(s, AfterQuote)...)
		q.links(s)
	}

	if local := unmask(strings.TrimSpace(localPart(hidden, u, m, k))); local != strings.TrimSpace(around) && strings.TrimSpace(local) != "" {
		q.add(r.mention(local, InSentence)...)
	}
	q.add(r.mention(around, InSentence)...)
	q.citesBetween(r, cites, u.start, m.outer.start)
	// 4. What was said before.
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		all := asPreceding(r.mention(unmask(hidden[uses[j].start:uses[j].end]), Preceding))
		for n := range all {
			all[n].Near = j == i-1
		}
		q.add(all...)
	}
	if i <= 1 {
		r.earlier(q, r.before)
	}
}

// statementEnd returns where what a sentence says of quotation k ends: what names a source after a semicolon, before
// another quotation there, is said of that one.
func statementEnd(hidden string, u use, k int) int {
	from := u.marks[k].outer.end
	if at := strings.IndexByte(hidden[from:max(from, u.end)], ';'); at >= 0 && slices.ContainsFunc(u.marks[k+1:], func(m quoteRange) bool { return m.outer.start > from+at }) {
		return from + at
	}
	return u.end
}

// localPart returns the part of a sentence around one of several quotations, to the ones before and after it.
func localPart(hidden string, u use, m quoteRange, k int) string {
	from, to := u.start, u.end
	if k > 0 {
		from = u.marks[k-1].outer.end
	}
	if k+1 < len(u.marks) {
		to = min(to, u.marks[k+1].outer.start)
	}
	return hidden[from:max(from, to)]
}

// earlier adds the mentions in the end of the block before and in the heading.
func (r *reader) earlier(q *Quotation, before string) {
	hidden, _ := mask(before, quotedIn(before))
	all := segment.Sentences(hidden, r.lang)
	for j := len(all) - 1; j >= 0 && j >= len(all)-2; j-- {
		q.add(asPreceding(r.mention(unmask(hidden[all[j].Start:all[j].End]), Preceding))...)
	}
	if r.heading != "" {
		q.add(asPreceding(r.mention(r.heading, Preceding))...)
	}
}

func asPreceding(all []Mention) []Mention {
	for i := range all {
		all[i].Where = Preceding
	}
	return all
}

// citesBetween adds the notes of the marks in a range and reports whether there are any.
func (q *Quotation) citesBetween(r *reader, cites []citeMark, from, to int) bool {
	found := false
	for _, c := range cites {
		if c.start >= from && c.end <= to+1 && !found {
			q.add(r.followMark(c.text, nil)...)
			found = true
		}
	}
	return found
}

// links adds the addresses in a text.
func (q *Quotation) links(text string) {
	for _, m := range linkAt.FindAllStringSubmatch(text, -1) {
		address := m[2] + m[3]
		if address != "" && !strings.HasPrefix(address, "#") {
			q.add(Mention{Text: strings.TrimRight(address, ".,;"), Where: Linked})
		}
	}
}

// leadingBracket returns the text in round or square brackets right after a quotation.
func leadingBracket(tail string) string {
	t := strings.TrimLeft(tail, " \n.,;:—–")
	if len(t) < 3 || t[0] != '(' && t[0] != '[' || strings.HasPrefix(t, "[^") {
		return ""
	}
	end := strings.IndexByte(t, map[byte]byte{'(': ')', '[': ']'}[t[0]])
	if end < 2 || end > 300 {
		return ""
	}
	if nested := strings.Count(t[1:end], "("); nested > 0 {
		if more := strings.IndexByte(t[end+1:], ')'); more >= 0 && end+1+more < 300 {
			end += 1 + more
		}
	}
	return t[1:end]
}

// mention returns the mentions that words about a source are: with what the notes say to which they point.
func (r *reader) mention(text string, where Where) []Mention {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	m := Mention{Text: text, Where: where}
	if where == AfterQuote {
		text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(text, "—–-( "), "Source:"), "Quelle:"))
		m.Text = text
	}
	m.Again = backRef.MatchString(text) || sameRef.MatchString(text)
	out := []Mention{m}
	if where != Preceding && where != InSentence {
		if n := noteRef.FindStringSubmatch(text); n != nil {
			out = append(r.followMark("[^"+n[1]+"]", nil), out...)
		}
		if entry := r.entryOf(text); entry != nil {
			out = append(out, Mention{Text: entry.text, Where: Footnote})
		}
	}
	return out
}

// isCitation reports whether a sentence only says where words are from: Ottaway. Id. at 350. Source: minutes of 6 February. — Pepys, 1666
func isCitation(text string) bool {
	t := strings.TrimSpace(linkAt.ReplaceAllString(text, "x"))
	t = strings.Trim(t, "*_ ()[]—–-")
	if t == "" || len(t) > 240 || strings.HasPrefix(t, "|") {
		return false
	}
	if backRef.MatchString(t) || strings.HasPrefix(t, "Source:") || strings.HasPrefix(t, "Quelle:") || strings.HasPrefix(t, "See ") || strings.HasPrefix(t, "Cf. ") || strings.HasPrefix(t, "Vgl. ") || strings.HasPrefix(t, "Siehe ") {
		return true
	}
	dash := strings.HasPrefix(strings.TrimSpace(text), "—") || strings.HasPrefix(strings.TrimSpace(text), "–") || strings.HasPrefix(strings.TrimSpace(text), "(")
	s := clause.Parse(t)
	if len(s.Tokens) == 0 || len(s.Tokens) > 40 {
		return false
	}
	short := len(s.Tokens) <= 4 && emphasis.MatchString(text)
	return (dash || short || caseName.MatchString(t)) && !s.HasFinite(0, len(s.Tokens)) || short && !lexicon.Report.Has(s.Words[len(s.Words)-1])
}

// cutAttribution cuts the attribution at the end of a block quote: a last line that begins with a dash, or a bracket after the last stop.
func cutAttribution(text string) (body, source string) {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		last := strings.TrimSpace(text[i+1:])
		if r, _ := utf8.DecodeRuneInString(last); r == '—' || r == '–' || strings.HasPrefix(last, "--") || strings.HasPrefix(last, "- ") || isCitation(last) && strings.HasPrefix(last, "(") {
			return strings.TrimSpace(text[:i]), last
		}
	}
	if strings.HasSuffix(text, ")") || strings.HasSuffix(text, ").") {
		if i := strings.LastIndexByte(text, '('); i > 0 && len(text)-i < 200 {
			if before := strings.TrimSpace(text[:i]); before != "" && strings.ContainsAny(before[len(before)-1:], ".!?\"'") || strings.HasSuffix(before, "”") || strings.HasSuffix(before, "…") {
				return before, strings.Trim(text[i:], "(). ")
			}
		}
	}
	if i := strings.LastIndex(text, " — "); i > 0 && len(text)-i < 120 && strings.ContainsAny(text[max(0, i-4):i], ".!?”\"") {
		return strings.TrimSpace(text[:i]), text[i:]
	}
	return text, ""
}

// reports reports whether words have a verb of saying, or that of the reporting of a quotation.
func reports(text string) bool {
	words := clause.Parse(text).Words
	return lexicon.Report.In(words) != "" || lexicon.Attribution.In(words) != "" || lexicon.Ascription.In(words) != ""
}

// Names reports whether a mention says which source is meant, and so may be missing here: a case, a title, a shelfmark,
// a paper of somebody or of a day, a note.
func (m Mention) Names() bool {
	if m.Where == Linked || m.Where == Footnote {
		return true
	}
	if caseName.MatchString(m.Text) || shelfmark.MatchString(m.Text) {
		return true
	}
	for _, e := range emphasis.FindAllStringSubmatch(m.Text, -1) {
		if t := e[1] + e[2]; isTitle(t) {
			return true
		}
	}
	words := clause.Parse(m.Text).Words
	paper := lexicon.SourceNoun.In(words) != ""
	return paper && (len(properNames(m.Text)) > 0 || yearAt.MatchString(m.Text)) || m.Where == AfterQuote && (yearAt.MatchString(m.Text) && len(properNames(m.Text)) > 0)
}

var (
	// shelfmark matches a reference code: CWB 4/17, No. 14-2207, MS Add. 1234, Rep. 74 Nr. 1103, box 2, folder 9.
	shelfmark = regexp.MustCompile(`\b(?:[A-Z]{2,6}\s\d+(?:/\d+)+|(?:No|Nr|Docket No|File No|Case No|Az|Aktenzeichen)\.\s*[\w/-]*\d[\w/-]*|(?:MS|Ms|MSS|Cod|Hs|Rep|Best|Bestand|box|Box|folder|Mappe|Bl|fol|Kasten|Faszikel)\.?\s[A-Za-z. ]{0,12}\d+)`)
	yearAt    = regexp.MustCompile(`\b(1[0-9]{3}|20[0-9]{2})\b`)
)

// properNames returns the capitalised words of a text that are no function words and do not only begin it.
func properNames(text string) []string {
	var out []string
	first := true
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' }) {
		r, _ := utf8.DecodeRuneInString(f)
		lower := strings.ToLower(f)
		if unicode.IsUpper(r) && utf8.RuneCountInString(f) > 2 && !segment.Function(lower) && !lexicon.Month.Has(lower) && !lexicon.Title.Has(lower) && !lexicon.Weekday.Has(lower) && !(first && lexicon.SourceNoun.Has(lower) && !strings.Contains(text, " des ") && !strings.Contains(text, " der ")) && !slices.Contains(out, f) {
			out = append(out, strings.TrimSuffix(strings.TrimSuffix(f, "'s"), "’s"))
		}
		first = false
	}
	return out
}

// Keys returns the words of a mention to search papers by: proper names, and the words of titles.
func (m Mention) Keys() []string {
	out := properNames(m.Text)
	for _, e := range emphasis.FindAllStringSubmatch(m.Text, -1) {
		for _, w := range wordsOf(e[1] + e[2]) {
			if !segment.Function(w.text) && !slices.Contains(out, w.text) {
				out = append(out, w.text)
			}
		}
	}
	return out[:min(len(out), maxKeysOf)]
}

// maxKeysOf is how many words of a mention are searched by.
const maxKeysOf = 6

// Speaker returns the proper names of the speaker to whom the text gives the quotation, where a verb of saying is right
// before it: Mayor Jones said: “…”. It is empty where nobody is named there.
func (q *Quotation) Speaker() []string {
	before := q.Said
	for range q.Mark {
		_, before, _ = strings.Cut(before, "…")
	}
	before, _, found := strings.Cut(before, "…")
	words := clause.Parse(before).Words
	if !found || len(words) == 0 {
		return nil
	}
	for i := max(0, len(words)-3); i < len(words); i++ {
		if lexicon.Report.At(words, i) > 0 || lexicon.Attribution.At(words, i) > 0 || lexicon.Ascription.At(words, i) > 0 {
			return properNames(before)
		}
	}
	return nil
}
