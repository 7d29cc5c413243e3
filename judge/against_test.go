package judge_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/judge"
)

// The sets in testdata were written from a description of what the package is for, by somebody who had not seen its rules.
// Half of their lines, the odd ones, have been looked at since; the figures of the even ones are in docs/evidence.md. What
// is asserted may get better, not worse.

// readRows returns the columns of the lines of a set.
func readRows(t *testing.T, name string, lines, columns int) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		row := strings.Split(line, "\t")
		if len(row) != columns {
			t.Fatalf("%s:%d: %d columns, want %d", name, i+1, len(row), columns)
		}
		out = append(out, row)
	}
	if len(out) != lines {
		t.Fatalf("%s: %d lines, want %d", name, len(out), lines)
	}
	return out
}

// writer returns the names of a set's subject.
func writer(subject string) []string {
	if subject == "-" {
		return nil
	}
	return []string{subject}
}

// TestTrueRestatements counts true restatements that a veto stops.
func TestTrueRestatements(t *testing.T) {
	stopped, follows := 0, 0
	for _, r := range readRows(t, "restatements.tsv", 200, 3) {
		j := judge.Judge(r[1], judge.Passage{Words: r[0], Writers: writer(r[2])})
		if len(judge.Against(r[1], judge.Passage{Words: r[0], Writers: writer(r[2])})) > 0 {
			stopped++
		}
		if j.Verdict == cite.ClaimFollows {
			follows++
		}
	}
	t.Logf("of 200 true restatements %d are stopped, %d follow by the rules", stopped, follows)
	if stopped > 22 {
		t.Errorf("%d of 200 true restatements are stopped, want at most 22", stopped)
	}
}

// TestChangedClaims counts claims with one change that a veto stops, by the kind of the change; none may follow.
func TestChangedClaims(t *testing.T) {
	caught := map[string]int{}
	for _, r := range readRows(t, "changed.tsv", 240, 4) {
		j := judge.Judge(r[1], judge.Passage{Words: r[0], Writers: writer(r[2])})
		if len(judge.Against(r[1], judge.Passage{Words: r[0], Writers: writer(r[2])})) > 0 {
			caught[r[3]]++
		}
		if j.Verdict == cite.ClaimFollows {
			t.Errorf("%s: %q follows from %q", r[3], r[1], r[0])
		}
	}
	t.Logf("of 24 each are stopped: %v", caught)
	for kind, least := range map[string]int{"number": 22, "date": 20, "name": 21, "unit": 18, "negation": 18} {
		if caught[kind] < least {
			t.Errorf("%s: %d of 24 changed claims are stopped, want at least %d", kind, caught[kind], least)
		}
	}
}

// TestFreeParaphrases counts what is stopped of sentences as a language model writes them; no wrong one may follow.
func TestFreeParaphrases(t *testing.T) {
	stopped := map[string]int{}
	for _, r := range readRows(t, "free.tsv", 120, 4) {
		j := judge.Judge(r[1], judge.Passage{Words: r[0], Writers: writer(r[2])})
		if len(judge.Against(r[1], judge.Passage{Words: r[0], Writers: writer(r[2])})) > 0 {
			stopped[r[3]]++
		}
		if j.Verdict == cite.ClaimFollows && r[3] == "wrong" {
			t.Errorf("%q follows from %q", r[1], r[0])
		}
	}
	t.Logf("of 60 each are stopped: %v", stopped)
	if stopped["good"] > 12 {
		t.Errorf("%d of 60 faithful paraphrases are stopped, want at most 12", stopped["good"])
	}
}

