package sourcemeta

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReadJSON reads a sidecar of one of the two forms that the package comment
// shows. file is its name in errors. An object with a defect is left out, and
// Refused returns it. The error is of type Errors and about the file as a whole;
// then there is no Sidecar.
func ReadJSON(file string, data []byte) (*Sidecar, error) {
	d := &defects{file: file}
	data, ok := checkFile(d, data, MaxSidecar)
	if !ok {
		return nil, d.err()
	}
	r := &jsonReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1, defects: d, out: &Sidecar{file: file}}
	r.dec.UseNumber()
	if err := r.document(); err != nil {
		d.add(r.line, "", "%s", err)
	}
	r.out.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return r.out, nil
}

// A jsonReader reads a document token by token, so that it has the line of each
// and finds keys that occur twice.
type jsonReader struct {
	data    []byte
	dec     *json.Decoder
	offset  int64 // of the end of the last token or value
	line    int   // of the same
	defects *defects
	out     *Sidecar
}

// next returns the next token.
func (r *jsonReader) next() (t json.Token, err error) {
	t, err = r.dec.Token()
	return t, r.advance(err)
}

// value returns the next value whole: a string, json.Number, bool, nil, []any or
// map[string]any.
func (r *jsonReader) value() (v any, err error) {
	err = r.dec.Decode(&v)
	return v, r.advance(err)
}

// advance sets the line after a token or value was read, or after an error. Half
// of a surrogate pair, which encoding/json replaces, is an error.
func (r *jsonReader) advance(err error) error {
	end := r.dec.InputOffset()
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err, end = errors.New("the document ends early"), int64(len(r.data))
	case errors.As(err, &syntax):
		err, end = fmt.Errorf("not JSON: %w", err), min(max(syntax.Offset, r.offset), int64(len(r.data)))
	}
	raw := r.data[r.offset:end]
	r.line, r.offset = r.line+bytes.Count(raw, []byte("\n")), end
	var v any
	if err == nil && bytes.Contains(raw, []byte(`\u`)) && json.Unmarshal(bytes.Trim(raw, ",: \t\r\n"), &v) == nil && strings.Contains(fmt.Sprint(v), "\ufffd") &&
		!bytes.Contains(raw, []byte("\ufffd")) && !bytes.Contains(bytes.ToLower(raw), []byte(`\ufffd`)) {
		return errors.New("half of a surrogate pair in a text")
	}
	return err
}

// document reads [{"path": …, "title": …}, …] or {"PATH": {"title": …}, …}.
func (r *jsonReader) document() error {
	open, err := r.next()
	if err != nil {
		return err
	}
	if open != json.Delim('[') && open != json.Delim('{') {
		return fmt.Errorf("the document is %s, want an array of objects or an object by path", show(open))
	}
	for r.dec.More() {
		if r.defects.full || r.out.over {
			return nil
		}
		path, what := "", "a member of the array"
		if open == json.Delim('{') {
			key, err := r.next()
			if err != nil {
				return err
			}
			path, _ = key.(string)
			what = quote(path)
		}
		begin, err := r.next()
		if err != nil {
			return err
		}
		if begin != json.Delim('{') {
			return fmt.Errorf("%s is %s, want an object", what, show(begin))
		}
		if err := r.description(path, open == json.Delim('{')); err != nil {
			return err
		}
	}
	if _, err := r.next(); err != nil {
		return err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		r.advance(err)
		return errors.New("something follows the document")
	}
	return nil
}

// description reads the members of one object; keyed reports that its path is
// the key before it.
func (r *jsonReader) description(path string, keyed bool) error {
	line := r.line
	var v Values
	seen, sound := map[string]bool{"path": keyed}, true
	for r.dec.More() {
		t, err := r.next()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		name, at := plainName(key), r.line
		f, isField := fieldOf(key)
		if !isField && name != "path" {
			name = "other_" + factName(key, len(seen))
		}
		if seen[name] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
		value, err := r.value()
		if err != nil {
			return err
		}
		switch {
		case name == "path":
			path, err = toText("path", value)
		case isField:
			err = v.setJSON(f, value)
		default:
			err = r.setOther(&v, key, strings.TrimPrefix(name, "other_"), value)
		}
		if err != nil {
			r.defects.addRow(at, name, "%s", err)
			sound = false
		}
	}
	if _, err := r.next(); err != nil {
		return err
	}
	if !sound {
		return nil
	}
	if !seen["path"] {
		r.defects.addRow(line, "path", "path is missing")
	} else if err := r.out.add(line, path, v); err != nil {
		r.defects.refuse(line, "path", "%s", err)
	}
	return nil
}

// setOther keeps a value under a name that is no field, and notes the name once.
func (r *jsonReader) setOther(v *Values, key, name string, value any) error {
	note := fmt.Sprintf("key %s is no field; its values are kept as the fact other_%s", quote(key), name)
	if !slices.Contains(r.out.notes, note) {
		r.out.notes = append(r.out.notes, note)
	}
	switch value := value.(type) {
	case string:
		return v.setOther(name, value)
	case json.Number, bool:
		return v.setOther(name, fmt.Sprint(value))
	}
	return fmt.Errorf("%s is %s, want a string", name, show(value))
}

// setJSON sets the field f to a value of a JSON document.
func (v *Values) setJSON(f field, value any) (err error) {
	var one Values
	switch {
	case f.list != nil:
		items, ok := value.([]any)
		if !ok {
			return fmt.Errorf("%s is %s, want an array", f.name, show(value))
		}
		for _, item := range items {
			s, err := toText("a member of "+f.name, item)
			if err != nil {
				return err
			}
			*f.list(&one) = append(*f.list(&one), s)
		}
		return v.setField(f, &one)
	case f.text != nil:
		if *f.text(&one), err = toText(f.name, value); err != nil {
			return err
		}
		return v.setField(f, &one)
	}
	n, ok := value.(json.Number)
	if !ok {
		return fmt.Errorf("%s is %s, want a number", f.name, show(value))
	}
	return v.Set(f.name, n.String())
}

func toText(what string, value any) (string, error) {
	s, ok := value.(string)
	if !ok {
		return "", fmt.Errorf("%s is %s, want a string", what, show(value))
	}
	return s, nil
}

// show returns a token or value as errors name it.
func show(t any) string {
	switch t := t.(type) {
	default:
		return fmt.Sprint(t)
	case nil:
		return "null"
	case string:
		return "the string " + quote(t)
	case json.Number:
		return "the number " + clip(t.String())
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case json.Delim:
		if t == '{' || t == '}' {
			return "an object"
		}
		return "an array"
	}
}

// quote shows a text of the file, bounded.
func quote(s string) string { return fmt.Sprintf("%q", clip(s)) }
