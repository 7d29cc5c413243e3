package rank

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/search/retrieve"
)

// A set is a line of testdata/sets: papers, a question, and who is right.
type setCase struct {
	ID         string
	Texts      []struct{ Name, Text string }
	Question   string
	Right      string // that the quote has to hold; "" where RightWords are meant
	RightWords string `json:"right_words"`
	Wrong      string // whom the sentence beside names

	Answer, Paper, Copy, Other string // of agree.jsonl
	Contra                     string // another paper that says otherwise
}

// readSet reads a file of testdata/sets. Its authors had not seen the rules; the half "held" was run and not looked at.
func readSet(t *testing.T, half, name string) (out []setCase) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "sets", half, name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var c setCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// rankIn returns the ranked candidates for a question put to an archive of some texts.
func rankIn(t *testing.T, question string, texts ...string) []Candidate {
	t.Helper()
	ctx := context.Background()
	x, err := retrieve.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	err = x.Update(ctx, "one", func(yield func(retrieve.Doc, error) bool) {
		for i, text := range texts {
			if !yield(retrieve.Doc{Artifact: fmt.Sprintf("a%03d", i), Document: canon.NewDocument(canon.Text([]byte(text)))}, nil) {
				return
			}
		}
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rankOf(t, x, question)
}

// rankOf ranks what an index finds for a question.
func rankOf(t *testing.T, x retrieve.Index, question string) []Candidate {
	t.Helper()
	q := retrieve.Query{Text: question, K: 32}
	weighing, err := x.Weigh(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	passages := make([]Passage, len(found))
	for i, p := range found {
		passages[i] = Passage{Text: p.Text, Title: p.Title, Author: p.Author, Lang: p.Lang, Document: p.Artifact, Dated: p.Dated}
	}
	return Rank(NewQuestion(question, "", weighing), passages, Default())
}

func mainOf(c Candidate) string { return c.Text[c.Main.Start-c.From : c.Main.End-c.From] }

func holds(text, words string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(words))
}

// The verb of the question is in the sentence beside the one that names somebody: the wrong person is never an answer, in an archive of
// the one paper and among all of them.
func TestNeighbourIsNoAnswer(t *testing.T) {
	for _, half := range []string{"dev", "held"} {
		all := readSet(t, half, "neighbour")
		answered, wrong := 0, 0
		for _, alone := range []bool{true, false} {
			for _, c := range all {
				out := rankIn(t, c.Question, textsOf(all, c, alone)...)
				if len(out) == 0 || !Default().IsAnswer(out[0].Features) {
					continue
				}
				answered++
				right := c.Right
				if right == "" {
					right = c.RightWords
				}
				if !holds(mainOf(out[0]), right) {
					wrong++
					if half == "dev" {
						t.Errorf("%s: %s %q", c.ID, c.Question, out[0].Text)
					}
				}
			}
		}
		t.Logf("%s: %d of %d questions answered, %d wrongly", half, answered, 2*len(all), wrong)
		if len(all) != 30 || wrong > 0 {
			t.Errorf("%s: %d cases, %d answered wrongly", half, len(all), wrong)
		}
	}
}

// textsOf returns the texts of a case, or of all cases.
func textsOf(all []setCase, one setCase, alone bool) (out []string) {
	if alone {
		all = []setCase{one}
	}
	for _, c := range all {
		for _, x := range c.Texts {
			out = append(out, x.Text)
		}
	}
	return out
}

// Where the sentence beside only says who a pronoun is, both are quoted and called the answer.
func TestPronounIsNamed(t *testing.T) {
	for _, half := range []string{"dev", "held"} {
		all := readSet(t, half, "pronoun")
		answered := 0
		barred := map[string]int{}
		for _, c := range all {
			out := rankIn(t, c.Question, textsOf(all, c, false)...)
			if len(out) > 0 && Default().IsAnswer(out[0].Features) && holds(out[0].Text, c.Right) {
				answered++
				continue
			}
			barred[whyNot(out)]++
			if half == "dev" && len(out) > 0 {
				f := out[0].Features
				t.Logf("%s: %s | %q | score %d lead %d sentence %d around %d verbless %d apart %d slotless %d contrary %d intended %d absent %d untold %d opposed %d", c.ID, c.Question, out[0].Text, out[0].Score, f.Lead, f.Sentence, f.Around, f.Verbless, f.Apart, f.Slotless, f.Contrary, f.Intended, f.Absent, f.Untold, f.Opposed)
			}
		}
		t.Logf("%s: %d of %d answered; not: %v", half, answered, len(all), barred)
		if floor := map[string]int{"dev": 27, "held": 22}[half]; len(all) != 30 || answered < floor {
			t.Errorf("%s: %d of %d answered, at least %d of 30 were", half, answered, len(all), floor)
		}
	}
}

// whyNot names what keeps the best candidate from being an answer.
func whyNot(out []Candidate) string {
	if len(out) == 0 {
		return "nothing found"
	}
	f := out[0].Features
	w := Default()
	switch {
	case f.Verbless > 0:
		return "no verb"
	case f.Apart > 0:
		return "words apart"
	case f.Slotless > 0:
		return "no slot"
	case f.Contrary+f.Intended > 0:
		return "mood"
	case f.Absent+f.Untold > 0:
		return "absent or untold"
	case int(f.Sentence) < w.Sentence || int(f.Around) < w.Around:
		return "too few words"
	case out[0].Score < w.High:
		return "score"
	case int(f.Lead) < w.Lead:
		return "lead"
	}
	return "another quote"
}

// One fact in one, two and three papers, as a copy and in other words: an answer stays one, and each paper is counted.
func TestAgreement(t *testing.T) {
	for _, half := range []string{"dev", "held"} {
		all := readSet(t, half, "agree")
		var noise []string
		for _, c := range append(readSet(t, half, "pronoun"), readSet(t, half, "neighbour")...) {
			noise = append(noise, textsOf(nil, c, true)...)
		}
		one, copied, both, three, fell := 0, 0, 0, 0, 0
		for _, c := range all {
			answers := func(texts ...string) (bool, Features) {
				out := rankIn(t, c.Question, append(texts, noise...)...)
				if len(out) == 0 {
					return false, Features{}
				}
				f := out[0].Features
				return Default().IsAnswer(f) && f.Papers > 0, f
			}
			a, fa := answers(c.Paper)
			b, fb := answers(c.Paper, c.Copy)
			d, fd := answers(c.Paper, c.Copy, c.Other)
			if a {
				one++
			}
			if b && fb.Papers == 2000 && fb.Sources == 1000 {
				copied++
			}
			if d {
				both++
			}
			if fd.Papers == 3000 {
				three++
			}
			if a && !(b && d) {
				fell++
				if half == "dev" {
					t.Logf("%s fell: %s | copy %v %+v | other %v %+v", c.ID, c.Question, b, fb, d, fd)
				}
			}
			if !a && half == "dev" {
				t.Logf("%s none: %s | %+v", c.ID, c.Question, fa)
			}
		}
		t.Logf("%s: of %d answered from one paper %d, with a copy as one source %d, with another telling %d (three papers %d); fell %d", half, len(all), one, copied, both, three, fell)
		if len(all) != 20 || fell > 0 {
			t.Errorf("%s: of %d cases %d lost their answer by agreement", half, len(all), fell)
		}
	}
}

// Twenty copies of a paper that contradicts the true one make no false answer, and take no answer away. They make the words that they share less
// rare, which may lift the true one over the threshold.
func TestCopiesMakeNoAnswer(t *testing.T) {
	for _, half := range []string{"dev", "held"} {
		all := readSet(t, half, "agree")
		lost, gained, wrong := 0, 0, 0
		for _, c := range all {
			texts := []string{c.Paper, c.Contra}
			one := rankIn(t, c.Question, texts...)
			for range 19 {
				texts = append(texts, c.Contra)
			}
			many := rankIn(t, c.Question, texts...)
			if len(one) == 0 || len(many) == 0 {
				t.Fatalf("%s: nothing found", c.ID)
			}
			before, after := Default().IsAnswer(one[0].Features), Default().IsAnswer(many[0].Features)
			switch {
			case before && !after:
				lost++
			case after && !before:
				gained++
			}
			isTrue := holds(c.Paper, mainOf(many[0]))
			if after && !isTrue {
				wrong++
			}
			if many[0].Features.Sources > 1000 && !isTrue {
				t.Errorf("%s: copies count as %d sources", c.ID, many[0].Features.Sources/1000)
			}
		}
		t.Logf("%s: of %d, by 20 copies %d answers lost, %d more, %d false", half, len(all), lost, gained, wrong)
		if len(all) != 20 || lost > 0 || wrong > 0 {
			t.Errorf("%s: of %d, %d answers lost, %d false", half, len(all), lost, wrong)
		}
	}
}
