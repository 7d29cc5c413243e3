package engine

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/canon/dbresult"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// Facts of the records of sources that callers hand in.
const (
	factSourceType  = "source_type"  // database or custom
	factIdentifier  = "identifier"   // of the source, as the caller names it
	factDerivedFrom = "derived_from" // IDs of the artifacts and citations it was made from, separated by blanks
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
	New         bool              `json:"source_registered"` // by this call
	Session     string            `json:"session,omitempty"`
	CreatedBy   string            `json:"created_by,omitempty"`
	Project     string            `json:"project,omitempty"`
	CreatedAt   string            `json:"created_at"`
}

// SourceOptions describe a source. The zero value takes the name from what is
// registered.
type SourceOptions struct {
	Name     string
	Version  string
	Metadata map[string]string

	AllowPrivate bool   // of AddOptions
	IgnoreRobots string // of AddOptions
}

// AddDocSource takes a file in, or finds it taken in, and registers it.
func (e *Engine) AddDocSource(ctx context.Context, path string, o SourceOptions) (*RegisteredSource, error) {
	if err := e.who.Require(ActCreate, e.who.Self()); err != nil {
		return nil, err
	}
	if accession.Scheme(path) != "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment source add-web "+archive.Printable(path)), "%s is an address, not a file", archive.Printable(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, archive.Problem(archive.TypeSourceNotFound, archive.Advise("check the path"), "%s: %s", archive.Printable(path), archive.Reason(err))
	}
	if info.IsDir() {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment add takes folders in; register their files one by one"), "%s is a folder", archive.Printable(path))
	}
	return e.takeSource(ctx, path, "document", o)
}

// AddWebSource fetches a page, archives it and registers it. Nothing is
// rendered; there is no screenshot.
func (e *Engine) AddWebSource(ctx context.Context, url string, o SourceOptions) (*RegisteredSource, error) {
	if err := e.who.Require(ActCreate, e.who.Self()); err != nil {
		return nil, err
	}
	if s := accession.Scheme(url); s != "http" && s != "https" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment source add-doc takes a file in"), "%s is not an http or https address", archive.Printable(url))
	}
	return e.takeSource(ctx, url, "website", o)
}

// takeSource adds one input and registers the artifact it became.
func (e *Engine) takeSource(ctx context.Context, arg, typ string, o SourceOptions) (*RegisteredSource, error) {
	added, err := accession.Add(ctx, e.arch, []string{arg}, accession.AddOptions{AllowPrivate: o.AllowPrivate, IgnoreRobots: o.IgnoreRobots})
	if err != nil {
		return nil, err
	}
	return e.enter(added, typ, "", nil, o)
}

