package answer_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
)

// A sentence in which the words of a question are a report, a condition, a denial or of another person, a row that a cell denies, and the head of a mail
// are not called the answer, but for four that are known: what nearly happened, whose brother acts, and who is accused of acting. A sentence that states them is. Each line of traps.tsv is T for a trap or A, a sentence and a question.
func TestGovernedSentencesAreNoAnswers(t *testing.T) {
	text, err := os.ReadFile("testdata/layman/traps.tsv")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"table.md": "# Claims looked into\n\n| Claim | Place | Result |\n|---|---|---|\n| Monks built the causeway | Oxney | no |\n| The tower was cleft by lightning | Oxney | disproved |\n",
		"m.eml":    "From: Petra Lindqvist <p@example.org>\nTo: Oskar Brehm <o@example.org>\nDate: Mon, 3 Mar 2014 10:00:00 +0100\nSubject: Scans of the parish map\n\nDear Oskar,\n\nthe museum has not answered.\n\nPetra\n",
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines {
		p := strings.Split(line, "\t")
		letter := "Place %c, 3 May 18%02d\n\nDear Aunt,\n\nWe are all well here. %s The weather keeps dry.\n\nYour nephew,\nPeter Maller\n"
		if strings.HasPrefix(p[2], "W") && !strings.HasPrefix(p[2], "Wh") || strings.HasPrefix(p[2], "An ") {
			letter = "Ort %c, den 3. Mai 18%02d\n\nLiebe Tante,\n\nuns geht es gut. %s Das Wetter ist trocken.\n\nDein Neffe\nKurt Maller\n"
		}
		files[fmt.Sprintf("z%02d.txt", i)] = fmt.Sprintf(letter, 'A'+i%26, 20+i, p[1])
	}
	lines = append(lines, "T\t\tWho built the causeway?", "T\t\tWhat was the tower cleft by?", "T\t\tWhat did Petra Lindqvist write to Oskar Brehm about?")
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	states, answered, traps, called := 0, 0, 0, 0
	for _, line := range lines {
		p := strings.Split(line, "\t")
		r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, p[2])
		is := len(r.Claims) > 0 && r.Claims[0].Role == string(cite.RoleAnswer)
		switch {
		case p[0] == "A":
			states++
			if answered += count(is); !is {
				t.Logf("not called the answer: %s: %s %v", p[2], p[1], r.Outcome)
			}
		case is:
			called++
			t.Logf("called the answer: %s: %s", p[2], r.Claims[0].Text)
		default:
			traps++
		}
	}
	t.Logf("%d of %d answered, %d traps, %d called the answer", answered, states, traps+called, called)
	if called > 4 || states != 10 || answered < 9 || len(lines) != 37 {
		t.Errorf("%d of %d answered, of %d", answered, states, len(lines))
	}
}
