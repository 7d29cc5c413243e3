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
// A claim aligns when each of its clauses repeats, in order, a clause of one sentence or of two adjacent
// ones, word by word: articles, inflection, numbers and signs included. Allowed differences are few:
//
//	I, my, am … become he, her, is … or the subject's name, where nobody else could be meant
//	a phrase of time moves from one edge of the clause to the other
//	an adverb or phrase of time or place at an edge is left out where the clause tells an event and speaks
//	of no all, none, only, more …
//	a plain adjective (old, red) before an object is left out, if the noun stands once
//	numbers in words or digits; contractions
//	the document's own date stands for today, this morning, this spring
//
// Or it aligns when each of its clauses, taken apart into who did what to whom, when and where, is said by a
// clause of the evidence taken apart likewise: in the active or the passive, with phrases in another order,
// dates and numbers written otherwise (3 May, May 3rd; 1,200, twelve hundred; 12%, twelve percent), "the roof
// of the chapel" as "the chapel's roof", "gave him a book" as "gave a book to him", buy as sell the other way
// round, belong to as own, "X, the smith, left" as "X left" and "X was the smith", he and she as the one named
// person of the sentence before, and a few words of a closed list as others of the same sense (purchase, buy).
// A date may be given less exactly. What the evidence adds may be left out under the rules above.
//
// A clause ends at a comma or other stop, and at and, but, then before a new subject and verb or before a
// verb, which takes over a short subject. Words that tie clauses (who, that, than …) prevent the cut.
// A test that fails has a name:
//
//	words     every content word of the claim stands there, by stem
//	number    every number too, and every date
//	name      every name
//	quantity  all, every, only, before, more … of the claim stand there
//	negation  the sentences have the same negations as the claim
//	modality  and the same words of condition, doubt, wish, hearsay, alternative, future; no question
//	order     no clause repeats it
//	subject   the first person is the archive's subject, and one person, outside quotation marks
//	context   nothing around the words makes them a condition, a denial, a fiction or another's word, and
//	          the next sentence does not take them back
//	quote     the quoted words are there, exactly or up to typography
//
// The tests are one-sided. A sound paraphrase in words beyond these fails, and is then at best an inference
// or is stripped; a changed number, name, negation, role, attribute, quantity or tense must never pass. What
// the words mean is not understood here: irony, a quotation opened in an earlier sentence, and a context
// three sentences away pass unseen. The first person in a text stands for the subject unless the
// passage's author is known and is somebody else.
//
// An exact quotation needs none of this where the whole claim is a sentence of the text, or the rest
// of the claim only says who wrote it and when, in words such as: she wrote in her letter.
package assign

import "muniment/cite"

// Evidence is what the passages say about one claim. Its zero value, with Relation "", means none.
type Evidence struct {
	Relation   cite.Relation // direct_quote, paraphrase, inference_from, or "" for none
	Match      cite.Status   // of the quoted words for direct_quote; exact for the span itself otherwise
	Aligned    bool          // every clause of the claim repeats one of the span, as the package comment says
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
