// Package jcs reads and writes canonical JSON, the form of every JSON object
// that Muniment hashes.
//
// The bytes are those of RFC 8785 (JSON Canonicalization Scheme), for a part
// of JSON small enough to have no surprises:
//
//   - objects, arrays, strings, booleans and integers; no null, no fractions,
//     no exponents, integers within ±(2^53−1);
//   - member names match [a-z][a-z0-9_]*, appear once, and are sorted, which
//     for ASCII names is the UTF-16 order the RFC asks for;
//   - strings are valid UTF-8 without lone surrogates, and only the quote, the
//     backslash and the characters below U+0020 are escaped, as ECMAScript
//     does it;
//   - at most MaxDepth objects and arrays inside each other, at most MaxObject
//     bytes, no white space and nothing after the object.
//
// The two calls most people need are
//
//	data, err := jcs.Marshal(v)
//	err := jcs.Unmarshal(data, "muniment/record/v1", &v)
//
// A reader names the type it expects and gets an object whose member "type"
// says so, that holds every member of the Go type which is not marked
// omitempty or omitzero, and no other, and whose canonical form is, byte for
// byte, what was read. On error the target is zero. The numbered comments in
// UnmarshalLimit are the steps of docs/spec/object.md.
//
// Go values are described with the usual json tags: structs (embedded ones
// are flattened), pointers to structs, slices, map[string]string, strings,
// booleans, integers, and types that marshal themselves as text. An empty
// array or object reads as a nil slice or map.
package jcs

import (
	"errors"
	"fmt"
	"reflect"
)

// Limits of canonical JSON.
const (
	MaxObject = 1 << 20   // bytes of one object; the largest records hold long lists of names
	MaxLeaf   = 64 << 10  // bytes of one leaf of a bundle, of which a verifier may have to hold 4096
	MaxDepth  = 8         // objects and arrays inside each other; no format here needs more than 5
	MaxInt    = 1<<53 - 1 // the largest integer that every JSON reader keeps exactly
)

// usualObject is the size in bytes for which room is made at first: a record
// has about as many.
const usualObject = 1 << 10

// Marshal returns the canonical bytes of v, at most MaxObject of them.
func Marshal(v any) ([]byte, error) { return MarshalLimit(v, MaxObject) }

// MarshalLimit is Marshal with another limit, in bytes.
func MarshalLimit(v any, limit int) ([]byte, error) {
	rv := reflect.ValueOf(v)
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if !rv.IsValid() || rv.Kind() != reflect.Struct && rv.Kind() != reflect.Map {
		return nil, fmt.Errorf("canonical JSON is made of objects, not of %T", v)
	}
	e := encoder{limit: limit}
	e.buf.Grow(usualObject)
	if err := e.value(rv, "", 0); err != nil {
		return nil, err
	}
	if e.buf.Len() > limit {
		return nil, fmt.Errorf("the object has %d bytes, more than %d", e.buf.Len(), limit)
	}
	return e.buf.Bytes(), nil
}

// Unmarshal reads canonical JSON of the given type, at most MaxObject bytes,
// into the struct that v points to.
func Unmarshal(data []byte, typ string, v any) error {
	return UnmarshalLimit(data, typ, v, MaxObject)
}

// UnmarshalLimit is Unmarshal with another limit, in bytes.
func UnmarshalLimit(data []byte, typ string, v any, limit int) (err error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() || rv.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("canonical JSON is read into a struct, not into %T", v)
	}
	rv = rv.Elem()
	rv.SetZero()
	defer func() {
		if err != nil {
			rv.SetZero()
		}
	}()
	// Steps 1, 2, 4 and 5 in one pass: size, form of the text, members, and the
	// canonical form, which is checked where it could be missed: the spelling of
	// escapes, members that ought to be left out, types that write themselves.
	s, err := scan(data, limit, rv, typeMember)
	if err != nil {
		// What is wrong with the form or the type is the better reason. What is newer
		// has other members, and the one form all the same.
		first := typeOf(data, typ, limit)
		if newer := (*NewerError)(nil); errors.As(first, &newer) {
			if damaged := Check(data, newer.Type, limit); damaged != nil {
				return damaged
			}
		}
		if first != nil {
			return first
		}
		return err
	}
	// 3. The type.
	return s.checkType(typ)
}

// typeMember is the member that every object has.
const typeMember = "type"

// typeOf checks the form of an object, and its type.
func typeOf(data []byte, typ string, limit int) error {
	s, err := scan(data, limit, reflect.Value{}, typeMember)
	if err != nil {
		return err
	}
	return s.checkType(typ)
}

// checkType requires the object to be of a type.
func (s *scanner) checkType(typ string) error {
	saw, err := s.member()
	if err != nil {
		return err
	}
	if newer := Newer(saw, typ); newer != nil {
		return newer
	}
	if saw != typ {
		return fmt.Errorf("type is %q, want %q", clip(saw), typ)
	}
	return nil
}

// Check returns nil when data is canonical JSON of the given type, at most limit
// bytes, whatever its other members are.
func Check(data []byte, typ string, limit int) error {
	if len(data) > limit {
		return fmt.Errorf("the object has %d bytes, more than %d", len(data), limit)
	}
	s := &scanner{data: data, text: string(data), name: typeMember, full: true}
	if err := s.whole(reflect.Value{}); err != nil {
		return err
	}
	return s.checkType(typ)
}

// Member returns a text member of the outermost object, for readers that must
// choose a Go type before they can call Unmarshal. The whole of data is
// parsed; its canonical form is not checked.
func Member(data []byte, name string) (string, error) {
	s, err := scan(data, MaxObject, reflect.Value{}, name)
	if err != nil {
		return "", err
	}
	return s.member()
}

// window returns a few bytes of data from offset i.
func window(data []byte, i int) []byte { return data[i:min(len(data), i+16)] }

// clip keeps an error line readable whatever was read.
func clip(s string) string {
	const most = 64
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

var errNull = errors.New("null is not allowed")
