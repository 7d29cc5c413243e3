// Package retrieve finds passages of an archive that may answer a question.
//
//	ix, err := retrieve.Open(dir)
//	if ix.Snapshot() != newest {
//		err = ix.Update(newest, docs, removed, nil)
//	}
//	passages, err := ix.Search(retrieve.Query{Text: "Who repaired the mill in 1931?", K: 5})
//
// The index is derived: it can be thrown away and built again from the archive at any time, and it
// decides nothing. What a passage supports is for package assign and the gate.
//
// # Passages
//
// A passage is a run of consecutive sentences of one paragraph, up to MaxPassage code points; a
// longer sentence is a passage alone. Passages do not overlap and carry span addresses ready to
// cite. Texts of rows (Doc.Rows) have one passage for each line.
//
// # Similarity
//
// Words are UAX 29 words in lower case, stemmed by segment.Stem; function words are left out. The
// same analysis (ContentWords) serves passages and queries. A query's content words are its words
// without function words, question verbs (say, think, describe …), the subject's own names, and the
// dates, which form one term of their own. idf = ln(1 + (N + 0.5) / (n + 0.5)), n of N passages
// holding the word; it is positive in an archive of a single passage, and largest for a word that no
// passage holds. Similarity is the idf-weighted share of the terms found in the passage. A word of
// the title counts as found only if it is a name (a capital in both the title and the query, and
// not the title's first word): titles are given by archivists, so their other words are
// no evidence of what the text says.
//
// # Dates
//
// A date in a query restricts the search to documents whose date lies in it and to passages that name
// it in their own words. Documents without a date stay, at undatedFactor of their score. The date's
// term counts as found where the document's date or the passage's words lie in the range.
//
// # On disk
//
// Each snapshot has an immutable folder, built aside and renamed; the file "current" names the one in
// use. Searching opens it read-only, so any number of processes may search while one builds. An update
// links the unchanged segments of the folder before it. A folder that is damaged, of another
// version, or incomplete counts as absent: Snapshot is then "", and the next Update must be given every
// document.
//
// The same snapshot and query give the same list on every machine: bleve proposes candidates, the
// order is computed here, and ties are broken by artifact ID and span.
package retrieve

import (
	"strings"

	"muniment/answer/segment"
)

// MaxPassage is how many code points a passage of several sentences may have: about a screenful,
// and enough for a sentence with its neighbours.
const MaxPassage = 600

// ContentWords returns the words of a text as they are indexed: stems, without function words and the
// words of the names in ignore, in order, each once.
func ContentWords(text string, ignore []string) []string {
	skip := nameWords(ignore)
	var out []string
	seen := map[string]bool{}
	for _, w := range segment.Words(text) {
		if segment.Function(w.Lower) || skip[w.Lower] {
			continue
		}
		if s := segment.Stem(w.Lower); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// nameWords returns the words of names, in lower case.
func nameWords(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		for _, w := range segment.Words(n) {
			if !segment.Function(w.Lower) {
				m[w.Lower] = true
			}
		}
	}
	return m
}

// stems returns every content word of a text as often as it stands there.
func stems(text string) []string {
	var out []string
	for _, w := range segment.Words(text) {
		if !segment.Function(w.Lower) {
			out = append(out, segment.Stem(w.Lower))
		}
	}
	return out
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
