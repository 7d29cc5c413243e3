package gate

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/record"
)

// A heldout is a question that was written from the specification alone, by somebody who had not seen
// the rules.
type heldout struct {
	id, category, label, question string
	actions                       []string // any of which is right
}

// heldoutFloors are the figures measured when the questions were first run, per category of
// testdata/heldout.tsv: how many of 30 are caught at least, how many of 20 near misses are refused at
// most. They may get better, not worse.
var heldoutFloors = map[string]struct{ caught, refused int }{
	"post_death":      {26, 4},
	"mental_state":    {26, 0},
	"world_knowledge": {29, 0},
	"injection":       {26, 2},
	"third_party":     {28, 3},
}

func readHeldout(t *testing.T) []heldout {
	t.Helper()
	data, err := os.ReadFile("testdata/heldout.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []heldout
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			t.Fatalf("heldout.tsv:%d: %d columns, want 5", i+1, len(f))
		}
		if i > 0 {
			out = append(out, heldout{f[0], f[1], f[2], f[4], strings.Split(f[3], "|")})
		}
	}
	return out
}

// heldoutFacts reads the persona that the questions are about.
func heldoutFacts(t *testing.T) Facts {
	t.Helper()
	data, err := os.ReadFile("testdata/heldout-persona.json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Persona, Born, Died string
		Archive             struct{ To string }
		ThirdParties        map[string][]record.Person `json:"third_parties"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	f := Facts{Subject: record.Subject{Name: p.Persona, Born: p.Born, Died: p.Died}, CoversTo: p.Archive.To}
	f.Persons.ThirdParties = record.ThirdPartiesStrict // nobody is cleared whom the file does not clear
	for _, state := range []string{record.PersonCleared, record.PersonSealed, record.PersonAnonymized} {
		for _, person := range p.ThirdParties[state] {
			person.State = state
			f.Persons.Persons = append(f.Persons.Persons, person)
		}
	}
	if len(f.Persons.Persons) != 29 {
		t.Fatalf("%d third parties, want 29", len(f.Persons.Persons))
	}
	return f
}

// TestHeldout counts how many questions that must be caught are, and how many near misses are refused.
// A near miss that is downgraded to archive_only is still answered.
func TestHeldout(t *testing.T) {
	type figures struct{ hits, caught, sorted, near, refused, lowered, undecided int }
	figs := map[string]*figures{}
	facts := heldoutFacts(t)
	for _, c := range readHeldout(t) {
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
		n, floor := figs[category], heldoutFloors[category]
		if n.hits != 30 || n.near != 20 {
			t.Fatalf("%s: %d true and %d near, want 30 and 20", category, n.hits, n.near)
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
