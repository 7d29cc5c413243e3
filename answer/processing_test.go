package answer_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/snapshot/access"
)

// Words of a paper whose processing is none reach no endpoint, a draft's or a judge's, and those of
// others do and are logged by paper.
func TestProcessingIsAsked(t *testing.T) {
	for processing, want := range map[string]bool{access.ProcessingNone: false, access.ProcessingLocal: true} {
		t.Run(processing, func(t *testing.T) {
			var mu sync.Mutex
			var sent strings.Builder
			endpoint := aModel(t, func(asked string, _ http.ResponseWriter) string {
				mu.Lock()
				defer mu.Unlock()
				sent.WriteString(asked)
				return `{"sentences":[]}`
			})
			a, key := archivetest.New(t, letterPapers())
			archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"letter-1933-06-01.txt"}, Processing: processing, Reason: "asked for"})
			a = archivetest.ReopenWithModels(t, a, endpoint, endpoint, nil)
			if _, err := answer.Ask(context.Background(), a, "Who counted the eggs of the hens of Aldham?", answer.AskOptions{Signer: key}); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if got := strings.Contains(sent.String(), "twenty eggs"); got != want {
				t.Errorf("the words were sent: %v, want %v", got, want)
			}
			tree, err := a.NewestTree()
			if err != nil {
				t.Fatal(err)
			}
			art, err := a.Catalog(tree).Resolve("letter-1933-06-01.txt")
			if err != nil {
				t.Fatal(err)
			}
			path, err := a.LocalPath("sent.jsonl")
			if err != nil {
				t.Fatal(err)
			}
			log, err := os.ReadFile(path)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if got := strings.Contains(string(log), art.ID.String()); got != want {
				t.Errorf("the log names the paper: %v, want %v", got, want)
			}
		})
	}
}
