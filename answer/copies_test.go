package answer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// Copies of a paper change nothing: what is shown beside one paper that says otherwise is shown beside twenty copies of it, and the claims are the same.
func TestPlantedCopies(t *testing.T) {
	const cases = 8 // each makes two archives
	for _, half := range []string{"dev", "held"} {
		f, err := os.Open(filepath.Join("..", "search", "rank", "testdata", "sets", half, "agree.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n, with, lost, other := 0, 0, 0, 0
		for s := bufio.NewScanner(f); s.Scan() && n < cases; n++ {
			var c struct{ Question, Paper, Contra string }
			if err := json.Unmarshal(s.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			shown := func(copies int) (fromTrue bool, claims []string) {
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
					claims = append(claims, string(claim.Role)+": "+claim.Text)
					for _, q := range claim.Citations {
						fromTrue = fromTrue || q.Source == "true.txt"
					}
				}
				slices.Sort(claims)
				return fromTrue, claims
			}
			before, claims := shown(1)
			after, now := shown(20)
			if before {
				with++
			}
			if before && !after {
				lost++
			}
			if !slices.Equal(claims, now) {
				other++
				t.Logf("%s: beside one paper\n%s\nbeside twenty copies\n%s", half, strings.Join(claims, "\n"), strings.Join(now, "\n"))
			}
		}
		t.Logf("%s: the true paper of %d of %d is shown with one false paper, %d of these are lost with 20 copies of it, and %d answers differ", half, with, n, lost, other)
		if n != cases || with < 6 || lost > 0 || other > 0 {
			t.Errorf("%s: %d cases, %d shown, %d lost, %d differ", half, n, with, lost, other)
		}
	}
}

// An answer with copies is that without them, and says how many papers copy it.
func TestCopiesOfAnAnswer(t *testing.T) {
	const letter = "Ottermouth, 10 September 1887.\n\nDear Sir, I beg to report that the Swing Bridge at Ottermouth was opened to traffic on 4 August 1887 by the Lord Lieutenant. Two men are employed upon it.\n\nYours truly,\nJames Pollitt\n"
	ask := func(files map[string]string) *answer.Result {
		files["other.txt"] = "The herring boats came in at noon, and Mr. Tripp bought the whole catch.\n"
		a, signer := archivetest.New(t, files)
		archivetest.Seal(t, a, signer)
		r, err := answer.Ask(context.Background(), a, "When was the Swing Bridge at Ottermouth opened?", answer.AskOptions{Signer: signer, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Claims) == 0 {
			t.Fatal("nothing is shown")
		}
		return r
	}
	says := func(r *answer.Result, what string) bool {
		return slices.ContainsFunc(r.Claims[0].Notes, func(n string) bool { return strings.Contains(n, what) })
	}
	alone := ask(map[string]string{"letter.txt": letter})
	for copies, want := range map[int]string{1: "also in 1 other paper, 1887; it is a copy", 20: "also in 20 other papers, 1887; all of them copies"} {
		files := map[string]string{"letter.txt": letter}
		for i := range copies {
			files[fmt.Sprintf("typescript-%d.txt", i)] = letter + fmt.Sprintf("\nTyped by A. B. from the original, number %d of the set.\n", i)
		}
		with := ask(files)
		if got, first := with.Claims[0], alone.Claims[0]; got.Text != first.Text || got.Role != first.Role || !says(with, want) {
			t.Errorf("%d copies: %s %q, %q, want %s %q, %q", copies, got.Role, got.Text, got.Notes, first.Role, first.Text, want)
		}
	}
}
