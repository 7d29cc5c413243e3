// Package cite holds what a citation says and how it is checked: spans over a
// text or a record, the search for a quote, the citation object, and the table
// that gives a claim its rung. It computes; it reads no file, clock or network.
//
// The two calls most people need are Find, which looks for a quoted text, and
// Judge, which gives a claim its rung:
//
//	d := canon.NewDocument(payload)
//	m, err := cite.Find(d, "about seven rods of the stackyard", nil)
//	// m.Status == cite.Exact, m.Span.String() == "p2:31-64"
//	v := cite.Judge(cite.GateInput{Relation: cite.DirectQuote, Match: m.Status, SpanResolves: true})
//	// v.Rung == cite.Supported
//
// A span names a run of code points inside numbered units of one canonical
// text: p4:0-41, p4:10-p6:3, l118:0-20. Ordinals start at 1, offsets at 0 and
// are half-open. A meta span names a run inside one field of a record:
// meta:source.title:0-12. Both have exactly one spelling.
//
// Find answers exact, normalized, fuzzy, ambiguous or absent. Exact and
// normalized matches alone verify a quote (Match.Verifies): a fuzzy match
// shows what the text says instead, and names the kind of difference. A place
// that Find could not establish is offered as Match.Nearest, never taken.
//
// A Citation is canonical JSON (package jcs) of type muniment/citation/v2. Its
// ID is the content identifier of those bytes. Check re-verifies it against
// the text of its artifact.
//
// The page docs/spec/citation.md is the specification; its step numbers stand
// in the comments here. Approximate search follows G. Myers, "A fast bit-vector
// algorithm for approximate string matching based on dynamic programming",
// JACM 46 (1999), with blocks of 64 rows and the cut-off of its section 4.
//
// Limits: word boundaries and capital letters come from the Unicode tables of
// the Go release, so a letter assigned later than those may count as a symbol;
// number words and negations are known in English and German, of other
// languages only the plainest.
package cite
