package member

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The forms are those of the specification, which gives them as expressions.
func TestForms(t *testing.T) {
	forms := []struct {
		name string
		is   func(string) bool
		want *regexp.Regexp
	}{
		{"media type", isMediaType, regexp.MustCompile(`^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$`)},
		{"form", isForm, regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}@[1-9][0-9]{0,5}$`)},
		{"digest", func(s string) bool { return Digest("it", s) == nil }, regexp.MustCompile(`^[0-9a-f]{64}$`)},
	}
	fixed := []string{"", "/", "@", "a/b", "a@1", "a@0", "a@01", "a@1234567", "text/plain", "text/x\n", "\ntext/x", "a/b/c", "A/b", "a@1@2", "é/x",
		strings.Repeat("a", 127) + "/b", strings.Repeat("a", 128) + "/b", strings.Repeat("a", 63) + "@1", strings.Repeat("a", 64) + "@1",
		strings.Repeat("0f", 32), strings.Repeat("0F", 32), strings.Repeat("0f", 31)}
	for _, f := range forms {
		agree := func(t interface{ Fatalf(string, ...any) }, s string) {
			if got, want := f.is(s), f.want.MatchString(s); got != want {
				t.Fatalf("%s %q: %v, want %v", f.name, s, got, want)
			}
		}
		for _, s := range fixed {
			agree(t, s)
		}
		rapid.Check(t, func(t *rapid.T) {
			agree(t, rapid.StringMatching(`[a-z0-9A/@.+ -]{0,9}[/@]?[a-z0-9!#/@-]{0,9}`).Draw(t, "s"))
		})
	}
}
