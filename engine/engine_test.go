package engine

import (
	"errors"
	"testing"

	"muniment/archive/problem"
)

// Every method of an engine that New did not make returns an error.
func TestZeroEngine(t *testing.T) {
	ctx := t.Context()
	var e Engine
	for name, call := range map[string]func() error{
		"AddDocSource": func() error { _, err := e.Sources().AddDoc(ctx, "a", SourceOptions{}); return err },
		"AddWebSource": func() error { _, err := e.Sources().AddWeb(ctx, "https://example.org", SourceOptions{}); return err },
		"AddDBSource":  func() error { _, err := e.Sources().AddDB(ctx, DBSourceOptions{Identifier: "a"}); return err },
		"AddCustomSource": func() error {
			_, err := e.Sources().AddCustom(ctx, CustomSourceOptions{Name: "a", Content: "b"})
			return err
		},
		"Source":             func() error { _, err := e.Sources().Get(1); return err },
		"Sources":            func() error { _, err := e.Sources().List("", 0, 0); return err },
		"Cite":               func() error { _, err := e.Cite(ctx, CiteOptions{Artifact: "a", Quote: "b", Claim: "c"}); return err },
		"CiteDoc":            func() error { _, err := e.CiteDoc(ctx, 1, CiteOptions{}); return err },
		"CiteNegative":       func() error { _, err := e.CiteNegative(ctx, NegativeOptions{Claim: "a", Query: "b"}); return err },
		"Searches":           func() error { _, err := e.Searches(""); return err },
		"Citation":           func() error { _, err := e.Citations().Get("1"); return err },
		"Citations":          func() error { _, err := e.Citations().List(CitationFilter{}); return err },
		"CitationsForSource": func() error { _, err := e.Citations().ForSource(1); return err },
		"CitationsBySession": func() error { _, err := e.Citations().BySession("a"); return err },
		"Claims":             func() error { _, err := e.Citations().Claims("", 0, 0); return err },
		"Link":               func() error { _, err := e.Link("1", "supports", "2"); return err },
		"Why":                func() error { _, err := e.Citations().Why("1"); return err },
		"VerifyPending":      func() error { _, err := e.VerifyPending(ctx, CitationFilter{}); return err },
		"FormatCitation":     func() error { _, err := e.FormatCitation(1, ""); return err },
		"ExportBibliography": func() error { _, err := e.ExportBibliography("", ""); return err },
		"Review":             func() error { _, err := e.Reviews().Add(ReviewOptions{Citation: "1"}, nil); return err },
		"ToReview":           func() error { _, err := e.Reviews().Queue(ReviewFilter{}); return err },
		"New":                func() error { _, err := New(nil, Caller{}); return err },
	} {
		var failure *problem.Error
		if err := call(); !errors.As(err, &failure) || failure.Next.IsZero() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
