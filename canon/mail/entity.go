package mail

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"muniment/canon/read"
)

// An entity is one node of a message's tree, its own header read.
type entity struct {
	typ      value // Content-Type
	attached bool  // Content-Disposition: attachment
	file     string
	encoding string
	body     []byte
	first    bool // the first leaf of the message
	apart    bool // beside the page of a multipart/related: never read as text
}

// A textPiece is the text of one leaf.
type textPiece struct {
	text  []byte
	plain bool
}

// read reads the tree below an entity with the header h and returns its text.
// Everything that is not text is added to the parts.
func (m *message) read(h header, body []byte, usual string, depth int, apart bool) ([]textPiece, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("parts are nested deeper than %d", MaxDepth)
	}
	if m.entities++; m.entities > MaxParts {
		return nil, fmt.Errorf("the message has more than %d parts", MaxParts)
	}
	e := m.entity(h, usual)
	e.body, e.apart = body, apart
	if m.hint == "" {
		m.hint = e.typ.params["charset"]
	}
	if strings.HasPrefix(e.typ.word, "multipart/") {
		texts, ok, err := m.multipart(e, depth)
		if err != nil || ok {
			return texts, err
		}
		m.defects[defectBoundary]++
		e.typ.word = plainText
	}
	e.first = m.leaves == 0
	m.leaves++
	return m.leaf(e)
}

// entity reads the description of the body in a header; usual is its media type when the header
// gives none.
func (m *message) entity(h header, usual string) entity {
	e := entity{typ: m.parseStructured(h.get("content-type"))}
	switch {
	case e.typ.word == "":
		e.typ.word = usual
	case !validType(e.typ.word):
		// RFC 2045, section 5.2: what cannot be understood is plain text.
		m.defects[defectType]++
		e.typ.word = plainText
	}
	disposition := m.parseStructured(h.get("content-disposition"))
	e.attached = disposition.word == "attachment"
	e.file = m.fileName(disposition, "filename")
	if e.file == "" {
		e.file = m.fileName(e.typ, "name")
	}
	e.encoding = strings.ToLower(strings.Trim(stripComments(string(h.get("content-transfer-encoding"))), " \t\";"))
	return e
}

// fileName returns the file name that a parameter gives, decoded and on one
// line.
func (m *message) fileName(v value, param string) string {
	name := v.params[param]
	if !v.decoded[param] {
		name = m.decodeWords(name)
	}
	return oneLine(name)
}

// validType reports whether s is type/subtype in the characters of RFC 2045.
func validType(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	return ok && kind != "" && sub != "" && len(s) <= maxType && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7F || strings.ContainsRune(`()<>@,;:\"[]?=`, r)
	}) && !strings.Contains(sub, "/")
}

// multipart reads the parts of e; ok is false where no boundary divides it.
//
// Of alternatives the first with plain text is taken, unless it stands in for a page,
// else the last with any: senders put the richest last. In a related group the first part is the page,
// and the others belong to it. In every other kind all text is read.
func (m *message) multipart(e entity, depth int) (texts []textPiece, ok bool, err error) {
	usual := plainText
	if e.typ.word == "multipart/digest" {
		usual = rfc822
	}
	var all [][]textPiece
	n := 0
	found, closed, err := split(e.body, e.typ.params["boundary"], func(part []byte) error {
		n++
		h, body, err := m.cutHeader(part)
		if err != nil {
			return err
		}
		apart := e.apart || n > 1 && e.typ.word == "multipart/related"
		texts, err := m.read(h, body, usual, depth+1, apart)
		if len(texts) > 0 {
			all = append(all, texts)
		}
		return err
	})
	if err != nil || !found {
		return nil, found, err
	}
	if !closed {
		m.defects[defectUnclosed]++
	}
	if e.typ.word != "multipart/alternative" || len(all) == 0 {
		return slices.Concat(all...), true, nil
	}
	m.alternatives += len(all) - 1
	return m.choose(all), true, nil
}

