package answer_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/engine"
	"muniment/internal/casecount"
)

// A referentCase is what a draft says before a claim, and the paper that has the claim.
type referentCase struct {
	said, paper, claim string
	other              bool // the draft's pronoun means somebody or something else
}

// referentCases returns the cases of the judge's own set, and each false one with what the next false one says before.
func referentCases(t *testing.T) (out []referentCase) {
	t.Helper()
	data, err := os.ReadFile("../judge/testdata/own/referents.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(string(data))) {
		if line[0] != '#' {
			f := strings.Split(strings.TrimSpace(line[2:]), " | ")
			out = append(out, referentCase{f[0], strings.ReplaceAll(f[1], " ¶ ", "\n\n"), f[2], line[0] == '-'})
		}
	}
	var wrong []referentCase
	for _, c := range out {
		if c.other {
			wrong = append(wrong, c)
		}
	}
	for i, c := range wrong {
		for k := 1; k < len(wrong); k++ {
			if next := wrong[(i+k)%len(wrong)]; c.claim[:2] == next.claim[:2] && !strings.Contains(c.paper, secondWordOf(next.said)) {
				out = append(out, referentCase{next.said, c.paper, c.claim, true})
				break
			}
		}
	}
	return out
}

// secondWordOf returns the noun or name after the first word of a sentence.
func secondWordOf(said string) string {
	words := strings.Fields(strings.TrimSuffix(said, "."))
	return words[1]
}

// TestReferentsOfDrafts hands drafts whose he, she, his or it is somebody or something else to check, with marks and without, and to bind: none is delivered.
func TestReferentsOfDrafts(t *testing.T) {
	cases := referentCases(t)
	all, delivered := map[bool]int{}, map[string]int{}
	for i, c := range cases {
		if i%casecount.Of(4, 1) != 0 {
			continue
		}
		a, s := archivetest.New(t, map[string]string{"paper.txt": c.paper + "\n"}) // of its own, as the same words in another paper may be about whom the draft means
		archivetest.Seal(t, a, s)
		e, err := engine.New(a, engine.Caller{Session: fmt.Sprint("case ", i)})
		if err != nil {
			t.Fatal(err)
		}
		quote := c.claim
		if !strings.Contains(c.paper, quote) { // within a sentence
			quote = strings.ToLower(quote[:1]) + quote[1:]
		}
		cited, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: "paper.txt", Quote: quote, Claim: c.claim})
		if err != nil {
			t.Fatal(err)
		}
		all[c.other]++
		note := func(where string, is bool) {
			if is {
				delivered[fmt.Sprint(where, " other ", c.other)]++
			}
			if is && c.other {
				t.Errorf("%s delivers %q after %q, of %q", where, c.claim, c.said, c.paper)
			}
		}
		for _, mark := range []string{fmt.Sprintf(" [%d]", cited.CitationID), ""} {
			r, err := draft.Check(t.Context(), e, c.said+" "+c.claim+mark+"\n", draft.CheckOptions{Profile: "notes"})
			if err != nil {
				t.Fatal(err)
			}
			note("check"+mark[:min(2, len(mark))], strings.Contains(strings.ReplaceAll(r.Text, " [", "["), c.claim+"[") && !strings.Contains(r.Text, c.claim+" [uncited]"))
		}
		b, err := answer.Bind(t.Context(), a, c.said+" "+c.claim+"\n", answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		bound := false
		for _, claim := range b.Claims {
			bound = bound || claim.Text == c.claim && claim.Rung != "refused"
		}
		note("bind", bound)
	}
	t.Logf("%d drafts mean somebody else, %d do not; delivered: %v", all[true], all[false], delivered)
	if least := casecount.Of(14, 60); all[true] < least || all[false] < least/2 {
		t.Errorf("%d and %d drafts, want %d and %d at least", all[true], all[false], least, least/2)
	}
}
