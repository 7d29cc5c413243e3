package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// antonymNotice stands before the pairs.
const antonymNotice = `# Pairs of English words of which one is the contrary of the other: the antonyms of single words in WordNet 3.0
# (files data.adj, data.adv, data.noun, data.verb of Debian's package wordnet-base 1:3.0-37), as written by
#     go run ./bench/rank -antonyms /usr/share/wordnet
# They never support a sentence: where a sentence has the contrary of a word that was asked for, it is no answer.
#
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. THIS SOFTWARE AND DATABASE IS PROVIDED
# "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED. BY WAY OF EXAMPLE,
# BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF MERCHANTABILITY OR FITNESS FOR
# ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY
# THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS. Permission to use, copy, modify and distribute this
# software and database and its documentation for any purpose and without fee or royalty is granted, provided that
# this copyright notice and these statements, including the disclaimer, appear on all copies, also of modifications.
`

// writeAntonyms writes the antonyms of a folder of WordNet's data files, a pair a line, sorted.
func writeAntonyms(dir string, out io.Writer) error {
	synsets, pairs := map[string][]string{}, map[string]bool{}
	type pointer struct {
		word, target string
		index        int
	}
	var pointers []pointer
	for _, pos := range []string{"adj", "adv", "noun", "verb"} {
		f, err := os.Open(filepath.Join(dir, "data."+pos))
		if err != nil {
			return err
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
				return fmt.Errorf("data.%s: %w", pos, err)
			}
			kind := fields[2]
			if kind == "s" {
				kind = "a"
			}
			synsets[kind+fields[0]] = words
			for ; len(rest) >= 4; rest = rest[4:] {
				if rest[0] != "!" {
					continue
				}
				at, err := strconv.ParseUint(rest[3], 16, 16)
				if err != nil || int(at>>8) > len(words) || at>>8 == 0 || at&0xff == 0 {
					return fmt.Errorf("data.%s: pointer %q of %s", pos, rest[3], fields[0])
				}
				pointers = append(pointers, pointer{words[at>>8-1], strings.Replace(rest[2], "s", "a", 1) + rest[1], int(at&0xff) - 1})
			}
		}
	}
	for _, p := range pointers {
		words := synsets[p.target]
		if p.index >= len(words) {
			return errors.New("a pointer to a word that is not there")
		}
		a, b := p.word, words[p.index]
		if plainWord(a) && plainWord(b) && a != b {
			pairs[min(a, b)+" "+max(a, b)] = true
		}
	}
	var list []string
	for p := range pairs {
		list = append(list, p)
	}
	slices.Sort(list)
	_, err := io.WriteString(out, antonymNotice+strings.Join(list, "\n")+"\n")
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
