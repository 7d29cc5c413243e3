package examination

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muniment/cite"
)

//go:embed page.html
var pageText string

// Style is the style sheet of a report.
//
//go:embed style.css
var Style string

var pageTemplate = template.Must(template.New("").Parse(pageText))

// A sheet is a report as its page shows it.
type sheet struct {
	Report  *Report
	Summary string
	Counts  []countLine
	Cards   []card
	Runs    []run
	Style   template.CSS
}

type countLine struct {
	Words string
	N     int
}

// A card is an item with the differences marked.
type card struct {
	Item         *Item
	Class, Words string
	Place        string
	Left, Right  []piece
	Whole        bool    // the whole sentence is shown too
	Same         []*Item // further ones of its group
}

// A piece is a part of words; Changed ones differ on the two sides.
type piece struct {
	Text    string
	Changed bool
}

// A run is a part of the text of the document, a quotation or what is between two.
type run struct {
	Text, Class, Words string
	Item               int
}

// IsContradicted reports whether the sentence says otherwise than the words that it quotes.
func (c *Claim) IsContradicted() bool { return c.Verdict == cite.ClaimContradicted }

// verdictWords are the verdicts as people read them.
var verdictWords = map[Verdict]string{
	Exact: "exact", Scholarly: "exact but for what scholars may change", Altered: "altered", Cut: "cut", Elsewhere: "in another paper than the one named",
	Stitched: "stitched", Nowhere: "nowhere", Uncheckable: "cannot be checked",
}

// Words returns a verdict as people read it.
func (v Verdict) Words() string { return verdictWords[v] }

// Page returns the annotated copy of the document: a page of HTML with a card for each quotation, which needs no script
// and nothing from elsewhere.
func (r *Report) Page() ([]byte, error) { return r.execute("page") }

// Fragment returns the content of Page, for a page that has Style.
func (r *Report) Fragment() (template.HTML, error) {
	data, err := r.execute("report")
	return template.HTML(data), err
}

// FragmentOf returns the Fragment in a page that Page has returned.
func FragmentOf(page []byte) template.HTML {
	_, rest, _ := bytes.Cut(page, []byte("</h1>\n"))
	report, _, _ := bytes.Cut(rest, []byte("</main>"))
	return template.HTML(report)
}

// citeElement matches a paper as Page names it.
var citeElement = regexp.MustCompile(`<cite data-paper="([^"]*)" data-span="([^"]*)">([^<]*)</cite>`)

// PapersOf returns the ids of the papers that a Fragment names, each once.
func PapersOf(fragment template.HTML) []string {
	var ids []string
	for _, m := range citeElement.FindAllStringSubmatch(string(fragment), -1) {
		ids = append(ids, m[1])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Link returns a Fragment with a link at each paper: link returns the label and the address of a span of a paper, or of the whole
// paper for the empty span; the empty address where there is none, and the name of the paper stays as it is.
func Link(fragment template.HTML, link func(artifact, span string) (label, address string)) template.HTML {
	return template.HTML(citeElement.ReplaceAllStringFunc(string(fragment), func(element string) string {
		m := citeElement.FindStringSubmatch(element)
		label, address := link(m[1], m[2])
		if address == "" {
			return element
		}
		return `<cite><a href="` + template.HTMLEscapeString(address) + `">` + template.HTMLEscapeString(label) + `</a></cite>`
	}))
}

func (r *Report) execute(name string) ([]byte, error) {
	s := sheet{Report: r, Summary: r.Summary(), Runs: r.runs(), Style: template.CSS(Style)}
	for _, v := range Verdicts {
		if n := r.Counts[v]; n > 0 {
			s.Counts = append(s.Counts, countLine{v.Words(), n})
		}
	}
	for _, same := range r.Groups() {
		c := cardOf(same[0])
		c.Same = same[1:]
		s.Cards = append(s.Cards, c)
	}
	var b bytes.Buffer
	err := pageTemplate.ExecuteTemplate(&b, name, s)
	return b.Bytes(), err
}

// Summary returns one line about the whole report: of its quotations, and of its statements where it has some.
func (r *Report) Summary() string {
	var out []string
	for _, kind := range kinds {
		if all, bad, open := r.tally(kind); all > 0 {
			out = append(out, fmt.Sprintf("%d %s%s: %d wrong, %d not checkable, %d as the papers have them", all, kind, map[bool]string{true: "s"}[all != 1], bad, open, all-bad-open))
		}
	}
	return cmp.Or(strings.Join(out, "; "), "no quotations found")
}

func classOf(i *Item) string {
	switch {
	case i.Bad():
		return "ex-bad"
	case i.Verdict == Uncheckable:
		return "ex-open"
	}
	return "ex-good"
}

func cardOf(i *Item) card {
	c := card{Item: i, Class: classOf(i), Words: i.Verdict.Words(), Left: []piece{{Text: i.Text}}}
	if i.Found == nil {
		return c
	}
	c.Place, c.Whole = i.Found.Place(), i.isCut() || i.Verdict == Stitched
	var left, right []string
	for _, d := range i.Difference {
		left, right = append(left, d.Quoted), append(right, d.Paper)
	}
	c.Left, c.Right = piecesOf(i.Text, left), piecesOf(i.Found.Text, right)
	return c
}

// Place returns the place of the words as people write it: p. 4, paragraph 3; else the span.
func (f *Found) Place() string {
	if page := f.Locator["page"]; page != "" {
		return "p. " + page
	}
	at, err := cite.ParseSpan(f.Span)
	switch {
	case err != nil || at.Kind != cite.Paragraphs:
		return f.Span
	case at.From.Unit == at.To.Unit:
		return "paragraph " + strconv.Itoa(at.From.Unit)
	}
	return "paragraphs " + strconv.Itoa(at.From.Unit) + " to " + strconv.Itoa(at.To.Unit)
}

// piecesOf marks parts of a text, each sought after the one before.
func piecesOf(text string, parts []string) []piece {
	var out []piece
	for _, p := range parts {
		if p == "" || p == text {
			continue
		}
		before, after, ok := strings.Cut(text, p)
		if !ok {
			continue
		}
		out = append(out, piece{before, false}, piece{p, true})
		text = after
	}
	return append(out, piece{text, false})
}

// runs returns the text of the document cut at its quotations; none for a report that was read from a file.
func (r *Report) runs() []run {
	if r.text == "" {
		return nil
	}
	var out []run
	rest, at := r.text, 0
	for k := range r.Items {
		i := &r.Items[k]
		if i.At.Start < at {
			continue
		}
		before := bytesOf(rest, i.At.Start-at)
		size := bytesOf(rest[before:], i.At.End-i.At.Start)
		out = append(out, run{Text: rest[:before]}, run{Text: rest[before : before+size], Class: classOf(i), Words: i.Verdict.Words(), Item: i.Item})
		rest, at = rest[before+size:], i.At.End
	}
	return append(out, run{Text: rest})
}

// bytesOf returns how many bytes some code points at the beginning of a text take.
func bytesOf(text string, n int) int {
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
