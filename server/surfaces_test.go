package server

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/audit/examination"
	"muniment/draft"
	"muniment/draft/contract"
	"muniment/engine"
	"muniment/internal/casecount"
	"muniment/sign"
	"muniment/text/segment"
)

// The kinds of a claim that is made of two clauses of a sentence, of one, and of another sentence of its paper.
const (
	half     = "half"     // one clause
	denied   = "denied"   // both, one of them denied
	stranger = "stranger" // another sentence
)

// joint matches where two clauses of a sentence meet, each of them with a pronoun or an article first.
var joint = regexp.MustCompile(`(?:, (?:and|but)|;) ((?:I|he|she|we|they|there|the|my|his|it|this) .{20,})\.$`)

// stated matches a verb that can be denied.
var stated = regexp.MustCompile(`\b(was|were|is|are|had|have|has|did|will|could)( not)? `)

// joinedCase returns a case of a sentence of two clauses; the case itself where it is none.
func joinedCase(c reachCase, n int) reachCase {
	at := joint.FindStringSubmatchIndex(c.words)
	if at == nil {
		return c
	}
	first, second := c.words[:at[0]], c.words[at[2]:at[3]]
	if n%3 == 0 {
		c.kind, c.claim = half, first+"."
		return c
	}
	if turned := negate(second); n%3 == 1 && turned != second {
		c.kind, c.claim = denied, c.words[:at[2]]+turned+"."
	} else if turned := negate(first); turned != first {
		c.kind, c.claim = denied, turned+c.words[at[0]:]
	}
	return c
}

// negate returns words with a not put after their verb, or taken from there.
func negate(words string) string {
	at := stated.FindStringSubmatchIndex(words)
	if at == nil {
		return words
	}
	verb := words[at[2]:at[3]]
	if at[4] < 0 {
		return words[:at[2]] + verb + " not " + words[at[1]:]
	}
	return words[:at[2]] + verb + " " + words[at[1]:]
}

// plainSentences returns the sentences of a text that can be claims, each of which is there once.
func plainSentences(text string) (out []string) {
	for _, r := range segment.Sentences(text, "en") {
		if s := text[r.Start:r.End]; plainSentence.MatchString(s) && strings.Count(text, s) == 1 {
			out = append(out, s)
		}
	}
	return out
}

// surfaceCases returns claims on sentences of papers, by turns of every kind, at most one of a sentence. strangers are sentences of no paper.
func surfaceCases(papers map[string]string, strangers []string, most int) []reachCase {
	var out []reachCase
	all := strings.Join(slices.Collect(maps.Values(papers)), "\n")
	for round := 0; len(out) < most && round < 30; round++ {
		for i, name := range slices.Sorted(maps.Keys(papers)) {
			plain := plainSentences(papers[name])
			if round >= len(plain) || len(out) >= most {
				continue
			}
			c := joinedCase(reachCase{unchanged, name, plain[round], plain[round]}, i+round)
			if c.kind == half && strings.Count(all, strings.TrimSuffix(c.claim, ".")) > 1 {
				continue // bind finds it where it is a sentence
			}
			switch {
			case c.kind != unchanged || (i+round)%5 == 0:
			case (i+round)%10 == 1:
				c.kind, c.claim = stranger, strangers[(i+round)/10%len(strangers)]
			default:
				c = changeOf(c, i+round)
			}
			out = append(out, c)
		}
	}
	return out
}

// A surfaceVerdict is what one surface says of a claim: verified, unverified or failed, and why.
type surfaceVerdict struct{ status, reason string }

// judgedBy returns what each surface says of the claims, by its name. Claims have sessions of their own.
func judgedBy(t *testing.T, a *archive.Archive, key sign.Signer, url string, stop func(), cases []reachCase) map[string][]surfaceVerdict {
	t.Helper()
	out := map[string][]surfaceVerdict{}
	for i, c := range cases {
		status, _, got := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: c.paper, Quote: c.words, Claim: c.claim, Session: fmt.Sprintf("http-%d", i)})
		if status != 200 {
			t.Fatalf("%+v: %d %v", c, status, got)
		}
		reason, _ := got["reason"].(string)
		out["http"] = append(out["http"], surfaceVerdict{fmt.Sprint(got["verification_status"]), reason})
	}
	stop() // one process writes a ledger at a time
	for i, c := range cases {
		cited := func(claim, session string) (*engine.Engine, *engine.CiteResult) {
			e, err := engine.New(a, engine.Caller{Session: fmt.Sprintf("%s-%d", session, i)})
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: c.paper, Quote: c.words, Claim: claim})
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			return e, r
		}
		check := func(surface string, e *engine.Engine, mark string) {
			k, err := draft.Check(t.Context(), e, strings.TrimSuffix(c.claim, ".")+mark+".\n", draft.CheckOptions{Profile: "notes", NoRepair: mark != ""})
			if err != nil {
				t.Fatal(err)
			}
			out[surface] = append(out[surface], findingOn(k))
		}
		e, r := cited(c.claim, "claim")
		out["cite"] = append(out["cite"], surfaceVerdict{r.VerificationStatus, r.Reason})
		check("check, its own mark", e, fmt.Sprintf(" [%d]", r.CitationID))
		e, r = cited(c.words, "words")
		check("check, the mark of the words", e, fmt.Sprintf(" [%d]", r.CitationID))
		check("check, no mark", e, "")
		b, err := answer.Bind(t.Context(), a, c.claim+"\n", answer.AskOptions{Signer: key, NoModel: true, Requestor: fmt.Sprint("reader ", i)}) // a budget for each
		if err != nil {
			t.Fatal(err)
		}
		out["bind"] = append(out["bind"], boundAs(b))
	}
	return out
}

