package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// longQuote is the length in code points above which a quote gets a warning: a
// reader then hardly sees which part of it supports the claim.
const longQuote = 2000

// findEvidence looks up the quote, else the words at the span, else the context.
func findEvidence(doc *canon.Document, o CiteOptions) (cite.Match, error) {
	var within *cite.Span
	if o.Span != "" {
		span, err := inventory.ParseSpan(doc, o.Span)
		if err != nil {
			return cite.Match{}, err
		}
		within = &span
	}
	quote := o.Quote
	if strings.TrimSpace(quote) == "" && within == nil {
		quote = o.Context
	}
	if strings.TrimSpace(quote) != "" {
		m, err := cite.Find(doc, quote, within)
		if err != nil {
			return cite.Match{}, problem.New(problem.Usage, problem.Next(problem.DoCat).With("quote a few words as they stand in the text"), "quote: %w", err)
		}
		return m, nil
	}
	words, err := cite.Quote(doc, *within)
	if err != nil {
		return cite.Match{}, problem.New(problem.InvalidLocator, problem.Next(problem.DoCat).Or(problem.DoSpans), "span: %w", err)
	}
	return cite.Match{Status: cite.Exact, Span: *within, Found: words, Length: len([]rune(words))}, nil
}

// measureSimilarity returns 1 for a match without edits, 0 for no match.
func measureSimilarity(m cite.Match) float64 {
	if m.Status == cite.Absent || m.Length == 0 || m.Edits >= m.Length {
		return 0
	}
	return 1 - float64(m.Edits)/float64(m.Length)
}

// spanWholeText returns the span of a whole text.
func spanWholeText(doc *canon.Document) (cite.Span, error) {
	return cite.SpanAt(doc, 0, len(doc.Payload())-1) // without the final LF, which is in no unit
}

// matchWhole returns the match of a whole text with itself.
func matchWhole(doc *canon.Document) (cite.Match, error) {
	span, err := spanWholeText(doc)
	if err != nil {
		return cite.Match{}, err
	}
	words, err := cite.Quote(doc, span)
	return cite.Match{Status: cite.Exact, Span: span, Found: words, Length: len([]rune(words))}, err
}

// applyVerdicts fills in both verdicts on a match and, where the answer is no, the fix.
func applyVerdicts(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions, paper judge.Paper) error {
	passageAt := func(span cite.Span) (judge.Passage, error) { return judge.At(doc, span, paper) }
	if len([]rune(o.Quote)) > longQuote {
		r.warn(problem.New(problem.QuoteTooLong, problem.Next(problem.DoGive, "context", "TEXT").With("quote the sentence that says it, and the rest as its context"),
			"the quote is longer than %d characters; a shorter one is easier to check", longQuote))
	}
	var err error
	switch m.Status {
	case cite.Exact, cite.Normalized:
		r.Span, r.Quote = m.Span.String(), m.Found
		var p judge.Passage
		if p, err = passageAt(m.Span); err == nil {
			correct := func() (problem.Step, error) { return r.nextCite(doc, m.Span, relation, o, passageAt) }
			if err = r.applyClaim(judgeClaim(o.Claim, relation, p), correct); err == nil {
				err = r.widen(doc, m.Span, relation, o, passageAt)
			}
		}
	case cite.Ambiguous:
		err = judgeAmbiguous(r, doc, m, relation, o, passageAt)
	default:
		err = judgeAbsent(r, doc, m, relation, o, passageAt)
	}
	r.SummaryNote = summarize(r)
	return problem.Wrap(err, "citation")
}

// widen offers the whole sentence for words that do not say the claim, where the
// sentence says it.
func (r *CiteResult) widen(doc *canon.Document, at cite.Span, relation cite.Relation, o CiteOptions, passageAt func(cite.Span) (judge.Passage, error)) error {
	if r.ClaimVerdict != string(cite.ClaimNotShown) || len(r.Findings) > 0 {
		return nil
	}
	whole, err := sentencesAround(doc, at)
	if err != nil || whole == at {
		return err
	}
	p, err := passageAt(whole)
	if err == nil && judgeClaim(o.Claim, relation, p).Verdict == cite.ClaimFollows {
		r.Next = citeAgain(r, o, whole.String(), p.Words).With("the whole sentence says it")
	}
	return err
}

