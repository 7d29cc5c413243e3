// Package people weighs what persons say of a claim and of the words cited for it: their reviews go before rules and models.
//
//	d := people.Weigh(cite.ClaimNotShown, reviews, 0)
//	fmt.Println(d.Sentence()) // verified: Ada Vale of Mill Trust checked it on 3 May 2026
//
// It is the one place that decides: the program asks it of what an archive holds, and whoever verifies a bundle of what the bundle
// carries. The rules are those of docs/spec/review.md, "What reviews make of a claim".
//
// # Limits
//
// It knows no key, no trust and no text. Whoever calls it leaves out reviews that others replace, and says in Not why one does
// not count. The day of a review is the reviewer's own word.
package people

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"muniment/cite"
)

// A Review is a person's review of a claim and its words that is in force, as it is weighed.
type Review struct {
	Verdict string `json:"verdict"` // follows, not or unsure
	Reason  string `json:"reason"`  // the word of the fixed list
	Text    string `json:"text"`    // what that word means, without its stop
	By      string `json:"by"`      // the name that the reviewer agreed to, else a pseudonym
	Org     string `json:"organisation,omitempty"`
	Day     string `json:"day"`                   // YYYY-MM-DD
	Key     string `json:"key"`                   // ID of the key
	Not     string `json:"not_counted,omitempty"` // why the review does not count; "" where it does

	Unsealed bool `json:"unsealed,omitempty"` // no snapshot holds it yet: it counts here, and nobody else can check it
}

// A Decision is what persons make of a claim. The zero value is of nobody: rules and models decide.
type Decision struct {
	Verdict  cite.ClaimVerdict `json:"verdict,omitempty"` // follows, contradicted or not_shown; "" where they decide nothing
	Disputed bool              `json:"disputed,omitempty"`
	By       string            `json:"by,omitempty"`      // who decided it
	Reason   string            `json:"reason,omitempty"`  // one English sentence without its stop
	Missing  int               `json:"missing,omitempty"` // reviews of further organisations that are needed
}

// Weigh weighs the reviews of persons, which go before rules and models: docs/spec/review.md. least is how many of different
// organisations a profile asks for, 0 for none; two are needed where the rules say that the words contradict the claim.
func Weigh(rules cite.ClaimVerdict, reviews []Review, least int) Decision {
	var yes, no []Review
	for _, o := range reviews {
		switch {
		case o.Not != "":
		case o.Verdict == "follows":
			yes = append(yes, o)
		case o.Verdict == "not":
			no = append(no, o)
		}
	}
	needed := max(1, least)
	if rules == cite.ClaimContradicted {
		needed = max(2, needed)
	}
	have := countOrganisations(yes)
	switch {
	case len(yes) > 0 && len(no) > 0:
		return Decision{Disputed: true, Verdict: cite.ClaimNotShown, By: namesOf(append(slices.Clone(yes), no...)),
			Reason: fmt.Sprintf("disputed: %s, %s", sayChecked(yes), sayDenied(no))}
	case len(no) > 0:
		verdict := cite.ClaimNotShown
		if slices.ContainsFunc(no, func(o Review) bool { return o.Reason == "contradicts" }) {
			verdict = cite.ClaimContradicted
		}
		return Decision{Verdict: verdict, By: namesOf(no), Reason: sayDenied(no)}
	case have >= needed:
		return Decision{Verdict: cite.ClaimFollows, By: namesOf(yes), Reason: sayChecked(yes)}
	case least > 0 || have > 0:
		return Decision{By: namesOf(yes), Missing: needed - have, Reason: sayMissing(needed-have, have, rules)}
	}
	return Decision{}
}

// Sentence returns the sentence for readers about a decision, without its stop; "" where nobody was asked.
func (d Decision) Sentence() string {
	switch {
	case d.Reason == "" || d.Disputed:
		return d.Reason
	case d.Verdict == cite.ClaimFollows:
		return "verified: " + d.Reason
	case d.Verdict == cite.ClaimContradicted:
		return "contradicted: " + d.Reason
	}
	return "unverified: " + d.Reason
}

// SayUnsealed returns the sentence, without its stop, that says how many of the reviews that count no snapshot holds yet; "" for none.
func SayUnsealed(reviews []Review) string {
	n := 0
	for _, o := range reviews {
		if o.Unsealed && o.Not == "" {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 review waits for a snapshot"
	}
	return fmt.Sprintf("%d reviews wait for a snapshot", n)
}

// Settles reports whether persons decided.
func (d Decision) Settles() bool { return d.Verdict != "" }

// countOrganisations counts organisations; keys of which none is known are one together.
func countOrganisations(all []Review) int {
	seen := map[string]bool{}
	for _, o := range all {
		seen[o.Org] = true
	}
	return len(seen)
}

func sayChecked(all []Review) string { return sayAll(all, "checked it") }

func sayDenied(all []Review) string {
	out := make([]string, len(all))
	for i, o := range all {
		out[i] = fmt.Sprintf("%s said on %s that it does not follow: %s", o.who(), sayDay(o.Day), o.Text)
	}
	return strings.Join(out, "; ")
}

// sayMissing says how many reviews are needed yet.
func sayMissing(n, have int, rules cite.ClaimVerdict) string {
	why := "the profile asks for it"
	if rules == cite.ClaimContradicted {
		why = "the rules say that the words contradict the claim"
	}
	if have == 0 {
		return fmt.Sprintf("%d of different organisations must check it first, as %s", n, why)
	}
	return fmt.Sprintf("%d more of another organisation must check it, as %s", n, why)
}

// sayAll says who did something, and when.
func sayAll(all []Review, did string) string {
	out := make([]string, len(all))
	for i, o := range all {
		out[i] = o.who() + " " + did + " on " + sayDay(o.Day)
	}
	return strings.Join(out, ", and ")
}

// who returns the reviewer with the organisation.
func (o Review) who() string {
	if o.Org == "" {
		return o.By
	}
	return o.By + " of " + o.Org
}

// namesOf returns the reviewers in order, each once.
func namesOf(all []Review) string {
	var out []string
	for _, o := range all {
		if !slices.Contains(out, o.who()) {
			out = append(out, o.who())
		}
	}
	return strings.Join(out, ", ")
}

// sayDay writes a day as people do: 3 May 2026.
func sayDay(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("2 January 2006")
}
