package answer

import (
	"errors"

	"muniment/answer/budget"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/ledger"
)

// An Excerpt is a run of words of a paper that is shown outside of a bundle: the words of a paper that an examined text quotes otherwise, or the
// nearest to words that are nowhere.
type Excerpt struct {
	Artifact   string
	Span       string
	Start, End int // code points of the text, half-open
	Length     int // of the text, in code points
}

// ShowExcerpts charges a requestor with excerpts and returns which of them may be shown, in their order. Their words count as those of
// answers do, against the same budget, and what it withholds is in the same log. id names what shows them, and has to be new.
func ShowExcerpts(a *archive.Archive, o BudgetOptions, id string, all []Excerpt) ([]bool, error) {
	if len(all) == 0 {
		return nil, nil
	}
	for range budgetTries {
		entries := map[string]int{}
		account, _, _, err := openNewest(a, o, entries)
		if err != nil {
			return nil, err
		}
		shown, err := chargeExcerpts(a, account, entries, accountOf(o.Requestor, o.Account), id, all)
		if !errors.Is(err, ledger.ErrOverdrawn) {
			return shown, err
		}
	}
	return nil, problem.New(problem.Busy, problem.Advise("ask again: nothing was shown or charged"), "other requests of this requestor are being charged")
}

// chargeExcerpts decides on excerpts by an account, and writes down what is shown and withheld.
func chargeExcerpts(a *archive.Archive, account *budget.Account, entries map[string]int, key, id string, all []Excerpt) ([]bool, error) {
	show := make([]bool, len(all))
	var shown []ledger.Shown
	var risks []ledger.Risk
	for i, e := range all {
		taken, err := account.Take(e.Artifact, e.Length, budget.Range{Start: e.Start, End: e.End})
		if err != nil {
			return nil, err
		}
		if taken.Denied != "" {
			risks = append(risks, ledger.Risk{Time: account.At, Requestor: key, Rule: string(taken.Denied), Artifact: e.Artifact, CodePoints: taken.Fresh})
			continue
		}
		show[i] = true
		shown = append(shown, ledger.Shown{Time: account.At, Requestor: key, Kind: "more", Answer: id, Handle: "item", Artifact: e.Artifact,
			Span: e.Span, First: e.Start, Past: e.End, Fresh: taken.Fresh})
	}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	limit := ledger.Cap{Window: account.At.Add(-budget.Window), Day: budget.Day(account.At), Entries: entries,
		Most: ledger.Exposure{Today: account.Limits.Daily, Passages: account.Limits.Passages, Window: account.Limits.Archive}}
	return show, problem.Wrap(l.AddShown(shown, risks, limit), "ledger")
}
