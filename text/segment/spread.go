package segment

import (
	"strings"
	"unicode/utf8"
)

// maxSpread is over how many claims one quotation may run. A longer one has lost its closing mark, as a rule.
const maxSpread = 32

// spread gives each claim of a paragraph its part of a quotation that runs over several: She wrote: "I was ill. I went
// home." The part is all of the claim from the opening mark on, the whole claim, or all of it up to the closing mark. A
// quotation that is not closed in the paragraph, or inside which another one of its marks opens, is left alone, and so
// is one in which a claim takes over a subject.
func spread(claims []Claim) {
	for i := 0; i < len(claims); i++ {
		start, mark := leftOpen(claims[i])
		if start < 0 {
			continue
		}
		last, end := closes(claims[i+1:], mark)
		if last < 0 {
			continue
		}
		first := &claims[i]
		first.Quotes = append(first.Quotes, Quoted{first.Text[start:], start, len(first.Text)})
		inside := claims[i+1 : i+1+last]
		for k := range inside {
			inside[k].Quotes = []Quoted{{inside[k].Text, 0, len(inside[k].Text)}}
		}
		i += last // the last one may open another
		c := &claims[i+1]
		c.Quotes = append([]Quoted{{c.Text[:end], 0, end}}, c.Quotes...)
	}
}

// leftOpen returns where the words of a quotation begin that the claim opens
// and does not close, -1 for none, and the mark that closes it.
func leftOpen(c Claim) (start int, mark string) {
	from := 0
	if n := len(c.Quotes); n > 0 {
		from = c.Quotes[n-1].End
		_, size := utf8.DecodeRuneInString(c.Text[from:]) // its closing mark
		from += size
	}
	for i := range c.Text[from:] {
		at := from + i
		if !quoteOpens(c.Text, at) {
			continue
		}
		for _, m := range quoteMarks {
			rest, ok := strings.CutPrefix(c.Text[at:], m.open)
			if ok && strings.TrimSpace(rest) != "" {
				return at + len(m.open), m.close
			}
		}
	}
	return -1, ""
}

// closes returns which claim first has the closing mark, and where; -1 for none.
func closes(claims []Claim, mark string) (last, end int) {
	for k := range claims[:min(len(claims), maxSpread)] {
		c := claims[k]
		if c.Subject != "" {
			break
		}
		end := closingMark(c.Text, 0, mark, map[string]int{})
		if len(c.Quotes) > 0 && (end < 0 || c.Quotes[0].Start <= end) || end >= 0 && quoteOpens(c.Text, end) {
			break
		}
		if end > 0 {
			return k, end
		}
	}
	return -1, 0
}
