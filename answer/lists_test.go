package answer_test

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/sign"

	"github.com/rogpeppe/go-internal/txtar"
)

// A listCase is a question about a set of papers with the papers that its answer cites, all of Files and perhaps some of Any, the numbers
// that follow a name in its text ("" for anywhere), and other words of it.
type listCase struct {
	Kind, Set, Question string
	Files, Any, Says    []string
	Counts              map[string]int
}

// hiddenPaper is the one paper of a set whose existence may not be known.
var hiddenPaper = regexp.MustCompile(`hidden|withheld|versteckt|geheim`)

// openLists returns an archive of a set of papers of one half of testdata/lists, with one of them hidden.
func openLists(t *testing.T, half, set string) (*archive.Archive, sign.Signer) {
	t.Helper()
	parsed, err := txtar.ParseFile(filepath.Join("testdata", "lists", half, set+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files, secret := map[string]string{}, []string(nil)
	for _, f := range parsed.Files {
		files[f.Name] = string(f.Data)
		if hiddenPaper.MatchString(f.Name) {
			secret = append(secret, f.Name)
		}
	}
	if len(secret) != 1 || len(files) < 14 {
		t.Fatalf("%s/%s: %d papers, hidden %v", half, set, len(files), secret)
	}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s, history.ConsentOptions{Artifacts: secret, Preset: "hidden"})
	return a, s
}

// Twelve kinds of questions about the holdings and across papers, over the letters of a family and the papers of a mill in each half, with
// counts by hand. Of the half "held" only the number of right answers was looked at. No answer knows of the hidden paper of its set.
func TestLists(t *testing.T) {
	floors := map[string]int{"dev": 35, "held": 33}
	for _, half := range []string{"dev", "held"} {
		right, all := map[string]int{}, map[string]int{}
		n := 0
		for _, set := range []string{"family", "mill"} {
			a, s := openLists(t, half, set)
			for _, c := range readLines[listCase](t, filepath.Join("..", "lists", half), "cases.jsonl") {
				if c.Set != set {
					continue
				}
				all[c.Kind]++
				r, err := answer.Ask(t.Context(), a, c.Question, answer.AskOptions{Signer: s, NoModel: true})
				if err != nil {
					t.Fatalf("%s: %v", c.Question, err)
				}
				if text := fmt.Sprint(r.Claims, r.Notices, r.Refusal, r.Records); hiddenPaper.MatchString(text) || hiddenPlace.MatchString(text) {
					t.Errorf("%s: knows of the hidden paper", c.Question)
				}
				if wrong := c.compare(r); wrong == "" {
					right[c.Kind]++
					n++
				} else if half == "dev" {
					t.Logf("%s %q: %s", c.Kind, c.Question, wrong)
				}
			}
		}
		t.Logf("%s: %d of 36 right, of %d kinds: %v", half, n, len(all), right)
		if len(all) != 12 || n < floors[half] {
			t.Errorf("%s: %d right of %v, at least %d were", half, n, all, floors[half])
		}
		for kind, asked := range all {
			if asked != 3 {
				t.Errorf("%s: %d questions of the kind %s", half, asked, kind)
			}
		}
	}
}

// hiddenPlace is the place that the hidden paper of a set alone names.
var hiddenPlace = regexp.MustCompile(`Beulah|Quarrendon|Schönau|Laichingen`)

// compare returns what is wrong with an answer; "" where it cites the papers of the case and no other ones, and has its numbers and words.
func (c *listCase) compare(r *answer.Result) string {
	if len(r.Claims) == 0 || r.Outcome != "supported" || r.Claims[0].Citations[0].Relation != "metadata_fact" {
		return fmt.Sprintf("%s, no list", r.Outcome)
	}
	claim := r.Claims[0]
	var cited []string
	for _, x := range claim.Citations {
		cited = append(cited, strings.TrimSuffix(path.Base(x.Quote), ".txt"))
	}
	text := claim.Text + "\n" + strings.Join(r.Notices, "\n")
	known := append(slices.Clone(c.Files), c.Any...)
	if slices.ContainsFunc(c.Files, func(f string) bool { return !slices.Contains(cited, f) }) || slices.ContainsFunc(cited, func(f string) bool { return !slices.Contains(known, f) }) {
		return fmt.Sprintf("cites %v, want %v: %s", cited, known, text)
	}
	for _, words := range c.Says {
		if !strings.Contains(claim.Text, words) {
			return fmt.Sprintf("lacks %q: %s", words, text)
		}
	}
	for name, n := range c.Counts {
		if count := regexp.MustCompile(regexp.QuoteMeta(name) + `[^;]{0,60}?\b` + fmt.Sprint(n) + `\b`); !count.MatchString(claim.Text) {
			return fmt.Sprintf("lacks %q %d: %s", name, n, text)
		}
	}
	return ""
}

// A list that does not name all that it counts says how many others there are.
func TestCutListsSaySo(t *testing.T) {
	files := map[string]string{}
	for i := range 130 {
		files[fmt.Sprintf("%03d.txt", i)] = fmt.Sprintf("York, 3 May %d\n\nDear Miss %s,\n\nThe kiln is warm and Tom%c came by.\n\nYours truly,\nAda Cole\n", 1700+i, fmt.Sprintf("Q%cz%c", 'a'+i/13, 'a'+i%13), 'a'+rune(i%20))
	}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	for question, want := range map[string][]string{
		"Which letters are from York?":          {"holds 130 letters from York", "and 30 more", "the list names the first 100 of 130 papers"},
		"Who wrote to whom?":                    {"130 papers: the pairs “Ada Cole” to “Dear Miss Qaza” (1)", "and 30 more"},
		"Who is named most?":                    {"most name “Toma”: “Toma” in 7", "and 12 more"},
		"From when to when do the letters run?": {"130 letters, dated from 1700-05-03 to 1829-05-03"},
	} {
		r, err := answer.Ask(t.Context(), a, question, answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(r.Claims, r.Notices)
		for _, words := range want {
			if !strings.Contains(text, words) {
				t.Errorf("%s: lacks %q: %.400s", question, words, text)
			}
		}
	}
}
