package rank

import (
	_ "embed"
	"strings"

	"muniment/text/segment"
)

// A kind is the type of thing that a question asks for.
type kind int

const (
	anything kind = iota
	person
	place
	time
	count
	reason
	price // of questions with a word of lexicon.Price
)

// kindSections are the sections of words.txt that name a kind. A question that first asks for a thing asks for
// no type of it.
var kindSections = map[string]kind{"thing": anything, "person": person, "place": place, "time": time, "count": count, "reason": reason}

// A table holds the words of one language.
type table struct {
	asking     map[string]kind // by words with spaces between
	negations  map[string]bool
	reversals  []string
	intentions map[string]bool
	months     map[string]bool
	numerals   map[string]bool
	because    map[string]bool
	relatives  map[string]bool
}

var (
	//go:embed words.txt
	wordsFile string

	// A test demands that the file is read without an error.
	wordLists, wordListsError = segment.ReadLists("words.txt", wordsFile)

	tables = readTables(wordLists)
)

// tableOrder lists the languages of words.txt; the first of equals is taken.
var tableOrder = []string{"en", "de", "fr", "es", "it", "nl", "sv", "da", "pt"}

func readTables(lists segment.Lists) map[string]*table {
	all := map[string]*table{}
	for _, lang := range tableOrder {
		t := &table{asking: map[string]kind{}, negations: lists.Set(lang + " negations"), reversals: lists[lang+" reversals"], intentions: lists.Set(lang + " intentions"),
			months: lists.Set(lang + " months"), numerals: lists.Set(lang + " numerals"), because: lists.Set(lang + " because"),
			relatives: lists.Set(lang + " relatives")}
		for section, k := range kindSections {
			for _, w := range lists[lang+" "+section] {
				t.asking[w] = k
			}
		}
		all[lang] = t
	}
	return all
}

// noTable serves languages without words.
var noTable = &table{}

// tableOf returns the table of a language; of words in an unknown one, that of the language most of whose words
// are among them.
func tableOf(lang string, words []segment.Word) *table {
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if primary == "nb" || primary == "nn" || primary == "no" {
		primary = "da"
	}
	if t := tables[primary]; t != nil {
		return t
	}
	if primary != "" {
		return noTable
	}
	best, most := noTable, 0
	for _, l := range tableOrder {
		n, t := 0, tables[l]
		for _, w := range words {
			if _, asks := t.asking[w.Lower]; asks {
				n += 2
			}
			if t.negations[w.Lower] || t.months[w.Lower] || t.because[w.Lower] {
				n++
			}
		}
		if n > most {
			best, most = t, n
		}
	}
	return best
}

// longestAsking is how many words a phrase that asks may have.
const longestAsking = 3

// asks returns the kind of thing that the first question word asks for; of several phrases that
// begin there the longest counts.
func (t *table) asks(words []segment.Word) kind {
	for i := range words {
		phrase, longest, found := "", anything, false
		for _, w := range words[i:min(len(words), i+longestAsking)] {
			phrase = strings.TrimPrefix(phrase+" "+w.Lower, " ")
			if k, ok := t.asking[phrase]; ok {
				longest, found = k, true
			}
		}
		if found {
			return longest
		}
	}
	return anything
}
