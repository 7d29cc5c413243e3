package segment

import (
	"slices"
	"strings"
)

// Claims returns the claims of a markdown draft in order. Any bytes are accepted. A sentence that
// holds citation markers only gives them to the claim before it in the same paragraph.
func Claims(markdown, lang string) []Claim {
	r := blockReader{src: markdown, lang: lang}
	for pos := 0; pos < len(markdown); {
		end := strings.IndexByte(markdown[pos:], '\n')
		next := pos + end + 1
		if end < 0 {
			end, next = len(markdown)-pos, len(markdown)
		}
		r.line(pos, pos+end)
		pos = next
	}
	r.flush()
	if r.fence != "" {
		r.code(len(markdown))
	}
	for i := range r.out {
		r.out[i].Before = Before(markdown, r.out[i].Start)
	}
	return r.out
}

// maxBefore is how many bytes before a claim say whom its pronouns mean.
const maxBefore = 800

// Before returns the markdown before an offset under the same heading, not more than a few sentences.
func Before(markdown string, at int) string {
	from := max(0, at-maxBefore)
	text := markdown[from:at]
	if i := strings.LastIndex(text, "\n#"); i >= 0 {
		_, text, _ = strings.Cut(text[i+1:], "\n")
	} else if from == 0 && strings.HasPrefix(text, "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.ToValidUTF8(text, "")
}

// blockReader collects the lines of one paragraph with the offsets they come from.
type blockReader struct {
	src, lang string
	text      []byte // the paragraph so far
	at        []int  // offset in src of each byte of text
	item      bool
	fence     string // the open fence, "" outside of code
	fenceAt   int
	out       []Claim
}

// line takes the line at [start, end) of the source.
func (r *blockReader) line(start, end int) {
	for end > start && isSpace(r.src[end-1]) {
		end--
	}
	if r.fence != "" {
		if t := strings.TrimLeft(r.src[start:end], " \t"); strings.HasPrefix(t, r.fence) && strings.Trim(t, r.fence[:1]) == "" {
			r.code(end)
		}
		return
	}
	start, quoted := r.indent(start, end)
	t := r.src[start:end]
	switch {
	case t == "":
		r.flush()
	case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
		r.flush()
		r.fence, r.fenceAt = t[:len(t)-len(strings.TrimLeft(t, t[:1]))], start
	case headingMark(t) > 0:
		r.flush()
		start += headingMark(t)
		r.add(start, start+len(strings.TrimRight(strings.TrimRight(r.src[start:end], "#"), " \t")))
		r.whole(Heading)
	case isUnderline(t) && len(r.text) > 0 && !r.item && !strings.Contains(string(r.text), "\n"):
		r.whole(Heading)
	case rule(t):
		r.flush()
	case t[0] == '|':
		r.flush()
		if strings.Trim(t, "|-: \t") != "" {
			r.add(start, end)
			r.whole(Table)
		}
	default:
		if n := itemMark(t); n > 0 {
			r.flush()
			r.item = true
			start += n
		} else if quoted && len(r.text) == 0 {
			r.item = false
		}
		r.add(start, end)
	}
}

// indent passes over leading white space and quote signs.
func (r *blockReader) indent(start, end int) (int, bool) {
	quoted := false
	for start < end && (isSpace(r.src[start]) || r.src[start] == '>') {
		quoted = quoted || r.src[start] == '>'
		start++
	}
	return start, quoted
}

func (r *blockReader) add(start, end int) {
	if start >= end {
		return
	}
	if len(r.text) > 0 {
		r.text = append(r.text, '\n')
		r.at = append(r.at, start)
	}
	r.text = append(r.text, r.src[start:end]...)
	r.at = slices.Grow(r.at, end-start)
	for i := start; i < end; i++ {
		r.at = append(r.at, i)
	}
}

// whole ends the paragraph as one claim of a kind.
func (r *blockReader) whole(k Kind) {
	text := string(r.text)
	if k == Table {
		text = strings.Trim(text, "| \t")
	}
	lead := strings.Index(string(r.text), text)
	if text != "" && lead >= 0 {
		c := clean(text, r.at[lead:])
		c.Start, c.End, c.Kind = r.at[lead], r.at[lead+len(text)-1]+1, k
		if c.Text != "" {
			r.out = append(r.out, c)
		}
	}
	r.reset()
}

func (r *blockReader) reset() {
	r.text, r.at, r.item = r.text[:0], r.at[:0], false
}

func (r *blockReader) code(end int) {
	r.out = append(r.out, Claim{Text: r.src[r.fenceAt:end], Start: r.fenceAt, End: end, Kind: Code})
	r.fence = ""
}

// flush ends the paragraph: its sentences become claims.
func (r *blockReader) flush() {
	text := string(r.text)
	first := len(r.out)
	sentences := Sentences(text, r.lang)
	r.out = slices.Grow(r.out, len(sentences))
	for _, s := range sentences {
		parts := propositions(text[s.Start:s.End])
		for i, p := range parts {
			c := r.claim(text, s.Start+p.Start, s.Start+p.End, p.subject)
			for _, d := range p.doubts {
				c.Ambiguities = append(c.Ambiguities, Ambiguity{r.at[s.Start+d.At], d.Reason})
			}
			if i > 0 && i == len(parts)-1 && len(c.Markers) > 0 {
				c.Ambiguities = append(c.Ambiguities, Ambiguity{c.Markers[0].Start, "the mark may be meant for the whole sentence; it is kept with its last claim"})
			}
			switch {
			case strings.ContainsFunc(c.Text, isWordRune):
				r.out = append(r.out, c)
			case len(r.out) > first:
				last := &r.out[len(r.out)-1]
				last.Markers = append(last.Markers, c.Markers...)
				last.End = c.End
			}
		}
	}
	spread(r.out[first:])
	r.reset()
}

// claim makes the claim of the paragraph's text from start to end, with a subject from before it.
func (r *blockReader) claim(text string, start, end int, subject string) Claim {
	c := clean(text[start:end], r.at[start:])
	c.Start, c.End, c.Item = r.at[start], r.at[end-1]+1, r.item
	if subject != "" {
		c.Subject = strings.Join(strings.Fields(subject), " ")
		c.Text = c.Subject + " " + c.Text
		c.Quotes = quotations(c.Text)
	}
	c.Kind = kindOf(c.Text)
	return c
}

func headingMark(t string) int {
	n := 0
	for n < len(t) && t[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(t) && !isSpace(t[n]) {
		return 0
	}
	for n < len(t) && isSpace(t[n]) {
		n++
	}
	return n
}

func isUnderline(t string) bool {
	return strings.Trim(t, "=") == "" || len(t) >= 3 && strings.Trim(t, "-") == ""
}

func rule(t string) bool {
	t = strings.ReplaceAll(t, " ", "")
	return len(t) >= 3 && strings.IndexByte("-*_", t[0]) >= 0 && strings.Trim(t, t[:1]) == "" || strings.Trim(t, "=") == ""
}

// itemMark returns the length of "- ", "* ", "+ ", "1. " or "1) " at the beginning of t.
func itemMark(t string) int {
	n := 0
	switch {
	case strings.IndexByte("-*+", t[0]) >= 0:
		n = 1
	default:
		n = leadingDigits(t)
		if n == 0 || n > 9 || n == len(t) || t[n] != '.' && t[n] != ')' {
			return 0
		}
		n++
	}
	if n == len(t) || !isSpace(t[n]) {
		return 0
	}
	for n < len(t) && isSpace(t[n]) {
		n++
	}
	return n
}

var caveats = []string{"note:", "note that", "please note", "caveat:", "caveats:", "disclaimer:", "limitation:", "limitations:",
	"i could not find", "i cannot find", "i do not know", "i don't know", "the archive does not", "the archive has no",
	"no source", "hinweis:", "anmerkung:", "einschränkung:"}

func kindOf(text string) Kind {
	if strings.HasSuffix(strings.TrimRight(text, "\"'”’»)]*_ "), "?") {
		return Question
	}
	lower := strings.ToLower(text[:min(len(text), 40)])
	for _, c := range caveats {
		if strings.HasPrefix(lower, c) {
			return Caveat
		}
	}
	return Assertion
}
