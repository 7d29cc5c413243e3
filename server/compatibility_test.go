package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var keepAPI = flag.Bool("keep-api", false, "write today's description of the API as the one that later ones are compared with; for a release")

// keptAPI is the description of the API of the last release, without its sentences and examples.
const keptAPI = "testdata/api-v1.json"

// An object is a JSON object of an OpenAPI document.
type object = map[string]any

// An apiDiff compares two documents. Its faults are the changes that break a program written for the old one.
type apiDiff struct {
	old, new object
	seen     map[string]bool // pairs of named schemas that were compared
	faults   []string
}

func (d *apiDiff) fault(at, format string, args ...any) {
	d.faults = append(d.faults, at+": "+fmt.Sprintf(format, args...))
}

// member returns the object at the names of a value, nil where one is missing.
func member(v any, names ...string) object {
	o, _ := v.(object)
	for _, name := range names {
		o, _ = o[name].(object)
	}
	return o
}

// stringsOf returns the strings of a value: one, or a list of them.
func stringsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, one := range v {
			out = append(out, fmt.Sprint(one))
		}
		return out
	}
	return nil
}

// resolve returns the schema to which a schema refers, and the name of it.
func resolve(doc object, s object) (object, string) {
	ref, _ := s["$ref"].(string)
	if ref == "" {
		return s, ""
	}
	name := strings.TrimPrefix(ref, "#/components/schemas/")
	return member(doc, "components", "schemas", name), name
}

// breaks returns the changes from one document to another that the page on compatibility rules out.
func breaks(before, after object) []string {
	d := &apiDiff{old: before, new: after, seen: map[string]bool{}}
	for path, methods := range member(before, "paths") {
		for method, op := range member(methods) {
			at := strings.ToUpper(method) + " " + path
			now := member(after, "paths", path, method)
			if now == nil {
				d.fault(at, "the operation is gone")
				continue
			}
			d.parameters(at, member(op), now)
			if body := member(now, "requestBody"); body["required"] == true && member(op, "requestBody")["required"] != true {
				d.fault(at, "the body is required")
			}
			d.contents(at+" request", member(op, "requestBody", "content"), member(now, "requestBody", "content"), true)
			for status, reply := range member(op, "responses") {
				if member(now, "responses", status) == nil {
					d.fault(at, "the reply %s is gone", status)
				}
				d.contents(at+" "+status, member(reply, "content"), member(now, "responses", status, "content"), false)
			}
		}
	}
	slices.Sort(d.faults)
	return d.faults
}

// contents compares the media types of a body.
func (d *apiDiff) contents(at string, before, after object, request bool) {
	for media := range before {
		now := member(after, media)
		if now == nil {
			d.fault(at, "the media type %s is gone", media)
			continue
		}
		d.schema(at, member(before, media, "schema"), member(now, "schema"), request)
	}
}

// parameters compares the parameters of an operation.
func (d *apiDiff) parameters(at string, before, after object) {
	read := func(op object) map[string]object {
		out := map[string]object{}
		all, _ := op["parameters"].([]any)
		for _, p := range all {
			p := member(p)
			out[fmt.Sprint(p["in"], " ", p["name"])] = p
		}
		return out
	}
	was, is := read(before), read(after)
	for name, p := range was {
		if is[name] == nil {
			d.fault(at, "the parameter %s is gone", name)
			continue
		}
		d.schema(at+" "+name, member(p, "schema"), member(is[name], "schema"), true)
	}
	for name, p := range is {
		if p["required"] == true && (was[name] == nil || was[name]["required"] != true) {
			d.fault(at, "the parameter %s is required", name)
		}
	}
}

// bounds are the rules of a request with the direction in which a change takes less.
var bounds = map[string]int{"minimum": 1, "minLength": 1, "minItems": 1, "maximum": -1, "maxLength": -1, "maxItems": -1}

