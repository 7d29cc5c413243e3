package judge

import (
	"strings"

	"muniment/text/clause"
	"muniment/text/segment"
)

// evidence is the parsed sentences, paragraphs and papers of cited words.
type evidence struct {
	sentences []clause.Sentence // that hold the words, whole
	paragraph clause.Sentence   // all of them with those around
	paper     clause.Sentence   // title, date and writers
	date      string
	writers   bool
	marked    string
	cut       string
	lang      string
}

func gatherEvidence(claim string, words []Passage) *evidence {
	e := &evidence{}
	var around, paper strings.Builder
	for _, w := range words {
		text := w.Before + w.Words + w.After
		if len(text) > MaxText {
			continue
		}
		from, to := len(w.Before), len(w.Before)+len(w.Words)
		if isCut(w.Before, w.Words) || isCut(w.Words, w.After) {
			e.cut = w.Words
		}
		plain, ranges := blankStruck(text), []segment.Range{{Start: from, End: to}}
		e.lang = language(w, "")
		all := segment.Sentences(plain, e.lang)
		plain = blankItems(plain, w.Above, claim)
		for _, r := range all {
			if r.End > from && r.Start < to {
				ranges = append(ranges, r)
				e.sentences = append(e.sentences, clause.Parse(plain[r.Start:r.End]))
			}
		}
		if e.marked == "" {
			e.marked = markedAt(text, ranges...)
		}
		text = plain
		around.WriteString(text + "\n")
		paper.WriteString(strings.Join(append([]string{w.Title, w.Date}, w.Writers...), " ; ") + "\n")
		e.date, e.writers = w.Date, e.writers || len(w.Writers) > 0
	}
	e.paragraph, e.paper = parseLong(around.String(), e.lang), parseLong(paper.String(), e.lang)
	return e
}

// parseLong parses a text that may be longer than a sentence, sentence by sentence.
func parseLong(text, lang string) clause.Sentence {
	var out clause.Sentence
	for _, r := range segment.Sentences(text, lang) {
		s := clause.Parse(text[r.Start:r.End])
		out.Tokens, out.Words = append(out.Tokens, s.Tokens...), append(out.Words, s.Words...)
	}
	return out
}

// nearest returns the sentence that holds most of what the claim says, and how many of its content words the sentence
// has, a name also where only the paragraph has it: of whom a sentence speaks may be said before.
func (e *evidence) nearest(c *clause.Sentence) (best *clause.Sentence, shared int) {
	around, most := stemsOf(&e.paragraph), -1
	for i := range e.sentences {
		s := &e.sentences[i]
		have := stemsOf(s)
		n, weight := 0, 0
		for k, t := range c.Tokens {
			stem := segment.Stem(strings.TrimSuffix(t.Text, "'s"))
			switch name := isName(c, k); {
			case !t.Content():
			case have[stem] && !name:
				n, weight = n+1, weight+predicateWeight
			case have[stem]:
				n, weight = n+1, weight+1
			case name && around[stem]:
				n++
			}
		}
		if weight > most {
			best, shared, most = s, n, weight
		}
	}
	return best, shared
}

// predicateWeight is how many names a word of what is said of them outweighs.
const predicateWeight = 3

func stemsOf(s *clause.Sentence) map[string]bool {
	have := make(map[string]bool, len(s.Words))
	for _, w := range s.Words {
		have[segment.Stem(strings.TrimSuffix(w, "'s"))] = true
	}
	return have
}

func findMarked(_ *clause.Sentence, e *evidence) (Finding, bool) {
	if e.marked != "" {
		return Finding{Marked, "", e.marked}, true
	}
	return Finding{Cut, "", e.cut}, e.cut != ""
}

// markedAt returns the first run of a text marked as struck or reversed that touches one of the ranges, "" for none.
func markedAt(text string, ranges ...segment.Range) string {
	for at := 0; ; {
		open := strings.Index(text[at:], "⟦")
		if open < 0 {
			return ""
		}
		open += at
		n := strings.Index(text[open:], "⟧")
		if n < 0 {
			return ""
		}
		at = open + n + len("⟧")
		for _, r := range ranges {
			if open < r.End && at > r.Start {
				return text[open:at]
			}
		}
	}
}

// isCut reports whether a word goes on from one text to the next.
func isCut(before, after string) bool {
	if before == "" || after == "" {
		return false
	}
	joint := len(before)
	for _, w := range segment.Words(before[max(0, joint-64):] + after[:min(len(after), 64)]) {
		if at := min(joint, 64); w.Start < at && w.End > at {
			return true
		}
	}
	return false
}
