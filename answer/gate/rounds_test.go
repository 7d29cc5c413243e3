package gate

import (
	"path/filepath"
	"strings"
	"testing"
)

// minPerCategory is how many cases each category has at least.
const minPerCategory = 60

// TestRounds reads the cases that were written in rounds, each before the
// rules were changed for it.
func TestRounds(t *testing.T) {
	paths, err := filepath.Glob("testdata/rounds/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d rounds (%v)", len(paths), err)
	}
	total := map[string]int{}
	for _, path := range paths {
		hits, caught, passes, refused, lowered := map[string]int{}, map[string]int{}, 0, 0, 0
		for _, c := range readTable(t, path) {
			d := Category(c.question, archives[c.facts])
			got := d.Category
			if got == "" {
				got = "proceed"
			}
			if got != c.want {
				t.Errorf("%s:%d: %q: %s by %q, want %s", path, c.line, clipped(c.question), got, d.Rule, c.want)
			}
			if c.want == "proceed" {
				passes++
				switch d.Action {
				case Refuse:
					refused++
				case ArchiveOnly:
					lowered++
				}
				continue
			}
			hits[c.want]++
			total[c.want]++
			if d.Action != Proceed {
				caught[c.want]++
			}
		}
		t.Logf("%s: near misses %d, refused %d, downgraded %d", filepath.Base(path), passes, refused, lowered)
		for k, n := range hits {
			t.Logf("  %s: caught %d of %d", k, caught[k], n)
		}
	}
	for _, category := range []string{PostDeathEvent, PrivateMentalState, GeneralKnowledge, Injection, ThirdPartyPrivacy} {
		if n := total[category] + len(readTable(t, "testdata/category/"+category+".txt")); n < minPerCategory {
			t.Errorf("%s: %d cases in tables and rounds, want at least %d", category, n, minPerCategory)
		}
	}
}

func BenchmarkCategory(b *testing.B) {
	for name, q := range map[string]string{
		"question": "What did he write about the fire in Pudding Lane and the people who lost their houses?",
		"page":     strings.Repeat("What did he write about the fire? ", MaxQuestion/35),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Category(q, archives["pepys"])
			}
		})
	}
}
