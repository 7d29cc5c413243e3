package dbresult

import (
	"encoding/json"
	"strings"
)

// A scanner reads an original from left to right. Every method reports whether
// it found what it wants, and moves on only then.
type scanner struct {
	text string
	at   int
}

// lit reads exactly want.
func (s *scanner) lit(want string) bool {
	if !strings.HasPrefix(s.text[s.at:], want) {
		return false
	}
	s.at += len(want)
	return true
}

// str reads a string in quotation marks.
func (s *scanner) str() (string, bool) {
	rest := s.text[s.at:]
	if !strings.HasPrefix(rest, `"`) {
		return "", false
	}
	escaped := false
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return "", false
		case c == '"':
			value := rest[1:i]
			if escaped && json.Unmarshal([]byte(rest[:i+1]), &value) != nil {
				return "", false
			}
			s.at += i + 1
			return value, true
		}
	}
	return "", false
}

// list reads elements with commas between them up to the closing bracket; the opening one is read
// before.
func (s *scanner) list(element func() bool) bool {
	if s.lit("]") {
		return true
	}
	for element() {
		if s.lit("]") {
			return true
		}
		if !s.lit(",") {
			return false
		}
	}
	return false
}

// result reads a whole original.
func (s *scanner) result() (r *Result, ok bool) {
	r = &Result{}
	ok = s.lit(`{"columns":[`) && s.list(func() bool { return s.column(r) }) && s.lit(`,"ordered":`)
	if r.Ordered = ok && s.lit("true"); ok && !r.Ordered {
		ok = s.lit("false")
	}
	if ok = ok && s.lit(`,"query":`); ok {
		r.Query, ok = s.str()
	}
	var cells []Cell // of all rows, so that a row costs no more than its cells
	var ends []int
	ok = ok && s.lit(`,"rows":[`) && s.list(func() bool {
		if !s.lit("[") || !s.list(func() bool { return s.cell(&cells) }) {
			return false
		}
		ends = append(ends, len(cells))
		return true
	})
	start := 0
	r.Rows = make([][]Cell, len(ends))
	for i, end := range ends {
		r.Rows[i], start = cells[start:end:end], end
	}
	return r, ok && s.lit(`,"type":"`+typeMember+`"}`)
}

// column reads one column and appends it to the result.
func (s *scanner) column(r *Result) bool {
	if !s.lit(`{"name":`) || len(r.Columns) > MaxColumns {
		return false
	}
	name, ok := s.str()
	if !ok || !s.lit(`,"type":`) {
		return false
	}
	kind, ok := s.str()
	r.Columns = append(r.Columns, Column{Name: name, Type: kind})
	return ok && s.lit("}")
}

// cell reads one cell and appends it to cells.
func (s *scanner) cell(cells *[]Cell) bool {
	if s.lit("null") {
		*cells = append(*cells, Cell{Null: true})
		return true
	}
	text, ok := s.str()
	*cells = append(*cells, Cell{Text: text})
	return ok
}
