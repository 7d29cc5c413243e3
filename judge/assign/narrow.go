package assign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/cite"
	"muniment/judge"
	"muniment/search/retrieve"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// maxCuts bounds how many shorter claims are tried; a sentence with more joints is no claim.
const maxCuts = 24

// Narrow looks for the longest shorter claim that is supported where the whole claim is not: cut
// before a conjunction between clauses, a relative or other clause after a comma, or a semicolon; or
// what follows "; " or ", and". ok is false when none is supported.
func Narrow(claim segment.Claim, passages []retrieve.Passage, doc Opener, subject ...string) (n Narrowed, ok bool, err error) {
	for _, c := range shorter(claim) {
		e, err := Assign(c.claim, passages, doc, subject...)
		if err != nil {
			return Narrowed{}, false, err
		}
		if e.Aligned && (e.Relation == cite.DirectQuote || e.Relation == cite.Paraphrase) {
			rest, err := Assign(c.rest, passages, doc, subject...)
			rest.Denied = rest.Denied || rest.Relation == "" && rest.Quote != "" && judge.Denies(rest.Quote) != judge.Denies(c.rest.Text) // whatever a clause without a subject is worth
			return Narrowed{Text: c.claim.Text, Cut: c.cut, Evidence: e, Rest: rest}, err == nil, err
		}
	}
	return Narrowed{}, false, nil
}

type cutVersion struct {
	claim, rest segment.Claim
	cut         string // the rest as the claim writes it
}

// shorter returns the shorter claims, longest first.
func shorter(claim segment.Claim) []cutVersion {
	var out []cutVersion
	t := claim.Text
	ws := segment.Words(t)
	for i := 1; i < len(ws) && len(out) < maxCuts; i++ {
		gap := t[ws[i-1].End:ws[i].Start]
		comma, semicolon := strings.Contains(gap, ","), strings.ContainsAny(gap, ";—–")
		joint := lexicon.Coordinator.Has(ws[i].Lower) || lexicon.Relative.Has(ws[i].Lower) || lexicon.Subordinator.Has(ws[i].Lower) || comma || semicolon
		if !joint || quotedAt(claim, ws[i].Start) {
			continue
		}
		begin := i
		if lexicon.Coordinator.Has(ws[i].Lower) && i+1 < len(ws) {
			begin++
		}
		left, right := cutClaim(claim, 0, ws[i-1].End), cutClaim(claim, ws[begin].Start, len(t))
		if i > 1 {
			out = append(out, cutVersion{left, right, strings.TrimSpace(t[ws[i].Start:])})
		}
		if (semicolon || comma && begin > i) && clause(segment.Words(t[ws[begin].Start:])) {
			out = append(out, cutVersion{right, left, strings.TrimSpace(t[:ws[i-1].End])})
		}
	}
	slices.SortStableFunc(out, func(a, b cutVersion) int { return len(b.claim.Text) - len(a.claim.Text) })
	return out
}

func quotedAt(c segment.Claim, at int) bool {
	return slices.ContainsFunc(c.Quotes, func(q segment.Quoted) bool { return at > q.Start && at < q.End })
}

// cutClaim returns the claim that the bytes from start to end of a claim's text make: closed with a
// full stop, beginning with a capital, with the quotations that lie inside.
func cutClaim(c segment.Claim, start, end int) segment.Claim {
	out := c
	text := c.Text[start:end]
	out.Quotes = nil
	for _, q := range c.Quotes {
		if q.Start >= start && q.Start < end {
			// The closing mark belongs to the quotation; the cut is made before or after both.
			if q.End >= end {
				text = c.Text[start:min(len(c.Text), closeOf(c.Text, q.End))]
			}
			out.Quotes = append(out.Quotes, segment.Quoted{Text: q.Text, Start: q.Start - start, End: q.End - start})
		}
	}
	first, n := utf8.DecodeRuneInString(text)
	if upper := string(unicode.ToUpper(first)); start > 0 && len(upper) == n {
		text = upper + text[n:]
	}
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "”“»\"’")); !strings.ContainsRune(".!?…", last) {
		text += "."
	}
	out.Text = text
	return out
}

// closeOf returns the offset after the quotation mark at an offset.
func closeOf(t string, at int) int {
	_, n := utf8.DecodeRuneInString(t[at:])
	return at + n
}
