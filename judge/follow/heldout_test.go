package follow_test

import (
	"os"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/judge"
	"muniment/judge/follow"
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
		j := judge.Judge(r[1], follow.Passage{Words: r[0], Names: writer(r[2])})
		if len(j.Findings) > 0 {
			stopped++
		}
		if j.Verdict == cite.ClaimFollows {
			follows++
		}
	}
	t.Logf("of 200 true restatements %d are stopped, %d follow by the rules", stopped, follows)
	if stopped > 40 {
		t.Errorf("%d of 200 true restatements are stopped, want at most 40", stopped)
	}
}

// TestChangedClaims counts claims with one change that a veto stops, by the kind of the change; none may follow.
func TestChangedClaims(t *testing.T) {
	caught := map[string]int{}
	total := 0
	for _, r := range readRows(t, "changed.tsv", 240, 4) {
		j := judge.Judge(r[1], follow.Passage{Words: r[0], Names: writer(r[2])})
		if len(j.Findings) > 0 {
			caught[r[3]]++
			total++
		}
		if j.Verdict == cite.ClaimFollows {
			t.Errorf("%s: %q follows from %q", r[3], r[1], r[0])
		}
	}
	t.Logf("of 24 each are stopped: %v", caught)
	if total < 180 {
		t.Errorf("%d of 240 changed claims are stopped, want at least 180", total)
	}
}

// TestFreeParaphrases counts what is stopped of sentences as a language model writes them; no wrong one may follow.
func TestFreeParaphrases(t *testing.T) {
	stopped := map[string]int{}
	for _, r := range readRows(t, "judge.tsv", 120, 4) {
		j := judge.Judge(r[1], follow.Passage{Words: r[0], Names: writer(r[2])})
		if len(j.Findings) > 0 {
			stopped[r[3]]++
		}
		if j.Verdict == cite.ClaimFollows && r[3] == "wrong" {
			t.Errorf("%q follows from %q", r[1], r[0])
		}
	}
	t.Logf("of 60 each are stopped: %v", stopped)
	if stopped["good"] > 20 {
		t.Errorf("%d of 60 faithful paraphrases are stopped, want at most 20", stopped["good"])
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
		j := judge.Judge(r[2], follow.Passage{Before: r[0][:i], Words: r[1], After: r[0][i+len(r[1]):], Names: writer(r[3])})
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
