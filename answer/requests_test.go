package answer_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/cite"
)

// Letters with requests and hearsay, which state nothing (T), with sentences that do (A), with datelines and salutations, which are not among the nearest
// (N), and with salutations by which letters are counted (C). They were written before the rules; of the held halves only counts were looked at.
func TestRequestsAndHearsay(t *testing.T) {
	least := map[string]map[string]int{"dev1": {"T": 18, "A": 11, "N": 6, "C": 5}, "dev2": {"T": 15, "A": 8}, "held1": {"T": 17, "A": 14, "N": 6, "C": 5}, "held2": {"T": 12, "A": 6}}
	for _, half := range slices.Sorted(maps.Keys(least)) {
		text, err := os.ReadFile("testdata/requests/" + half + ".txt")
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
		good, all := map[string]int{}, map[string]int{}
		for _, line := range questions {
			p := append(strings.Split(line, "\t"), "")
			r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, p[1])
			first, is, shown := "", false, 0
			var texts []string
			for i, c := range r.Claims {
				is = is || c.Role == string(cite.RoleAnswer)
				if i == 0 {
					first = c.Text
				}
				if p[2] != "" && strings.Contains(c.Text, p[2]) && shown == 0 {
					shown = i + 1
				}
				texts = append(texts, c.Text)
			}
			right := true
			switch p[0] {
			case "T":
				right = !is
			case "C":
				for want := range strings.SplitSeq(p[2], "|") {
					right = right && strings.Contains(first, want)
				}
			case "N":
				for bad := range strings.SplitSeq(p[2], "|") {
					for _, x := range texts {
						right = right && !strings.HasPrefix(x, bad) && !(len(x) < len(bad)+25 && strings.Contains(x, bad))
					}
				}
			default:
				right = shown == 1 && is
			}
			all[p[0]]++
			if right {
				good[p[0]]++
			}
			if strings.HasPrefix(half, "dev") && !right {
				t.Logf("%v %s: %v %s %q", right, line, is, r.Outcome, texts)
			}
		}
		t.Logf("%s: %v of %v", half, good, all)
		for kind, n := range least[half] {
			if good[kind] < n {
				t.Errorf("%s: %d of %d %s are right, %d were", half, good[kind], all[kind], kind, n)
			}
		}
	}
}
