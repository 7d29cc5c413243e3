package gate

import "muniment/answer/segment"

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
	none := cut(quote, 0, 0)
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
	shown := Trim(quote[s.Start:s.End], need, limit)
	if shown.Empty() {
		return none
	}
	from, to := -1, 0
	for _, p := range shown.Pieces {
		if p.Shown {
			if from < 0 {
				from = p.Start
			}
			to = p.End
		}
	}
	return cut(quote, s.Start+from, s.Start+to)
}
