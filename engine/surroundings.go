package engine

import (
	"strings"
	"unicode/utf8"

	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
)

// Where the quote_context of a result or of a citation comes from.
const (
	ContextGiven  = "caller" // the caller gave it
	ContextFilled = "source" // the caller gave none: it is the paragraph of the words
)

// setContext compares the caller's context with the text, or fills in the paragraph
// where the caller gave none. A context that is not there changes no verdict: it is
// kept as given, and a note and a check say so.
func (r *CiteResult) setContext(doc *canon.Document, at cite.Span, given string) error {
	if strings.TrimSpace(given) == "" {
		if r.Span == "" {
			return nil
		}
		filled, err := paragraphAt(doc, at)
		if r.QuoteContext = filled; filled != "" {
			r.ContextFrom = ContextFilled
		}
		return err
	}
	r.QuoteContext, r.ContextFrom = given, ContextGiven
	m, err := cite.Find(doc, given, nil)
	if err != nil {
		return err
	}
	found := "at " + m.Span.String()
	switch {
	case !m.Verifies() && m.Status != cite.Ambiguous:
		found = "not in the source"
		r.note("the quote_context is not in the source")
	case r.Span != "" && !holdsSpan(doc, append([]cite.Span{m.Span}, m.Others...), at):
		r.note("the quote_context is in the source, and not around the quote")
	default:
		r.Checks = append(r.Checks, ledger.Check{Step: "context", Result: "pass", Expected: clip(given), Found: found})
		return nil
	}
	r.Checks = append(r.Checks, ledger.Check{Step: "context", Result: "fail", Expected: clip(given), Found: found})
	return nil
}

// holdsSpan reports whether one of the places of a text holds the words at a span.
func holdsSpan(doc *canon.Document, places []cite.Span, at cite.Span) bool {
	start, end, err := cite.Resolve(doc, at)
	if err != nil {
		return false
	}
	for _, p := range places {
		if from, to, err := cite.Resolve(doc, p); err == nil && from <= start && end <= to {
			return true
		}
	}
	return false
}

// paragraphAt returns the paragraphs of a text that hold the words at a span, "" where
// they are longer than what the ledger keeps of a span.
func paragraphAt(doc *canon.Document, at cite.Span) (string, error) {
	if at.IsZero() {
		return "", nil
	}
	_, words, err := search.Paragraphs(doc, at)
	if utf8.RuneCountInString(words) > maxKeptText {
		words = ""
	}
	return words, err
}

// fillContext sets the context of a citation whose caller gave none to the paragraph
// of its words, where the newest tree has the artifact.
func (cs Citations) fillContext(c *CitationInfo) error {
	if c.QuoteContext != "" {
		c.ContextFrom = ContextGiven
		return nil
	}
	id, err := cid.ParseAs(cid.Raw, c.Artifact)
	if err != nil || c.Span == "" {
		return nil // a fact of a record, or words that are nowhere
	}
	at, err := cite.ParseSpan(c.Span)
	if err != nil {
		return nil
	}
	tree, err := cs.e.arch.NewestTree()
	if err != nil {
		return err
	}
	art, err := cs.e.Catalog(tree).Artifact(id)
	if err != nil || art == nil || art.Withdrawn {
		return err
	}
	doc, err := cs.e.arch.Document(tree, art)
	if err != nil {
		return nil // the citation is shown without it, and why says what is wrong with the text
	}
	filled, err := paragraphAt(doc, at)
	if err != nil {
		return problem.Wrap(err, "citation")
	}
	if c.QuoteContext = filled; filled != "" {
		c.ContextFrom = ContextFilled
	}
	return nil
}
