// Command passages measures retrieval over a folder of letters: how long the
// index takes to build and to grow by one letter, and how long searches take.
//
//	go run ./bench/passages [-questions 1000] [-k 10] [-keep DIR] LETTERS
//
// A question is made of words of one sentence of some letter, as an asker would
// take them: two to six content words, every third question with a year.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/canon"
	"muniment/cid"
)

func main() {
	questions := flag.Int("questions", 1000, "how many questions are asked")
	k := flag.Int("k", 10, "how many passages each one wants")
	keep := flag.String("keep", "", "folder of the index; taken as it is when it holds one")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: passages [-questions N] [-k N] [-keep DIR] LETTERS")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *keep, *questions, *k); err != nil {
		fmt.Fprintln(os.Stderr, "passages:", err)
		os.Exit(1)
	}
}

func run(letters, dir string, questions, k int) error {
	if dir == "" {
		tmp, err := os.MkdirTemp("", "passages")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		dir = tmp
	}
	ctx := context.Background()
	docs, err := read(letters)
	if err != nil {
		return err
	}
	if len(docs) < 2 {
		return errors.New("want at least two letters")
	}
	x, err := retrieve.Open(dir)
	if err != nil {
		return err
	}
	defer x.Close()
	if x.Snapshot() == "" {
		begun := time.Now()
		if err := x.Update(ctx, "one", retrieve.Each(docs[1:]), nil, nil); err != nil {
			return err
		}
		fmt.Printf("built from %d letters in %.1f s\n", len(docs)-1, time.Since(begun).Seconds())
		begun = time.Now()
		if err := x.Update(ctx, "two", retrieve.Each(docs[:1]), nil, nil); err != nil {
			return err
		}
		fmt.Printf("grown by one letter in %.0f ms\n", float64(time.Since(begun).Microseconds())/1000)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var took []time.Duration
	found := 0
	for i := range questions {
		q := retrieve.Query{Text: question(rng, docs, i), K: k}
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
	ms := func(q float64) float64 {
		return float64(took[min(len(took)-1, int(q*float64(len(took))))].Microseconds()) / 1000
	}
	fmt.Printf("%d questions, %d with passages: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, longest %.1f ms\n", questions, found, ms(.5), ms(.9), ms(.99), ms(1))
	return nil
}

// read takes every file of a folder as a letter.
func read(dir string) (docs []retrieve.Doc, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data = canon.Text(data)
		d := retrieve.Doc{Artifact: cid.Of(data).String(), Title: e.Name(), Lang: "en", Document: canon.NewDocument(data)}
		if dates := retrieve.Dates(string(data[:min(len(data), 80)])); len(dates) > 0 {
			d.Date = dates[0].From
		}
		docs = append(docs, d)
		return nil
	})
	return docs, err
}

// question takes content words of a sentence, in order.
func question(rng *rand.Rand, docs []retrieve.Doc, i int) string {
	for {
		d := docs[rng.IntN(len(docs))]
		text := string(d.Document.Payload())
		sentences := segment.Sentences(text, "en")
		s := sentences[rng.IntN(len(sentences))]
		var words []string
		for _, w := range segment.Words(text[s.Start:s.End]) {
			if !segment.Function(w.Lower) {
				words = append(words, text[s.Start+w.Start:s.Start+w.End])
			}
		}
		n := 2 + rng.IntN(5)
		if len(words) < n {
			continue
		}
		at := rng.IntN(len(words) - n + 1)
		q := "What about " + strings.Join(words[at:at+n], " ")
		if i%3 == 2 && d.Date != "" {
			q += " in " + d.Date[:4]
		}
		return q + "?"
	}
}
