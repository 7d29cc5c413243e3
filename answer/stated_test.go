package answer_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
)

// One sentence states the verb and the rest of a question, and what is asked for: ask calls it the answer. Where a sentence only seems to, as the verb is
// another clause's, nobody does it, or it says not by whom, ask calls nothing the answer. The cases were written before the rules; of the half that is held
// only counts were looked at.
func TestStatedIsTheAnswer(t *testing.T) {
	for _, half := range []string{"dev", "held"} {
		f, err := os.Open("testdata/stated/" + half + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		type stated struct{ ID, Text, Question, Right string }
		var cases []stated
		files := map[string]string{}
		for s := bufio.NewScanner(f); s.Scan(); {
			var c stated
			if err := json.Unmarshal(s.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			cases = append(cases, c)
			files[fmt.Sprintf("paper-%02d.txt", len(cases))] = c.Text + "\n"
		}
		a, s := archivetest.New(t, files)
		archivetest.Seal(t, a, s)
		states, answered, wrong := 0, 0, 0
		for _, c := range cases {
			r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, c.Question)
			is := len(r.Claims) > 0 && r.Claims[0].Role == string(cite.RoleAnswer)
			if c.Right != "" {
				states++
			}
			switch {
			case is && c.Right != "" && strings.Contains(r.Claims[0].Text, c.Right):
				answered++
			case is:
				wrong++
				if half == "dev" {
					t.Errorf("%s %s: %q", c.ID, c.Question, r.Claims[0].Text)
				}
			case half == "dev" && c.Right != "":
				t.Logf("not called the answer: %s %s", c.ID, c.Question)
			}
		}
		t.Logf("%s: of %d answered %d; called the answer wrongly %d of %d", half, states, answered, wrong, len(cases))
		if states != 16 || len(cases) != 32 || wrong > 0 {
			t.Errorf("%s: %d cases, %d answered wrongly", half, len(cases), wrong)
		}
	}
}
