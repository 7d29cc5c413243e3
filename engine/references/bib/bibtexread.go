package bib

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// readBibTeX reads a BibTeX or biblatex file in UTF-8: strings with @string and
// #, names with von and Jr parts, accents and reserved characters of TeX. The
// text between entries, @comment and @preamble are passed over.
func readBibTeX(data []byte) ([]Row, error) {
	r := bibtexReader{data: data, line: 1, strings: map[string]string{}}
	for i, m := range []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"} {
		r.strings[m] = strconv.Itoa(i + 1)
	}
	var rows []Row
	for r.next('@') {
		if len(rows) >= MaxEntries {
			return nil, errLarge
		}
		line, start := r.line, r.pos
		it, key, ok, err := r.entry()
		if err != nil || ok {
			rows = append(rows, Row{Line: line, Key: key, Item: it, Err: err})
		}
		if err != nil {
			r.pos, r.line = start, line // read on behind this @: the next entry is whole
		}
	}
	return rows, nil
}

// A bibtexReader is a position in a BibTeX file, with its line from 1 and the strings defined before it.
type bibtexReader struct {
	data    []byte
	pos     int
	line    int
	strings map[string]string
}

// next passes over everything up to and including the byte c, and reports whether it was there.
func (r *bibtexReader) next(c byte) bool {
	for r.pos < len(r.data) {
		b := r.data[r.pos]
		r.pos++
		if b == '\n' {
			r.line++
		}
		if b == c {
			return true
		}
	}
	return false
}

// space passes over white space.
func (r *bibtexReader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case '\n':
			r.line++
		case ' ', '\t', '\r':
		default:
			return
		}
		r.pos++
	}
}

// peek returns the next byte after white space, 0 at the end.
func (r *bibtexReader) peek() byte {
	r.space()
	if r.pos < len(r.data) {
		return r.data[r.pos]
	}
	return 0
}

// word reads a key or name: up to a byte that neither may hold.
func (r *bibtexReader) word() string {
	r.space()
	start := r.pos
	for r.pos < len(r.data) && strings.IndexByte(" \t\r\n{}(),=#\"@%\\", r.data[r.pos]) < 0 {
		r.pos++
	}
	return string(r.data[start:r.pos])
}

// entry reads the entry after an @. ok is false for @string, @comment and @preamble.
func (r *bibtexReader) entry() (it Item, key string, ok bool, err error) {
	kind := strings.ToLower(r.word())
	shut := map[byte]byte{'{': '}', '(': ')'}[r.peek()]
	if kind == "" || shut == 0 {
		return Item{}, "", false, nil // an @ in running text
	}
	if kind == "comment" || kind == "preamble" {
		_, err := r.readBraced()
		return Item{}, "@" + kind, false, err
	}
	r.pos++
	if kind != "string" {
		key = r.word()
		if r.peek() == ',' {
			r.pos++
		}
	}
	fields := map[string]string{}
	for r.peek() != shut {
		name := strings.ToLower(r.word())
		if name == "" || r.peek() != '=' {
			return Item{}, key, false, fmt.Errorf("line %d: a field name and = wanted", r.line)
		}
		r.pos++
		value, err := r.value()
		if err != nil {
			return Item{}, key, false, fmt.Errorf("field %s: %w", name, err)
		}
		if _, twice := fields[name]; !twice {
			fields[name] = value
		}
		switch r.peek() {
		case ',':
			r.pos++
		case shut:
		default:
			return Item{}, key, false, fmt.Errorf("line %d: a comma or %c wanted behind field %s", r.line, shut, name)
		}
	}
	r.pos++
	if kind == "string" {
		for name, v := range fields {
			r.strings[name] = v
		}
		return Item{}, "", false, nil
	}
	it, err = bibtexItem(kind, key, fields)
	return it, key, err == nil, err
}

// value reads a concatenation of braced or quoted texts, numbers and strings.
func (r *bibtexReader) value() (string, error) {
	var b strings.Builder
	for {
		switch r.peek() {
		case '{', '"':
			s, err := r.readBraced()
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		default:
			w := r.word()
			if w == "" {
				return "", fmt.Errorf("line %d: a value wanted", r.line)
			}
			if s, ok := r.strings[strings.ToLower(w)]; ok {
				w = s
			}
			b.WriteString(w)
		}
		if b.Len() > maxValue {
			return "", errLarge
		}
		if r.peek() != '#' {
			return b.String(), nil
		}
		r.pos++
	}
}

// maxValue is how many bytes a field may have: an abstract, not a book.
const maxValue = 1 << 20

var errOpen = errors.New("the text is not closed")

// readBraced reads a text in braces or quotes, braces inside balanced, and returns it without the outer marks.
func (r *bibtexReader) readBraced() (string, error) {
	open := r.peek()
	quoted := open == '"'
	r.pos++
	start, depth := r.pos, 0
	for ; r.pos < len(r.data) && r.pos-start <= maxValue; r.pos++ {
		switch c := r.data[r.pos]; {
		case c == '\n':
			r.line++
		case c == '\\':
			r.pos++
			if r.pos < len(r.data) && r.data[r.pos] == '\n' {
				r.line++
			}
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '}' && !quoted && open == '{', c == ')' && open == '(' && depth == 0, c == '"' && quoted && depth == 0:
			s := string(r.data[start:r.pos])
			r.pos++
			return s, nil
		}
	}
	return "", errOpen
}

