package answer_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/search"
)

// TestAsksBesideSnapshots: of twenty questions asked while a writer signs snapshots, none
// fails, whether each brings the index up to date itself or has it done beside it.
func TestAsksBesideSnapshots(t *testing.T) {
	for name, aside := range map[string]bool{"alone": false, "with an index that is built beside them": true} {
		t.Run(name, func(t *testing.T) {
			a, s := archivetest.NewLetters(t, 1)
			w := archivetest.World()
			var builds sync.WaitGroup
			if aside {
				w.IndexAside = func() error {
					builds.Go(func() {
						one, err := archive.Open(a.Dir(), archivetest.World())
						if err != nil {
							t.Error(err)
							return
						}
						defer one.Close()
						if _, err := search.UpdateIndex(context.Background(), one, search.UpdateOptions{Alone: true}); err != nil {
							t.Errorf("the index beside the questions: %v", err)
						}
					})
					return nil
				}
			}
			const asks, snapshots = 20, 8
			var asked sync.WaitGroup
			begin := make(chan struct{}, asks)
			for i := range asks {
				asked.Go(func() {
					<-begin
					one, err := archive.Open(a.Dir(), w)
					if err != nil {
						t.Error(err)
						return
					}
					defer one.Close()
					r, err := answer.Ask(context.Background(), one, "What is letter 1 of the mill?", answer.AskOptions{Signer: s, BundleFile: filepath.Join(t.TempDir(), "answer.zip")})
					if err != nil {
						t.Errorf("question %d: %v", i, err)
					} else if r.Outcome == "" {
						t.Errorf("question %d has no outcome", i)
					}
				})
			}
			for i := range snapshots {
				for n := i; n < asks; n += snapshots {
					begin <- struct{}{}
				}
				archivetest.AddLetter(t, a, s, fmt.Sprintf("Letter %d of the mill, written after the flood.\n", i+2))
			}
			asked.Wait()
			builds.Wait()
		})
	}
}
