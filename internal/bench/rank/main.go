// Command rank fits the weights of search/rank and measures them.
//
//	go run ./internal/bench/rank -data DIR                 measure the weights of the program
//	go run ./internal/bench/rank -data DIR -fit            fit weights first, and print them
//	go run ./internal/bench/rank -data DIR -retrieval      compare the index with plain BM25
//	go run ./internal/bench/rank -data DIR -beside OTHER   also in an archive that holds the texts of OTHER beside
//	go run ./internal/bench/rank -data DIR -sets SETS -fit also on the sets of a folder
//	go run ./internal/bench/rank -data DIR -beside OTHER -evidence   fit search/rank/evidence.go
//
//	go run ./internal/bench/rank -antonyms /usr/share/wordnet > text/lexicon/antonyms.txt
//	go run ./internal/bench/rank -synonyms /usr/share/wordnet > search/rank/synonyms.txt
//
// DIR holds papers/NN-Subject-PP.txt and questions.jsonl, a line each with question, paper, answers and answerable.
// Every third subject is held back: its questions are asked of an archive of the papers held back, and the
// questions of the other subjects are the foreign ones. OTHER is a folder of text files on other matters, which make
// the archive large: scores have to mean the same there. A quote is right when it comes from the question's paper
// and contains one of its answers, in lower case and without punctuation. Every figure is a pure function of DIR.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"muniment/canon"
	"muniment/search/rank"
	"muniment/search/retrieve"
)

func main() {
	data := flag.String("data", "", "folder of papers/ and questions.jsonl")
	retrieval := flag.Bool("retrieval", false, "compare the index with plain BM25, on the subjects held back, and do nothing else")
	beside := flag.String("beside", "", "folder of other texts, for a large archive")
	sets := flag.String("sets", "", "folder of sets to fit on as well")
	evidence := flag.Bool("evidence", false, "fit and print the weights of search/rank/evidence.go")
	fit := flag.Bool("fit", false, "fit weights and print them")
	held := flag.Int("held", 2, "hold back the subjects whose number modulo 3 is this")
	antonyms := flag.String("antonyms", "", "write the antonyms of WordNet's data files in this folder, and do nothing else")
	synonyms := flag.String("synonyms", "", "write words that may stand for each other, of WordNet's data files in this folder, and do nothing else")
	flag.Parse()
	if dir := *antonyms + *synonyms; dir != "" && flag.NArg() == 0 {
		write := writeAntonyms
		if *synonyms != "" {
			write = writeSynonyms
		}
		if err := write(dir, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "rank:", err)
			os.Exit(1)
		}
		return
	}
	if *data == "" || flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	l := library{*data, *beside, *sets}
	work := func() error { return run(l, *fit, *retrieval, *held) }
	if *evidence {
		work = l.fitEvidence
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "rank:", err)
		os.Exit(1)
	}
}

func run(l library, fitting, retrieval bool, held int) error {
	all, err := l.readQuestions()
	if err != nil {
		return err
	}
	back := func(subject int) bool { return subject%3 == held }
	if retrieval {
		return l.compareRetrieval(all, back)
	}
	w := rank.Default()
	if fitting {
		archives, err := l.fitArchives(all, back)
		if err != nil {
			return err
		}
		w = fit(archives)
		fmt.Print(w.String())
	}
	a, err := l.ask(all, back, false)
	if err != nil {
		return err
	}
	fmt.Printf("held back\n%s", measure(a, w))
	if l.beside == "" {
		return nil
	}
	if a, err = l.ask(all, back, true); err == nil {
		fmt.Printf("held back, beside other texts\n%s", measure(a, w))
	}
	return err
}

// foreignSample is of how many foreign questions one is used to fit: there are many more than of others.
const foreignSample = 4

// fitArchives asks archives of different sizes the questions that are not held back: two halves of
// the subjects, two single subjects and, if there are other texts, a half with these.
func (l library) fitArchives(all []question, back func(int) bool) ([]*archive, error) {
	var subjects []int
	for _, q := range all {
		if !back(q.Subject) && !slices.Contains(subjects, q.Subject) {
			subjects = append(subjects, q.Subject)
		}
	}
	if len(subjects) < 4 {
		return nil, fmt.Errorf("%d subjects to fit on, want 4", len(subjects))
	}
	slices.Sort(subjects)
	half := func(n int) func(int) bool {
		return func(s int) bool { i := slices.Index(subjects, s); return i >= 0 && i%2 == n }
	}
	single := func(n int) func(int) bool { return func(s int) bool { return s == subjects[n] } }
	var out []*archive
	for i, in := range []func(int) bool{half(0), half(1), single(0), single(3)} {
		a, err := l.ask(pick(all, back, in), in, false)
		if err != nil {
			return nil, err
		}
		a.half = i % 2
		out = append(out, a)
	}
	if l.sets != "" {
		for _, name := range []string{"letters", "german"} {
			a, err := l.askSet(name, pick(all, back, func(int) bool { return false }))
			if err != nil {
				return nil, err
			}
			out = append(out, a)
		}
	}
	if l.beside == "" {
		return out, nil
	}
	a, err := l.ask(pick(all, back, half(1)), half(1), true)
	if err != nil {
		return nil, err
	}
	a.half = 1
	return append(out, a), nil
}

// pick returns the questions that are not held back, of those foreign to an archive one in foreignSample.
func pick(all []question, back, in func(int) bool) []question {
	var out []question
	n := 0
	for _, q := range all {
		if back(q.Subject) {
			continue
		}
		if in(q.Subject) || n%foreignSample == 0 {
			out = append(out, q)
		}
		if !in(q.Subject) {
			n++
		}
	}
	return out
}

