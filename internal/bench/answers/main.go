// Command answers measures what ask delivers.
//
//	go run ./internal/bench/answers DIR
//	go run ./internal/bench/answers -set letters [-others DIR2] [-v] DIR
//
// DIR holds papers/NN-Subject-PP.txt and questions.jsonl, a line each with question, paper, answers and answerable.
// An archive of every third subject is made, and a sample of the questions about it, and of those about the other
// subjects, is put to the whole pipeline: retrieval, ranking, gates, bundle and log. Every question has a requestor of
// its own, of the tier family. A quote is right when it contains one of the answers, in lower case and without
// punctuation, and stands in the question's paper.
//
// With -set NAME, DIR holds NAME.jsonl and a folder NAME: the questions are asked of the whole folder by somebody who gives no name, and the
// table says where a passage that search has was lost. -others names a folder with another set of the name, whose questions are about other papers; -v lists
// the questions that show nothing right.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive"
	"muniment/engine"
	"muniment/history"
	"muniment/sign/sshkey"
)

func main() {
	held := flag.Int("held", 2, "make the archive of the subjects whose number modulo 3 is this")
	every := flag.Int("every", 4, "ask every so many questions")
	set := flag.String("set", "", "ask the questions of this set")
	others := flag.String("others", "", "folder with a set whose questions are about other papers")
	verbose := flag.Bool("v", false, "with -set, list the questions that show nothing right")
	flag.Parse()
	if flag.NArg() == 1 && *set != "" {
		if err := runSet(flag.Arg(0), *set, *others, *verbose, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "answers:", err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() != 1 || *every < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *held, *every); err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

// A question is a line of questions.jsonl.
type question struct {
	Question   string   `json:"question"`
	Paper      string   `json:"paper"`
	Answers    []string `json:"answers"`
	Answerable bool     `json:"answerable"`
}

// subject returns the number of the question's subject.
func (q question) subject() int {
	n, err := strconv.Atoi(q.Paper[:2])
	if err != nil {
		return -1
	}
	return n
}

// run makes the archive, asks, and prints the figures.
func run(dir string, held, every int) error {
	all, err := readQuestions(filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "answers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := &reader{dir: dir, work: work}
	if err := r.build(func(subject int) bool { return subject%3 == held }); err != nil {
		return err
	}
	defer r.archive.Close()
	var f figures
	at := 0
	for _, q := range all {
		foreign := q.subject()%3 != held
		if foreign && !q.Answerable {
			continue
		}
		if at++; at%every != 0 {
			continue
		}
		if err := r.ask(q, foreign, &f); err != nil {
			return fmt.Errorf("%q: %w", q.Question, err)
		}
	}
	f.print(os.Stdout)
	return nil
}

// readQuestions reads a file of questions, a line of JSON each.
func readQuestions(file string) ([]question, error) {
	all, err := readJSONLines[question](file)
	for _, q := range all {
		if len(q.Paper) < 2 {
			return nil, fmt.Errorf("%s: paper %q", file, q.Paper)
		}
	}
	return all, err
}

// A reader asks an archive in one name after another.
type reader struct {
	dir, work string
	archive   *archive.Archive
	options   answer.AskOptions
	asked     int
	papers    map[string]string // by name
}

// build makes the archive of the papers of some subjects.
func (r *reader) build(in func(subject int) bool) error {
	found, err := filepath.Glob(filepath.Join(r.dir, "papers", "*.txt"))
	if err != nil {
		return err
	}
	r.papers = map[string]string{}
	var add []string
	for _, file := range found {
		name := filepath.Base(file)
		if subject, err := strconv.Atoi(name[:2]); err != nil || !in(subject) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		r.papers[name] = string(text)
		add = append(add, file)
	}
	return r.add(add)
}

// add makes the archive of some files.
func (r *reader) add(files []string) error {
	if len(files) == 0 {
		return errors.New("no papers")
	}
	signer, err := sshkey.Generate(rand.Reader, filepath.Join(r.work, "key"), "answers", nil)
	if err != nil {
		return err
	}
	r.options = answer.AskOptions{Signer: signer, Tier: "family", NoModel: true}
	world := archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "bench", Author: "Bench <bench@archive.invalid>"}
	if r.archive, err = archive.Init(filepath.Join(r.work, "papers"), archive.InitOptions{}, world); err != nil {
		return err
	}
	if _, err := accession.Add(context.Background(), r.archive, files, accession.AddOptions{}); err != nil {
		return err
	}
	_, err = engine.Snapshot(r.archive, history.SnapshotOptions{Text: "papers", Signer: signer})
	return err
}

// ask puts one question and counts what became of it.
func (r *reader) ask(q question, foreign bool, f *figures) error {
	r.asked++
	o := r.options
	o.Requestor = fmt.Sprintf("reader %d", r.asked)
	o.BundleFile = filepath.Join(r.work, fmt.Sprintf("%d.zip", r.asked))
	begun := time.Now()
	res, err := answer.Ask(context.Background(), r.archive, q.Question, o)
	if err != nil {
		return err
	}
	f.took = append(f.took, time.Since(begun))
	if err := os.Remove(o.BundleFile); err != nil {
		return err
	}
	f.count(q, foreign, res, r.papers)
	return nil
}

// figures count outcomes.
type figures struct {
	answerable, shown, first        int // questions with an answer; its words in what is shown; in the first quote
	answered, answeredRight         int // of these called an answer; rightly
	refused, category               int // of these refused; by category
	impossible, impossibleAnswered  int // of false premises; called an answer
	foreign, foreignRefused, called int // of other subjects; refused; called an answer
	took                            []time.Duration
}

// mostShown is how many quotes of one answer count.
const mostShown = 3

// count counts one outcome.
func (f *figures) count(q question, foreign bool, res *answer.Result, papers map[string]string) {
	called := isCalled(res)
	switch {
	case foreign:
		f.foreign++
		f.foreignRefused += one(len(res.Claims) == 0)
		f.called += one(called)
		return
	case !q.Answerable:
		f.impossible++
		f.impossibleAnswered += one(called)
		return
	}
	f.answerable++
	f.answered += one(called)
	f.refused += one(res.Refusal != nil)
	f.category += one(res.Refusal != nil && res.Refusal.Kind == "category")
	for i, c := range res.Claims[:min(len(res.Claims), mostShown)] {
		if !isRight(q, c, papers[q.Paper]) {
			continue
		}
		f.shown++
		f.first += one(i == 0)
		f.answeredRight += one(called)
		break
	}
}

// isRight reports whether a claim, or a passage that it cites, contains an answer and is in the question's paper.
func isRight(q question, c answer.ResultClaim, paper string) bool {
	texts := []string{c.Text}
	for _, s := range c.Citations {
		texts = append(texts, s.Quote)
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		said := bare(text)
		return strings.Contains(bare(paper), said) && slices.ContainsFunc(q.Answers, func(a string) bool { return strings.Contains(" "+said+" ", " "+bare(a)+" ") })
	})
}

// bare returns a text in lower case, with one space for every run of characters that are neither
// letter nor digit.
func bare(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// print prints the figures.
func (f *figures) print(w io.Writer) {
	line := func(what string, n, of int) {
		fmt.Fprintf(w, "%-72s %5d of %5d  %5.1f %%\n", what, n, of, 100*float64(n)/float64(max(1, of)))
	}
	line("answerable: right words among what is shown", f.shown, f.answerable)
	line("answerable: right words in the first quote", f.first, f.answerable)
	line("answerable: refused", f.refused, f.answerable)
	line("answerable: refused by category", f.category, f.answerable)
	line("answerable: called an answer", f.answered, f.answerable)
	line("called an answer, of answerable questions: right", f.answeredRight, f.answered)
	line("called an answer, half of them of false premises: right", f.answeredRight, f.answered+f.impossibleAnswered)
	line("false premises: called an answer", f.impossibleAnswered, f.impossible)
	line("other subjects: refused", f.foreignRefused, f.foreign)
	line("other subjects: called an answer", f.called, f.foreign)
	slices.Sort(f.took)
	if n := len(f.took); n > 0 {
		fmt.Fprintf(w, "%-72s %v, p95 %v\n", "a question in process, p50", f.took[n/2].Round(time.Millisecond), f.took[n*95/100].Round(time.Millisecond))
	}
}
