package engine

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon/dbresult"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/text/legible"
)

// Facts of the record of a source whose content its caller gave.
const (
	factSourceType  = holdings.FactSourceType  // database or custom
	factIdentifier  = "identifier"             // of the source, as the caller names it
	factDerivedFrom = holdings.FactDerivedFrom // IDs of the artifacts and citations it was made from, separated by blanks
	factQuery       = "query"
	factResult      = "result_description"
	factDescription = "description"
)

// A RegisteredSource is a source with the number that callers cite it by.
type RegisteredSource struct {
	SourceID    int64             `json:"source_id"`
	Type        string            `json:"type"` // document, website, database, custom
	Identifier  string            `json:"identifier"`
	Name        string            `json:"name"`
	Version     string            `json:"version,omitempty"`
	Artifact    string            `json:"artifact,omitempty"`
	Record      string            `json:"record,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
	DerivedFrom []string          `json:"derived_from,omitempty"`
	Query       string            `json:"query,omitempty"`              // of a database
	Result      string            `json:"result_description,omitempty"` // of a database
	Description string            `json:"description,omitempty"`        // of what an agent made
	Content     string            `json:"content,omitempty"`            // the text, where it is asked for by Sources.Describe and short
	ContentSize int64             `json:"content_size,omitempty"`       // bytes of the text; cat writes what Content has not
	New         bool              `json:"source_registered"`            // by this call
	Session     string            `json:"session,omitempty"`
	CreatedBy   string            `json:"created_by,omitempty"`
	Project     string            `json:"project,omitempty"`
	CreatedAt   string            `json:"created_at"`
}

// describeArtifact returns an artifact as a source that is not registered yet.
func (ss Sources) describeArtifact(art *holdings.Artifact) ledger.Source {
	s := ledger.Source{Type: "document", Identifier: art.Name(), Name: art.Name(), Artifact: art.ID.String()}
	h, ok := art.FirstRecord()
	if !ok {
		return s
	}
	s.Record = h.ID.String()
	if src := h.Record.Source; src != nil {
		if src.URL != "" {
			s.Type, s.Identifier = "website", src.URL
		}
		if src.Title != "" {
			s.Name = src.Title
		}
	}
	if h.Record.Canonicalizer == dbresult.Name {
		s.Type = "database"
	}
	if typ := h.Record.Facts[factSourceType]; typ == "database" || typ == "custom" {
		s.Type = typ
	}
	if id := h.Record.Facts[factIdentifier]; id != "" {
		s.Identifier, s.Name = id, id
	}
	if from := h.Record.Facts[factDerivedFrom]; from != "" {
		s.Inputs = strings.Fields(from)
	}
	return s
}

// registerSource enters a source in the ledger and returns it with its number. A
// source that is registered keeps its number.
func (ss Sources) registerSource(s ledger.Source) (*RegisteredSource, error) {
	l, err := ss.e.ledger()
	if err != nil {
		return nil, err
	}
	s.Time = ss.e.arch.World().Now()
	s.Project, s.Session, s.Agent, s.User = ss.e.caller.Project, ss.e.caller.Session, ss.e.caller.Agent, ss.e.caller.User
	id, added, err := l.AddSource(s)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	if s, err = l.Source(id); err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := describeSource(s)
	out.New = added
	return &out, nil
}

// describeSource returns a source of the ledger as callers see it.
func describeSource(s ledger.Source) RegisteredSource {
	return RegisteredSource{SourceID: s.ID, Type: s.Type, Identifier: s.Identifier, Name: s.Name, Version: s.Version, Artifact: s.Artifact, Record: s.Record,
		Metadata: s.Metadata, DerivedFrom: s.Inputs, Session: s.Session, CreatedBy: s.Agent, Project: s.Project, CreatedAt: s.Time.UTC().Format(time.RFC3339)}
}

// sourceNames keeps the names under which sources were registered, so that each
// is read once.
type sourceNames struct {
	ledger *ledger.Ledger
	known  map[int64]string
}

// find returns the name of a source for people, with its version where it has
// one; "" for no source.
func (n *sourceNames) find(id int64) (string, error) {
	if name, ok := n.known[id]; ok || id == 0 {
		return name, nil
	}
	s, err := n.ledger.Source(id)
	if err != nil {
		return "", err
	}
	if n.known == nil {
		n.known = map[int64]string{}
	}
	n.known[id] = joinVersion(s.Name, s.Version)
	return n.known[id], nil
}

// joinVersion returns a name followed by its version, if any.
func joinVersion(name, version string) string {
	if version == "" {
		return name
	}
	return name + ", version " + version
}

// Get returns a registered source by its number. A source that the caller may
// not read is SourceNotFound.
func (ss Sources) Get(id int64) (*RegisteredSource, error) {
	l, err := ss.e.ledger()
	if err != nil {
		return nil, err
	}
	s, err := l.Source(id)
	if errors.Is(err, ledger.ErrNotFound) || err == nil && !ss.e.caller.May(ActReadSource, Owner{s.Project, s.Session, s.Agent}) {
		return nil, problem.New(problem.SourceNotFound, problem.Next(DoListSources), "no source %d", id)
	}
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := describeSource(s)
	return &out, nil
}

// Describe returns a registered source with what its record says of it, and its
// text where that has at most 4,096 code points.
func (ss Sources) Describe(id int64) (*RegisteredSource, error) {
	out, err := ss.Get(id)
	if err != nil {
		return nil, err
	}
	tree, err := ss.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	c := ss.e.Catalog(tree)
	if record, err := cid.Parse(out.Record); err == nil {
		h, ok, err := c.FindRecord(record)
		if err != nil {
			return nil, err
		}
		if ok {
			facts := h.Record.Facts
			out.Query, out.Result, out.Description = facts[factQuery], facts[factResult], facts[factDescription]
		}
	}
	artifact, err := cid.Parse(out.Artifact)
	if err != nil {
		return out, nil // a record alone
	}
	art, err := c.Artifact(artifact)
	if err != nil || art == nil || art.Withdrawn {
		return out, err
	}
	doc, err := ss.e.arch.Document(tree, art)
	if err != nil {
		return out, nil // no text, or one that is elsewhere: cat says so
	}
	out.ContentSize = int64(len(doc.Payload()))
	if utf8.RuneCount(doc.Payload()) <= maxKeptText {
		out.Content = string(doc.Payload())
	}
	return out, nil
}

// List returns the registered sources that the caller may read, by number: of
// one type, or of every type for "", above the number after, of at most limit sources, 0 of all.
func (ss Sources) List(typ string, after int64, limit int) ([]RegisteredSource, error) {
	if typ != "" && !slices.Contains(ledger.SourceTypes[:], typ) {
		return nil, problem.New(problem.Usage, problem.Advise("document, website, database or custom"), "type of source %q", legible.Printable(typ))
	}
	l, err := ss.e.ledger()
	if err != nil {
		return nil, err
	}
	all, err := l.Sources(ledger.SourceFilter{Type: typ, Project: ss.e.caller.Project, After: after, Limit: limit})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := []RegisteredSource{}
	for _, s := range all {
		if ss.e.caller.May(ActReadSource, Owner{s.Project, s.Session, s.Agent}) {
			out = append(out, describeSource(s))
		}
	}
	return out, nil
}

// Registered reports whether the caller itself registered an artifact as a source.
func (ss Sources) Registered(artifact string) (bool, error) {
	l, err := ss.e.ledger()
	if err != nil {
		return false, err
	}
	all, err := l.Sources(ledger.SourceFilter{Artifact: artifact, Project: ss.e.caller.Project})
	return slices.ContainsFunc(all, func(s ledger.Source) bool { return ss.e.caller.isAuthor(Owner{s.Project, s.Session, s.Agent}) }), problem.Wrap(err, "ledger")
}

// chooseRelation returns the relation of a citation that names none: aggregation
// for the answer of a database and for what was made from other sources, else
// direct_quote.
func chooseRelation(s *ledger.Source) cite.Relation {
	if s.Type == "database" || s.Type == "custom" && len(s.Inputs) > 0 {
		return cite.Aggregation
	}
	return cite.DirectQuote
}

// findSource returns the registered source of the same artifact as s, or of the same
// record, that the caller may read: the newest of an artifact, the oldest of a record;
// s itself, which has no number, where there is none.
func (ss Sources) findSource(s ledger.Source, byRecord bool) (ledger.Source, error) {
	l, err := ss.e.ledger()
	if err != nil {
		return s, err
	}
	f := ledger.SourceFilter{Artifact: s.Artifact, Project: ss.e.caller.Project}
	if byRecord {
		f = ledger.SourceFilter{Record: s.Record, Project: ss.e.caller.Project}
	}
	known, err := l.Sources(f)
	if err != nil {
		return s, problem.Wrap(err, "ledger")
	}
	if !byRecord {
		slices.Reverse(known)
	}
	for _, one := range known {
		if ss.e.caller.May(ActReadSource, Owner{one.Project, one.Session, one.Agent}) {
			return one, nil
		}
	}
	return s, nil
}

// describeRecord returns the source that a record describes, if it is not registered yet.
func describeRecord(h holdings.StoredRecord, name string) ledger.Source {
	s := ledger.Source{Type: "document", Identifier: name, Name: name, Artifact: h.Record.Artifact, Record: h.ID.String()}
	if src := h.Record.Source; src != nil {
		if src.URL != "" {
			s.Type, s.Identifier = "website", src.URL
		}
		if src.Title != "" {
			s.Name = src.Title
		}
	}
	return s
}
