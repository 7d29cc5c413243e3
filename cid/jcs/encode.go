package jcs

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// field is one member of a struct type.
type field struct {
	name      string
	quoted    string // with its colon, as it is written
	index     []int
	omitEmpty bool // left out when false, 0, "", nil or of length 0
	omitZero  bool // left out when the Go value is zero
	textual   bool // the Go type reads or writes itself as text
}

// fieldsByType caches []field sorted by name, or an error.
var fieldsByType sync.Map // reflect.Type -> []field or error

// fieldsOf returns the members of a struct type, sorted by name.
func fieldsOf(t reflect.Type) ([]field, error) {
	switch got, _ := fieldsByType.Load(t); got := got.(type) {
	case []field:
		return got, nil
	case error:
		return nil, got
	}
	fields, err := collect(t, nil)
	sort.Slice(fields, func(i, j int) bool { return fields[i].name < fields[j].name })
	for i := 1; i < len(fields) && err == nil; i++ {
		if fields[i].name == fields[i-1].name {
			err = fmt.Errorf("%v has the member %q twice", t, fields[i].name)
		}
	}
	if err != nil {
		fieldsByType.Store(t, err)
		return nil, err
	}
	fieldsByType.Store(t, fields)
	return fields, nil
}

func collect(t reflect.Type, prefix []int) ([]field, error) {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), prefix...), i)
		tag := f.Tag.Get("json")
		switch {
		case tag == "-":
			continue
		case f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
			inner, err := collect(f.Type, index)
			if err != nil {
				return nil, err
			}
			fields = append(fields, inner...)
			continue
		case !f.IsExported():
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !isKey(name) {
			return nil, fmt.Errorf("%v.%s: member name %q, want [a-z][a-z0-9_]*", t, f.Name, name)
		}
		out := field{name: name, quoted: `"` + name + `":`, index: index, textual: textual(f.Type)}
		for _, o := range strings.Split(options, ",") {
			switch o {
			default:
				return nil, fmt.Errorf("%v.%s: json option %q has no canonical meaning", t, f.Name, o)
			case "":
			case "omitempty":
				out.omitEmpty = true
			case "omitzero":
				out.omitZero = true
			}
		}
		fields = append(fields, out)
	}
	return fields, nil
}

// of returns the field of v.
func (f *field) of(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	return v.FieldByIndex(f.index)
}

// isOmitted reports whether the member with value v is left out.
func (f *field) isOmitted(v reflect.Value) bool {
	if f.omitZero && v.IsZero() {
		return true
	}
	if !f.omitEmpty {
		return false
	}
	switch v.Kind() {
	default:
		return v.IsZero()
	case reflect.Struct: // as encoding/json: a struct is never empty
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
}

var textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()

// encoder writes one object.
type encoder struct {
	buf   bytes.Buffer
	limit int
}

// value writes v, which lies at path inside depth objects and arrays.
func (e *encoder) value(v reflect.Value, path string, depth int) error {
	if e.buf.Len() > e.limit {
		return fmt.Errorf("the object has more than %d bytes", e.limit)
	}
	if t := v.Type(); t.NumMethod() > 0 && t.Implements(textMarshaler) && v.Kind() != reflect.Pointer {
		text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return at(path, err)
		}
		return e.text(string(text), path)
	}
	switch v.Kind() {
	default:
		return at(path, fmt.Errorf("%v has no canonical form", v.Type()))
	case reflect.Pointer:
		if v.IsNil() {
			return at(path, errNull)
		}
		return e.value(v.Elem(), path, depth)
	case reflect.Struct, reflect.Map, reflect.Slice:
		if depth == MaxDepth {
			return at(path, fmt.Errorf("more than %d objects and arrays inside each other", MaxDepth))
		}
	case reflect.String:
		return e.text(v.String(), path)
	case reflect.Bool:
		e.buf.WriteString(strconv.FormatBool(v.Bool()))
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i := v.Int()
		if i > MaxInt || i < -MaxInt {
			return at(path, fmt.Errorf("number %d is beyond ±(2^53−1)", i))
		}
		e.buf.WriteString(strconv.FormatInt(i, 10))
		return nil
	}
	switch v.Kind() {
	default:
		return e.array(v, path, depth+1)
	case reflect.Struct:
		return e.object(v, path, depth+1)
	case reflect.Map:
		return e.dict(v, path, depth+1)
	}
}

func (e *encoder) array(v reflect.Value, path string, depth int) error {
	e.buf.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		if err := e.value(v.Index(i), path+"["+strconv.Itoa(i)+"]", depth); err != nil {
			return err
		}
	}
	e.buf.WriteByte(']')
	return nil
}

func (e *encoder) object(v reflect.Value, path string, depth int) error {
	fields, err := fieldsOf(v.Type())
	if err != nil {
		return at(path, err)
	}
	e.buf.WriteByte('{')
	first := true
	for _, f := range fields {
		fv := v.FieldByIndex(f.index)
		if f.isOmitted(fv) {
			continue
		}
		if !first {
			e.buf.WriteByte(',')
		}
		first = false
		e.buf.WriteString(f.quoted)
		if err := e.value(fv, join(path, f.name), depth); err != nil {
			return err
		}
	}
	e.buf.WriteByte('}')
	return nil
}

// dict writes a map whose keys are strings.
func (e *encoder) dict(v reflect.Value, path string, depth int) error {
	if v.Type().Key().Kind() != reflect.String || v.Type().Elem().Kind() != reflect.String {
		return at(path, fmt.Errorf("%v has no canonical form, want map[string]string", v.Type()))
	}
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	e.buf.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			e.buf.WriteByte(',')
		}
		if !isKey(k.String()) {
			return at(path, fmt.Errorf("member name %q, want [a-z][a-z0-9_]*", clip(k.String())))
		}
		e.buf.WriteString(`"` + k.String() + `":`)
		if err := e.value(v.MapIndex(k), join(path, k.String()), depth); err != nil {
			return err
		}
	}
	e.buf.WriteByte('}')
	return nil
}

// text writes s quoted and escaped as RFC 8785, section 3.2.2.2.
func (e *encoder) text(s, path string) error {
	if !utf8.ValidString(s) {
		return at(path, fmt.Errorf("string %q is not UTF-8", clip(s)))
	}
	e.buf.WriteByte('"')
	from := 0
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			e.buf.WriteString(s[from:i])
			e.buf.WriteString(escape(rune(c)))
			from = i + 1
		}
	}
	e.buf.WriteString(s[from:])
	e.buf.WriteByte('"')
	return nil
}

// escape returns a character as it is written within a string.
func escape(r rune) string {
	const short = "btnvfr" // for U+0008 to U+000D; U+000B has no short escape
	switch {
	default:
		return string(r)
	case r == '"' || r == '\\':
		return `\` + string(r)
	case r >= '\b' && r <= '\r' && r != '\v':
		return `\` + string(short[r-'\b'])
	case r < 0x20:
		return fmt.Sprintf(`\u%04x`, r)
	}
}

// join names the member of an object for an error.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// at puts the place before an error.
func at(path string, err error) error {
	if path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
