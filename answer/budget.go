package answer

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"muniment/answer/budget"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
)

// A BudgetInfo is what a requestor may still be shown, in code points.
type BudgetInfo struct {
	Requestor string       `json:"requestor,omitempty"` // empty: shared by all who gave no name
	Tier      string       `json:"tier"`
	Daily     int          `json:"daily"`
	Spent     int          `json:"spent"` // of the day's budget
	Passages  int          `json:"passages"`
	Left      int          `json:"left"`
	Resets    string       `json:"resets"`
	Risks     []BudgetRisk `json:"risks,omitempty"`
}

// A BudgetRisk is a passage that a budget withheld: a sign that somebody may be
// reading the archive out.
type BudgetRisk struct {
	Time       string `json:"time"`
	Requestor  string `json:"requestor,omitempty"`
	Rule       string `json:"rule"` // daily, passages, artifact, archive, probing
	Artifact   string `json:"artifact"`
	CodePoints int    `json:"code_points"`
}

// accountOf returns the name under which the ledger keeps what was shown and refused:
// of the account that a server names, else of the requestor. The capital letter keeps
// the two apart, as the name of a requestor is kept in small letters.
func accountOf(requestor, account string) string {
	if account != "" {
		return "Account " + account
	}
	return strings.Join(strings.Fields(strings.ToLower(requestor)), " ") // in any case and spacing
}

// budgetTries is how often a request is run against its account: as often as
// others of the same requestor may come before it.
const budgetTries = 24

// runMetered runs a request against the budget of its requestor and charges what
// it shows. Where another request of that requestor was charged meanwhile it is
// run again, against what is left then: nothing was delivered.
func runMetered(a *archive.Archive, tree objects.Hash, rules *policy.Policy, request *Request, kind string, run func() (*Response, error)) (*Response, error) {
	for try := 1; ; try++ {
		entries := map[string]int{}
		var err error
		if kind != auditKind { // whoever can open everything is not metered
			if request.Budget, err = openAccount(a, tree, rules, request.Requestor, request.Account, entries); err != nil {
				return nil, err
			}
		}
		res, err := run()
		if err != nil {
			return nil, pipelineError(err)
		}
		err = chargeShown(a, res, request.Account, kind, request.Budget, entries)
		switch {
		case err == nil:
			return res, nil
		case !errors.Is(err, ledger.ErrOverdrawn):
			return nil, err
		case try == budgetTries:
			return nil, problem.New(problem.Busy, problem.Advise("ask again: nothing was delivered or charged"), "other requests of this requestor are being charged")
		}
	}
}

// openAccount opens the budget that the ledger keeps under key for one request of a
// requestor. entries, unless nil,
// gets how many entries of the ledger were seen of every artifact.
func openAccount(a *archive.Archive, tree objects.Hash, rules *policy.Policy, who policy.Requestor, key string, entries map[string]int) (*budget.Account, error) {
	name, err := rules.Tier(who)
	if err != nil {
		return nil, problem.Wrap(err, "policy")
	}
	tier, _ := rules.FindTier(name)
	excerpt := tier.Excerpt
	if tier.Uncapped {
		excerpt = tier.Budget() / access.ExcerptsADay
	}
	size, err := textSize(a, tree, a.View(tree, rules, who))
	if err != nil {
		return nil, err
	}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	now := a.World().Now().UTC()
	day, since := budget.Day(now), now.Add(-budget.Window)
	spent, err := l.Spent(key, since, day)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	return &budget.Account{
		Limits: budget.Defaults(tier.Budget(), excerpt, size),
		Spent:  budget.Spent{Today: spent.Today, Passages: spent.Passages, Window: spent.Window},
		At:     now,
		Visits: func(artifact string) (budget.Visit, error) {
			all, err := l.ShownOf(key, artifact, since)
			if err != nil {
				return budget.Visit{}, err
			}
			if entries != nil {
				entries[artifact] = len(all)
			}
			var v budget.Visit
			answers := map[string]bool{}
			for _, s := range all {
				v.Seen = append(v.Seen, budget.Range{Start: s.First, End: s.Past})
				if s.Fresh > 0 && !s.Time.Before(day) && !answers[s.Answer] {
					answers[s.Answer] = true
					v.Requests++
					v.Last = s.Time
				}
			}
			return v, nil
		},
	}, nil
}

