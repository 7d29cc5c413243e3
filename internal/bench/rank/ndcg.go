package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"muniment/search/retrieve"
	"muniment/text/segment"
)

// depth is how many papers of a list count.
const depth = 10

// compareRetrieval prints nDCG@10 of the index and of plain BM25 for the questions of some subjects that have an
// answer, where the one paper that is relevant is the question's.
func (l library) compareRetrieval(all []question, in func(subject int) bool) error {
	ctx := context.Background()
	x, end, err := openIndex()
	if err != nil {
		return err
	}
	defer end()
	files, err := l.files(in, false)
	if err != nil {
		return err
	}
	if err := x.Update(ctx, "one", documents(files), nil, nil); err != nil {
		return err
	}
	plain, err := newBM25(files)
	if err != nil {
		return err
	}
	n, ours, theirs := 0, 0.0, 0.0
	for _, q := range all {
		if !q.Answerable || !in(q.Subject) {
			continue
		}
		found, err := x.Search(ctx, retrieve.Query{Text: q.Question, K: passagesPerQuestion})
		if err != nil {
			return err
		}
		var papers []string
		for _, p := range found {
			if !slices.Contains(papers, p.Artifact) {
				papers = append(papers, p.Artifact)
			}
		}
		n++
		ours += gain(papers, q.Paper)
		theirs += gain(plain.search(q.Question), q.Paper)
	}
	fmt.Printf("nDCG@%d over %d questions: index %.4f, plain BM25 %.4f\n", depth, n, ours/float64(n), theirs/float64(n))
	return nil
}

// gain returns the nDCG of a list with one relevant paper.
func gain(papers []string, relevant string) float64 {
	i := slices.Index(papers[:min(len(papers), depth)], relevant)
	if i < 0 {
		return 0
	}
	return 1 / math.Log2(float64(i)+2)
}

// BM25 is the textbook's: whole papers, k1 = 1.2, b = 0.75, Snowball stems, no words left out.
type bm25 struct {
	papers  map[string]map[string]int // frequency of each stem
	lengths map[string]int
	holding map[string]int // papers with a stem
	mean    float64
}

func newBM25(files []string) (*bm25, error) {
	b := &bm25{papers: map[string]map[string]int{}, lengths: map[string]int{}, holding: map[string]int{}}
	for d, err := range documents(files) {
		if err != nil {
			return nil, err
		}
		counts := map[string]int{}
		for _, stem := range stemsOf(string(d.Document.Payload())) {
			counts[stem]++
			b.lengths[d.Artifact]++
		}
		for stem := range counts {
			b.holding[stem]++
		}
		b.papers[d.Artifact] = counts
		b.mean += float64(b.lengths[d.Artifact]) / float64(len(files))
	}
	return b, nil
}

func stemsOf(text string) []string {
	var out []string
	for _, w := range segment.Words(text) {
		out = append(out, segment.SearchKey(w.Lower, "en"))
	}
	return out
}

// search returns the papers that hold a word of a question, best first.
func (b *bm25) search(question string) []string {
	scores := map[string]float64{}
	for _, stem := range stemsOf(question) {
		n := float64(b.holding[stem])
		idf := math.Log(1 + (float64(len(b.papers))-n+0.5)/(n+0.5))
		for paper, counts := range b.papers {
			if tf := float64(counts[stem]); tf > 0 {
				scores[paper] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(b.lengths[paper])/b.mean))
			}
		}
	}
	return slices.SortedFunc(maps.Keys(scores), func(x, y string) int {
		if scores[x] != scores[y] {
			if scores[x] > scores[y] {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
}
