package answer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// Twenty planted copies of a paper that says otherwise take one of the three places, not all: the true paper is shown with them where it is
// shown with one. Of the half "held" one is lost, as twenty copies make its words less rare.
func TestPlantedCopies(t *testing.T) {
	const cases = 8 // each makes two archives
	for _, half := range []string{"dev", "held"} {
		f, err := os.Open(filepath.Join("..", "search", "rank", "testdata", "sets", half, "agree.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n, with, lost := 0, 0, 0
		for s := bufio.NewScanner(f); s.Scan() && n < cases; n++ {
			var c struct{ Question, Paper, Contra string }
			if err := json.Unmarshal(s.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			shown := func(copies int) bool {
				files := map[string]string{"true.txt": c.Paper}
				for i := range copies {
					files[fmt.Sprintf("false-%02d.txt", i)] = c.Contra + fmt.Sprintf("\n\nLeaf %d.\n", i)
				}
				a, signer := archivetest.New(t, files)
				archivetest.Seal(t, a, signer)
				r, err := answer.Ask(context.Background(), a, c.Question, answer.AskOptions{Signer: signer, NoModel: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, claim := range r.Claims {
					for _, q := range claim.Citations {
						if q.Source == "true.txt" {
							return true
						}
					}
				}
				return false
			}
			before := shown(1)
			if before {
				with++
				if !shown(20) {
					lost++
				}
			}
		}
		t.Logf("%s: the true paper of %d of %d is shown with one false paper, and %d of these are lost with 20 copies of it", half, with, n, lost)
		if n != cases || with < 6 || with-lost < 5 { // copies make words common, and a paper that shares few with the question loses its evidence
			t.Errorf("%s: %d cases, %d shown, %d lost", half, n, with, lost)
		}
	}
}
