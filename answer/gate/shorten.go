package gate

import (
	"strings"
	"unicode/utf8"

	"muniment/policy"
	"muniment/text/segment"
)

// CutAtClause is Trim, and where no run of clauses says alone what it says in its place it shows, of
// the clauses within limit, those that withhold fewest words which negate, doubt, report or
// invent, then those with most words of need, then the longest. The gap at its end says that the
// text goes on. A single clause that is longer is cut after a word. Nothing but a limit of 0 leaves
// it empty: no quote is refused for its length.
func CutAtClause(quote string, need []string, limit int) Excerpt {
	if e := Trim(quote, need, limit); limit <= 0 || !e.Empty() {
		return e
	}
	words := segment.Words(quote)
	if len(words) == 0 {
		text, _ := policy.CutWords(quote, limit)
		return excerptOf(quote, 0, len(text))
	}
	weights := weighWords(words, need)
	best, most := passage{}, -1
	for i := range words {
		if i > 0 && !isClauseMark(quote[words[i-1].End:words[i].Start]) {
			continue
		}
		run, last := fitClauses(quote, words, i, limit)
		weight := 0
		for _, w := range weights[i:last] {
			weight += w
		}
		if weight > most || weight == most && run.end-run.start > best.end-best.start {
			best, most = run, weight
		}
	}
	return excerptOf(quote, best.start, best.end)
}

// weighWords returns the gain of showing each word: one that bars outweighs all words of need.
func weighWords(words []segment.Word, need []string) []int {
	wanted := distinctWords(need)
	out := make([]int, len(words))
	for i, w := range words {
		if isBarred(w) {
			out[i] = len(words)
			continue
		}
		for _, other := range wanted {
			if sharesStem(w.Lower, other) {
				out[i] = 1
				break
			}
		}
	}
	return out
}

// fitClauses returns the whole clauses from a word on that fit into limit, and the word after
// them; of a clause that is longer its beginning.
func fitClauses(quote string, words []segment.Word, from, limit int) (passage, int) {
	start := words[from].Start
	if from == 0 {
		start = 0
	}
	n, counted, end, last := 0, start, start, from
	for i := from; i < len(words); i++ {
		n, counted = n+utf8.RuneCountInString(quote[counted:words[i].End]), words[i].End
		if n > limit {
			break
		}
		switch {
		case i+1 == len(words):
			end, last = len(quote), i+1
			if utf8.RuneCountInString(quote[start:]) > limit {
				end = words[i].End
			}
		case isClauseMark(quote[words[i].End:words[i+1].Start]):
			end, last = words[i].End, i+1
		}
	}
	if last == from {
		cut, _ := policy.CutWords(quote[start:], limit)
		end, last = start+len(cut), from
		for last < len(words) && words[last].End <= end {
			last++
		}
	}
	return passage{start, end}, last
}

// isClauseMark reports whether the text between two words ends a clause.
func isClauseMark(between string) bool {
	return strings.ContainsAny(between, ",;:.!?…—–。，；！？")
}
