package judge

import (
	"math"
	"slices"
	"strconv"

	"muniment/cite"
	"muniment/text/clause"
	"muniment/text/lexicon"
)

// judgeAmounts returns the verdict on a clause whose amounts, and those of the sentence, are computed: in one unit,
// shares as percentages, rises as what they raise by. Only that the clause follows is meant to be used.
func (p *place) judgeAmounts(c *clause.Sentence) Judgement {
	lang := language(*p.words, c.Raw)
	claim := c.Amounts(lang)
	if !claim.HasNumber() {
		return Judgement{}
	}
	s := clause.Parse(p.raw())
	if claim.Percentage() && !s.Percentage() {
		if shares := s.Shares(); shares.Percentage() {
			s, claim = shares, ofTheCounted(claim)
		}
	}
	amounts := s.Amounts(lang)
	roundTo(&claim, &amounts)
	j := p.judgeParsed(&claim, amounts)
	if j.Verdict != cite.ClaimFollows && hasWord(c.Words, "by", "um") {
		rise := s.Rise(claim.Percentage())
		j = p.judgeParsed(&claim, rise.Amounts(lang))
	}
	j.Reason = "the claim repeats the words, its amounts computed"
	return j
}

// isComputed reports whether the words have the amount of a number of the claim in another form: 0.5 square kilometres for 50 hectares.
func isComputed(c *clause.Sentence, i int, e *evidence) bool {
	mine := c.Amounts(e.lang)
	for k, t := range mine.Tokens {
		if !t.Number || t.Start != c.Tokens[i].Start {
			continue
		}
		for j := range e.sentences {
			s := e.sentences[j].Amounts(e.lang)
			for l, o := range s.Tokens {
				if o.Number && o.Text == t.Text && wordAfter(&s, l) == wordAfter(&mine, k) {
					return true
				}
			}
		}
	}
	return false
}

// ofTheCounted returns a claim without the article of the whole of which it gives a percentage: 255 of 340 pupils are 75 percent of the pupils.
func ofTheCounted(c clause.Sentence) clause.Sentence {
	for i := 2; i < len(c.Words); i++ {
		if c.Words[i] == "the" && c.Words[i-1] == "of" && c.Words[i-2] == "percent" {
			c.Tokens, c.Words = slices.Delete(c.Tokens, i, i+1), slices.Delete(c.Words, i, i+1)
		}
	}
	return c
}

// rounded is by which share of the exact value an amount with about before it may differ: two digits are right.
const rounded = 0.025

// roundTo gives a claim whose words call an amount a rough one (about, rund) the exact amount of the words that it
// rounds, without these words. What the words themselves call rough stays as it is. A bound (more than three) that an
// exact amount is within does not follow where more does not imply less: a rule, a condition, few, most.
func roundTo(c, s *clause.Sentence) {
	for i := 0; i < len(c.Tokens); i++ {
		from := roughFrom(c, i)
		if from < 0 {
			continue
		}
		value, err := strconv.ParseFloat(c.Words[i], 64)
		for j := range s.Tokens {
			exactly, err2 := strconv.ParseFloat(s.Words[j], 64)
			if err != nil || err2 != nil || !s.Tokens[j].Number || boundOf(s, j) != exact || wordAfter(c, i) != wordAfter(s, j) || math.Abs(exactly-value) > rounded*math.Abs(exactly) {
				continue
			}
			c.Tokens[i].Text, c.Words[i] = s.Words[j], s.Words[j]
			c.Tokens, c.Words = slices.Delete(c.Tokens, from, i), slices.Delete(c.Words, from, i)
			i = from
			break
		}
	}
}

// roughFrom returns the first token of the words that call the number after them a rough one, -1 where none do.
func roughFrom(c *clause.Sentence, i int) int {
	if !c.Tokens[i].Number || boundOf(c, i) != about {
		return -1
	}
	for from := max(0, i-3); from < i; from++ {
		if n := lexicon.Approximation.At(c.Words[:i], from); n > 0 && from+n == i {
			return from
		}
	}
	return -1
}

// wordAfter returns the word after a token, "" for none.
func wordAfter(s *clause.Sentence, i int) string {
	if i+1 < len(s.Words) {
		return s.Words[i+1]
	}
	return ""
}
