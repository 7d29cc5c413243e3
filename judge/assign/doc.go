// Package assign ties claims to passages, without a language model.
//
//	ev, err := assign.Assign(claim, passages, open, "Anna Brandt")
//	if !ev.Aligned {
//		shorter, ok, err := assign.Narrow(claim, passages, open, "Anna Brandt")
//	}
//
// The evidence of a claim is one sentence of a passage, two for an inference. Whether the claim follows from it is
// asked of package judge, with the sentences around; the first person of a text stands for the archive's subject unless
// the passage has another author.
//
// A relation is the best of: a direct quotation (the claim is one or more whole sentences, or its quoted words are
// there and the rest only says who wrote them and when), a paraphrase (the claim follows), an inference (a claim with
// an epistemic marker whose numbers and names, and half of whose content words, are there, in a sentence that nothing
// governs).
//
// A test that fails has a name: the rule of package judge by which the claim does not follow (contradiction, scope,
// restriction, missing), or quote, where the quoted words are not there or mean something else in their place.
package assign

import (
	"slices"

	"muniment/cite"
	"muniment/judge"
)

// Evidence is the result of tying one claim to passages. Its zero value, with Relation "", means none.
type Evidence struct {
	Relation   cite.Relation // direct_quote, paraphrase, inference_from, or "" for none
	Match      cite.Status   // of the quoted words for direct_quote; exact for the span itself otherwise
	Aligned    bool          // the claim repeats or restates clauses of the span, as the package comment says
	Marker     bool          // the claim carries an epistemic marker
	Artifact   string
	Span       cite.Span // without a relation: of the sentence that Reason is about, where there is one
	Quote      string    // the bytes at Span
	Similarity float64   // share of the claim's content words in the span, 0–1
	Denied     bool      // the best candidate contradicts the claim, or one of the two denies what the other states
	Tests      []string  // tests that failed on the best candidate, as the package comment lists them
	Reason     string    // one English sentence of package judge that says why the best candidate failed; may be empty
}

// Input returns the part of the coverage gate's input that evidence decides. SpanResolves is true
// where there is a span at all, since spans here are computed, never taken from the draft.
func (e Evidence) Input() cite.GateInput {
	return cite.GateInput{
		Relation: e.Relation, Match: e.Match, Aligned: e.Aligned,
		SpanResolves: e.Relation != "", Marker: e.Marker,
	}
}

// Contradicts reports whether the best candidate says otherwise than the claim.
func (e Evidence) Contradicts() bool {
	return e.Relation == "" && slices.Contains(e.Tests, string(judge.Contradiction))
}

// A Narrowed is a shorter claim that passes where the whole did not.
type Narrowed struct {
	Text     string // the shorter claim
	Cut      string // what was cut off
	Evidence Evidence
	Rest     Evidence // of what was cut off
}
