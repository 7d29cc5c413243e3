// Package contract validates drafts: texts whose every claim must cite evidence
// that is on file. What cannot be cited does not appear in the output.
//
//	x := contract.Examine(draft, lookup, rules)          // what is wrong, where
//	v := contract.Validate(draft, lookup, rules)         // the draft without it, and the report
//	switch contract.Decide(v, attempt, rules) { … }      // deliver, retry, abstain
//	text, _ := contract.Failed{Day: day, Last: v}.Report(rules) // in the place of a failed draft
//
// # Claims and bullets
//
// A draft is markdown. Its claims are those of package segment; a citation is a
// mark [1], [^1], [1, 2] or [cite:g1] behind a claim. A mark covers its whole
// sentence and, where Rules.Carry is "paragraph", the sentences before it in the
// same bullet or paragraph, back to the mark before. A sentence stands and falls
// as a whole.
//
// A bullet is a list item, a paragraph or a table row that makes a claim. Code
// blocks, and headings, questions and remarks ("Note: …") that state a number,
// make claims too. With sections in the rules, a heading opens the section it
// names, and every other heading one of its own, which is not exempt: no claim
// has a place to hide. A references section of the draft is replaced by one of
// what is cited.
//
// # Checks
//
// Each citation of a claim must resolve and have the fields of Rules.Require (an
// official calendar needs no published_at); one that does not, or whose
// verification failed, is taken out. A source of which only metadata is known
// has no words to quote: its quote span is stripped, and a sentence that cites
// nothing else is removed when its quoted words are not in the metadata. Then the claim must have a citation
// left. Without Context.Freeform a
// clause with no content word, number or name of the words cited is uncited, though
// another clause of its sentence is supported; clauses.txt has the words by which
// sentences are cut. And with
//
//	Numeric   a claim with a number, a percentage or a date needs a source of tier
//	          1 or 2, or two of different publishers, ids and texts. Scheduled
//	          dates from a source tagged official_calendar are exempt; so are Q1
//	          to Q4 and names such as S&P 500. "May" is a month only as a date
//	          has it, and "twelve percent" is a number.
//	Policy    a claim about central banks (tag policy_centralbank) or official
//	          figures (macro_data), by the tags of its sources or its own words,
//	          needs a source of tier 1 where the evidence at hand has one with
//	          that tag.
//	Aligned   a claim must follow from the words it cites, as Rules.Aligned and
//	          the caller's Support decide.
//
// What fails is removed, or replaced by the placeholder of its reason where
// Rules.Placeholders is set. A drafter's own abstention, one of the phrases of
// IsAbstention alone in brackets, is no claim and needs no citation.
//
// # Decision
//
// A draft with at most Rules.MaxRemoved removals and no empty section is
// delivered. A section is empty that has neither a cited bullet nor an
// abstention of the drafter's own. Otherwise a new draft is asked for, once; after
// the second failure the report says that the evidence did not suffice, what
// there was, and why.
//
// The package is pure: it reads no file, clock or network.
package contract
