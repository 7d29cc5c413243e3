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
// The evidence is one sentence of a passage, or two adjacent ones. It is written in one normal form (numbers and
// dates, contractions, words and phrases of one sense as thesaurus.txt has them) and taken into the clauses that
// it says as facts. A claim aligns when each of its clauses is said by one of these. What the claim says must be
// there; what the evidence adds may be left out, unless it governs what stays.
//
// Said as a fact is a clause that may stand alone: what leads to it, is thrown in between commas, or follows it
// may be missing. A clause without a subject takes that of the clause before, or the writer in a text of the
// subject's that begins sentences with their verb; he or she takes the one person of that kind whom the sentence
// before names, it and they the one thing of which that speaks; of two that fit in number and gender neither is
// taken. A claim may be joined from two sentences: it is taken apart at its relative clauses, participles and
// names thrown in ("the maps, drawn by Miss Lambert, were printed"), and then the second sentence must say one
// part of what its pronoun stands for, and the first the other. "The surveyor found that", "I am sorry to say that" lead to a fact; "claims that", "hopes that"
// do not. What a clause says of somebody on the way (who was ill; the smith) is a clause too. Nothing is said as
// a fact where one of these governs it, and then the whole clause, with that word, must be claimed:
//
//	a condition        if, unless, provided, until, once, had he come, or, instead of
//	another's word     says, believes, it is said, according to, so he thought
//	what is not yet    will, may, intends to, tried to, refused to, was to have
//	a limit            almost, only, on paper, in theory, at most, in part, not, never, hardly
//	a fiction          in the novel, in my dream; a question; a quotation; brackets
//	a remark behind    that is false, he denied it
//
// Such a word governs its clause; a condition, another's word and a fiction, what follows and what goes before
// up to the end of the sentence, unless a clause of its own holds it.
//
// One clause says another in either of two ways:
//
//	word by word   every word of the claim in its order, and between them only what may go: phrases of time and
//	               place, adverbs, adjectives, a name behind its noun; behind them reasons and purposes too
//	by frames      verb, tense, negation, who, whom or what, and the phrases, in the active or the passive, in
//	               any order; buy as sell the other way round, belong to as own
//
// A phrase belongs to the noun before it: it is not said of another noun, nor of the verb, where that noun is left
// out ("walked with a man from Lyon" is not "walked from Lyon").
//
// Read as clauses too are minutes ("Resolved, … that" is "It was resolved that"), a number taken from a whole ("Of
// the 340 samples, 28 held lead"), what was done in a place ("to Deptford, where I viewed", at Deptford), what
// had been done before ("having gone"). The writer is among us who left, came, dined; not among us who bought.
//
// In both, I, my, am … may become he, her, is … or the subject's name, where nobody else could be meant; a date
// may be given less exactly; the document's own date stands for today, this spring; a word may stand for one
// that it holds (horse for mare). Nothing goes out of a clause that speaks of all, none, only, few, more than,
// first …, that is negated, or that tells a state or a habit; nor what may say which of several things is meant
// (the cows in the barn), of-phrases, numbers, and adjectives that say it is none (former, false, half).
//
// A test that fails has a name:
//
//	words     a content word of the claim stands nowhere there, by stem
//	number    a number or a date
//	name      a name
//	quantity  all, every, only, before, more …
//	order     the words are there, but no clause says it, or it is not said as a fact
//	context   the next sentence takes it back
//	quote     the quoted words are not there, exactly or up to typography
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