// enter registers the first artifact of an add. Its parts are in the archive
// too, and are registered when they are cited.
func (e *Engine) enter(added *accession.AddResult, typ, identifier string, inputs []string, o SourceOptions) (*RegisteredSource, error) {
	if len(added.Artifacts) == 0 {
		return nil, archive.Problem(archive.TypeSourceNotFound, archive.Advise("a source without a body is registered with muniment source add"), "nothing was taken in")
	}
	first := added.Artifacts[0]
	id, err := cid.Parse(first.ID)
	if err != nil {
		return nil, archive.Environment(err, "source")
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	c, err := e.arch.Catalog(tree)
	if err != nil {
		return nil, err
	}
	art := c.ByID[id]
	if art == nil {
		return nil, archive.Problem(archive.TypeSourceNotFound, archive.Advise("run the same command again"), "%s was taken out again by another process", first.Path)
	}
	s := e.sourceOf(art)
	s.Type, s.Inputs, s.Version, s.Metadata = typ, inputs, o.Version, o.Metadata
	if identifier != "" {
		s.Identifier = identifier
	} else if typ == "document" {
		s.Identifier = first.Path
	}
	if o.Name != "" {
		s.Name = o.Name
	}
	return e.registerSource(s)
}

// sourceOf describes an artifact as a source that is not registered yet.
func (e *Engine) sourceOf(art *archive.Artifact) ledger.Source {
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

// registerSource gives a source its number.
func (e *Engine) registerSource(s ledger.Source) (*RegisteredSource, error) {
	l, err := e.arch.Ledger()
	if err != nil {
		return nil, err
	}
	s.Time = e.arch.World().Now()
	s.Project, s.Session, s.Agent, s.User = e.who.Project, e.who.Session, e.who.Agent, e.who.User
	id, added, err := l.AddSource(s)
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	if s, err = l.Source(id); err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	out := sourceResult(s)
	out.New = added
	return &out, nil
}

func sourceResult(s ledger.Source) RegisteredSource {
	return RegisteredSource{SourceID: s.ID, Type: s.Type, Identifier: s.Identifier, Name: s.Name, Version: s.Version, Artifact: s.Artifact, Record: s.Record,
		Metadata: s.Metadata, DerivedFrom: s.Inputs, Session: s.Session, CreatedBy: s.Agent, Project: s.Project, CreatedAt: s.Time.UTC().Format(time.RFC3339)}
}

// sourceNames looks up how sources were registered, each once.
type sourceNames struct {
	ledger *ledger.Ledger
	known  map[int64]string
}

// of returns the name of a source for people, with its version where it has
// one; "" for no source.
func (n *sourceNames) of(id int64) (string, error) {
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
	n.known[id] = withVersion(s.Name, s.Version)
	return n.known[id], nil
}

func withVersion(name, version string) string {
	if version == "" {
		return name
	}
	return name + ", version " + version
}

// DBSourceOptions describe the answer of a database. Identifier is required,
// and Content, Rows or ResultDescription.
type DBSourceOptions struct {
	SourceOptions
	Identifier        string // of the database
	Query             string
	ResultDescription string
	Content           string // the result as text
	Columns           []dbresult.Column
	Rows              [][]any // with Columns, in the place of Content
	Ordered           bool    // the query promises the order of the rows
	DerivedFrom       []string
}

// AddDBSource keeps the answer of a database and registers it.
func (e *Engine) AddDBSource(ctx context.Context, o DBSourceOptions) (*RegisteredSource, error) {
	if o.Identifier == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise(`muniment source add-db NAME --query SQL --content FILE`), "a database source needs the name of the database")
	}
	got := accession.Body{MediaType: "text/plain; charset=utf-8", Data: []byte(o.Content)}
	if len(o.Columns) > 0 {
		data, err := dbresult.New(o.Query, o.Columns, o.Rows, o.Ordered)
		if err != nil {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment man describes dbresult@1"), "result: %w", err)
		}
		got = accession.Body{MediaType: dbresult.MediaType, Data: data}
	} else if strings.TrimSpace(o.Content) == "" {
		got.Data = []byte(o.ResultDescription)
	}
	got.Facts = map[string]string{factSourceType: "database", factIdentifier: o.Identifier, factQuery: o.Query, factResult: o.ResultDescription}
	return e.hand(ctx, "database", o.Identifier, got, o.DerivedFrom, o.SourceOptions)
}

// CustomSourceOptions describe something that an agent made: a matrix, a plot's
// data, an analysis. Name and Content are required.
type CustomSourceOptions struct {
	SourceOptions
	Name        string
	Content     string
	MediaType   string // text/plain when empty
	Description string
	// DerivedFrom names what it was made from: artifacts by id or name,
	// citations by number or id.
	DerivedFrom []string
}

// AddCustomSource keeps what an agent made and registers it, with what it was
// made from.
func (e *Engine) AddCustomSource(ctx context.Context, o CustomSourceOptions) (*RegisteredSource, error) {
	if o.Name == "" || strings.TrimSpace(o.Content) == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment source add-custom NAME --content FILE --derived-from NAME"), "a custom source needs a name and content")
	}
	if o.MediaType == "" {
		o.MediaType = "text/plain; charset=utf-8"
	}
	got := accession.Body{MediaType: o.MediaType, Data: []byte(o.Content),
		Facts: map[string]string{factSourceType: "custom", factIdentifier: o.Name, factDescription: o.Description}}
	return e.hand(ctx, "custom", o.Name, got, o.DerivedFrom, o.SourceOptions)
}

