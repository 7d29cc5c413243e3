package judge

import (
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// Swaps reports whether two words have changed places between a claim and a text, although both use a verb in common:
// who did it and to whom, from where and to where. The passive is no change.
func Swaps(claim, text string) bool {
	c := clause.Parse(claim)
	for _, r := range segment.Sentences(text, "en") {
		s := clause.Parse(text[r.Start:r.End])
		if swaps(&c, &s) {
			return true
		}
	}
	return false
}

func swaps(c, s *clause.Sentence) bool {
	mine, verbs := roles(c)
	theirs, others := roles(s)
	shared := false
	for v := range verbs {
		shared = shared || others[v]
	}
	for a, x := range mine {
		for b, y := range mine {
			core := isCore(x) && isCore(y)
			if a < b && x != y && theirs[a] == y && theirs[b] == x && (shared || !core) {
				return true
			}
		}
	}
	return false
}

func isCore(place string) bool { return place == "subject" || place == "object" }

// roles maps the stems of the content words and the numbers of a sentence to the place they have in it: subject, object, or the preposition before
// them. In a passive the subject is the object, and what follows by is the subject. verbs are the stems of its verbs.
func roles(s *clause.Sentence) (places map[string]string, verbs map[string]bool) {
	places, verbs = map[string]string{}, map[string]bool{}
	at, core := "subject", "subject" // core is the place of a noun phrase without a preposition
	passive, filled := false, false  // filled: the phrase of the preposition has its noun
	for i, t := range s.Tokens {
		switch {
		case lexicon.Preposition.Has(t.Text):
			at, filled = t.Text, false
		case !t.Upper && s.Finite(i) && len(places) > 0:
			if i > 0 && isBe(s.Words[i-1]) && !isBe(t.Text) || i > 1 && isBe(s.Words[i-2]) && lexicon.Function.Has(s.Words[i-1]) {
				passive = true
			}
			if t.Content() {
				verbs[segment.Stem(t.Text)] = true
			}
			at, core = "object", "object"
		case lexicon.Determiner.Has(t.Text) && filled:
			at = core
		case t.Content():
			key := segment.Stem(strings.TrimSuffix(t.Text, "'s"))
			if _, twice := places[key]; !twice {
				places[key] = at
			}
			filled = at != core
		}
	}
	if passive {
		for key, place := range places {
			switch place {
			case "subject":
				places[key] = "object"
			case "by":
				places[key] = "subject"
			}
		}
	}
	return places, verbs
}

func isBe(w string) bool {
	return hasWord([]string{w}, "is", "are", "was", "were", "be", "been", "being", "wird", "wurde", "wurden", "werden")
}
