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
	mill, millPaper, _ := viewed(t, Defaults{Persons: []access.Person{{Name: "Ottilie Sander", State: access.PersonSealed, Not: []string{"Otto Sander", "Ottilie Sanders"}}}})
	others, _, _ := viewed(t, Defaults{Persons: []access.Person{{Name: "Ottilie Sander", State: access.PersonSealed, Not: []string{"Otto Sander"}}}})
	for head, want := range map[string]int{"Dear Miss Sander,": 1, "Sehr geehrtes Fräulein Sander": 1, "Mrs O. Sander": 1, "Frau Sander,": 1, "The mill of Sander": 0, "Dear Otto Sander,": 0, "Herrn Otto Sander": 0} {
		if got := others.Rules.PersonsOf(NewPaper("Otto Sander stopped the mill.", []string{head}, nil)); len(got) != want {
			t.Errorf("a paper with the head %q is of %q", head, got)
		}
	}
	digest := v.Rules.Reduce(NewPaper("Mirjam Koss stopped the mill.", []string{"Ina Roth"}, nil))
	if got := v.Rules.PersonsOf(digest); digest.text != "" || digest.heads != nil || !slices.Equal(got, []string{"Ina Roth"}) {
		t.Errorf("a digest is of %q", got)
	}
	if len(v.Rules.VeilsIn("The schooner Mirjam came in.", digest)) != 1 || len(others.Rules.PersonsOf(digest)) != 1 {
		t.Error("a digest forgets a name, or is read by another policy as if it had no person")
	}
	for open, papers := range map[bool][]string{ // with a head before |
		true: {"|We bathed in the river Sander.", "A walk along the river Sander|We bathed in the river Sander.", "|We sold the valley of the Sander.", "|Sander Lane was paved.",
			"|Ottilie Sanders sold the mill. Sanders wept, and Ottilie too.", "|Sander, Otto: three bills.", "Otto Sander|Otto Sander sold the mill.", "|Ottilie Sanderson sold the mill."},
		false: {"Dear Miss Sander,|We bathed in the river Sander.", "|In Sander the firm has its best worker.", "|Das Dorf an der Sander ist alt.", "|It is the town Sander loved.", "|Meyer, Dorf\nSander.", "|In the village Sander, the doctor, came.", "|They lived in Sander then. Ottilie Sander sang.", "|They lived in Sander then. O. Sander sang.", "|They lived in Sander then, and Frau Sander sang.", "|Ottilie Sanders Brief kam. Ottilie Sander sang.", "|Sander, Ottilie: three bills.", "|Sander, Ottokar: three bills.",
			"|Otto had no trust in Sander.", "|Ich habe Interesse an der Sander.", "|They sat in Sander's garden.", "|They sat in Sander House.", "|They sat in Sander house.", "|Es wird in Sander (1931) gesagt.", "|Sander sang in the village.", "|I see Sander.", "Mrs Sander, Otto|The mill stopped."},
	} {
		for _, one := range papers {
			head, text, _ := strings.Cut(one, "|")
			v := &View{Rules: mill.Rules, Consent: mill.Consent, Paper: func(cid.ID) (*Paper, error) { return NewPaper(text, []string{head}, nil), nil }}
			perm, err := v.Permission(millPaper, text)
			left, failed := v.WithoutNamed(millPaper, []byte(text))
			if got := perm.Display && string(left) == text; got != open || err != nil || failed != nil {
				t.Errorf("%q: %v, %q, %v, %v", one, perm.Display, left, err, failed)
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
