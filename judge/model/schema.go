package model

// A schema is the form of a reply, as endpoints take it in response_format.
type schema struct {
	name string
	root map[string]any
}

// format returns the value of response_format.
func (s *schema) format() map[string]any {
	return map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": s.name, "strict": true, "schema": s.root}}
}

// textSchema returns the form of an object whose members are texts.
func textSchema(name string, members ...string) *schema {
	properties := map[string]any{}
	for _, m := range members {
		properties[m] = map[string]any{"type": "string"}
	}
	return &schema{name, objectSchema(properties, members...)}
}

// objectSchema returns the form of an object with these members and no others.
func objectSchema(properties map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
