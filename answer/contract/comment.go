package contract

import "strings"

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

// blankComments returns a draft with spaces in the place of its comments: offsets stay as they are.
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
