package assign

import (
	"slices"
	"strings"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// families are words of a text, by stem, that answer a question's word: who asks what something cost is
// told what was given for it. They serve the choice of sentences only; what a claim says is not read by them.
var families = func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for name, stems := range wordLists {
		if word, ok := strings.CutPrefix(name, "answers-"); ok {
			out[segment.Stem(word)] = stems
		}
	}
	return out
}()

// related reports whether a stem of a text is a question's, or one that answers it.
func related(asked, stem string) bool { return asked == stem || families[asked][stem] }

// countFamilies counts words of a family as found.
func countFamilies(passages []retrieve.Passage) []retrieve.Passage {
	out := slices.Clone(passages)
	for i := range out {
		p := &out[i]
		if !slices.ContainsFunc(p.Terms, func(t retrieve.Term) bool { return !t.Found && (families[t.Stem] != nil || t.Joint) }) {
			continue
		}
		p.Terms = slices.Clone(p.Terms)
		there := map[int]bool{}
		for _, here := range places(p.Terms, p.Text) {
			for _, k := range here {
				there[k] = true
			}
		}
		found, all := 0.0, 0.0
		for k := range p.Terms {
			t := &p.Terms[k]
			t.Found = t.Found || there[k]
			all += t.IDF
			if t.Found {
				found += t.IDF
			}
		}
		p.Share = found / all
	}
	return out
}
