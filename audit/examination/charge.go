package examination

import (
	"muniment/answer"
	"muniment/cite"
	"muniment/draft/examine"
)

// Charge enters the words of papers in the daily budget of a requestor, where the report shows more of a paper than the text itself quotes: what
// differs, what a quotation leaves out, and the nearest words. Of items that the budget does not allow, the words of the paper are withheld; the
// verdict stays. id names the report, and has to be new.
func (r *Report) Charge(ask func(id string, all []answer.Excerpt) ([]bool, error), id string) error {
	var all []answer.Excerpt
	var items []*Item
	for k := range r.Items {
		i := &r.Items[k]
		for _, f := range []*Found{i.Found, i.Nearest} {
			switch {
			case f == nil:
			case !i.showsMore():
				f.Sentence = "" // the reader has the words; what is around them was not asked for
			default:
				all, items = append(all, answer.Excerpt{Artifact: f.Artifact, Span: f.Span, Start: f.from, End: f.to, Length: f.length}), append(items, i)
			}
		}
	}
	shown, err := ask(id, all)
	if err != nil {
		return err
	}
	for k, ok := range shown {
		if !ok {
			items[k].withhold()
		}
	}
	return nil
}

// showsMore reports whether an item has words of a paper that the text does not quote, also in place of an ellipsis.
func (i *Item) showsMore() bool {
	for _, c := range i.Difference {
		if c.Kind == examine.ChangedEllipsis || c.Kind == examine.ChangedBrackets {
			return true
		}
	}
	return i.Verdict != Exact && i.Verdict != Scholarly || i.Claim != nil && i.Claim.Verdict != cite.ClaimFollows
}

// withhold removes the words of papers from an item, and what gives them away.
func (i *Item) withhold() {
	for _, f := range []*Found{i.Found, i.Nearest} {
		if f != nil {
			f.Text, f.Sentence, f.Whole = "", "", false
		}
	}
	i.Nearest, i.Difference, i.Suggestion, i.Claim = nil, i.Difference[:0], "", nil
	i.Reason = i.Verdict.Words() + "; the words of the paper are withheld, since the budget for shown words is used up"
}
