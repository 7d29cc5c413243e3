package engine

import (
	"fmt"
	"slices"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/canon"
	"muniment/cite"
	"muniment/ledger"
)

// find looks the evidence up.
func find(doc *canon.Document, o CiteOptions) (cite.Match, error) {
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
			return cite.Match{}, archive.Problem(archive.TypeUsage, archive.Advise("quote a few words as they stand in the text: muniment cat prints it"), "quote: %w", err)
		}
		return m, nil
	}
	words, err := cite.Quote(doc, *within)
	if err != nil {
		return cite.Match{}, archive.Problem(archive.TypeInvalidLocator, archive.Advise("muniment cat prints the text; muniment help spans explains addresses"), "span: %w", err)
	}
	return cite.Match{Status: cite.Exact, Span: *within, Found: words, Length: len([]rune(words))}, nil
}

func similarity(m cite.Match) float64 {
	if m.Status == cite.Absent || m.Length == 0 || m.Edits >= m.Length {
		return 0
	}
	return 1 - float64(m.Edits)/float64(m.Length)
}

// wholeText is the span of everything a text says.
func wholeText(doc *canon.Document) (cite.Span, error) {
	return cite.SpanAt(doc, 0, len(doc.Payload())-1) // without the final LF, which is in no unit
}

// wholeMatch takes the whole text for the evidence.
func wholeMatch(doc *canon.Document) (cite.Match, error) {
	span, err := wholeText(doc)
	if err != nil {
		return cite.Match{}, err
	}
	words, err := cite.Quote(doc, span)
	return cite.Match{Status: cite.Exact, Span: span, Found: words, Length: len([]rune(words))}, err
}

// judge fills in the verdict and, where it is no, the fix.
func judge(a *archive.Archive, r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions) {
	switch m.Status {
	case cite.Exact, cite.Normalized:
		r.Span, r.Quote = m.Span.String(), m.Found
		r.VerificationStatus = string(ledger.Verified)
		unlike := unaligned(o.Claim, r.Artifact, m, doc)
		if relation == cite.Paraphrase && unlike != "" {
			r.VerificationStatus = string(ledger.Unverified)
			r.VerificationNotes = fmt.Sprintf("the words are at %s, but not every word, number and name of the claim is in them", r.Span)
			r.Suggestion = "use the words of the text in the claim, quote more of it, or register it as --relation inference_from"
		}
		if w := assign.Context(doc, m.Span, o.Claim); relation == cite.DirectQuote && w != "" {
			r.VerificationNotes = "the words are there, but " + w + " beside them may turn what they say; quote the whole sentence, or say so in the claim"
		} else if relation == cite.DirectQuote && (unlike == "number" || unlike == "negation" || unlike == "name") {
			r.VerificationNotes = fmt.Sprintf("the words are there, but a %s is not the same in the claim and in them", unlike)
		}
		if len([]rune(o.Quote)) > longQuote {
			r.warn(archive.Problem(archive.TypeQuoteTooLong, archive.Advise("quote the sentence that says it, and give the rest with --context"),
				"the quote is longer than %d characters; a shorter one is easier to check", longQuote))
		}
	case cite.Ambiguous:
		r.VerificationStatus = string(ledger.Failed)
		for _, s := range append([]cite.Span{m.Span}, m.Others...) {
			if s.IsZero() {
				continue
			}
			words, err := cite.Quote(doc, s)
			if err == nil {
				r.Places = append(r.Places, Place{Span: s.String(), Text: words})
			}
		}
		r.VerificationNotes = fmt.Sprintf("the quote is in %s at %d places", r.Name, len(r.Places))
		if len(r.Places) > 0 {
			r.Suggestion = "quote more words around it, or say which one: " + again(r, o, r.Places[0].Span, o.Quote)
		}
	default:
		r.VerificationStatus = string(ledger.Failed)
		r.VerificationNotes = "the quote is not in " + r.Name
		if o.Span != "" {
			r.VerificationNotes += " at " + o.Span
		}
		if m.Difference != "" {
			r.VerificationNotes += fmt.Sprintf("; the nearest words differ in %s", article(string(m.Difference)))
		}
		at := m.Nearest
		if m.Status == cite.Fuzzy {
			at = &m.Span
		}
		if at == nil || at.IsZero() {
			r.Suggestion = fmt.Sprintf("nothing like it is there; muniment search %s finds where it may be", shellWord(firstWords(o.Quote, 6)))
			break
		}
		words, err := cite.Quote(doc, *at)
		if err != nil {
			break
		}
		r.Nearest = &Place{Span: at.String(), Text: words}
		found := "the nearest words are"
		if words == o.Quote {
			found = "the same words are"
		}
		r.Suggestion = fmt.Sprintf("%s at %s: %s", found, at, again(r, o, at.String(), words))
	}
	r.SummaryNote = summary(r)
}

