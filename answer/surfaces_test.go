package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/engine"
	"muniment/internal/casecount"
)

// A surfacePair is a sentence of a paper, and a claim that is made of it.
type surfacePair struct{ paper, sentence, claim string }

// surfacePapers is how many papers of 39 pairs there are; with 130 of them, more than 5,000 pairs, the test takes minutes.
var surfacePapers = casecount.Of(2, 130)

// makePairs returns papers of sentences that nobody else has, by name, and the claims on each: as it is, with one thing changed, with its scope or a
// restriction left out, in another order.
func makePairs() (papers map[string]string, pairs []surfacePair) {
	papers = map[string]string{}
	verbs := []string{"sold", "carried", "counted", "painted", "buried"}
	for i := range surfacePapers {
		name := fmt.Sprintf("paper-%02d.txt", i)
		var text strings.Builder
		for k, verb := range verbs {
			who, thing, place := word("Ar", i*7+k), word("el", i*11+k+300), word("Um", i*13+k+700)
			number := 12 + i + 50*k
			core := fmt.Sprintf("%s %s %d %ss", who, verb, number, thing)
			sentence := core + " in " + place
			forms := []string{sentence + ".", core + ".", strings.Replace(sentence, fmt.Sprint(number), fmt.Sprint(number+3), 1) + ".",
				fmt.Sprintf("%s never %s %d %ss in %s.", who, verb, number, thing, place), fmt.Sprintf("In %s %s %s %d %ss.", place, who, verb, number, thing),
				fmt.Sprintf("%d %ss %s %s in %s.", number, thing, verb, who, place), fmt.Sprintf("%s %s %d grey %ss in %s.", who, verb, number, thing, place)}
			switch k {
			case 1:
				sentence = "The clerk of " + place + " swore that " + sentence
				forms = append(forms, sentence+".")
			case 2:
				sentence = "If the river falls, " + sentence
				forms = append(forms, sentence+".")
			case 3:
				sentence += " for the widows of the parish"
				forms = append(forms, sentence+".")
			case 4:
				sentence += ", although nobody had asked for it"
				forms = append(forms, sentence+".")
			}
			text.WriteString(sentence + ".\n\n")
			for _, f := range forms {
				pairs = append(pairs, surfacePair{name, sentence + ".", f})
			}
		}
		papers[name] = text.String()
	}
	return papers, pairs
}

// word returns a made name that is no word.
func word(begin string, n int) string {
	out := begin
	for range 3 {
		out += string("bdgklmnprt"[n%10]) + string("aeiou"[n/10%5])
		n = n*3 + 7
	}
	return out + "x"
}

// TestSurfaces demands one verdict on a claim of cite, of why, of check, of repair and of bind.
func TestSurfaces(t *testing.T) {
	papers, pairs := makePairs()
	a, s := archivetest.New(t, papers)
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{Session: "all"})
	if err != nil {
		t.Fatal(err)
	}
	follows, different := 0, 0
	said := map[string]bool{} // by claim, whether cite verifies it
	own := map[string]int64{} // citations of sentences in their own words
	differ := func(where string, p surfacePair, got bool) {
		if got != said[p.claim] {
			if different++; different <= 20 {
				t.Errorf("%s says %v, cite %v: %q of %q", where, got, said[p.claim], p.claim, p.sentence)
			}
		}
	}
	for _, p := range pairs {
		r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: p.paper, Quote: p.sentence, Claim: p.claim})
		if err != nil {
			t.Fatal(err)
		}
		if said[p.claim] = r.VerificationStatus == "verified"; said[p.claim] {
			follows++
		}
		if p.claim == p.sentence {
			own[p.sentence] = r.CitationID
		}
		why, err := e.Citations().Why(fmt.Sprint(r.CitationID))
		if err != nil {
			t.Fatal(err)
		}
		if why.Reason != r.Reason || why.ClaimVerdict != r.ClaimVerdict {
			differ("why", p, !said[p.claim])
		}
	}
	byPaper := map[string][]surfacePair{}
	for _, p := range pairs {
		byPaper[p.paper] = append(byPaper[p.paper], p)
	}
	for name, list := range byPaper {
		var marked, bare, plain strings.Builder
		for _, p := range list {
			fmt.Fprintf(&marked, "- %s [%d]\n", strings.TrimSuffix(p.claim, "."), own[p.sentence])
			fmt.Fprintf(&bare, "- %s\n", strings.TrimSuffix(p.claim, "."))
			plain.WriteString(p.claim + "\n\n")
		}
		for where, text := range map[string]string{"check": marked.String(), "repair": bare.String()} {
			r, err := draft.Check(t.Context(), e, text, draft.CheckOptions{Profile: "notes", NoRepair: where == "check"})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				differ(where, p, isKept(r, p.claim))
			}
		}
		b, err := answer.Bind(t.Context(), a, plain.String(), answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		supported := map[string]bool{}
		for _, c := range b.Claims {
			supported[c.Text] = supported[c.Text] || c.Rung == "supported"
		}
		for _, p := range list {
			differ("bind in "+name, p, supported[p.claim])
		}
	}
	t.Logf("%d pairs, %d follow, %d different verdicts over five surfaces", len(pairs), follows, different)
	if len(pairs) < 39*surfacePapers || follows < 8*surfacePapers || follows > len(pairs)/2 {
		t.Errorf("%d pairs, of which %d follow", len(pairs), follows)
	}
}

// isKept reports whether the text of a checked draft keeps a claim with a mark of a citation.
func isKept(r *draft.CheckResult, claim string) bool {
	for line := range strings.Lines(r.Text) {
		if rest, ok := strings.CutPrefix(line, "- "+strings.TrimSuffix(claim, ".")+" ["); ok && rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return false
}
