package pages

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"muniment/archive/problem"
)

const (
	maxTerm      = 24 // letters of a word that are looked up
	papersAPart  = 16 // papers whose texts are in one file: what a result shows is loaded by it
	fewPapers    = 50 // below so many no word is too common
	otherLetters = "_"
)

// A searchIndex is the words of a site by the paragraphs that have them. It is
// written as scripts, as a page that was opened from a file may load nothing else.
type searchIndex struct {
	papers []indexedPaper
	at     map[string]int           // paper by id
	terms  map[string]map[int][]int // paragraphs by paper by word
	texts  [][]indexedParagraph     // by paper
}

// An indexedPaper is what a result says of a paper.
type indexedPaper struct {
	ID, Label, Date string
	Starts          []int
}

// An indexedParagraph is a paragraph as its page shows it.
type indexedParagraph struct {
	Number int
	Text   string
}

// add adds the words that a page of a paper shows, and those of its title.
func (x *searchIndex) add(p *Paper) {
	n, ok := x.at[p.ID]
	if !ok {
		n = len(x.papers)
		x.at[p.ID] = n
		x.papers = append(x.papers, indexedPaper{ID: p.ID, Label: p.Label(), Date: p.Date})
		x.texts = append(x.texts, nil)
		x.addWords(n, 0, p.Label())
	}
	x.papers[n].Starts = append(x.papers[n].Starts, p.From)
	for _, one := range p.Passages {
		x.texts[n] = append(x.texts[n], indexedParagraph{one.Number, one.Text})
		x.addWords(n, one.Number, one.Text)
	}
}

// addWords adds the words of a paragraph.
func (x *searchIndex) addWords(paper, paragraph int, text string) {
	for _, word := range strings.FieldsFunc(text, isGap) {
		word = termOf(word)
		by := x.terms[word]
		if by == nil {
			by = map[int][]int{}
			x.terms[word] = by
		}
		if list := by[paper]; len(list) == 0 || list[len(list)-1] != paragraph {
			by[paper] = append(list, paragraph)
		}
	}
}

// termOf returns a word as it is looked up; search.js does the same.
func termOf(word string) string {
	r := []rune(strings.Map(unicode.ToLower, word))
	return string(r[:min(len(r), maxTerm)])
}

// shardOf returns the name of the file that has a word.
func shardOf(term string) string {
	name := ""
	for _, r := range []rune(term)[:min(2, len([]rune(term)))] {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return otherLetters
		}
		name += string(r)
	}
	return name
}

// write writes the index.
func (x *searchIndex) write(s *site) error {
	before := s.result.Bytes
	shards := map[string]map[string][][]int{}
	for term, by := range x.terms {
		if len(x.papers) > fewPapers && len(by) > len(x.papers)/2 {
			continue // it tells nothing apart
		}
		name := shardOf(term)
		if shards[name] == nil {
			shards[name] = map[string][][]int{}
		}
		list := make([][]int, 0, len(by))
		for _, paper := range slices.Sorted(maps.Keys(by)) {
			list = append(list, append([]int{paper}, by[paper]...))
		}
		shards[name][term] = list
	}
	names := []string{}
	for name, terms := range shards {
		names = append(names, name)
		if err := x.script(s, "search/"+name+".js", "shard", name, terms); err != nil {
			return err
		}
	}
	slices.Sort(names)
	papers := [][]any{}
	for _, p := range x.papers {
		papers = append(papers, []any{p.ID, p.Label, p.Date, p.Starts})
	}
	if err := x.script(s, "search/papers.js", "papers", names, papers); err != nil {
		return err
	}
	for at := 0; at < len(x.texts); at += papersAPart {
		part := [][][]any{}
		for _, text := range x.texts[at:min(len(x.texts), at+papersAPart)] {
			paragraphs := [][]any{}
			for _, one := range text {
				paragraphs = append(paragraphs, []any{one.Number, one.Text})
			}
			part = append(part, paragraphs)
		}
		if err := x.script(s, "search/text-"+itoa(at/papersAPart)+".js", "text", at/papersAPart, part); err != nil {
			return err
		}
	}
	s.result.Search = s.result.Bytes - before
	return nil
}

// script writes a call of search.js with two values, as a script. JSON as this
// program writes it is JavaScript: <, >, & and the line separators are escaped.
func (x *searchIndex) script(s *site, name, call string, first, second any) error {
	a, err := json.Marshal(first)
	if err != nil {
		return problem.Wrap(err, "search")
	}
	b, err := json.Marshal(second)
	if err != nil {
		return problem.Wrap(err, "search")
	}
	return s.put(name, []byte("munimentSearch."+call+"("+string(a)+","+string(b)+");\n"))
}
