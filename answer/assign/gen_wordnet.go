//go:build ignore

// This program writes wordnet.txt from the data files of WordNet 3.0, as the Debian package wordnet-base has them:
//
//	go run gen_wordnet.go /usr/share/wordnet > wordnet.txt
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const notice = `# Words of WordNet 3.0 by the lexicographer file of their first sense; words of small letters alone.
# Written by gen_wordnet.go, in the format of words.txt: persons are nouns of persons, deeds nouns of acts and events.
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

// sources are the lists: of which part of speech, and the numbers of the lexicographer files, as lexnames(5WN) gives them.
var sources = []struct {
	list, part string
	files      []string
	never      []string // words with another sense in one of these files are left out
}{
	{"persons", "noun", []string{"18"}, []string{"15", "17"}}, // noun.person; noun.location, noun.object
	{"deeds", "noun", []string{"04", "11"}, nil},              // noun.act, noun.event
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gen_wordnet FOLDER")
	}
	fmt.Println(notice)
	for _, s := range sources {
		files := readFiles(filepath.Join(os.Args[1], "data."+s.part))
		var words []string
		for _, l := range lines(filepath.Join(os.Args[1], "index."+s.part)) {
			f := strings.Fields(l)
			if strings.HasPrefix(l, " ") || strings.Trim(f[0], "abcdefghijklmnopqrstuvwxyz") != "" {
				continue
			}
			var senses []string // the last fields of an entry are the offsets of its senses, the commonest first
			for _, at := range slices.Backward(f) {
				if len(at) != 8 {
					break
				}
				senses = append([]string{files[at]}, senses...)
			}
			if slices.Contains(s.files, senses[0]) && !slices.ContainsFunc(senses, func(x string) bool { return slices.Contains(s.never, x) }) {
				words = append(words, f[0])
			}
		}
		slices.Sort(words)
		line := s.list + ":"
		for _, w := range words {
			if len(line)+1+len(w) > 118 {
				fmt.Println(line)
				line = s.list + ":"
			}
			line += " " + w
		}
		fmt.Println(line)
	}
}

// readFiles returns the number of the lexicographer file of each synset by its offset.
func readFiles(path string) map[string]string {
	out := map[string]string{}
	for _, l := range lines(path) {
		if !strings.HasPrefix(l, " ") {
			f := strings.Fields(l)
			out[f[0]] = f[1]
		}
	}
	return out
}

func lines(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	if err := sc.Err(); err != nil {
		log.Fatal(err)
	}
	return out
}
