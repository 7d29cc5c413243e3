package sourcemeta

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadJSON reads a sidecar of one of the two forms that the package comment
// shows. file is its name in errors. The error is of type Errors, and then there
// is no Sidecar.
func ReadJSON(file string, data []byte) (*Sidecar, error) {
	d := &defects{file: file}
	data, ok := text(d, data, MaxSidecar)
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

// A jsonReader goes through a document token by token, so that it knows the
// line of each and sees keys that are there twice.
type jsonReader struct {
	data    []byte
	dec     *json.Decoder
	offset  int64 // of the end of the last token
	line    int   // of the last token
	defects *defects
	out     *Sidecar
}

// next returns the next token: a json.Delim, string, json.Number, bool or nil.
func (r *jsonReader) next() (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			r.line = 1 + bytes.Count(r.data, []byte("\n"))
			return nil, errors.New("the document ends early")
		case errors.As(err, &syntax):
			at := min(max(syntax.Offset, 0), int64(len(r.data)))
			r.line = 1 + bytes.Count(r.data[:at], []byte("\n"))
		}
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	end := r.dec.InputOffset()
	raw := r.data[r.offset:end]
	r.line += bytes.Count(raw, []byte("\n"))
	r.offset = end
	if s, ok := t.(string); ok && strings.Contains(s, "\ufffd") &&
		!bytes.Contains(raw, []byte("\ufffd")) && !bytes.Contains(bytes.ToLower(raw), []byte(`\ufffd`)) {
		return nil, errors.New("half of a surrogate pair in a text")
	}
	return t, nil
}

// want returns the next token, which must be the delimiter.
func (r *jsonReader) want(delim json.Delim, what string) error {
	t, err := r.next()
	if err != nil {
		return err
	}
	if t != delim {
		return fmt.Errorf("%s is %s, want %s", what, show(t), kindOf(delim))
	}
	return nil
}

func (r *jsonReader) document() error {
	t, err := r.next()
	switch {
	case err != nil:
		return err
	case t == json.Delim('['):
		err = r.array()
	case t == json.Delim('{'):
		err = r.object()
	default:
		err = fmt.Errorf("the document is %s, want an array of objects or an object by path", show(t))
	}
	if err != nil {
		return err
	}
	if rest := bytes.TrimSpace(r.data[r.dec.InputOffset():]); len(rest) > 0 {
		r.line = 1 + bytes.Count(r.data[:len(r.data)-len(bytes.TrimLeft(rest, " \t\r\n"))], []byte("\n"))
		return errors.New("something follows the document")
	}
	return nil
}

// array reads [{"path": …, "title": …}, …].
func (r *jsonReader) array() error {
	for r.dec.More() {
		if err := r.want('{', "a member of the array"); err != nil {
			return err
		}
		if err := r.description("", false); err != nil {
			return err
		}
	}
	_, err := r.next()
	return err
}

// object reads {"PATH": {"title": …}, …}.
func (r *jsonReader) object() error {
	for r.dec.More() {
		key, err := r.next()
		if err != nil {
			return err
		}
		if err := r.want('{', quoted(key.(string))); err != nil {
			return err
		}
		if err := r.description(key.(string), true); err != nil {
			return err
		}
	}
	_, err := r.next()
	return err
}

// description reads the members of one object; known says that its path is.
func (r *jsonReader) description(path string, known bool) error {
	line := r.line
	var v Values
	seen := map[string]bool{"path": known}
	for r.dec.More() {
		t, err := r.next()
		if err != nil {
			return err
		}
		key, at := t.(string), r.line
		name := key
		f, isField := fieldOf(key)
		if isField {
			name = f.name
		}
		if seen[name] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
		switch {
		case name == "path":
			if path, err = r.string("path"); err != nil {
				return err
			}
		case !isField:
			return fmt.Errorf("there is no field %s, want path, %s", quoted(key), strings.Join(FieldNames(), ", "))
		default:
			one, err := r.value(f)
			if err != nil {
				return err
			}
			if err := v.take(f, &one); err != nil {
				r.defects.add(at, f.name, "%s", err)
			}
		}
	}
	if _, err := r.next(); err != nil {
		return err
	}
	if !seen["path"] {
		r.defects.add(line, "path", "path is missing")
		return nil
	}
	if err := r.out.add(line, path, v); err != nil {
		r.defects.add(line, "path", "%s", err)
	}
	return nil
}

// value reads the value of one field.
func (r *jsonReader) value(f field) (one Values, err error) {
	switch {
	case f.list != nil:
		if err := r.want('[', f.name); err != nil {
			return one, err
		}
		for r.dec.More() {
			s, err := r.string("a member of " + f.name)
			if err != nil {
				return one, err
			}
			*f.list(&one) = append(*f.list(&one), s)
		}
		_, err = r.next()
		return one, err
	case f.text != nil:
		s, err := r.string(f.name)
		*f.text(&one) = s
		return one, err
	}
	t, err := r.next()
	if err != nil {
		return one, err
	}
	n, ok := t.(json.Number)
	if !ok {
		return one, fmt.Errorf("%s is %s, want a number", f.name, show(t))
	}
	if err := one.Set(f.name, n.String()); err != nil {
		r.defects.add(r.line, f.name, "%s", err)
	}
	return one, nil
}

func (r *jsonReader) string(what string) (string, error) {
	t, err := r.next()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("%s is %s, want a string", what, show(t))
	}
	return s, nil
}

// show renders a token for an error.
func show(t json.Token) string {
	switch t := t.(type) {
	default:
		return fmt.Sprint(t)
	case nil:
		return "null"
	case string:
		return "the string " + quoted(t)
	case json.Number:
		return "the number " + clip(t.String())
	case json.Delim:
		return kindOf(t)
	}
}

func kindOf(d json.Delim) string {
	if d == '{' || d == '}' {
		return "an object"
	}
	return "an array"
}

// quoted shows a text of the file, bounded.
func quoted(s string) string { return fmt.Sprintf("%q", clip(s)) }
