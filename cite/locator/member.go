package locator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// object is a JSON object as its members stand. Names are compared byte for
// byte.
type object map[string]json.RawMessage

// members reads a JSON object. A member that stands twice is refused: readers
// differ in which of the two they take.
func members(data []byte) (object, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("not UTF-8")
	}
	if !json.Valid(data) {
		return nil, fmt.Errorf("not JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if first, err := dec.Token(); err != nil || first != json.Delim('{') {
		return nil, fmt.Errorf("want a JSON object")
	}
	all := object{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if all[name] != nil {
			return nil, fmt.Errorf("member %q stands twice", clip(name))
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, nil
}

// read decodes a member of the right type into to.
func (o object) read(name string, to any, required bool) error {
	value := o[name]
	if value == nil && !required {
		return nil
	}
	if value == nil {
		return fmt.Errorf("no member %q", name)
	}
	want := "a string"
	if _, number := to.(*int); number {
		want = "a whole number"
	}
	if err := json.Unmarshal(value, to); err != nil || string(value) == "null" {
		return fmt.Errorf("member %q is %s, want %s", name, clip(string(value)), want)
	}
	return nil
}
