package answer_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/audit"
	"muniment/history"
	"muniment/sign"
)

// diaryFolder returns the folder of Samuel Pepys's diary, 3,413 entries in a
// folder for each year, which the environment variable MUNIMENT_DIARY names by
// its absolute path. The diary is no part of the repository: without the
// variable the test is skipped.
func diaryFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MUNIMENT_DIARY")
	if dir == "" {
		t.Skip("skipped: MUNIMENT_DIARY does not name the folder of the diary")
	}
	if _, err := os.Stat(filepath.Join(dir, "1660")); err != nil {
		t.Fatalf("MUNIMENT_DIARY: %v", err)
	}
	return dir
}

// pepysQuestion is a question and what must come of it.
type pepysQuestion struct {
	question string
	outcome  string
	kind     string // of a refusal
	from     string // part of the names that the evidence may come from
	words    string // that the answer must contain
	message  string // that the refusal must contain
}

var pepysQuestions = []pepysQuestion{
	{question: "What did he see of the fire on 2 September 1666?", outcome: "supported", from: "1666-09-02", words: "fire"},
	{question: "What did he write about the fire on 4 September 1666?", outcome: "narrowed", from: "1666-09-04", words: "fire"},
	{question: "Who called them up about three in the morning on 2 September 1666?", outcome: "supported", from: "1666-09-02", words: "Jane"},
	{question: "What did he say of the plague in September 1665?", outcome: "narrowed", from: "1665-09", words: "plague"},
	{question: "What happened to London in 1675?", outcome: "refused", kind: "category", message: "31 May 1669"},
	{question: "What did he think of the coronation of Queen Victoria in 1838?", outcome: "refused", kind: "category", message: "31 May 1669"},
	{question: "Which kangaroo did he buy for his wife?", outcome: "refused", kind: "coverage", message: "no sentence that answers"},
	{question: "How did he learn to play the saxophone in Lisbon?", outcome: "refused", kind: "coverage", message: "no sentence that answers"},
	{question: "What did he see of the fire on 2 September 1666, and which kangaroo did he feed?", outcome: "narrowed", from: "1666-09-02", words: "fire"},
}

// TestPepys takes in a real diary, signs it, asks it, verifies everything, and lets a crawler read it out.
func TestPepys(t *testing.T) {
	d := openDiary(t)
	a, allowed := d.Archive, d.allowed
	asked := 0
	for _, q := range pepysQuestions {
		t.Run(q.question, func(t *testing.T) { askPepys(t, a, d.signer, allowed, q) })
		asked++
	}
	if asked != len(pepysQuestions) || asked < 9 {
		t.Fatalf("%d questions asked", asked)
	}
	t.Run("words of today", d.testQuestions)
	t.Run("crawler", d.testCrawlers)
	v, err := audit.Verify(a, audit.ArchiveVerifyOptions{Allowed: allowed})
	if err != nil {
		t.Fatal(err)
	}
	if v.Verdict != "VALID" || v.Failed+v.Absent+v.NotChecked != 0 || v.OK < 2*int64(len(d.days)) {
		t.Fatalf("verify: %+v", v)
	}
}

// askPepys asks one question and verifies its bundle.
func askPepys(t *testing.T, a *archive.Archive, signer sign.Signer, allowed *sign.AllowedSigners, q pepysQuestion) {
	file := filepath.Join(t.TempDir(), "answer.zip")
	r, err := answer.Ask(context.Background(), a, q.question, answer.AskOptions{Signer: signer, BundleFile: file, Auditor: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != q.outcome {
		t.Errorf("outcome %s, want %s: %+v", r.Outcome, q.outcome, r)
	}
	if q.kind != "" {
		switch {
		case r.Refusal == nil:
			t.Fatal("not refused")
		case r.Refusal.Kind != q.kind || !strings.Contains(r.Refusal.Message, q.message):
			t.Errorf("%s refusal %q, want %s with %q", r.Refusal.Kind, r.Refusal.Message, q.kind, q.message)
		case !strings.Contains(strings.Join(r.Refusal.Suggestions, "\n"), "browse the inventory"):
			t.Errorf("the inventory is not offered: %q", r.Refusal.Suggestions)
		}
	}
	text := ""
	for _, c := range r.Claims {
		text += c.Text + "\n"
		for _, e := range c.Citations {
			if !strings.Contains(e.Name, q.from) {
				t.Errorf("evidence from %s, want %s", e.Name, q.from)
			}
			if _, words, err := inventory.Cat(a, e.Artifact, inventory.CatOptions{Span: e.Span}); err != nil || !strings.Contains(wordsOf(t, words), strings.Trim(e.Quote, "[…] ")) {
				t.Errorf("the quote %q is not at %s %s: %q, %v", e.Quote, e.Name, e.Span, words, err)
			}
		}
	}
	if !strings.Contains(text, q.words) {
		t.Errorf("answer %q does not contain %q", text, q.words)
	}
	identity, err := history.ArchivistIdentity(a)
	if err != nil {
		t.Fatal(err)
	}
	v, err := audit.VerifyBundle(file, audit.VerifyOptions{Allowed: allowed, Identities: identity})
	if err != nil || v.Verdict != "VALID" {
		t.Fatalf("bundle: %v, %v", v, err)
	}
	for _, axis := range v.Axes {
		if axis.Name == "artifact and span" && len(r.Claims) > 0 && axis.Result != "PASS" {
			t.Errorf("artifact and span: %s, %s", axis.Result, axis.Reason)
		}
	}
}

func wordsOf(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// everyQuestion is which share of the questions in the words of today are asked without MUNIMENT_LONG: one in so many.
const everyQuestion = 6

// testQuestions asks questions in the words of today, which an entry tells, and questions to other papers. Of the half "held" nobody who made a
// rule has looked at more than the numbers. Run alone and with -v it prints them: go test ./answer -run 'TestPepys/words' -v
func (d *diary) testQuestions(t *testing.T) {
	for half, floor := range map[string]struct{ shown, passed float64 }{"dev": {0.6, 0.12}, "held": {0.2, 0.12}} {
		data, err := os.ReadFile(filepath.Join("testdata", "diary", half+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		var own, shown, right, foreign, passed int
		for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			kind, rest, _ := strings.Cut(line, " ")
			if kind == "#" || i%everyQuestion != 0 && os.Getenv("MUNIMENT_LONG") == "" {
				continue
			}
			question, words, _ := strings.Cut(rest, " | ")
			r, err := answer.Ask(context.Background(), d.Archive, question, answer.AskOptions{Signer: d.signer, Auditor: true})
			if err != nil {
				t.Fatalf("%s: %v", question, err)
			}
			switch {
			case kind == "foreign":
				foreign, passed = foreign+1, passed+one(r.Refusal == nil)
			case kind == "own":
				own, shown = own+1, shown+one(r.Refusal == nil)
				right += one(r.Refusal == nil && regexp.MustCompile(words).MatchString(fmt.Sprint(r.Claims)))
			default:
				t.Fatalf("%s: %q is neither own nor foreign", half, line)
			}
		}
		t.Logf("%s: of %d questions %d are shown something, %d with the right word; of %d to other papers %d", half, own, shown, right, foreign, passed)
		if own < 10 || foreign < 8 || float64(shown) < floor.shown*float64(own) || float64(passed) > floor.passed*float64(foreign) {
			t.Errorf("%s: want at least %.2f of the own, at most %.2f of the others", half, floor.shown, floor.passed)
		}
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
