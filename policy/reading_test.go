package policy

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// TestReading requires the strictest of the default or the own consent, and of the tier, for every
// combination; where nobody said anything a paper is read in excerpts.
func TestReading(t *testing.T) {
	order := append([]string{""}, access.Readings...)
	rank := func(reading string) int {
		for i, r := range order {
			if r == reading {
				return i
			}
		}
		return -1
	}
	tried := 0
	for _, usual := range order {
		for _, own := range append([]string{"no consent"}, order...) {
			for _, tier := range order {
				p := load(t, Defaults{Tiers: []access.Tier{{Name: "public", Uncapped: true, Reading: tier}}}, func(files map[string][]byte) {
					data, err := access.ConsentDefault{Default: access.ConsentOpen, Reading: usual}.Encode()
					if err != nil {
						t.Fatal(err)
					}
					files[layout.PathConsent] = data
				})
				what := Resource{Artifact: artifact}
				want := access.ReadingExcerpts
				if usual != "" {
					want = usual
				}
				if own != "no consent" {
					what.Consent = consent(15, "")
					what.Consent.Reading = own
					if own != "" {
						want = own
					}
				}
				if rank(tier) > rank(want) {
					want = tier
				}
				got, err := p.Decide(Requestor{}, what)
				if err != nil {
					t.Fatal(err)
				}
				piece := map[string]int{access.ReadingWhole: access.Unlimited, access.ReadingExcerpts: access.UsualExcerpt, access.ReadingNone: 0}[want]
				if got.Reading != want || got.Piece() != piece || got.Excerpt != access.Unlimited {
					t.Errorf("default %q, own %q, tier %q: %+v, want %s", usual, own, tier, got, want)
				}
				tried++
			}
		}
	}
	if tried != 4*5*4 {
		t.Errorf("tried %d combinations", tried)
	}
}

// TestCutWords requires a piece to be a beginning of the text within the limit that ends between words.
func TestCutWords(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 0, ""}, {"one two", 7, "one two"}, {"one two", 6, "one"}, {"one two", 4, "one"}, {"one two", 3, "one"}, {"one two", 2, "on"},
		{"one two", 0, ""}, {"naïve, well", 6, "naïve,"}, {"mother’s chair", 9, "mother’s"}, {"a well-known face", 8, "a"},
		{"見出しの文章", 3, "見出し"}, {"e\u0301te\u0301 froid", 6, "e\u0301te\u0301"}, {"Bad Ems 1911", 10, "Bad Ems"},
	} {
		got, whole := CutWords(c.text, c.limit)
		if got != c.want || whole != (got == c.text) {
			t.Errorf("%q in %d: %q, %v, want %q", c.text, c.limit, got, whole, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, limit := rapid.String().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "limit")
		got, whole := CutWords(text, limit)
		if !strings.HasPrefix(text, got) || utf8.RuneCountInString(got) > limit || whole != (got == text) {
			t.Fatalf("%q in %d: %q, %v", text, limit, got, whole)
		}
	})
}
