package pages

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"muniment/cite"
	"muniment/engine"
	"muniment/server"
)

// A Block is a paragraph as it is drawn: lines of pieces.
type Block struct {
	Number  int
	Lines   []Line
	Several bool // more than one line: the lines have numbers

	Withheld string // how much is withheld and why
	Without  int    // lines that are withheld
	At       bool   // the address asks for words of it that are withheld
	Cut      bool   // the paragraph goes on, and the rest may not be shown at once

	Form string // table, cues, or prose without one
}

// A Line is one line of a paragraph.
type Line struct {
	Number int
	Pieces []Piece
	Cells  [][]Piece // of a table: the pieces by column
	At     *Cue      // of subtitles: when the line is spoken; its first piece says it in the text
}

// A Cue is the time at which a line is spoken.
type Cue struct{ Fragment, Clock string }

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
	for _, one := range p.Passages {
		out = append(out, blockIn(lineForm(p.Kind), one, by[one.Number]))
	}
	if s, err := cite.ParseSpan(asked); err == nil && s.Kind == cite.Paragraphs {
		for i := range out {
			b := &out[i]
			b.At = b.Number == s.From.Unit && !slices.ContainsFunc(by[b.Number], func(r region) bool { return r.number == 0 })
		}
	}
	return out
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
	from, to := secondsOf(m[1]), 0.0
	if m[2] != "" {
		to = secondsOf(m[2])
	}
	return &Cue{fragmentOfTime(from, to), clock(math.Floor(from))}, len(m[0])
}

// secondsOf returns hours, minutes and seconds with colons between them as seconds.
func secondsOf(clock string) float64 {
	sum := 0.0
	for part := range strings.SplitSeq(clock, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		sum = sum*60 + n
	}
	return sum
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
	var all strings.Builder
	for _, p := range l.Pieces {
		if form == "table" {
			if n := len(l.Cells); n == 0 || strings.HasSuffix(all.String(), "\t") {
				l.Cells = append(l.Cells, nil)
			}
			l.Cells[len(l.Cells)-1] = append(l.Cells[len(l.Cells)-1], p)
		}
		all.WriteString(p.Text)
	}
	if form == "cues" {
		if cue, n := cueOf(all.String()); n > 0 && len(l.Pieces[0].Text) == n {
			l.At = cue
		}
	}
}

// blockIn returns a paragraph of a form with its marked regions.
func blockIn(form string, p server.Paragraph, regions []region) Block {
	words := []rune(p.Text)
	cuts := append([]int{0, len(words)}, cutsOf(form, words)...)
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
	b := Block{Number: p.Number, Cut: p.Cut, Withheld: p.Withheld, Without: p.Without, Form: form}
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
			b.Lines = append(b.Lines, line)
			line = Line{Number: line.Number + 1}
		}
	}
	b.Several = len(b.Lines) > 1
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

// marksOf returns a passage with the words of a query marked. A word is marked
// where it begins like one of the query's, so that inflections are, too.
func marksOf(text, query string) []Piece {
	var stems []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), isGap) {
		if r := []rune(w); len(r) > 4 {
			w = string(r[:max(4, len(r)-2)])
		}
		if len(w) > 1 {
			stems = append(stems, w)
		}
	}
	var out []Piece
	add := func(s string, marked bool) {
		if n := len(out); n > 0 && out[n-1].Marked == marked {
			out[n-1].Text += s
		} else if s != "" {
			out = append(out, Piece{Text: s, Marked: marked})
		}
	}
	for rest := text; rest != ""; {
		gap := strings.IndexFunc(rest, func(r rune) bool { return !isGap(r) })
		if gap < 0 {
			gap = len(rest)
		}
		add(rest[:gap], false)
		rest = rest[gap:]
		end := strings.IndexFunc(rest, isGap)
		if end < 0 {
			end = len(rest)
		}
		word := strings.ToLower(rest[:end])
		add(rest[:end], slices.ContainsFunc(stems, func(s string) bool { return strings.HasPrefix(word, s) && len(word) <= len(s)+5 }))
		rest = rest[end:]
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
	Words      string // the verdict on the words, for people
	WordsState string // its class
	Follows    string // the verdict on the claim, for people
	Place      string // where the words stand
	Paper      string // the name of the source, or the label of its paper
}

// statusSigns are the icon and the class of a citation by the state of both verdicts.
var statusSigns = map[string][2]string{"verified": {"✓", "verified"}, "failed": {"✗", "failed"}, "pending": {"…", "warning"}, "unverified": {"!", "warning"}}

// matchWords are the verdicts on words, for people.
var matchWords = map[string]string{
	string(cite.Exact):      "The words stand in the source",
	string(cite.Normalized): "The words stand in the source, but for spelling of signs and spaces",
	string(cite.Fuzzy):      "The source has nearly these words",
	string(cite.Ambiguous):  "The words stand in the source in several places",
	string(cite.Absent):     "The words do not stand in the source",
	string(cite.NoWords):    "A picture or a recording has no words",
}

// claimWords are the verdicts on claims, for people.
var claimWords = map[string]string{
	string(cite.ClaimFollows):      "the claim follows from them",
	string(cite.ClaimContradicted): "the source contradicts the claim",
	string(cite.ClaimNotShown):     "that the claim follows was not shown",
	string(cite.ClaimJudged):       "a model judged that the claim follows",
}

// cardOf returns the card of a citation.
func cardOf(c engine.CitationInfo) Card {
	sign := statusSigns[c.VerificationStatus]
	k := Card{CitationInfo: c, Icon: cmp.Or(sign[0], "!"), State: cmp.Or(sign[1], "warning"), Words: cmp.Or(matchWords[c.Match], "The words were not looked up")}
	switch cite.Status(c.Match) {
	case cite.Exact, cite.Normalized:
		k.WordsState = "verified"
	case cite.Absent:
		k.WordsState = "failed"
	default:
		k.WordsState = "warning"
	}
	if c.ClaimVerdict != "" {
		k.Follows = cmp.Or(claimWords[c.ClaimVerdict], "the verdict on the claim is "+strings.ReplaceAll(c.ClaimVerdict, "_", " "))
	}
	if c.Match == string(cite.NoWords) && c.ClaimVerdict == string(cite.ClaimNotShown) {
		k.Follows = "whether it shows the claim is for a reader to say"
	}
	if c.SupersededBy != 0 {
		k.State = "warning"
	}
	k.Place = languages()[0].place(c.Span)
	return k
}
