package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"muniment/text/segment"
)

// synonymNotice precedes the lines.
const synonymNotice = `# English words that may stand for each other, a line for each word with all that may stand for it: words of one synset
# of WordNet 3.0, and words that it derives from each other, as the keys of segment.SearchKey (files data.* and index.* of
# Debian's package wordnet-base 1:3.0-37), as written by
#     go run ./internal/bench/rank -synonyms /usr/share/wordnet
# Of each word the first senses count, and one of the two words is in the texts that WordNet's authors tagged.
# They never support a sentence: they only help to find it.
` + licence

// firstSenses is how many senses of a word count: they are in the order of their frequency.
const firstSenses = 3

// A sense is what the index of WordNet says of a word as one part of speech.
type sense struct {
	synsets []string // the first senses
	tagged  bool     // some sense is in the texts that were tagged
}

// readSenses returns the senses of words, by the letter of the part of speech and the word.
func readSenses(dir string) (map[string]sense, error) {
	out := map[string]sense{}
	for _, part := range parts {
		f, err := os.Open(filepath.Join(dir, "index."+part))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if strings.HasPrefix(lines.Text(), " ") || len(fields) < 4 {
				continue // the licence
			}
			pointers, err := strconv.Atoi(fields[3])
			if err != nil || len(fields) < 7+pointers {
				return nil, fmt.Errorf("index.%s: %q", part, fields[0])
			}
			s := sense{tagged: fields[5+pointers] != "0"}
			for _, offset := range fields[6+pointers : min(len(fields), 6+pointers+firstSenses)] {
				s.synsets = append(s.synsets, fields[1]+offset)
			}
			out[fields[1]+fields[0]] = s
		}
	}
	return out, nil
}

// writeSynonyms writes the synonyms in a folder of WordNet's data files.
func writeSynonyms(dir string, out io.Writer) error {
	synsets, pointers, err := readSynsets(dir)
	if err != nil {
		return err
	}
	senses, err := readSenses(dir)
	if err != nil {
		return err
	}
	kin := map[string]map[string]bool{}
	add := func(a, b, of, to string) {
		x, y := senses[of[:1]+a], senses[to[:1]+b]
		if !plainWord(a) || !plainWord(b) || !x.tagged && !y.tagged || !slices.Contains(x.synsets, of) || !slices.Contains(y.synsets, to) {
			return
		}
		a, b = segment.SearchKey(a, "en"), segment.SearchKey(b, "en")
		if a == b || a == "" || b == "" {
			return
		}
		for _, pair := range [][2]string{{a, b}, {b, a}} {
			if kin[pair[0]] == nil {
				kin[pair[0]] = map[string]bool{}
			}
			kin[pair[0]][pair[1]] = true
		}
	}
	for id, words := range synsets {
		for i, a := range words {
			for _, b := range words[i+1:] {
				add(a, b, id, id)
			}
		}
	}
	for _, p := range pointers {
		if p.symbol == "+" && p.word >= 0 {
			add(synsets[p.from][p.word], synsets[p.to][p.target], p.from, p.to)
		}
	}
	var b strings.Builder
	b.WriteString(synonymNotice)
	for _, word := range slices.Sorted(maps.Keys(kin)) {
		fmt.Fprintf(&b, "%s %s\n", word, strings.Join(slices.Sorted(maps.Keys(kin[word])), " "))
	}
	_, err = io.WriteString(out, b.String())
	return err
}
