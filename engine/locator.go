package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/cite"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// A given locator says where a caller believes its evidence is. It may have any
// member; of the ones below the type is looked at, and those that name a place
// are compared with where the evidence was found.
type givenLocator map[string]any

// locatorMembers are the members that are known, and whether they are numbers.
var locatorMembers = map[string]bool{
	"page": true, "page_start": true, "page_end": true, "char_offset_start": true, "char_offset_end": true, "row": true, "line": true, "chapter": true,
	"section": false, "section_header": false, "heading_context": false, "accessed_at": false, "query": false, "table": false, "result_description": false,
}

// maxLocator is the longest locator in bytes: a query is the longest part.
const maxLocator = 64 << 10

// parseLocator reads a caller's locator; "" is none.
func parseLocator(s string) (givenLocator, error) {
	if s == "" {
		return nil, nil
	}
	const hint = `a locator is a JSON object such as {"page": 24, "section": "§ 8.1"} or {"page_start": 24, "page_end": 25}`
	bad := func(format string, args ...any) error {
		return archive.Problem(archive.TypeInvalidLocator, archive.ExitUsage, hint, "locator: "+format, args...)
	}
	if len(s) > maxLocator {
		return nil, bad("%d bytes, want at most %d", len(s), maxLocator)
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(s)))
	dec.UseNumber()
	var g givenLocator
	if err := dec.Decode(&g); err != nil || g == nil {
		return nil, bad("not a JSON object")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, bad("text after the JSON object")
	}
	for name, value := range g {
		number, known := locatorMembers[name]
		if !known {
			continue
		}
		n, isNumber := value.(json.Number)
		text, isText := value.(string)
		switch {
		case number && isNumber:
			if v, err := n.Int64(); err != nil || v < 0 {
				return nil, bad("%s is %s, want a number from 0", name, archive.Printable(n.String()))
			}
		case number && isText && text != "" && !strings.HasPrefix(name, "char_"): // pages may be called xii
		case !number && isText:
		default:
			return nil, bad("%s has the wrong type, want %s", name, map[bool]string{true: "a number", false: "a text"}[number])
		}
	}
	return g, nil
}

// text returns a member as a text, "" where it is not given.
func (g givenLocator) text(name string) string {
	switch v := g[name].(type) {
	case json.Number:
		return v.String()
	case string:
		return strings.TrimSpace(v)
	}
	return ""
}

// disagreements says where a caller's locator names another place than the one
// where the evidence is. They are notes: the words decide.
func disagreements(g givenLocator, found map[string]string) []string {
	var notes []string
	for _, name := range []string{"page", "row", "line", "chapter"} {
		said := g.text(name)
		if start, end := g.text("page_start"), g.text("page_end"); name == "page" && start != "" {
			if said = start; end != "" && end != start {
				said = start + "-" + end
			}
		}
		switch at := found[name]; {
		case said == "" || said == at:
		case at == "":
			notes = append(notes, fmt.Sprintf("the locator says %s %s, and the source has no %ss to compare with", name, said, name))
		case !within(said, at):
			notes = append(notes, fmt.Sprintf("the locator says %s %s; the words are on %s %s", name, said, name, at))
		}
	}
	for _, name := range []string{"section_header", "heading_context", "section"} {
		said, at := g.text(name), found["section"]
		if said != "" && at != "" && !strings.Contains(strings.ToLower(at), strings.ToLower(said)) {
			notes = append(notes, fmt.Sprintf("the locator says %s “%s”; the words are under “%s”", strings.ReplaceAll(name, "_", " "), said, at))
			break
		}
	}
	return notes
}

// within reports whether one number or range names a part of another.
func within(said, at string) bool {
	ends := func(s string) (from, to int, ok bool) {
		first, last, ranged := strings.Cut(s, "-")
		if !ranged {
			last = first
		}
		_, errFirst := fmt.Sscan(first, &from)
		_, errLast := fmt.Sscan(last, &to)
		return from, to, errFirst == nil && errLast == nil
	}
	sFrom, sTo, ok1 := ends(said)
	aFrom, aTo, ok2 := ends(at)
	return ok1 && ok2 && (aFrom <= sFrom && sTo <= aTo || sFrom <= aFrom && aTo <= sTo)
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
	h, registered := t.art.First()
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
