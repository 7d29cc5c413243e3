package answer

import (
	"context"
	"fmt"
	"slices"

	"muniment/answer/gate"
	"muniment/archive"
	"muniment/archive/problem"
	bundledisplay "muniment/bundle/display"
	"muniment/cite"
	"muniment/judge/assign"
)

// An ExaminedItem is one quotation of a text that was examined. Artifact and Span are those of the words that a paper has for it, "" for
// none.
type ExaminedItem struct {
	Text     string
	Verdict  string // one of those of an examination, or contradicted
	Reason   string // one sentence without its stop
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
	return bundledisplay.NameExamination(e.Name, e.SHA256, len(e.Items))
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
	for k := range e.Items {
		if item := &e.Items[k]; !item.Good {
			shown.removed = append(shown.removed, p.veil(q, removal{RemovedTopic: RemovedTopic{Topic: item.Text, Reason: item.explain(shown.claims)}, kind: gate.KindCoverage}))
		}
	}
	leaves, err := p.assemble(q, scope{}, nil, shown)
	if err != nil {
		return nil, err
	}
	return p.log(q, leaves)
}

// explain returns the verdict on an item and its reason. Where a paper has words for it, both words and reason are told only to whom the
// words are shown, as a claim that is named.
func (i *ExaminedItem) explain(claims []shown) string {
	if i.Artifact == "" {
		return i.Verdict + ": " + i.Reason
	}
	at := slices.IndexFunc(claims, func(s shown) bool { return s.topic == i.Text && !s.view.Restricted })
	if at < 0 {
		return i.Verdict + ": the words of the paper are not shown"
	}
	return fmt.Sprintf("%s: %s; claim %d has the words of the paper", i.Verdict, i.Reason, at+1)
}

// examinedRungs returns one quotation as the display gates take it.
func (p *Pipeline) examinedRungs(q question, item ExaminedItem) (rungs, error) {
	out := rungs{topic: item.Text, settled: true}
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
