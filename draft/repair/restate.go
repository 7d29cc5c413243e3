package repair

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"muniment/draft/contract"
	"muniment/judge"
	"muniment/text/segment"
)

//go:embed quantities.txt
var quantityLines string

//go:embed directions.txt
var directionLines string

// quantities are words of how much and how many, which a restatement may not add.
var quantities = sync.OnceValue(func() map[string]bool { return wordsOf(quantityLines) })

// directions are small words that reverse a sentence when one replaces another.
var directions = sync.OnceValue(func() map[string]bool { return wordsOf(directionLines) })

// wordsOf returns the words of a list, without its comments.
func wordsOf(list string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				words[w] = true
			}
		}
	}
	return words
}

// Restated returns the citations of the first covered claim that another claim of the same draft
// restates: "In sum, GDP grew 2.9%.". nil where it restates none.
func Restated(claim string, standing []contract.Claim) []string {
	bare := contract.WithoutFrame(strip(claim))
	for _, s := range standing {
		if len(s.Evidence) == 0 || !restates(bare, &s) {
			continue
		}
		var ids []string
		for _, e := range s.Evidence {
			ids = append(ids, e.ID)
		}
		return ids
	}
	return nil
}

// restates reports whether a sentence without its frame restates a covered claim.
func restates(bare string, s *contract.Claim) bool {
	said := contract.Evidence{Quote: &contract.Quote{Text: strip(s.Text)}}
	have := s.Text
	for _, e := range s.Evidence {
		said.Names = append(append(said.Names, e.Publisher), e.Names...)
		if e.Quote != nil && !e.Paywall {
			have += " " + e.Quote.Text
		}
	}
	bare = contract.Initials(bare, have)
	if !within(bare, have, said.Names) || !anchored(bare, s.Text) || Departs(bare, have) {
		return false
	}
	j, known := contract.Judge(bare, append([]contract.Evidence{said}, s.Evidence...)...)
	return known && len(j.Findings) == 0 && !judge.Swaps(bare, have)
}

// within reports whether every content word of a sentence is one of a text, by its stem or its root, or a name of its source.
func within(sentence, text string, names []string) bool {
	there, source := map[string]bool{}, map[string]bool{}
	for _, n := range names {
		for _, w := range segment.Words(n) {
			source[w.Lower] = w.Upper
		}
	}
	for _, w := range segment.Words(contract.Quarters(text)) {
		there[segment.Stem(w.Lower)], there[root(w.Lower)] = true, true
	}
	found := false
	for i, w := range segment.Words(contract.Quarters(sentence)) {
		name := w.Upper && i > 0 // which nothing derived from it stands for
		switch {
		case contract.Framing(w.Lower) && !name, w.Upper && source[w.Lower]:
		case segment.Function(w.Lower) || unicode.IsDigit(rune(w.Lower[0])): // numbers are compared by their values
		case !there[segment.Stem(w.Lower)] && (name || !there[root(w.Lower)]):
			return false
		default:
			found = true
		}
	}
	return found
}

// Departs reports whether a sentence has a word of quantity or of direction that a text lacks, or
// has a name or number after "to" that the text has after "from" or "by", and the like.
func Departs(sentence, text string) bool {
	there := map[string]bool{}
	for _, w := range segment.Words(text) {
		there[segment.Stem(w.Lower)] = true
	}
	return !samePlaces(sentence, text) || slices.ContainsFunc(segment.Words(sentence), func(w segment.Word) bool {
		return quantities()[w.Lower] && !there[segment.Stem(w.Lower)]
	})
}

// samePlaces reports whether every name and number of a text follows the same word of direction as
// in another, where that has one: fell to 3.9 is not fell by 3.9.
func samePlaces(a, b string) bool {
	there := places(b)
	for key, own := range places(a) {
		other, known := there[key]
		for p := range own {
			if known && (len(other) > 0 || p == "than") && !other[p] {
				return false
			}
		}
	}
	return true
}

// places returns, by name or number, the words of direction that precede it.
func places(text string) map[string]map[string]bool {
	const reach = 3 // words between, as in "to her brother Josiah"
	out := map[string]map[string]bool{}
	words := segment.Words(text)
	for i, w := range words {
		if !w.Upper && !unicode.IsDigit(rune(w.Lower[0])) {
			continue
		}
		if out[w.Lower] == nil {
			out[w.Lower] = map[string]bool{}
		}
		for k := i - 1; k >= max(0, i-reach); k-- {
			v := words[k].Lower
			if directions()[v] {
				out[w.Lower][v] = true
			}
			if directions()[v] || segment.FiniteVerb(v) || unicode.IsDigit(rune(v[0])) || segment.Function(v) && !segment.Determiner(v) && !segment.Pronoun(v) {
				break
			}
		}
	}
	return out
}

// root is the beginning that a word has in common with what is derived of it: approv-ed, approv-al.
func root(w string) string {
	const shortest = 4 // letters of a beginning that tells words apart
	if r := []rune(w); len(r) > shortest {
		return "=" + string(r[:shortest+len(r)/8])
	}
	return "=" + w
}

// anchored reports whether two texts share a number, or a name.
func anchored(a, b string) bool {
	marks := func(s string) map[string]bool {
		out := map[string]bool{}
		for i, w := range segment.Words(contract.Quarters(s)) {
			if unicode.IsDigit(rune(w.Lower[0])) || w.Upper && (i > 0 || !segment.Function(w.Lower)) {
				out[segment.Stem(w.Lower)] = true
			}
		}
		return out
	}
	have := marks(b)
	for m := range marks(a) {
		if have[m] {
			return true
		}
	}
	return slices.ContainsFunc(segment.Words(a), func(w segment.Word) bool { return have[segment.Stem(w.Lower)] })
}
