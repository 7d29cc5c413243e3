// Command rank fits the weights of answer/rank and measures them.
//
//	go run ./bench/rank -data DIR          measure the weights of the program
//	go run ./bench/rank -data DIR -fit     fit weights first, and print them
//
// DIR holds papers/NN-Subject-PP.txt and questions.jsonl, a line each with question, paper, answers and answerable.
// Every third subject is held back: its questions are asked of an archive of the papers held back, and the
// questions of the other subjects are the foreign ones. A quote is right when it comes from the question's paper
// and contains one of its answers, in lower case and without punctuation. Every figure is a pure function of DIR.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"muniment/answer/rank"
	"muniment/answer/retrieve"
	"muniment/canon"
)

func main() {
	data := flag.String("data", "", "folder of papers/ and questions.jsonl")
	fit := flag.Bool("fit", false, "fit weights and print them")
	held := flag.Int("held", 2, "hold back the subjects whose number modulo 3 is this")
	flag.Parse()
	if *data == "" || flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*data, *fit, *held); err != nil {
		fmt.Fprintln(os.Stderr, "rank:", err)
		os.Exit(1)
	}
}

func run(dir string, fitting bool, held int) error {
	all, err := readQuestions(dir)
	if err != nil {
		return err
	}
	back := func(subject int) bool { return subject%3 == held }
	w := rank.Default()
	if fitting {
		var archives []*archive
		for _, in := range fitArchives(back) {
			a, err := ask(dir, all, in, func(s int) bool { return !back(s) })
			if err != nil {
				return err
			}
			archives = append(archives, a)
		}
		w = fit(archives)
		for i, a := range archives {
			fmt.Printf("fitted on, archive %d\n%s", i, measure(a, w))
		}
		fmt.Print(w.String())
	}
	a, err := ask(dir, all, back, func(int) bool { return true })
	if err != nil {
		return err
	}
	fmt.Printf("held back\n%s", measure(a, w))
	return nil
}

// fitArchives returns the subjects of archives of different sizes: all that are not held back, halves, and two
// single subjects.
func fitArchives(back func(int) bool) []func(int) bool {
	var subjects []int
	for s := range maxSubjects {
		if !back(s) {
			subjects = append(subjects, s)
		}
	}
	in := func(list ...int) func(int) bool { return func(s int) bool { return slices.Contains(list, s) } }
	return []func(int) bool{
		func(s int) bool { return !back(s) && slices.Index(subjects, s)%2 == 0 },
		func(s int) bool { return !back(s) && slices.Index(subjects, s)%2 == 1 },
		in(subjects[0]), in(subjects[3]),
	}
}

// maxSubjects is how many subjects the data may have: names have two digits.
const maxSubjects = 100

// A question is a line of questions.jsonl.
type question struct {
	Question   string   `json:"question"`
	Paper      string   `json:"paper"`
	Answers    []string `json:"answers"`
	Answerable bool     `json:"answerable"`
	Subject    int      `json:"-"`
}

func readQuestions(dir string) ([]question, error) {
	f, err := os.Open(filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []question
	for d := json.NewDecoder(f); ; {
		var q question
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		if q.Subject, err = subjectOf(q.Paper); err != nil {
			return nil, err
		}
		for i, a := range q.Answers {
			q.Answers[i] = plain(a)
		}
		out = append(out, q)
	}
}

func subjectOf(paper string) (int, error) {
	number, _, _ := strings.Cut(paper, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= maxSubjects {
		return 0, fmt.Errorf("paper %q, want NN-Subject-PP.txt", paper)
	}
	return n, nil
}

// plain returns a text in lower case without punctuation, with single spaces around each word.
func plain(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(words, " ") + " "
}

// An archive is an index of some subjects, and what it has for each question.
type archive struct{ asked []asked }

// Asked is one question with its candidates.
type asked struct {
	question
	foreign    bool // its subject is not in the archive
	candidates []rank.Candidate
	right      map[place]bool
}

// A place is where a candidate stands.
type place struct{ passage, from, to int }

func placeOf(c rank.Candidate) place { return place{c.Passage, c.From, c.To} }

// passagesPerQuestion is how many passages the program looks at for a part of a question.
const passagesPerQuestion = 32

// ask asks an archive of some subjects the questions of others.
func ask(dir string, all []question, in, about func(subject int) bool) (*archive, error) {
	ctx := context.Background()
	tmp, err := os.MkdirTemp("", "rank")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	x, err := retrieve.Open(tmp)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if err := x.Update(ctx, "one", papers(dir, in), nil, nil); err != nil {
		return nil, err
	}
	a := &archive{}
	for _, q := range all {
		if !about(q.Subject) {
			continue
		}
		one, err := candidates(ctx, x, q)
		if err != nil {
			return nil, err
		}
		one.foreign = !in(q.Subject)
		a.asked = append(a.asked, one)
	}
	return a, nil
}

// papers yields the papers of some subjects.
func papers(dir string, in func(subject int) bool) func(yield func(retrieve.Doc, error) bool) {
	return func(yield func(retrieve.Doc, error) bool) {
		names, err := filepath.Glob(filepath.Join(dir, "papers", "*.txt"))
		if err == nil && len(names) == 0 {
			err = errors.New("no papers")
		}
		if err != nil {
			yield(retrieve.Doc{}, err)
			return
		}
		for _, name := range names {
			s, err := subjectOf(filepath.Base(name))
			if err == nil && !in(s) {
				continue
			}
			text, e := os.ReadFile(name)
			d := retrieve.Doc{Artifact: filepath.Base(name), Lang: "en", Document: canon.NewDocument(canon.Text(text))}
			if !yield(d, errors.Join(err, e)) {
				return
			}
		}
	}
}

func candidates(ctx context.Context, x retrieve.Index, q question) (asked, error) {
	out := asked{question: q, right: map[place]bool{}}
	query := retrieve.Query{Text: q.Question, K: passagesPerQuestion}
	weighing, err := x.Weigh(ctx, query)
	if err != nil {
		return out, err
	}
	found, err := x.Search(ctx, query)
	if err != nil {
		return out, err
	}
	passages := make([]rank.Passage, len(found))
	for i, p := range found {
		passages[i] = rank.Passage{Text: p.Text, Title: p.Title, Lang: p.Lang, Dated: p.Dated}
	}
	out.candidates = rank.Candidates(rank.NewQuestion(q.Question, "en", weighing), passages)
	for _, c := range out.candidates {
		words := plain(c.Text)
		if found[c.Passage].Artifact == q.Paper && slices.ContainsFunc(q.Answers, func(a string) bool { return strings.Contains(words, a) }) {
			out.right[placeOf(c)] = true
		}
	}
	return out, nil
}
