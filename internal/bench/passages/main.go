// Command passages measures retrieval: how long an index of made-up letters
// takes to build and to grow by one letter, and how long searches take.
//
//	go run ./internal/bench/passages [-n 1000000] [-questions 1000] [-k 10]
//
// Words are drawn from 60,000 by the law of Zipf and Mandelbrot: a sixth of the passages have the
// commonest content words, as in English prose. A question has two to six adjacent words of a
// letter; every third one names a year. The same arguments give the same letters and questions.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"muniment/canon"
	"muniment/cid"
	"muniment/search/retrieve"
)

// perLetter is how many passages a letter has: every paragraph is one.
const perLetter = 8

func main() {
	n := flag.Int("n", 1_000_000, "how many passages")
	questions := flag.Int("questions", 1000, "how many questions are asked")
	k := flag.Int("k", 10, "how many passages each one wants")
	flag.Parse()
	if flag.NArg() != 0 || *n < 2*perLetter || *questions < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*n/perLetter, *questions, *k); err != nil {
		fmt.Fprintln(os.Stderr, "passages:", err)
		os.Exit(1)
	}
}

func run(letters, questions, k int) error {
	ctx := context.Background()
	x, again, done, err := open()
	if err != nil {
		return err
	}
	defer done()
	w := newWriter()
	begun := time.Now()
	if err := x.Update(ctx, "one", w.letters(1, letters), nil, nil); err != nil {
		return err
	}
	fmt.Printf("built: %d passages in %.1f s\n", (letters-1)*perLetter, time.Since(begun).Seconds())
	begun = time.Now()
	if err := x.Update(ctx, "two", w.letters(0, 1), nil, nil); err != nil {
		return err
	}
	fmt.Printf("grown by a letter: %.0f ms\n", time.Since(begun).Seconds()*1000)

	if err := opening(ctx, again); err != nil {
		return err
	}

	rng := rand.New(rand.NewPCG(7, 7))
	var took []time.Duration
	found := 0
	for i := range questions {
		q := retrieve.Query{Text: w.question(rng, letters, i%3 == 2), K: k}
		begun := time.Now()
		ps, err := x.Search(ctx, q)
		if err != nil {
			return err
		}
		took = append(took, time.Since(begun))
		if len(ps) > 0 {
			found++
		}
	}
	slices.Sort(took)
	at := func(q float64) float64 {
		return took[min(len(took)-1, int(q*float64(len(took))))].Seconds() * 1000
	}
	fmt.Printf("%d questions, %d with passages: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, longest %.1f ms\n", questions, found, at(.5), at(.9), at(.99), at(1))
	return nil
}

// opening prints how long an index takes to open, of twenty times.
func opening(ctx context.Context, again func() (retrieve.Index, error)) error {
	var took []time.Duration
	for range 20 {
		begun := time.Now()
		x, err := again()
		if err != nil {
			return err
		}
		took = append(took, time.Since(begun))
		if x.Snapshot() != "two" {
			return fmt.Errorf("opened an index of %q", x.Snapshot())
		}
		if err := x.Close(); err != nil {
			return err
		}
	}
	slices.Sort(took)
	fmt.Printf("opened: p50 %.1f ms, longest %.1f ms\n", took[10].Seconds()*1000, took[19].Seconds()*1000)
	return nil
}

// open makes an empty index. again opens it once more, done removes it.
func open() (x retrieve.Index, again func() (retrieve.Index, error), done func(), err error) {
	dir, err := os.MkdirTemp("", "passages")
	if err != nil {
		return nil, nil, nil, err
	}
	again = func() (retrieve.Index, error) { return retrieve.Open(dir) }
	if x, err = again(); err != nil {
		os.RemoveAll(dir)
		return nil, nil, nil, err
	}
	return x, again, func() { x.Close(); os.RemoveAll(dir) }, nil
}

// A writer draws words.
type writer struct {
	words    []string
	sums     []float64 // cumulative weights of words
	function []string
}

func newWriter() *writer {
	w := &writer{function: strings.Fields("the of and to in a that it was he for his with at but had on as by not be her from they so this my we all")}
	const vocabulary, offset = 60_000, 30
	syllables := strings.Fields("ba co di fe gu ha jo ki lo ma ne po qui ra so ti vu wa xe zo bra cle dri flo gra pli sta tro")
	rng := rand.New(rand.NewPCG(1660, 9))
	seen := map[string]bool{}
	sum := 0.0
	for len(w.words) < vocabulary {
		var b strings.Builder
		for range 2 + rng.IntN(3) {
			b.WriteString(syllables[rng.IntN(len(syllables))])
		}
		if word := b.String(); !seen[word] {
			seen[word] = true
			sum += 1 / float64(len(w.words)+offset)
			w.words, w.sums = append(w.words, word), append(w.sums, sum)
		}
	}
	return w
}

func (w *writer) word(rng *rand.Rand) string {
	return w.words[sort.SearchFloat64s(w.sums, rng.Float64()*w.sums[len(w.sums)-1])]
}

// letters yields the letters with the numbers from up to, but not including, to.
func (w *writer) letters(from, to int) iter.Seq2[retrieve.Doc, error] {
	return func(yield func(retrieve.Doc, error) bool) {
		for i := from; i < to; i++ {
			if !yield(w.letter(i), nil) {
				return
			}
		}
	}
}

// letter writes a letter of perLetter paragraphs of about 500 characters, dated within 80 years.
func (w *writer) letter(i int) retrieve.Doc {
	rng := rand.New(rand.NewPCG(1660, uint64(i)))
	day := time.Date(1840, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(29_000))
	var b strings.Builder
	for p := range perLetter {
		if p > 0 {
			b.WriteString("\n\n")
		}
		for range 5 {
			for j := range 8 + rng.IntN(8) {
				word := w.word(rng)
				switch {
				case j == 0 || rng.IntN(20) == 0:
					word = strings.ToUpper(word[:1]) + word[1:]
					fallthrough
				case j%2 == 0:
					b.WriteString(word)
				default:
					b.WriteString(w.function[int(math.Sqrt(float64(rng.IntN(len(w.function)*len(w.function)))))])
				}
				b.WriteString(" ")
			}
			b.WriteString("end. ")
		}
	}
	text := canon.Text([]byte(b.String()))
	return retrieve.Doc{Artifact: cid.Of(text).String(), Title: fmt.Sprintf("Letter %d", i), Date: day.Format(time.DateOnly), Lang: "en", Document: canon.NewDocument(text)}
}

// question asks for words of a letter.
func (w *writer) question(rng *rand.Rand, letters int, dated bool) string {
	d := w.letter(rng.IntN(letters))
	words := strings.Fields(strings.ReplaceAll(string(d.Document.Payload()), "end.", ""))
	n := 2 * (2 + rng.IntN(5)) // every other word is a content word
	at := rng.IntN(len(words) - n)
	q := "What about " + strings.Join(words[at:at+n], " ")
	if dated {
		q += " in " + d.Date[:4]
	}
	return q + "?"
}
