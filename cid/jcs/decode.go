package jcs

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// value reads a value that lies inside depth objects and arrays into v.
func (s *scanner) value(v reflect.Value, depth int) error {
	if v.IsValid() && textual(v.Type()) {
		return s.textValue(v, depth)
	}
	return s.plain(v, depth)
}

// plain is value for types that do not write themselves as text.
func (s *scanner) plain(v reflect.Value, depth int) error {
	for v.IsValid() && v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		if v = v.Elem(); textual(v.Type()) {
			return s.textValue(v, depth)
		}
	}
	switch c := s.peek(); {
	default:
		return s.want("a value")
	case c == '{' || c == '[':
		if depth == MaxDepth {
			return fmt.Errorf("more than %d objects and arrays inside each other at byte %d", MaxDepth, s.pos)
		}
		s.pos++
		if c == '[' {
			return s.array(v, depth+1)
		}
		return s.object(v, depth+1)
	case c == '"':
		if err := wrongKind(v, kindString); err != nil {
			return err
		}
		text, err := s.readString(!v.IsValid())
		if v.IsValid() {
			v.SetString(text)
		}
		return err
	case c == '-' || c >= '0' && c <= '9':
		if err := wrongKind(v, kindInt); err != nil {
			return err
		}
		i, err := s.integer()
		switch {
		case err != nil || !v.IsValid():
			return err
		case v.OverflowInt(i):
			return fmt.Errorf("number %d does not fit %v", i, v.Type())
		}
		v.SetInt(i)
		return nil
	case s.word("true"):
		return setBool(v, true)
	case s.word("false"):
		return setBool(v, false)
	case s.word("null"):
		return fmt.Errorf("%w: byte %d", errNull, s.pos-len("null"))
	}
}

func setBool(v reflect.Value, yes bool) error {
	if err := wrongKind(v, kindBool); err != nil || !v.IsValid() {
		return err
	}
	v.SetBool(yes)
	return nil
}

// wrongKind returns the error of a value of the kind saw for v.
func wrongKind(v reflect.Value, saw kind) error {
	if !v.IsValid() {
		return nil
	}
	var want kind
	switch v.Kind() {
	default:
		return fmt.Errorf("%v has no canonical form", v.Type())
	case reflect.Struct, reflect.Map:
		want = kindObject
	case reflect.Slice:
		want = kindArray
	case reflect.String:
		want = kindString
	case reflect.Bool:
		want = kindBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		want = kindInt
	}
	if saw != want {
		return fmt.Errorf("saw %s, want %s", saw, want)
	}
	return nil
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// textual reports whether values of type t read or write themselves as text.
func textual(t reflect.Type) bool {
	if t.PkgPath() == "" || t.Kind() == reflect.Pointer { // a type without a name has no methods
		return false
	}
	if known, ok := textualTypes.Load(t); ok {
		return known.(bool)
	}
	is := t.Implements(textMarshaler) || reflect.PointerTo(t).Implements(textUnmarshaler)
	textualTypes.Store(t, is)
	return is
}

var textualTypes sync.Map // reflect.Type -> bool

// textValue reads a value whose type reads and writes itself as text: writing the
// result must give the same text.
func (s *scanner) textValue(v reflect.Value, depth int) error {
	start := s.pos
	u, ok := v.Addr().Interface().(encoding.TextUnmarshaler)
	switch {
	case !ok:
		if err := s.plain(v, depth); err != nil {
			return err
		}
	case s.peek() != '"':
		return s.want("a string")
	default:
		text, err := s.readString(false)
		if err != nil {
			return err
		}
		if err := u.UnmarshalText([]byte(text)); err != nil {
			return err
		}
	}
	e := encoder{limit: len(s.data)}
	if err := e.value(v, "", depth); err != nil {
		return err
	}
	if saw := s.data[start:s.pos]; !bytes.Equal(saw, e.buf.Bytes()) {
		return fmt.Errorf("not in canonical form at byte %d: saw %q, want %q", start, window(saw, 0), window(e.buf.Bytes(), 0))
	}
	return nil
}

// object reads the members of an object. Both they and the fields of a struct
// are sorted, so one pass finds unknown, missing and needless ones.
func (s *scanner) object(v reflect.Value, depth int) error {
	if err := wrongKind(v, kindObject); err != nil {
		return err
	}
	var fields []field
	var dict reflect.Value
	if v.IsValid() && v.Kind() == reflect.Map {
		if dict = v; v.Type().Key().Kind() != reflect.String || v.Type().Elem().Kind() != reflect.String {
			return fmt.Errorf("%v has no canonical form, want map[string]string", v.Type())
		}
	} else if v.IsValid() {
		var err error
		if fields, err = fieldsOf(v.Type()); err != nil {
			return err
		}
	}
	last := ""
	for done := s.accept('}'); !done; {
		var key string
		var err error
		if len(fields) > 0 && s.word(fields[0].quoted) { // as a rule: the next member of a struct
			key = fields[0].name
		} else if key, err = s.key(last, !v.IsValid()); err != nil {
			return err
		}
		last = key
		if depth == 1 && key == s.name {
			s.noteMember()
		}
		var to reflect.Value // where the member goes
		var f field
		switch {
		case dict.IsValid():
			to = reflect.New(v.Type().Elem()).Elem()
		case v.IsValid():
			for ; len(fields) > 0 && fields[0].name < key; fields = fields[1:] {
				if err := fields[0].absentError(v); err != nil {
					return err
				}
			}
			if len(fields) == 0 || fields[0].name != key {
				return fmt.Errorf("the member %q is unknown", key)
			}
			f, fields = fields[0], fields[1:]
			to = f.of(v)
		}
		at := s.pos
		if f.textual || dict.IsValid() {
			err = s.value(to, depth)
		} else {
			err = s.plain(to, depth)
		}
		switch {
		case err != nil:
			return within(key, err)
		case dict.IsValid():
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), to)
		case v.IsValid() && f.isOmitted(to):
			return fmt.Errorf("not in canonical form at byte %d: the member %q is empty, and then left out", at, key)
		}
		if done, err = s.next('}', "object"); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if err := f.absentError(v); err != nil {
			return err
		}
	}
	return nil
}

