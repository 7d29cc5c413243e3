package mail

import "strings"

// specials make a name need quotation marks.
const specials = `"()<>[]:;@\,`

// An entry of an address list while it is read.
type entry struct {
	words    []word
	address  string // between < and >
	angle    bool
	comments []string
}

// A word is a piece of a name, or of an address without < and >.
type word struct {
	text    string
	kind    byte // a atom, q quoted, e encoded
	spaced  bool // white space stands before it
	written string
}

// formatAddresses returns an address list in one way of writing, and the names in it:
//
//	Jörg Müller <jm@example.org>, "Doe, J." <jd@example.org>, x@example.org (old style)
//
// A list that cannot be read so is returned as decoded text.
func (m *message) formatAddresses(raw []byte) (list string, names []string) {
	list, names, ok := m.parseAddresses(m.decodeRaw(raw))
	if !ok {
		m.defects[defectAddress]++
		return m.decodeField(raw), nil
	}
	return list, names
}

// parseAddresses reads an address list; ok is false where the text is none.
func (m *message) parseAddresses(s string) (list string, names []string, ok bool) {
	var out strings.Builder
	var box entry
	group := false
	put := func(text string) {
		if n := out.Len(); n > 0 {
			if out.String()[n-1] != ':' {
				out.WriteByte(',')
			}
			out.WriteByte(' ')
		}
		out.WriteString(text)
	}
	flush := func() {
		if text, name := box.write(); text != "" {
			put(text)
			names = append(names, name)
		}
		box = entry{}
	}
	for s != "" {
		trimmed := strings.TrimLeft(s, " \t")
		spaced := len(trimmed) < len(s)
		if s = trimmed; s == "" {
			break
		}
		switch s[0] {
		case ',':
			flush()
			s = s[1:]
		case ';': // the end of a group, or a comma as some senders write it
			flush()
			if group {
				out.WriteByte(';')
			}
			group, s = false, s[1:]
		case ':':
			if box.angle || group {
				return "", nil, false
			}
			text, _ := box.write()
			put(text + ":")
			box, group, s = entry{}, true, s[1:]
		case '(':
			var inside string
			if inside, s, ok = cutComment(s); !ok {
				return "", nil, false
			}
			box.comments = append(box.comments, oneLine(m.decodeWords(inside)))
		case '<':
			if box.angle {
				return "", nil, false
			}
			if box.address, s, ok = cutAngle(s); !ok {
				return "", nil, false
			}
			box.angle = true
		default:
			if box.angle {
				return "", nil, false
			}
			var w word
			if w, s, ok = m.cutWord(s, spaced); !ok {
				return "", nil, false
			}
			box.words = append(box.words, w)
		}
	}
	flush()
	return oneLine(out.String()), names, true
}

// cutWord reads a quoted string, a run of encoded words or an atom.
func (m *message) cutWord(s string, spaced bool) (w word, rest string, ok bool) {
	if s[0] == '"' {
		val, rest, ok := cutQuotedString(s)
		val = oneLine(m.decodeWords(val))
		return word{val, 'q', spaced, quote(val)}, rest, ok
	}
	if text, size := m.decodeWordRun(s); size > 0 {
		text = oneLine(text)
		return word{text, 'e', spaced, quoteIfNeeded(text)}, s[size:], true
	}
	end := 1
	for literal := s[0] == '['; end < len(s); end++ {
		switch c := s[end]; {
		case c == '[':
			literal = true
		case c == ']':
			literal = false
		}
		if strings.IndexByte(" \t\"(<", s[end]) >= 0 || !literal && strings.IndexByte(",;:", s[end]) >= 0 {
			break
		}
	}
	return word{s[:end], 'a', spaced, s[:end]}, s[end:], true
}

// cutAngle reads an address between < and >, white space outside quoted strings
// left out.
func cutAngle(s string) (address, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '>':
			return b.String(), s[i+1:], true
		case c == '"':
			_, rest, ok := cutQuotedString(s[i:])
			if !ok {
				return "", "", false
			}
			end := len(s) - len(rest)
			b.WriteString(s[i:end])
			i = end - 1
		case c == '<':
			return "", "", false
		case !isBlank(c):
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// write returns the one way of writing an entry, and whom it names: a name, else the comment after
// an address, else the address.
func (b entry) write() (text, name string) {
	if b.angle {
		name = b.join(func(w word) string { return w.text })
		text = b.address
		if name != "" {
			text = quoteIfNeeded(name) + " <" + b.address + ">"
		}
	} else {
		text = b.join(func(w word) string { return w.written })
	}
	if name == "" && len(b.comments) > 0 {
		name = b.comments[0]
	}
	if name == "" {
		name = text
	}
	for _, c := range b.comments {
		text += " (" + c + ")"
	}
	return strings.TrimSpace(text), name
}

// join puts words together, a space where there was one, but none between two
// encoded words.
func (b entry) join(form func(word) string) string {
	var out strings.Builder
	for i, w := range b.words {
		if i > 0 && w.spaced && (w.kind != 'e' || b.words[i-1].kind != 'e') {
			out.WriteByte(' ')
		}
		out.WriteString(form(w))
	}
	return oneLine(out.String())
}

// quoteIfNeeded puts a name with a special character in quotation marks.
func quoteIfNeeded(name string) string {
	if strings.ContainsAny(name, specials) {
		return quote(name)
	}
	return name
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote writes a text as a quoted string.
func quote(s string) string { return `"` + quoter.Replace(s) + `"` }
