package answer

import (
	"slices"
	"strings"

	"muniment/cid"
	"muniment/search/catalogue"
	"muniment/search/rank"
	"muniment/search/retrieve"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

const (
	// maxCopies is how many papers one search leaves out as copies of others; with more of them copies take places again. Each of them is read.
	maxCopies = 500
	// maxCopied is how many bytes a paper has at most that is compared whole with another one: a letter or a report. Longer ones count as papers of their own.
	maxCopied = 64 << 10
)

// A duplicate is a passage of a paper that is a copy of another one.
type duplicate struct {
	retrieve.Passage
	of string // the artifact of the other one
}

// findCopies returns the passages whose papers are copies of papers with a better passage, in the order of the passages. Only papers with the same permissions are
// copies of each other: no copy takes away what the requestor may be shown of another one, or may be known to everybody.
func (s *searcher) findCopies(found []retrieve.Passage) (out []duplicate, err error) {
	type original struct {
		*retrieve.Passage
		asserted       string
		public, showed bool
	}
	var originals []original
	known := map[string]string{} // artifacts, and what each is a copy of; "" for originals
	for i := range found {
		p := original{Passage: &found[i], asserted: assertedBy(&found[i]), public: !slices.Contains(s.notPublic, found[i].Artifact)}
		id, err := cid.ParseAs(cid.Raw, p.Artifact)
		if err != nil {
			return nil, err
		}
		perm, err := s.viewer.permission(id, "")
		if err != nil {
			return nil, err
		}
		p.showed = perm.Display
		of, seen := known[p.Artifact]
		for k := 0; k < len(originals) && of == "" && !seen; k++ {
			if o := originals[k]; o.asserted == p.asserted && o.public == p.public && o.showed == p.showed && o.Artifact != p.Artifact && s.viewer.copies(o.Passage, p.Passage) {
				of = o.Artifact
			}
		}
		if known[p.Artifact] = of; of == "" {
			originals = append(originals, p)
		} else {
			out = append(out, duplicate{*p.Passage, of})
		}
	}
	return out, nil
}

// assertedBy returns the content words and the negations of those sentences of a passage which hold a word of the query or follow one that does, each sentence
// on its line: what copies have in common, whatever note, number or stamp somebody put on them.
func assertedBy(p *retrieve.Passage) string {
	asked := map[string]bool{}
	for _, t := range p.Terms {
		if t.Stem != "" {
			asked[t.Stem] = true
		}
	}
	var out strings.Builder
	after := false
	for _, r := range segment.Sentences(p.Text, p.Lang) {
		holds := false
		var words []string
		for _, w := range segment.Words(p.Text[r.Start:r.End]) {
			if segment.Function(w.Lower) && !lexicon.Negation.Has(w.Lower) {
				continue
			}
			words = append(words, w.Lower)
			holds = holds || asked[segment.Stem(w.Lower)] || asked[segment.SearchKey(w.Lower, p.Lang)]
		}
		if holds || after {
			out.WriteString(strings.Join(words, " ") + "\n")
		}
		after = holds
	}
	return out.String()
}

// copies reports whether the papers of two passages are nearly equal as a whole, and of no other day, writer or addressee.
func (v *viewer) copies(a, b *retrieve.Passage) bool {
	if a.Date != b.Date && a.Date != "" && b.Date != "" || a.Author != b.Author && a.Author != "" && b.Author != "" {
		return false
	}
	var texts [2]string
	for i, p := range []*retrieve.Passage{a, b} {
		doc, err := v.document(p.Artifact)
		if err != nil || len(doc.Payload()) > maxCopied {
			return false
		}
		texts[i] = string(doc.Payload())
	}
	first, second := catalogue.ReadHead(texts[0], ""), catalogue.ReadHead(texts[1], "")
	return first.DateText == second.DateText && first.Salutation == second.Salutation && rank.NearlyEqual(texts[0], texts[1])
}

// quoteCopies returns the quotes that copies have of a sentence of an artifact, each copy's once.
func quoteCopies(part segment.Part, copies []duplicate, artifact, sentence string) (out []candidate, dates []string) {
	var seen []string
	for i := range copies {
		p := &copies[i]
		if p.of != artifact || slices.Contains(seen, p.Artifact) {
			continue
		}
		for _, r := range segment.Sentences(p.Text, p.Lang) {
			if rank.NearlyEqual(p.Text[r.Start:r.End], sentence) {
				seen, dates = append(seen, p.Artifact), append(dates, p.Date)
				out = append(out, quoteRange(part, &p.Passage, r))
				break
			}
		}
	}
	return out, dates
}
