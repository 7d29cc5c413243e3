package server

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// The schema of a type takes what the type is written as, also where a struct holds
// itself, and nothing else.
func TestMessageSchema(t *testing.T) {
	type tree struct {
		Name   string             `json:"name"`
		First  *tree              `json:"first"`
		Others []tree             `json:"others,omitempty"`
		Byname map[string]*string `json:"by_name"`
		Bytes  []byte             `json:"bytes,omitempty"`
	}
	text, err := MessageSchema("muniment.tree.v1", reflect.TypeFor[tree]())
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	schema, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(tree{Name: "a", First: &tree{Name: "b"}, Others: []tree{{Name: "c"}}, Bytes: []byte("d")})
	if err != nil {
		t.Fatal(err)
	}
	head := `{"schema":"muniment.tree.v1",`
	for doc, valid := range map[string]bool{
		head + string(written[1:]):                        true,
		string(written):                                   false, // without its schema
		head + `"name":"a","first":null,"by_name":null}`:  true,
		head + `"name":"a","first":{},"by_name":{}}`:      false,
		head + `"name":"a","first":null,"by_name":[]}`:    false,
		head + `"name":"a","by_name":{}}`:                 false,
		head + `"name":null,"first":null,"by_name":null}`: false,
	} {
		var v map[string]any
		if err := json.Unmarshal([]byte(doc), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != valid {
			t.Errorf("%s: %v, want valid %v", doc, err, valid)
		}
	}
}
