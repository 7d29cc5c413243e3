package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"muniment/archive"
	"muniment/canon"
	"muniment/cite"
	"muniment/ledger"
)

// citeRecord registers a metadata_fact: words of a record's field, such as a
// source's title. It is all that can be cited of a source without a body.
func (e *Engine) citeRecord(ctx context.Context, t *target, given givenLocator, method string, o CiteOptions) (*CiteResult, error) {
	if strings.TrimSpace(o.Quote) == "" && o.Span == "" {
		o.Quote = o.Context
	}
	h, name, err := t.catalog.ResolveRecord(o.Artifact)
	if err != nil {
		return nil, err
	}
	data, err := h.Record.Encode()
	if err != nil {
		return nil, archive.Environment(err, "record")
	}
	m, places, err := findInRecord(data, o)
	if err != nil {
		return nil, err
	}
	if t.source.ID == 0 {
		if t.source.ID, err = e.numberRecord(h, name); err != nil {
			return nil, err
		}
	}
	r := &CiteResult{Match: string(m.Status), Edits: m.Edits, Length: m.Length, Difference: string(m.Difference), Similarity: similarity(m),
		Relation: string(cite.MetadataFact), Artifact: h.ID.String(), Name: name, SourceID: t.source.ID, SourceRegistered: t.registered}
	ev := evidence{artifact: h.ID, source: t.source.ID, method: method}
	words := m.Found
	switch {
	case len(places) == 1 && m.Verifies():
		r.Span, r.Quote, r.VerificationStatus = places[0].Span, places[0].Text, string(ledger.Verified)
		span, err := cite.ParseMetaSpan(r.Span)
		if err == nil {
			ev.anchor, err = cite.AnchorOfMeta(data, span)
		}
		if err != nil {
			return nil, archive.Environment(err, "citation")
		}
	case len(places) > 1:
		r.VerificationStatus, r.Places = string(ledger.Failed), places
		r.VerificationNotes = fmt.Sprintf("the words are in %d fields of the record of %s", len(places), name)
		r.Suggestion = "say which field with --span " + places[0].Span
	default:
		r.VerificationStatus = string(ledger.Failed)
		r.VerificationNotes = "the words are not in the record of " + name
		r.Suggestion = "muniment show " + shellWord(name) + " prints the record"
		if len(places) == 1 {
			r.Nearest = &places[0]
			r.Suggestion = fmt.Sprintf("the nearest words are at %s: %s", places[0].Span, shellWord(places[0].Text))
		}
	}
	r.note(disagreements(given, nil)...)
	r.Checks = []ledger.Check{{Step: "registry", Result: "pass", Expected: "a registered source", Found: "the record of " + name}}
	if r.Span == "" {
		r.Checks = append(r.Checks, ledger.Check{Step: "match", Result: "fail", Expected: clip(o.Quote), Found: clip(r.Match + ": " + words)})
	} else {
		r.Checks = append(r.Checks, ledger.Check{Step: "match", Result: "pass", Expected: clip(o.Quote), Found: clip(r.Match + ": " + r.Quote)},
			ledger.Check{Step: "span", Result: "pass", Expected: "a field of the record", Found: r.Span},
			ledger.Check{Step: "hash", Result: "pass", Expected: ev.anchor.SHA256, Found: hexSum(r.Quote)})
	}
	return r, e.register(ctx, r, ev, m, cite.MetadataFact, o)
}

