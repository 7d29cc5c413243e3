package answer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/sign"

	"github.com/google/go-cmp/cmp"
)

// Among papers that answer the same question, a hidden one changes nothing of
// what its requestor gets: neither the words, nor what is removed, nor the
// number of handles, the size of the bundle, the budget or the step of time.
func TestHiddenAmongOthers(t *testing.T) {
	// More passages than a question looks at are hidden.
	crowd := strings.Repeat("Tobias Lunt repaired the mill wheel.\n\nThe mill wheel was painted green.\n\n", 30)
	files := map[string]string{"1938-02-02.txt": "2 February 1938\n\nTobias Lunt repaired the mill wheel again. The brass telescope was sold.\n\n" + crowd,
		"1938-03-03.txt": "3 March 1938\n\nThe mill wheel was painted green by Tobias Lunt.\n"}
	for name, text := range archivetest.Papers {
		files[name] = text
	}
	secret := "1938-02-02.txt"
	hidden, s := archivetest.New(t, files)
	archivetest.Seal(t, hidden, s, history.ConsentOptions{Artifacts: []string{secret}, Preset: "hidden"})
	delete(files, secret)
	absent, s2 := archivetest.New(t, files)
	archivetest.Seal(t, absent, s2)
	// What a requestor sees, without what is drawn at random.
	see := func(a *archive.Archive, s sign.Signer, o answer.AskOptions, question string, bind bool) (*answer.Result, []string) {
		o.Signer = s
		ask := answer.Ask
		if bind {
			ask = answer.Bind
		}
		r, err := ask(context.Background(), a, question, o)
		if err != nil {
			t.Fatal(err)
		}
		shape := publicShape(t, r.Bundle)
		var handles []string
		for i := range r.Claims {
			for j := range r.Claims[i].Citations {
				handles = append(handles, r.Claims[i].Citations[j].Handle)
				r.Claims[i].Citations[j].Handle = ""
			}
		}
		slices.Sort(handles)
		if r.Contract != nil { // of an answer, not of a draft
			for i := range r.Contract.Sources {
				r.Contract.Sources[i].Handle = ""
			}
			for i := range r.Contract.Retrieval.Results {
				r.Contract.Retrieval.Results[i].Handle = ""
			}
		}
		r.Bundle, r.BundleID, r.Snapshot, r.Nonce = "", "", "", ""
		if r.Searched != nil { // all of each archive's own snapshot
			r.Searched.Snapshot = ""
		}
		return r, append(shape, handles...)
	}
	asked, answered, nearest, neighbours, required := 0, 0, 0, 0, true // which tells how similar the best passage is
	for _, o := range []answer.AskOptions{{}, {Requestor: "Ann", Tier: "researcher"}, {Requestor: "Ann", Profile: "builder", CitationsRequired: &required}} {
		for _, q := range []string{
			"Who repaired the mill wheel?", "When was the brass telescope sold?", "What happened on 2 February 1938?",
			"Who repaired the mill wheel, and when was the brass telescope sold?", "Where did the brass telescope come from?",
			"What happened to the mill wheel?", "Who painted the mill wheel green?", "Who painted the brass chapel of Tobias in the snow?",
			"Where did Tobias Lunt learn to repair the mill wheel?", "Who taught Tobias Lunt to paint the mill wheel green?", "Which crate was the brass telescope from Bremen packed in?",
			"Which violin was sold on 3 February 1938?", "Which violin was played in Bremen in February 1938?",
		} {
			x, xs := see(hidden, s, o, q, false)
			y, ys := see(absent, s2, o, q, false)
			if d := cmp.Diff(y, x); d != "" {
				t.Errorf("%q (-absent +hidden):\n%s", q, d)
			}
			if d := cmp.Diff(ys, xs); d != "" {
				t.Errorf("%q: public shape (-absent +hidden):\n%s", q, d)
			}
			asked++
			xb, err := json.Marshal(x)
			yb, err2 := json.Marshal(y)
			if err != nil || err2 != nil || !bytes.Equal(xb, yb) {
				t.Errorf("%q: not the same bytes: %v %v\n%s\n%s", q, err, err2, xb, yb)
			}
			if len(x.Claims) > 0 {
				answered++
				if x.Claims[0].Role == "nearest" {
					nearest++
				}
			}
			if x.Refusal != nil && strings.Contains(strings.Join(x.Refusal.Suggestions, "\n"), ".txt") {
				neighbours++
			}
		}
		if o.Profile != "" {
			continue // drafts under a profile cite what is on file
		}
		draft := "Tobias Lunt repaired the mill wheel. The brass telescope was sold. The mill wheel was painted green."
		x, xs := see(hidden, s, o, draft, true)
		y, ys := see(absent, s2, o, draft, true)
		if d := cmp.Diff(y, x) + cmp.Diff(ys, xs); d != "" {
			t.Errorf("a draft (-absent +hidden):\n%s", d)
		}
	}
	if asked != 39 || answered < 4 || nearest < 4 || neighbours < 2 {
		t.Errorf("%d asked, %d answered, %d with nearest passages, %d refusals that name a paper", asked, answered, nearest, neighbours)
	}
	t.Logf("%d asked, %d answered, %d with nearest passages, %d refusals that name a paper", asked, answered, nearest, neighbours)
}

// Whatever was removed, and whyever, the answer takes whole steps of time; what
// was not takes as long as it takes.
func TestSettle(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	var slept []time.Duration
	w := archive.World{Now: func() time.Time { return now }, Sleep: func(d time.Duration) { slept = append(slept, d) }}
	removed := &answer.Response{Removed: []answer.RemovedTopic{{Topic: "x", Reason: "y"}}}
	for _, took := range []time.Duration{0, 30 * time.Millisecond, 49 * time.Millisecond, 130 * time.Millisecond} {
		answer.WaitForStep(w, now.Add(-took), removed)
	}
	answer.WaitForStep(w, now, &answer.Response{})
	want := []time.Duration{50 * time.Millisecond, 20 * time.Millisecond, time.Millisecond, 20 * time.Millisecond}
	if d := cmp.Diff(want, slept); d != "" {
		t.Error(d)
	}
	w.Sleep = nil
	answer.WaitForStep(w, now, removed)
}

// The notice of a restricted source is that of the specification.
func TestRestrictedNotice(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s, history.ConsentOptions{Artifacts: []string{"1931-04-02.txt"}, Preset: "auditor-only"})
	r, err := answer.Ask(context.Background(), a, "Who repaired the mill wheel?", answer.AskOptions{Signer: s})
	if err != nil || r.Outcome != "supported" {
		t.Fatalf("%+v, %v", r, err)
	}
	const notice = "Supported by archived material (source restricted by the person's instructions)."
	if c := r.Claims[0]; c.Text != notice || c.Citations[0].Notice != notice || c.Citations[0].Quote != "" || r.Budget.Spent != 0 {
		t.Errorf("%+v, budget %+v", c, r.Budget)
	}
	if strings.Contains(strings.Join(leavesOf(t, r.Bundle), "\n"), "Lunt") {
		t.Error("a disclosed leaf holds the words")
	}
}
