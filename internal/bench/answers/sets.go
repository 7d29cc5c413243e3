package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/answer"
	"muniment/archive/search"
)

// A setCase is a line of a set: a question to the files of a folder, and the words in one or more of them that answer it.
type setCase struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Answerable bool     `json:"answerable"`
	File       string   `json:"file"`
	Quote      string   `json:"quote"`
	Also       []string `json:"also"` // other files that say it
}

// searchedPassages is how many passages of a search are looked at.
const searchedPassages = 50

// A loss counts where the right passage was lost on the way from the search to what is shown.
type loss struct {
	answerable, shown, first               int
	called, right                          int // called an answer; rightly
	impossible, asserted, impossibleSilent int
	foreign, foreignRefused, foreignCalled int
	lostIn                                 map[string]int // answerable questions by where search has the passage and what became of it
}

// runSet puts the questions of a set DIR/NAME.jsonl to an archive of the files DIR/NAME, and those of other sets of the same name, and prints
// where right passages are lost. With verbose it lists the questions that show nothing right.
func runSet(dir, name, others string, verbose bool, w io.Writer) error {
	all, err := readJSONLines[setCase](filepath.Join(dir, name+".jsonl"))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "answers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	files, err := filepath.Glob(filepath.Join(dir, name, "*"))
	if err != nil {
		return err
	}
	r := &reader{dir: dir, work: work}
	if err := r.add(files); err != nil {
		return err
	}
	defer r.archive.Close()
	r.options.Tier = ""
	l := loss{lostIn: map[string]int{}}
	for _, c := range all {
		line, err := r.follow(c, &l)
		if err != nil {
			return fmt.Errorf("%q: %w", c.Question, err)
		}
		if verbose && line != "" {
			fmt.Fprintln(w, line)
		}
	}
	if others != "" {
		foreign, err := readJSONLines[setCase](filepath.Join(others, name+".jsonl"))
		if err != nil {
			return err
		}
		for _, c := range foreign {
			res, err := r.put(c.Question)
			if err != nil {
				return err
			}
			l.foreign++
			l.foreignRefused += one(len(res.Claims) == 0)
			l.foreignCalled += one(isCalled(res))
		}
	}
	l.print(w)
	return nil
}

// put asks one question as somebody who gives no name, and removes the bundle.
func (r *reader) put(question string) (*answer.Result, error) {
	r.asked++
	o := r.options
	o.BundleFile = filepath.Join(r.work, fmt.Sprintf("%d.zip", r.asked))
	res, err := answer.Ask(context.Background(), r.archive, question, o)
	if err != nil {
		return nil, err
	}
	return res, os.Remove(o.BundleFile)
}

// follow asks one question, counts, and returns a line about one that shows nothing right; "" for the others.
func (r *reader) follow(c setCase, l *loss) (string, error) {
	res, err := r.put(c.Question)
	if err != nil {
		return "", err
	}
	called := isCalled(res)
	if !c.Answerable {
		l.impossible++
		l.asserted += one(called)
		l.impossibleSilent += one(len(res.Claims) == 0)
		if called {
			return fmt.Sprintf("ASSERTED %s %q: %s", c.ID, c.Question, res.Claims[0].Text), nil
		}
		return "", nil
	}
	l.answerable++
	paper, passage, err := r.place(c)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(res.Claims, func(claim answer.ResultClaim) bool { return showsQuote(claim, c.Quote) })
	l.shown += one(at >= 0)
	l.first += one(at == 0)
	l.called += one(called)
	l.right += one(called && at == 0)
	why := "shown"
	if at < 0 {
		why = whyLost(res)
	}
	l.lostIn[bandOf(paper, passage)+": "+why]++
	if at >= 0 {
		return "", nil
	}
	line := fmt.Sprintf("%s %q: paper %d, passage %d of the search; %s", c.ID, c.Question, paper, passage, why)
	for _, claim := range res.Claims {
		line += "\n    " + claim.Text
	}
	return line + "\n  want " + c.Quote, nil
}

// never is the rank of what is not found.
const never = 1000

// place returns at which paper and at which passage of a search the words of a case are.
func (r *reader) place(c setCase) (paper, passage int, err error) {
	found, err := search.Search(context.Background(), r.archive, c.Question, searchedPassages, search.Reader{}, nil)
	if err != nil {
		return never, never, err
	}
	var papers []string
	for i, h := range found.Hits {
		if !slices.Contains(papers, h.Artifact) {
			papers = append(papers, h.Artifact)
		}
		if overlaps(h.Text, c.Quote) {
			return len(papers), i + 1, nil
		}
	}
	return never, never, nil
}

// bandOf names how far up a search has a passage.
func bandOf(paper, passage int) string {
	for i, in := range []bool{paper <= 3, passage <= 12, passage <= searchedPassages} {
		if in {
			return []string{"first three papers", "first 12 passages", "first 50 passages"}[i]
		}
	}
	return "not found"
}

// whyLost names the stage at which a question lost its passage.
func whyLost(res *answer.Result) string {
	switch {
	case res.Refusal != nil:
		return "refused: " + cmp.Or(res.Refusal.Category, res.Refusal.Kind)
	case len(res.Claims) > 0 && res.Claims[0].Role == "answer":
		return "another passage is called the answer"
	case len(res.Claims) > 0 && res.Claims[0].Citations[0].Relation != "direct_quote":
		return "answered from records"
	}
	return "other passages are shown"
}

func isCalled(res *answer.Result) bool {
	return slices.ContainsFunc(res.Claims, func(c answer.ResultClaim) bool { return c.Role == "answer" })
}

// showsQuote reports whether a claim, or a quote that it cites, has the words of an answer.
func showsQuote(c answer.ResultClaim, quote string) bool {
	return overlaps(c.Text, quote) || slices.ContainsFunc(c.Citations, func(s answer.ResultCitation) bool { return overlaps(s.Quote, quote) })
}

// leastOverlap is how many of the words of an answer, in percent, a passage holds in a row that has it.
const leastOverlap = 70

// overlaps reports whether a text has most of the words of a quote in their order.
func overlaps(text, quote string) bool {
	have, want := " "+bare(text)+" ", strings.Fields(bare(quote))
	if len(want) == 0 {
		return false
	}
	need := max(1, (len(want)*leastOverlap+99)/100)
	for from := 0; from+need <= len(want); from++ {
		if strings.Contains(have, " "+strings.Join(want[from:from+need], " ")+" ") {
			return true
		}
	}
	return false
}

// print prints the table of one set.
func (l *loss) print(w io.Writer) {
	line := func(what string, n, of int) {
		fmt.Fprintf(w, "%-60s %4d of %4d  %5.1f %%\n", what, n, of, 100*float64(n)/float64(max(1, of)))
	}
	line("ask: shown", l.shown, l.answerable)
	line("ask: shown first", l.first, l.answerable)
	line("ask: called the answer", l.called, l.answerable)
	line("ask: of these right", l.right, l.called)
	line("ask: unanswerable called the answer", l.asserted, l.impossible)
	line("ask: unanswerable refused", l.impossibleSilent, l.impossible)
	line("ask: questions to other papers refused", l.foreignRefused, l.foreign)
	line("ask: questions to other papers called the answer", l.foreignCalled, l.foreign)
	for _, why := range sortedKeys(l.lostIn) {
		fmt.Fprintf(w, "  search %3d %s\n", l.lostIn[why], why)
	}
}

func sortedKeys(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// readJSONLines reads a file of JSON lines.
func readJSONLines[T any](file string) ([]T, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out []T
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, one)
	}
	return out, lines.Err()
}
