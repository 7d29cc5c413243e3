// Package segment cuts texts into sentences, drafts into claims and questions into parts.
//
//	for _, r := range segment.Sentences(text, "en") {
//		fmt.Println(text[r.Start:r.End])
//	}
//	claims := segment.Claims("The mill burned.[1] It was rebuilt.", "en")
//	parts := segment.QuestionParts("What did she plant and who repaired the mill?")
//
// Everything here is a pure function of its arguments. Sentences are a view for reading and
// drafting; they are never identity, and no stored span depends on where they end.
//
// # Sentences
//
// A sentence ends at a run of . ! ? … or of the stops of other scripts (scan.go), with its closing quotes, brackets and
// citation markers, where white space or the end follows; at every blank line; before the next item of a list, also in
// running text; and at each line of a block of short lines without any stop. Not at a stop that belongs to an
// abbreviation, an initial, a decimal, an ordinal, a date, a URL or a file name, not where the next word is in lower
// case, and not inside a short bracket. Abbreviations fall in classes (language.go), each with its own rule for what
// may follow. Where a stop stays ambiguous, two sentences are kept together: a sentence too long is still exact, a
// sentence cut in two loses its subject. After a time of day (p.m.) a sentence ends when it has its verb and a clause
// with one of its own follows. Dots after a space stand for words left out and end nothing; of four dots behind a word,
// the first is the stop. Chinese, Japanese and Hindi stops need no white space behind them.
//
// The ranges are in order, do not overlap, begin and end at a byte that is not white space, and
// cover every such byte. One pass; each byte is looked at a bounded number of times.
//
// # Claims
//
// A draft is markdown. Its headings, code blocks, table rows, questions and caveats are claims of their own kinds;
// every other sentence is an assertion. An assertion of two propositions is cut at "; " and before and, but, yet (und,
// aber, doch), where what follows is a clause with a subject and a verb of its own, or goes on with a verb in the past
// that can only have the subject before it; that subject is then repeated in the claim's text and named in Subject. Not
// where one half depends on the other: reported speech, condition, relative clause, epistemic marker, negation, open
// quotation. A cut that was possible and was not made is logged in Ambiguities.
//
// # Limits
//
// The words stand in languages.txt and words.txt (grammar: see ReadLists): English and German; French, Spanish,
// Portuguese, Italian, Dutch, Polish, Russian, Greek, Hindi and Arabic for the common cases; every language gets the
// rules that do not depend on words. Thai, Lao and Khmer, which write no stops, are not cut. A question's shared
// pronouns are resolved by a simple rule (part.go), not by understanding.
package segment

// A Range is a half-open range of byte offsets.
type Range struct{ Start, End int }