// A library is where papers and questions are, and other texts.
type library struct{ data, beside, sets string }

// maxSubjects is how many subjects the data may have: names have two digits.
const maxSubjects = 100

// A question is a line of questions.jsonl.
type question struct {
	Question   string   `json:"question"`
	Paper      string   `json:"paper"`
	Answers    []string `json:"answers"`
	Answerable bool     `json:"answerable"`
	Subject    int      `json:"-"`

	File  string `json:"file"`  // of a set: the paper
	Quote string `json:"quote"` // of a set: the words that answer
}

func (l library) readQuestions() ([]question, error) {
	f, err := os.Open(filepath.Join(l.data, "questions.jsonl"))
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
type archive struct {
	half   int // of the subjects that weights are fitted on: those it holds are of this one; bothHalves for other papers
	trials []trial
}

// A trial is one question with its candidates.
type trial struct {
	question
	foreign    bool // its subject is not in the archive
	found      bool // a passage of its paper is found
	candidates []rank.Candidate
	right      map[place]bool
	evidence   rank.Evidence // by the weights of the program
	shown      bool          // one of the first passages by these weights holds the right words
}

// A place is the position of a candidate.
type place struct{ passage, from, to int }

func placeOf(c rank.Candidate) place { return place{c.Passage, c.From, c.To} }

// passagesPerQuestion is how many passages the program looks at for a part of a question.
const passagesPerQuestion = 32

// openIndex opens an index in a new folder, both of which end removes.
func openIndex() (x *retrieve.Folder, end func(), err error) {
	tmp, err := os.MkdirTemp("", "rank")
	if err == nil {
		x, err = retrieve.Open(tmp)
	}
	return x, func() { _ = errors.Join(x.Close(), os.RemoveAll(tmp)) }, err
}

// ask asks an archive of some subjects some questions.
func (l library) ask(questions []question, in func(subject int) bool, beside bool) (*archive, error) {
	ctx := context.Background()
	x, end, err := openIndex()
	if err != nil {
		return nil, err
	}
	defer end()
	files, err := l.files(in, beside)
	if err != nil {
		return nil, err
	}
	if err := x.Update(ctx, "one", documents(files), nil, nil); err != nil {
		return nil, err
	}
	a := &archive{}
	for _, q := range questions {
		one, err := candidates(ctx, x, q, nil)
		if err != nil {
			return nil, err
		}
		one.foreign = !in(q.Subject)
		a.trials = append(a.trials, one)
	}
	return a, nil
}

// files returns the papers of some subjects, and the other texts.
func (l library) files(in func(subject int) bool, beside bool) ([]string, error) {
	papers, err := filepath.Glob(filepath.Join(l.data, "papers", "*.txt"))
	if err == nil && len(papers) == 0 {
		err = errors.New("no papers")
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range papers {
		s, err := subjectOf(filepath.Base(p))
		if err != nil {
			return nil, err
		}
		if in(s) {
			out = append(out, p)
		}
	}
	if !beside {
		return out, nil
	}
	err = filepath.WalkDir(l.beside, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Ext(path) == ".txt" {
			out = append(out, path)
		}
		return err
	})
	return out, err
}

// documents yields the texts of files; the artifact is the name of the file.
func documents(files []string) iter.Seq2[retrieve.Doc, error] {
	return func(yield func(retrieve.Doc, error) bool) {
		for _, name := range files {
			text, err := os.ReadFile(name)
			d := retrieve.Doc{Artifact: filepath.Base(name), Lang: "en", Document: canon.NewDocument(canon.Text(text))}
			if !yield(d, err) {
				return
			}
		}
	}
}

// maxCandidates is the number of candidates of a question that are kept besides the right ones: the
// best by the present weights.
const maxCandidates = 60

// candidates returns a question with its candidates; texts are the papers by name, nil where their heads say nothing.
func candidates(ctx context.Context, x retrieve.Index, q question, texts map[string]string) (trial, error) {
	out := trial{question: q, right: map[place]bool{}}
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
		passages[i] = rank.Passage{Text: p.Text, Title: p.Title, Lang: p.Lang, Document: p.Artifact, Dated: p.Dated}
		if text, ok := texts[p.Artifact]; ok {
			passages[i].Describe(text, p.Artifact)
		}
		out.found = out.found || p.Artifact == q.Paper
	}
	asked := rank.NewQuestion(q.Question, "", weighing)
	out.candidates = rank.Candidates(asked, passages)
	ranked := rank.Choose(slices.Clone(out.candidates), rank.Default())
	out.evidence, out.shown = asked.Weigh(ranked, passages), q.Quote != "" && isShown(q.Quote, ranked, passages)
	for _, c := range out.candidates {
		if found[c.Passage].Artifact != q.Paper && q.Quote == "" {
			continue
		}
		words := plain(c.Text)
		if q.Quote != "" && holdsMost(words, q.Quote) || slices.ContainsFunc(q.Answers, func(a string) bool { return strings.Contains(words, a) }) {
			out.right[placeOf(c)] = true
		}
	}
	w := rank.Default()
	slices.SortStableFunc(out.candidates, func(a, b rank.Candidate) int { return b.Features.Score(w) - a.Features.Score(w) })
	n := 0
	out.candidates = slices.DeleteFunc(out.candidates, func(c rank.Candidate) bool {
		n++
		return n > maxCandidates && !out.right[placeOf(c)]
	})
	return out, nil
}
