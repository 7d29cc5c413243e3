package answer

import (
	"fmt"
	"unicode/utf8"

	"muniment/answer/budget"
	"muniment/answer/retrieve"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
)

// Withheld is a passage that the requestor's budget did not let through.
type Withheld struct {
	Artifact cid.ID
	Taken    budget.Taken
}

// known returns the passages of artifacts that the requestor may know of, in
// their order. What is drafted from them is what would be drafted if the
// others were not in the archive.
func (r *run) known(passages []retrieve.Passage) ([]retrieve.Passage, error) {
	var open []retrieve.Passage
	for _, p := range passages {
		exists, err := r.exist(p.Artifact)
		if err != nil {
			return nil, err
		}
		if exists {
			open = append(open, p)
		}
	}
	return open, nil
}

// exist tells whether the requestor may know of an artifact.
func (r *run) exist(artifact string) (bool, error) {
	exists, seen := r.exists[artifact]
	if seen {
		return exists, nil
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return false, err
	}
	perm, err := r.permission(id, "")
	if err != nil {
		return false, err
	}
	r.exists[artifact] = perm.Existence
	return perm.Existence, nil
}

// answer delivers what was drafted from the passages that the requestor may
// know of, open. Where there are others, what draft would have made of them is
// kept for auditors.
func (r *run) answer(topic string, found []candidate, open, all []retrieve.Passage, draft func([]retrieve.Passage) ([]candidate, error)) error {
	hidden := false
	if len(open) < len(all) {
		others, err := draft(all)
		if err != nil {
			return err
		}
		for i := range others {
			if c := &others[i]; c.ev.Artifact != "" && !r.exists[c.ev.Artifact] {
				if err := r.hide(c); err != nil {
					return err
				}
				hidden = true
			}
		}
	}
	return r.deliver(topic, found, hidden)
}

// meter charges the shown part of a candidate's excerpt to the requestor's
// budget. What the budget denies is withheld.
func (r *run) meter(c *candidate) error {
	pieces := c.view.Excerpt.Pieces
	first, past := -1, 0
	for _, p := range pieces {
		if p.Shown {
			if first < 0 {
				first = p.Start
			}
			past = p.End
		}
	}
	if first < 0 || c.view.Restricted {
		return nil
	}
	doc, err := r.document(c.ev.Artifact)
	if err != nil {
		return err
	}
	at, err := codePoint(doc, c)
	if err != nil {
		return err
	}
	quote := c.ev.Quote
	c.passage = budget.Range{Start: at + utf8.RuneCountInString(quote[:first]), End: at + utf8.RuneCountInString(quote[:past])}
	if c.drafted && !c.own {
		// Not the excerpt beside it counts, but all that its words may repeat.
		c.passage = budget.Range{Start: at, End: at + utf8.RuneCountInString(quote)}
	}
	account := r.request.Budget
	if account == nil {
		return nil
	}
	length, ok := r.lengths[c.art]
	if !ok {
		if length, err = doc.CodePoint(len(doc.Payload())); err != nil {
			return err
		}
		r.lengths[c.art] = length
	}
	if c.taken, err = account.Take(c.art.String(), length, c.passage); err != nil || c.taken.Denied == "" {
		return err
	}
	r.withheld = append(r.withheld, Withheld{c.art, c.taken})
	c.view.Excerpt = c.view.Excerpt.Withhold()
	c.passage = budget.Range{}
	c.reasons = append(c.reasons, fmt.Sprintf("budget: %s denies %d code points", c.taken.Denied, c.taken.Fresh))
	c.taken.Fresh = 0
	return nil
}

// codePoint returns the place of a candidate's quote in its text.
func codePoint(doc *canon.Document, c *candidate) (int, error) {
	units := doc.Units(c.ev.Span.Kind)
	at, err := doc.CodePoint(units[c.ev.Span.From.Unit-1].Start)
	return at + c.ev.Span.From.Offset, err
}

// hiddenRoom is how many leaves of an answer are kept free for what its
// requestor may not know of, so that their number does not show it.
const hiddenRoom = 20

// hide keeps a candidate that the requestor may not know of, for auditors, as
// long as there is room. A candidate makes two leaves.
func (r *run) hide(c *candidate) error {
	if r.secret++; 2*r.secret >= hiddenRoom {
		return nil
	}
	c.verdict = cite.Judge(c.input)
	if err := r.display(c); err != nil {
		return err
	}
	r.failed = append(r.failed, *c)
	return nil
}

// unquoted counts the delivered claims whose excerpt the budget withheld.
func (r *run) unquoted() int {
	n := 0
	for i := range r.claims {
		if r.claims[i].taken.Denied != "" {
			n++
		}
	}
	return n
}
