package answer_test

import (
	"os"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
)

// Questions of a layman to letters, a table and a mail, written before the rules: the sentence that answers is shown, first, and called the answer (A), a list names
// all that belongs to it (L), and what the papers only report, suppose or deny is not called the answer (T). Of the half that is held only counts were looked at.
func TestLaymansQuestions(t *testing.T) {
	least := map[string][4]int{"dev": {8, 7, 3, 1}, "held": {8, 8, 6, 1}} // shown, first, answers, lists
	most := map[string]int{"held": 2}                                     // traps; four were
	for _, half := range []string{"dev", "held"} {
		text, err := os.ReadFile("testdata/layman/" + half + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for part := range strings.SplitSeq("\n"+string(text), "\n-- ") {
			if name, body, ok := strings.Cut(part, " --\n"); ok {
				files[name] = body + "\n"
			}
		}
		questions := strings.Split(strings.TrimSpace(files["questions.tsv"]), "\n")
		delete(files, "questions.tsv")
		a, s := archivetest.New(t, files)
		archivetest.Seal(t, a, s)
		var n [4]int
		traps, called, wrong := 0, 0, 0
		for _, line := range questions {
			p := append(strings.Split(line, "\t"), "")
			r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, p[1])
			first, is, shown := "", false, 0
			for i, c := range r.Claims {
				is = is || c.Role == string(cite.RoleAnswer)
				if i == 0 {
					first = c.Text
				}
				if strings.Contains(c.Text, p[2]) && shown == 0 {
					shown = i + 1
				}
			}
			right := true
			switch p[0] {
			case "T":
				traps++
				called += count(is)
				right = !is
			case "L":
				for want := range strings.SplitSeq(p[2], "|") {
					right = right && strings.Contains(first, want)
				}
				n[3] += count(right)
			default:
				n[0], n[1], n[2] = n[0]+count(shown > 0), n[1]+count(shown == 1), n[2]+count(shown == 1 && is)
				wrong += count(is && shown != 1)
				right = shown == 1 && is
			}
			if half == "dev" && !right {
				t.Logf("%s: %v %s %q", line, is, r.Outcome, first)
			}
		}
		t.Logf("%s: shown %d, first %d, answer %d, lists %d; wrongly called the answer %d; traps called the answer %d of %d", half, n[0], n[1], n[2], n[3], wrong, called, traps)
		if len(questions) != 20 || called > most[half] || wrong > 0 || n[0] < least[half][0] || n[1] < least[half][1] || n[2] < least[half][2] || n[3] < least[half][3] {
			t.Errorf("%s: %v, at least %v were; %d traps and %d others are called the answer", half, n, least[half], called, wrong)
		}
	}
}
