// Package retrieve finds passages of an archive that may answer a question.
//
//	ix, err := retrieve.Open(dir)
//	if ix.Snapshot() != newest {
//		err = ix.Update(ctx, newest, docs, removed, nil)
//	}
//	passages, err := ix.Search(ctx, retrieve.Query{Text: "Who repaired the mill in 1931?", K: 5})
//
// The index is derived: it can be thrown away and built again from the archive at any time, and it
// decides nothing. What a passage supports is for package assign and the gate.
//
// An Index is a Folder, kept by bleve in every copy of the archive; it holds the words of every passage. The order of
// what it finds is defined here, to the last bit of a score.
//
// # Passages
//
// A passage is a run of consecutive sentences of one paragraph, up to MaxPassage code points; a
// longer sentence is a passage alone. Passages do not overlap and carry span addresses ready to
// cite. Texts of rows (Doc.Rows) have one passage for each line. A sentence or line longer than
// MaxPiece is cut before a word.
//
// # Score
//
// Words are UAX 29 words, known by their segment.SearchKey in the language of the passage, which its record
// says or its frequent words tell; function words are left out. A query's content words are its words
// without function words, war in a German question, question verbs (say, think, describe …), the subject's own names, and the
// dates, which form one term of their own. idf = ln(1 + (N - n + 0.5) / (n + 0.5)), n of N passages
// holding the word; the date has that of a word that no passage holds. Passages of artifacts that a
// query is not to know of (Query.Hidden) count in none of it.
//
// A word that stands in a passage tf times is worth idf · tf · 2.2 / (tf + 1.2 · (0.6 + 0.4 · L / 60))
// there, L being the passage's content words: BM25 (Robertson and Zaragoza, The probabilistic relevance
// framework, 2009) with k1 = 1.2, b = 0.4 and a length of 60 as the mean. A name, which is a word with
// a capital inside the query, counts where it has a capital. A word with a capital that only the title has, not as
// its first word, or the author or head of the text (Doc.Head), is worth its idf. Other words of a title count for nothing:
// titles are given by archivists and are no evidence of what the text says. A date that matches is worth its idf.
//
// A heading, which is a short line without a stop, counts as long: it stands behind a text that says the same.
//
// Score is the sum, divided by the sum of the idf of all terms of the query. Share is the idf-weighted
// share of the terms found, 0 to 1; it is the similarity, but in an Embedded index. The list has the
// highest scores first; equal ones are ordered by artifact ID and span.
//
// # Dates
//
// A date in a query restricts the search to documents whose date overlaps it and to passages with a
// date in their own words, or in their head, that lies in it. Documents without a date stay, at half their score.
// A query of dates alone finds what matches them.
//
// # In a folder
//
// A published folder is immutable: it is built aside and renamed; the file "current" names the one in
// use. Searching opens it read-only, so any number of processes may search while one builds. An update
// links the unchanged segments of the folder before it, and publishes what it has in stages: a folder
// is of a snapshot, or of a part on the way to it, as Extent says, and the next update goes on from there.
// One process updates at a time; another gets ErrBusy. A folder that is damaged, of another version, or
// incomplete counts as absent: Snapshot is then "", and the next Update must be given every document.
package retrieve

import (
	"strings"

	"muniment/text/segment"
)

// MaxPassage is how many code points a passage of several sentences may have: about a screenful,
// and enough for a sentence with its neighbours.
const MaxPassage = 600

// MaxPiece is how many bytes a passage has at most, but for a longer word: what is longer is no
// sentence but a table or data in one line, and the words of a passage have to fit into the 1 MiB
// that PostgreSQL gives one entry of full text.
const MaxPiece = 64 << 10

// ContentWords returns the words of a text to compare with those of another one: stems, without function words and the
// words of the names in ignore, in order, each once.
func ContentWords(text string, ignore []string) []string {
	skip := nameWords(ignore)
	var out []string
	seen := map[string]bool{}
	for _, w := range segment.Words(text) {
		if segment.Function(w.Lower) || skip[segment.Fold(w.Lower)] {
			continue
		}
		if s := segment.Stem(w.Lower); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// nameWords returns the words of names, folded.
func nameWords(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		for _, w := range segment.Words(n) {
			if !segment.Function(w.Lower) {
				m[segment.Fold(w.Lower)] = true
			}
		}
	}
	return m
}

// asking holds the stems of words that ask rather than name a topic. In a question they are left
// out, unless nothing else is left.
var asking = stemSet(`say tell talk speak write mention describe explain note record remark report think believe feel
	know remember recall happen occur please thing kind sort type way detail
	sagen schreiben berichten erzählen denken passieren geschehen`)

func stemSet(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[segment.Stem(w)] = true
	}
	return m
}
