package repair

import (
	"context"
	"slices"
	"strings"

	"muniment/answer/contract"
	"muniment/answer/segment"
)

// Known is the pass that puts evidence on file behind the flagged claims: find
// returns the citations from which a claim follows, none where there are none.
func Known(find func(claim contract.Claim) []string) Pass {
	return Pass{By: "ledger", Run: func(_ context.Context, draft string, flagged []contract.Claim) (string, error) {
		return rewrite(draft, flagged, func(text string, c contract.Claim) string { return text + cited(text, find(c)) }), nil
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
			return Softeners[0] + ", " + text + cited(text, ids)
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

// cited returns the marks to put behind a claim that has those of text.
func cited(text string, ids []string) string {
	had, out := marks(text), ""
	for _, id := range ids {
		if !slices.ContainsFunc(had, func(m segment.Marker) bool { return m.ID == id }) {
			out += "[" + id + "]"
		}
	}
	if out != "" && len(had) == 0 {
		out = " " + out
	}
	return out
}