// firstUnit matches the unit in which a span begins.
var firstUnit = regexp.MustCompile(`^[a-z]\d+`)

// compareExamined examines a text that quotes and states the claims, and returns how many items have a claim, of those how many rest on a statement,
// and the ones on which cite says another word: of a quotation with the words that were found, of a statement with their whole paragraph.
func compareExamined(t *testing.T, a *archive.Archive, cases []reachCase) (items, statements int, differ []string) {
	t.Helper()
	var text strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&text, "As %s has it, “%s”\n\nAccording to %s, %s\n\n", c.paper, c.words, c.paper, c.claim)
	}
	report, err := examination.Examine(t.Context(), examination.Input{Name: "claims.md", Data: []byte(text.String())}, examination.Options{Places: []examination.Place{{Archive: a}}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(a, engine.Caller{Session: "examined"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Items {
		it := &report.Items[i]
		if it.Claim == nil || it.Found == nil {
			continue
		}
		at := it.Found.Span
		if items++; it.Kind == "statement" {
			statements++
			at = firstUnit.FindString(at)
		}
		r, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: it.Found.Artifact, Span: at, Claim: it.Claim.Text})
		if err != nil {
			t.Fatal(err)
		}
		if r.ClaimVerdict != string(it.Claim.Verdict) {
			differ = append(differ, fmt.Sprintf("%s %q: examine %s, %s; cite %s, %s", it.Kind, it.Claim.Text, it.Claim.Verdict, it.Claim.Reason, r.ClaimVerdict, r.Reason))
		}
	}
	return items, statements, differ
}

// findingOn returns what a check says of its one sentence.
func findingOn(k *draft.CheckResult) surfaceVerdict {
	one := surfaceVerdict{status: "unverified"}
	for _, f := range k.Findings {
		if f.Action != contract.ActionCitation {
			one.reason = f.Reason
		}
	}
	switch n := k.Claims; {
	case n.Contradicted > 0:
		one.status = "failed"
	case n.Unverified+n.Unjudged == 0:
		one.status = "verified"
	}
	return one
}

// boundAs returns what a bundle says of its one sentence. One that is delivered in part is not verified.
func boundAs(b *answer.Result) surfaceVerdict {
	one := surfaceVerdict{status: "unverified"}
	for _, x := range b.Removed {
		one.reason = x.Reason
	}
	switch n := b.Counts; {
	case n.Contradicted > 0:
		one.status = "failed"
	case n.Unverified+n.Unjudged == 0:
		one.status = "verified"
	case n.Verified > 0:
		one.reason = "in part: " + one.reason
	}
	return one
}

// TestSurfaces demands one verdict on a claim of cite, of cite over HTTP, of check with a mark and without one and of bind.
func TestSurfaces(t *testing.T) {
	most, nth := 40, 41
	if casecount.Long() {
		most, nth = 5000, 1
	}
	papers, strangers := map[string]string{}, []string{}
	for variable, pattern := range map[string]string{"MUNIMENT_DIARY": "166*/*.txt", "MUNIMENT_QA": "papers/*.txt"} {
		if os.Getenv(variable) == "" {
			t.Skipf("skipped: %s names no folder", variable)
		}
		files, err := filepath.Glob(filepath.Join(os.Getenv(variable), pattern))
		if err != nil || len(files) < 100 {
			t.Fatalf("%s has %d papers: %v", variable, len(files), err)
		}
		for i, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if i%29 == 1 {
				strangers = append(strangers, plainSentences(string(data))...)
			} else if i%nth == 0 {
				papers[filepath.Base(f)] = string(data)
			}
		}
	}
	slices.Sort(strangers)
	cases := surfaceCases(papers, strangers, most)
	a, key := archivetest.New(t, papers)
	archivetest.Seal(t, a, key)
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	said := judgedBy(t, a, key, h.URL, func() { h.Close(); s.Close() }, cases)
	kinds, statuses := map[string]int{}, map[string]int{}
	for i, c := range cases {
		kinds[c.kind]++
		statuses[said["cite"][i].status]++
	}
	t.Logf("%d claims %v, cite says %v", len(cases), kinds, statuses)
	if len(cases) != most || len(kinds) < 8 || min(statuses["verified"], statuses["unverified"], statuses["failed"]) < most/10 {
		t.Errorf("%d claims, want %d of all kinds and verdicts", len(cases), most)
	}
	for _, surface := range slices.Sorted(maps.Keys(said)) {
		status, reason := 0, 0
		for i, v := range said[surface] {
			want := said["cite"][i]
			switch {
			case v.status != want.status:
				if status++; status <= 25 {
					t.Logf("%s: %+v, cite %+v: %s %q of %q", surface, v, want, cases[i].kind, cases[i].claim, cases[i].words)
				}
			case v.reason != "" && want.status != "verified" && !strings.Contains(v.reason, want.reason):
				reason++
				if casecount.Long() {
					t.Logf("%s says %q, cite %q: %s %q of %q", surface, v.reason, want.reason, cases[i].kind, cases[i].claim, cases[i].words)
				}
			}
		}
		t.Logf("%s: %d of another status, %d of another reason", surface, status, reason)
		if status > 0 {
			t.Errorf("%s says of %d claims of %d another word than cite", surface, status, len(cases))
		}
	}
}
