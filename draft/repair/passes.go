package repair

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muniment/draft/contract"
	"muniment/judge/hedge"
	"muniment/text/segment"
)

// Known is the pass that adds citations on file to flagged claims: find returns the citations from
// which a claim follows.
func Known(find func(claim contract.Claim) []string) Pass {
	return Pass{By: "ledger", Run: func(_ context.Context, draft string, flagged []contract.Claim) (string, error) {
		return rewrite(draft, flagged, func(text string, c contract.Claim) string { return text + cited(text, find(c), styleOf(draft)) }), nil
	}}
}

// Suggested is the pass that says of a flagged claim that reports suggest it:
// find returns the citations that do, none where there are none. A claim that is
// not a sentence of prose is left as it is.
func Suggested(find func(claim contract.Claim) []string) Pass {
	return Pass{By: "softening", Run: func(_ context.Context, draft string, flagged []contract.Claim) (string, error) {
		return rewrite(draft, flagged, func(text string, c contract.Claim) string {
			ids := find(c)
			words := segment.Words(text)
			if len(ids) == 0 || len(words) == 0 || words[0].Start != 0 || len(segment.Hedges(text)) > 0 {
				return text
			}
			if segment.Function(words[0].Lower) && words[0].Lower != "i" {
				text = strings.ToLower(text[:1]) + text[1:]
			}
			return hedge.Softeners[0] + ", " + text + cited(text, ids, styleOf(draft))
		}), nil
	}}
}

// rewrite replaces each flagged claim.
func rewrite(draft string, flagged []contract.Claim, with func(text string, c contract.Claim) string) string {
	var out strings.Builder
	at := 0
	for _, c := range flagged {
		out.WriteString(draft[at:c.Start] + with(draft[c.Start:c.End], c))
		at = c.End
	}
	return out.String() + draft[at:]
}

// styleOf returns the form in which a draft writes its marks, with the place of the number.
func styleOf(draft string) string {
	switch {
	default:
		return "[%s]"
	case strings.Contains(draft, "[cite:g"):
		return "[cite:g%s]"
	case strings.Contains(draft, "[cite:"):
		return "[cite:%s]"
	case strings.Contains(draft, "[^"):
		return "[^%s]"
	}
}

// cited returns the marks of ids that text does not have yet.
func cited(text string, ids []string, style string) string {
	had, out := marks(text), ""
	for _, id := range ids {
		if !slices.ContainsFunc(had, func(m segment.Marker) bool { return bareID(m.ID) == bareID(id) }) {
			out += fmt.Sprintf(style, bareID(id))
		}
	}
	if out != "" && len(had) == 0 {
		out = " " + out
	}
	return out
}

// bareID returns the number of a citation that a draft names g3, ^3 or 3.
func bareID(id string) string { return strings.TrimLeft(id, "g^") }
