package server

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
	"muniment/text/segment"
)

// A reachCase is a sentence of the diary, and what a draft makes of it.
type reachCase struct{ kind, paper, words, claim string }

// unchanged is the kind of a claim that repeats its sentence.
const unchanged = "unchanged"

// reachPerDraft is how many claims one draft has, each under a heading of its own.
const reachPerDraft = 10

// serveDiary serves an archive of the diary's years.
func serveDiary(t *testing.T, years ...string) (*archive.Archive, sign.Signer, string, []string) {
	t.Helper()
	dir := os.Getenv("MUNIMENT_DIARY")
	if dir == "" {
		t.Skip("skipped: MUNIMENT_DIARY does not name the folder of the diary")
	}
	var folders, files []string
	for _, y := range years {
		more, err := filepath.Glob(filepath.Join(dir, y, "*.txt"))
		if err != nil || len(more) == 0 {
			t.Fatalf("MUNIMENT_DIARY has no year %s: %v", y, err)
		}
		folders, files = append(folders, filepath.Join(dir, y)), append(files, more...)
	}
	key, _ := archivetest.NewSigner(t)
	a, err := archive.Init(filepath.Join(t.TempDir(), "diary"), archive.InitOptions{Subject: "Samuel Pepys", Aliases: []string{"Pepys"}}, archivetest.World())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if _, err := accession.Add(t.Context(), a, folders, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "the diary", Signer: key}); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.Close(); s.Close() })
	return a, key, h.URL, files
}

// plainSentence matches a sentence of one paragraph of the diary that is as long as a claim and has neither brackets nor quotation marks.
var plainSentence = regexp.MustCompile(`^[A-Z][^\n“”"‘()\[\]{}:?!—]{24,180}\.$`)

// The changes of a sentence, each of which makes it say something else.
var reachChanges = []struct {
	kind string
	find *regexp.Regexp
	with string
}{
	{"number", regexp.MustCompile(`\b(two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|hundred)\b`), "eleven"},
	{"amount", regexp.MustCompile(`\b[1-9][0-9]*(l|s|d)\.`), "77$1."},
	{"negation", regexp.MustCompile(`\b(was|were|is|are|had|have|did|will|could) ([a-z]+)`), "$1 not $2"},
	{"name", regexp.MustCompile(`\b(Mr|Mrs|Sir|Lord|Lady|Captain|Dr)(\.?) ([A-Z]\.? ?)?[A-Z][a-z]+`), "$1$2 Quillfeather"},
	{"place", regexp.MustCompile(`\bat (the )?[A-Z][a-z]+`), "at Ravenglass"},
	{"day", regexp.MustCompile(`\b(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Lord’s day)\b`), "Ascension Day"},
	{"report", regexp.MustCompile(`^.*\b(told me|tells me|says|said|believe|hear|hope|fear|think) that (.{24,})$`), "$2"},
	{"condition", regexp.MustCompile(`^(If|Unless) .*, (.{24,})$`), "$2"},
	{"exception", regexp.MustCompile(`,? (except|but only|only|unless|if) .*$`), "."},
	{"added", regexp.MustCompile(`\b(my|his|her|the) (wife|father|brother|Lord|house|coach|office|park|church)\b`), "$1 wretched $2"},
}

// reachCases returns sentences of the files, spread over them: some as they are, some with one change.
func reachCases(t *testing.T, files []string, changed, same int) []reachCase {
	t.Helper()
	var out []reachCase
	kinds := map[string]int{}
	for round := 0; len(out) < changed+same && round < 40; round++ {
		for i, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var plain []string
			for _, r := range segment.Sentences(string(data), "en") {
				if s := string(data)[r.Start:r.End]; plainSentence.MatchString(s) {
					plain = append(plain, s)
				}
			}
			if round >= len(plain) {
				continue
			}
			words := plain[round]
			one := reachCase{unchanged, filepath.Base(file), words, words}
			if (i+round)%2 == 1 {
				one = changeOf(one, i+round)
			}
			most := same
			if one.kind != unchanged {
				most = (changed + len(reachChanges) - 1) / 3
			}
			if kinds[one.kind] < most && (one.kind == unchanged || len(out)-kinds[unchanged] < changed) {
				kinds[one.kind]++
				out = append(out, one)
			}
		}
	}
	return out
}

// changeOf returns a case with the first change that its words allow, from the nth on.
func changeOf(c reachCase, n int) reachCase {
	for k := range reachChanges {
		change := reachChanges[(n+k)%len(reachChanges)]
		at := change.find.FindStringSubmatchIndex(c.words)
		if at == nil {
			continue
		}
		claim := c.words[:at[0]] + string(change.find.ExpandString(nil, change.with, c.words, at)) + c.words[at[1]:]
		claim = strings.ToUpper(claim[:1]) + claim[1:]
		if claim != c.words && len(claim) > 24 {
			c.kind, c.claim = change.kind, claim
			return c
		}
	}
	return c
}

