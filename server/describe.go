package server

import (
	_ "embed"
	"iter"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// memberLines has a line for each name of a member or a parameter: the name, a tab, its description. A name has a line
// of its own after the schema or the operation, as Schema.name, where it means something else there.
//
//go:embed members.txt
var memberLines string

// readMembers returns the descriptions of members.txt by name.
func readMembers() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(memberLines) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out[name] = text
	}
	return out
}

// describe gives each member and parameter of a document without a description that of members.txt, and returns the
// names that it looked for without finding one, and the names of the lines that it used.
func describe(o *huma.OpenAPI) (missing []string, used map[string]bool) {
	lines := readMembers()
	used = map[string]bool{}
	find := func(owner, name string) string {
		for _, key := range []string{owner + "." + name, name} {
			if text := lines[key]; text != "" {
				used[key] = true
				return text
			}
		}
		missing = append(missing, owner+"."+name)
		return ""
	}
	var ofSchema func(owner string, s *huma.Schema)
	ofSchema = func(owner string, s *huma.Schema) {
		if s == nil {
			return
		}
		for name, p := range s.Properties {
			if p.Description == "" {
				p.Description = find(owner, name)
			}
			ofSchema(owner, p)
		}
		ofSchema(owner, s.Items)
		for _, one := range append(s.OneOf, s.AnyOf...) {
			ofSchema(owner, one)
		}
	}
	for name, s := range o.Components.Schemas.Map() {
		ofSchema(name, s)
	}
	for op := range operations(o) {
		for _, p := range op.Parameters {
			if p.Description == "" {
				p.Description = find(op.OperationID, p.Name)
			}
		}
		for _, r := range op.Responses {
			for _, c := range r.Content {
				ofSchema(op.OperationID, c.Schema)
			}
		}
	}
	return missing, used
}

// operations returns the operations of a document.
func operations(o *huma.OpenAPI) iter.Seq[*huma.Operation] {
	return func(yield func(*huma.Operation) bool) {
		for _, at := range o.Paths {
			for _, op := range []*huma.Operation{at.Get, at.Post, at.Put, at.Delete, at.Patch} {
				if op != nil && !yield(op) {
					return
				}
			}
		}
	}
}
