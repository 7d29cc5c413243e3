package judge

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// limitsBefore reports whether a sentence without a subject of its own takes part of the statement before it away: All but nine. Hardly. Only on Sundays.
// Chalk excepted. Ausgenommen sind die Monate Mai und Juni. What it limits it may say again first: That is to say, except the chapel.
func (s *backward) limitsBefore() bool {
	to := s.clauseTo(1)
	switch {
	case lexicon.IdleNegation.At(s.Words, 0) > 0:
		return false
	case lexicon.Exception.Has(s.Words[0]) && to > 1 && lexicon.Auxiliary.Has(s.Words[1]):
		return true // excepted are the Sundays
	}
	for _, p := range s.Parts(to, len(s.Words)) { // Not far from the mill, the miller built a weir.
		if strings.ContainsAny(p.Stop, ";:") || lexicon.Relative.Has(s.Words[p.From]) || lexicon.Coordinator.Has(s.Words[p.From]) {
			break
		}
		if s.HasFinite(p.From, p.To) {
			return false
		}
	}
	first, last, except := s.Words[:to], s.Words[to-1], lexicon.Exception.At(s.Words, 0)
	switch {
	case lexicon.Exception.Has(last) && participle.MatchString(last) && !s.HasFinite(0, to-1):
		return true // chalk excepted
	case s.HasFinite(0, to):
		return false
	case except > 0 && except < to, lexicon.Quantifier.Has(first[0]) && to > 1 && (lexicon.Exception.In(first[1:]) != "" || first[1] == "but"):
		return true
	}
	degree := max(lexicon.Partial.At(s.Words, 0), lexicon.Negation.At(s.Words, 0), lexicon.Approximation.At(s.Words, 0), lexicon.Only.At(s.Words, 0), lexicon.Doubt.At(s.Words, 0))
	return degree > 0 && len(s.Words) <= maxPointer && first[0] != "all" && (degree == to || lexicon.Preposition.Has(s.Words[degree]) || lexicon.TimeNoun.Has(s.Words[degree]) || lexicon.Weekday.Has(strings.TrimSuffix(s.Words[degree], "s")))
}

// namesStatement reports whether a sentence speaks of the statement before as of something said or believed, and does not bear it out: My grandmother lived by
// that belief. The allegation was put in writing. It is a tale that sailors tell.
func (s *backward) namesStatement(before *clause.Sentence) bool {
	stems := stemsOf(before)
	for i, w := range s.Words {
		strict := lexicon.Assertion.Has(w)
		if i == 0 || !strict && !lexicon.TakenBack.Statement.Has(w) || stems[segment.Stem(w)] {
			continue
		}
		at := s.determinerOf(i)
		next := i + 1
		switch {
		case at < 0 || next < len(s.Words) && (opensThat(s.Words[next]) && !(s.isCopular(at)) || lexicon.Preposition.Has(s.Words[next]) && !s.ends(next)):
		case !strict && at > 0 && !(at == 1 && lexicon.Preposition.Has(s.Words[0])): // that is a long story
		case lexicon.Anaphor.Has(s.Words[at]) && s.Words[at] != "das" || hasWord(s.Words[at:at+1], "diesem", "dieser", "diesen", "jene", "jener", "jenem"):
			return !s.affirms()
		case strict && !hasWord(s.Words[at:at+1], "a", "an", "another", "some", "any") && !strings.HasPrefix(s.Words[at], "ein"), s.isCopular(at):
			return !s.affirms()
		}
	}
	return false
}

// isCopular reports whether a token is the article of what the statement before is called: it is a tale.
func (s *backward) isCopular(at int) bool {
	return at > 1 && at <= 3 && lexicon.Auxiliary.Has(s.Words[at-1]) && hasWord(s.Words[:1], "it", "this", "that", "such", "es", "das", "dies")
}

// determinerOf returns the determiner of a noun, before at most two adjectives; -1 for none.
func (s *backward) determinerOf(noun int) int {
	for i := noun - 1; i >= max(0, noun-3); i-- {
		if strings.ContainsAny(s.Tokens[i+1].Gap, ",;:–—(“„\"") {
			return -1
		}
		if lexicon.Determiner.Has(s.Words[i]) {
			return i
		}
		if !s.Tokens[i].Content() || s.Finite(i) {
			return -1
		}
	}
	return -1
}

