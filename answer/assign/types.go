// Package assign ties claims to passages, and drafts answers from them, without a language model.
//
//	ev, err := assign.Assign(claim, passages, open, "Anna Brandt")
//	if !ev.Aligned {
//		shorter, ok, err := assign.Narrow(claim, passages, open, "Anna Brandt")
//	}
//	sentences := assign.Draft(part, passages)
//
// # What aligned means
//
// A claim aligns with one sentence, or with two adjacent ones, when a run of that text says the same
// things in the same order. Each test that fails has a name:
//
//	words     every content word of the claim stands there, by stem
//	number    every number too, before the same word; a date may also be the document's own
//	name      every name
//	order     content words come in the same order; one phrase after a preposition may have moved
//	role      to, from, with, without … govern the same words
//	negation  as many negations as in the clauses around the aligned words
//	quantity  all, every, only, before, more … of the claim stand there
//	modality  nothing there makes it a wish, a condition, a doubt or hearsay unless the claim says so
//	subject   a pronoun of the claim, or the archive's subject by name, stands for the same person;
//	          no other person or verb comes between
//	voice     both active or both passive with an agent
//	quote     the quoted words are there, exactly or up to typography
//
// The tests are one-sided. A sound paraphrase in other words fails, and is then at best an inference
// or is stripped; a changed number, name, negation or role must never pass. What the words mean is
// not understood here: irony, and a context three sentences away, pass unseen. The first person in a text stands for the subject unless the passage's author
// is known and is somebody else.
//
// An exact quotation needs none of this where the whole claim is a sentence of the text, or the rest
// of the claim only says who wrote it and when.
package assign

import "muniment/cite"

// Evidence is what the passages say about one claim. Its zero value, with Relation "", means none.
type Evidence struct {
	Relation   cite.Relation // direct_quote, paraphrase, inference_from, or "" for none
	Match      cite.Status   // of the quoted words for direct_quote; exact for the span itself otherwise
	Aligned    bool          // all content words, numbers, names and the negation of the claim align with the span
	Marker     bool          // the claim carries an epistemic marker
	Artifact   string
	Span       cite.Span
	Quote      string   // the bytes at Span
	Similarity float64  // share of the claim's content words in the span, 0–1
	Tests      []string // tests that failed on the best candidate: as the package comment lists them
}

// Input returns the part of the coverage gate's input that evidence decides. SpanResolves is true
// where there is a span at all, since spans here are computed, never taken from the draft.
func (e Evidence) Input() cite.GateInput {
	return cite.GateInput{
		Relation: e.Relation, Match: e.Match, Aligned: e.Aligned,
		SpanResolves: e.Relation != "", Marker: e.Marker,
	}
}

// A Narrowed is a shorter claim that passes where the whole did not.
type Narrowed struct {
	Text     string // the shorter claim
	Cut      string // what was cut off
	Evidence Evidence
}

// A Drafted is one sentence of the archive that answers a question.
type Drafted struct {
	Text       string // the exact bytes at Span
	Artifact   string
	Span       cite.Span
	Similarity float64 // share of the question's content words in this sentence, weighted by idf
}
