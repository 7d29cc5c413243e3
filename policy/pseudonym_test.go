package policy

import (
	"strings"
	"testing"

	"muniment/snapshot/record"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// veiling has persons of every state around Ada Fenwick.
func veiling(t testing.TB) *Policy {
	t.Helper()
	files, err := DefaultFiles(Defaults{Subject: record.Subject{Name: "Ada Fenwick", Aliases: []string{"Ada"}}, Persons: []record.Person{
		{Name: "Ines Roth", Aliases: []string{"the lantern woman", "Nessie"}, State: record.PersonAnonymized},
		{Name: "Tobias Lunt", State: record.PersonCleared},
		{Name: "Mary Ann O'Hara", State: record.PersonAnonymized},
		{Name: "Karl Roth", State: record.PersonSealed},
		{Name: "Tom Fenwick", State: record.PersonAnonymized},
		{Name: "Rose", State: record.PersonAnonymized},
		{Name: "Ines Lunt", State: record.PersonCleared},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestVeiled(t *testing.T) {
	p := veiling(t)
	tried := 0
	for text, want := range map[string]string{
		"":                                 "",
		"Ines Roth told me.":               "[Person A] told me.",
		"INES ROTH, ines roth":             "[Person A], [Person A]",
		"Ines\n Roth told me.":             "[Person A] told me.",
		"Ines Roth's lamp, Ines Roth’s":    "[Person A]'s lamp, [Person A]’s",
		"Ines told me.":                    "[Person A] told me.",
		"Miss Ines told me.":               "[Person A] told me.",
		"ask the lantern woman":            "ask [Person A]",
		"Nessie and Nessie's son":          "[Person A] and [Person A]'s son",
		"I. Roth wrote; I Roth wrote":      "[Person A] wrote; [Person A] wrote",
		"I. R. wrote, and I.R. signed":     "[Person A] wrote, and [Person A] signed",
		"Mrs. R. came":                     "[Person A or Person D] came",
		"Mrs. R— came, Mrs R-- came":       "[Person A or Person D] came, [Person A or Person D] came",
		"Ines R. came":                     "[Person A] came",
		"Mrs. Roth came":                   "[Person A or Person D] came",
		"Roth came":                        "[Person A or Person D] came",
		"Roths Haus":                       "[Person A or Person D]s Haus",
		"Karl Roth":                        "[Person D]",
		"M. A. O’Hara and M. O'Hara":       "[Person C] and [Person C]",
		"Mary O'Hara":                      "[Person C]",
		"M. A. O. came":                    "[Person C] came",
		"Tobias Lunt and Ines Lunt met":    "Tobias Lunt and Ines Lunt met",
		"Ada Fenwick and Fenwick":          "Ada Fenwick and Fenwick",
		"Tom and Tom Fenwick, T. Fenwick":  "[Person E] and [Person E], [Person E]",
		"Mr. Fenwick came":                 "[Person E] came",
		"Rose rose; a rose":                "[Person F] rose; a rose",
		"Rothenburg, Rosemary, Inesita":    "Rothenburg, Rosemary, Inesita",
		"I read it. I rose. I regret. I R": "I read it. I rose. I regret. I R",
		"It is I. Ready?":                  "It is I. Ready?",
		"Ines Roth, Ines Roth":             "[Person A], [Person A]",
	} {
		if got := p.Veiled(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		tried++
	}
	if tried < 29 {
		t.Errorf("%d texts tried", tried)
	}
}

func TestVeils(t *testing.T) {
	got := veiling(t).Veils("Karl Roth and Ines")
	want := []Veil{{0, 9, "Person D", []string{"Karl Roth"}, true}, {14, 18, "Person A", []string{"Ines Roth"}, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	nobody := load(t, Defaults{Persons: []record.Person{{Name: "Ines Roth", State: record.PersonCleared}}}, nil)
	if got := nobody.Veils("Ines Roth"); got != nil {
		t.Errorf("a cleared person is veiled: %+v", got)
	}
	for n, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 702: "AAA"} {
		if got := letters(n); got != want {
			t.Errorf("letter %d is %s, want %s", n, got, want)
		}
	}
}

// Pseudonyms stay when a person's state changes and when others are added.
func TestPseudonymsAreStable(t *testing.T) {
	list := []record.Person{{Name: "Ann Ash", State: record.PersonAnonymized}, {Name: "Bea Birch", State: record.PersonAnonymized}}
	before := load(t, Defaults{Persons: list}, nil).Veiled("Bea Birch")
	list = []record.Person{{Name: "Ann Ash", State: record.PersonCleared}, {Name: "Bea Birch", State: record.PersonAnonymized}, {Name: "Cy", State: record.PersonSealed}}
	if after := load(t, Defaults{Persons: list}, nil).Veiled("Bea Birch"); before != "[Person B]" || after != before {
		t.Errorf("%s, then %s", before, after)
	}
}

// Wherever a name is planted, no part of it is left, and everything else is.
func TestVeilsHoldNames(t *testing.T) {
	p := veiling(t)
	plain := rapid.StringMatching(`([a-z]{1,8}[,.;:!?]? ){0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Ines Roth", "Ines", "Roth", "I. Roth", "Mrs. Roth", "Nessie", "the lantern woman", "Mary Ann O'Hara", "O’Hara", "Mr. Fenwick", "Karl"}).Draw(t, "name")
		tail := rapid.SampledFrom([]string{"", "'s", "’s", ".", ",", ")", "\n", "—"}).Draw(t, "tail")
		before, after := plain.Draw(t, "before"), plain.Draw(t, "after")
		got := p.Veiled(before + name + tail + " " + after)
		for _, part := range []string{"Ines", "Roth", "Nessie", "lantern", "Hara", "Fenwick", "Karl"} {
			if strings.Contains(got, part) {
				t.Fatalf("%q leaves %q", got, part)
			}
		}
		if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, " "+after) {
			t.Fatalf("%q lost %q or %q", got, before, after)
		}
	})
}
