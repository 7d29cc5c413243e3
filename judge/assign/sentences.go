package assign

import (
	"muniment/canon"
	"muniment/cite"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// nearbySentences returns the sentences of a passage with one neighbour on each side in the same paragraph,
// as byte offsets in the payload. In texts of rows it is the row alone.
func nearbySentences(p *retrieve.Passage, d *canon.Document) ([]segment.Range, error) {
	start, end, err := cite.Resolve(d, p.Span)
	if err != nil {
		return nil, err
	}
	if p.Span.Kind != cite.Paragraphs {
		return []segment.Range{{Start: start, End: end}}, nil
	}
	units := d.Units(cite.Paragraphs)
	i := p.Span.From.Unit - 1
	if p.Span.From.Unit != p.Span.To.Unit || i >= len(units) {
		return []segment.Range{{Start: start, End: end}}, nil
	}
	unit := units[i]
	all := segment.Sentences(string(d.Payload()[unit.Start:unit.End]), p.Lang)
	first, last := len(all), -1
	for n := range all {
		all[n].Start += unit.Start
		all[n].End += unit.Start
		if all[n].End > start && all[n].Start < end {
			first, last = min(first, n), n
		}
	}
	if last < 0 {
		return nil, nil
	}
	return all[max(0, first-1):min(len(all), last+2)], nil
}

// clause reports whether words have a finite verb after a subject.
func clause(ws []segment.Word) bool {
	for i, w := range ws {
		if i > 0 && segment.FiniteVerb(w.Lower) {
			return true
		}
	}
	return false
}