// TestCutQuotes counts quotations that were cut so that they say what their sentence does not.
func TestCutQuotes(t *testing.T) {
	stopped, follows := 0, 0
	for _, r := range readRows(t, "quotes.tsv", 60, 4) {
		i := strings.Index(r[0], r[1])
		if i < 0 {
			t.Fatalf("%q is not in %q", r[1], r[0])
		}
		j := judge.Judge(r[2], judge.Passage{Before: r[0][:i], Words: r[1], After: r[0][i+len(r[1]):], Writers: writer(r[3])})
		if len(j.Findings) > 0 {
			stopped++
		}
		if j.Verdict == cite.ClaimFollows {
			follows++
			t.Logf("%q follows from %q", r[2], r[0])
		}
	}
	t.Logf("of 60 cut quotations %d are stopped; %d claims follow", stopped, follows)
	if follows > 0 {
		t.Errorf("the claims of %d cut quotations follow, want none", follows)
	}
}

// TestSurroundings demands that what stands around a quotation counts.
func TestSurroundings(t *testing.T) {
	for _, c := range []struct {
		claim string
		p     judge.Passage
		want  cite.ClaimVerdict
	}{
		{"The hens did sell.", judge.Passage{Before: "The hens did ", Words: "not sell", After: " at the fair."}, cite.ClaimContradicted},
		{"The mill burned.", judge.Passage{Before: "It is said that ", Words: "the mill burned", After: " in May."}, cite.ClaimNotShown},
		{"The mill burned.", judge.Passage{Before: "If ", Words: "the mill burned", After: ", we were ruined."}, cite.ClaimNotShown},
		{"The mill burned.", judge.Passage{Words: "The mill burned in May.", After: " We rebuilt it."}, cite.ClaimFollows},
		{"The moon is made of cheese.", judge.Passage{Words: "The mill burned in May."}, cite.ClaimNotShown},
		{"99% of all papers agree.", judge.Passage{Words: "42 of 60 papers agree."}, cite.ClaimContradicted},
		{"The mill burned.", judge.Passage{Words: "he mill burned", Before: "T"}, cite.ClaimNotShown},
		{"The mill burned.", judge.Passage{Before: "⟦struck: ", Words: "The mill burned.", After: "⟧ The mill stands."}, cite.ClaimNotShown},
		{"The mill stands.", judge.Passage{Before: "⟦struck: The mill burned.⟧ ", Words: "The mill stands."}, cite.ClaimFollows},
		{"The hens did sell.", judge.Passage{Words: "The hens did ⟦struck: not⟧ sell."}, cite.ClaimNotShown},
		{"The hens did sell at the fair.", judge.Passage{Before: "The hens did ⟦struck: not⟧ ", Words: "sell at the fair."}, cite.ClaimNotShown},
		{"dlos did snehs", judge.Passage{Before: "⟦reversed: ", Words: "dlos did snehs", After: "⟧"}, cite.ClaimNotShown},
	} {
		if got := judge.Judge(c.claim, c.p); got.Verdict != c.want {
			t.Errorf("%q over %+v: %+v, want %s", c.claim, c.p, got, c.want)
		}
	}
}

func Example() {
	j := judge.Judge("The miller sold nine hens.", judge.Passage{Words: "The miller sold nineteen hens at the fair."})
	fmt.Println(j.Verdict, j.Findings[0].Test, j.Findings[0].Claim, j.Findings[0].Words)
	fmt.Println(judge.Judge("The miller sold 19 hens.", judge.Passage{Words: "The miller sold nineteen hens at the fair."}).Verdict)
	// Output:
	// contradicted number nine nineteen
	// follows
}

// FuzzJudge demands that no text makes Judge panic.
func FuzzJudge(f *testing.F) {
	f.Add("The miller sold nine hens.", "He wrote: ", "The miller sold nineteen hens.", " So it was.")
	f.Add("Not one pier was built.", "", "On 3 May 1871 the mill, which was old, burned down; nobody was hurt.", "")
	f.Add("Ein Viertel der Schüler bestand nicht.", "Er sagte: „", "Von 80 Schülern bestanden 20 nicht.", "“ Das ist falsch.")
	f.Fuzz(func(t *testing.T, claim, before, words, after string) {
		p := judge.Passage{Before: before, Words: words, After: after}
		judge.Judge(claim, p)
		judge.Against(claim, p)
	})
}
