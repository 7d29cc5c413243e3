package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/canon"
	"muniment/search/rank"
	"muniment/search/retrieve"
)

const (
	// passingShare is the share of foreign questions that may pass, as the mean of the archives.
	passingShare = 0.04
	// mostPassing is the share of those of one archive that may.
	mostPassing = 0.07
	// someQuestions is of how many questions about the subjects one is asked.
	someQuestions = 8

	// evidenceSteps is how often other weights are tried, and evidenceStep how far they are from the best ones, about.
	evidenceSteps = 3000
	evidenceStep  = 250

	setsDir, lettersDir = "answer/testdata/holdings/dev/", "search/rank/testdata/"
	thirdDir            = "answer/testdata/letters3/"
	diaryFile           = "answer/testdata/diary/dev.txt"
)

// startWeights are near those of a logistic regression of the same questions.
var startWeights = []int{3800, 2200, -2300, 330, -800, 700}

// A collector reads papers and questions. After an error it reads nothing.
type collector struct{ err error }

// papers returns the texts of files.
func (c *collector) papers(pattern ...string) []retrieve.Doc {
	files, _ := filepath.Glob(filepath.Join(pattern...)) // the patterns are well-formed
	out, err := readPapers(files)
	c.fail(err)
	return out
}

func (c *collector) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *collector) read(file string) string {
	text, err := os.ReadFile(file)
	c.fail(err)
	return string(text)
}

// letters returns the letters of a file, each below a line "== name date language".
func (c *collector) letters(file string) (out []retrieve.Doc) {
	for _, letter := range strings.Split(c.read(file), "\n== ")[1:] {
		head, body, _ := strings.Cut(letter, "\n")
		f := strings.Fields(head)
		out = append(out, retrieve.Doc{Artifact: f[0], Author: strings.ToUpper(f[0][:1]) + strings.TrimRight(f[0][1:], "-0123456789"), Date: f[1], Lang: f[2],
			Document: canon.NewDocument(canon.Text([]byte(body)))})
	}
	return out
}

// set returns the questions of sets that have an answer.
func (c *collector) set(files ...string) (out []question) {
	for _, file := range files {
		all, err := readSet(file)
		c.fail(err)
		out = append(out, slices.DeleteFunc(all, func(q question) bool { return !q.Answerable })...)
	}
	return out
}

// foreignSet returns the questions of a set without answers.
func (c *collector) foreignSet(file string) []question {
	all, err := readSet(file)
	c.fail(err)
	return all
}

// questions returns the questions of a file, a line each: own and foreign ones with their kind before them, or foreign ones alone.
func (c *collector) questions(file string) (own, foreign []question) {
	for line := range strings.Lines(c.read(file)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		text, quote, isOwn := strings.Cut(rest, " |")
		switch one := (question{Question: text, Quote: strings.TrimSpace(quote)}); {
		case kind == "own" && isOwn:
			own = append(own, one)
		case kind == "foreign":
			foreign = append(foreign, one)
		case kind != "#" && kind != "never":
			foreign = append(foreign, question{Question: strings.TrimSpace(line)})
		}
	}
	return own, foreign
}

// fitEvidence prints the weights of evidence, fitted on archives of different kinds: letters of two families and of two languages, subjects,
// and all of them in a large one. Of the sets it reads those that are there for developing.
func (l library) fitEvidence() error {
	all, err := l.readQuestions()
	if err != nil {
		return err
	}
	files, err := l.files(func(s int) bool { return s%3 == 0 }, false)
	c := &collector{err: err}
	subjects, others, some := sampleSubjects(all)
	letters := c.set(setsDir + "letters.jsonl")
	ownEnglish, english := c.questions(lettersDir + "questions.txt")
	ownGerman, german := c.questions(lettersDir + "german_questions.txt")
	_, more := c.questions(lettersDir + "foreign_en.txt")
	_, moreGerman := c.questions(lettersDir + "foreign_de.txt")
	english, german = append(english, more...), append(german, moreGerman...)
	ownDiary, otherDiary := c.questions(diaryFile)
	family, germanLetters := c.papers(setsDir, "letters", "*"), c.letters(lettersDir+"german_letters.txt")
	papers, err := readPapers(files)
	c.fail(err)
	var archives []*archive
	for _, a := range []struct {
		papers       []retrieve.Doc
		own, foreign []question
	}{
		{family, letters, slices.Concat(ownEnglish, english, some)},
		{c.papers(setsDir, "family", "*"), nil, slices.Concat(letters, english)},
		{c.letters(lettersDir + "letters.txt"), ownEnglish, slices.Concat(letters, english, some)},
		{germanLetters, ownGerman, german},
		{c.papers(thirdDir, "en", "*"), c.set(thirdDir+"dev3/en.jsonl", thirdDir+"dev3/en-more.jsonl"), slices.Concat(c.foreignSet(thirdDir+"dev3/foreign-en.jsonl"), letters, english)},
		{c.papers(thirdDir, "de", "*"), c.set(thirdDir+"dev3/de.jsonl", thirdDir+"dev3/de-more.jsonl"), slices.Concat(c.foreignSet(thirdDir+"dev3/foreign-de.jsonl"), german)},
		{c.papers(l.beside, "*", "*.txt"), ownDiary, slices.Concat(otherDiary, letters, english, some)},
		{papers, subjects, slices.Concat(others, english, letters)},
		{slices.Concat(c.papers(l.beside, "*", "*.txt"), family, germanLetters), slices.Concat(letters, ownGerman), slices.Concat(german, english, some)},
	} {
		if c.err != nil {
			return c.err
		}
		one, err := askPapers(a.papers, a.own, a.foreign)
		if err != nil {
			return err
		}
		archives = append(archives, one)
	}
	printEvidence(archives)
	return nil
}

