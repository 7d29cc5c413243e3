package retrieve

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/text/names"
	"muniment/text/segment"
)

// compounding are the languages that write a compound as one word.
var compounding = []string{"da", "de", "nb", "nl", "nn", "no", "sv"}

// linkingLetters lists the letters between the parts of a compound.
var linkingLetters = []string{"", "s", "es", "n", "en", "er", "e"}

const (
	leastCompound = 8 // letters
	leastPart     = 4 // letters
)

// split replaces a word that no passage holds by the two words that it is made of, where passages hold both: a question about the
// Schülerzahl finds the letter that gives the Zahl der Schüler. Of several ways to split, the one with the longest last part counts.
func (s *plan) split(languages []string, holds func(key string) (bool, error)) error {
	for _, lang := range languages {
		if !slices.Contains(compounding, lang) {
			continue
		}
		for i := 0; i < len(s.terms); i++ {
			t := s.terms[i]
			if t.Of != "" || utf8.RuneCountInString(t.Word) < leastCompound || len(t.Word) > segment.MaxStemmed {
				continue
			}
			if known, err := holds(indexKey(lang, t.Word)); err != nil || known {
				if err != nil {
					return err
				}
				continue
			}
			parts, err := partsOf(t.Word, func(w string) (bool, error) { return holds(indexKey(lang, w)) })
			if err != nil {
				return err
			}
			if len(parts) == 0 || len(s.terms)+1 > MaxTerms {
				continue
			}
			var terms []Term
			for _, w := range parts {
				terms = append(terms, Term{Word: w, Stem: segment.Stem(w), Of: t.Word})
			}
			s.terms = slices.Concat(s.terms[:i], terms, s.terms[i+1:])
		}
	}
	return nil
}

// partsOf returns the two words of which a compound is made, nil where passages do not hold both.
func partsOf(word string, holds func(w string) (bool, error)) ([]string, error) {
	letters := []rune(word)
	for at := leastPart; at <= len(letters)-leastPart; at++ {
		last := string(letters[at:])
		if known, err := holds(last); err != nil || !known {
			if err != nil {
				return nil, err
			}
			continue
		}
		for _, link := range linkingLetters {
			first, cut := strings.CutSuffix(string(letters[:at]), link)
			if !cut || utf8.RuneCountInString(first) < leastPart {
				continue
			}
			if known, err := holds(first); err != nil || known {
				return []string{first, last}, err
			}
		}
	}
	return nil, nil
}

// capitals returns whether a capital within a question marks a name. In German, where every noun has one, only the words that package names takes for
// those of a person do.
func capitals(text string) func(w segment.Word) bool {
	if segment.Detect(text) != "de" {
		return func(w segment.Word) bool { return w.Upper }
	}
	found := names.Find(text)
	return func(w segment.Word) bool {
		return w.Upper && slices.ContainsFunc(found, func(n names.Name) bool { return w.Start >= n.Start && w.End <= n.End })
	}
}

// PersonWords returns the words, in lower case, of the names of persons in a text.
func PersonWords(text string) (out []string) {
	for _, n := range names.Find(text) {
		for _, w := range segment.Words(text[n.Start:n.End]) {
			out = append(out, w.Lower)
		}
	}
	return out
}
