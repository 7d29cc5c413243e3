package answer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/history"
	"muniment/ledger"
)

// TestRefusalsAreLimited: a requestor that is refused too often is told when to ask again; what is answered
// does not count, other requestors and auditors are not held up, and the hour passes.
func TestRefusalsAreLimited(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	l, err := ledger.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(who, question string) error {
		_, err := answer.Ask(context.Background(), a, question, answer.AskOptions{Signer: s, Requestor: who, NoModel: true})
		return err
	}
	now := a.World().Now()
	for i := range answer.MaxRefusals - 1 {
		if err := l.AddRefused("ann lee", now.Add(-time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	const foreign, held = "Which opera did Verdi write in 1871?", "Who repaired the mill wheel?"
	if err := ask("Ann  Lee", held); err != nil {
		t.Fatalf("an answered question: %v", err)
	}
	if err := ask("Ann Lee", foreign); err != nil {
		t.Fatalf("refusal number %d: %v", answer.MaxRefusals, err)
	}
	for _, q := range []string{foreign, held} {
		err := ask("ann lee", q)
		var failure *problem.Error
		if !errors.As(err, &failure) || failure.Kind != problem.Busy || !strings.Contains(failure.Next.Advice, "ask again after") {
			t.Errorf("%q beyond the limit: %v", q, err)
		}
	}
	if err := ask("bob", foreign); err != nil {
		t.Errorf("another requestor: %v", err)
	}
	if n, _, err := l.Refused("bob", now.Add(-time.Hour)); err != nil || n != 1 {
		t.Errorf("%d refusals of bob, %v", n, err)
	}
	if n, _, err := l.Refused("ann lee", now.Add(-answer.RefusalWindow)); err != nil || n != answer.MaxRefusals {
		t.Errorf("%d refusals of ann, %v", n, err)
	}
}

// TestRefusalsAreNotKept: under a signed policy that forbids it no refusal is kept with its reason; the answer
// log, and what the limit counts, go on.
func TestRefusalsAreNotKept(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	count := func() (*answer.RefusalsResult, int) {
		t.Helper()
		r, err := answer.Refusals(a, answer.RefusalsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ledger.Of(a)
		if err != nil {
			t.Fatal(err)
		}
		n, _, err := l.Refused("", time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return r, n
	}
	ask := func(question string) *answer.Result {
		t.Helper()
		r, err := answer.Ask(context.Background(), a, question, answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ask("Which opera did Verdi write in 1871?")
	if r, n := count(); r.Metrics.Refused != 1 || !r.Kept || n != 1 {
		t.Fatalf("%+v, %d", r, n)
	}
	text, err := history.CedarPolicy(a, "")
	if err != nil || text.Staged {
		t.Fatalf("%+v, %v", text, err)
	}
	if _, err := history.CedarPolicy(a, text.Text+"\nforbid (principal, action, resource) when { principal.shoe_size > 3 };\n"); err == nil {
		t.Error("a policy with an unknown attribute was staged")
	}
	if text, err = history.CedarPolicy(a, text.Text+"\nforbid (principal, action == Action::\"log_refusal\", resource);\n"); err != nil || !text.Staged {
		t.Fatalf("%+v, %v", text, err)
	}
	if r, _ := count(); !r.Kept {
		t.Error("a policy that nobody signed is in force")
	}
	archivetest.Seal(t, a, s)
	r := ask("Which opera did Verdi write in 1872?")
	if v, _, err := bundlefile.Check(r.Bundle, bundle.Requirements{}); err != nil || v == nil {
		t.Errorf("the bundle of the refusal: %v", err)
	}
	ask("Who repaired the mill wheel?")
	if r, n := count(); r.Kept || r.Metrics.Refused != 1 || len(r.Events) != 1 || r.Metrics.Questions != 2 || n != 2 {
		t.Errorf("%+v, %d", r, n)
	}
}

// TestSegmentationErrorsAreKept: what was unclear in a draft is counted by its reason, without the draft.
// A sentence that no leaf holds is an error of the draft; code that long asserts nothing and is passed over.
func TestLongSentences(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	long := "The mill " + strings.Repeat("turned and ", 5000) + "stopped."
	for draft, says := range map[string]string{"It rained. " + long: "sentence 2 of the draft has", "The mill wheel has stopped.\n\n```\n" + long + "\n```\n": ""} {
		_, err := answer.Bind(t.Context(), a, draft, answer.AskOptions{Signer: s, NoModel: true})
		if says == "" && err != nil || says != "" && (!errors.Is(err, answer.ErrLongClaim) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%.30s…: %v, want %q", draft, err, says)
		}
	}
}

func TestSegmentationErrorsAreKept(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	var long strings.Builder
	for i := range answer.MaxClaims + 1 {
		fmt.Fprintf(&long, "The mill has %d sails.\n\n", i)
	}
	n := 0
	for _, draft := range []string{"The mill stopped and Tobias Lunt, who repaired it, said that he came and " + strings.Repeat("went and came ", 2000) + "home.", long.String()} {
		n++
		_, err := answer.Bind(context.Background(), a, draft, answer.AskOptions{Signer: s, NoModel: true})
		if (err != nil) != (n == 2) {
			t.Errorf("draft %d: %v", n, err)
		}
	}
	r, err := answer.Refusals(a, answer.RefusalsOptions{})
	if err != nil || len(r.Segmentation) < 2 {
		t.Fatalf("%+v, %v", r.Segmentation, err)
	}
	for _, c := range r.Segmentation {
		if c.Stage != "bind" || c.Texts != 1 || c.Places < 1 || strings.Contains(c.Reason, "mill") {
			t.Errorf("%+v", c)
		}
	}
}
