// Package rank orders sentences by how likely they answer a question.
//
//	weighing, err := index.Weigh(ctx, retrieve.Query{Text: text, Hidden: hidden})
//	q := rank.NewQuestion(text, "", weighing)
//	w := rank.Default()
//	ranked := rank.Rank(q, passages, w)
//	switch {
//	case len(ranked) == 0: // nothing holds a word of the question
//	case w.IsAnswer(ranked[0].Features): // a quote that is called an answer
//	case q.Weigh(ranked, passages).Suffices(): // quotes of which nobody says that they answer
//	}
//
// A score proves nothing. It orders what an archive holds, and a threshold says what is called an answer. Whether the archive speaks of the
// question at all says an Evidence.
//
// # Score
//
// A candidate is a sentence or a pair of adjacent sentences. Its Features are integers, mostly thousandths, each
// named in features.go. Score is the sum of the products of features and weights, in integers, so that anybody
// who has both computes the same number. Weights, thresholds and their version stand in weights.txt; internal/bench/rank
// fits them, and the file says on what.
//
// Words of a question and of a sentence are the same when they have the same segment.SearchKey in the language of
// the passage. A word of the question weighs its idf, in thousandths; function words and words that only ask weigh
// nothing. Sums of idf are divided by that of all words of the question, so that scores of small and large archives
// compare. Where the document's date lies in the one asked for, no sentence needs to say the date: its numbers are
// left out of the shares, and count as found in Surprise. The feature Surprise alone depends on the size of the collection: among more sentences more hold some
// words of a question by chance.
//
// Three features speak of words that a candidate does not hold. Alike counts those with a word like them, by a common
// beginning or as the end of a compound; Kin those of English for which WordNet has another word (synonyms.txt, written by
// internal/bench/rank); Focus the one that only names the type of thing asked for. They order candidates. What an answer has to
// hold at least is counted in Sentence and Around, by the words themselves.
//
// # Limits
//
// Languages that write no spaces between words get what segment.Words finds in them. Types of answers, negations
// and words of intention are known for the languages of words.txt; other languages do without.
package rank
