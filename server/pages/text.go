package pages

import (
	"cmp"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"muniment/cite"
	"muniment/engine"
	"muniment/server"
	"muniment/text/segment"
)

// A Block is a paragraph as it is drawn: lines of pieces.
type Block struct {
	Number int
	Lines  []Line

	Without int  // lines that are withheld
	At      bool // the address asks for words of it that are withheld
	Cut     bool // the paragraph goes on, and the rest may not be shown at once

	Form  string // table, cues, heading, mailhead, or prose without one
	Level int    // of a heading: 2 below the title of the page
}

// A Line is one line of a paragraph.
type Line struct {
	Number int
	Pieces []Piece
	Cells  [][]Piece // of a table: the pieces by column
	At     *Cue      // of subtitles: when the line is spoken; its first piece says it in the text
	Sign   bool      // the first piece is the sign of a heading, which is drawn as one
	Class  string    // quoted, of mail; full, of a line that was ended by the width of its page
}

// A Cue is the time at which a line is spoken.
type Cue struct {
	Fragment template.URL // t=7,14: as a string its signs would be escaped in an address
	Clock    string
}

// A Piece is words that are drawn alike: plain, or marked because citations rest on them or a search asked for them.
type Piece struct {
	Text   string
	Cited  []int64 // numbers of citations
	Status string  // the worst verdict of these
	Best   string  // the best of several
	Marked bool
	At     bool     // the first words that the address asks for
	Begins []string // spans that begin here: those of citations, and the one that the address asks for
	Hidden bool     // a pseudonym
}

// Cards returns the ids of the cards of the citations, separated by spaces.
func (p Piece) Cards() string {
	var ids []string
	for _, n := range p.Cited {
		ids = append(ids, "c"+strconv.FormatInt(n, 10))
	}
	return strings.Join(ids, " ")
}

// A region is a part of a paragraph on which a citation rests, in code points.
type region struct {
	from, to int
	number   int64
	status   string
	begins   string // the span, in the paragraph in which it begins
}

// blocksOf returns the paragraphs of a text with the words marked on which
// citations rest, and the words at the span that the address asks for.
func blocksOf(p *server.Paper, asked string) []Block {
	by := map[int][]region{}
	add := func(at string, number int64, status string) {
		s, err := cite.ParseSpan(at)
		if err != nil || s.Kind != cite.Paragraphs {
			return
		}
		for _, one := range p.Passages {
			if one.Number < s.From.Unit || one.Number > s.To.Unit {
				continue
			}
			r := region{0, len([]rune(one.Text)), number, status, ""}
			if one.Number == s.From.Unit {
				r.begins = at
				r.from = server.Shift(one.Names, s.From.Offset)
			}
			if one.Number == s.To.Unit {
				r.to = min(r.to, server.Shift(one.Names, s.To.Offset))
			}
			if r.from < r.to {
				by[one.Number] = append(by[one.Number], r)
			}
		}
	}
	for _, c := range p.Citations {
		if c.VerificationStatus != "failed" && c.CitationID != 0 { // a mark leads to a number
			add(c.Span, c.CitationID, c.VerificationStatus)
		}
	}
	add(asked, 0, "")
	out := []Block{}
	above := 1
	for _, one := range p.Passages {
		b := blockIn(formIn(p, one), one, by[one.Number])
		if one.Level > 0 {
			above = min(one.Level+1, above+1)
			b.Level = above
		}
		b.setClasses(p)
		out = append(out, b)
	}
	if s, err := cite.ParseSpan(asked); err == nil && s.Kind == cite.Paragraphs {
		for i := range out {
			b := &out[i]
			b.At = b.Number == s.From.Unit && !slices.ContainsFunc(by[b.Number], func(r region) bool { return r.number == 0 })
		}
	}
	return out
}

// formIn returns how a paragraph of a paper is drawn.
func formIn(p *server.Paper, one server.Paragraph) string {
	switch {
	case p.Kind == "mail" && one.Number == 1:
		return "mailhead"
	case one.Level > 0:
		return "heading"
	}
	return lineForm(p.Kind)
}

// minWrapped is how many characters the longest line of a paragraph has whose lines end where the page was full; of one
// that a machine read from a page half of it.
const minWrapped = 60

