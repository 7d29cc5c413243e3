package answer_test

import (
	"muniment/bundle/leaf"
	"path/filepath"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// TestMoreOfACitation: a citation is named by its handle, the number of its
// claim, or its ID; without a bundle the last answer is meant. What it is called
// changes neither the context nor the charge.
func TestMoreOfACitation(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	if _, err := answer.More(t.Context(), a, "A", "", answer.AskOptions{Signer: s}); err == nil || !strings.Contains(err.Error(), "no answer with a citation") {
		t.Errorf("more of nothing: %v", err)
	}
	first := asked(t, a, answer.AskOptions{Signer: s}, "Who repaired the mill wheel?")
	id := ""
	for _, l := range opened(t, a, first) {
		if src, ok := l.(*leaf.Source); ok {
			id = src.Citation
		}
	}
	spent, tried := 0, 0
	for _, ref := range []string{"A", "a", "Source A", "source a", "1", "1.", "#1", id} {
		for _, file := range []string{first.Bundle, ""} {
			if file == "" { // the last answer is that of more, till the question is asked again
				asked(t, a, answer.AskOptions{Signer: s}, "Who repaired the mill wheel?")
			}
			r, err := answer.More(t.Context(), a, ref, file, answer.AskOptions{Signer: s})
			if err != nil {
				t.Fatalf("%s of %q: %v", ref, file, err)
			}
			if len(r.Claims) != 1 || !strings.Contains(r.Claims[0].Text, "only flour") || tried > 0 && r.Budget.Spent != spent {
				t.Errorf("%s: %d are spent, %d before: %+v", ref, r.Budget.Spent, spent, r.Claims)
			}
			spent = r.Budget.Spent
			tried++
		}
	}
	if tried != 16 {
		t.Errorf("%d tried", tried)
	}
	for _, ref := range []string{"", "B", "0", "2", "-1", "999999999999999999999", "Source", "bagaaierawm3sczbbyd2qepuenfmxrjcpfq3qbl2cjhyiqmbeoz3tcxsbbjua", "1931-04-02.txt"} {
		if _, err := answer.More(t.Context(), a, ref, "", answer.AskOptions{Signer: s}); err == nil {
			t.Errorf("more of %q", ref)
		}
	}
}

// TestMoreOfNearest: the text around a nearest passage is nearest as well, wherever the bundle lies. It reads
// nowhere as supported, and everything about it verifies.
func TestMoreOfNearest(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	seen := 0
	for _, question := range []string{"Where did Tobias Lunt learn to repair the mill wheel?", "Which crate was the telescope from Bremen packed in?", "Who was afraid of the lantern in the chapel?"} {
		for _, elsewhere := range []string{"", filepath.Join(t.TempDir(), "answer.zip")} {
			first := asked(t, a, answer.AskOptions{Signer: s, BundleFile: elsewhere}, question)
			if len(first.Claims) == 0 || first.Claims[0].Role != "nearest" {
				continue
			}
			for _, file := range []string{"", first.Bundle} {
				asked(t, a, answer.AskOptions{Signer: s}, question)
				r, err := answer.More(t.Context(), a, "A", file, answer.AskOptions{Signer: s})
				if err != nil {
					t.Fatalf("%q, bundle %q: %v", question, file, err)
				}
				if len(r.Claims) != 1 || r.Claims[0].Role != "nearest" || r.Claims[0].Rung != "" || r.Outcome != "narrowed" {
					t.Errorf("%q, bundle %q: %s %+v", question, file, r.Outcome, r.Claims)
				}
				opened(t, a, r)
				if _, err := answer.More(t.Context(), a, "A", r.Bundle, answer.AskOptions{Signer: s}); err == nil {
					t.Error("more of more of a nearest passage, without its question")
				}
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("no question had a nearest passage")
	}
}
