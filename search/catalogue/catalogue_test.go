package catalogue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	words := func(s string) []string { return strings.Fields(s) }
	cases := []struct {
		question string
		want     Question
	}{
		{"When was this letter written?", Question{Field: Date, Kind: "letter", This: true}},
		{"when was this document  published", Question{Field: Date, This: true}},
		{"When was the letter of 2 April 1931 added?", Question{Field: Added, Kind: "letter", From: "1931-04-02", To: "1931-04-02"}},
		{"When was 1931-04-02.txt added to the archive?", Question{Field: Added, Title: words("1931 04 02 txt")}},
		{"Who wrote the Report on Coal?", Question{Field: Creator, Title: words("report on coal")}},
		{"Who is the author of “The Mill and its Wheel”?", Question{Field: Creator, Title: words("mill and wheel")}},
		{"Who published the report called Coal Prices?", Question{Field: Publisher, Title: words("coal prices")}},
		{"Which source published the Report on Coal?", Question{Field: Publisher, Title: words("report on coal")}},
		{"What is the publisher of this article?", Question{Field: Publisher, Kind: "article", This: true}},
		{"Where does this page come from?", Question{Field: Origin, Kind: "page", This: true}},
	}
	for _, c := range cases {
		got, ok := Read(c.question)
		if !ok || !cmp.Equal(got, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.question, got, ok, c.want)
		}
	}
	others := []string{
		"How many letters did he write in 1665?", "How many people died of the plague in 1665?", "How many men are there from 1665?",
		"When was the mill repaired?", "When was he born?", "Who repaired the mill?", "Why was this letter written?", "When did he write the letter?",
		"How many letters are there from Ruth?", "How many letters are there about 1665 and the mill?", "When was this ship built?", "Who wrote?", "",
	}
	for _, q := range others {
		if got, ok := Read(q); ok {
			t.Errorf("%s: read as %+v", q, got)
		}
	}
	if len(cases) != 10 || len(others) != 13 {
		t.Errorf("%d and %d cases", len(cases), len(others))
	}
}

func TestNames(t *testing.T) {
	letter := Entry{Name: "box/letters/1931-04-02.txt", Date: "1931-04-02"}
	report := Entry{Title: "The Report on Coal", Name: "a.pdf", Date: "1932-01-05", Form: "report", Tags: []string{"energy"}}
	cases := []struct {
		question       string
		letter, report bool
	}{
		{"When was this letter written?", true, false},
		{"When was this document written?", true, true},
		{"When was 1931-04-02.txt added?", true, false},
		{"When was 1931-04-02 added?", true, false},
		{"Who wrote the Report on Coal?", false, true},
		{"Who wrote the Report on Coal Prices?", false, false},
		{"Who wrote Report?", false, false},
		{"Who wrote the letter of 2 April 1931?", true, false},
		{"Who wrote the report of 2 April 1931?", false, false},
	}
	for _, c := range cases {
		q, ok := Read(c.question)
		if !ok || q.Names(letter) != c.letter || q.Names(report) != c.report {
			t.Errorf("%s: %+v %v: letter %v, report %v", c.question, q, ok, q.Names(letter), q.Names(report))
		}
	}
	if len(cases) != 9 {
		t.Errorf("%d cases", len(cases))
	}
}

func FuzzRead(f *testing.F) {
	f.Add("When was this letter written?")
	f.Add("How many letters are there from 1665?")
	f.Fuzz(func(t *testing.T, s string) {
		q, ok := Read(s)
		if ok && q.Field == "" || !ok && q.Field != "" {
			t.Errorf("%q: %+v, %v", s, q, ok)
		}
		q.Names(Entry{Title: s, Name: s})
	})
}
