package gate

import "muniment/text/segment"

// TrimSentence is Trim within one sentence: what a reader gets who is given no
// longer excerpt than DefaultLimit. Of a quote of several sentences it shows,
// of those that may stand alone, the one with most words of need, else the
// first. None may where a sentence that would be withheld negates, doubts,
// denies, conditions, reports or invents, or where the quote asks, quotes or
// has brackets that do not match: then nothing is shown.
func TrimSentence(quote string, need []string, limit int) Excerpt {
	sentences := segment.Sentences(quote, "")
	if len(sentences) < 2 || limit <= 0 {
		return Trim(quote, need, limit)
	}
	none := excerptOf(quote, 0, 0)
	if !isDivisible(quote) {
		return none
	}
	// Of the sentences with a word that bars, none or all but one are withheld.
	first, last := -1, -1
	for i, s := range sentences {
		for _, w := range segment.Words(quote[s.Start:s.End]) {
			if isBarred(w) {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
	}
	if first != last {
		return none
	}
	wanted := distinctWords(need)
	best, most := first, -1
	for i, s := range sentences {
		if n := countFound(quote[s.Start:s.End], wanted); first < 0 && n > most {
			best, most = i, n
		}
	}
	s := sentences[best]
	return cutTo(quote, s, Trim(quote[s.Start:s.End], need, limit))
}

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
	for _, p := range e.Pieces {
		if p.Shown && (p.Start < r.Start || p.End > r.End) && hasWord(p.Text) {
			return false
		}
	}
	return true
}

// TrimWithin is Trim of one sentence of a quote, of which nothing else is shown. It
// shows nothing where another sentence negates, doubts, denies, conditions, reports
// or invents.
func TrimWithin(quote string, sentence segment.Range, need []string, limit int) Excerpt {
	for _, w := range segment.Words(quote) {
		if isBarred(w) && (w.Start < sentence.Start || w.End > sentence.End) {
			return excerptOf(quote, 0, 0)
		}
	}
	return cutTo(quote, sentence, Trim(quote[sentence.Start:sentence.End], need, limit))
}
