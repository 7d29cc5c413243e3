package examine

import (
	"regexp"
	"strings"
	"unicode"

	"muniment/text/clause"
)

var (
	roundBracket = regexp.MustCompile(`\s*\([^()]{0,200}\)`)
	// danglingSource matches what a mark of a note that is taken off leaves at the end of a statement: according to [3].
	danglingSource = regexp.MustCompile(`,?\s+(?:according to|as reported (?:in|by)|see|per|laut|siehe|vgl\.)\s*([.!]?)$`)
	squareMark     = regexp.MustCompile(`\s*\[[^\[\]]{0,80}\]`)
)

// leastStated is how many words with a topic a statement has at least, beyond the case that it names.
const leastStated = 3

// statement adds a sentence in the writer's own words that names its source and says a number, a date or a name, and so
// may be wrong of its paper.
func (r *reader) statement(b *block, text, hidden string, u use, cites []citeMark, uses []use, i int) {
	sentence := text[u.start:u.end]
	if isCitation(sentence) || b.kind != bodyBlock {
		return
	}
	q := Quotation{Start: b.start + u.start, End: b.start + u.end, Sentence: sentence, Unmarked: true}
	limit := len(text)
	if i+1 < len(uses) {
		limit = uses[i+1].start
	}
	marked := q.citesBetween(r, cites, u.start, limit)
	for j := i + 1; j < len(uses) && j <= i+2 && len(uses[j].marks) == 0 && isCitation(text[uses[j].start:uses[j].end]); j++ {
		s := text[uses[j].start:uses[j].end]
		q.links(s)
		q.add(r.mention(s, AfterQuote)...)
		marked = true
	}
	if len(q.Mentions) == 0 {
		q.links(sentence)
	}
	if source := trailingSource(sentence); source != "" {
		q.add(r.mention(source, AfterQuote)...)
		marked = true
	}
	own := r.mention(sentence, InSentence)
	named := len(own) > 0 && own[0].Names() && (reports(sentence) || caseName.MatchString(sentence) || cutSourcePhrase(sentence) != sentence)
	if !marked && !named && len(q.Mentions) == 0 {
		if q.Vague = yearAt.MatchString(sentence) && reports(sentence) && len(properNames(sentence)) > 0; !q.Vague {
			return
		}
	}
	q.add(own...)
	q.Text = strings.TrimSpace(itemStart.ReplaceAllString(squareMark.ReplaceAllString(linkAt.ReplaceAllString(sentence, "$1"), ""), ""))
	q.Text = danglingSource.ReplaceAllString(q.Text, "$1")
	stated := contentWords(shelfmark.ReplaceAllString(caseName.ReplaceAllString(q.WithoutBrackets(), ""), ""))
	says := strings.ContainsFunc(q.Text, unicode.IsNumber) || len(properNames(q.Text)) > 0 || clauseNumbers(q.Text) > 0
	if q.Bare = !says || len(strings.Fields(q.Text)) < 5 || stated < leastStated; q.Bare && !marked {
		return
	}
	q.Said, q.Parts = q.Text, []string{q.Text}
	r.statements = append(r.statements, q)
}

// trailingSource returns the last round bracket of a sentence where it names a source, "" for none.
func trailingSource(sentence string) string {
	all := roundBracket.FindAllString(sentence, -1)
	if len(all) == 0 {
		return ""
	}
	source := strings.Trim(all[len(all)-1], " \n()")
	if m := (Mention{Text: source, Where: AfterQuote}); m.Names() || backRef.MatchString(source) || authorYear.MatchString(source) {
		return source
	}
	return ""
}

// WithoutBrackets returns a statement without its round brackets, in which a writer adds to the words of a paper.
func (q *Quotation) WithoutBrackets() string { return roundBracket.ReplaceAllString(q.Text, "") }

// clauseNumbers counts the numbers of a sentence, those in letters included.
func clauseNumbers(text string) int {
	n := 0
	for _, t := range clause.Parse(text).Tokens {
		if t.Number || t.Date {
			n++
		}
	}
	return n
}
