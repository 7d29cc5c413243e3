package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/snapshot/access"
)

var people = access.Persons{ThirdParties: access.ThirdPartiesListed, Persons: []access.Person{
	{Name: "Mary Smith", Aliases: []string{"Mary"}, State: access.PersonSealed},
	{Name: "Mary Ann Smith", State: access.PersonCleared},
	{Name: "Rose", State: access.PersonSealed},
	{Name: "Will O'Brien", Aliases: []string{"my neighbour"}, State: access.PersonAnonymized},
	{Name: "Élise Müller", State: access.PersonSealed},
	{Name: "May", State: access.PersonSealed},
	{Name: "李明", State: access.PersonSealed},
}}

func TestMentions(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                  nil,
		"Mary came.":                        {"Mary Smith"},
		"Mary Smith came.":                  {"Mary Smith"},
		"mary smith came.":                  {"Mary Smith"},
		"MARY SMITH CAME":                   {"Mary Smith"},
		"Mary\n  Smith came.":               {"Mary Smith"},
		"Mary's hat":                        {"Mary Smith"},
		"Mary’s hat":                        {"Mary Smith"},
		"(Mary)":                            {"Mary Smith"},
		"Mary, Rose":                        {"Mary Smith", "Rose"},
		"Rose and Mary":                     {"Mary Smith", "Rose"},
		"Mary Ann Smith came.":              {"Mary Ann Smith"},
		"Mary Ann Smith and Mary":           {"Mary Smith", "Mary Ann Smith"},
		"mary came":                         nil,
		"Maryland":                          nil,
		"Rosemary":                          nil,
		"Mary-Ann":                          nil,
		"Mary-led":                          {"Mary Smith"},
		"he rose early":                     nil,
		"ROSE came":                         {"Rose"},
		"it may be so":                      nil,
		"Will O’Brien's cart":               {"Will O'Brien"},
		"as my neighbour said":              {"Will O'Brien"},
		"My Neighbour said":                 {"Will O'Brien"},
		"Will came":                         nil,
		"élise müller":                      {"Élise Müller"},
		"Élise Müllers Haus":                {"Élise Müller"},
		"李明 来了":                             {"李明"},
		"Mr. Hewer and Mary Smith":          {"Mary Smith"},
		"d'Mary":                            nil,
		"Mary Smith. Mary Smith. MarySmith": {"Mary Smith"},
	} {
		if diff := cmp.Diff(want, MentionsOf(text, people, access.Subject{})); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
}

func TestMentionsStrict(t *testing.T) {
	strict := people
	strict.ThirdParties = access.ThirdPartiesStrict
	subject := access.Subject{Name: "Samuel Pepys"}
	for text, want := range map[string][]string{
		"Mr. Hewer came.":               {"Hewer"},
		"Sir William Penn's house":      {"William Penn"},
		"Mrs. Smith came.":              {"Mary Smith"},
		"Ruth Fenwick's boat was sold.": {"Ruth Fenwick"},
		"Yesterday Mary Ann Smith came": {"Mary Ann Smith"},
		"He lived in Drury Lane.":       nil,
		"my brother Zebulon wept":       {"Zebulon"},
		"Mr. Pepys came.":               nil,
		"Samuel Pepys and Capt. Cocke":  {"Cocke"},
		"the captain came":              nil,
		"Mr. Hewer met Mary, Mr. Hewer": {"Mary Smith", "Hewer"},
	} {
		if diff := cmp.Diff(want, MentionsOf(text, strict, subject)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
	for name, want := range map[string]string{
		"Hewer": access.PersonSealed, "Mary Ann Smith": access.PersonCleared,
		"Mary": access.PersonSealed, "Will O'Brien": access.PersonSealed,
	} {
		if got := Protection(name, strict); got != want {
			t.Errorf("%s is %s under strict, want %s", name, got, want)
		}
	}
	if got := Protection("Hewer", people); got != access.PersonCleared {
		t.Errorf("an unlisted person is %s, want cleared", got)
	}
}

func TestSubjectIsNobodyElse(t *testing.T) {
	subject, ada := access.Subject{Name: "Ada Vale"}, access.Persons{ThirdParties: access.ThirdPartiesListed, Persons: []access.Person{{Name: "Ada", State: access.PersonSealed}}}
	if got := MentionsOf("Ada Vale wrote.", ada, subject); got != nil {
		t.Errorf("the subject is taken for %q", got)
	}
	if got := MentionsOf("Ada Vale wrote to Ada.", ada, subject); !cmp.Equal(got, []string{"Ada"}) {
		t.Errorf("found %q", got)
	}
}

// TestMentionsAreFound plants a name between words and finds it.
func TestMentionsAreFound(t *testing.T) {
	names := map[string]string{"Mary Smith": "Mary Smith", "Mary": "Mary Smith", "Rose": "Rose", "Élise Müller": "Élise Müller", "my neighbour": "Will O'Brien"}
	plain := rapid.StringMatching(`([a-z]{1,8}[,.;:!?]? ){0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Mary Smith", "Mary", "Rose", "Élise Müller", "my neighbour"}).Draw(t, "name")
		tail := rapid.SampledFrom([]string{"", "'s", "’s", ".", ",", ")", "\n", " "}).Draw(t, "tail")
		text := plain.Draw(t, "before") + name + tail + " " + plain.Draw(t, "after")
		got := MentionsOf(text, people, access.Subject{})
		found := false
		for _, g := range got {
			found = found || g == names[name]
		}
		if !found {
			t.Fatalf("%q: %q, want %q", text, got, names[name])
		}
	})
}
