package answer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"muniment/answer"
	"muniment/answer/budget"
	"muniment/archive"
	"muniment/archive/archivetest"
)

// TestRequestsAtOnce: a requestor who asks many things at the same time, from
// several processes, is shown no more of a source than one who asks them one
// after the other.
func TestRequestsAtOnce(t *testing.T) {
	var text strings.Builder
	things := strings.Fields("apple banana cherry damson elder figtree grape hazel ivory juniper kumquat lemon")
	for _, thing := range things {
		fmt.Fprintf(&text, "The %s basket was carried to the market of Bramley by my good sister Hester in the rain.\n\n", thing)
	}
	a, s := archivetest.New(t, map[string]string{"baskets.txt": text.String()})
	archivetest.Seal(t, a, s)
	if _, err := answer.Ask(context.Background(), a, "What about baskets?", answer.AskOptions{Signer: s, Auditor: false, Requestor: "first"}); err != nil {
		t.Fatal(err) // the index is there
	}
	var wait sync.WaitGroup
	results := make([]*answer.Result, len(things))
	for i, thing := range things {
		wait.Go(func() {
			one, err := archive.Open(a.Dir(), archive.World{Now: a.World().Now, Rand: a.World().Rand, PID: os.Getpid(), Host: "test"})
			if err != nil {
				t.Error(err)
				return
			}
			defer one.Close()
			results[i], err = answer.Ask(context.Background(), one, "Who carried the "+thing+" basket to the market?", answer.AskOptions{Signer: s, Requestor: "Eve",
				BundleFile: filepath.Join(t.TempDir(), thing+".zip")})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	shown := 0
	for _, r := range results {
		if r != nil && len(r.Claims) > 0 {
			shown += len(r.Claims[0].Citations[0].Quote)
		}
	}
	const limit = 4 * 280 // four excerpts: more than a quarter of the text
	if shown > limit || shown < limit/2 {
		t.Errorf("%d code points of one source were shown, want at most %d", shown, limit)
	}
	info, err := answer.Budget(a, answer.BudgetOptions{Requestor: "eve"})
	if err != nil || info.Spent != shown {
		t.Errorf("%d were shown, charged %+v, %v", shown, info, err)
	}
	for _, r := range info.Risks {
		if r.Rule != string(budget.Artifact) && r.Rule != string(budget.Probing) {
			t.Errorf("withheld for %s", r.Rule)
		}
	}
}
