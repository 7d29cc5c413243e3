package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// antonymNotice precedes the pairs.
const antonymNotice = `# Pairs of English words of which one is the contrary of the other: the antonyms of single words in WordNet 3.0
# (files data.adj, data.adv, data.noun, data.verb of Debian's package wordnet-base 1:3.0-37), as written by
#     go run ./internal/bench/rank -antonyms /usr/share/wordnet
# They never support a sentence: where a sentence has the contrary of a word that was asked for, it is no answer.
` + licence

// licence is WordNet's, which appears on all copies.
const licence = `#
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. THIS SOFTWARE AND DATABASE IS PROVIDED
# "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED. BY WAY OF EXAMPLE,
# BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF MERCHANTABILITY OR FITNESS FOR
# ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY
# THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS. Permission to use, copy, modify and distribute this
# software and database and its documentation for any purpose and without fee or royalty is granted, provided that
# this copyright notice and these statements, including the disclaimer, appear on all copies, also of modifications.
`

// parts are WordNet's parts of speech, by the names of its files.
var parts = []string{"adj", "adv", "noun", "verb"}

// A pointer leads from a word of one synset to a word of another one, or from the one to the other as a whole: then
// both indices are -1.
type pointer struct {
	symbol, from, to string // synsets: the letter of the part of speech and the offset
	word, target     int    // indices
}

// readSynsets returns the words of the synsets of a folder of WordNet's data files, and the pointers among them.
func readSynsets(dir string) (synsets map[string][]string, pointers []pointer, err error) {
	synsets = map[string][]string{}
	for _, part := range parts {
		f, err := os.Open(filepath.Join(dir, "data."+part))
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			line := lines.Text()
			if strings.HasPrefix(line, " ") {
				continue // the licence
			}
			fields := strings.Fields(line)
			words, rest, err := synsetWords(fields)
			if err != nil {
				return nil, nil, fmt.Errorf("data.%s: %w", part, err)
			}
			id := strings.Replace(fields[2], "s", "a", 1) + fields[0]
			synsets[id] = words
			for ; len(rest) >= 4; rest = rest[4:] {
				at, err := strconv.ParseUint(rest[3], 16, 16)
				if err != nil || int(at>>8) > len(words) || (at>>8 == 0) != (at&0xff == 0) {
					return nil, nil, fmt.Errorf("data.%s: pointer %q of %s", part, rest[3], fields[0])
				}
				pointers = append(pointers, pointer{rest[0], id, strings.Replace(rest[2], "s", "a", 1) + rest[1], int(at>>8) - 1, int(at&0xff) - 1})
			}
		}
	}
	for _, p := range pointers {
		if p.target >= len(synsets[p.to]) {
			return nil, nil, errors.New("a pointer to a word that is not there")
		}
	}
	return synsets, pointers, nil
}

// writeAntonyms writes the antonyms of a folder of WordNet's data files, a pair a line, sorted.
func writeAntonyms(dir string, out io.Writer) error {
	synsets, pointers, err := readSynsets(dir)
	if err != nil {
		return err
	}
	pairs := map[string]bool{}
	for _, p := range pointers {
		if p.symbol != "!" || p.word < 0 {
			continue
		}
		a, b := synsets[p.from][p.word], synsets[p.to][p.target]
		if plainWord(a) && plainWord(b) && a != b {
			pairs[min(a, b)+" "+max(a, b)] = true
		}
	}
	_, err = io.WriteString(out, antonymNotice+strings.Join(slices.Sorted(maps.Keys(pairs)), "\n")+"\n")
	return err
}

// synsetWords returns the words of a synset and the fields of its pointers.
func synsetWords(fields []string) (words, pointers []string, err error) {
	if len(fields) < 6 {
		return nil, nil, errors.New("a line is too short")
	}
	n, err := strconv.ParseUint(fields[3], 16, 8)
	if err != nil || len(fields) < 5+2*int(n) {
		return nil, nil, fmt.Errorf("synset %s has no words", fields[0])
	}
	for i := range int(n) {
		word, _, _ := strings.Cut(fields[4+2*i], "(")
		words = append(words, word)
	}
	rest := fields[4+2*int(n):]
	count, err := strconv.Atoi(rest[0])
	if err != nil || len(rest) < 1+4*count {
		return nil, nil, fmt.Errorf("synset %s has no pointers", fields[0])
	}
	return words, rest[1 : 1+4*count], nil
}

// plainWord reports whether a word is of lower-case letters alone.
func plainWord(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}