// hand takes in bytes that a caller hands over, and registers them.
func (e *Engine) hand(ctx context.Context, typ, identifier string, got accession.Body, from []string, o SourceOptions) (*RegisteredSource, error) {
	if err := e.who.Require(ActCreate, e.who.Self()); err != nil {
		return nil, err
	}
	if len(got.Data) == 0 || strings.TrimSpace(string(got.Data)) == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give its content with --content FILE"), "the %s source %s has no content", typ, archive.Printable(identifier))
	}
	inputs, err := e.inputsOf(from)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, in := range inputs {
		if _, err := cid.Parse(in); err == nil {
			ids = append(ids, in)
		}
	}
	if len(ids) > 0 {
		got.Facts[factDerivedFrom] = strings.Join(ids, " ")
	}
	maps.DeleteFunc(got.Facts, func(_, v string) bool { return v == "" })
	name, encoded := record.EncodeName(typ + "/" + strings.Trim(strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' {
			return '-'
		}
		return r
	}, identifier), ". ") + ".txt")
	in := accession.Input{Name: name, Encoded: encoded, Fetch: func(context.Context) (accession.Body, error) { return got, nil }}
	added, err := accession.AddInputs(ctx, e.arch, []accession.Input{in}, nil, accession.AddOptions{})
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = identifier
	}
	return e.enter(added, typ, identifier, inputs, o)
}

// inputsOf writes what something was derived from in its lasting form: names
// become artifact IDs, numbers of bound citations their IDs. What does not
// resolve is kept as it was given, and an aggregation that rests on it fails.
func (e *Engine) inputsOf(from []string) ([]string, error) {
	if len(from) == 0 {
		return nil, nil
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	c, err := e.arch.Catalog(tree)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, ref := range from {
		ref = strings.TrimSpace(ref)
		if ref == "" {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("name an artifact or a citation"), "an input without a name")
		}
		in, err := e.input(c, ref, 0)
		if err != nil {
			return nil, err
		}
		if in.id != "" {
			ref = in.id
		}
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out, nil
}

// Source returns a registered source by its number.
func (e *Engine) Source(id int64) (*RegisteredSource, error) {
	l, err := e.arch.Ledger()
	if err != nil {
		return nil, err
	}
	s, err := l.Source(id)
	if errors.Is(err, ledger.ErrNotFound) || err == nil && !e.who.May(ActReadSource, Owner{s.Project, s.Session, s.Agent}) {
		return nil, archive.Problem(archive.TypeSourceNotFound, archive.Advise("muniment source list lists them; muniment source add-doc FILE registers one"), "no source %d", id)
	}
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	out := sourceResult(s)
	return &out, nil
}

// Sources lists the registered sources that the caller may read, of one type or
// of all for "".
func (e *Engine) Sources(typ string) ([]RegisteredSource, error) {
	if typ != "" && !slices.Contains(ledger.SourceTypes[:], typ) {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("document, website, database or custom"), "type of source %q", archive.Printable(typ))
	}
	l, err := e.arch.Ledger()
	if err != nil {
		return nil, err
	}
	all, err := l.Sources(ledger.SourceFilter{Type: typ, Project: e.who.Project})
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	out := []RegisteredSource{}
	for _, s := range all {
		if e.who.May(ActReadSource, Owner{s.Project, s.Session, s.Agent}) {
			out = append(out, sourceResult(s))
		}
	}
	return out, nil
}

// relationOf is how a citation of a source of some type uses it by default.
func relationOf(s *ledger.Source) cite.Relation {
	if s.Type == "database" || s.Type == "custom" && len(s.Inputs) > 0 {
		return cite.Aggregation
	}
	return cite.DirectQuote
}