// again is the call that would verify, ready to run.
func again(r *CiteResult, o CiteOptions, span, quote string) string {
	call := fmt.Sprintf("muniment cite --artifact %s --span %s --quote %s --claim %s", shellWord(r.Name), span, shellWord(quote), shellWord(o.Claim))
	if o.Source != 0 {
		call = fmt.Sprintf("muniment cite --source %d --span %s --quote %s --claim %s", o.Source, span, shellWord(quote), shellWord(o.Claim))
	}
	if r.Relation != string(cite.DirectQuote) {
		call += " --relation " + r.Relation
	}
	for _, f := range []struct{ flag, value string }{{"session", o.Session}, {"agent", o.Agent}, {"user", o.User}, {"project", o.Project}, {"locator", o.Locator}} {
		if f.value != "" {
			call += " --" + f.flag + " " + shellWord(f.value)
		}
	}
	if o.Reasoning != "" {
		call += " --reasoning " + shellWord(o.Reasoning)
	}
	if o.Confidence != "high" {
		call += " --confidence " + o.Confidence
	}
	return call
}

func article(difference string) string {
	switch difference {
	case "number", "negation", "name":
		return "a " + difference
	case "case":
		return "upper and lower case"
	}
	return difference
}

// unaligned names the first test by which a claim is not said by the words it
// cites: a content word, number, name or negation of it is not in them. It is
// "" when all are.
func unaligned(claim string, artifact string, m cite.Match, doc *canon.Document) string {
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

// summary is one line that stands in a conversation for the whole call: the
// source as it was registered, where, and what was found.
func summary(r *CiteResult) string {
	name := r.Name
	if r.SourceName != "" {
		name = r.SourceName
	}
	at := r.Span
	if place := placeWords("", r.Locator); place != "" {
		at += " (" + place + ")"
	} else if r.said != "" {
		at += " (" + archive.Printable(r.said) + " as given)"
	}
	switch {
	case r.VerificationStatus == string(ledger.Verified):
		return fmt.Sprintf("cited %s %s, %s match", name, at, r.Match)
	case r.VerificationStatus == string(ledger.Failed) && slices.ContainsFunc(r.Checks, func(k ledger.Check) bool { return k.Step == "input" && k.Result == "fail" }):
		return fmt.Sprintf("not cited: %s %s is there, and what it was made from is not", name, at)
	case r.VerificationStatus == string(ledger.Failed) && r.Span != "":
		return fmt.Sprintf("not cited: %s %s is there and does not carry the claim", name, at)
	case r.VerificationStatus == string(ledger.Pending):
		return fmt.Sprintf("%s %s found, not judged yet", name, at)
	case r.Span != "":
		return fmt.Sprintf("%s %s found, support not shown", name, at)
	}
	return fmt.Sprintf("not cited: %s match in %s", r.Match, name)
}

// shellWord quotes an argument so that a suggestion can be pasted.
func shellWord(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}

// warn remarks on what is not an error here.
func (r *CiteResult) warn(e *archive.Error) {
	r.Warnings = append(r.Warnings, Warning{ErrorType: string(e.Kind), Message: e.Message, Suggestion: e.Next.Advice})
}
