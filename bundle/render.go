package bundle

import (
	"cmp"
	"encoding/hex"
	"errors"
	"muniment/bundle/leaf"
	"path"
	"slices"
	"strings"
	"time"

	"muniment/cite"
	"muniment/snapshot/record"
)

// RestrictedText replaces an excerpt that the person's instructions withhold.
const RestrictedText = "Supported by archived material (source restricted by the person's instructions)."

// A View is what a requestor sees of an answer. Every text in it has gone
// through Safe.
type View struct {
	Answer  string        `json:"answer"` // the statement's id in hex
	Issued  string        `json:"issued"` // RFC 3339 UTC, as the signer says
	Outcome Outcome       `json:"outcome"`
	Rung    cite.Rung     `json:"rung"` // of the answer as a whole
	Tier    string        `json:"tier"`
	Asked   string        `json:"question"` // "" where its requestor does not let it be shown
	Claims  []ViewClaim   `json:"claims"`
	Removed []ViewRemoved `json:"removed"`
	Refused []ViewRefusal `json:"refused"`         // more than one when parts of a question were refused
	Missing int           `json:"missing"`         // leaves of the answer as shown that this copy leaves out
	Notes   []string      `json:"notes,omitempty"` // what the bundle says of the answer as a whole, as StrangerNote
}

// ViewClaim is a claim with its citations.
type ViewClaim struct {
	Number     int        `json:"number"`
	Text       string     `json:"text"`
	Rung       cite.Rung  `json:"rung"` // "" for the role nearest
	Role       cite.Role  `json:"role"` // answer or nearest
	Restricted bool       `json:"restricted"`
	Citations  []ViewCite `json:"citations"`
	Missing    int        `json:"missing"` // citations that this copy leaves out
}

// ViewCite is a display citation.
type ViewCite struct {
	Handle      string        `json:"handle"`
	Title       string        `json:"title"` // of the paper, or its file's name; "" where it may not be told
	Date        string        `json:"date"`
	Relation    cite.Relation `json:"relation"`
	Label       string        `json:"label"`
	Contradicts bool          `json:"contradicts"`
	Restricted  bool          `json:"restricted"`
	Quote       string        `json:"quote"`   // the excerpt as one text, a gap being […]; RestrictedText when restricted
	Excerpt     []Piece       `json:"excerpt"` // the same in pieces
}

// Piece is a part of an excerpt: words, or a gap where words are withheld.
type Piece struct {
	Text string `json:"text"`
	Gap  bool   `json:"gap"`
}

// ViewRemoved is a topic that was cut.
type ViewRemoved struct {
	Topic  string `json:"topic"`
	Reason string `json:"reason"`
}

// ViewRefusal is a refusal.
type ViewRefusal struct {
	Kind        string   `json:"kind"`
	Message     string   `json:"message"`
	Suggestions []string `json:"suggestions"`
	Topic       string   `json:"topic"` // "" for the whole question
}

// NearestHeading is the heading of claims with the role nearest on every surface.
const NearestHeading = "Nearest passages; nobody has checked that they answer"

// NearestReason is the reason with which the question is listed as removed where
// nothing but nearest passages could be shown for it.
const NearestReason = "nothing was found that answers it; the nearest passages are shown, unchecked"

// StrangerNote is the note of a bundle that was signed with a key to which the
// archive gives no answers, as by a reader of a copy.
const StrangerNote = "signed with a reader's own key, which is not a key of this archive"

// SourceName returns the name of a source for readers: its title and its day, in words where the
// date is a plain one; either of them may be "".
func SourceName(title, date string) string {
	day := date
	for _, form := range []struct{ of, as string }{{time.DateOnly, "2 January 2006"}, {"2006-01", "January 2006"}, {time.RFC3339, "2 January 2006"}} {
		if at, err := time.Parse(form.of, date); err == nil {
			day = at.Format(form.as)
			break
		}
	}
	switch {
	case title == "" || day == "":
		return title + day
	case strings.Contains(title, day) || strings.Contains(title, date):
		return title
	}
	return title + ", " + day
}