// bibtexItem makes an item of an entry's fields.
func bibtexItem(kind, key string, f map[string]string) (Item, error) {
	get := func(names ...string) string {
		for _, n := range names {
			if v := texPlain(f[n]); v != "" {
				return v
			}
		}
		return ""
	}
	it := Item{ID: key, Type: itemType(kind), Title: get("title"), Collection: get("series"), Publisher: get("publisher", "school", "institution", "organization", "howpublished"),
		PublisherPlace: get("address", "location"), Volume: get("volume"), Edition: get("edition"), Genre: get("type"), DOI: get("doi"), ISBN: get("isbn"), ISSN: get("issn"),
		URL: get("url"), Archive: get("library"), Language: get("langid", "language"), Note: get("note"), ContainerTitle: get("journal", "journaltitle", "booktitle", "maintitle")}
	if sub := get("entrysubtype"); sub != "" {
		it.Type = sub
	}
	if sub := get("subtitle"); sub != "" {
		it.Title += ": " + sub
	}
	it.Page = strings.ReplaceAll(strings.ReplaceAll(get("pages"), "--", "-"), "–", "-")
	if kind == "techreport" || kind == "report" || kind == "manual" {
		it.Number = get("number")
	} else {
		it.Issue, it.Number = get("number", "issue"), get("eid")
	}
	if it.Type == "thesis" && it.Genre == "" {
		it.Genre = map[string]string{"phdthesis": "Doctoral dissertation", "mastersthesis": "Master's thesis"}[kind]
	}
	it.Author, it.Editor = texNames(f["author"]), texNames(f["editor"])
	it.Issued = bibtexIssued(get)
	it.Accessed = ParseDate(get("urldate"))
	return it, it.check()
}

// bibtexIssued returns the date of publication: biblatex's date, else year, month and day.
func bibtexIssued(get func(...string) string) Date {
	if s := get("date"); s != "" {
		d := ParseDate(s)
		d.Season = get("season")
		return d
	}
	d := ParseDate(get("year"))
	if d.Year == 0 || d.Literal != "" {
		return d
	}
	month := strings.ToLower(get("month"))
	for i := 1; i < len(monthNames); i++ {
		if month == strconv.Itoa(i) || month == fmt.Sprintf("%02d", i) || len(month) >= 3 && strings.HasPrefix(strings.ToLower(monthNames[i]), strings.TrimSuffix(month, ".")) {
			d.Month = i
		}
	}
	if day, err := strconv.Atoi(get("day")); err == nil && day > 0 && day < 32 && d.Month > 0 {
		d.Day = day
	}
	return d
}

// texNames splits a field of names at "and" outside braces and reads each.
func texNames(s string) []Name {
	var out []Name
	for _, part := range splitOutside(s, " and ") {
		part = strings.TrimSpace(part)
		if part == "" || len(out) >= MaxNames {
			continue
		}
		if part == "others" {
			out = append(out, Name{Literal: "others"})
			continue
		}
		out = appendName(out, texName(part))
	}
	return out
}

// texName reads one name of a BibTeX field.
func texName(s string) Name {
	if in, ok := strings.CutPrefix(s, "{"); ok && strings.IndexByte(in, '{') < 0 && strings.IndexByte(in, '}') == len(in)-1 {
		return Name{Literal: texPlain(s)}
	}
	parts := splitOutside(s, ",")
	if len(parts) == 1 {
		return ParseName(texPlain(s))
	}
	words := splitOutside(strings.TrimSpace(parts[0]), " ")
	at := 0
	for at < len(words)-1 && words[at] != "" && words[at][0] >= 'a' && words[at][0] <= 'z' {
		at++
	}
	n := Name{Particle: texPlain(strings.Join(words[:at], " ")), Family: texPlain(strings.Join(words[at:], " ")), Given: texPlain(parts[len(parts)-1])}
	if len(parts) == 3 {
		n.Suffix = texPlain(parts[1])
		if suffixes[strings.ToLower(n.Given)] && !suffixes[strings.ToLower(n.Suffix)] { // Brandt, Anna, Jr.
			n.Suffix, n.Given = n.Given, n.Suffix
		}
	}
	if len(parts) > 3 {
		return Name{Literal: texPlain(s)}
	}
	return n
}

// splitOutside splits at sep where no brace is open; white space counts as one space.
func splitOutside(s, sep string) []string {
	s = strings.Join(strings.Fields(s), " ")
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth = max(0, depth-1)
		case depth == 0 && strings.HasPrefix(s[i:], sep):
			out = append(out, s[start:i])
			start = i + len(sep)
			i = start - 1
		}
	}
	return append(out, s[start:])
}
