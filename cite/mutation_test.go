package cite

import (
	"fmt"
	"strings"
	"testing"

	"muniment/canon"
)

// A thousand quotes of a text, each with one number, negation or name changed:
// none verifies, and where the place is found the change is called by its name.
func TestMutatedQuotes(t *testing.T) {
	names := []string{"Anna", "Emma", "Linus", "Ruth", "Pepys", "Østergård", "Müller", "Čapek", "O'Neill", "Батюшков"}
	verbs := []string{"sold", "bought", "mended", "painted", "measured", "described", "inherited", "lost"}
	things := []string{"the barn", "two clocks", "her letters", "his maps", "the old mill", "a grey horse"}
	numbers := []string{"1,200", "17", "3.5", "-40", "1789", "£25", "forty", "ninety", "twelve", "half"}
	tails := []string{"for a neighbour", "at the market", "before the winter came", "without regret", "in the parish records"}
	negated := []string{"did not speak of it", "never spoke of it", "could not pay", "didn't regret it", "had no witness", "had nothing left"}
	plain := []string{"did speak of it", "spoke of it", "could pay", "did regret it", "had a witness", "had something left"}

	type quote struct {
		text  string
		parts [4]string // name, number, negated or plain words, the words instead
	}
	pick := func(from []string, i int) string { return from[i%len(from)] }
	var all []quote
	var text strings.Builder
	for i := range 340 {
		q := quote{parts: [4]string{pick(names, i), pick(numbers, i/3), pick(negated, i/7), pick(plain, i/7)}}
		if i%2 == 1 {
			q.parts[2], q.parts[3] = q.parts[3], q.parts[2]
		}
		// The serial letters keep every sentence apart from every other.
		q.text = fmt.Sprintf("as %s in lot %c%c%c %s %s for %s %s and %s",
			q.parts[0], 'a'+i%26, 'k'+i/26%14, 'a'+i*7%26, pick(verbs, i/2), pick(things, i/5), q.parts[1], pick(tails, i/11), q.parts[2])
		all = append(all, q)
		fmt.Fprintf(&text, "It was noted that %s.\n\n", q.text)
	}
	d := canon.NewDocument(canon.NFC([]byte(text.String())))

	trials, placed := 0, 0
	for i, q := range all {
		if m, err := Find(d, q.text, nil); err != nil || m.Status != Exact {
			t.Fatalf("%q is %s, %v", q.text, m.Status, err)
		}
		for _, mutation := range []struct{ kind, old, new string }{
			{ChangedName, q.parts[0], pick(names, i+1+i%5)},
			{ChangedNumber, q.parts[1], pick(numbers, i/3+1+i%4)},
			{ChangedNegation, q.parts[2], q.parts[3]},
		} {
			changed := strings.Replace(q.text, mutation.old, mutation.new, 1)
			m, err := Find(d, changed, nil)
			if err != nil {
				t.Fatal(err)
			}
			trials++
			if m.Verifies() {
				t.Errorf("%q verifies as %q", changed, m.Found)
			}
			if m.Found == q.text {
				if placed++; m.Difference != mutation.kind {
					t.Errorf("%q against %q: %q, want %q", changed, m.Found, m.Difference, mutation.kind)
				}
			}
		}
	}
	if trials < 1000 || placed < trials*9/10 {
		t.Errorf("%d mutated quotes, %d of them beside the words they were made of", trials, placed)
	}
}

// Corners of Unicode: what verifies, where, and what does not.
func TestCorners(t *testing.T) {
	tests := []struct {
		text, quote string
		status      Status
		found       string
	}{
		{"We are 👨\u200D👩\u200D👧 now.", "👨", Absent, ""},
		{"We are 👨\u200D👩\u200D👧 now.", "👨\u200D👩\u200D👧 now", Exact, "👨\u200D👩\u200D👧 now"},
		{"She 👩🏽 waved.", "👩", Absent, ""},
		{"From 🇩🇪🇫🇷 both.", "🇪🇫", Absent, ""},
		{"From 🇩🇪🇫🇷 both.", "🇫🇷 both", Exact, "🇫🇷 both"},
		{"the cafe\u0323 closed", "the cafe", Absent, ""},                          // a mark belongs to its letter
		{"a résumé of it", "re\u0301sume\u0301 of it", Normalized, "résumé of it"}, // decomposed by the caller
		{"הוא אמר שלום לכולם", "אמר שלום", Exact, "אמר שלום"},
		{"הוא אמר \u200Fשלום\u200E לכולם", "אמר שלום לכולם", Normalized, "אמר \u200Fשלום\u200E לכולם"},
		{"he said \u202Eabc\u202C twice", "said abc twice", Absent, ""}, // an override changes what is seen
		{"the co\u00ADop\u00ADera\u00ADtion ended", "cooperation ended", Normalized, "co\u00ADop\u00ADera\u00ADtion ended"},
		{"the ﬁrst oﬃce", "first office", Normalized, "ﬁrst oﬃce"},
		{"the ﬁrst oﬃce", "the f", Absent, ""},
		{"“Don’t,” he said", `"Don't," he said`, Normalized, "“Don’t,” he said"},
		{"we went home", "“went home”", Normalized, "went home"}, // the marks are the caller's own
		{"we went home", `"went" home`, Absent, ""},
		{"Straße und Maße", "Strasse und Masse", Absent, ""}, // letters are never folded
		{"the price − 5", "the price - 5", Normalized, "the price − 5"},
		{"ǅungla", "Džungla", Absent, ""},
		{"Ελλάδα σοφός", "σοφός", Exact, "σοφός"},
		{"machines made in chines", "Linus", Absent, ""},
		{"The mill was not sold. It stood.", "The mill was sold.", Fuzzy, "The mill was not sold."}, // as far as "The mill was not"
		{"the chines of Dorset", "chine", Absent, ""},
		{"100\u00A0000 francs", "100 000 francs", Normalized, "100\u00A0000 francs"},
		{"日本語の文章です", "本語", Exact, "本語"},
		{"zero\u200Bwidth space", "zerowidth space", Normalized, "zero\u200Bwidth space"},
	}
	for _, tt := range tests {
		m, err := Find(canon.NewDocument([]byte(tt.text)), tt.quote, nil)
		if err != nil {
			t.Errorf("%q in %q: %v", tt.quote, tt.text, err)
			continue
		}
		found := m.Found
		if m.Status == Absent {
			found = ""
		}
		want := tt.status
		if m.Status != want && !(want == Absent && !m.Verifies() && m.Status != Ambiguous) || found != tt.found && want != Absent {
			t.Errorf("%q in %q: %s %q, want %s %q", tt.quote, tt.text, m.Status, found, want, tt.found)
		}
	}
}