// noteMember keeps the member that begins here, if it is a text.
func (s *scanner) noteMember() {
	switch c := s.peek(); c {
	case '"':
		here := s.pos
		if text, err := s.readString(true); err == nil {
			s.saw, s.str = kindString, text
		}
		s.pos = here
	case '{':
		s.saw = kindObject
	case '[':
		s.saw = kindArray
	case 't', 'f':
		s.saw = kindBool
	default:
		s.saw = kindInt
	}
}

// absentError returns the error of a member of v that must be there and is not.
func (f *field) absentError(v reflect.Value) error {
	if (f.omitEmpty || f.omitZero) && f.isOmitted(f.of(v)) {
		return nil
	}
	return fmt.Errorf("the member %q is missing", f.name)
}

// array reads the elements of an array.
func (s *scanner) array(v reflect.Value, depth int) error {
	if err := wrongKind(v, kindArray); err != nil {
		return err
	}
	var to reflect.Value
	text := v.IsValid() && textual(v.Type().Elem())
	n := 0
	for done := s.accept(']'); !done; n++ {
		if v.IsValid() {
			v.Grow(1)
			v.SetLen(n + 1)
			to = v.Index(n)
		}
		var err error
		if text {
			err = s.textValue(to, depth)
		} else {
			err = s.plain(to, depth)
		}
		if err != nil {
			return within("["+strconv.Itoa(n)+"]", err)
		}
		if done, err = s.next(']', "array"); err != nil {
			return err
		}
	}
	return nil
}

// A placeError is an error with the path of the value it is about.
type placeError struct {
	path string
	err  error
}

func (p *placeError) Error() string { return p.path + ": " + p.err.Error() }
func (p *placeError) Unwrap() error { return p.err }

// within puts a member's name or an element's number before the path of an error.
func within(step string, err error) error {
	p, ok := err.(*placeError)
	switch {
	case !ok:
		return &placeError{step, err}
	case p.path[0] == '[':
		return &placeError{step + p.path, p.err}
	default:
		return &placeError{step + "." + p.path, p.err}
	}
}
