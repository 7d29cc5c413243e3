package draft

import (
	"fmt"
	"strconv"

	"muniment/draft/pack"
	"muniment/engine"
)

// ExplainUnder is Why, with what the citation counts for in a draft under the rules
// of a profile.
func ExplainUnder(e *engine.Engine, ref, name string) (*engine.WhyResult, error) {
	r, err := e.Citations().Why(ref)
	if err != nil {
		return nil, err
	}
	rules, err := FindProfile(e.Archive(), name)
	if err != nil {
		return nil, err
	}
	k, err := newChecker(e, rules, CheckOptions{})
	if err != nil {
		return nil, err
	}
	ev, ok := k.lookup(strconv.FormatInt(r.CitationID, 10))
	add := func(step string, passes bool, expected, found string) {
		result := "pass"
		if !passes {
			result = "fail"
		}
		r.Profile = append(r.Profile, engine.WhyStep{Step: step, Result: result, Expected: expected, Found: found})
	}
	found := "it is on file"
	if !ok {
		found = "it is of another session"
	} else if ev.Invalid != "" {
		found = ev.Invalid
	}
	add("counts", ok && ev.Invalid == "", "a citation on file that holds", found)
	if len(rules.Draft.Require) > 0 {
		found = "all are there"
		field := ev.Missing(rules.Draft.Require)
		if field != "" {
			found = "no " + field
		}
		add("fields", field == "", fmt.Sprint(rules.Draft.Require), found)
	}
	if rules.Draft.Numeric {
		publisher := "a publisher that is not named"
		if pack.Publisher(ev.Publisher) != "" {
			publisher = ev.Publisher
		}
		add("numbers", ev.Tier == 1 || ev.Tier == 2, "tier 1 or 2; else a second, independent publisher for numbers and dates", fmt.Sprintf("tier %d, %s", ev.Tier, publisher))
	}
	if ev.Paywall {
		add("quotes", false, "a source whose words may be quoted", "only its metadata is known")
	}
	return r, nil
}
