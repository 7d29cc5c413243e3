package assign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/answer/follow"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/cite"
)

// A reworded is a claim about a text, and whether the text supports it.
type reworded struct {
	text, claim string
	supported   bool
}

// readReworded reads a file of texts, claims that they support (+) and claims that they do not (-).
func readReworded(t *testing.T, name string) []reworded {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []reworded
	text := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "+ "), strings.HasPrefix(line, "- "):
			out = append(out, reworded{text, line[2:], line[0] == '+'})
		default:
			text = line
		}
	}
	return out
}

func supports(t *testing.T, claim, text string) (bool, []string) {
	e := onText(t, claim, text, "")
	return e.Aligned && (e.Relation == cite.Paraphrase || e.Relation == cite.DirectQuote), e.Tests
}

// Claims in other words than their texts: none that the text does not support aligns; of the others
// the share is printed, and a floor kept.
func TestReworded(t *testing.T) {
	for _, f := range []struct {
		name        string
		plus, minus int // at least so many claims of each kind
		recall      int // at least so many per cent
	}{{"reworded.txt", 130, 180, 57}, {"reworded2.txt", 75, 120, 71}, {"altered.txt", 0, 200, 0},
		{"reworded3.txt", 48, 48, 78}, {"reworded4.txt", 40, 45, 51}, {"lifted.txt", 80, 250, 72}, {"lifted2.txt", 65, 120, 66}, {"altered2.txt", 0, 140, 0},
		{"lifted3.txt", 35, 45, 71}, {"altered3.txt", 0, 60, 0}, {"written1.txt", 10, 20, 6}, {"voice1.txt", 14, 40, 73}, {"beside1.txt", 14, 40, 25},
		{"synonym1.txt", 14, 26, 28}, {"rearranged1.txt", 48, 0, 58}, {"altered5.txt", 0, 40, 0}, {"altered6.txt", 0, 16, 0},
		// Joined from two sentences: true claims of this kind are not recognised, false ones must stay unsupported.
		{"joined.txt", 26, 110, 0}, {"joined2.txt", 18, 120, 0}, {"joined3.txt", 12, 100, 0}, {"joined4.txt", 9, 65, 0}, {"altered4.txt", 0, 30, 0}} {
		n, found, altered := 0, 0, 0
		for _, p := range readReworded(t, f.name) {
			ok, tests := supports(t, p.claim, p.text)
			switch {
			case p.supported && ok:
				n, found = n+1, found+1
			case p.supported:
				n++
				t.Logf("%s: not aligned: %q with %q: %v", f.name, p.claim, p.text, tests)
			case ok:
				altered++
				t.Errorf("%s: %q aligned with %q", f.name, p.claim, p.text)
			default:
				altered++
			}
		}
		t.Logf("%s: %d of %d restatements align (recall %.2f), %d altered claims", f.name, found, n, float64(found)/float64(max(n, 1)), altered)
		if n < f.plus || altered < f.minus || found*100 < f.recall*n {
			t.Errorf("%s: %d restatements, %d altered, recall %d of %d: too few", f.name, n, altered, found, n)
		}
	}
}

// A claim that a text supports is not supported by any other text of its files, unless it is listed
// there too, nor by its own when a number, a name or a negation in it is changed.
func TestRewordedChanged(t *testing.T) {
	for _, f := range []struct {
		names           []string
		across, mutated int // at least so many claims
	}{
		{[]string{"reworded.txt", "reworded2.txt"}, 5000, 250},
		{[]string{"joined.txt", "joined2.txt", "joined3.txt", "joined4.txt"}, 5000, 100},
	} {
		var list []reworded
		texts := map[string]bool{}
		for _, name := range f.names {
			list = append(list, readReworded(t, name)...)
		}
		for _, p := range list {
			texts[p.text] = true
		}
		across, mutated := 0, 0
		for _, p := range list {
			if !p.supported {
				continue
			}
			for text := range texts {
				if text == p.text {
					continue
				}
				across++
				if ok, _ := supports(t, p.claim, text); ok && !slices.Contains(list, reworded{text, p.claim, true}) {
					t.Errorf("%q aligned with the other text %q", p.claim, text)
				}
			}
			for _, m := range mutations(p.claim) {
				mutated++
				if ok, _ := supports(t, m, p.text); ok {
					t.Errorf("%q aligned with %q", m, p.text)
				}
			}
		}
		t.Logf("%s: %d claims with other texts, %d with a change", f.names[0], across, mutated)
		if across < f.across || mutated < f.mutated {
			t.Errorf("%s: %d claims with other texts, %d with a change: too few", f.names[0], across, mutated)
		}
	}
}

// mutations returns claims in which one number, name or negation is another.
func mutations(claim string) []string {
	var out []string
	ws := segment.Words(claim)
	for i, w := range ws {
		change := ""
		switch {
		case number(w.Lower) != "" && w.Lower != "one" && w.Lower != "a":
			change = "97"
		case w.Upper && i > 0 && !titles[w.Lower]:
			change = "Zoltan"
		case w.Lower == "was" || w.Lower == "were" || w.Lower == "is" || w.Lower == "are":
			change = w.Lower + " not"
		}
		if change != "" {
			out = append(out, claim[:w.Start]+change+claim[w.End:])
		}
	}
	return out
}

// What it costs to compare a claim with the one passage it speaks of.
func BenchmarkAssign(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("testdata", "reworded.txt"))
	if err != nil {
		b.Fatal(err)
	}
	var pairs [][2]string
	text := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '+' || line[0] == '-':
			pairs = append(pairs, [2]string{line[2:], text})
		default:
			text = line
		}
	}
	self := words([]string{"Anna Brandt"})
	i := 0
	for b.Loop() {
		p := pairs[i%len(pairs)]
		align(p[0], follow.Passage{Words: p[1]}, &retrieve.Passage{Lang: "en", Text: p[1]}, self)
		i++
	}
}