// hexSum is the sha256 of a text in lower case hexadecimal.
func hexSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// numberRecord finds the number of the source that a record describes, or
// gives it one.
func (e *Engine) numberRecord(h archive.StoredRecord, name string) (int64, error) {
	l, err := e.arch.Ledger()
	if err != nil {
		return 0, err
	}
	known, err := l.Sources(ledger.SourceFilter{Record: h.ID.String(), Project: e.who.Project})
	if err != nil {
		return 0, archive.Environment(err, "ledger")
	}
	for _, s := range known {
		if e.who.May(ActReadSource, Owner{s.Project, s.Session, s.Agent}) {
			return s.ID, nil
		}
	}
	s := ledger.Source{Type: "document", Identifier: name, Name: name, Artifact: h.Record.Artifact, Record: h.ID.String()}
	if src := h.Record.Source; src != nil {
		if src.URL != "" {
			s.Type, s.Identifier = "website", src.URL
		}
		if src.Title != "" {
			s.Name = src.Title
		}
	}
	got, err := e.registerSource(s)
	if err != nil {
		return 0, err
	}
	return got.SourceID, nil
}

// bodilessHint returns the call that cites the same words of a record alone, ""
// where o names none. The span stands there when the words are in one field.
func bodilessHint(c *archive.Catalog, o CiteOptions) string {
	h, _, err := c.ResolveRecord(o.Artifact)
	if err != nil || h.Record.Artifact != "" {
		return ""
	}
	o.Span = ""
	hint := "muniment cite --relation metadata_fact --artifact " + h.ID.String()
	data, err := h.Record.Encode()
	if err != nil {
		return hint + " --quote TEXT --claim TEXT"
	}
	if m, places, err := findInRecord(data, o); err == nil && m.Verifies() && len(places) == 1 {
		return hint + " --span " + places[0].Span + " --claim " + shellWord(o.Claim)
	}
	if title := []rune(h.Record.Source.Title); len(title) > 0 {
		return fmt.Sprintf("%s --span meta:source.title:0-%d --claim %s", hint, len(title), shellWord(o.Claim))
	}
	return hint + " --quote " + shellWord(h.Record.Source.URL) + " --claim " + shellWord(o.Claim)
}

// findInRecord looks words up in the fields of a record. It returns the places
// that verify, or else the nearest one.
func findInRecord(data []byte, o CiteOptions) (cite.Match, []Place, error) {
	fields, err := cite.MetaFields(data)
	if err != nil {
		return cite.Match{}, nil, archive.Environment(err, "record")
	}
	field := strings.TrimPrefix(o.Span, cite.MetaPrefix)
	if span, err := cite.ParseMetaSpan(o.Span); err == nil {
		if strings.TrimSpace(o.Quote) == "" {
			words, err := cite.QuoteMeta(data, span)
			if err != nil {
				return cite.Match{}, nil, archive.Problem(archive.TypeInvalidLocator, archive.Advise("muniment show prints the record"), "%w", err)
			}
			return cite.Match{Status: cite.Exact, Found: words, Length: len([]rune(words))}, []Place{{Span: o.Span, Text: words}}, nil
		}
		field = span.Field
	}
	best, near := cite.Match{Status: cite.Absent, Length: len([]rune(o.Quote))}, []Place(nil)
	var places []Place
	for _, f := range fields {
		if field != "" && f.Path != field {
			continue
		}
		m, err := cite.Find(canon.NewDocument([]byte(f.Value+"\n")), o.Quote, nil)
		if err != nil {
			return cite.Match{}, nil, archive.Problem(archive.TypeUsage, archive.Advise("quote words of a field: muniment show prints the record"), "quote: %w", err)
		}
		at := m.Span
		if m.Nearest != nil && !m.Verifies() {
			at = *m.Nearest
		}
		if at.IsZero() {
			continue
		}
		place := Place{Span: cite.MetaSpan{Field: f.Path, Start: at.From.Offset, End: at.To.Offset}.String(), Text: m.Found}
		switch {
		case m.Verifies():
			places = append(places, place)
			best = m
		case len(places) == 0 && (near == nil || similarity(m) > similarity(best)):
			best, near = m, []Place{place}
		}
	}
	if len(places) > 1 {
		best.Status = cite.Ambiguous
	}
	if len(places) > 0 {
		return best, places, nil
	}
	return best, near, nil
}
