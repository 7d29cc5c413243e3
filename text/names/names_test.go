package names

import (
	"os"
	"strings"
	"testing"
)

// sentences returns the lines of a file of testdata.
func sentences(t *testing.T, file string, want int) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	if len(out) != want {
		t.Fatalf("%s has %d sentences, want %d", file, len(out), want)
	}
	return out
}

func spans(text string) []string {
	var out []string
	for _, n := range Find(text) {
		out = append(out, text[n.From:n.End])
	}
	return out
}

// TestPersons finds invented persons in ordinary sentences: every word of the name is covered.
func TestPersons(t *testing.T) {
	var found [2]int
	for i, line := range sentences(t, "persons.txt", 200) {
		before, rest, _ := strings.Cut(line, "[")
		name, after, _ := strings.Cut(rest, "]")
		text := before + name + after
		covered := false
		for _, n := range Find(text) {
			covered = covered || n.From <= len(before) && len(before)+len(name) <= n.End
		}
		if covered {
			found[i%2]++
		} else if i%2 == 0 {
			t.Logf("missed %q: found %q", line, spans(text))
		}
	}
	t.Logf("persons: %d of 100 looked at, %d of 100 held", found[0], found[1])
	if found[0]+found[1] < 190 {
		t.Errorf("%d of 200 persons found, want 190", found[0]+found[1])
	}
}

// TestNobody finds no person in names of places, and in nouns, titles and bodies in German.
func TestNobody(t *testing.T) {
	for _, set := range []struct {
		file      string
		size, max int
	}{{"places.txt", 60, 3}, {"german.txt", 300, 9}} {
		var found [2]int
		for i, line := range sentences(t, set.file, set.size) {
			if got := spans(line); len(got) > 0 {
				if found[i%2]++; i%2 == 0 {
					t.Logf("%q: %q", line, got)
				}
			}
		}
		t.Logf("%s: %d looked at and %d held, of %d", set.file, found[0], found[1], set.size)
		if found[0]+found[1] > set.max {
			t.Errorf("%s: %d of %d have a person, want at most %d", set.file, found[0]+found[1], set.size, set.max)
		}
	}
}

// TestFind holds the rules that a set of sentences tries too rarely.
func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"Drury Lane was empty.": "",
		"Ruth Fenwick's letter": "Ruth Fenwick",
		"Tom Brigg sold it. Brigg wept, but not in Brigg Street.": "Tom Brigg|Brigg",
		"Herr Doktor Fennhoff kam.":                               "Herr Doktor Fennhoff",
		"Lord Chancellor, Mr. Speaker":                            "",
		"King Charles saw the Duke of York.":                      "",
		"Marks & Spencer and St. Paul's Cathedral":                "",
		"I. Roth and E. M. Farrow wrote.":                         "I. Roth|E. M. Farrow",
		"what did nathan say":                                     "nathan",
		"My brother Zeb, the clerk":                               "Zeb",
		"He came in May.":                                         "",
		"May came.":                                               "May",
		"Thomas van Rijn\nRuth Lane\nNathan Coyle":                "Thomas van Rijn|Ruth Lane|Nathan Coyle",
	} {
		if got := strings.Join(spans(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzFind holds that names are places of the text, in order and apart, whatever the text.
func FuzzFind(f *testing.F) {
	f.Add("Mr. Brigg, Ruth Fenwick's and J.R. Ewing & Sons")
	f.Fuzz(func(t *testing.T, text string) {
		past := 0
		for _, n := range Find(text) {
			if n.From < past || n.Start < n.From || n.End <= n.Start || n.End > len(text) {
				t.Fatalf("%+v after %d in %q", n, past, text)
			}
			past = n.End
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("Yesterday Ruth Fenwick sold the boat to Mr. Brigg, and nobody on the quay of Drury Lane had seen it before.\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text)
	}
}

// A particle between words with a capital is no name of its own.
func TestParticle(t *testing.T) {
	for _, text := range []string{"Mitglied der Kommission, gez. Haase. Die Bank von Halle zahlt.", "Stand der Dinge von Amts wegen. Im Haus der Weber brennt Licht."} {
		for _, name := range spans(text) {
			if isParticle(name) {
				t.Errorf("%q names %q", text, name)
			}
		}
	}
}
