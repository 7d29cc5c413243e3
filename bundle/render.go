package bundle

import (
	"cmp"
	"encoding/hex"
	"errors"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strings"

	"muniment/cite"
)

// Render returns the view of the bundle: a pure function of the leaves that its display leaf lists
// and that this copy discloses. It asks nobody's trust; pass the bundle to Verify for that.
func Render(b *Bundle) (display.View, error) {
	if b == nil || b.statement == nil {
		return display.View{}, errors.New("there is no bundle to render")
	}
	d := b.display()
	v := display.View{
		Answer:  hex.EncodeToString(b.statement.ID[:]),
		Issued:  b.statement.Issued.Format(timeForm),
		Outcome: string(b.statement.Outcome),
		Rung:    d.OutcomeRung,
		Tier:    display.SafeLine(d.RequestorTier),
		Claims:  []display.Claim{}, Removed: []display.Removed{}, Refused: []display.Refusal{},
	}
	judged := b.sayJudged()
	for _, i := range d.Shown {
		switch l := b.leaves[i].(type) {
		case nil, *leaf.Unread:
			v.Missing++
		case *leaf.Question:
			v.Asked = display.Safe(l.Text)
		case *leaf.Gate:
			if l.Claim == 0 {
				v.Notes = append(v.Notes, display.SafeLines(l.Notes)...)
			}
		case *leaf.Claim:
			claim := b.viewClaim(l, d)
			claim.Judged = judged[l.Claim]
			v.Claims = append(v.Claims, claim)
		case *leaf.Removed:
			v.Removed = append(v.Removed, display.Removed{Topic: display.Safe(l.Topic), Reason: display.Safe(l.Reason)})
		case *leaf.Refusal:
			r := display.Refusal{Kind: l.RefusalKind, Message: display.Safe(l.Message), Suggestions: []string{}, Topic: display.Safe(l.Topic)}
			for _, s := range l.Suggestions {
				r.Suggestions = append(r.Suggestions, display.Safe(s))
			}
			v.Refused = append(v.Refused, r)
		}
	}
	v.Examined = display.ReadExamination(v.Asked, v.Removed)
	return v, nil
}

// hasNote reports whether the bundle says something of the answer as a whole.
func (b *Bundle) hasNote(note string) bool {
	return slices.ContainsFunc(b.display().Shown, func(i int) bool {
		l, ok := b.leaves[i].(*leaf.Gate)
		return ok && l.Claim == 0 && slices.Contains(l.Notes, note)
	})
}

// viewClaim returns a claim with those of its citations that are disclosed.
func (b *Bundle) viewClaim(c *leaf.Claim, d *leaf.Display) display.Claim {
	v := display.Claim{Number: c.Claim, Text: display.Safe(c.Text), Rung: c.Rung, Role: cmp.Or(c.Role, cite.RoleAnswer), Restricted: c.Restricted, Citations: []display.Cite{}}
	for _, i := range c.Cites {
		t, ok := b.leaves[i].(*leaf.Cite)
		switch {
		case ok:
			v.Citations = append(v.Citations, b.viewCite(t))
		case slices.Contains(d.Shown, i):
			v.Missing++
		}
	}
	return v
}

// viewCite returns a citation with its excerpt, with a gap for each run of chunks that are not
// disclosed.
func (b *Bundle) viewCite(t *leaf.Cite) display.Cite {
	v := display.Cite{
		Handle: t.Handle, Title: display.SafeLine(t.Title), Date: display.SafeLine(t.Date), Relation: t.Relation, Label: t.Label,
		Contradicts: t.Contradicts, Restricted: t.Restricted, Excerpt: []display.Piece{},
	}
	if t.Restricted {
		v.Quote = display.RestrictedText
		return v
	}
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			v.Excerpt = append(v.Excerpt, display.Piece{Text: words.String()})
			words.Reset()
		}
	}
	for _, i := range t.Chunks {
		if k, ok := b.leaves[i].(*leaf.Chunk); ok {
			words.WriteString(display.Safe(k.Text))
			continue
		}
		flush()
		if n := len(v.Excerpt); n == 0 || !v.Excerpt[n-1].Gap {
			v.Excerpt = append(v.Excerpt, display.Piece{Gap: true})
		}
	}
	flush()
	var quote strings.Builder
	for i, p := range v.Excerpt {
		switch {
		case !p.Gap:
			quote.WriteString(p.Text)
		case i == 0:
			quote.WriteString(display.GapText + " ")
		default:
			quote.WriteString(" " + display.GapText + " ")
		}
	}
	v.Quote = strings.TrimSpace(quote.String())
	return v
}
