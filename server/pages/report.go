package pages

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"muniment/engine"
	"muniment/server"
)

// A Report is somebody's prose with live marks: each mark [1] names a citation by its number, and is shown with
// the verdict of today.
type Report struct {
	Text      string                `json:"text,omitempty"`
	Keep      Keep                  `json:"keep"`
	Marks     []MarkVerdict         `json:"marks,omitempty"`     // in the order of the text
	Citations []engine.CitationInfo `json:"citations,omitempty"` // that the marks name, each once
	Show      string                `json:"show,omitempty"`      // the verdict of the marks that are shown; "" shows all
	Failed    string                `json:"error,omitempty"`
	Advice    string                `json:"suggestion,omitempty"`

	Counts []markCount   `json:"-"`
	Blocks []reportBlock `json:"-"`
	Cards  []Card        `json:"-"`
}

// A MarkVerdict is what a mark of a report is worth today.
type MarkVerdict struct {
	Mark    string `json:"mark"`    // the number between the brackets
	Verdict string `json:"verdict"` // verified, failed, unverified; other: its citation is for another sentence; none: no citation that the reader may read
}

// markVerdicts are the verdicts of marks, worst first.
var markVerdicts = []string{"failed", "none", "other", "unverified", "verified"}

// A markCount is how many marks have a verdict.
type markCount struct {
	Verdict string
	N       int
}

// A reportBlock is a heading, an item of a list or a paragraph of a report.
type reportBlock struct {
	Kind   string // heading, item or paragraph
	Pieces []reportPiece
}

// A reportPiece is a part of a block: words, and the mark that follows them if Mark is not nil.
type reportPiece struct {
	Text  string
	Mark  *MarkVerdict
	State string // the class of the mark
}

var (
	citationMark = regexp.MustCompile(`\[([1-9][0-9]{0,17})\]`)
	blockStart   = regexp.MustCompile(`^(#{1,6}|[-*]) +`)
)

// maxMarks is the most citations of one report that are looked up: each is a read of the ledger.
const maxMarks = 500

// postReport keeps the text of a form and leads to its page.
func postReport(w http.ResponseWriter, r *http.Request) {
	text := strings.TrimSpace(strings.ReplaceAll(r.FormValue("text"), "\r\n", "\n"))
	serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
		id, err := s.client.KeepText(ctx, text)
		if err == nil {
			return "/reports/" + id, nil, nil
		}
		fault := server.FaultOf(err)
		f, err := s.frame(ctx, "report", s.say("report.title"), &Report{Text: text, Failed: fault.Detail, Advice: fault.Suggestion})
		if err == nil {
			f.failed = fault.Status
		}
		return "", f, err
	})
}

// report is the page of a text with marks, or of a report that was sealed. show chooses the marks with one
// verdict.
func (s *source) report(ctx context.Context, id, show string) (*frame, error) {
	kept, err := s.client.KeptText(ctx, id)
	if server.FaultOf(err).Status == http.StatusNotFound {
		return s.answer(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	p := &Report{Text: kept.Text, Keep: Keep{id, kept.Own, kept.Shared, "/reports/" + id}}
	if slices.Contains(markVerdicts, show) {
		p.Show = show
	}
	found := map[string]*engine.CitationInfo{} // nil where the reader may read none
	for _, m := range citationMark.FindAllStringSubmatch(kept.Text, -1) {
		if _, known := found[m[1]]; known || len(found) == maxMarks {
			continue
		}
		one, err := s.client.Citation(ctx, server.CitationRequest{Citation: m[1]})
		if err != nil && server.FaultOf(err).Status != http.StatusNotFound {
			return nil, err
		}
		if found[m[1]] = one; one != nil {
			p.Citations = append(p.Citations, *one)
		}
	}
	p.setBlocks(found)
	cards, err := s.cards(ctx, p.Citations)
	if err != nil {
		return nil, err
	}
	for _, one := range cards {
		if p.Show == "" || slices.Contains(p.Marks, MarkVerdict{itoa(int(one.CitationID)), p.Show}) {
			p.Cards = append(p.Cards, one)
		}
	}
	title, _, _ := strings.Cut(kept.Text, "\n")
	return s.frame(ctx, "report", citationMark.ReplaceAllString(blockStart.ReplaceAllString(title, ""), ""), p)
}

// setBlocks parts the text into its blocks and gives each mark its verdict.
func (p *Report) setBlocks(found map[string]*engine.CitationInfo) {
	counts := map[string]int{}
	for _, part := range proseBlocks(p.Text) {
		b := reportBlock{Kind: part.kind}
		plain, at := oneSpace(citationMark.ReplaceAllString(part.text, "")), 0
		for _, m := range citationMark.FindAllStringSubmatchIndex(part.text, -1) {
			mark := MarkVerdict{Mark: part.text[m[2]:m[3]]}
			mark.Verdict = verdictOfMark(found[mark.Mark], plain)
			counts[mark.Verdict]++
			p.Marks = append(p.Marks, mark)
			b.Pieces = append(b.Pieces, reportPiece{part.text[at:m[0]], &mark, p.stateOf(mark.Verdict)})
			at = m[1]
		}
		b.Pieces = append(b.Pieces, reportPiece{Text: part.text[at:]})
		p.Blocks = append(p.Blocks, b)
	}
	for _, verdict := range markVerdicts {
		if counts[verdict] > 0 {
			p.Counts = append(p.Counts, markCount{verdict, counts[verdict]})
		}
	}
}

// stateOf returns the class of a mark.
func (p *Report) stateOf(verdict string) string {
	switch {
	case p.Show != "" && p.Show != verdict:
		return "dim"
	case verdict == "verified":
		return "verified"
	case verdict == "failed" || verdict == "none":
		return "failed"
	}
	return "warning"
}

// verdictOfMark returns the verdict of a mark in a block of some words without marks: the citation counts for the claim with
// which it was registered.
func verdictOfMark(one *engine.CitationInfo, plain string) string {
	switch {
	case one == nil:
		return "none"
	case !strings.Contains(plain, strings.TrimRight(oneSpace(one.Claim), ".!?")):
		return "other"
	case one.VerificationStatus == "verified" && one.SupersededBy != 0:
		return "unverified"
	case slices.Contains(markVerdicts, one.VerificationStatus):
		return one.VerificationStatus
	}
	return "unverified"
}

// oneSpace returns a text with one space for each run of white space.
func oneSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// A proseBlock is a block of a text before its marks are looked up.
type proseBlock struct{ kind, text string }

// proseBlocks parts a text at blank lines, headings and items of lists.
func proseBlocks(text string) []proseBlock {
	var out []proseBlock
	open := false // a paragraph or an item, which the next line continues
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		start := blockStart.FindString(line)
		switch {
		case line == "":
			open = false
		case strings.HasPrefix(start, "#"):
			out, open = append(out, proseBlock{"heading", line[len(start):]}), false
		case start != "":
			out, open = append(out, proseBlock{"item", line[len(start):]}), true
		case open:
			out[len(out)-1].text += " " + line
		default:
			out, open = append(out, proseBlock{"paragraph", line}), true
		}
	}
	return out
}
