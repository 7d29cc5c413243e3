package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/follow"
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/canon"
	"muniment/cite"
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
			return cite.Match{}, archive.Problem(archive.TypeUsage, archive.Next(DoReadText).With("quote a few words as they stand in the text"), "quote: %w", err)
		}
		return m, nil
	}
	words, err := cite.Quote(doc, *within)
	if err != nil {
		return cite.Match{}, archive.Problem(archive.TypeInvalidLocator, archive.Next(DoReadSpans), "span: %w", err)
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

// judge fills in both verdicts on a match and, where the answer is no, the fix.
func judge(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions, date string, names []string) error {
	passageAt := func(span cite.Span) (follow.Passage, error) { return quotedPassage(doc, span, date, names) }
	if len([]rune(o.Quote)) > longQuote {
		r.warn(archive.Problem(archive.TypeQuoteTooLong, archive.Next(DoGiveContext),
			"the quote is longer than %d characters; a shorter one is easier to check", longQuote))
	}
	var err error
	switch m.Status {
	case cite.Exact, cite.Normalized:
		r.Span, r.Quote = m.Span.String(), m.Found
		var p follow.Passage
		if p, err = passageAt(m.Span); err == nil {
			again := func(claim string) assign.Judgement { return judgeClaim(claim, relation, p) }
			r.applyClaim(again(o.Claim), o, again)
			err = r.widen(doc, m.Span, relation, o, passageAt)
		}
	case cite.Ambiguous:
		judgeAmbiguous(r, doc, m, o)
	default:
		err = judgeAbsent(r, doc, m, relation, o, passageAt)
	}
	r.SummaryNote = summarize(r)
	return archive.Environment(err, "citation")
}

// widen offers the whole sentence for words that do not say the claim, where the
// sentence says it.
func (r *CiteResult) widen(doc *canon.Document, at cite.Span, relation cite.Relation, o CiteOptions, passageAt func(cite.Span) (follow.Passage, error)) error {
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

// judgeAmbiguous leaves words that are at several places unverified, and lists these.
func judgeAmbiguous(r *CiteResult, doc *canon.Document, m cite.Match, o CiteOptions) {
	r.VerificationStatus = string(ledger.Unverified)
	for _, s := range append([]cite.Span{m.Span}, m.Others...) {
		if s.IsZero() {
			continue
		}
		if words, err := cite.Quote(doc, s); err == nil {
			r.Places = append(r.Places, Place{Span: s.String(), Text: words})
		}
	}
	r.VerificationNotes = fmt.Sprintf("the quote is in %s at %d places", r.Name, len(r.Places))
	if len(r.Places) > 0 {
		r.Next = citeAgain(r, o, r.Places[0].Span, o.Quote).With("quote more words around it, or say which one")
	}
}

// judgeAbsent fails words that are not in the text, and names the nearest ones.
// The fix quotes them, with a claim that they do not contradict.
func judgeAbsent(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions, passageAt func(cite.Span) (follow.Passage, error)) error {
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
		r.Next = archive.Next(DoSearch, takeWords(o.Quote, 6)).With("nothing like it is there")
		return nil
	}
	words, err := cite.Quote(doc, *at)
	if err != nil {
		return err
	}
	r.Nearest = &Place{Span: at.String(), Text: words}
	found := "the nearest words are"
	if words == o.Quote {
		found = "the same words are"
	}
	p, err := passageAt(*at)
	if err != nil {
		return err
	}
	again := func(claim string) assign.Judgement { return judgeClaim(claim, relation, p) }
	if j := again(o.Claim); j.Verdict == cite.ClaimContradicted {
		r.Findings = j.Findings
		r.Next = r.correct(o, at.String(), words, j, again)
		return nil
	}
	r.Next = citeAgain(r, o, at.String(), words).With(fmt.Sprintf("%s at %s", found, at))
	return nil
}

// citeAgain returns the step to the citation that would verify.
func citeAgain(r *CiteResult, o CiteOptions, span, quote string) archive.Step {
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
	return archive.Next(DoCite, args...)
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
	add("hash", pass(ev.anchor.SHA256 == hashHex(r.Quote)), ev.anchor.SHA256, hashHex(r.Quote))
	claimed := map[string]string{string(cite.ClaimFollows): "pass", string(cite.ClaimContradicted): "fail"}[r.ClaimVerdict]
	if claimed == "" {
		claimed = "not_checked"
	}
	found = r.ClaimVerdict
	if len(r.Findings) > 0 {
		found += ": " + explain(r.Findings)
	}
	add("claim", claimed, clip(o.Claim), clip(found))
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
