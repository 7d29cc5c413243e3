package policy

import (
	"errors"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/record"
)

// viewed returns a View of a policy over two papers: open, and one that is hidden.
func viewed(t *testing.T, o Defaults) (v *View, open, hidden cid.ID) {
	t.Helper()
	files, err := DefaultFiles(o)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	open, hidden = cid.Of([]byte("open")), cid.Of([]byte("hidden"))
	return &View{Rules: rules, Consent: func(id cid.ID) (*access.Consent, error) {
		if id == hidden {
			return &access.Consent{Artifact: id.String(), Inclusion: true, Surfacing: true}, nil
		}
		return nil, nil
	}}, open, hidden
}

// What a View withholds is nowhere in a record: the paper itself, its parts, what it was made
// from, and the names of persons.
func TestViewDescribe(t *testing.T) {
	v, open, hidden := viewed(t, Defaults{Persons: []access.Person{{Name: "Ivy Brigg", State: access.PersonSealed}, {Name: "Tom Vane", State: access.PersonAnonymized}}})
	rec := &record.Record{Artifact: open.String(), Names: []string{"a.txt", "Ivy Brigg.txt"}, Parts: []record.Part{{Artifact: hidden.String(), Name: "secret"}, {Artifact: open.String(), Name: "brochure"}},
		Source: &record.Source{Title: "To Tom Vane", Description: "Of Ivy Brigg's health", Tags: []string{"mill", "Ivy Brigg"}},
		Facts:  map[string]string{"part_of": hidden.String(), "derived_from": hidden.String() + " " + open.String(), "other_note": "of Ivy Brigg"}}
	got, err := v.Describe(rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Names) != 1 || len(got.Parts) != 1 || got.Parts[0].Name != "brochure" || got.Source.Title != "To [Person B]" || got.Source.Description != "" ||
		len(got.Source.Tags) != 1 || len(got.Facts) != 1 || got.Facts["derived_from"] != open.String() {
		t.Errorf("%+v %+v", got, got.Source)
	}
	if rec.Source.Title != "To Tom Vane" || len(rec.Names) != 2 || rec.Facts["part_of"] == "" {
		t.Errorf("the record itself was changed: %+v", rec)
	}
	if got, err := v.Describe(&record.Record{Artifact: hidden.String()}); got != nil || err != nil {
		t.Errorf("a hidden paper: %+v, %v", got, err)
	}
	if got, err := HolderView().Describe(rec); got != rec || err != nil {
		t.Errorf("everything: %+v, %v", got, err)
	}
}

func TestViewShow(t *testing.T) {
	v, open, hidden := viewed(t, Defaults{Reading: access.ReadingExcerpts, Tiers: []access.Tier{{Name: "public", Excerpt: 20}}, Persons: []access.Person{{Name: "Ivy Brigg", State: access.PersonSealed}, {Name: "Tom Vane", State: access.PersonAnonymized}}})
	for _, c := range []struct {
		id    cid.ID
		words string
		want  Shown
	}{
		{open, "It snowed.", Shown{Text: "It snowed.", Whole: true}},
		{open, "Es schneite überall so sehr.", Shown{"Es schneite überall", false, "longer than the tier may read in one piece"}},
		{open, "It snowed on Tom Vane.", Shown{"It snowed on [Person", false, "a person is anonymized"}},
		{open, "Ivy Brigg.", Shown{Reason: "surface: a protected person is mentioned; surface: Cedar policy persons-sealed"}},
		{hidden, "It snowed.", Shown{Reason: "existence: consent withholds existence"}},
	} {
		got, err := v.Show(c.id, c.words)
		if err != nil || got.Text != c.want.Text || got.Whole != c.want.Whole || !strings.HasPrefix(got.Reason, c.want.Reason) {
			t.Errorf("%q: %+v, %v; want %+v", c.words, got, err, c.want)
		}
	}
}

// A View that nobody filled in shows nothing, and one that is narrowed nothing more.
func TestViewLimits(t *testing.T) {
	_, open, _ := viewed(t, Defaults{})
	for name, v := range map[string]*View{"nil": nil, "zero": {}} {
		if known, err := v.Knows(open); known || err != nil {
			t.Errorf("%s: %v, %v", name, known, err)
		}
		if rec, err := v.Describe(&record.Record{}); rec != nil || err != nil || v.Word("a") != "" || v.SeesAll() {
			t.Errorf("%s describes: %+v, %v", name, rec, err)
		}
	}
	v, _, _ := viewed(t, Defaults{})
	v.Narrow = func(cid.ID, string, bool) (Permission, error) { return Permission{Existence: true}, nil }
	if perm, err := v.Permission(open, ""); err != nil || !perm.Existence || perm.Surface || perm.Excerpt != 0 {
		t.Errorf("narrowed: %+v, %v", perm, err)
	}
	broken := errors.New("broken")
	v.Consent = func(cid.ID) (*access.Consent, error) { return nil, broken }
	if _, err := v.Describe(&record.Record{Artifact: open.String()}); !errors.Is(err, broken) {
		t.Errorf("an error is lost: %v", err)
	}
}

// TestWithoutNamed checks that a paragraph that names a protected person is blank for those who compare words, and that
// everything else stays at its place.
func TestWithoutNamed(t *testing.T) {
	v, open, _ := viewed(t, Defaults{Persons: []access.Person{{Name: "Ivy Brigg", State: access.PersonSealed}, {Name: "Tom Toller", State: access.PersonAnonymized}}})
	text := "The mill stopped.\n\nIvy Brigg went to Thörne.\nShe did not come back.\n\nThe quay was sold.\n\nTom Toller bought it.\n"
	got, err := v.WithoutNamed(open, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(text) || strings.Count(string(got), "\n") != strings.Count(text, "\n") {
		t.Errorf("%q has other places", got)
	}
	for words, want := range map[string]bool{"The mill stopped.": true, "The quay was sold.": true, "Thörne": false, "come back": false, "Toller": false, "bought": false} {
		if at := strings.Index(string(got), words); (at >= 0) != want || want && at != strings.Index(text, words) {
			t.Errorf("%q at %d of %q", words, at, got)
		}
	}
}
