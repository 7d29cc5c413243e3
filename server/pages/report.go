package pages

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"muniment/server"
)

// A Report is somebody's prose with live marks: each mark [1] names a citation by its number, and is shown with
// the verdict of today.
type Report struct {
	server.MarkedText
	Keep   Keep   `json:"keep"`
	Show   string `json:"show,omitempty"` // the verdict of the marks that are shown; "" shows all
	Failed string `json:"error,omitempty"`
	Advice string `json:"suggestion,omitempty"`

	Counts []markCount   `json:"-"`
	Blocks []reportBlock `json:"-"`
	Cards  []Card        `json:"-"`
}

// markVerdicts are the verdicts of marks, worst first.
var markVerdicts = []string{"failed", "none", "other", "unverified", "verified"}

// markStates are the classes of marks by their verdicts.
var markStates = map[string]string{"failed": "failed", "none": "failed", "other": "warning", "unverified": "warning", "verified": "verified"}

// A markCount is how many marks have a verdict.
type markCount struct {
	Verdict string
	N       int
}

// A reportBlock is a heading, an item of a list or a paragraph of a report.
type reportBlock struct {
	Kind   string // heading, item or paragraph
	text   string // with its marks
	Pieces []reportPiece
}

// A reportPiece is a part of a block: words, and the mark that follows them if Mark is not nil.
type reportPiece struct {
	Text  string
	Mark  *server.MarkVerdict
	State string // the class of the mark
}

// blockStart begins a heading or an item of a list.
var blockStart = regexp.MustCompile(`^(#{1,6}|[-*]) +`)

// postReport keeps the text of a form and leads to its page.
func postReport(w http.ResponseWriter, r *http.Request) {
	text := strings.TrimSpace(strings.ReplaceAll(r.FormValue("text"), "\r\n", "\n"))
	serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
		id, err := s.client.KeepText(ctx, text)
		if err == nil {
			return "/reports/" + id, nil, nil
		}
		fault := server.FaultOf(err)
		f, err := s.frame(ctx, "report", s.say("report.title"), &Report{MarkedText: server.MarkedText{Text: text}, Failed: fault.Detail, Advice: fault.Suggestion})
		if err == nil {
			f.failed = fault.Status
		}
		return "", f, err
	})
}

// report is the page of a text with marks, or of a report that was sealed. show chooses the marks with one verdict.
func (s *source) report(ctx context.Context, id, show string) (*frame, error) {
	kept, err := s.client.KeptText(ctx, id)
	if server.FaultOf(err).Status == http.StatusNotFound {
		return s.answer(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	p := &Report{MarkedText: *kept, Keep: Keep{id, kept.Own, kept.Shared, "/reports/" + id}}
	if slices.Contains(markVerdicts, show) {
		p.Show = show
	}
	p.setBlocks()
	cards, err := s.cards(ctx, p.Citations)
	if err != nil {
		return nil, err
	}
	for _, one := range cards {
		if p.Show == "" || slices.Contains(p.Marks, server.MarkVerdict{Mark: itoa(int(one.CitationID)), Verdict: p.Show}) {
			p.Cards = append(p.Cards, one)
		}
	}
	title, _, _ := strings.Cut(kept.Text, "\n")
	return s.frame(ctx, "report", server.CitationMark.ReplaceAllString(blockStart.ReplaceAllString(title, ""), ""), p)
}

// setBlocks parts the text into its blocks, with its marks.
func (p *Report) setBlocks() {
	counts, marks := map[string]int{}, p.Marks
	for _, b := range proseBlocks(p.Text) {
		at := 0
		for _, m := range server.CitationMark.FindAllStringIndex(b.text, -1) {
			mark := &marks[0]
			marks = marks[1:]
			counts[mark.Verdict]++
			state := markStates[mark.Verdict]
			if p.Show != "" && p.Show != mark.Verdict {
				state = "dim"
			}
			b.Pieces = append(b.Pieces, reportPiece{b.text[at:m[0]], mark, state})
			at = m[1]
		}
		b.Pieces = append(b.Pieces, reportPiece{Text: b.text[at:]})
		p.Blocks = append(p.Blocks, b)
	}
	for _, verdict := range markVerdicts {
		p.Counts = append(p.Counts, markCount{verdict, counts[verdict]})
	}
}

// proseBlocks parts a text at blank lines, headings and items of lists.
func proseBlocks(text string) []reportBlock {
	var out []reportBlock
	open := false // a paragraph or an item, which the next line continues
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		start := blockStart.FindString(line)
		switch {
		case line == "":
			open = false
		case strings.HasPrefix(start, "#"):
			out, open = append(out, reportBlock{Kind: "heading", text: line[len(start):]}), false
		case start != "":
			out, open = append(out, reportBlock{Kind: "item", text: line[len(start):]}), true
		case open:
			out[len(out)-1].text += " " + line
		default:
			out, open = append(out, reportBlock{Kind: "paragraph", text: line}), true
		}
	}
	return out
}
