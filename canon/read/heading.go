package read

import (
	"bytes"
	"fmt"
	"muniment/canon"
	"strconv"
	"strings"
)

// A Heading is a heading as a reader met it.
type Heading struct {
	Level int // 1 to 6, 1 the outermost
	Text  string
}

// MaxHeadings is how many headings a record lists: a book has some hundred, and
// a record has a megabyte.
const MaxHeadings = 5000

// Headings returns the fact "headings" of a text: a list LEVEL:PARAGRAPH,
// separated by spaces and in order, paragraphs counting from 1. A heading counts
// that is a paragraph of its own; they are looked for in their order, so that a
// heading in a table or a list is passed over. "" when there are none.
func Headings(payload []byte, found []Heading) string {
	if len(found) == 0 || len(payload) == 0 {
		return ""
	}
	doc := canon.NewDocument(payload)
	units := doc.Units(canon.Paragraphs)
	var out []string
	next := 0
	for _, h := range found {
		if len(out) == MaxHeadings {
			break
		}
		text := bytes.TrimSuffix(canon.Text([]byte(h.Text)), []byte("\n"))
		if len(text) == 0 || h.Level < 1 || h.Level > 6 {
			continue
		}
		for i := next; i < len(units); i++ {
			if bytes.Equal(payload[units[i].Start:units[i].End], text) {
				out = append(out, fmt.Sprintf("%d:%d", h.Level, i+1))
				next = i + 1
				break
			}
		}
	}
	return strings.Join(out, " ")
}

// HeadingsOf reads the fact back: the headings of a text in order, with the
// paragraph of each, from 1. It returns nil where the fact is not of that form
// or does not fit the text.
func HeadingsOf(doc *canon.Document, fact string) (headings []Heading, paragraphs []int) {
	units := doc.Units(canon.Paragraphs)
	last := 0
	for f := range strings.FieldsSeq(fact) {
		l, p, ok := strings.Cut(f, ":")
		level, errL := strconv.Atoi(l)
		at, errP := strconv.Atoi(p)
		if !ok || errL != nil || errP != nil || level < 1 || level > 6 || at <= last || at > len(units) {
			return nil, nil
		}
		last = at
		u := units[at-1]
		headings = append(headings, Heading{level, string(doc.Payload()[u.Start:u.End])})
		paragraphs = append(paragraphs, at)
	}
	return headings, paragraphs
}
