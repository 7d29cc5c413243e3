package answer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/internal/casecount"
	"muniment/policy"
)

// A changedSentence is a sentence of a paper with sentences that say something else.
type changedSentence struct {
	is      string
	changed []string
}

func readChanged(t *testing.T) (all []changedSentence, n int) {
	t.Helper()
	data, err := os.ReadFile("testdata/changed-drafts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if is, ok := strings.CutPrefix(line, "= "); ok {
			all = append(all, changedSentence{is: is})
		} else if line != "" && line[0] != '#' {
			n++
			all[len(all)-1].changed = append(all[len(all)-1].changed, line)
		}
	}
	return all, n
}

// citeToEnd registers a claim and follows the next steps of the verdicts to their end. It returns the numbers of
// all citations registered on the way, and fails where a step to a citation keeps a false claim.
func citeToEnd(t *testing.T, a *archive.Archive, o engine.CiteOptions) (numbers []int64, steps int) {
	t.Helper()
	claimed := o.Claim
	for range 4 { // steps; none leads farther
		r, err := engine.Cite(a, o)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, r.CitationID)
		if r.VerificationStatus == "verified" && o.Claim == claimed {
			t.Errorf("verified: claim %q, quote %q", o.Claim, o.Quote)
		}
		if r.VerificationStatus == "verified" || r.Next.Do != engine.DoCite {
			break
		}
		steps++
		for i := 0; i+1 < len(r.Next.Args); i += 2 {
			switch v := r.Next.Args[i+1]; r.Next.Args[i] {
			case "claim":
				if o.Claim = v; v == claimed {
					t.Errorf("the next step keeps the claim %q", v)
				}
			case "quote":
				o.Quote = v
			case "span":
				o.Span = v
			}
		}
	}
	return numbers, steps
}

// TestChangedSentencesAreNotDelivered takes sentences that say something else than the papers through cite, the next
// steps of its verdicts, check and bind under every shipped profile, each beside true marks and marks that count for
// nothing: none is covered. The sentences of the papers are delivered.
func TestChangedSentencesAreNotDelivered(t *testing.T) {
	sentences, n := readChanged(t)
	if n < 80 {
		t.Fatalf("%d changed sentences, want 80", n)
	}
	a, s := archivetest.New(t, map[string]string{"other.txt": "Nothing else is known.\n"})
	dir, rows := t.TempDir(), "path,title,publisher,published_at,url,tier\n"
	var paths []string
	for i, one := range sentences {
		name := fmt.Sprintf("paper%d.txt", i)
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[i], []byte(one.is+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		rows += fmt.Sprintf("%s,Paper %d,Gazette,2026-02-10,https://gazette.example/%d,1\n", name, i, i)
	}
	table, err := sourcemeta.ReadCSV("m.csv", []byte(rows))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, paths, accession.AddOptions{Sidecar: table}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s)
	marks := make([]int64, len(sentences)) // of the true citations
	for i, one := range sentences {
		r, err := engine.Cite(a, engine.CiteOptions{Artifact: fmt.Sprintf("paper%d.txt", i), Quote: one.is, Claim: one.is})
		if err != nil || r.VerificationStatus != "verified" {
			t.Fatalf("%q: %+v, %v", one.is, r, err)
		}
		marks[i] = r.CitationID
	}
	var drafted, bare []string // each changed sentence with all marks that a caller may have, and with none
	followed := 0
	for i, one := range sentences {
		other := (i + 1) % len(sentences)
		for _, claim := range one.changed {
			text := strings.TrimSuffix(claim, ".")
			numbers := []int64{marks[i], marks[other]}
			for _, quote := range []string{claim, one.is, strings.Fields(one.is)[2]} {
				more, steps := citeToEnd(t, a, engine.CiteOptions{Artifact: fmt.Sprintf("paper%d.txt", i), Quote: quote, Claim: claim})
				numbers, followed = append(numbers, more...), followed+steps
			}
			slices.Sort(numbers)
			for _, m := range slices.Compact(numbers) {
				text += fmt.Sprintf(" [%d]", m)
			}
			drafted = append(drafted, text+".")
			bare = append(bare, fmt.Sprintf("%s %s [%d]", claim, sentences[other].is, marks[other]))
		}
	}
	if followed == 0 {
		t.Error("no next step was followed")
	}
	for i, name := range profile.Names {
		if !casecount.Long() && i > 1 && name != policy.DefaultProfile && name != "engine" {
			continue
		}
		check := func(text string) *draft.CheckResult {
			r, err := draft.Check(t.Context(), engineOf(t, a), text, draft.CheckOptions{Profile: name, On: "2026-02-11"})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := check(strings.Join(drafted, "\n\n")); r.CoverageAfter != 0 || r.Decision == "deliver" || len(r.Unverified) == 0 {
			t.Errorf("%s: %s, coverage %.3f of changed sentences, %d unverified\n%s", name, r.Decision, r.CoverageAfter, len(r.Unverified), r.Text)
		}
		r := check(strings.Join(bare, "\n\n"))
		if r.CoverageAfter != 0.5 {
			t.Errorf("%s: coverage %.3f beside true sentences, want half\n%s", name, r.CoverageAfter, r.Text)
		}
		if flags := strings.Count(r.Text, "[uncited]"); flags > 0 && (flags != n || r.Report.CitedBullets != n) {
			t.Errorf("%s: %d flags of %d changed sentences, %d of %d true ones keep their mark", name, flags, n, r.Report.CitedBullets, n)
		}
		if r.RemovedSentences+strings.Count(r.Text, "[uncited]") != n && r.Decision != "abstain" && r.Decision != "retry" {
			t.Errorf("%s: %d sentences removed, want %d, each counted", name, r.RemovedSentences, n)
		}
		var truth strings.Builder
		for i, one := range sentences {
			if heading := map[int]string{0: "Prevailing View", 5: "Counterarguments", 10: "Minority View", 15: "What to Watch"}[i]; name == "market-brief" && heading != "" {
				truth.WriteString("## " + heading + "\n\n")
			}
			fmt.Fprintf(&truth, "%s [%d]\n\n", one.is, marks[i])
		}
		if r := check(truth.String()); r.Decision != "deliver" || r.Report.CitedBullets != len(sentences) || len(r.Findings) > 0 {
			t.Errorf("%s: %s, %d of %d true sentences\n%+v", name, r.Decision, r.Report.CitedBullets, len(sentences), r.Findings)
		}
		if name != policy.DefaultProfile && name != "engine" {
			continue // bind runs the same check first
		}
		for i, text := range []string{strings.Join(drafted, "\n\n"), truth.String()} {
			r, err := answer.Bind(t.Context(), a, text, answer.AskOptions{Signer: s, Profile: name})
			switch {
			case i == 0 && err == nil:
				for _, c := range r.Claims {
					if len(c.Citations) > 0 && !strings.Contains(truth.String(), strings.TrimSuffix(c.Text, ".")) {
						t.Errorf("%s: bind delivers %q as %s", name, c.Text, c.Rung)
					}
				}
			case i == 1 && name == policy.DefaultProfile && (err != nil || len(r.Claims) != len(sentences)):
				t.Errorf("%s: bind: %v", name, err)
			}
		}
	}
}
