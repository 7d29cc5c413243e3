package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/ledger"
)

// NegativeOptions are a claim without support. Claim is required, and Query or
// Artifact.
type NegativeOptions struct {
	Claim     string
	Query     string
	Artifact  string   // id or name; "" for the whole archive
	Source    int64    // number of a registered source, in the place of Artifact
	Spans     []string // what was read of the artifact; all of it when empty
	Locator   string   // where the caller looked: a JSON object, kept as given
	Reasoning string
}

// A SearchRecord is the record of a search without support.
type SearchRecord struct {
	SearchID      int64          `json:"search_id"`
	Claim         string         `json:"claim"`
	Query         string         `json:"query,omitempty"`
	LookedThrough string         `json:"looked_through"` // what was searched or read, in words
	SourceID      int64          `json:"source_id,omitempty"`
	Artifact      string         `json:"artifact,omitempty"`
	Name          string         `json:"name,omitempty"`
	Locator       map[string]any `json:"locator,omitempty"` // the caller's, as given
	Snapshot      string         `json:"snapshot,omitempty"`
	Spans         []string       `json:"spans"` // what was read; of a search, the places that it found
	Reasoning     string         `json:"reasoning,omitempty"`
	Session       string         `json:"session,omitempty"`
	CreatedBy     string         `json:"created_by,omitempty"`
	Project       string         `json:"project,omitempty"`
	CreatedAt     string         `json:"created_at"`
	SummaryNote   string         `json:"summary_note,omitempty"`
}

// CiteNegative registers a search record: a claim for which a search found no
// support. A search record is no citation and never raises coverage. None is registered
// while a part of the snapshot is not searched: the error is of kind NotSearched.
func (e *Engine) CiteNegative(ctx context.Context, o NegativeOptions) (*SearchRecord, error) {
	if o.Source != 0 {
		if o.Artifact != "" {
			return nil, problem.New(problem.Usage, problem.Next(DoCiteNegative), "both an artifact and a source were given")
		}
		source, err := e.Sources().Get(o.Source)
		if err != nil {
			return nil, err
		}
		o.Artifact = source.Artifact
	}
	if o.Claim == "" || o.Query == "" && o.Artifact == "" {
		return nil, problem.New(problem.Usage, problem.Next(DoCiteNegative), "a negative citation needs a claim, and what was searched or read")
	}
	if err := e.caller.Require(ActCreate, e.caller.Self()); err != nil {
		return nil, err
	}
	if _, err := parseLocator(o.Locator); err != nil {
		return nil, err
	}
	l, err := e.ledger()
	if err != nil {
		return nil, err
	}
	s := ledger.SearchRecord{Time: e.arch.World().Now(), Claim: o.Claim, Query: o.Query, Source: o.Source, Locator: o.Locator, Reasoning: o.Reasoning,
		Project: e.caller.Project, Session: e.caller.Session, Agent: e.caller.Agent, User: e.caller.User}
	if head, _, err := e.arch.Head(); err != nil {
		return nil, err
	} else if head != nil {
		s.Snapshot = head.ID.String()
	}
	name := ""
	switch {
	case o.Artifact != "":
		name, err = e.noteSpans(&s, o)
	case s.Snapshot != "":
		err = e.noteHits(ctx, &s)
	}
	if err != nil {
		return nil, err
	}
	if s.ID, err = l.AddSearch(s); err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	r := describeSearch(s, name)
	r.SummaryNote = fmt.Sprintf("looked for in %s, not supported: search record %d", cmp.Or(name, "the archive"), s.ID)
	return &r, nil
}

// noteSpans enters the spans that were read of an artifact, and returns its name.
func (e *Engine) noteSpans(s *ledger.SearchRecord, o NegativeOptions) (name string, err error) {
	tree, err := e.arch.NewestTree()
	if err != nil {
		return "", err
	}
	c := e.Catalog(tree)
	art, err := c.Resolve(o.Artifact)
	if err != nil {
		return "", err
	}
	doc, err := e.arch.Document(tree, art)
	if err != nil {
		return "", err
	}
	s.Artifact = art.ID.String()
	for _, text := range o.Spans {
		span, err := inventory.ParseSpan(doc, text)
		if err != nil {
			return "", err
		}
		s.Spans = append(s.Spans, span.String())
	}
	if len(o.Spans) == 0 {
		span, err := spanWholeText(doc)
		if err != nil {
			return "", problem.Wrap(err, "span")
		}
		s.Spans = []string{span.String()}
	}
	return art.Name(), nil
}

// noteHits searches the newest snapshot for the query and enters what it finds.
func (e *Engine) noteHits(ctx context.Context, s *ledger.SearchRecord) error {
	const reviewed = 10 // what a person reads of a list
	found, err := search.Search(ctx, e.arch, s.Query, reviewed, e.reader, nil)
	if err != nil {
		return err
	}
	if err := found.Searched.NotSearched(); err != nil {
		return err // the claim may have its support in the rest
	}
	for _, hit := range found.Hits {
		s.Spans = append(s.Spans, hit.Artifact+"#"+hit.Span)
	}
	return nil
}

// describeSearch returns a search record of the ledger as callers see it. The name is
// that of its artifact.
func describeSearch(s ledger.SearchRecord, name string) SearchRecord {
	out := SearchRecord{SearchID: s.ID, Claim: s.Claim, Query: s.Query, SourceID: s.Source, Locator: objectOf(s.Locator), Artifact: s.Artifact, Name: name, Snapshot: s.Snapshot, Spans: s.Spans, Reasoning: s.Reasoning,
		Session: s.Session, CreatedBy: s.Agent, Project: s.Project, CreatedAt: s.Time.UTC().Format(time.RFC3339)}
	if out.Spans == nil {
		out.Spans = []string{}
	}
	switch {
	case s.Artifact != "":
		out.LookedThrough = cmp.Or(name, s.Artifact) + " " + strings.Join(s.Spans, ", ")
	case s.Snapshot == "":
		out.LookedThrough = "an archive without a snapshot"
	case len(s.Spans) == 0:
		out.LookedThrough = "the newest snapshot, in which the search found nothing"
	default:
		out.LookedThrough = fmt.Sprintf("the newest snapshot, in which the search found places: %d", len(s.Spans))
	}
	return out
}

// Searches returns the search records that the caller may read, those of a session
// or all for "".
func (e *Engine) Searches(session string) ([]SearchRecord, error) {
	l, err := e.ledger()
	if err != nil {
		return nil, err
	}
	all, err := l.Searches(e.caller.Narrow(ledger.Filter{Session: session}))
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	c := e.Catalog(tree)
	out := []SearchRecord{}
	for _, s := range all {
		if e.caller.May(ActReadCitation, Owner{s.Project, s.Session, s.Agent}) {
			name := ""
			if id, err := cid.Parse(s.Artifact); err == nil {
				if name, err = findName(c, id); err != nil {
					return nil, err
				}
			}
			out = append(out, describeSearch(s, name))
		}
	}
	return out, nil
}
