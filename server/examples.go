package server

import (
	_ "embed"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// exampleCalls has the calls of a caller who tries each operation, in the order of the calls: later ones name what
// earlier ones registered.
//
//go:embed examples.json
var exampleCalls []byte

// An exampleCall is a call of an operation. The id of a resource is of the right form and no resource's.
type exampleCall struct {
	Operation  string          `json:"operation"`
	Parameters map[string]any  `json:"parameters"`
	Body       json.RawMessage `json:"body"`
}

// readExamples returns the calls of examples.json.
func readExamples() []exampleCall {
	var out []exampleCall
	if err := json.Unmarshal(exampleCalls, &out); err != nil {
		panic("server: examples.json: " + err.Error())
	}
	return out
}

// addExamples adds the values of examples to the parameters and the body of each operation.
func addExamples(o *huma.OpenAPI, examples []exampleCall) {
	of := map[string]exampleCall{}
	for _, e := range examples {
		of[e.Operation] = e
	}
	for op := range operations(o) {
		e := of[op.OperationID]
		for _, p := range op.Parameters {
			if value, ok := e.Parameters[p.Name]; ok {
				p.Example = value
			}
		}
		if op.RequestBody == nil || e.Body == nil {
			continue
		}
		if c := op.RequestBody.Content["application/json"]; c != nil {
			c.Example = e.Body
		}
	}
}
