package repair

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"muniment/answer/contract"
	"muniment/answer/segment"
)

//go:embed framing.txt
var framingLines string

var framing = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.SplitSeq(framingLines, "\n") {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				words[w] = true
			}
		}
	}
	return words
})

// Restated returns the citations of the first of the claims that stand that another claim of the same
// draft restates: "In sum, GDP grew 2.9%." It does when, its frame aside, all its content words are
// those of the claim or of the words cited for it, one of them a number or a name, and nothing in it
// differs that decides. nil where it restates none.
func Restated(claim string, standing []contract.Claim) []string {
	bare := withoutFrame(strip(claim))
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

// restates reports whether a sentence without its frame restates a claim that stands.
func restates(bare string, s *contract.Claim) bool {
	said := contract.Evidence{Quote: &contract.Quote{Text: strip(s.Text)}}
	have := s.Text
	for _, e := range s.Evidence {
		said.Names = append(append(said.Names, e.Publisher, e.Title), e.Names...)
		if e.Quote != nil && !e.Paywall {
			have += " " + e.Quote.Text
		}
	}
	if !within(bare, have) || !anchored(bare, s.Text) {
		return false
	}
	j, known := contract.Judge(bare, append([]contract.Evidence{said}, s.Evidence...)...)
	return known && len(j.Findings) == 0
}

// within reports whether every content word of a sentence is one of a text, by its stem or its root.
func within(sentence, text string) bool {
	there := map[string]bool{}
	for _, w := range segment.Words(contract.Quarters(text)) {
		there[segment.Stem(w.Lower)], there[root(w.Lower)] = true, true
	}
	found := false
	for i, w := range segment.Words(contract.Quarters(sentence)) {
		name := w.Upper && i > 0 // which nothing derived from it stands for
		switch {
		case framing()[w.Lower] && !name:
		case segment.Function(w.Lower) || unicode.IsDigit(rune(w.Lower[0])): // numbers are compared by their values
		case !there[segment.Stem(w.Lower)] && (name || !there[root(w.Lower)]):
			return false
		default:
			found = true
		}
	}
	return found
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

// withoutFrame returns a sentence without the words that only say that it sums up, before and behind it.
func withoutFrame(sentence string) string {
	for {
		next := sentence
		for _, stop := range []string{", ", ": ", " that ", " is the ", " is "} {
			if at := strings.Index(sentence, stop); at > 0 && isFrame(sentence[:at]) {
				next = sentence[at+len(stop):]
				break
			}
		}
		if at := strings.LastIndex(next, ", "); at > 0 && isFrame(next[at+2:]) {
			next = next[:at] + "."
		}
		for _, stop := range []string{" is the ", " is a "} {
			if at := strings.LastIndex(next, stop); at > 0 && isFrame(next[at:]) {
				next = next[:at] + "."
			}
		}
		if next == sentence {
			break
		}
		sentence = next
	}
	if words := segment.Words(sentence); len(words) > 1 {
		for _, w := range words { // thus and its like stand also inside
			if inner[w.Lower] && w.Start == 0 {
				return withoutFrame(strings.TrimLeft(sentence[w.End:], ", "))
			}
			if inner[w.Lower] {
				sentence = strings.Replace(sentence, " "+sentence[w.Start:w.End], "", 1)
				break
			}
		}
	}
	return strings.TrimSpace(sentence)
}

// inner are the words of a frame that may stand inside a sentence.
var inner = map[string]bool{"thus": true, "therefore": true, "hence": true, "accordingly": true, "consequently": true, "ultimately": true}

// isFrame reports whether a text has words of a frame only.
func isFrame(text string) bool {
	words := segment.Words(text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w segment.Word) bool { return !framing()[w.Lower] })
}
