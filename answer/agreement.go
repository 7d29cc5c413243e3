package answer

import (
	"fmt"
	"slices"
	"strings"

	bundledisplay "muniment/bundle/display"
	"muniment/cite"
	"muniment/search/rank"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// maxAgreeing is how many further papers a claim cites that say the same; more are counted.
const maxAgreeing = 4

// findAgreement returns the quotes of other papers that tell the same event as candidate i, its best wording, and what is said of all of them: how
// many they are, of which years, and how many are copies. Copies come after the papers that were ranked.
func findAgreement(part segment.Part, passages []retrieve.Passage, copies []duplicate, ranked []rank.Candidate, i int) (also []candidate, agreement string) {
	var seen, dates []string
	add := func(c candidate, date string, similarity int32) {
		if len(date) >= 4 {
			dates = append(dates, date[:4])
		}
		if c.ev.Similarity = float64(similarity) / 1000; len(also) < maxAgreeing {
			also = append(also, c)
		}
	}
	copied := 0
	var doubles []candidate
	var dated []string
	for k, r := range ranked {
		p := &passages[r.Passage]
		if r.Group != i || slices.Contains(seen, p.Artifact) {
			continue
		}
		seen = append(seen, p.Artifact)
		more, days := quoteCopies(part, copies, p.Artifact, r.Text)
		doubles, dated = append(doubles, more...), append(dated, days...)
		if k == i {
			continue
		}
		if r.Copy {
			copied++
		}
		add(quoteRange(part, p, segment.Range{Start: r.From, End: r.To}), p.Date, r.Features.Sentence)
	}
	for k, c := range doubles {
		add(c, dated[k], ranked[i].Features.Sentence)
	}
	return also, describeAgreement(len(seen)-1+len(doubles), copied+len(doubles), dates)
}

// describeAgreement returns the words for papers that say the same as another one; "" for none.
func describeAgreement(papers, copies int, dates []string) string {
	if papers == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "also in %s", bundledisplay.Count(papers, "other paper"))
	slices.Sort(dates)
	switch years := slices.Compact(dates); len(years) {
	case 0:
	case 1:
		fmt.Fprintf(&b, ", %s", years[0])
	default:
		fmt.Fprintf(&b, ", %s to %s", years[0], years[len(years)-1])
	}
	switch {
	case copies == papers && copies == 1:
		b.WriteString("; it is a copy")
	case copies == papers:
		b.WriteString("; all of them copies")
	case copies == 1:
		b.WriteString("; one of them a copy")
	case copies > 1:
		fmt.Fprintf(&b, "; %d of them copies", copies)
	}
	return b.String()
}

// describeOpposition returns the notice on papers that give different values for the slot of the question; "" for none.
func describeOpposition(ranked []rank.Candidate) string {
	if ranked[0].Features.Opposed == 0 {
		return ""
	}
	sides, groups := []string{}, []int{}
	for i, r := range ranked {
		if i > 0 && !r.Opposes || slices.Contains(groups, r.Group) {
			continue
		}
		groups = append(groups, r.Group)
		sides = append(sides, fmt.Sprintf("%s in %s", r.Value(), bundledisplay.Count(r.PapersOf(ranked), "paper")))
	}
	return "the papers contradict each other, so that none is called the answer: " + strings.Join(sides, "; ")
}

// showAlso returns the further citations of a claim that pass the display gates. A further citation that is withheld takes nothing from
// the claim.
func (q question) showAlso(also []candidate) (out []shown, err error) {
	for _, c := range also {
		ok, err := q.viewer.provable(&c)
		if err != nil {
			return nil, err
		}
		s := shown{judged: judged{candidate: c, verdict: cite.Judge(c.input)}}
		if !ok {
			continue
		}
		if err := q.show(&s); err != nil {
			return nil, err
		}
		if s.loss == nil && s.withheld == nil && !s.view.Restricted {
			out = append(out, s)
		}
	}
	return out, nil
}
