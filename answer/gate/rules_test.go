package gate

import (
	"slices"
	"strings"
	"testing"

	"muniment/text/pattern"
)

// ruleCounts are how many rules each file holds.
var ruleCounts = map[string]int{
	"definitions": 0,
	"dates":       14,
	"doubt":       6,
	"general":     97,
	"injection":   150,
	"later":       36,
	"mental":      114,
	"names":       13,
	"signs":       55,
}

// TestRules: every file of rules is read without an error; every rule fires on
// its own example and not on its counter-example.
func TestRules(t *testing.T) {
	entries, err := ruleFiles.ReadDir("rules")
	if err != nil || len(entries) != len(ruleCounts)+1 {
		t.Fatalf("%d files of rules (%v), want %d", len(entries), err, len(ruleCounts)+1)
	}
	_, definitions, err := pattern.Read(definitionsFile, ruleText(definitionsFile), nil)
	if err != nil {
		t.Fatal(err)
	}
	groups := []string{
		"injection", "general_knowledge", "general_knowledge/untied", "general_knowledge/present", "post_death_event", "post_death_event/alive", "post_death_event/supposed", "date", "place", "affairs", "date/lead", "date/tail", "date/between",
		"older kind", "private_mental_state", "private_mental_state/unreported", "reported", "doubt", "sign",
	}
	total := 0
	for name, want := range ruleCounts {
		file := "rules/" + name + ".txt"
		shared := definitions
		if file == definitionsFile {
			shared = nil
		}
		table, _, err := pattern.Read(file, ruleText(file), shared)
		if err != nil {
			t.Error(err)
		}
		ran := 0
		for group, rules := range table {
			if !slices.Contains(groups, group) {
				t.Errorf("%s: nothing asks for the group %q", file, group)
			}
			for _, r := range rules {
				ran++
				if r.Except != nil {
					r.Except.Regexp() // panics where it does not compile
				}
				if !firesOn(r, group, r.Fires) {
					t.Errorf("%s:%d: %s %q does not fire on %q", file, r.Line, group, r.Name, r.Fires)
				}
				if firesOn(r, group, r.Rests) {
					t.Errorf("%s:%d: %s %q fires on %q", file, r.Line, group, r.Name, r.Rests)
				}
			}
		}
		if ran != want {
			t.Errorf("%s: %d rules ran, want %d", file, ran, want)
		}
		total += ran
	}
	t.Logf("%d rules", total)
}

// firesOn reports whether a rule fires on a question in one of the forms in
// which its group looks at it.
func firesOn(r pattern.Rule, group, question string) bool {
	q := read(question, archives["pepys"])
	forms := q.forms(group)
	if group == "sign" {
		forms = []string{q.used, q.request, q.folded}
	}
	return slices.ContainsFunc(forms, r.Matches)
}

// TestWordLists: the words of the gates are read without an error, and every
// list is asked for.
func TestWordLists(t *testing.T) {
	if wordListsError != nil {
		t.Fatal(wordListsError)
	}
	if want := 29; len(wordLists) != want {
		t.Errorf("%d lists, want %d", len(wordLists), want)
	}
	for name, words := range wordLists {
		for _, w := range words {
			if w != strings.ToLower(w) {
				t.Errorf("[%s]: %q is not in lower case", name, w)
			}
		}
	}
}