// affirms reports whether a sentence says that something is proved or established.
func (s *backward) affirms() bool {
	if lexicon.Negation.In(s.Words) != "" || lexicon.ImplicitNegation.In(s.Words) != "" || lexicon.Doubt.In(s.Words) != "" || lexicon.Modal.In(s.Words) != "" {
		return false
	}
	return slices.ContainsFunc(s.Words, func(w string) bool { return lexicon.Proof.Has(w) && lexicon.Vouching.Has(w) })
}

// introducesAssertion reports whether the sentence names somebody's belief or tale for the first time, which the next one then tells: An old legend clings to the well.
func (s *backward) introducesAssertion(next *clause.Sentence) bool {
	stems := stemsOf(next)
	for i, w := range s.Words[:min(len(s.Words), maxComment)] {
		if !lexicon.Assertion.Has(w) || stems[segment.Stem(w)] {
			continue
		}
		at := s.determinerOf(i)
		if at < 0 || !hasWord(s.Words[at:at+1], "a", "an", "ein", "eine", "einen", "einer", "einem") {
			continue
		}
		if i+1 == len(s.Words) || !lexicon.Preposition.Has(s.Words[i+1]) && !opensThat(s.Words[i+1]) || hasWord(s.Words[i+1:i+2], "of", "von") && i+2 < len(s.Words) && s.Tokens[i+2].Upper {
			return !s.affirms()
		}
	}
	return false
}

// limitsByReference reports whether a sentence that refers to the statement by its place in the paper holds it to a condition: The first sentence holds only if …;
// what is said above is valid solely for members. opens is whether the statement is the first of its paper.
func (s *backward) limitsByReference(opens bool) bool {
	if conditional(s.Words) == "" && !slices.ContainsFunc(s.Words, limits) && lexicon.Exception.In(s.Words) == "" {
		return false
	}
	for i, w := range s.Words {
		switch {
		case lexicon.Setting.Back.Has(w):
			return slices.ContainsFunc(s.Words[max(0, i-4):min(len(s.Words), i+3)], func(w string) bool { return isSaid(w) || lexicon.TakenBack.Spoken.Has(w) })
		case opens && i > 0 && (lexicon.TakenBack.Statement.Has(w) || lexicon.TakenBack.Reference.Has(w)) && hasWord(s.Words[i-1:i], "first", "opening", "erste", "ersten", "1"):
			return true
		}
	}
	return false
}

// framesUnreal reports whether a sentence says that what follows is not so: its writer announces the contrary of what he means, or tells what would have been.
func (s *backward) framesUnreal() bool {
	if lexicon.Negation.In(s.Words) != "" && lexicon.IdleNegation.In(s.Words) == "" || s.Asks() || len(s.Words) > maxComment {
		return false
	}
	contrary := lexicon.Falsehood.In(s.Words) != "" || hasWord(s.Words, "opposite", "contrary", "reverse", "gegenteil")
	for i, w := range s.Words {
		if contrary && hasWord(s.Words[i:i+1], "i", "we", "ich", "wir") && slices.ContainsFunc(s.Words[max(0, i-1):min(len(s.Words), i+4)], lexicon.TakenBack.Speaks.Has) {
			return true
		}
		if !hasWord(s.Words[i:i+1], "what", "how", "was", "wie") {
			continue
		}
		shows := i > 0 && hasWord(s.Words[i-1:i], "is", "ist")
		for k := i + 1; k < s.clauseTo(i+1); k++ {
			if w == "what" && hasWord(s.Words[k-1:k], "would") && s.Words[k] == "have" || hasWord(s.Words[k:k+1], "wäre", "wären", "hätte", "hätten") || shows && hasWord(s.Words[k:k+1], "would", "würde", "würden") {
				return true
			}
		}
	}
	return false
}

// leadsBack reports whether a sentence leads from an unreal frame back to facts: But the plan was voted down. In fact it held.
func (s *backward) leadsBack() bool {
	return len(s.Words) > 0 && (hasWord(s.Words[:1], "but", "yet", "however", "aber", "doch", "jedoch") || lexicon.TakenBack.Truth.At(s.Words, 0) > 0 || s.Tokens[0].Date)
}
