//go:build ignore

// This program writes antonyms.txt from the data files of WordNet 3.0, as the Debian package wordnet-base has them:
//
//	go run gen_antonyms.go /usr/share/wordnet > antonyms.txt
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const notice = `# Pairs of opposite words: the lexical pointer "!" of WordNet 3.0, words of letters alone.
# Written by gen_antonyms.go; a pair a line, in order of bytes.
#
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
# THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES,
# EXPRESS OR IMPLIED. BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR
# WARRANTIES OF MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE,
# DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
# The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to
# distribution of the software and/or database. Title to copyright in this software, database and any associated
# documentation shall at all times remain with Princeton University and LICENSEE agrees to preserve same.
`

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gen_antonyms FOLDER")
	}
	pairs := map[string]bool{}
	for _, part := range []string{"adj", "adv", "noun", "verb"} {
		synsets := read(filepath.Join(os.Args[1], "data."+part))
		for _, s := range synsets {
			for _, p := range s.opposites {
				other, ok := synsets[p.offset]
				if !ok || p.from > len(s.words) || p.to > len(other.words) {
					log.Fatalf("data.%s: pointer %v to nothing", part, p)
				}
				a, b := s.words[p.from-1], other.words[p.to-1]
				if a > b {
					a, b = b, a
				}
				if plain(a) && plain(b) && a != b {
					pairs[a+" "+b] = true
				}
			}
		}
	}
	var lines []string
	for p := range pairs {
		lines = append(lines, p)
	}
	slices.Sort(lines)
	fmt.Print(notice, "\n", strings.Join(lines, "\n"), "\n")
}

type pointer struct {
	offset   string
	from, to int // words of the synsets, from 1
}

type synset struct {
	words     []string
	opposites []pointer
}

// read returns the synsets of a data file by their offset, as wndb(5WN) describes the format.
func read(name string) map[string]synset {
	file, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	out := map[string]synset{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 5 || strings.HasPrefix(lines.Text(), "  ") {
			continue
		}
		n := number(f[3], 16)
		var s synset
		for i := range n {
			word, _, _ := strings.Cut(f[4+2*i], "(") // a marker of position: galore(ip)
			s.words = append(s.words, word)
		}
		at := 4 + 2*n
		for i := range number(f[at], 10) {
			p := f[at+1+4*i:]
			if p[0] == "!" {
				s.opposites = append(s.opposites, pointer{p[1], number(p[3][:2], 16), number(p[3][2:], 16)})
			}
		}
		out[f[0]] = s
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	return out
}

func number(text string, base int) int {
	n, err := strconv.ParseInt(text, base, 32)
	if err != nil {
		log.Fatal(err)
	}
	return int(n)
}

// plain reports whether a word has lower-case letters alone, two at least.
func plain(w string) bool {
	return len(w) > 1 && !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}