// TestReach registers claims about the diary, runs the call that each reply names, and hands drafts of these claims with their marks to
// check and to bind: what is changed is never delivered, what repeats its sentence is.
func TestReach(t *testing.T) {
	changed, same, least, years := 10, 10, 90, []string{"1660"} // one claim of 10 is 10 %
	if os.Getenv("MUNIMENT_LONG") != "" {
		changed, same, least, years = 2000, 2000, 98, []string{"1660", "1661", "1662", "1663", "1664", "1665", "1666", "1667", "1668", "1669"}
	}
	a, key, url, files := serveDiary(t, years...)
	cases := reachCases(t, files, changed, same)
	marks := make([]string, len(cases))
	failed, named := 0, 0
	for i, c := range cases {
		_, _, got := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: c.paper, Quote: c.words, Claim: c.claim, Session: sessionOf(i)})
		marks[i] = fmt.Sprintf("[%v]", got["citation_id"])
		if verified := got["verification_status"] == "verified"; verified {
			if c.kind != unchanged {
				t.Errorf("cite verifies %s: %q of %q", c.kind, c.claim, c.words)
			}
			continue
		}
		failed++
		next, ok := got["next_call"].(map[string]any)
		if !ok {
			continue
		}
		named++
		if next["method"] == "POST" {
			if arguments, ok := next["arguments"].(map[string]any); ok {
				arguments["session"] = sessionOf(i)
			}
			status, _, reply := send(t, "POST", url+next["path"].(string), next["arguments"])
			if status != 200 {
				t.Errorf("next_call of %q: %d %v", c.claim, status, reply)
			}
			if id, ok := reply["citation_id"]; ok {
				marks[i] += fmt.Sprintf("[%v]", id)
			}
		}
	}
	all, delivered := map[string]int{}, map[string]map[string]int{"check": {}, "bind": {}}
	missed := 0
	for from := 0; from < len(cases); from += reachPerDraft {
		part := cases[from:min(len(cases), from+reachPerDraft)]
		var marked, plain strings.Builder
		for i, c := range part {
			fmt.Fprintf(&marked, "## Entry\n\n%s %s\n\n", c.claim, marks[from+i])
			fmt.Fprintf(&plain, "## Entry\n\n%s\n\n", c.claim)
		}
		status, _, checked := send(t, "POST", url+"/api/v1/check", CheckRequest{Draft: marked.String(), Profile: "notes", Session: sessionOf(from)})
		if status != 200 {
			t.Fatalf("check: %d %v", status, checked)
		}
		bound, err := answer.Bind(t.Context(), a, plain.String(), answer.AskOptions{Signer: key, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range part {
			all[c.kind]++
			for where, is := range map[string]bool{"check": isChecked(checked, c.claim), "bind": isBound(bound, c.claim)} {
				if is {
					delivered[where][c.kind]++
				}
				if is == (c.kind == unchanged) {
					continue
				}
				if missed++; missed <= 60 {
					t.Logf("%s delivers %v: %s %q of %q", where, is, c.kind, c.claim, c.words)
				}
			}
		}
	}
	t.Logf("%d claims %v: %d are not verified, of which %d name a call; delivered %v", len(cases), all, failed, named, delivered)
	if len(cases) != changed+same || named*10 < failed*9 {
		t.Errorf("%d claims of %d, %d of %d name a call", len(cases), changed+same, named, failed)
	}
	for where, n := range delivered {
		for kind, count := range n {
			if kind != unchanged && count > 0 {
				t.Errorf("%s delivers %d changed claims of the kind %s", where, count, kind)
			}
		}
		if n[unchanged]*100 < all[unchanged]*least {
			t.Errorf("%s delivers %d of %d unchanged claims", where, n[unchanged], all[unchanged])
		}
	}
}

// sessionOf returns the session of the draft that has a claim.
func sessionOf(i int) string { return fmt.Sprintf("draft-%d", i/reachPerDraft) }

// isChecked reports whether a checked draft keeps a claim, with a citation.
func isChecked(reply map[string]any, claim string) bool {
	bullets, _ := reply["bullets"].([]any)
	for _, b := range bullets {
		one, _ := b.(map[string]any)
		text, _ := one["text"].(string)
		if cited, _ := one["citations"].([]any); len(cited) > 0 && strings.HasPrefix(strings.ReplaceAll(text, " [", "["), claim+"[") {
			return true
		}
	}
	return false
}

// isBound reports whether a bundle has a claim as supported or labeled.
func isBound(r *answer.Result, claim string) bool {
	for _, c := range r.Claims {
		if strings.Contains(c.Text, strings.TrimSuffix(claim, ".")) && (c.Rung == "supported" || c.Rung == "labeled") {
			return true
		}
	}
	return false
}