// SourceOf returns the title and the date of a record's paper: its title, or the last part of the
// first name it was added under, and its day of publication.
func SourceOf(rec *record.Record) (title, date string) {
	if rec.Source != nil {
		title, date = rec.Source.Title, rec.Source.PublishedAt
	}
	if title == "" && len(rec.Names) > 0 {
		title = path.Base(rec.Names[0])
	}
	return title, date
}

// gapText marks withheld words in a quote.
const gapText = "[…]"

// Render returns the view of the bundle: a pure function of the leaves that its display leaf lists
// and that this copy discloses. It asks nobody's trust; pass the bundle to Verify for that.
func Render(b *Bundle) (View, error) {
	if b == nil || b.statement == nil {
		return View{}, errors.New("there is no bundle to render")
	}
	d := b.display()
	v := View{
		Answer:  hex.EncodeToString(b.statement.ID[:]),
		Issued:  b.statement.Issued.Format(timeForm),
		Outcome: b.statement.Outcome,
		Rung:    d.OutcomeRung,
		Tier:    SafeLine(d.RequestorTier),
		Claims:  []ViewClaim{}, Removed: []ViewRemoved{}, Refused: []ViewRefusal{},
	}
	for _, i := range d.Shown {
		switch l := b.leaves[i].(type) {
		case nil, *leaf.Unread:
			v.Missing++
		case *leaf.Question:
			v.Asked = Safe(l.Text)
		case *leaf.Gate:
			if l.Claim == 0 {
				v.Notes = append(v.Notes, safeLines(l.Notes)...)
			}
		case *leaf.Claim:
			v.Claims = append(v.Claims, b.viewClaim(l, d))
		case *leaf.Removed:
			v.Removed = append(v.Removed, ViewRemoved{Safe(l.Topic), Safe(l.Reason)})
		case *leaf.Refusal:
			r := ViewRefusal{Kind: l.RefusalKind, Message: Safe(l.Message), Suggestions: []string{}, Topic: Safe(l.Topic)}
			for _, s := range l.Suggestions {
				r.Suggestions = append(r.Suggestions, Safe(s))
			}
			v.Refused = append(v.Refused, r)
		}
	}
	return v, nil
}

// safeLines returns texts of a bundle as lines that can be shown.
func safeLines(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = SafeLine(t)
	}
	return out
}

// hasNote reports whether the bundle says something of the answer as a whole.
func (b *Bundle) hasNote(note string) bool {
	return slices.ContainsFunc(b.display().Shown, func(i int) bool {
		l, ok := b.leaves[i].(*leaf.Gate)
		return ok && l.Claim == 0 && slices.Contains(l.Notes, note)
	})
}

// viewClaim returns a claim with those of its citations that are disclosed.
func (b *Bundle) viewClaim(c *leaf.Claim, d *leaf.Display) ViewClaim {
	v := ViewClaim{Number: c.Claim, Text: Safe(c.Text), Rung: c.Rung, Role: cmp.Or(c.Role, cite.RoleAnswer), Restricted: c.Restricted, Citations: []ViewCite{}}
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
func (b *Bundle) viewCite(t *leaf.Cite) ViewCite {
	v := ViewCite{
		Handle: t.Handle, Title: SafeLine(t.Title), Date: SafeLine(t.Date), Relation: t.Relation, Label: t.Label,
		Contradicts: t.Contradicts, Restricted: t.Restricted, Excerpt: []Piece{},
	}
	if t.Restricted {
		v.Quote = RestrictedText
		return v
	}
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			v.Excerpt = append(v.Excerpt, Piece{Text: words.String()})
			words.Reset()
		}
	}
	for _, i := range t.Chunks {
		if k, ok := b.leaves[i].(*leaf.Chunk); ok {
			words.WriteString(Safe(k.Text))
			continue
		}
		flush()
		if n := len(v.Excerpt); n == 0 || !v.Excerpt[n-1].Gap {
			v.Excerpt = append(v.Excerpt, Piece{Gap: true})
		}
	}
	flush()
	var quote strings.Builder
	for i, p := range v.Excerpt {
		switch {
		case !p.Gap:
			quote.WriteString(p.Text)
		case i == 0:
			quote.WriteString(gapText + " ")
		default:
			quote.WriteString(" " + gapText + " ")
		}
	}
	v.Quote = strings.TrimSpace(quote.String())
	return v
}
