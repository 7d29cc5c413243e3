package server

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"muniment/answer"
)

// pairJoints join two sentences of the diary to one; %[1]s and %[2]s are they, %[3]s and %[4]s their marks.
var pairJoints = []string{
	"%[1]s %[3]s and %[2]s %[4]s.", "%[1]s %[3]s, and %[2]s %[4]s.", "%[1]s %[3]s; %[2]s %[4]s.",
	"%[1]s %[3]s, but %[2]s %[4]s.", "%[1]s %[3]s, while %[2]s %[4]s.", "%[1]s, and %[2]s %[3]s%[4]s.",
}

// pairFrames say something else of both sentences than their papers do.
var pairFrames = []string{
	"It is not true that %[5]s %[3]s and %[2]s %[4]s.", "Nobody believes that %[5]s %[3]s and that %[2]s %[4]s.",
	"If %[5]s %[3]s, %[2]s %[4]s.", "%[1]s %[3]s because %[2]s %[4]s.",
}

var (
	// pairStart matches the beginning of a sentence whose first word is written small inside another.
	pairStart = regexp.MustCompile(`^(?:The|A|An|My|His|Her|He|She|We|They|This|In|At|So|Then|After|Up|To|Our|There|It) `)
	pairMarks = regexp.MustCompile(`\s*\[\d+\]`)
)

// small returns a sentence as it is written inside another one, without its end.
func small(s string) string {
	s = strings.TrimSuffix(s, ".")
	if pairStart.MatchString(s) {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// TestSentencesOfTwoMarks has drafts whose sentences rest on two citations each: what repeats both is
// delivered by check and bind, what changes one or puts a frame around them is not.
func TestSentencesOfTwoMarks(t *testing.T) {
	n, bind, years := 5, 2, []string{"1660"}
	if os.Getenv("MUNIMENT_LONG") != "" {
		n, bind, years = 100, 100, []string{"1660", "1661", "1662", "1663"}
	}
	a, key, url, files := serveDiary(t, years...)
	var papers []reachCase
	for _, c := range reachCases(t, files, 4*n, 4*n) {
		if c.kind == unchanged && pairStart.MatchString(c.words) && !strings.Contains(c.words, ";") {
			papers = append(papers, c)
		}
	}
	if len(papers) < 2*n {
		t.Fatalf("%d sentences, want %d", len(papers), 2*n)
	}
	type count struct{ all, checked, tried, bound int }
	counts := map[string]count{} // by kind
	for i := range n {
		session := fmt.Sprintf("pair-%d", i)
		one, two := papers[2*i], papers[2*i+1]
		var marks [2]string
		whole := true
		for k, c := range []reachCase{one, two} {
			_, _, got := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: c.paper, Quote: c.words, Claim: c.words, Session: session})
			marks[k] = fmt.Sprintf("[%v]", got["citation_id"])
			whole = whole && got["verification_status"] == "verified"
		}
		if !whole {
			continue
		}
		first := strings.TrimSuffix(one.words, ".")
		changed := changeOf(two, i)
		for _, d := range []struct{ kind, text string }{
			{"both", fmt.Sprintf(pairJoints[i%len(pairJoints)], first, small(two.words), marks[0], marks[1])},
			{"changed", fmt.Sprintf(pairJoints[i%len(pairJoints)], first, small(changed.claim), marks[0], marks[1])},
			{"frame", fmt.Sprintf(pairFrames[i%len(pairFrames)], first, small(two.words), marks[0], marks[1], small(one.words))},
		} {
			if d.kind == "changed" && changed.kind == unchanged {
				continue
			}
			d.text, _, _ = strings.Cut(d.text, "%!") // a frame may not use all that there is
			status, _, reply := send(t, "POST", url+"/api/v1/check", CheckRequest{Draft: "## Entry\n\n" + d.text + "\n", Profile: "notes", Session: session})
			if status != 200 {
				t.Fatalf("check: %d %v", status, reply)
			}
			plain := pairMarks.ReplaceAllString(d.text, "")
			n := counts[d.kind]
			n.all++
			bullets, _ := reply["bullets"].([]any)
			for _, b := range bullets {
				text, _ := b.(map[string]any)["text"].(string)
				cited, _ := b.(map[string]any)["citations"].([]any)
				if len(cited) > 0 && !strings.Contains(text, "[uncited]") && pairMarks.ReplaceAllString(text, "") == plain {
					n.checked++
				}
			}
			if i < bind {
				bound, err := answer.Bind(t.Context(), a, "## Entry\n\n"+plain+"\n", answer.AskOptions{Signer: key, NoModel: true})
				if err != nil {
					t.Fatal(err)
				}
				n.tried++
				if len(bound.Removed) == 0 && len(bound.Claims) > 0 {
					n.bound++
				}
			}
			counts[d.kind] = n
		}
	}
	t.Logf("%+v", counts)
	for kind, n := range counts {
		if kind != "both" && n.checked+n.bound > 0 {
			t.Errorf("%s: %+v", kind, n)
		}
	}
	if n := counts["both"]; n.all < 5 || n.checked*10 < n.all*9 || n.bound*2 < n.tried {
		t.Errorf("both: %+v", n)
	}
}