// sampleSubjects returns questions to the subjects whose number modulo 3 is 0, foreign ones to them, and some to both.
func sampleSubjects(all []question) (own, others, some []question) {
	for i, q := range all {
		if !q.Answerable {
			continue
		}
		q.Quote = q.Answers[0]
		if i%(5*someQuestions) == 0 && q.Subject%3 != 2 {
			some = append(some, q)
		}
		switch {
		case q.Subject%3 == 0 && i%someQuestions == 0:
			own = append(own, q)
		case q.Subject%3 == 1 && i%someQuestions == 1:
			others = append(others, q)
		}
	}
	return own, others, some
}

// isShown reports whether one of the first passages that candidates are in holds most of a quote.
func isShown(quote string, ranked []rank.Candidate, passages []rank.Passage) bool {
	seen := map[int]bool{}
	for _, c := range ranked {
		if seen[c.Passage] {
			continue
		}
		if len(seen) == quotes {
			return false
		}
		seen[c.Passage] = true
		if holdsMost(plain(passages[c.Passage].Text), quote) {
			return true
		}
	}
	return false
}

// A rule is weights of evidence and the least sum.
type rule struct {
	weights []int
	least   int
}

func (r rule) passes(e rank.Evidence) bool { return r.sum(e) >= r.least }

func (r rule) sum(e rank.Evidence) (s int) {
	for i, x := range e.Values() {
		s += x * r.weights[i]
	}
	return s
}

// printEvidence fits a rule by climbing from a given one in random steps, and prints it and what passes of each archive.
func printEvidence(archives []*archive) {
	best := rule{weights: startWeights}
	most := best.value(archives)
	random := rand.New(rand.NewPCG(1, 1))
	for range evidenceSteps {
		next := rule{weights: slices.Clone(best.weights)}
		for i := range next.weights {
			if random.IntN(2) == 0 {
				next.weights[i] += int(random.NormFloat64() * evidenceStep)
			}
			if next.weights[i]*startWeights[i] < 0 { // the sign follows from what the part means
				next.weights[i] = 0
			}
		}
		if v := next.value(archives); v > most {
			best, most = next, v
		}
	}
	fmt.Printf("least %d\n", best.least)
	for i, name := range (rank.Evidence{}).Names() {
		fmt.Printf("%s %d\n", name, best.weights[i])
	}
	for _, a := range archives {
		var own, right, shown, foreign, passed int
		for _, q := range a.trials {
			pass := best.passes(q.evidence)
			if q.foreign {
				foreign, passed = foreign+1, passed+one(pass)
			} else {
				own, right, shown = own+1, right+one(q.shown), shown+one(q.shown && pass)
			}
		}
		fmt.Printf("# own: %d, right among the first %d, of these shown %d; foreign: %d, passed %d\n", own, right, shown, foreign, passed)
	}
}

// value sets the least sum, by which at most passingShare of foreign questions pass as the mean of the archives and at most mostPassing of
// one, and returns the share of own questions that pass, as the sum of the archives.
func (r *rule) value(archives []*archive) (value float64) {
	type foreign struct {
		sum, archive int
	}
	var all []foreign
	count := make([]float64, len(archives))
	for i, a := range archives {
		for _, q := range a.trials {
			if q.foreign {
				count[i]++
				all = append(all, foreign{r.sum(q.evidence), i})
			}
		}
	}
	slices.SortFunc(all, func(a, b foreign) int { return b.sum - a.sum })
	passed, mean := make([]float64, len(archives)), 0.0
	for _, f := range all {
		share := 1 / count[f.archive]
		passed[f.archive] += share
		if mean += share / float64(len(archives)); mean > passingShare || passed[f.archive] > mostPassing {
			r.least = f.sum + 1
			break
		}
	}
	for _, a := range archives {
		own, shown := 0, 0
		for _, q := range a.trials {
			if q.shown {
				own, shown = own+1, shown+one(r.passes(q.evidence))
			}
		}
		value += float64(shown) / float64(max(1, own))
	}
	return value
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