// judgeAmbiguous leaves words that are at several places unverified, and lists these. The fix names
// the first place whose words, or whose sentence, say the claim.
func judgeAmbiguous(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions, passageAt func(cite.Span) (judge.Passage, error)) error {
	r.VerificationStatus = string(ledger.Unverified)
	chosen := m.Span
	for _, s := range append([]cite.Span{m.Span}, m.Others...) {
		if s.IsZero() {
			continue
		}
		words, err := cite.Quote(doc, s)
		if err != nil {
			continue
		}
		r.Places = append(r.Places, Place{Span: s.String(), Text: words})
		if chosen == m.Span && follows(doc, s, relation, o.Claim, passageAt) {
			chosen = s
		}
	}
	r.VerificationNotes = fmt.Sprintf("the quote is in %s at %d places", r.Name, len(r.Places))
	if len(r.Places) == 0 {
		return nil
	}
	step, err := r.nextCite(doc, chosen, relation, o, passageAt)
	r.Next = step.With("quote more words around it, or say which one")
	return err
}

// follows reports whether a claim follows from the sentences that hold the words at a place.
func follows(doc *canon.Document, at cite.Span, relation cite.Relation, claim string, passageAt func(cite.Span) (judge.Passage, error)) bool {
	whole, err := sentencesAround(doc, at)
	if err != nil {
		return false
	}
	p, err := passageAt(whole)
	return err == nil && judgeClaim(claim, relation, p).Verdict == cite.ClaimFollows
}

// judgeAbsent fails words that are not in the text, and names the nearest ones.
// The fix quotes them, with a claim that they support.
func judgeAbsent(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions, passageAt func(cite.Span) (judge.Passage, error)) error {
	r.VerificationStatus = string(ledger.Failed)
	r.VerificationNotes = "the quote is not in " + r.Name
	if o.Span != "" {
		r.VerificationNotes += " at " + o.Span
	}
	if m.Difference != "" {
		r.VerificationNotes += fmt.Sprintf("; the nearest words differ in %s", withArticle(string(m.Difference)))
	}
	at := m.Nearest
	if m.Status == cite.Fuzzy {
		at = &m.Span
	}
	if at == nil || at.IsZero() {
		r.Next = problem.Next(DoSearch, takeWords(o.Quote, 6)).With("nothing like it is there")
		return nil
	}
	words, err := cite.Quote(doc, *at)
	if err != nil {
		return err
	}
	r.Nearest = &Place{Span: at.String(), Text: words}
	p, err := passageAt(*at)
	if err != nil {
		return err
	}
	advice := fmt.Sprintf("the nearest words are at %s", at)
	if words == o.Quote {
		advice = fmt.Sprintf("the same words are at %s", at)
	}
	if j := judgeClaim(o.Claim, relation, p); j.Verdict == cite.ClaimContradicted {
		r.Findings, advice = j.Findings, judge.Explain(j.Findings)
	}
	step, err := r.nextCite(doc, *at, relation, o, passageAt)
	r.Next = step.With(advice)
	return err
}

// citeAgain returns the step to the citation that would verify.
func citeAgain(r *CiteResult, o CiteOptions, span, quote string) problem.Step {
	var source, relation, confidence string
	name := r.Name
	if o.Source != 0 {
		name, source = "", strconv.FormatInt(o.Source, 10)
	}
	if r.Relation != string(cite.DirectQuote) {
		relation = r.Relation
	}
	if o.Confidence != "high" {
		confidence = o.Confidence
	}
	var args []string
	for _, field := range [][2]string{{"artifact", name}, {"source", source}, {"span", span}, {"quote", quote}, {"claim", o.Claim}, {"relation", relation},
		{"session", o.Session}, {"agent", o.Agent}, {"user", o.User}, {"project", o.Project}, {"locator", o.Locator}, {"reasoning", o.Reasoning}, {"confidence", confidence}} {
		if field[1] != "" {
			args = append(args, field[0], field[1])
		}
	}
	return problem.Next(DoCite, args...)
}

// withArticle returns the words for a difference of a match, with its article.
func withArticle(difference string) string {
	switch difference {
	case "number", "negation", "name":
		return "a " + difference
	case "case":
		return "upper and lower case"
	}
	return difference
}

// takeWords returns the first n words of a text.
func takeWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}

// checkText returns the deterministic checks of a citation of a text, in their
// order.
func checkText(t *target, r *CiteResult, ev evidence, relation cite.Relation, o CiteOptions) []ledger.Check {
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
	looked := cmp.Or(o.Quote, o.Context, "the words at "+o.Span)
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
	add("hash", pass(ev.anchor.SHA256 == hashHex(r.Quote)), ev.anchor.SHA256, hashHex(r.Quote))
	claimed := cmp.Or(map[string]string{string(cite.ClaimFollows): "pass", string(cite.ClaimContradicted): "fail"}[r.ClaimVerdict], "not_checked")
	add("claim", claimed, clip(o.Claim), r.ClaimVerdict) // the reason is beside the checks
	return checks
}

// clip shortens a text to 400 code points, for a line of a report.
func clip(s string) string {
	const most = 400
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}

// hashHex returns the sha256 of a text in lower case hexadecimal.
func hashHex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
