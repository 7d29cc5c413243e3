package answer

import (
	"context"
	"fmt"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cite"
	"muniment/judge/assign"
	"muniment/text/legible"
)

// An ExaminedItem is one quotation of a text that was examined. Artifact and Span are those of the words that a paper has for it, "" for
// none.
type ExaminedItem struct {
	Text     string
	Verdict  string
	Reason   string
	Artifact string
	Span     string
	Good     bool // nothing is wrong with it
}

// An ExaminedText is a text that was examined, by the hash of its bytes.
type ExaminedText struct {
	Name   string
	SHA256 string // in hex
	Items  []ExaminedItem
}

// MaxExaminedItems is how many quotations one bundle holds: each makes up to ten leaves.
const MaxExaminedItems = 300

// SealExamination signs and logs the result of an examination as a bundle: the hash of the text, the words that the archive has for each
// quotation as claims with their citations, and as a removed topic each quotation with which something is wrong. Its words go through
// the display gates and the budget of the requestor, as those of a draft from outside do, and are counted as such.
func SealExamination(ctx context.Context, a *archive.Archive, e ExaminedText, o AskOptions) (*Result, error) {
	if n := len(e.Items); n > MaxExaminedItems {
		return nil, problem.New(problem.Usage, problem.Advise("divide the text and examine its parts"), "one bundle holds at most %d quotations, the text has %d", MaxExaminedItems, n)
	}
	return deliver(ctx, a, "bind", o.named(), func(p *Pipeline, r Request) (*Response, error) { return p.sealExamination(e, r) })
}

// describe returns the line that a bundle has for the text.
func (e ExaminedText) describe() string {
	return fmt.Sprintf("Examination of %s, sha256 %s, %d quotations", legible.Printable(e.Name), e.SHA256, len(e.Items))
}

func (p *Pipeline) sealExamination(e ExaminedText, r Request) (*Response, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	q := p.question(e.describe(), examination, r)
	var all []rungs
	for _, item := range e.Items {
		one, err := p.examinedRungs(q, item)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	shown, err := p.display(q, display{}, all)
	if err != nil {
		return nil, err
	}
	leaves, err := p.assemble(q, scope{}, nil, shown)
	if err != nil {
		return nil, err
	}
	return p.log(q, leaves)
}

// examinedRungs returns one quotation as the display gates take it.
func (p *Pipeline) examinedRungs(q question, item ExaminedItem) (rungs, error) {
	out := rungs{topic: item.Text, settled: true}
	if !item.Good {
		reason := item.Verdict
		if item.Artifact != "" {
			reason += "; the archive's words are shown as a claim"
		}
		out.removed = append(out.removed, removal{RemovedTopic: RemovedTopic{Topic: item.Text, Reason: reason}})
	}
	if item.Artifact == "" {
		return out, nil
	}
	known, err := q.viewer.knows(item.Artifact)
	if err != nil || !known {
		return out, err
	}
	span, err := cite.ParseSpan(item.Span)
	if err != nil {
		return out, err
	}
	doc, err := q.viewer.document(item.Artifact)
	if err != nil {
		return out, err
	}
	words, err := cite.Quote(doc, span)
	if err != nil {
		return out, err
	}
	ev := assign.Evidence{Relation: cite.DirectQuote, Match: cite.Exact, Aligned: true, Artifact: item.Artifact, Span: span, Quote: words, Similarity: 1}
	j, err := q.viewer.judge(scope{}, candidate{text: words, topic: item.Text, own: true, ev: ev, input: ev.Input()})
	out.claims = append(out.claims, j)
	return out, err
}
