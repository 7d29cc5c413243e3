package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
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

// judge fills in the verdict on a match and, where it is no, the fix.
func judge(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions) {
	switch m.Status {
	case cite.Exact, cite.Normalized:
		judgeFound(r, doc, m, relation, o)
	case cite.Ambiguous:
		judgeAmbiguous(r, doc, m, o)
	default:
		judgeAbsent(r, doc, m, o)
	}
	r.SummaryNote = summarize(r)
}

// judgeFound fills in the verdict on words that are in the text, in one place:
// verified, but for a paraphrase with something that these words do not say.
func judgeFound(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions) {
	r.Span, r.Quote = m.Span.String(), m.Found
	r.VerificationStatus = string(ledger.Verified)
	unlike := findMisalignment(o.Claim, r.Artifact, m, doc)
	if relation == cite.Paraphrase && unlike != "" {
		r.VerificationStatus = string(ledger.Unverified)
		r.VerificationNotes = fmt.Sprintf("the words are at %s, but not every word, number and name of the claim is in them", r.Span)
		r.Next = archive.Next(DoCiteAs, string(cite.InferenceFrom)).With("use the words of the text in the claim, quote more of it")
	}
	if w := assign.Context(doc, m.Span, o.Claim); relation == cite.DirectQuote && w != "" {
		r.VerificationNotes = "the words are there, but " + w + " beside them may turn what they say; quote the whole sentence, or say so in the claim"
	} else if relation == cite.DirectQuote && (unlike == "number" || unlike == "negation" || unlike == "name") {
		r.VerificationNotes = fmt.Sprintf("the words are there, but a %s is not the same in the claim and in them", unlike)
	}
	if len([]rune(o.Quote)) > longQuote {
		r.warn(archive.Problem(archive.TypeQuoteTooLong, archive.Next(DoGiveContext),
			"the quote is longer than %d characters; a shorter one is easier to check", longQuote))
	}
}

// judgeAmbiguous fails words that are at several places, and lists these.
func judgeAmbiguous(r *CiteResult, doc *canon.Document, m cite.Match, o CiteOptions) {
	r.VerificationStatus = string(ledger.Failed)
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
func judgeAbsent(r *CiteResult, doc *canon.Document, m cite.Match, o CiteOptions) {
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
		return
	}
	words, err := cite.Quote(doc, *at)
	if err != nil {
		return
	}
	r.Nearest = &Place{Span: at.String(), Text: words}
	found := "the nearest words are"
	if words == o.Quote {
		found = "the same words are"
	}
	r.Next = citeAgain(r, o, at.String(), words).With(fmt.Sprintf("%s at %s", found, at))
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

// findMisalignment returns the name of the first test that a claim fails against
// the words it cites, such as number, negation or name; "" where these words
// hold all of the claim.
func findMisalignment(claim string, artifact string, m cite.Match, doc *canon.Document) string {
	claims := segment.Claims(claim, "en")
	for _, c := range claims {
		passage := retrieve.Passage{Artifact: artifact, Span: m.Span, Text: m.Found}
		ev, err := assign.Assign(c, []retrieve.Passage{passage}, func(string) (*canon.Document, error) { return doc, nil })
		switch {
		case err == nil && ev.Aligned:
		case err != nil || len(ev.Tests) == 0:
			return "wording"
		default:
			return ev.Tests[0]
		}
	}
	if len(claims) == 0 {
		return "wording"
	}
	return ""
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
	if relation == cite.Paraphrase {
		result := "pass"
		if r.VerificationStatus != string(ledger.Verified) {
			result = "not_checked"
		}
		add("alignment", result, "every word, number, name and negation of the claim in the words", clip(o.Claim))
	}
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
