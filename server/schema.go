package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"muniment/cid"
	"muniment/cite"
)

// schemaDialect names the version of JSON Schema of what MessageSchema returns.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// writtenSchemas are the schemas of the types that write their own JSON.
var writtenSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[cid.ID]():          {Type: "string"},
	reflect.TypeFor[cite.Span]():       {Type: "string"},
	reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
	reflect.TypeFor[json.RawMessage](): {},
}

// MessageSchema returns the JSON Schema of the documents whose first member is the
// schema name and whose other members are those of one of the types. A type that is
// no struct stands under "items".
func MessageSchema(name string, types ...reflect.Type) ([]byte, error) {
	all := make([]*jsonschema.Schema, len(types))
	defs := map[string]*jsonschema.Schema{}
	for i, t := range types {
		one, err := typeSchema(name, t, defs)
		if err != nil {
			return nil, err
		}
		all[i] = one
	}
	if len(all) == 0 {
		return nil, errors.New("a schema of no type")
	}
	root := all[0]
	if len(all) > 1 {
		root = &jsonschema.Schema{Type: "object", AnyOf: all}
	}
	root.Schema, root.Title, root.Defs = schemaDialect, name, defs
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(root)
	return text.Bytes(), err
}

// typeSchema returns the schema of a document with the members of one type. A struct
// that holds itself goes to defs, as the generator knows no references.
func typeSchema(name string, t reflect.Type, defs map[string]*jsonschema.Schema) (*jsonschema.Schema, error) {
	recursive := map[reflect.Type]bool{}
	findRecursive(t, map[reflect.Type]bool{}, recursive)
	written := maps.Clone(writtenSchemas)
	for r := range recursive {
		written[r] = &jsonschema.Schema{Ref: "#/$defs/" + r.Name()}
	}
	o := &jsonschema.ForOptions{TypeSchemas: written}
	for r := range recursive {
		def, err := jsonschema.ForType(withoutName(r), o)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		allowNull(def)
		defs[r.Name()] = def
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if recursive[t] {
		t = withoutName(t)
	}
	s, err := jsonschema.ForType(t, o)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	allowNull(s)
	if t.Kind() != reflect.Struct {
		s = &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"items": s}, Required: []string{"items"},
			PropertyOrder: []string{"items"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	}
	if s.Properties["schema"] == nil {
		s.PropertyOrder = append([]string{"schema"}, s.PropertyOrder...)
		s.Required = append([]string{"schema"}, s.Required...)
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	s.Properties["schema"] = &jsonschema.Schema{Const: jsonschema.Ptr[any](name)}
	return s, nil
}

// withoutName returns a struct type with the same members, which the generator does not
// take for the one that is named.
func withoutName(t reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
	}
	return reflect.StructOf(fields)
}

// findRecursive adds to found each struct type, at any depth below t, that contains
// itself. The set above holds the struct types on the way from the root to t.
func findRecursive(t reflect.Type, above, found map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		findRecursive(t.Elem(), above, found)
	case reflect.Struct:
		if above[t] {
			found[t] = true
			return
		}
		if writtenSchemas[t] != nil {
			return
		}
		above[t] = true
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() {
				findRecursive(f.Type, above, found)
			}
		}
		delete(above, t)
	}
}

// allowNull lets the maps below a schema, and pointers to structs that hold
// themselves, be null; the generator does so for lists and other pointers.
func allowNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" && len(s.Types) > 0 {
		s.AnyOf = []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}
		s.Ref, s.Types = "", nil
	}
	if s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		s.Type, s.Types = "", []string{"null", "object"}
	}
	for _, property := range s.Properties {
		allowNull(property)
	}
	allowNull(s.Items)
	allowNull(s.AdditionalProperties)
}
