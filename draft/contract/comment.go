package contract

import (
	"regexp"
	"strings"
)

// comments returns the HTML comments of a draft, which a page does not show: a mark in one would cite for
// nobody, and a claim in one would go on unread. A comment that is not closed ends with the draft.
func comments(draft string) (all []struct{ start, end int }) {
	const open, shut = "<!--", "-->"
	for at := 0; ; {
		i := strings.Index(draft[at:], open)
		if i < 0 {
			return all
		}
		start, end := at+i, len(draft)
		if j := strings.Index(draft[start+len(open):], shut); j >= 0 {
			end = start + len(open) + j + len(shut)
		}
		all = append(all, struct{ start, end int }{start, end})
		at = end
	}
}

// blankComments returns a draft with its comments replaced by spaces: offsets do not change.
func blankComments(draft string) string {
	all := comments(draft)
	if len(all) == 0 {
		return draft
	}
	out := []byte(draft)
	for _, c := range all {
		for i := c.start; i < c.end; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// cutComments returns a draft without its comments, and a finding for each that has a word.
func cutComments(draft string) (rest string, found []Finding) {
	var b strings.Builder
	at := 0
	for _, c := range comments(draft) {
		b.WriteString(draft[at:c.start])
		at = c.end
		if text := draft[c.start:c.end]; hasWord(strings.Trim(text, "<>!-")) {
			found = append(found, Finding{Section: bodyKey, Action: ActionRemoved, Fault: Uncited, Text: text, Reason: "no page shows a comment, and nothing in one is cited"})
		}
	}
	return b.String() + draft[at:], found
}

// breaks are the places where a page begins a new line within a paragraph: a backslash or two blanks at the end
// of a line, and tags that end a line.
var breaks = regexp.MustCompile(`(?i)(?:\\|  )[ \t]*\n|</?(?:br|p|li|ul|ol|div|tr|td|th|h[1-6]|summary|details|blockquote|hr)\b[^<>]{0,200}>`)

// stopBreaks returns a draft with a stop at each forced line break that has no stop before it: a
// reader takes a line of its own for a sentence of its own. Offsets do not change.
func stopBreaks(draft string) string {
	all := breaks.FindAllStringIndex(draft, -1)
	if len(all) == 0 {
		return draft
	}
	out := []byte(draft)
	for _, at := range all {
		before := strings.TrimRight(string(out[max(0, at[0]-breakContext):at[0]]), " \t*_`\"'”’)>")
		line := before[strings.LastIndexByte(before, '\n')+1:]
		for i := at[0]; i < at[1]; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		if strings.Contains(line, "|") || line == "" || strings.IndexByte(".!?:;,]#-=~", line[len(line)-1]) >= 0 {
			continue // of a table, at the head of a line, or ended already
		}
		out[at[0]] = '.'
	}
	return string(out)
}

// breakContext is how many bytes before a line break are looked at for a stop: more than any run of closing signs.
const breakContext = 200
