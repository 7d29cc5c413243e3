// Command letters writes a folder of letters that nobody wrote: varied English
// text to measure an archive with.
//
//	go run ./internal/bench/letters [-n 50000] [-bytes 136000000] DIR
//
// Words are drawn from words.txt by Zipf's law, with names, dates and sums of
// money between them, so that the letters deflate about as prose does. The same
// arguments give the same bytes on every machine.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

//go:embed words.txt
var wordList string

var (
	people = strings.Fields("Ada Ben Clara Daniel Edith Frank Grace Henry Ida Jacob Katherine Lewis Martha Nathan Olive Peter Rose Samuel Thomas Violet")
	kin    = strings.Fields("Vale Ost Harker Lindqvist Morrow Pemberton Quill Rourke Sayer Tolland Underhill Wyatt Yardley Brandt Castle Dunmore")
	towns  = strings.Fields("Aldham Birkwith Caldmoor Dunsea Eastry Farnholt Grimsay Holmby Inverlee Kestle Lyddon Marsk Northwick Ottery Pensett")
)

func main() {
	n := flag.Int("n", 50_000, "how many letters")
	total := flag.Int64("bytes", 136_000_000, "their size together, nearly")
	flag.Parse()
	if flag.NArg() != 1 || *n < 1 {
		fmt.Fprintln(os.Stderr, "usage: letters [-n COUNT] [-bytes TOTAL] DIR")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *n, *total); err != nil {
		fmt.Fprintln(os.Stderr, "letters:", err)
		os.Exit(1)
	}
}

// write makes n letters, a thousand in a folder.
func write(dir string, n int, total int64) error {
	w := newWriter()
	left := total
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("box-%03d", i/1000+1))
		if i%1000 == 0 {
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
		}
		// Lengths spread from a quarter of the mean to nearly twice it; what
		// one letter has too little the next ones share.
		mean := float64(left) / float64(n-i)
		size := int(mean * (0.25 + 1.5*w.rng.Float64()))
		letter := w.letter(i, size)
		left -= int64(len(letter))
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("letter-%05d.txt", i+1)), letter, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A writer draws words.
type writer struct {
	rng   *rand.Rand
	words []string
	sums  []float64 // cumulative weights of words
}

func newWriter() *writer {
	w := &writer{rng: rand.New(rand.NewPCG(1660, 1)), words: strings.Fields(wordList)}
	sum := 0.0
	for rank := range w.words {
		sum += 1 / math.Pow(float64(rank+3), 0.9)
		w.sums = append(w.sums, sum)
	}
	return w
}

func pick(w *writer, list []string) string { return list[w.rng.IntN(len(list))] }

func (w *writer) word() string {
	x := w.rng.Float64() * w.sums[len(w.sums)-1]
	lo, hi := 0, len(w.sums)-1
	for lo < hi {
		if mid := (lo + hi) / 2; w.sums[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return w.words[lo]
}

// letter writes a letter of at least size bytes, ending with its sentence.
func (w *writer) letter(i, size int) []byte {
	var b strings.Builder
	day := time.Date(1840, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, w.rng.IntN(25_000))
	from := pick(w, people)
	fmt.Fprintf(&b, "%s, %s\nNo. %d\n\nDear %s,\n\n", pick(w, towns), day.Format("2 January 2006"), i+1, pick(w, people))
	for b.Len() < size {
		column := 0
		for range 2 + w.rng.IntN(6) {
			column = w.sentence(&b, column)
		}
		b.WriteString("\n\n")
	}
	fmt.Fprintf(&b, "Yours,\n%s %s\n", from, pick(w, kin))
	return []byte(b.String())
}

// sentence writes one sentence into lines of at most 78 characters, of which
// the last has column, and returns what it has then.
func (w *writer) sentence(b *strings.Builder, column int) int {
	length := 6 + w.rng.IntN(18)
	for i := range length {
		word := w.word()
		switch w.rng.IntN(40) {
		case 0:
			word = pick(w, people) + " " + pick(w, kin)
		case 1:
			word = pick(w, towns)
		case 2:
			word = strconv.Itoa(1 + w.rng.IntN(999))
		case 3, 4:
			word += ","
		}
		if i == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		if i == length-1 {
			word = strings.TrimSuffix(word, ",") + "."
		}
		switch {
		case column == 0:
		case column+len(word) > 77:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return column
}
