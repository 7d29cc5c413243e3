package answer

import (
	"context"
	"fmt"
	"unicode/utf8"

	"muniment/answer/assign"
	"muniment/answer/budget"
	"muniment/answer/gate"
	"muniment/answer/segment"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
)

// A Place is a citation of an earlier answer.
type Place struct {
	Answer, Handle string
	Artifact       string
	Span           cite.Span
	Shown          budget.Range // what was shown of it, in code points of the text
}

// More answers a request for more context: the sentences around a citation,
// within its paragraph, as one quote of at most gate.ContextFactor excerpts.
// It goes through the display gates and the budget like an answer. More of
// what More showed is no more than that, so that nobody walks through a text.
func (p *Pipeline) More(_ context.Context, at Place, r Request) (*Response, error) {
	topic := fmt.Sprintf("more of %s", at.Handle)
	run := p.start(topic+" of answer "+at.Answer, r)
	run.more = true
	id, err := cid.ParseAs(cid.Raw, at.Artifact)
	if err != nil {
		return nil, err
	}
	doc, err := run.document(at.Artifact)
	if err != nil {
		return nil, err
	}
	if units := doc.Units(at.Span.Kind); at.Span.From.Unit < 1 || at.Span.To.Unit > len(units) {
		return nil, fmt.Errorf("span %s of artifact %s, which has %d units", at.Span, id, len(units))
	}
	limit, err := run.context(id)
	if err != nil {
		return nil, err
	}
	span, err := around(doc, at, limit)
	if err != nil {
		return nil, err
	}
	words, err := cite.Quote(doc, span)
	if err != nil {
		return nil, err
	}
	ev := assign.Evidence{Relation: cite.DirectQuote, Match: cite.Exact, Aligned: true, Artifact: at.Artifact, Span: span, Quote: words, Similarity: 1}
	c := candidate{topic: topic, text: words, own: true, context: true, ev: ev, input: ev.Input(), need: run.need(doc, at)}
	hidden, found := false, []candidate{c}
	if limit == 0 { // it may not be known, or not be shown, any more
		if err := run.display(&found[0]); err != nil {
			return nil, err
		}
		hidden = found[0].view.Hidden
	}
	if err := run.deliver(topic, found, hidden); err != nil {
		return nil, err
	}
	return run.finish()
}

// context returns how much of an artifact one request for context may show.
func (r *run) context(id cid.ID) (int, error) {
	perm, err := r.permission(id, "")
	return perm.Excerpt * gate.ContextFactor, err
}

// need returns the words that were shown: context that leaves them out is none.
func (r *run) need(doc *canon.Document, at Place) []string {
	from, err := doc.ByteOffset(at.Shown.Start)
	if err != nil {
		return nil
	}
	to, err := doc.ByteOffset(at.Shown.End)
	if err != nil || to < from {
		return nil
	}
	var words []string
	for _, w := range segment.Words(string(doc.Payload()[from:to])) {
		words = append(words, w.Lower)
	}
	return words
}

// around widens a citation to whole sentences of its units, one after it and
// one before it in turn, while they fit into limit code points.
func around(doc *canon.Document, at Place, limit int) (cite.Span, error) {
	units := doc.Units(at.Span.Kind)
	first, last := units[at.Span.From.Unit-1], units[at.Span.To.Unit-1]
	if at.Span.From.Unit != at.Span.To.Unit {
		return at.Span, nil // it has whole paragraphs already
	}
	text := string(doc.Payload()[first.Start:last.End])
	sentences := segment.Sentences(text, "en")
	begin, end := byteAt(text, at.Span.From.Offset), byteAt(text, at.Span.To.Offset)
	i, j := -1, -1
	for k, s := range sentences {
		if s.Start < end && begin < s.End {
			if i < 0 {
				i = k
			}
			j = k
		}
	}
	if i < 0 {
		return at.Span, nil
	}
	fits := func(i, j int) bool {
		return utf8.RuneCountInString(text[sentences[i].Start:sentences[j].End]) <= limit
	}
	for grown := true; grown; {
		grown = false
		if j+1 < len(sentences) && fits(i, j+1) {
			j++
			grown = true
		}
		if i > 0 && fits(i-1, j) {
			i--
			grown = true
		}
	}
	span := at.Span
	span.From.Offset = utf8.RuneCountInString(text[:min(begin, sentences[i].Start)])
	span.To.Offset = utf8.RuneCountInString(text[:max(end, sentences[j].End)])
	return span, nil
}

// byteAt returns the place of a code point in a text, or its end.
func byteAt(text string, codePoint int) int {
	for i := range text {
		if codePoint == 0 {
			return i
		}
		codePoint--
	}
	return len(text)
}
