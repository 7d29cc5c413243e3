package contract

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"muniment/text/calendar"
)

type blockKind int

const (
	paragraph blockKind = iota
	item
	row
	code
	heading
)

// A block is a run of lines of a draft that are removed together.
type block struct {
	kind       blockKind
	start, end int    // bytes, with the line end
	section    string // key
	title      string // of a heading
	references bool   // of the draft's own references section
	head       bool   // the head of a table
}

// blocks reads the structure of a markdown draft. The boundaries are those at
// which package segment ends a claim.
func blocks(draft string, sections []Section) []block {
	r := reader{draft: draft, sections: sections, open: -1, section: bodyKey}
	for pos := 0; pos < len(draft); {
		next := len(draft)
		if i := strings.IndexByte(draft[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		r.line(pos, next)
		pos = next
	}
	return r.out
}

// bodyKey is the section before the first heading.
const bodyKey = "body"

type reader struct {
	draft      string
	sections   []Section
	out        []block
	open       int // index in out of the block that lines are added to, -1 for none
	fence      string
	section    string
	references bool
}

func (r *reader) add(k blockKind, start, end int) {
	r.out = append(r.out, block{kind: k, start: start, end: end, section: r.section, references: r.references})
	r.open = len(r.out) - 1
}

func (r *reader) line(start, end int) {
	t := strings.TrimRight(r.draft[start:end], " \t\r\n")
	bare := strings.TrimLeft(t, " \t>")
	switch {
	case r.fence != "":
		r.out[r.open].end = end
		if s := strings.TrimLeft(t, " \t"); strings.HasPrefix(s, r.fence) && strings.Trim(s, r.fence[:1]) == "" {
			r.fence, r.open = "", -1
		}
	case bare == "":
		r.open = -1
	case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
		r.add(code, start, end)
		r.fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
	case hashes(bare) > 0:
		r.heading(start, end, strings.Trim(bare, "# \t"))
	case r.open >= 0 && underlined(bare) && r.out[r.open].kind == paragraph && !strings.Contains(strings.TrimRight(r.draft[r.out[r.open].start:r.out[r.open].end], "\r\n"), "\n"):
		last := r.out[r.open]
		r.out = r.out[:r.open]
		r.heading(last.start, end, strings.TrimSpace(r.draft[last.start:last.end]))
	case ruled(bare):
		if r.open >= 0 && strings.Contains(bare, "|") {
			r.out[r.open].head, r.out[r.open].end = r.out[r.open].kind == row, end
		}
		r.open = -1
	case bare[0] == '|':
		r.add(row, start, end)
	case marked(bare):
		r.add(item, start, end)
	case r.open < 0 && (strings.HasPrefix(bare, "**") || strings.HasPrefix(bare, "__")) && r.named(strings.Trim(bare, "*_: \t")):
		r.heading(start, end, strings.Trim(bare, "*_: \t"))
	case r.open >= 0 && r.out[r.open].kind != row:
		r.out[r.open].end = end
	default:
		r.add(paragraph, start, end)
	}
}

// heading opens a section.
func (r *reader) heading(start, end int, title string) {
	r.references = isReferences(title)
	r.section = slug(title)
	for _, s := range r.sections {
		for _, h := range s.Headings {
			if headingKey(h) == headingKey(title) {
				r.section = s.Key
			}
		}
	}
	r.add(heading, start, end)
	r.out[r.open].title = title
	r.open = -1
}

// named reports whether a line in bold is the heading of a section.
func (r *reader) named(title string) bool {
	for _, s := range r.sections {
		for _, h := range s.Headings {
			if headingKey(h) == headingKey(title) {
				return true
			}
		}
	}
	return isReferences(title)
}

// HeadingsOf counts the sections of rules that a draft opens.
func HeadingsOf(draft string, r Rules) int {
	open := map[string]bool{}
	for _, b := range blocks(draft, r.Sections) {
		if b.kind == heading && slices.ContainsFunc(r.Sections, func(s Section) bool { return s.Key == b.section }) {
			open[b.section] = true
		}
	}
	return len(open)
}

// titleWords is how many words in addition to a date a heading has at most: the title of a draft, and the name of who writes it.
const titleWords = 16

// DayOf returns the day in the first heading of a draft, YYYY-MM-DD, or "".
func DayOf(draft string) string {
	for _, b := range blocks(draft, nil) {
		if b.kind == heading {
			return dayIn(b.title)
		}
	}
	return ""
}

// dayIn returns the day that a title has as a word or at the end of a part, YYYY-MM-DD, or "".
func dayIn(title string) string {
	parts := strings.Fields(title)
	for _, part := range append(parts, strings.Split(strings.NewReplacer(" - ", ":", " – ", ":", " — ", ":").Replace(title), ":")...) {
		if day, _, _ := (calendar.Reader{}).Find(part, titleWords); len(day) == len(time.DateOnly) {
			if _, err := time.Parse(time.DateOnly, day); err == nil {
				return day
			}
		}
	}
	return ""
}

// headingKey returns the key that two spellings of a heading share.
func headingKey(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// slug is the key of a section that the rules do not name.
func slug(title string) string {
	key := strings.ReplaceAll(headingKey(title), " ", "-")
	if key == "" {
		return bodyKey
	}
	const longest = 60 // of a key that people type
	if r := []rune(key); len(r) > longest {
		key = string(r[:longest])
	}
	return key
}

func isReferences(title string) bool {
	switch headingKey(title) {
	case "references", "reference", "sources", "works cited", "bibliography", "quellen", "literatur":
		return true
	}
	return false
}

func hashes(t string) int {
	n := len(t) - len(strings.TrimLeft(t, "#"))
	if n == 0 || n > 6 || n < len(t) && t[n] != ' ' && t[n] != '\t' {
		return 0
	}
	return n
}

func underlined(t string) bool {
	return strings.Trim(t, "=") == "" || len(t) >= 3 && strings.Trim(t, "-") == ""
}

// ruled reports a line of signs only: a rule, or the line below a table's head.
func ruled(t string) bool {
	bare := strings.ReplaceAll(t, " ", "")
	return strings.Trim(bare, "=") == "" || len(bare) >= 3 && strings.IndexByte("-*_", bare[0]) >= 0 && strings.Trim(bare, bare[:1]) == "" ||
		t[0] == '|' && strings.Trim(t, "|-: \t") == ""
}

// marked reports the mark of a list item.
func marked(t string) bool {
	n := 0
	if strings.IndexByte("-*+", t[0]) >= 0 {
		n = 1
	} else {
		for n < len(t) && n < 9 && t[n] >= '0' && t[n] <= '9' {
			n++
		}
		if n == 0 || n == len(t) || t[n] != '.' && t[n] != ')' {
			return false
		}
		n++
	}
	return n < len(t) && (t[n] == ' ' || t[n] == '\t')
}