// choose returns the alternative that is taken: the first with plain text, unless that is a stub of
// the last one, else the last.
func (m *message) choose(all [][]textPiece) []textPiece {
	isPlain := func(t textPiece) bool { return t.plain }
	last := all[len(all)-1]
	for _, texts := range all {
		if !slices.ContainsFunc(texts, isPlain) {
			continue
		}
		if !slices.ContainsFunc(last, isPlain) {
			if m.stub = stubOf(joinTexts(texts), joinTexts(last)); m.stub != "" {
				return last
			}
		}
		return texts
	}
	return last
}

// joinTexts joins the texts of a mail.
func joinTexts(texts []textPiece) []byte {
	var out [][]byte
	for _, t := range texts {
		out = append(out, t.text)
	}
	return bytes.Join(out, []byte{'\n'})
}

// split yields the parts between lines of "--" and the boundary. What stands
// before the first and behind the closing line is no part. found is false when
// there is no such line, closed is false when the closing one is missing and the last
// part goes to the end.
func split(body []byte, boundary string, yield func([]byte) error) (found, closed bool, err error) {
	if boundary == "" || len(boundary) > maxBoundary {
		return false, false, nil
	}
	delim := []byte("--" + boundary)
	start := -1
	for at := 0; ; {
		i := bytes.Index(body[at:], delim)
		if i < 0 {
			break
		}
		i += at
		at = i + len(delim)
		if i > 0 && body[i-1] != '\n' {
			continue
		}
		rest := body[at:]
		last := bytes.HasPrefix(rest, []byte("--"))
		if last {
			rest = rest[2:]
		}
		rest = bytes.TrimLeft(rest[:min(len(rest), maxPadding)], " \t\r")
		if len(rest) > 0 && rest[0] != '\n' {
			continue
		}
		if start >= 0 {
			if err := yield(withoutBreak(body[start:i])); err != nil {
				return true, false, err
			}
		}
		_, next := cutLine(body[at:])
		start = len(body) - len(next)
		at = start
		if last {
			return true, true, nil
		}
	}
	if start < 0 {
		return false, false, nil
	}
	return true, false, yield(body[start:])
}

// withoutBreak removes the line break that belongs to the boundary.
func withoutBreak(part []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte{'\n'}), []byte{'\r'})
}

// leaf reads one leaf: as text, or as a part.
func (m *message) leaf(e entity) ([]textPiece, error) {
	data := m.decodeTransfer(e.body, e.encoding)
	if e.isBody() {
		if m.body += len(data); m.body > MaxBody {
			return nil, fmt.Errorf("the text of the message is longer than %d bytes", MaxBody)
		}
		text, err := m.bodyText(e, data)
		if rest, ok := behindPadding(e.body); err != nil && e.encoding == "base64" && ok {
			text, err = m.bodyText(e, rest)
		}
		if err == nil {
			if text == nil {
				return nil, nil
			}
			return []textPiece{{text, e.typ.word == plainText}}, nil
		}
		m.defects[defectText]++
	}
	if len(data) == 0 {
		m.defects[defectEmpty]++
		return nil, nil
	}
	typ := e.typ.word
	if charset := e.typ.params["charset"]; strings.HasPrefix(typ, "text/") && validType("x/"+charset) {
		typ += "; charset=" + strings.ToLower(charset)
	}
	m.parts = append(m.parts, read.Part{Name: m.partName(e), MediaType: typ, Data: data})
	return nil, nil
}

// isBody reports whether a leaf is read as text of the message: plain or HTML,
// not attached, and without a file name unless it opens the message.
func (e entity) isBody() bool {
	return (e.typ.word == plainText || isHTML(e.typ.word)) && !e.attached && !e.apart && (e.file == "" || e.first)
}

// isHTML reports whether a media type is that of a web page.
func isHTML(typ string) bool { return typ == "text/html" || typ == "application/xhtml+xml" }
