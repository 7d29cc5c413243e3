package retrieve

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muniment/cite"
	"muniment/text/segment"
)

// stored is one passage as an index holds it. Field names are the index's.
type stored struct {
	id       string
	tongue   string // the language that its words are indexed in
	Artifact string `json:"artifact"`
	Title    string `json:"title"`
	Head     string `json:"head"`
	Author   string `json:"author"`
	Date     string `json:"date"`
	Lang     string `json:"lang"`
	Span     string `json:"span"`
	Text     string `json:"text"`
	Words    string `json:"words"` // the keys of its content words, with spaces between; indexed
	Caps     string `json:"caps"`  // those written with a capital; indexed
	Names    string `json:"names"` // the keys of the names in title and head; indexed
	When     string `json:"when"`  // dateWords and the language; indexed
}

// passages cuts a document.
func passages(d Doc) ([]stored, error) {
	payload := d.Document.Payload()
	kind, unitText := cite.Paragraphs, ""
	if d.Rows {
		kind = cite.Lines
	}
	base := stored{Artifact: d.Artifact, Title: d.Title, Head: d.Head, Author: d.Author, Date: d.Date, Lang: d.Lang}
	dated := dateWords(d.Date)
	named := map[string]string{} // the names in title and head, by language
	var out []stored
	for _, u := range d.Document.Units(kind) {
		unitText = string(payload[u.Start:u.End])
		if unitText == d.Title {
			continue // a heading that the title repeats says nothing of its own
		}
		runs := []segment.Range{{Start: 0, End: len(unitText)}}
		if !d.Rows {
			runs = runsOf(unitText, d.Lang)
		}
		for _, r := range pieces(unitText, runs) {
			p := base
			p.Text = unitText[r.Start:r.End]
			span, err := cite.SpanIn(d.Document, kind, u.Start+r.Start, u.Start+r.End)
			if err != nil {
				return nil, fmt.Errorf("passage of %s at byte %d: %w", d.Artifact, u.Start+r.Start, err)
			}
			p.id, p.Span = passageID(d.Artifact, len(out)), span.String()
			if p.analyseText(); p.Words == "" {
				continue
			}
			names, known := named[p.tongue]
			if !known {
				names = p.namesAround()
				named[p.tongue] = names
			}
			p.Names = names
			p.When = strings.Join(slices.Concat(dated, saidWords(p.Text, wordSaid), saidWords(p.Head, wordHead), []string{wordTongue + p.tongue}), " ")
			out = append(out, p)
		}
	}
	return out, nil
}

// analyse fills in what text and title are scored by.
func (s *stored) analyse() {
	s.analyseText()
	s.Names = s.namesAround()
}

// analyseText fills in what the text is scored by.
func (s *stored) analyseText() {
	s.tongue = languageOf(s.Lang, s.Text)
	words, caps := keysOf(s.Text, s.tongue)
	if len(words) > 0 && s.heading() {
		for len(words) < headingLength {
			words = append(words, filler)
		}
	}
	s.Words, s.Caps = strings.Join(words, " "), strings.Join(caps, " ")
}

// passageID names the n-th passage of an artifact; IDs sort as artifacts and their texts do.
func passageID(artifact string, n int) string { return fmt.Sprintf("%s#%08d", artifact, n) }

// NeighbourIDs returns the IDs of the passages which are in their texts within so many places of the first ones of a list, and not in the list. A text need
// not have as many.
func NeighbourIDs(found []Passage, centres, places int) (out []string) {
	seen := map[string]bool{}
	for _, p := range found {
		seen[p.ID] = true
	}
	for _, p := range found[:min(len(found), centres)] {
		artifact, ordinal, _ := strings.Cut(p.ID, "#")
		at, err := strconv.Atoi(ordinal)
		for n := max(0, at-places); err == nil && n <= at+places; n++ {
			if id := passageID(artifact, n); !seen[id] {
				seen[id], out = true, append(out, id)
			}
		}
	}
	return out
}

// runsOf joins the sentences of a paragraph to runs of at most MaxPassage code points.
func runsOf(paragraph, lang string) []segment.Range {
	var out []segment.Range
	size := 0
	for _, s := range segment.Sentences(paragraph, lang) {
		n := utf8.RuneCountInString(paragraph[s.Start:s.End])
		if len(out) > 0 && size+1+n <= MaxPassage {
			out[len(out)-1].End = s.End
			size += 1 + n
			continue
		}
		out = append(out, s)
		size = n
	}
	return out
}

// pieces cuts runs longer than MaxPiece before a word.
func pieces(text string, runs []segment.Range) []segment.Range {
	var out []segment.Range
	for _, r := range runs {
		start := r.Start
		if r.End-start > MaxPiece {
			for _, w := range segment.Words(text[r.Start:r.End]) {
				at := r.Start + w.Start
				if r.Start+w.End-start <= MaxPiece || at == start {
					continue
				}
				if n := len(strings.TrimRight(text[start:at], " \t\n")); n > 0 {
					out = append(out, segment.Range{Start: start, End: start + n})
				}
				start = at
			}
		}
		out = append(out, segment.Range{Start: start, End: r.End})
	}
	return out
}

// keysOf returns the keys of a text's content words, with repetitions, and those of words with a
// capital.
func keysOf(text, lang string) (words, caps []string) {
	for _, w := range segment.Words(text) {
		if segment.Function(w.Lower) {
			continue
		}
		key := indexKey(lang, w.Lower)
		words = append(words, key)
		if w.Upper {
			caps = append(caps, key)
		}
	}
	return words, caps
}

// namesAround returns the keys of the names in the title, of which the first word is none, in the author's name and in the head, each once: words with
// a capital, no function word, no month.
func (s *stored) namesAround() string {
	var out []string
	text := s.Title + "\n" + s.Author + "\n" + s.Head
	dates := Dates(text)
	for i, w := range segment.Words(text) {
		if (i > 0 || s.Title == "") && w.Upper && !segment.Function(w.Lower) && !inDates(w, dates) {
			out = append(out, indexKey(s.tongue, w.Lower))
		}
	}
	return strings.Join(unique(out), " ")
}

// passage turns a stored one into what callers get, without its scores.
func (s *stored) passage() (Passage, error) {
	span, err := cite.ParseSpan(s.Span)
	if err != nil {
		return Passage{}, fmt.Errorf("index holds %q: %w", s.Span, err)
	}
	return Passage{ID: s.id, Artifact: s.Artifact, Title: s.Title, Author: s.Author, Date: s.Date, Lang: s.Lang, Span: span, Text: s.Text}, nil
}
