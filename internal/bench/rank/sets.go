package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muniment/canon"
	"muniment/search/retrieve"
)

// bothHalves is the half of an archive of other papers.
const bothHalves = -1

// askSet asks an archive of the papers of a set its questions, and questions about other papers.
func (l library) askSet(name string, foreign []question) (*archive, error) {
	own, err := readSet(filepath.Join(l.sets, name+".jsonl"))
	if err != nil {
		return nil, err
	}
	if name != "letters" {
		foreign, err = readSet(filepath.Join(l.sets, name+"-other.jsonl"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	files, err := filepath.Glob(filepath.Join(l.sets, name, "*"))
	if err != nil {
		return nil, err
	}
	papers, err := readPapers(files)
	if err != nil {
		return nil, err
	}
	return askPapers(papers, own, foreign)
}

// readPapers returns the texts of files, whose names they have.
func readPapers(files []string) (out []retrieve.Doc, err error) {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		out = append(out, retrieve.Doc{Artifact: filepath.Base(file), Document: canon.NewDocument(canon.Text(text))})
	}
	return out, nil
}

// askPapers asks an archive of papers its own questions and foreign ones.
func askPapers(papers []retrieve.Doc, own, foreign []question) (*archive, error) {
	x, end, err := openIndex()
	if err != nil {
		return nil, err
	}
	defer end()
	ctx, texts := context.Background(), map[string]string{}
	err = x.Update(ctx, "one", func(yield func(retrieve.Doc, error) bool) {
		for _, p := range papers {
			texts[p.Artifact] = string(p.Document.Payload())
			if !yield(p, nil) {
				return
			}
		}
	}, nil, nil)
	if err != nil {
		return nil, err
	}
	a := &archive{half: bothHalves}
	for i, q := range slices.Concat(own, foreign) {
		one, err := candidates(ctx, x, q, texts)
		if err != nil {
			return nil, err
		}
		one.foreign = i >= len(own)
		a.trials = append(a.trials, one)
	}
	return a, nil
}

// readSet reads the questions of a set.
func readSet(file string) (out []question, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var q question
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		q.Paper = q.File
		out = append(out, q)
	}
}

// mostOf is the share of the words of an answer, in percent, that a candidate has in a row which holds it.
const mostOf = 70

// holdsMost reports whether plain words hold most of a quote.
func holdsMost(words, quote string) bool {
	want := strings.Fields(plain(quote))
	need := max(1, (len(want)*mostOf+99)/100)
	for from := 0; from+need <= len(want); from++ {
		if strings.Contains(words, " "+strings.Join(want[from:from+need], " ")+" ") {
			return true
		}
	}
	return false
}
