package server

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// described returns the description of a server's calls before members.txt is read.
func described(t *testing.T) *huma.OpenAPI {
	t.Helper()
	_, _, s, _ := serve(t)
	return s.addAll(humago.New(http.NewServeMux(), s.apiConfig()))
}

// Every member and parameter has a description, every line of members.txt is the description of one, and no line of a
// schema repeats the line of the name alone.
func TestMembersDescribed(t *testing.T) {
	missing, used := describe(described(t))
	slices.Sort(missing)
	for _, name := range slices.Compact(missing) {
		t.Errorf("%s has no description", name)
	}
	lines := readMembers()
	if n := strings.Count(memberLines, "\n"); n != len(lines) {
		t.Errorf("members.txt has %d lines, of %d names", n, len(lines))
	}
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		if !used[key] {
			t.Errorf("members.txt: %s is no member without a description", key)
		}
		if _, name, ok := strings.Cut(key, "."); ok && lines[name] == lines[key] {
			t.Errorf("members.txt: %s repeats the line of %s", key, name)
		}
	}
}

// A member that no line describes is reported, and one with a description of its own keeps it.
func TestMembersMissing(t *testing.T) {
	o := described(t)
	schema := o.Components.Schemas.Map()["Status"]
	schema.Properties["unheard_of"] = &huma.Schema{Type: huma.TypeString}
	schema.Properties["role"].Description = "as it was"
	if missing, _ := describe(o); !slices.Equal(missing, []string{"Status.unheard_of"}) {
		t.Errorf("missing: %v", missing)
	}
	if got := schema.Properties["role"].Description; got != "as it was" {
		t.Errorf("role: %q", got)
	}
}
