package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// withoutThat moves a conjunction that begins the words of a quotation to what is before them: the clause is quoted,
// and that it is one of somebody's saying is what the paper has before it.
func (w Passage) withoutThat() (Passage, bool) {
	s := clause.Parse(w.Words)
	if len(s.Tokens) > 2 && opensThat(s.Words[0]) && !s.Tokens[0].Upper {
		at := s.Tokens[1].Start
		w.Before, w.Words = w.Before+w.Words[:at], w.Words[at:]
		return w, true
	}
	return w, false
}

// findSpeaker returns why words that are quoted as a statement are, in their paper, what somebody says, believes or
// wants and not what the paper states: the content of a clause with that, or of reported speech in German. Vouched for
// is only what the writer says of himself to know, and what a word of lexicon.Vouching opens.
func (q *usage) findSpeaker(b, a *clause.Sentence) limit {
	from, to := contentClause(b, &q.words)
	question := to > 1 && hasWord(b.Words[to-1:to], "whether", "ob", "if")
	if question && !q.isContent && !q.said.Asks() && !asks(q.said.Words) && lexicon.Doubt.In(q.said.Words) == "" {
		return limit{"the words are part of a question", rawOf(b, from, len(b.Words))}
	}
	if to < 0 || question && q.isContent || q.vouches(b.Words[from:to]) || to == 1 && q.vouches(a.Words) || q.passesOn(b, from, to) {
		return limit{}
	}
	return limit{"the words are somebody else's", rawOf(b, from, len(b.Words))}
}

// contentClause returns the words that open the clause that a quotation is in or is: The Major claims [that]; -1 for none.
func contentClause(b, words *clause.Sentence) (from, to int) {
	n := len(b.Words)
	if n == 1 && (b.Words[0] == "daß" || b.Words[0] == "dass") {
		return 0, 1
	}
	for i := n - 1; i > 0; i-- {
		if (opensThat(b.Words[i]) || b.Words[i] == "if" && asks(b.Words[max(0, i-2):i])) && opensContent(b, i) {
			return openingOf(b, i), i + 1
		}
	}
	if n > 1 && (inReportedMood(words.Words) || inReportedMood(b.Words[max(0, n-3):])) {
		if at := lastComma(b); at > 0 {
			return openingOf(b, at-1), at
		}
		return 0, n
	}
	return 0, -1
}

// opensContent reports whether a that begins what is said or thought: so that, such that and provided that are of other
// clauses, and one with a verb right after it is of the noun before.
func opensContent(b *clause.Sentence, i int) bool {
	switch b.Words[i-1] {
	case "so", "such", "provided", "now", "in", "except", "save", "auf", "ohne", "of", "at", "on", "by", "to", "from", "after", "before", "with":
		return false
	}
	if b.Words[i] != "that" || i+1 == len(b.Words) {
		return true
	}
	next := b.Words[i+1]
	return !b.Finite(i+1) && !lexicon.Auxiliary.Has(next) && !lexicon.Modal.Has(next) && (lexicon.Determiner.Has(next) || lexicon.Pronoun.Has(next) || b.Tokens[i+1].Upper || lexicon.Preposition.Has(next) || segment.FiniteVerb(b.Words[i-1]))
}

// openingOf returns the first token of the clause that ends at a token: after a semicolon, a colon, or a coordinator that a comma precedes.
func openingOf(b *clause.Sentence, at int) int {
	for i := at; i > 0; i-- {
		if strings.ContainsAny(b.Tokens[i].Gap, ";:") || strings.Contains(b.Tokens[i].Gap, ",") && lexicon.Coordinator.Has(b.Words[i]) && !(i < at && opensThat(b.Words[i+1])) {
			return i
		}
	}
	return 0
}

func lastComma(b *clause.Sentence) int {
	for i := len(b.Tokens) - 1; i > 0; i-- {
		if strings.Contains(b.Tokens[i].Gap, ",") {
			return i
		}
	}
	return -1
}

// inReportedMood reports whether words have the mood of reported speech in German: Die Direktion läßt mitteilen, die Forderungen seien.
func inReportedMood(words []string) bool {
	return hasWord(words, "sei", "seien", "habe", "werde", "könne", "solle", "müsse", "dürfe", "wolle", "möge") && !hasWord(words, "ich")
}

// vouches reports whether words before what they open say it in the writer's name or as what is known.
func (q *usage) vouches(words []string) bool {
	if at := slices.IndexFunc(words, opensThat); at > 0 {
		words = words[:at] // he said that this, and that the rest
	}
	if deniesTwice(words) {
		return true
	}
	if lexicon.Falsehood.In(words) != "" || lexicon.Attitude.In(words) != "" || hasWord(words, "once", "formerly", "einst", "früher") {
		return false // it would be wrong to conclude; I once believed
	}
	passive := hasWord(words, "told", "informed", "assured", "asked", "mitgeteilt") && hasWord(words, "been", "am", "was", "were", "are", "worden", "wurde")
	own := hasWord(words, "i", "we", "ich", "wir")
	if !own && lexicon.Attribution.In(words) == "" && lexicon.Vouching.In(words) == "" {
		return false // she contends
	}
	if denies(words) || passive || !own && hasWord(words, "would", "could", "might") {
		return false
	}
	return q.ownWords(words) || q.ownWords(words[:min(len(words), 4)]) || own || lexicon.Vouching.In(words) != "" && lexicon.Contention.In(words) == ""
}

// passesOn reports whether the sentence that uses a quotation says itself that it is somebody's word: it has a report
// of a report, names who says it, has a verb such as alleges that the paper has, or denies or doubts it.
func (q *usage) passesOn(b *clause.Sentence, from, to int) bool {
	said := q.said.Words
	if q.reportsReport() || q.warns() || q.hasSpeaker(b) || lexicon.Hearsay.In(said) != "" || lexicon.Doubt.In(said) != "" || lexicon.Wish.In(said) != "" {
		return true
	}
	for i := from; i < to; i++ {
		if b.Tokens[i].Content() && !lexicon.Title.Has(b.Words[i]) && !lexicon.Attribution.Has(b.Words[i]) && saysName(q.others, b.Words[i]) {
			return true
		}
	}
	return false
}

// hasSpeaker reports whether the clause that governs a quotation gives it to somebody of whom the paper speaks, or whom the reader cannot take for its
// writer: the contractor urged that it owed “…”; a speaker cried, “…”.
func (q *usage) hasSpeaker(b *clause.Sentence) bool {
	said := q.own.Words
	for i, w := range said {
		if !says(w) || lexicon.SourceNoun.Has(w) || i == 0 {
			continue
		}
		noun := q.own.Tokens[i-1].Content() && !lexicon.SourceNoun.Has(said[i-1])
		vague := i > 1 && hasWord(said[i-2:i-1], "a", "an", "one", "another", "some", "ein", "eine", "einer")
		if noun && (vague || saysName(b.Words, said[i-1]) && saysName(q.others, said[i-1])) {
			return true
		}
	}
	return false
}

// saysName reports whether words have a word of who says something.
func saysName(words []string, name string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return segment.Stem(strings.TrimSuffix(w, "'s")) == segment.Stem(name) })
}
