package engine

import (
	"fmt"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// A givenLocator is the locator that a caller wrote.
type givenLocator locator.Given

// maxLocator is the longest locator in bytes.
const maxLocator = locator.MaxGiven

// parseLocator reads a caller's locator; "" is none.
func parseLocator(s string) (givenLocator, error) {
	g, err := locator.Parse(s)
	if err != nil {
		return nil, archive.Problem(archive.TypeInvalidLocator, archive.Advise(`a locator is a JSON object such as {"page": 24, "section": "§ 8.1"} or {"page_start": 24, "page_end": 25}`), "%w", err)
	}
	return givenLocator(g), nil
}

// text returns a member as a text, "" where it is not given.
func (g givenLocator) text(name string) string { return locator.Given(g).Text(name) }

// disagreements returns notes on the places that a caller's locator and the
// locator of the words name differently.
func disagreements(g givenLocator, found map[string]string) []string {
	return locator.Disagreements(locator.Given(g), found)
}

// note adds remarks that change no verdict.
func (r *CiteResult) note(notes ...string) {
	for _, n := range notes {
		r.VerificationNotes = strings.TrimPrefix(r.VerificationNotes+"; "+n, "; ")
	}
}

// textChecks are the deterministic steps of a verification, in their order.
func textChecks(t *target, r *CiteResult, ev evidence, relation cite.Relation, o CiteOptions) []ledger.Check {
	pass := func(ok bool) string {
		if ok {
			return "pass"
		}
		return "fail"
	}
	h, registered := t.art.FirstRecord()
	var checks []ledger.Check
	add := func(step, result, expected, found string) {
		checks = append(checks, ledger.Check{Step: step, Result: result, Expected: expected, Found: found})
	}
	found := "a record of " + r.Name
	if !registered {
		found = "no record of " + r.Name
	}
	add("registry", pass(registered && !t.art.Withdrawn), "a registered source", found)
	policy := record.PaywallFull
	if registered && h.Record.Source != nil && h.Record.Source.PaywallPolicy != "" {
		policy = h.Record.Source.PaywallPolicy
	}
	add("paywall", pass(policy != record.PaywallMetadataOnly), "a source whose body may be quoted", policy)
	looked := o.Quote
	if looked == "" {
		looked = o.Context
	}
	if looked == "" {
		looked = "the words at " + o.Span
	}
	words := r.Quote
	if words == "" && r.Nearest != nil {
		words = r.Nearest.Text
	}
	found = r.Match
	if r.Difference != "" {
		found += ", differs in " + r.Difference
	}
	if words != "" {
		found += ": " + words
	}
	add("match", pass(r.Span != ""), clip(looked), clip(found))
	if r.Span == "" {
		return checks
	}
	add("span", "pass", "a place in the text", r.Span)
	add("hash", pass(ev.anchor.SHA256 == hexSum(r.Quote)), ev.anchor.SHA256, hexSum(r.Quote))
	if relation == cite.Paraphrase {
		result := "pass"
		if r.VerificationStatus != string(ledger.Verified) {
			result = "not_checked"
		}
		add("alignment", result, "every word, number, name and negation of the claim in the words", clip(o.Claim))
	}
	return checks
}

// clip shortens a text for a line of a report.
func clip(s string) string {
	const most = 400
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}

// checkInputs looks up what an aggregation rests on. One input that does not
// resolve fails it.
func (e *Engine) checkInputs(r *CiteResult, c *archive.Catalog, inputs []string) error {
	r.DerivedFrom = slices.Clone(inputs)
	if len(inputs) == 0 {
		r.Checks = append(r.Checks, ledger.Check{Step: "inputs", Result: "not_checked", Expected: "what it was made from", Found: "the source does not say"})
		return nil
	}
	for _, ref := range inputs {
		in, err := e.input(c, ref, 0)
		if err != nil {
			return err
		}
		check := ledger.Check{Step: "input", Result: "pass", Expected: ref, Found: in.name}
		if !in.resolves {
			check.Result, check.Found = "fail", in.why
			r.VerificationStatus = string(ledger.Failed)
			r.VerificationNotes = fmt.Sprintf("the aggregation rests on %s, which does not resolve: %s", archive.Printable(ref), in.why)
			r.Suggestion = "muniment source add-custom NAME --content FILE --derived-from … with inputs that are in the archive; muniment ls and muniment citations list them"
		}
		r.Checks = append(r.Checks, check)
	}
	return nil
}
