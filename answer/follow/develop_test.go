package follow_test

import (
	"os"
	"strings"
	"testing"

	"muniment/answer/assign"
	"muniment/answer/follow"
	"muniment/cite"
)

// TestDevelopment counts, over the pairs that the rules of package assign were developed on, how many true
// restatements a veto stops and how many changed claims no veto stops.
func TestDevelopment(t *testing.T) {
	for _, name := range []string{"heldout", "heldout2", "heldout3"} {
		data, err := os.ReadFile("../assign/testdata/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		var n tally
		for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			f := strings.Split(line, "\t")
			if i == 0 || len(f) != 7 {
				continue
			}
			n.count(t, f[1] == "yes", f[5], f[6], f[4])
		}
		t.Logf("%s: %+v", name, n)
	}
	for _, name := range []string{"altered", "altered2", "altered3", "altered4", "altered5", "altered6", "reworded", "reworded2", "reworded3", "reworded4", "beside1", "joined", "lifted", "synonym1", "voice1", "written1"} {
		data, err := os.ReadFile("../assign/testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var n tally
		passage := ""
		for _, line := range strings.Split(string(data), "\n") {
			switch {
			case strings.HasPrefix(line, "+ "):
				n.count(t, true, line[2:], passage, "Anna Brandt")
			case strings.HasPrefix(line, "- "):
				n.count(t, false, line[2:], passage, "Anna Brandt")
			case strings.HasPrefix(line, "#"), line == "":
			default:
				passage = line
			}
		}
		t.Logf("%s: %+v", name, n)
	}
}

type tally struct {
	yes, stopped, follows int
	no, caught, falsely   int
}

func (n *tally) count(t *testing.T, yes bool, claim, passage, subject string) {
	j := assign.Judge(claim, follow.Passage{Words: passage, Names: []string{subject}})
	if yes {
		n.yes++
		if len(j.Findings) > 0 {
			n.stopped++
			t.Logf("stopped: %+v: %s / %s", j.Findings, claim, passage)
		}
		if j.Verdict == cite.ClaimFollows {
			n.follows++
		}
		return
	}
	n.no++
	if len(j.Findings) > 0 {
		n.caught++
	} else {
		t.Logf("not caught: %s: %s / %s", j.Verdict, claim, passage)
	}
	if j.Verdict == cite.ClaimFollows {
		n.falsely++
	}
}
