// Package assign ties claims to passages, without a language model.
//
//	ev, err := assign.Assign(claim, passages, open, "Anna Brandt")
//	if !ev.Aligned {
//		shorter, ok, err := assign.Narrow(claim, passages, open, "Anna Brandt")
//	}
//
// Judge says of a claim and quoted words whether it follows from them.
//
// # What aligned means
//
// The evidence of a paraphrase is one sentence of a passage. Claim and sentence are written in one normal form: numbers
// in digits, dates in one order, contractions undone, words and phrases of one sense as thesaurus.txt has them. The
// sentence is cut into the clauses that it states as facts. A claim aligns in one of two ways. It repeats one of these
// clauses: every word of the claim, in its order, and between these words only what may be left out of the clause. Or it
// restates them: it says of the same things, in the same roles, what they say, in another order or in the other voice.
//
// A clause is stated as a fact when it may stand alone: what leads to the clause, interrupts it between commas, or
// follows it may be missing. A clause without a subject takes that of the clause before, or the writer, in a text of
// the archive's subject that begins sentences with their verb. A clause is not a fact where one of these governs it,
// and then the claim must repeat the whole clause with that word:
//
//	a condition        if, unless, provided, until, once, had he come, or, instead of
//	another's word     says, believes, it is said, according to, so he thought
//	what is not yet    will, may, intends to, tried to, refused to, was to have
//	a limit            almost, only, on paper, in theory, at most, in part, not, never, hardly
//	a fiction          in the novel, in my dream; a question; a quotation; brackets
//	a remark behind    that is false, he denied it
//
// Such a word governs its clause. A condition, another's word and a fiction also govern what follows, and what goes
// before, up to the end of the sentence, unless a clause of its own holds the word.
//
// Phrases of time and place and adverbs may be left out of a clause that tells an event of the past. Nothing may be
// left out of a clause that speaks of all, none, only, few, more than, first …, that is negated, or that tells a state
// or a habit; nor a phrase that may say which of several things is meant (the cows in the barn), of-phrases, numbers
// and adjectives. A phrase belongs to the noun before it: "walked with a man from Lyon" is not "walked from Lyon".
// I, my, am … may become he, her, is … or the subject's name, where nobody else could be meant; a date may be given
// less exactly.
//
// # What restates
//
// For the second way claim and clauses are taken apart into frames: subject, verb with tense, voice, modality and negation,
// objects, phrases with a preposition, times, adverbs. A frame of the claim must have the verb of a frame of the sentence,
// and for each of its own parts one that says the same, word for word. In the other voice the object stands for the
// subject, and what follows "by" for the doer, where it names a person, a body or a force of nature; the river by which a
// house was pulled down did nothing. A phrase may stand elsewhere only where it belongs to the verb and to no noun: a time, a
// phrase behind a name, a sum or the verb; a place behind the object of a verb such as find, whose deed is where its object
// is, and not of sell. What may be left out is what the first way lets out. Nothing is left out, and no part of a sentence
// that says how many changes its voice, beside will, not and their like, or a verb of saying with what it says.
//
// A relative clause, a participle and a second name between commas are clauses of their own, of the noun that stands
// before them, where that is the only one. A claim of several clauses needs each of them in the one sentence. What cannot
// be taken apart with certainty restates nothing, and every veto of package follow stops what would.
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
// The tests are one-sided. A sound paraphrase in another order or in other words fails, and is then at best an
// inference or is removed; a changed number, name, negation, role, attribute, quantity or tense must never pass. Two
// sentences drawn into one claim, pronouns and relative clauses without commas are not read: measurement showed too little
// for the rules that did (docs/decisions/0015-assignment-without-frames.md, 0056-clauses-taken-apart.md). Irony, a quotation
// opened in an earlier sentence, and a context three sentences away pass unseen. The first person in a text stands for the
// subject unless the passage's author is known and is somebody else.
//
// An exact quotation needs none of this where the whole claim is a sentence of the text, or the rest
// of the claim only says who wrote it and when, in words such as: she wrote in her letter.
package assign

import "muniment/cite"

// Evidence is what the passages say about one claim. Its zero value, with Relation "", means none.
type Evidence struct {
	Relation   cite.Relation // direct_quote, paraphrase, inference_from, or "" for none
	Match      cite.Status   // of the quoted words for direct_quote; exact for the span itself otherwise
	Aligned    bool          // the claim repeats or restates clauses of the span, as the package comment says
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
