package mail

import (
	"bytes"
	"slices"
	"strings"

	"muniment/canon"
	"muniment/canon/html"
	"muniment/canon/read"
)

// bodyText returns the text of a leaf, nil when nothing in it can be seen.
func (m *message) bodyText(e entity, data []byte) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	charset := strings.ToLower(e.typ.params["charset"])
	if isHTML(e.typ.word) {
		return m.page(e.typ.word, charset, data)
	}
	text, decision, err := m.decodeText(data, charset)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(e.typ.params["format"], "flowed") {
		text = unflow(text, strings.EqualFold(e.typ.params["delsp"], "yes"))
	}
	if text = canon.Text(text); text != nil {
		m.noteText(plainText, decision)
	}
	return text, nil
}

// page returns the text of a page, as html@2 has it.
func (m *message) page(typ, charset string, data []byte) ([]byte, error) {
	in := read.Input{MediaType: typ, Data: data}
	if charset != "" {
		in.MediaType += "; charset=" + charset
	}
	form, err := html.Reader().Read(in)
	if err != nil {
		return nil, err
	}
	m.checkCharset(form.Payload, charset, form.Charset)
	m.extractor = form.Extractor
	if form.Payload != nil {
		m.noteText("text/html", form.Charset)
	}
	return form.Payload, nil
}

// noteText remembers what was read and how it was decoded.
func (m *message) noteText(typ, decision string) {
	if !slices.Contains(m.kinds, typ) {
		m.kinds = append(m.kinds, typ)
	}
	m.noteCharset(decision)
}

// noteCharset remembers a decision about a charset once.
func (m *message) noteCharset(decision string) {
	if !slices.Contains(m.charsets, decision) && len(m.charsets) < maxCharsets {
		m.charsets = append(m.charsets, decision)
	}
}

// unflow undoes format=flowed (RFC 3676): lines that end in a space go on in
// the next one of the same depth of quotation. With delsp the space was added.
// A quoted line is written with its marks, one space and its text. An empty
// line ends a paragraph even where a space before it says otherwise.
func unflow(text []byte, delsp bool) []byte {
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte{'\n'}), []byte{'\r'}, []byte{'\n'})
	out := make([]byte, 0, len(text)+len(text)/8)
	open, last := false, 0 // the line before flows, and its depth
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte{'\n'})
		depth := len(line) - len(bytes.TrimLeft(line, ">"))
		line = bytes.TrimPrefix(line[depth:], []byte{' '})
		signature := string(line) == "-- "
		if !open || depth != last || signature || len(line) == 0 {
			if len(out) > 0 {
				out = append(out, '\n')
			}
			out = append(out, bytes.Repeat([]byte{'>'}, depth)...)
			if depth > 0 && len(line) > 0 {
				out = append(out, ' ')
			}
		}
		open, last = bytes.HasSuffix(line, []byte{' '}) && !signature, depth
		if open && delsp {
			line = line[:len(line)-1]
		}
		out = append(out, line...)
	}
	return out
}
