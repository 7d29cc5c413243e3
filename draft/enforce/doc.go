// Package enforce decides, after retrieval and before anything is drafted,
// whether what was found is enough for an answer with citations, and writes the
// answer contract: the JSON in which an answer or a refusal is handed to other
// programs.
//
//	d := enforce.Evaluate(enforce.TypeOf(question), results, thresholds, enforce.Toggles{})
//	if d.Refuse {
//		return d.Message, d.Gaps, d.Suggestions
//	}
//
// # The tree
//
// The first test that fails refuses, with its reason:
//
//  1. citations required? By the toggle, else by the profile. Where they are
//     not, a creative question is allowed. Any other falls back on the profile's
//     own default: allowed if that does not require citations, else on to 2.
//  2. any results? else insufficient_retrieval
//  3. a result that can be cited? else no_citeable_content. With Strict a result
//     can be cited when no member of its metadata is missing; without, when it
//     has a source and a place.
//  4. best similarity at the threshold or above? else low_similarity_score
//  5. enough different sources, among the citeable results at the threshold or
//     above? else below_min_sources
//  6. primary sources required and none among these? no_primary_sources
//
// Allowed means: go on to drafting. Every claim still has to pass the coverage
// gate; no profile and no toggle goes round it.
//
// # Types of questions
//
// A question is creative when it asks for a text to be made up, analytical when
// it asks to compare, judge or explain, and factual otherwise. Words are compared
// whole and only where they carry the request: "Could you tell me when …" is
// factual, an inventory is nothing invented, and what somebody else wrote is
// nothing to be written.
//
// # Events
//
// An Event says what became of a question, never what was asked. Measure sums
// events into the metrics of the contract; Alerts compares them with its
// thresholds.
//
// The package is pure: no clock, no files, no randomness.
package enforce