// auditKind is that of what an auditor sees, who is charged nothing.
const auditKind = "audit"

// chargeShown writes down what an answer shows, before it is delivered. account is
// nil for an auditor. The error wraps ledger.ErrOverdrawn where another request
// came before.
func chargeShown(a *archive.Archive, res *Response, key, kind string, account *budget.Account, entries map[string]int) error {
	if len(res.Claims)+len(res.Withheld) == 0 {
		return nil
	}
	view, err := bundle.Render(res.Bundle)
	if err != nil {
		return problem.Wrap(err, "bundle")
	}
	now := a.World().Now().UTC()
	var limit ledger.Cap
	if account != nil {
		now = account.At
		limit = ledger.Cap{Window: now.Add(-budget.Window), Day: budget.Day(now),
			Most: ledger.Exposure{Today: account.Limits.Daily, Passages: account.Limits.Passages, Window: account.Limits.Archive}, Entries: entries}
	}
	st := res.Bundle.Statement()
	var shown []ledger.Shown
	for i, c := range res.Claims {
		for k, at := range append([]Citation{c.Citation}, c.Also...) {
			shown = append(shown, ledger.Shown{Time: now, Requestor: key, Kind: kind, Answer: answerID(&st), Handle: view.Claims[i].Citations[k].Handle,
				Artifact: at.Artifact.String(), Span: at.Place(), First: at.Passage.Start, Past: at.Passage.End, Fresh: at.Fresh})
		}
	}
	var risks []ledger.Risk
	for _, w := range res.Withheld {
		risks = append(risks, ledger.Risk{Time: now, Requestor: key, Rule: string(w.Taken.Denied), Artifact: w.Artifact.String(), CodePoints: w.Taken.Fresh})
	}
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	return problem.Wrap(l.AddShown(shown, risks, limit), "ledger")
}

// budgetInfo describes an account.
func budgetInfo(who policy.Requestor, tier string, account *budget.Account) *BudgetInfo {
	return &BudgetInfo{Requestor: who.Name, Tier: tier, Daily: account.Limits.Daily, Spent: account.Spent.Today, Passages: account.Spent.Passages,
		Left: account.Left(), Resets: budget.Day(account.At).Add(24 * time.Hour).Format(time.RFC3339)}
}

// BudgetOptions say whose budget is meant: that of a requestor, or of an account, as in
// AskOptions.
type BudgetOptions struct {
	Requestor string
	Tier      string
	Account   string
	All       bool // list what was withheld from everybody
}

// Budget returns the rest of a requestor's budget today, and the withholdings within 30 days.
func Budget(a *archive.Archive, o BudgetOptions) (*BudgetInfo, error) {
	o.Requestor = cmp.Or(o.Requestor, o.Tier)
	account, rules, who, err := openNewest(a, o, nil)
	if err != nil {
		return nil, err
	}
	name, err := rules.Tier(who)
	if err != nil {
		return nil, problem.Wrap(err, "policy")
	}
	info := budgetInfo(who, name, account)
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	risks, err := l.Risks(account.At.Add(-budget.Window))
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	for _, r := range risks {
		if o.All || r.Requestor == accountOf(o.Requestor, o.Account) {
			info.Risks = append(info.Risks, BudgetRisk{r.Time.UTC().Format(time.RFC3339), r.Requestor, r.Rule, r.Artifact, r.CodePoints})
		}
	}
	return info, nil
}

// openNewest returns the account of a requestor by the policy of the newest snapshot, that policy, and who it is by it.
func openNewest(a *archive.Archive, o BudgetOptions, entries map[string]int) (account *budget.Account, rules *policy.Policy, who policy.Requestor, err error) {
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, nil, who, err
	}
	if rules, err = a.ReadPolicy(head.Tree); err != nil {
		return nil, nil, who, err
	}
	if who, err = requestorOf(rules, o.Requestor, o.Tier); err == nil {
		account, err = openAccount(a, head.Tree, rules, who, accountOf(o.Requestor, o.Account), entries)
	}
	return account, rules, who, err
}
