package segment

import (
	"slices"
	"strings"
	"testing"
)

// TestLists: the embedded files are read without an error, every section is
// one that the code knows, and no abbreviation of a language has two classes.
func TestLists(t *testing.T) {
	if wordListsError != nil || languageListsError != nil {
		t.Fatal(wordListsError, languageListsError)
	}
	if len(wordLists) != 17 {
		t.Errorf("%d lists of words, want 17", len(wordLists))
	}
	fields, abbreviations := 0, map[string]string{}
	for section, words := range languageLists {
		tag, field, _ := strings.Cut(section, " ")
		fields++
		if _, ok := classNames[field]; !ok {
			if !slices.Contains([]string{"starters", "months", "leaders", "street", "stop", "frequent", "particles"}, field) {
				t.Errorf("section %q: unknown field", section)
			}
			continue
		}
		for _, w := range words {
			if other := abbreviations[tag+" "+w]; other != "" {
				t.Errorf("%s: %q is in %s and %s", tag, w, other, field)
			}
			abbreviations[tag+" "+w] = field
		}
	}
	if fields != 108 || len(abbreviations) < 600 {
		t.Errorf("%d sections with %d abbreviations", fields, len(abbreviations))
	}
}

func TestReadListsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"word\n":             "x:1: words before the first section",
		"[a]\n[b]\nc\n":      "x:1: section \"a\" has no words",
		"[a]\nb\n[a]\nc":     "x:3: section \"a\" is there twice",
		"[a]\nb c\n\nd b\n":  "x:4: \"b\" is twice in section \"a\"",
		"[a\nb\n":            "x:1: heading \"[a\", want [name]",
		"# only\n[]\nb\n":    "x:2: heading \"[]\", want [name]",
		"[a]\nb\n# c\n[d]\n": "x:4: section \"d\" has no words",
	} {
		if _, err := ReadLists("x", text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	lists, err := ReadLists("x", "# heading\n[a b]\nc d_e\nf\n")
	if err != nil || !slices.Equal(lists["a b"], []string{"c", "d e", "f"}) || !lists.Set("a b")["d e"] || len(lists.Set("z")) != 0 {
		t.Errorf("%v, %v", lists, err)
	}
}
