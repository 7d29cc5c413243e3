package answer

import (
	"slices"
	"strings"

	"muniment/search/retrieve"
	"muniment/text/clause"
	"muniment/text/segment"
)

// maxParts bounds the parts of a sentence that divides: each rests on a paper of its own.
const maxParts = 4

// dividedSentences puts the parts of a sentence instead of the claims that it was cut into, if the archive has each part
// word for word and not the claims: a sentence may rest on several papers, each clause on one of them.
func (p *Pipeline) dividedSentences(q question, found []passages) (out []passages, err error) {
	for i := 0; i < len(found); {
		s := found[i].topic.claim
		n := 1 // claims of the same sentence
		for _, r := range segment.Sentences(q.text, "en") {
			if s.Start >= r.Start && s.End <= r.End {
				for i+n < len(found) && found[i+n].topic.claim.End <= r.End {
					n++
				}
				s.Start, s.End = r.Start, r.End
				break
			}
		}
		parts, err := p.parts(q, q.text[s.Start:s.End], found[i:i+n])
		if err != nil {
			return nil, err
		}
		if parts == nil {
			parts = found[i : i+n]
		}
		out, i = append(out, parts...), i+n
	}
	return out, nil
}

// parts returns a topic for each part of a sentence that divides, with the passages that repeat it; nil if each claim is
// covered as it is, or the sentence does not divide.
func (p *Pipeline) parts(q question, sentence string, claims []passages) (out []passages, err error) {
	var all passages
	for _, f := range claims {
		if len(f.topic.claim.Quotes) > 0 || f.topic.claim.Kind != segment.Assertion {
			return nil, nil
		}
		all.open, all.all = append(all.open, f.open...), append(all.all, f.all...)
	}
	sentence = strings.TrimRight(strings.TrimSpace(sentence), ".")
	repeats := func(part string) bool {
		return slices.ContainsFunc(all.open, func(p retrieve.Passage) bool { return clause.Repeats(part, p.Text) })
	}
	if clause.Cover(sentence, maxParts, repeats) == nil { // which costs little
		return nil, nil
	}
	covered := true
	for _, f := range claims {
		candidates, err := q.viewer.match(f.topic.claim, f.open)
		if err != nil {
			return nil, err
		}
		covered = covered && slices.ContainsFunc(candidates, func(c candidate) bool { return isCovered(c) && c.cut == "" })
	}
	if covered {
		return nil, nil
	}
	only := func(part string, of []retrieve.Passage) (out []retrieve.Passage) {
		for _, p := range of {
			if clause.Repeats(part, p.Text) {
				out = append(out, p)
			}
		}
		return out
	}
	texts := clause.Cover(sentence, maxParts, func(part string) bool {
		open := only(part, all.open)
		if err != nil || len(open) == 0 {
			return false
		}
		var candidates []candidate
		candidates, err = q.viewer.match(segment.Claim{Text: part, Kind: segment.Assertion}, open)
		return err == nil && len(candidates) == 1 && candidates[0].cut == "" && isCovered(candidates[0])
	})
	for _, text := range texts {
		at := segment.Claim{Text: text, Kind: segment.Assertion, Start: claims[0].topic.claim.Start, End: claims[len(claims)-1].topic.claim.End}
		out = append(out, passages{topic: topic{text: text, query: text, claim: at}, open: only(text, all.open), all: only(text, all.all)})
	}
	return out, err
}
