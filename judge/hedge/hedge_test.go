package hedge

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/text/pattern"
)

// TestHedgeLint: a marker beside a word of certainty, or beside another marker, is stacked.
func TestHedgeLint(t *testing.T) {
	data, err := os.ReadFile("testdata/hedges.tsv")
	if err != nil {
		t.Fatal(err)
	}
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		all[f[0]]++
		if IsStacked(f[2]) == (f[1] == "stacked") {
			right[f[0]]++
		} else {
			t.Errorf("%s, want %s: %q, markers %q", f[0], f[1], f[2], Markers(f[2]))
		}
	}
	t.Logf("unseen %d of %d, developed %d of %d", right["u"], all["u"], right["d"], all["d"])
	if all["u"] != 20 || all["d"] != 20 || all["t"] != 19 {
		t.Errorf("%v cases", all)
	}
}

func TestMarkers(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  []string
		stack bool
	}{
		{"The mill burned in May.", nil, false},
		{"He may have sold it.", []string{"may"}, false},
		{"May 1666 was dry.", nil, false},
		{"In May he sold it.", nil, false},
		{"He fought with all his might.", nil, false},
		{"This suggests that he was in debt.", []string{"suggests"}, false},
		{"It seems clear they definitely wanted to leave.", []string{"seems"}, true},
		{"Perhaps he was certainly ill.", []string{"perhaps"}, true},
		{"It seems it is not clear that he knew.", []string{"seems"}, false},
		{"Perhaps it may suggest that he left.", []string{"perhaps", "may", "suggest"}, true},
		{"This may suggest that he left.", []string{"may", "suggest"}, true},
		{"He was clearly ill.", nil, false},
		{"Perhaps he left. He was certainly ill.", []string{"perhaps"}, false},
		{`He wrote "perhaps I am certainly mad".`, nil, false},
		{"The sky was clear and perhaps cold.", []string{"perhaps"}, false},
		{"She probably knew, no doubt.", []string{"probably"}, true},
		{"The letter is consistent with a visit.", []string{"consistent with"}, false},
		{"", nil, false},
	} {
		if diff := cmp.Diff(c.want, Markers(c.text)); diff != "" {
			t.Errorf("%q: markers (-want +got)\n%s", c.text, diff)
		}
		if got := IsStacked(c.text); got != c.stack {
			t.Errorf("%q: stacked %v, want %v", c.text, got, c.stack)
		}
	}
}

// TestSigns: every sign fires on its own text and not on the other one.
func TestSigns(t *testing.T) {
	table, _, err := pattern.Read("signs.txt", signText, map[string]string{})
	if err != nil || len(table) != 1 || len(table["sign"]) != 15 || len(signs()) != 4 {
		t.Fatalf("%d signs, %v", len(table["sign"]), err)
	}
	for _, r := range table["sign"] {
		if !r.Matches(pattern.Fold(r.Fires)) || r.Matches(pattern.Fold(r.Rests)) {
			t.Errorf("%d: %s", r.Line, r.Name)
		}
	}
}
