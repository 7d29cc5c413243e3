package judge_test

import (
	"strings"
	"testing"

	"muniment/judge"
)

// TestEmbeddedQuotations quotes clauses of what somebody says, believes or wants, in [ ] in their paper, and holds whether the sentence that uses them
// leaves that out.
func TestEmbeddedQuotations(t *testing.T) {
	n := 0
	for _, c := range []struct {
		paper, said string
		cut         bool
	}{
		{"The miller contends that [the weir was raised by a foot]. We saw no sign of it.", "The report states that “…”.", true},
		{"The miller contends that [the weir was raised by a foot]. We saw no sign of it.", "The miller contends that “…”.", false},
		{"We found that [the weir was raised by a foot].", "The report states that “…”.", false},
		{"Mr Poll had it from the carrier that [the weir was raised by a foot].", "The minutes say that “…”.", true},
		{"I know that [the weir was raised by a foot].", "She writes: “…”.", false},
		{"We have been told that these rules will [ruin the honest trade].", "The court found that the rules would “…”.", true},
		{"It recommends [that no horse be bought] until the spring.", "The report says “…”.", true},
		{"We cannot share the belief of Brand (1916) [that the fish are poisoned].", "The authors confirm “…”.", true},
		{"Der Wirt will gesehen haben, [daß der Müller rauchte]; niemand sonst hat es gesehen.", "Der Bericht stellt fest, „…“.", true},
		{"Die Leitung ließ mitteilen, die Forderungen seien [maßlos und von Fremden eingegeben].", "Das Blatt nannte die Forderungen „…“.", true},
		{"Die Behauptung von Gerber, [die Bücher seien durchweg diktiert worden], trifft nicht zu.", "Lorenz bestätigt: „…“.", true},
		{"Es steht fest, [dass die Brücke gesperrt war].", "Der Bericht sagt, „…“.", false},
	} {
		n++
		before, rest, _ := strings.Cut(c.paper, "[")
		words, after, _ := strings.Cut(rest, "]")
		why := judge.LeftOut(judge.Passage{Before: before, Words: words, After: after}, judge.Use{Said: c.said, Around: c.said})
		if (why != "") != c.cut {
			t.Errorf("%s: %s: %q, want cut %v", c.paper, c.said, why, c.cut)
		}
	}
	if n != 12 {
		t.Errorf("%d sentences", n)
	}
}

// TestSeparateOpinion quotes from a dissent, which is not the court's word.
func TestSeparateOpinion(t *testing.T) {
	const paper = "We reverse. The rule is old.\n\nHARGROVE, J., dissenting. The old rule is a bad rule.\n"
	n := 0
	for said, want := range map[string]bool{"The court held that “…”.": true, "Judge Hargrove, in dissent, called it so: “…”.": false, "The dissent says: “…”.": false} {
		n++
		at := strings.Index(paper, "The old rule")
		if got := judge.SeparateOpinion(paper, at, judge.Use{Said: said}); (got != "") != want {
			t.Errorf("%s: %q", said, got)
		}
		if got := judge.SeparateOpinion(paper, strings.Index(paper, "The rule"), judge.Use{Said: said}); got != "" {
			t.Errorf("%s: the opinion of the court: %q", said, got)
		}
	}
	if n != 3 {
		t.Errorf("%d sentences", n)
	}
}