// setClasses sets the class of each line: "quoted" for the lines of a mail that begin with >, "full" for a line nearly as long as the longest,
// which ended because the page was full.
func (b *Block) setClasses(p *server.Paper) {
	longest, least := 0, minWrapped
	if p.Kind == "PDF" || strings.Contains(p.MediaType, "hocr") || strings.Contains(p.MediaType, "xml") {
		least /= 2
	}
	for _, l := range b.Lines {
		longest = max(longest, len(l.text()))
	}
	for i := range b.Lines {
		text := b.Lines[i].text()
		switch {
		case p.Kind == "mail" && strings.HasPrefix(text, ">"):
			b.Lines[i].Class = "quoted"
		case b.Form == "" && longest >= least && len(text)*5 >= longest*4 && i < len(b.Lines)-1:
			b.Lines[i].Class = "full"
		}
	}
}

// isTitle reports whether a paragraph is the title of its paper and nothing else: a heading, or a line of prose.
func (b *Block) isTitle(title string) bool {
	return len(b.Lines) == 1 && b.Without == 0 && (b.Form == "heading" || b.Form == "") && strings.Trim(b.Lines[0].text(), "# \n") == title
}

// text returns the words of a line.
func (l Line) text() string {
	var all strings.Builder
	for _, p := range l.Pieces {
		all.WriteString(p.Text)
	}
	return all.String()
}

// Citable reports whether the page shows words, which can be cited.
func (p *Paper) Citable() bool {
	return slices.ContainsFunc(p.Text, func(b Block) bool { return len(b.Lines) > 0 && b.Without == 0 })
}

// lineForm returns how the lines of a kind of paper are drawn.
func lineForm(kind string) string {
	return map[string]string{"table": "table", "transcript": "cues"}[kind]
}

// stamp matches the time with which a line of a transcript begins.
var stamp = regexp.MustCompile(`^((?:\d+:)?\d\d:\d\d(?:\.\d+)?)(?: --> ((?:\d+:)?\d\d:\d\d(?:\.\d+)?))?[\t ]+`)

// cueOf returns the time at which a line is spoken, and how many bytes of it say so; nil for none.
func cueOf(line string) (*Cue, int) {
	m := stamp.FindStringSubmatch(line)
	if m == nil {
		return nil, 0
	}
	from, to, ok := parseTime(strings.TrimSuffix(m[1]+","+m[2], ","))
	if !ok {
		return nil, 0
	}
	return &Cue{template.URL(fragmentOfTime(from, to)), clock(math.Floor(from))}, len(m[0])
}

// cutsOf returns where the lines of a paragraph of a form are cut, besides their ends.
func cutsOf(form string, words []rune) []int {
	var cuts []int
	switch form {
	case "table":
		for i, c := range words {
			if c == '\t' {
				cuts = append(cuts, i+1)
			}
		}
	case "cues":
		at := 0
		for line := range strings.Lines(string(words)) {
			if _, n := cueOf(line); n > 0 {
				cuts = append(cuts, at+n) // a time is ASCII
			}
			at += len([]rune(line))
		}
	}
	return cuts
}

// setForm sets the cells or the time of a line.
func (l *Line) setForm(form string) {
	for i, p := range l.Pieces {
		if i == 0 || strings.HasSuffix(l.Pieces[i-1].Text, "\t") {
			l.Cells = append(l.Cells, nil)
		}
		l.Cells[len(l.Cells)-1] = append(l.Cells[len(l.Cells)-1], p)
	}
	if form == "cues" {
		if cue, n := cueOf(l.text()); n > 0 && len(l.Pieces[0].Text) == n {
			l.At = cue
		}
	}
}

