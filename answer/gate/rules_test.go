package gate

import (
	"slices"
	"strings"
	"testing"
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
	"names":       10,
	"signs":       70,
}

// TestRules: every file of rules is read without an error; every rule fires on
// its own example and not on its counter-example.
func TestRules(t *testing.T) {
	entries, err := ruleFiles.ReadDir("rules")
	if err != nil || len(entries) != len(ruleCounts)+1 {
		t.Fatalf("%d files of rules (%v), want %d", len(entries), err, len(ruleCounts)+1)
	}
	_, definitions, err := readRules(definitionsFile, ruleText(definitionsFile), nil)
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
		table, _, err := readRules(file, ruleText(file), shared)
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
				if r.except != nil {
					r.except.regexp() // panics where it does not compile
				}
				if !firesOn(r, group, r.fires) {
					t.Errorf("%s:%d: %s %q does not fire on %q", file, r.line, group, r.name, r.fires)
				}
				if firesOn(r, group, r.rests) {
					t.Errorf("%s:%d: %s %q fires on %q", file, r.line, group, r.name, r.rests)
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
func firesOn(r rule, group, question string) bool {
	q := read(question, archives["pepys"])
	forms := q.forms(group)
	if group == "sign" {
		forms = []string{q.used, q.request, q.folded}
	}
	return slices.ContainsFunc(forms, r.matches)
}

// TestReadRulesRefuses states what a bad line is called.
func TestReadRulesRefuses(t *testing.T) {
	shared := map[string]string{"SUBJ": "(?:he|she)"}
	const good = "define\tHIS\this|her\n# comment\n\ngroup\tname\t\\b{HIS} {SUBJ}\\b\t-\this he\tthe dog\n"
	table, _, err := readRules("x", good, shared)
	if err != nil || len(table["group"]) != 1 || !table["group"][0].matches("her she") || table["group"][0].line != 4 {
		t.Fatalf("%+v, %v", table, err)
	}
	for text, want := range map[string]string{
		"group\tname\ta\t-\tb":             "x:1: 5 fields, want 6",
		"group\tname\ta\t-\tb\tc\td":       "x:1: 7 fields, want 6",
		"group\tname\t{HER}\t-\tb\tc":      "x:1: HER is not defined",
		"group\tname\ta\t-\t\tc":           "x:1: an empty field, or one with blanks around it",
		"group\t name\ta\t-\tb\tc":         "x:1: an empty field, or one with blanks around it",
		"define\tSUBJ\ta":                  "x:1: SUBJ is defined twice",
		"define\this\ta":                   "x:1: a definition has a name in capitals and a pattern",
		"define\tHIS\ta\ng\tn\ta\t-\tb\tc": "x: nothing uses HIS",
	} {
		if _, _, err := readRules("x", text, shared); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// TestWordLists: the words of the gates are read without an error, and every
// list is asked for.
func TestWordLists(t *testing.T) {
	if wordListsError != nil {
		t.Fatal(wordListsError)
	}
	if want := 32; len(wordLists) != want {
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
