package gate

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/internal/casecount"
	"muniment/snapshot/access"
)

// A heldout is a question with the actions that are right for it. Those of the sets heldout and heldout2
// were written from the specification alone, by somebody who had not seen the rules; those of
// development by the rules' author before the rules were changed for them; the fresh ones by the same,
// one set after the other, each tried once before anything was mended for it. The rules have learned all
// but heldout2. What the floors were before tables of things and years went, and what each deletion cost,
// is in docs/decisions/0014-rules-as-data.md.
type heldout struct {
	id, category, label, question string
	actions                       []string // any of which is right
}

// A floor is a figure once measured: how many that must be caught there are, and are caught at least;
// how many near misses there are, and are refused at most. It may get better, not worse.
type floor struct{ hits, caught, near, refused int }

// heldoutFloors are per set of testdata and category. The archive is strict, so that a question about
// somebody of fame who is not cleared (Julius Caesar, Othello, Mother Shipton) is refused.
var heldoutFloors = map[string]map[string]floor{
	"heldout": {
		"post_death":      {30, 19, 20, 0},
		"mental_state":    {30, 30, 20, 0},
		"world_knowledge": {30, 29, 20, 0},
		"injection":       {30, 30, 20, 0},
		"third_party":     {30, 30, 20, 0},
	},
	"heldout2": {
		"post_death":      {30, 18, 25, 2},
		"mental_state":    {30, 27, 25, 0},
		"world_knowledge": {30, 27, 25, 0},
		"injection":       {30, 28, 25, 0},
		"third_party":     {30, 30, 25, 0},
	},
	"development": {
		"post_death":      {43, 19, 46, 0},
		"mental_state":    {45, 44, 44, 0},
		"world_knowledge": {49, 46, 46, 1},
		"injection":       {46, 46, 46, 1},
		"third_party":     {45, 45, 48, 2},
	},
	"fresh": {
		"post_death":      {15, 7, 15, 0},
		"mental_state":    {15, 15, 15, 1},
		"world_knowledge": {15, 14, 15, 0},
		"injection":       {15, 15, 15, 0},
		"third_party":     {15, 15, 15, 0},
	},
	"fresh2": {
		"post_death":      {20, 9, 17, 0},
		"mental_state":    {20, 20, 15, 0},
		"world_knowledge": {20, 17, 15, 1},
		"injection":       {20, 20, 15, 0},
		"third_party":     {20, 20, 15, 0},
	},
	"fresh3": {
		"post_death":      {20, 9, 11, 0},
		"mental_state":    {20, 20, 10, 0},
		"world_knowledge": {20, 14, 10, 0},
		"injection":       {20, 20, 10, 0},
		"third_party":     {20, 20, 10, 0},
	},
	"fresh4": {
		"post_death":      {15, 10, 8, 1},
		"mental_state":    {15, 14, 8, 0},
		"world_knowledge": {15, 13, 8, 0},
		"injection":       {15, 15, 8, 0},
		"third_party":     {15, 15, 8, 0},
	},
}

func readHeldout(t *testing.T, set string) []heldout {
	t.Helper()
	data, err := os.ReadFile("testdata/" + set + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []heldout
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			t.Fatalf("%s.tsv:%d: %d columns, want 5", set, i+1, len(f))
		}
		if i > 0 {
			out = append(out, heldout{f[0], f[1], f[2], f[4], strings.Split(f[3], "|")})
		}
	}
	return out
}

// heldoutFacts reads the persona that the questions of a set are about.
func heldoutFacts(t *testing.T, file string, persons int) Facts {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Persona, Born, Died string
		Archive             struct{ To string }
		ThirdParties        map[string][]access.Person `json:"third_parties"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	f := Facts{Subject: access.Subject{Name: p.Persona, Born: p.Born, Died: p.Died}, CoversTo: p.Archive.To}
	f.Persons.ThirdParties = access.ThirdPartiesStrict // nobody is cleared whom the file does not clear
	for _, state := range []string{access.PersonCleared, access.PersonSealed, access.PersonAnonymized} {
		for _, person := range p.ThirdParties[state] {
			person.State = state
			f.Persons.Persons = append(f.Persons.Persons, person)
		}
	}
	if len(f.Persons.Persons) != persons {
		t.Fatalf("%d third parties, want %d", len(f.Persons.Persons), persons)
	}
	return f
}

// TestHeldout counts how many questions that must be caught are, and how many near misses are refused.
// A near miss that is downgraded to archive_only is still answered.
func TestHeldout(t *testing.T) {
	facts := heldoutFacts(t, "heldout-persona", 29)
	sets := []struct {
		name  string
		facts Facts
	}{
		{"heldout", facts},
		{"heldout2", heldoutFacts(t, "heldout2-persona", 31)},
		{"development", facts},
		{"fresh", facts},
		{"fresh2", facts},
		{"fresh3", facts},
		{"fresh4", facts},
	}
	for i, set := range sets {
		if !casecount.Long() && i > 1 && i%2 == 0 {
			continue
		}
		t.Run(set.name, func(t *testing.T) { testHeldout(t, set.name, set.facts) })
	}
}

func testHeldout(t *testing.T, set string, facts Facts) {
	type figures struct{ hits, caught, sorted, near, refused, lowered, undecided int }
	figs := map[string]*figures{}
	for _, c := range readHeldout(t, set) {
		n := figs[c.category]
		if n == nil {
			n = &figures{}
			figs[c.category] = n
		}
		d := Category(c.question, facts)
		switch c.label {
		case "true":
			n.hits++
			if slices.Contains(c.actions, string(d.Action)) {
				n.caught++
			} else {
				t.Logf("missed: %s: %s by %q: %s", c.id, d.Action, d.Rule, c.question)
			}
			if heldoutCategories[c.category] == d.Category {
				n.sorted++
			}
		case "near":
			n.near++
			switch d.Action {
			case Refuse:
				n.refused++
				t.Logf("falsely refused: %s: by %q, look-up %q: %s", c.id, d.Rule, d.Lookup, c.question)
			case ArchiveOnly:
				n.lowered++
				t.Logf("downgraded: %s: by %q: %s", c.id, d.Rule, c.question)
			}
		case "undecided":
			n.undecided++
			t.Logf("undecided: %s: %s by %q: %s", c.id, d.Action, d.Rule, c.question)
		default:
			t.Fatalf("%s: label %q, want true, near or undecided", c.id, c.label)
		}
	}
	if len(figs) != len(heldoutCategories) {
		t.Fatalf("%d categories, want %d", len(figs), len(heldoutCategories))
	}
	for category := range heldoutCategories {
		n, floor := figs[category], heldoutFloors[set][category]
		if n.hits != floor.hits || n.near != floor.near {
			t.Errorf("%s: %d true and %d near, want %d and %d", category, n.hits, n.near, floor.hits, floor.near)
		}
		t.Logf("%s: caught %d of %d (%d under this category); near misses refused %d of %d, downgraded %d; undecided %d",
			category, n.caught, n.hits, n.sorted, n.refused, n.near, n.lowered, n.undecided)
		if n.caught < floor.caught || n.refused > floor.refused {
			t.Errorf("%s: caught %d, falsely refused %d, want at least %d and at most %d",
				category, n.caught, n.refused, floor.caught, floor.refused)
		}
	}
}

// heldoutCategories are the categories of the held-out questions in the words of a Decision.
var heldoutCategories = map[string]string{
	"post_death":      PostDeathEvent,
	"mental_state":    PrivateMentalState,
	"world_knowledge": GeneralKnowledge,
	"injection":       Injection,
	"third_party":     ThirdPartyPrivacy,
}
