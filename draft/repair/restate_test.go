package repair

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/draft/contract"
)

// TestRestatements: a sentence that restates a cited bullet of its note gets the bullet's mark; one that
// changes a number, a name, a negation or a direction gets none.
func TestRestatements(t *testing.T) {
	data, err := os.ReadFile("testdata/restatements.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var standing []contract.Claim
	right, all, changed, wrong := map[string]int{}, map[string]int{}, 0, 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		switch f[0] {
		case "bullet":
			standing = append(standing, contract.Claim{Text: f[2], Evidence: []contract.Evidence{{ID: f[1], Quote: &contract.Quote{Text: f[3]}}}})
		case "restates":
			all[f[1]]++
			if got := Restated(f[3], standing); len(got) == 1 && got[0] == f[2] {
				right[f[1]]++
			} else {
				t.Logf("missed (%s): %q: %v, bare %q", f[1], f[3], got, contract.WithoutFrame(f[3]))
			}
		case "changed":
			changed++
			if got := Restated(f[3], standing); got != nil {
				wrong++
				t.Errorf("%s: %q gets %v", f[1], f[3], got)
			}
		}
	}
	t.Logf("unseen %d of %d, developed %d of %d; %d false marks of %d", right["u"], all["u"], right["d"], all["d"], wrong, changed)
	if len(standing) != 10 || all["u"] != 30 || all["d"] != 30 || changed != 200 {
		t.Fatalf("%d bullets, %v restatements, %d changed", len(standing), all, changed)
	}
	if right["u"]*10 < all["u"]*9 || right["d"]*10 < all["d"]*9 {
		t.Error("want nine of ten of each half")
	}
}

// TestDeparts: a sentence that adds a quantity, or turns round from and to, restates nothing; initials, and the name of
// the source, may stand for what they name.
func TestDeparts(t *testing.T) {
	bullet := func(text, publisher string) []contract.Claim {
		return []contract.Claim{{Text: text, Evidence: []contract.Evidence{{ID: "1", Publisher: publisher, Quote: &contract.Quote{Text: text}}}}}
	}
	for _, c := range []struct {
		claim, text string
		restates    bool
	}{
		{"Halden sold more boats in 1921 than in the year before.", "Halden sold 31 boats in 1921, fewer than in the year before.", false},
		{"All in all, Halden sold fewer boats in 1921 than in the year before.", "Halden sold 31 boats in 1921, fewer than in the year before.", true},
		{"Most bishops opposed the Act of 1832.", "Some bishops opposed the Act of 1832.", false},
		{"The Ariel sailed to Leith in 1840.", "The Ariel sailed from Leith with 40 men in 1840.", false},
		{"The Ariel sailed from Leith in 1840.", "The Ariel sailed from Leith with 40 men in 1840.", true},
		{"Output fell by 3.9 percent in May.", "Output fell to 3.9 percent in May.", false},
		{"Ann sold the inn for her brother Karl.", "Ann sold the inn to her brother Karl.", false},
		{"The inn was sold to Karl by Ann.", "Ann sold the inn to her brother Karl.", true},
		{"The Ariel sailed fewer than 40 miles.", "The Ariel sailed 40 miles, fewer than in May.", false},
		{"The Ariel left Leith without 40 men.", "The Ariel left Leith with 40 men.", false},
		{"In sum, GDP rose 2 percent.", "Real gross domestic product rose 2 percent in May.", true},
		{"In sum, GDP rose 3 percent.", "Real gross domestic product rose 2 percent in May.", false},
		{"The League sold the hall in 1840.", "The hall was sold in 1840.", false},
	} {
		if got := Restated(c.claim, bullet(c.text, "Harbour Office")) != nil; got != c.restates {
			t.Errorf("%q for %q: %v", c.claim, c.text, got)
		}
	}
}

// Every word of direction turns a sentence round when another stands for it.
func TestDirections(t *testing.T) {
	words := slices.Sorted(maps.Keys(directions()))
	tried := 0
	for _, a := range words {
		for _, b := range words {
			if departs := Departs("It moved "+a+" 3.9 points.", "It moved "+b+" 3.9 points."); departs != (a != b) {
				t.Errorf("%s for %s: departs %t", a, b, departs)
			}
			tried++
		}
	}
	if tried != 100 {
		t.Errorf("%d pairs tried, want 100", tried)
	}
}
