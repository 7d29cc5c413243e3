package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"time"

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
	reflect.TypeFor[time.Time]():       {Type: "string"},
}

// MessageSchema returns the JSON Schema of the documents whose first member is the schema name and whose other members
// are those of one of the types. A type that is no struct stands under "items".
func MessageSchema(name string, types ...reflect.Type) ([]byte, error) {
	all := make([]*jsonschema.Schema, len(types))
	defs := map[string]*jsonschema.Schema{}
	var err error
	for i, t := range types {
		if all[i], err = typeSchema(name, t, defs); err != nil {
			return nil, err
		}
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
	err = enc.Encode(root)
	return text.Bytes(), err
}

// typeSchema returns the schema of a document with the members of one type. The struct types
// below it go to defs, each once and by reference, so that a struct may contain itself.
func typeSchema(name string, t reflect.Type, defs map[string]*jsonschema.Schema) (*jsonschema.Schema, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		t = withoutName(t)
	}
	shared := map[reflect.Type]bool{}
	addStructs(t, shared)
	o := &jsonschema.ForOptions{TypeSchemas: maps.Clone(writtenSchemas)}
	for r := range shared {
		o.TypeSchemas[r] = &jsonschema.Schema{Ref: "#/$defs/" + definitionName(r)}
	}
	for r := range shared {
		def, err := jsonschema.ForType(withoutName(r), o)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		allowNull(def)
		defs[definitionName(r)] = def
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

// withoutName returns a struct type with the same members, which the generator does not take for the one that is named.
func withoutName(t reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
	}
	return reflect.StructOf(fields)
}

// definitionName returns the name of a struct type among the definitions: its package and its own name.
func definitionName(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

// addStructs adds to found the struct types with a name at or below t, except those of writtenSchemas.
func addStructs(t reflect.Type, found map[reflect.Type]bool) {
	if writtenSchemas[t] != nil || found[t] {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		addStructs(t.Elem(), found)
	case reflect.Struct:
		if t.Name() != "" {
			found[t] = true
		}
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous {
				addStructs(f.Type, found)
			}
		}
	}
}

// allowNull lets maps, and pointers to definitions, be null; the generator does so for lists and other pointers.
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
