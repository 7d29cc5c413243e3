package answer_test

import (
	"fmt"
	"muniment/bundle/leaf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/audit"
	"muniment/bundle"
	"muniment/cite"
	"muniment/history"
)

// TestQuestionsAboutRecords: a question about a record is answered from it, by a
// citation of the field, in a bundle that verifies; what the requestor may not
// know of is neither named nor counted, and what no record says is asked of the
// texts.
func TestQuestionsAboutRecords(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	dir := t.TempDir()
	file := filepath.Join(dir, "coal.txt")
	if err := os.WriteFile(file, []byte("Coal is dear this year.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	table, err := sourcemeta.ReadCSV("m.csv", []byte("path,title,creators,publisher,published_at,url\ncoal.txt,Report on Coal,Jane Roe; Ines Roth,Weir Press,1935-01-05,https://example.org/coal\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{Sidecar: table}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s, history.ConsentOptions{Artifacts: []string{"1936-05-03.txt"}, Preset: "hidden"}, history.ConsentOptions{Artifacts: []string{"1935-08-16.txt"}, Preset: "auditor-only"})
	cases := []struct {
		question, text string // "" where no record answers
		relation       cite.Relation
	}{
		{"When was the Report on Coal published?", "“Report on Coal” is dated 1935-01-05.", cite.MetadataFact},
		{"Who wrote the “Report on Coal”?", "“Report on Coal” is by Jane Roe, Ines Roth.", cite.MetadataFact},
		{"Which publisher issued the Report on Coal?", "“Report on Coal” was published by Weir Press.", cite.MetadataFact},
		{"When was the letter of 2 April 1931 written?", "", ""},
		{"When was the document of 2 April 1931 written?", "“1931-04-02.txt” is dated 1931-04-02.", cite.MetadataFact},
		{"When was 1931-04-02.txt written?", "“1931-04-02.txt” is dated 1931-04-02.", cite.MetadataFact},
		{"When was 1936-05-03.txt written?", "", ""}, // hidden
		{"When was 1935-08-16.txt written?", "", ""}, // not to be shown
		{"When was this document written?", "", ""},  // there are several
		{"Who wrote the document of 2 April 1931?", "", ""},
		{"How many documents are there from 1931?", "The archive holds 2 papers dated 1931: “1931-03-14.txt” (1931-03-14); “1931-04-02.txt” (1931-04-02).", cite.Aggregation},
		{"How many documents are there in the archive?", "The archive holds 5 papers: “1931-03-14.txt” (1931-03-14); “1931-04-02.txt” (1931-04-02); “Report on Coal” (1935-01-05); “1937-01-09.txt” (1937-01-09); a paper whose name may not be shown.", cite.Aggregation}, // of six
		{"How many reports are there?", "The archive holds 1 report: “Report on Coal” (1935-01-05).", cite.Aggregation},
		{"How many documents are there from 1936?", "", ""}, // the hidden one
	}
	for _, c := range cases {
		r := asked(t, a, answer.AskOptions{Signer: s}, c.question)
		if c.text == "" {
			if len(r.Claims) > 0 && r.Claims[0].Citations[0].Relation != string(cite.DirectQuote) {
				t.Errorf("%s: %+v", c.question, r.Claims)
			}
			continue
		}
		if len(r.Claims) != 1 || r.Claims[0].Text != c.text || r.Outcome != string(cite.Supported) {
			t.Errorf("%s: %s %+v, want %q", c.question, r.Outcome, r.Claims, c.text)
			continue
		}
		for _, l := range opened(t, a, r) {
			if g, ok := l.(*leaf.Gate); ok && g.Claim == 1 && g.Stage == leaf.StageCoverage && (g.Inputs.Relation != c.relation || g.Rung != cite.Supported) {
				t.Errorf("%s: %+v", c.question, g)
			}
			if src, ok := l.(*leaf.Source); ok && (!strings.HasPrefix(src.Span, cite.MetaPrefix) || src.Artifact != src.Record) {
				t.Errorf("%s: source %s %s", c.question, src.Artifact, src.Span)
			}
		}
		id, err := history.ArchivistIdentity(a)
		if err != nil {
			t.Fatal(err)
		}
		v, err := audit.VerifyBundleInArchive(a, r.Bundle, audit.VerifyOptions{Identities: id})
		if err != nil || v.Verdict == bundle.Invalid {
			t.Errorf("%s: %+v, %v", c.question, v, err)
		}
		if _, err := answer.More(t.Context(), a, r.Claims[0].Citations[0].Handle, r.Bundle, answer.AskOptions{Signer: s}); err == nil {
			t.Errorf("%s: more of a field", c.question)
		}
	}
	if len(cases) != 14 {
		t.Errorf("%d cases", len(cases))
	}
	if r := asked(t, a, answer.AskOptions{Signer: s}, "When was the Report on Coal published, and who repaired the mill wheel?"); len(r.Claims) != 2 {
		t.Errorf("a question in two parts: %+v", r)
	}
	r := asked(t, a, answer.AskOptions{Signer: s, Auditor: true}, "Who wrote the Report on Coal?")
	if len(r.Claims) != 1 || len(r.Claims[0].Citations) != 3 || r.Claims[0].Citations[2].Span != "meta:source.creators.2:0-9" {
		t.Errorf("for auditors: %+v", r.Claims)
	}

	// A sealed person is not named by a record either.
	archivetest.Seal(t, a, s, history.ConsentOptions{Person: "Ines Roth", State: "sealed"})
	for _, c := range asked(t, a, answer.AskOptions{Signer: s}, "Who wrote the Report on Coal?").Claims {
		if c.Role != string(cite.RoleNearest) || strings.Contains(fmt.Sprint(c), "Roth") {
			t.Errorf("a sealed person: %+v", c)
		}
	}
}