// blockIn returns a paragraph of a form with its marked regions.
func blockIn(form string, p server.Paragraph, regions []region) Block {
	words := []rune(p.Text)
	cuts := append([]int{0, p.Sign, len(words)}, cutsOf(form, words)...)
	for _, r := range regions {
		cuts = append(cuts, r.from, r.to)
	}
	for _, n := range p.Names {
		cuts = append(cuts, min(n.At, len(words)), min(n.At+n.Length, len(words)))
	}
	for i, c := range words {
		if c == '\n' {
			cuts = append(cuts, i+1)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	b := Block{Number: p.Number, Cut: p.Cut, Without: p.Without, Form: form}
	line := Line{Number: p.Line}
	for i := 1; i < len(cuts); i++ {
		from, to := cuts[i-1], cuts[i]
		piece := Piece{Text: string(words[from:to]), Hidden: slices.ContainsFunc(p.Names, func(n server.Pseudonym) bool { return n.At <= from && to <= n.At+n.Length })}
		for _, r := range regions {
			if r.from > from || r.to < to {
				continue
			}
			if r.begins != "" && r.from == from {
				piece.At = piece.At || r.number == 0
				if !slices.Contains(piece.Begins, r.begins) {
					piece.Begins = append(piece.Begins, r.begins)
				}
			}
			if r.number == 0 {
				piece.Marked = true
				continue
			}
			if len(piece.Cited) == 0 || worse(piece.Best, r.status) == piece.Best {
				piece.Best = r.status
			}
			piece.Cited = append(piece.Cited, r.number)
			piece.Status = worse(piece.Status, r.status)
		}
		line.Pieces = append(line.Pieces, piece)
		if words[to-1] == '\n' || to == len(words) {
			line.setForm(form)
			line.Sign = p.Sign > 0 && len(b.Lines) == 0
			b.Lines = append(b.Lines, line)
			line = Line{Number: line.Number + 1}
		}
	}
	return b
}

// worse returns the worse of two verdicts.
func worse(a, b string) string {
	rank := []string{"", "verified", "pending", "unverified", "failed"}
	if slices.Index(rank, a) > slices.Index(rank, b) {
		return a
	}
	return b
}

// marksOf returns a passage with the words of a query marked, inflections among them, read as the search reads
// words in the languages of its pages; words that only join others are not marked unless the query has no other.
func marksOf(text, query string) []Piece {
	asked := map[string]bool{}
	words := segment.LowerWords(query)
	content := slices.DeleteFunc(slices.Clone(words), segment.Function)
	if len(content) == 0 {
		content = words
	}
	for _, w := range content {
		for _, l := range languages() {
			asked[segment.SearchKey(w, l.code)] = true
		}
	}
	var out []Piece
	at := 0
	for _, w := range segment.Words(text) {
		if !slices.Contains(content, w.Lower) && (segment.Function(w.Lower) ||
			!slices.ContainsFunc(languages(), func(l *language) bool { return asked[segment.SearchKey(w.Lower, l.code)] })) {
			continue
		}
		if n := len(out); n > 0 && strings.TrimSpace(text[at:w.Start]) == "" {
			out[n-1].Text += text[at:w.End]
		} else {
			if at < w.Start {
				out = append(out, Piece{Text: text[at:w.Start]})
			}
			out = append(out, Piece{Text: text[w.Start:w.End], Marked: true})
		}
		at = w.End
	}
	if at < len(text) {
		out = append(out, Piece{Text: text[at:]})
	}
	return out
}

// isGap reports whether a character separates words.
func isGap(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// A Card is a citation as it opens on hover, focus and tap.
type Card struct {
	engine.CitationInfo
	Icon       string // a sign for the status, beside the word
	State      string // the class: verified, warning or failed
	WordsState string // the class of the verdict on the words
	Follows    string // the verdict on the claim: the end of the key of its words
	Paper      string // the name of the source, or the label of its paper
}

// statusSigns are the icon and the class of a citation by the state of both verdicts.
var statusSigns = map[string][2]string{"verified": {"✓", "verified"}, "failed": {"✗", "failed"}, "pending": {"…", "warning"}, "unverified": {"!", "warning"}}

// cardOf returns the card of a citation.
func cardOf(c engine.CitationInfo) Card {
	sign := statusSigns[c.VerificationStatus]
	k := Card{CitationInfo: c, Icon: cmp.Or(sign[0], "!"), State: cmp.Or(sign[1], "warning"), WordsState: "warning", Follows: c.ClaimVerdict}
	switch cite.Status(c.Match) {
	case cite.Exact, cite.Normalized:
		k.WordsState = "verified"
	case cite.Absent:
		k.WordsState = "failed"
	case cite.NoWords:
		if c.ClaimVerdict == string(cite.ClaimNotShown) {
			k.Follows = "seen"
		}
	}
	if c.SupersededBy != 0 {
		k.State = "warning"
	}
	return k
}
