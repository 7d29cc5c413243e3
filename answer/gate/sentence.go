package gate

import (
	"slices"

	"muniment/text/segment"
)

// cutTo returns a quote of which is shown what an excerpt of one of its sentences
// shows.
func cutTo(quote string, sentence segment.Range, shown Excerpt) Excerpt {
	from, to := -1, 0
	for _, p := range shown.Pieces {
		if p.Shown {
			if from < 0 {
				from = p.Start
			}
			to = p.End
		}
	}
	if from < 0 {
		return excerptOf(quote, 0, 0)
	}
	return excerptOf(quote, sentence.Start+from, sentence.Start+to)
}

// BestSentence returns the sentence of a quote that holds most words of need, the
// first of several; the whole of a quote that is one sentence.
func BestSentence(quote string, need []string) segment.Range {
	best, most := segment.Range{End: len(quote)}, -1
	wanted := distinctWords(need)
	for _, s := range segment.Sentences(quote, "") {
		if n := countFound(quote[s.Start:s.End], wanted); n > most {
			best, most = s, n
		}
	}
	return best
}

// Within reports whether all that an excerpt shows lies in a range of its text.
func (e Excerpt) Within(r segment.Range) bool {
	return !slices.ContainsFunc(e.Pieces, func(p Piece) bool { return p.Shown && (p.Start < r.Start || p.End > r.End) && hasWord(p.Text) })
}

// CutAtClauseWithin is CutAtClause of one sentence of a quote, of which nothing else is shown. Where another
// sentence negates, doubts, denies, conditions, reports or invents, it is CutAtClause of the quote.
func CutAtClauseWithin(quote string, sentence segment.Range, need []string, limit int) Excerpt {
	for _, w := range segment.Words(quote) {
		if isBarred(w) && (w.Start < sentence.Start || w.End > sentence.End) {
			return CutAtClause(quote, need, limit)
		}
	}
	return cutTo(quote, sentence, CutAtClause(quote[sentence.Start:sentence.End], need, limit))
}
