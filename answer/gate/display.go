package gate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/policy"
)

// ContextFactor is how many excerpts long the answer to a request for more
// context may be: a sentence before, the sentence itself, and one after it.
const ContextFactor = 3

// A Piece is one contiguous run of an excerpt's text.
type Piece struct {
	Text       string
	Start, End int  // byte offsets in the text the excerpt was made of, half-open
	Shown      bool // false: withheld, rendered as a gap

	// Instead is what a claim says in the place of a withheld piece: the
	// pseudonym of a person, or "" for a gap.
	Instead string
}

// An Excerpt is a text cut into shown and withheld pieces. The pieces are in
// order, not empty, alternate between shown and withheld, and together are
// the whole text, so that each becomes one chunk leaf. The zero Excerpt is
// that of an empty text.
type Excerpt struct {
	Pieces []Piece
}

// Source returns the whole text, shown and withheld.
func (e Excerpt) Source() string {
	var b strings.Builder
	for _, p := range e.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Len returns the number of code points shown.
func (e Excerpt) Len() int {
	n := 0
	for _, p := range e.Pieces {
		if p.Shown {
			n += utf8.RuneCountInString(p.Text)
		}
	}
	return n
}

// Withhold returns the excerpt with nothing shown.
func (e Excerpt) Withhold() Excerpt { return excerptOf(e.Source(), 0, 0) }

// Empty reports whether nothing is shown. A claim that would consist of the
// archive's own words cannot be made from such an excerpt.
func (e Excerpt) Empty() bool { return e.Len() == 0 }

// gapMark replaces the withheld words of a quote, as a bundle renders a gap.
const gapMark = "[…]"

// Text returns the shown pieces as a claim quotes them: with "[…]" at each side where the text
// continues, and between two pieces, and with pseudonyms instead of persons. It is empty if nothing
// is shown. White space and punctuation alone are not marked.
func (e Excerpt) Text() string {
	if e.Empty() {
		return ""
	}
	last := len(e.Pieces) - 1
	var b strings.Builder
	for i, p := range e.Pieces {
		switch {
		case p.Shown:
			b.WriteString(p.Text)
		case p.Instead != "":
			b.WriteString("[" + p.Instead + "]")
		case i == 0 && hasWord(p.Text):
			b.WriteString(gapMark + " ")
		case i == last && hasWord(p.Text):
			b.WriteString(" " + gapMark)
		case i > 0 && i < last:
			b.WriteString(" " + gapMark + " ")
		}
	}
	return b.String()
}

// Veil withholds the places where protected persons are named, and keeps their
// pseudonyms for Text. Places are bytes of the text that the excerpt was made
// of. What e withholds stays withheld; a name that is shown in part is
// withheld whole.
func (e Excerpt) Veil(veils []policy.Veil) Excerpt {
	var out Excerpt
	for _, p := range e.Pieces {
		at := p.Start
		for _, v := range veils {
			from, to := max(v.Start, at), min(v.End, p.End)
			if !p.Shown || from >= to {
				continue
			}
			out.push(Piece{Text: p.Text[at-p.Start : from-p.Start], Start: at, End: from, Shown: true})
			out.push(Piece{Text: p.Text[from-p.Start : to-p.Start], Start: from, End: to, Instead: v.Pseudonym})
			at = to
		}
		out.push(Piece{Text: p.Text[at-p.Start:], Start: at, End: p.End, Shown: p.Shown, Instead: p.Instead})
	}
	return out
}

// hasWord reports whether a text holds a letter or a digit.
func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// Limit returns the excerpt with at most limit code points shown. What is
// longer is cut where Trim would cut, as early and as long as may be, or
// withheld. What e withholds stays withheld.
func (e Excerpt) Limit(limit int) Excerpt {
	if e.Len() <= limit {
		return Excerpt{slices.Clone(e.Pieces)}
	}
	text := e.Source()
	best := passage{}
	for _, p := range passages(text, limit) {
		inside := slices.ContainsFunc(e.Pieces, func(q Piece) bool { return q.Shown && q.Start <= p.start && p.end <= q.End })
		if inside && (best.end == 0 || p.start == best.start && p.end > best.end) {
			best = p
		}
	}
	return excerptOf(text, best.start, best.end)
}

// push appends a piece, joining it to the one before if both are of a kind.
func (e *Excerpt) push(p Piece) {
	if p.Text == "" {
		return
	}
	if n := len(e.Pieces); n > 0 && e.Pieces[n-1].Shown == p.Shown && e.Pieces[n-1].Instead == p.Instead {
		last := &e.Pieces[n-1]
		last.Text += p.Text
		last.End = p.End
		return
	}
	e.Pieces = append(e.Pieces, p)
}

// excerptOf shows text[from:to] and withholds the rest.
func excerptOf(text string, from, to int) Excerpt {
	var e Excerpt
	e.push(Piece{Text: text[:from], Start: 0, End: from})
	e.push(Piece{Text: text[from:to], Start: from, End: to, Shown: true})
	e.push(Piece{Text: text[to:], Start: to, End: len(text)})
	return e
}

// A View is what the three gates leave of one citation for one requestor.
type View struct {
	Excerpt    Excerpt
	Restricted bool   // the claim is delivered, its excerpt is not: Notice stands there
	Blocked    bool   // the claim may not be delivered: a consent refusal or a removed topic
	Hidden     bool   // as Blocked, and its existence may not show: behave as in a coverage refusal
	Notice     string // RestrictedNotice where Restricted, else empty
}

// Display passes an excerpt, which Shorten has made no longer than the requestor's tier may see,
// through the consent gate and the tier gate. The view never shows a code point that e
// withholds.
func Display(e Excerpt, p policy.Permission) View {
	switch {
	default:
		return View{Excerpt: e.Limit(p.Excerpt)}
	case !p.Existence:
		return View{Excerpt: e.Withhold(), Blocked: true, Hidden: true}
	case !p.Surface:
		return View{Excerpt: e.Withhold(), Blocked: true}
	case !p.Display || p.Excerpt <= 0:
		return View{Excerpt: e.Withhold(), Restricted: true, Notice: RestrictedNotice}
	}
}
