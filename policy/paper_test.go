package policy

import (
	"slices"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/snapshot/access"
)

// TestPersonsOf decides from head, labels and text whose a paper is, and whose a given name alone.
func TestPersonsOf(t *testing.T) {
	v, open, _ := viewed(t, Defaults{Subject: access.Subject{Name: "Ada Vale"}, Persons: []access.Person{{Name: "Mirjam Koss", Aliases: []string{"Mimi"}, State: access.PersonSealed}, {Name: "Tom Lunt", State: access.PersonCleared}, {Name: "Ina Roth", State: access.PersonAnonymized}}})
	for _, c := range []struct {
		text          string
		heads, labels []string
		want          []string
		given         bool // whether "Mirjam" in it is hers
	}{
		{"The mill stopped.", []string{"Yours ever", "Mirjam Koss"}, nil, []string{"Mirjam Koss"}, true},
		{"The mill stopped.", []string{"M. Koss"}, nil, []string{"Mirjam Koss"}, true},
		{"The mill stopped.", []string{"Dear Mimi,"}, nil, []string{"Mirjam Koss"}, true},
		{"The mill stopped.", []string{"Dear Mirjam,"}, nil, nil, false},
		{"The mill of the Kosses stopped.", []string{"Dear Mirjam,"}, nil, []string{"Mirjam Koss"}, true},
		{"The mill stopped.", []string{"Dear Mirjam,"}, []string{"box/koss/1.txt"}, []string{"Mirjam Koss"}, true},
		{"The mill stopped.", nil, []string{"mirjamkoss.txt"}, []string{"Mirjam Koss"}, true},
		{"The mill stopped.", nil, []string{"koss-affair"}, []string{"Mirjam Koss"}, true},
		{"Tom Koss stopped the mill.", nil, []string{"tom-koss.txt", "mirjam.txt"}, nil, false},
		{"Mirjam Koss stopped the mill.", []string{"Dear Ada,", "Tom Lunt"}, []string{"mill.txt"}, nil, true},
		{"The mill stopped.", []string{"Ina Roth", "Mrs. Koss"}, nil, []string{"Mirjam Koss", "Ina Roth"}, true},
		{"The mill stopped.", []string{"M. K. Ross"}, nil, nil, false},
	} {
		paper := NewPaper(c.text, c.heads, c.labels)
		if got := v.Rules.PersonsOf(paper); !slices.Equal(got, c.want) {
			t.Errorf("%q with %q and %q is of %q, want %q", c.text, c.heads, c.labels, got, c.want)
		}
		v := &View{Rules: v.Rules, Consent: v.Consent, Paper: func(cid.ID) (*Paper, error) { return paper, nil }}
		for words, want := range map[string]bool{"": !slices.Contains(c.want, "Mirjam Koss"), "The mill stopped.": !slices.Contains(c.want, "Mirjam Koss"), "The schooner Mirjam came in.": !c.given} {
			if got, err := v.Permission(open, words); err != nil || got.Display != want || got.Surface != want || !got.Existence || got.Sealed == want {
				t.Errorf("%q of %q with %q and %q: %+v, %v", words, c.text, c.heads, c.labels, got, err)
			}
		}
	}
	unread := NewPaper("The mill stopped.", nil, nil)
	if unread.Unread = true; !slices.Equal(v.Rules.PersonsOf(unread), []string{"Mirjam Koss", "Ina Roth"}) {
		t.Errorf("a paper of which not all could be read is of %q", v.Rules.PersonsOf(unread))
	}
	for _, query := range []string{"Ina", "Roth", "Mirjam"} {
		if got := v.WithoutNames("who is " + query); strings.Contains(got, query) {
			t.Errorf("a search looks for %q", got)
		}
	}
	if len(v.Rules.VeilsIn("The schooner Mirjam came in.", nil)) != 1 || v.Rules.PersonsOf(nil) != nil {
		t.Error("of a paper that is not known")
	}
}