// schema compares two schemas of a request or a reply.
func (d *apiDiff) schema(at string, before, after object, request bool) {
	before, name := resolve(d.old, before)
	after, newName := resolve(d.new, after)
	if before == nil {
		return
	}
	if after == nil {
		d.fault(at, "the schema is gone")
		return
	}
	if pair := fmt.Sprint(name, "\x00", newName, "\x00", request); name != "" {
		if d.seen[pair] {
			return
		}
		d.seen[pair] = true
		at = name
		if request {
			at += " (request)"
		}
	}
	was, is := stringsOf(before["type"]), stringsOf(after["type"])
	for _, one := range was {
		if len(is) > 0 && !slices.Contains(is, one) {
			d.fault(at, "the type %s is gone", one)
		}
	}
	for _, one := range is {
		if !slices.Contains(was, one) && (len(was) == 0 || !request) {
			d.fault(at, "the type is %s now, which it was not", one)
		}
	}
	for _, one := range stringsOf(before["enum"]) {
		if after["enum"] != nil && !slices.Contains(stringsOf(after["enum"]), one) {
			d.fault(at, "the value %q is gone", one)
		}
	}
	if request && before["enum"] == nil && after["enum"] != nil {
		d.fault(at, "only some values are taken")
	}
	for _, rule := range []string{"format", "pattern", "contentEncoding"} {
		if !reflect.DeepEqual(before[rule], after[rule]) && (after[rule] != nil || !request) {
			d.fault(at, "%s is %v and was %v", rule, after[rule], before[rule])
		}
	}
	for rule, less := range bounds {
		new, is := after[rule].(float64)
		old, was := before[rule].(float64)
		if request && is && (!was || (new-old)*float64(less) > 0) {
			d.fault(at, "%s is %v and was %v", rule, after[rule], before[rule])
		}
	}
	for _, one := range stringsOf(after["required"]) {
		if request && !slices.Contains(stringsOf(before["required"]), one) {
			d.fault(at, "the member %s is required", one)
		}
	}
	for _, one := range stringsOf(before["required"]) {
		if !request && !slices.Contains(stringsOf(after["required"]), one) {
			d.fault(at, "the member %s may be missing", one)
		}
	}
	if !request && before["additionalProperties"] != false && after["additionalProperties"] == false {
		d.fault(at, "a reply has no new members")
	}
	for one, s := range member(before, "properties") {
		now := member(after, "properties", one)
		if now == nil {
			d.fault(at, "the member %s is gone", one)
			continue
		}
		d.schema(at+"."+one, member(s), now, request)
	}
	d.schema(at+"[]", member(before, "items"), member(after, "items"), request)
	d.schema(at+"{}", member(before, "additionalProperties"), member(after, "additionalProperties"), request)
	for _, rule := range []string{"anyOf", "oneOf"} {
		was, _ := before[rule].([]any)
		is, _ := after[rule].([]any)
		for i, one := range was {
			if !slices.ContainsFunc(is, func(now any) bool {
				e := &apiDiff{old: d.old, new: d.new, seen: maps.Clone(d.seen)}
				e.schema(at, member(one), member(now), request)
				return len(e.faults) == 0
			}) {
				d.fault(at, "choice %d of %s is gone or is another", i+1, rule)
			}
		}
	}
}

// openMembers returns the schemas of a request that take members which they do not name.
func openMembers(doc, s object, seen map[string]bool) (open []string) {
	s, name := resolve(doc, s)
	if s == nil || name != "" && seen[name] {
		return nil
	}
	seen[name] = true
	if s["properties"] != nil && s["additionalProperties"] != false {
		open = append(open, name)
	}
	for _, one := range member(s, "properties") {
		open = append(open, openMembers(doc, member(one), seen)...)
	}
	return append(open, openMembers(doc, member(s, "items"), seen)...)
}

// bare removes what a program does not depend on. The members of an object of properties are no words of the document.
func bare(v any, properties bool) any {
	switch v := v.(type) {
	case object:
		for name, one := range v {
			if properties {
				v[name] = bare(one, false)
				continue
			}
			if _, text := one.(string); text && (name == "description" || name == "summary" || name == "title") || name == "example" || name == "examples" {
				delete(v, name)
				continue
			}
			v[name] = bare(one, name == "properties")
		}
	case []any:
		for i := range v {
			v[i] = bare(v[i], false)
		}
	}
	return v
}

