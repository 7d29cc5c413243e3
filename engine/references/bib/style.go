package bib

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed styles/*.txt
var styleFiles embed.FS

// A sheet is the data of a style: the values of its settings and its templates,
// both by key. The page docs/decisions/0019-reference-styles.md describes the
// files.
type sheet map[string]string

// sheets holds the sheets of all styles.
var sheets = func() map[Style]sheet {
	out := map[Style]sheet{}
	for _, style := range Styles {
		data, err := styleFiles.ReadFile("styles/" + string(style) + ".txt")
		if err != nil {
			panic(err)
		}
		if out[style], err = parseSheet(string(data)); err != nil {
			panic(fmt.Sprintf("style %s: %v", style, err))
		}
	}
	return out
}()

// parseSheet reads lines of a key, a colon and a value. A key of a template may
// be followed by the kinds of work that the template is for.
func parseSheet(text string) (sheet, error) {
	s := sheet{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %d: no colon behind the key", n)
		}
		value = strings.TrimSpace(value)
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		name, kinds, several := strings.Cut(key, " ")
		keys := []string{key}
		if several && name != "editor" {
			keys = nil
			for k := range strings.FieldsSeq(kinds) {
				keys = append(keys, name+" "+k)
			}
		}
		for _, k := range keys {
			if _, twice := s[k]; twice {
				return nil, fmt.Errorf("line %d: %s stands twice", n, k)
			}
			s[k] = value
		}
	}
	return s, nil
}

// template returns the template of a name for a kind of work.
func (s sheet) template(name string, k kind) string {
	for _, key := range []string{name + " " + string(k), name + " " + string(parents[k]), name} {
		if t, ok := s[key]; ok {
			return t
		}
	}
	return ""
}

// isNumbered reports whether references are listed in the order of the citations,
// under numbers.
func (s sheet) isNumbered() bool { return s["list"] == "numbered" }

// A writer writes one reference from the templates of a style.
type writer struct {
	sheet
	entry
	line line
}

// write writes the template of a name, and reports whether it wrote something.
func (w *writer) write(name string) bool {
	before := w.line.size()
	w.render(w.template(name, w.kind()))
	return w.line.size() > before
}

// render writes a template, and reports whether all its fields have values:
//
//	{x}     the value of field x; {*x} in italics; {x.} and {x,} followed
//	        by that sign, unless the value ends a sentence
//	{?x}    nothing, where x has a value; {!x} nothing, where it has none
//	<x>     the template x; it is a field
//	[a]     a, if its fields have values, else nothing
//	[a]/[b] the first of several that has
//	|       a full stop, unless the sentence is ended
//	^       a comma and a space, unless a bracket was opened or a quotation ended
//	\c      the character c
func (w *writer) render(template string) bool {
	complete := true
	for t := template; t != ""; {
		n := strings.IndexAny(t, `{<[|^\`)
		if n < 0 {
			n = len(t)
		}
		w.line.add(t[:n], false)
		if t = t[n:]; t == "" {
			break
		}
		switch t[0] {
		case '|':
			w.line.stop()
			t = t[1:]
		case '^':
			w.line.comma()
			t = t[1:]
		case '\\':
			w.line.add(t[1:2], false)
			t = t[2:]
		case '<':
			end := strings.IndexByte(t, '>')
			complete = w.write(t[1:end]) && complete
			t = t[end+1:]
		case '{':
			end := strings.IndexByte(t, '}')
			complete = w.field(t[1:end]) && complete
			t = t[end+1:]
		case '[':
			t = w.groups(t)
		}
	}
	return complete
}

// groups writes the first of several groups whose fields have values, and returns the template
// after them.
func (w *writer) groups(t string) string {
	for done := false; ; t = t[1:] {
		end := closingBracket(t)
		if before := w.line.clone(); !done {
			if done = w.render(t[1:end]); !done {
				w.line = before
			}
		}
		if t = t[end+1:]; !strings.HasPrefix(t, "/[") {
			return t
		}
	}
}

// closingBracket returns the index of the bracket that closes the one t begins with.
func closingBracket(t string) int {
	depth := 0
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	panic("bib: a template's bracket is not closed: " + t)
}

// field writes a field, given as in a template without its braces, and reports whether the field
// has a value, or for {!x} none.
func (w *writer) field(name string) bool {
	form := name[0]
	name = strings.TrimLeft(name, "?!*")
	sign := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	if len(sign) != 1 {
		sign = ""
	}
	value := w.value(strings.TrimSuffix(name, sign))
	switch form {
	case '?':
		return value != ""
	case '!':
		return value == ""
	}
	w.line.add(value, form == '*')
	if last := w.line.last(); sign != "" && last != '?' && last != '!' && (last != '.' || sign == ",") {
		w.line.add(sign, false)
	}
	return value != ""
}