// A property that is called example is one that programs depend on; an example beside a type is not.
func TestBareKeepsProperties(t *testing.T) {
	schema := object{"example": "x", "properties": object{"example": object{"type": "string", "example": "y"}, "title": object{"type": "string", "title": "Title"}}}
	want := object{"properties": object{"example": object{"type": "string"}, "title": object{"type": "string"}}}
	if got := bare(schema, false); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The API of today answers every program that was written for the API of the last release.
func TestCompatibility(t *testing.T) {
	_, _, s, _ := serve(t)
	document := func() (o object) {
		if err := json.Unmarshal(replyOf(t, s.Handler(), http.MethodGet, "/openapi.json", nil, "", "").Body.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		bare(o, false)
		delete(o, "info")
		return o
	}
	today := document()
	if *keepAPI {
		text, err := json.MarshalIndent(today, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(keptAPI, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(keptAPI)
	if err != nil {
		t.Fatal(err)
	}
	var kept object
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&kept); err != nil {
		t.Fatal(err)
	}
	if n := len(member(kept, "paths")); n < 30 {
		t.Errorf("%d paths are kept", n)
	}
	for _, one := range breaks(kept, today) {
		t.Error(one)
	}

	find := func(doc object, steps ...string) object {
		o := member(doc, steps...)
		if o == nil {
			t.Fatalf("nothing is at %v", steps)
		}
		return o
	}
	cite := func(doc object) object { return find(doc, "paths", "/api/v1/cite", "post") }
	named := func(doc object, name string) object { return find(doc, "components", "schemas", name) }
	properties := func(doc object, name string) object { return find(named(doc, name), "properties") }
	for path, methods := range find(today, "paths") { // a misspelled member of a request is an error
		for method := range member(methods) {
			for _, content := range member(today, "paths", path, method, "requestBody", "content") {
				if open := openMembers(today, member(content, "schema"), map[string]bool{}); len(open) > 0 {
					t.Errorf("%s %s: a request takes any member: %v", method, path, open)
				}
			}
		}
	}
	vectors := []struct {
		name   string
		change func(object)
		want   string // a part of the only fault; "" where the change is one that may be made
	}{
		{"operation removed", func(d object) { delete(find(d, "paths", "/api/v1/cite"), "post") }, "the operation is gone"},
		{"path removed", func(d object) { delete(find(d, "paths"), "/api/v1/bib") }, "the operation is gone"},
		{"status removed", func(d object) { delete(find(cite(d), "responses"), "404") }, "the reply 404 is gone"},
		{"media type removed", func(d object) {
			delete(find(d, "paths", "/api/v1/answers/{id}", "get", "responses", "200", "content"), "application/zip")
		}, "the media type application/zip is gone"},
		{"member of a reply removed", func(d object) { delete(properties(d, "SnapshotList"), "next") }, "the member next is gone"},
		{"member of a reply optional", func(d object) { delete(named(d, "CiteReply"), "required") }, "may be missing"},
		{"reply closed", func(d object) { named(d, "CiteReply")["additionalProperties"] = false }, "a reply has no new members"},
		{"type of a reply narrowed", func(d object) { find(properties(d, "ArtifactList"), "artifacts")["type"] = "array" }, "the type null is gone"},
		{"type of a reply widened", func(d object) { find(properties(d, "CiteReply"), "span")["type"] = []any{"string", "null"} }, "the type is null now"},
		{"value of a reply removed", func(d object) {
			s := find(properties(d, "CiteReply"), "verification_status")
			s["enum"] = s["enum"].([]any)[1:]
		}, "is gone"},
		{"value of a request removed", func(d object) {
			s := find(properties(d, "SourceRequest"), "type")
			s["enum"] = s["enum"].([]any)[1:]
		}, "is gone"},
		{"member of a request removed", func(d object) { delete(properties(d, "CiteRequest"), "session") }, "the member session is gone"},
		{"member of a request required", func(d object) {
			s := named(d, "CiteRequest")
			s["required"] = append(s["required"].([]any), "session")
		}, "the member session is required"},
		{"type of a request narrowed", func(d object) { find(properties(d, "CiteRequest"), "quote")["type"] = "integer" }, "the type string is gone"},
		{"length of a request bounded", func(d object) { find(properties(d, "CiteRequest"), "quote")["maxLength"] = 9.0 }, "maxLength is 9 and was <nil>"},
		{"new required parameter", func(d object) {
			op := find(d, "paths", "/api/v1/search", "get")
			op["parameters"] = append(op["parameters"].([]any), object{"in": "query", "name": "tier", "required": true, "schema": object{"type": "string"}})
		}, "the parameter query tier is required"},
		{"parameter removed", func(d object) {
			op := find(d, "paths", "/api/v1/snapshots", "get")
			op["parameters"] = op["parameters"].([]any)[1:]
		}, "the parameter query before is gone"},
		{"format of a reply changed", func(d object) { find(properties(d, "CiteReply"), "citation_id")["format"] = "int32" }, "format is int32 and was int64"},

		{"operation added", func(d object) { find(d, "paths", "/api/v1/cite")["delete"] = object{"responses": object{}} }, ""},
		{"member of a reply added", func(d object) { properties(d, "CiteReply")["more"] = object{"type": "string"} }, ""},
		{"member of a request added", func(d object) { properties(d, "CiteRequest")["more"] = object{"type": "string"} }, ""},
		{"value added", func(d object) {
			s := find(properties(d, "CiteReply"), "verification_status")
			s["enum"] = append(s["enum"].([]any), "disputed")
		}, ""},
		{"optional parameter added", func(d object) {
			op := find(d, "paths", "/api/v1/search", "get")
			op["parameters"] = append(op["parameters"].([]any), object{"in": "query", "name": "tier", "schema": object{"type": "string"}})
		}, ""},
		{"request takes one type more", func(d object) { find(properties(d, "CiteRequest"), "quote")["type"] = []any{"string", "null"} }, ""},
		{"operation marked", func(d object) { cite(d)["deprecated"] = true }, ""},
		{"schema named otherwise", func(d object) {
			all := find(d, "components", "schemas")
			all["Cited"] = all["CiteReply"]
			find(cite(d), "responses", "200", "content", "application/json")["schema"] = object{"$ref": "#/components/schemas/Cited"}
		}, ""},
	}
	for _, v := range vectors {
		changed := document()
		v.change(changed)
		got := breaks(today, changed)
		if v.want == "" && len(got) > 0 || v.want != "" && (len(got) == 0 || !strings.Contains(strings.Join(got, "\n"), v.want)) {
			t.Errorf("%s: %q, want %q", v.name, got, v.want)
		}
	}
	t.Logf("%d paths are compared, %d vectors", len(member(kept, "paths")), len(vectors))
}
